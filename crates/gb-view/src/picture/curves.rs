//! Curves over a common axis as SVG, for figures of experiments.

use std::fmt::Write;

/// A curve with its name.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// What the legend says.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 64.0;
const COLOURS: [&str; 6] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#17becf"];

/// Curves with a legend; both axes begin at 0.
pub fn svg(curves: &[Curve], across: &str, up: &str) -> String {
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let right = nice(all().map(|p| p.0).fold(1.0, f64::max));
    let top = nice(all().map(|p| p.1).fold(1.0, f64::max));
    let x = |value: f64| MARGIN + value / right * (WIDTH - MARGIN - 16.0);
    let y = |value: f64| HEIGHT - MARGIN + 16.0 - value / top * (HEIGHT - MARGIN - 16.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut put = |line: String| {
        let _ = writeln!(svg, "{line}");
    };
    for step in 0..=4 {
        let (a, b) = (right * f64::from(step) / 4.0, top * f64::from(step) / 4.0);
        put(format!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>",
            x(0.0),
            y(b),
            x(right),
            y(b)
        ));
        put(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            x(0.0) - 6.0,
            y(b) + 4.0,
            short(b)
        ));
        put(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(a),
            y(0.0) + 16.0,
            short(a)
        ));
    }
    put(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        x(right / 2.0),
        y(0.0) + 34.0,
        escape(across)
    ));
    put(format!("<text x=\"{:.1}\" y=\"12\">{}</text>", x(0.0), escape(up)));
    for (i, curve) in curves.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let points: Vec<String> =
            curve.points.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        put(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            points.join(" ")
        ));
        put(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>",
            x(right),
            30.0 + 16.0 * i as f64,
            escape(&curve.name)
        ));
    }
    svg.push_str("</svg>\n");
    svg
}

/// The next number that is 1, 2, 4 or 8 times a power of ten.
fn nice(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 4.0, 8.0, 10.0].iter().map(|factor| factor * power).find(|&n| n >= value).unwrap_or(value)
}

fn short(value: f64) -> String {
    if value >= 10_000.0 { format!("{:.0}k", value / 1000.0) } else { format!("{value:.0}") }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_lie_within_the_picture() {
        let curve = |name: &str, points: &[(f64, f64)]| Curve { name: name.into(), points: points.to_vec() };
        let svg = svg(&[curve("a<b", &[(1.0, 300_000.0), (40.0, 5.0)]), curve("none", &[])], "move", "rate");
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("a&lt;b") && svg.contains(">400k<") && !svg.contains("NaN"), "{svg}");
        assert_eq!(nice(300_000.0), 400_000.0);
        assert_eq!(nice(1.0), 1.0);
    }
}
