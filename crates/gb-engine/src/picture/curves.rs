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
    let (wide, columns) = steps(all().map(|p| p.0).fold(1.0, f64::max));
    let (high, rows) = steps(all().map(|p| p.1).fold(1.0, f64::max));
    let (right, top) = (wide * f64::from(columns), high * f64::from(rows));
    let x = |value: f64| MARGIN + value / right * (WIDTH - MARGIN - 16.0);
    let y = |value: f64| HEIGHT - MARGIN + 16.0 - value / top * (HEIGHT - MARGIN - 16.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut put = |line: String| {
        let _ = writeln!(svg, "{line}");
    };
    for row in 0..=rows {
        let b = high * f64::from(row);
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
    }
    for column in 0..=columns {
        let a = wide * f64::from(column);
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

/// How far apart the marks of an axis are that reaches a number, and how many there are: about five, at whole numbers that are 1,
/// 2 or 5 times a power of ten.
fn steps(most: f64) -> (f64, u32) {
    let least = (most / 5.0).max(1.0);
    let power = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|&n| n >= least);
    let step = step.unwrap_or(10.0 * power);
    (step, (most / step).ceil() as u32)
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
        assert!(svg.contains("a&lt;b") && svg.contains(">300k<") && !svg.contains("NaN"), "{svg}");
        assert_eq!(steps(300_000.0), (100_000.0, 3));
        assert_eq!(steps(41.0), (10.0, 5));
        assert_eq!(steps(2_356_000.0), (500_000.0, 5));
        assert_eq!(steps(1.0), (1.0, 1));
    }
}
