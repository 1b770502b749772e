//! Thermographs as a scalable picture.

use std::fmt::Write;

use gb_value::{Corner, Dyadic, Thermograph};

use super::{Drawing, Turn, Window};
use crate::picture::scale::Scale;

/// Lengths are in hundredths of a pixel, so that integers suffice.
const PX: i64 = 100;
const WIDTH: i64 = 640 * PX;
const MARGIN_LEFT: i64 = 78 * PX;
const MARGIN_RIGHT: i64 = 34 * PX;
const MARGIN_TOP: i64 = 34 * PX;
const PLOT_WIDTH: i64 = WIDTH - MARGIN_LEFT - MARGIN_RIGHT;
const PLOT_HEIGHT: i64 = 360 * PX;
/// Below the plot: labels and the title of the value axis.
const AXIS_HEIGHT: i64 = 52 * PX;
const LEGEND_LINE: i64 = 22 * PX;
/// An average character of a label.
const CHARACTER: i64 = 7 * PX;

/// Okabe and Ito's colours, which the colour-blind can tell apart, for light and for dark pages.
const COLOURS: [(&str, &str); 6] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff9a4d"),
    ("#009e73", "#3fd6a8"),
    ("#b5568f", "#e79ac9"),
    ("#8a6d00", "#f0e442"),
    ("#555555", "#c8c8c8"),
];

/// A standalone SVG of one or more thermographs, each with its name in the legend.
///
/// Light or dark follows the reader's setting. Both axes have the same scale, so that walls slope by 45 degrees, unless
/// the picture would be too narrow or too flat for it.
pub fn svg(graphs: &[(&str, &Thermograph)]) -> String {
    let drawings: Vec<(&str, Drawing)> =
        graphs.iter().map(|(name, graph)| (*name, (*graph).into())).collect();
    svg_of(&drawings)
}

/// As [`svg`], for thermographs that need not be those of games.
pub fn svg_of(graphs: &[(&str, Drawing)]) -> String {
    let window = Window::around(graphs.iter().map(|(_, graph)| graph));
    let (x, y) = scales(&window);
    let frame = Frame { x0: MARGIN_LEFT + (PLOT_WIDTH - x.length) / 2, y0: MARGIN_TOP, x, y };
    let height = MARGIN_TOP + frame.y.length + AXIS_HEIGHT + LEGEND_LINE * graphs.len() as i64 + 10 * PX;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_head(&mut out, graphs, height);
    let _ = frame.write_axes(&mut out);
    for (i, (_, graph)) in graphs.iter().enumerate() {
        // A mast that others will cover is wider, so that it shows on both sides.
        let covering =
            graphs[i + 1..].iter().filter(|(_, later)| later.foot.value == graph.foot.value).count();
        let _ = frame.write_graph(&mut out, graph, i % COLOURS.len(), 3 + 4 * covering);
    }
    let _ = frame.write_legend(&mut out, graphs);
    out.push_str("</svg>\n");
    out
}

fn scales(window: &Window) -> (Scale, Scale) {
    let (wide, high) = (&window.hi - &window.lo, &window.top + Dyadic::ONE);
    let mut x = Scale { from: window.hi.clone(), to: window.lo.clone(), length: PLOT_WIDTH };
    let mut y = Scale { from: window.top.clone(), to: Dyadic::integer(-1), length: PLOT_HEIGHT };
    // The smaller of the two scales for both axes, unless one of them would shrink too much.
    let true_height = Scale { from: Dyadic::ZERO, to: wide.clone(), length: PLOT_WIDTH }.place_beyond(&high);
    let true_width = Scale { from: Dyadic::ZERO, to: high, length: PLOT_HEIGHT }.place_beyond(&wide);
    match (i64::try_from(true_height), i64::try_from(true_width)) {
        (Ok(height), _) if (PLOT_HEIGHT / 3..=PLOT_HEIGHT).contains(&height) => y.length = height,
        (_, Ok(width)) if (PLOT_WIDTH / 4..=PLOT_WIDTH).contains(&width) => x.length = width,
        _ => {}
    }
    (x, y)
}

fn write_head(out: &mut String, graphs: &[(&str, Drawing)], height: i64) -> std::fmt::Result {
    let names: Vec<String> = graphs.iter().map(|(name, _)| escaped(name)).collect();
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img">"#,
        w = px(WIDTH),
        h = px(height)
    )?;
    writeln!(out, "<title>Thermograph of {}</title>", names.join(", "))?;
    writeln!(out, "<style>")?;
    writeln!(out, "text {{ font: 13px 'DejaVu Sans', 'Segoe UI', Helvetica, sans-serif; fill: #222 }}")?;
    writeln!(out, ".name {{ font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace }}")?;
    writeln!(out, ".soft {{ fill: #666 }}")?;
    writeln!(out, ".page {{ fill: #fff }} .grid {{ stroke: #e4e4e4 }} .axis, .zero {{ stroke: #888 }}")?;
    writeln!(out, ".zero {{ stroke-dasharray: 2 3 }} .grid, .axis, .zero {{ stroke-width: 1; fill: none }}")?;
    writeln!(out, ".wall {{ fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }}")?;
    writeln!(out, ".swatch {{ fill: none; stroke-width: 3 }} .shade {{ fill-opacity: 0.14; stroke: none }}")?;
    let used = &COLOURS[..graphs.len().min(COLOURS.len())];
    for (i, (light, _)) in used.iter().enumerate() {
        writeln!(out, ".line{i} {{ stroke: {light} }} .area{i} {{ fill: {light} }}")?;
    }
    writeln!(out, "@media (prefers-color-scheme: dark) {{")?;
    writeln!(out, "text {{ fill: #ddd }} .soft {{ fill: #999 }} .page {{ fill: #16181c }}")?;
    writeln!(out, ".grid {{ stroke: #2b2f36 }} .axis, .zero {{ stroke: #777 }}")?;
    for (i, (_, dark)) in used.iter().enumerate() {
        writeln!(out, ".line{i} {{ stroke: {dark} }} .area{i} {{ fill: {dark} }}")?;
    }
    writeln!(out, "}}")?;
    writeln!(out, "</style>")?;
    writeln!(out, r#"<rect class="page" width="100%" height="100%"/>"#)
}

/// The plot: where it lies and how numbers map into it.
struct Frame {
    x0: i64,
    y0: i64,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn left(&self) -> i64 {
        self.x0 - 16 * PX
    }

    fn right(&self) -> i64 {
        self.x0 + self.x.length + 16 * PX
    }

    fn bottom(&self) -> i64 {
        self.y0 + self.y.length
    }

    fn point(&self, value: &Dyadic, t: &Dyadic) -> String {
        format!("{},{}", px(self.x0 + self.x.place(value)), px(self.y0 + self.y.place(t)))
    }

    fn write_axes(&self, out: &mut String) -> std::fmt::Result {
        let (left, right, bottom) = (px(self.left()), px(self.right()), px(self.bottom()));
        for (place, label) in self.y.ticks(|_, _| 34 * PX) {
            let y = px(self.y0 + place);
            let class = if label == "0" { "zero" } else { "grid" };
            writeln!(out, r#"<path class="{class}" d="M{left},{y}H{right}"/>"#)?;
            let (x, y) = (px(self.left() - 8 * PX), px(self.y0 + place + 9 * PX / 2));
            writeln!(out, r#"<text x="{x}" y="{y}" text-anchor="end">{}</text>"#, tick_label(&label))?;
        }
        let half_width = |label: &str| label.len().min(24) as i64 * CHARACTER / 2;
        for (place, label) in self.x.ticks(|a, b| half_width(a) + half_width(b) + 16 * PX) {
            let (x, top) = (px(self.x0 + place), px(self.y0));
            writeln!(out, r#"<path class="grid" d="M{x},{top}V{bottom}"/>"#)?;
            writeln!(out, r#"<path class="axis" d="M{x},{bottom}v5"/>"#)?;
            let y = px(self.bottom() + 19 * PX);
            writeln!(out, r#"<text x="{x}" y="{y}" text-anchor="middle">{}</text>"#, tick_label(&label))?;
        }
        writeln!(out, r#"<path class="axis" d="M{left},{}V{bottom}H{right}"/>"#, px(self.y0 - 6 * PX))?;
        let x = px(self.left() - 8 * PX);
        writeln!(
            out,
            r#"<text class="soft" x="{x}" y="{}" text-anchor="start">temperature</text>"#,
            px(self.y0 - 14 * PX)
        )?;
        let y = px(self.bottom() + 40 * PX);
        let middle = px((self.left() + self.right()) / 2);
        for (x, anchor, words) in
            [(&left, "start", "← Left"), (&middle, "middle", "value"), (&right, "end", "Right →")]
        {
            writeln!(out, r#"<text class="soft" x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>"#)?;
        }
        Ok(())
    }

    fn write_graph(&self, out: &mut String, graph: &Drawing, colour: usize, mast: usize) -> std::fmt::Result {
        let foot = self.point(&graph.foot.value, &graph.foot.temperature);
        // Up to the foot of the mast: a wall that is vertical from lower down has its last corner there.
        let path = |wall: &[Turn]| {
            let place = |Corner { value, temperature }: &Corner| self.point(value, temperature);
            let mut points: Vec<String> = wall.iter().map(|turn| place(&turn.corner)).collect();
            points.push(foot.clone());
            points.dedup();
            points
        };
        let [left, right] = graph.walls.each_ref().map(|wall| path(wall));
        let outline: Vec<&str> = left.iter().chain(right.iter().rev().skip(1)).map(String::as_str).collect();
        if outline.len() > 2 {
            writeln!(out, r#"<path class="shade area{colour}" d="M{}Z"/>"#, outline.join(" "))?;
        }
        for wall in [&left, &right] {
            if wall.len() > 1 {
                writeln!(out, r#"<path class="wall line{colour}" d="M{}"/>"#, wall.join(" "))?;
            }
        }
        let x = self.x0 + self.x.place(&graph.foot.value);
        let (tip, base) = (self.y0 - 2 * PX, self.y0 + 9 * PX);
        writeln!(out, r#"<path class="line{colour}" stroke-width="{mast}" d="M{foot}V{}"/>"#, px(base))?;
        let (x, tip, half) = (px(x), px(tip), 4 + mast / 2);
        writeln!(out, r#"<path class="area{colour}" d="M{x},{tip}l{half},12h-{}Z"/>"#, 2 * half)
    }

    fn write_legend(&self, out: &mut String, graphs: &[(&str, Drawing)]) -> std::fmt::Result {
        for (i, (name, graph)) in graphs.iter().enumerate() {
            let y = self.bottom() + AXIS_HEIGHT + LEGEND_LINE * i as i64 + 12 * PX;
            let colour = i % COLOURS.len();
            let (x, swatch, y) = (px(MARGIN_LEFT - 16 * PX), px(y - 9 * PX / 2), px(y));
            writeln!(out, r#"<path class="swatch line{colour}" d="M{x},{swatch}h22"/>"#)?;
            let x = px(MARGIN_LEFT + 14 * PX);
            let Drawing { mean, temperature, .. } = graph;
            writeln!(
                out,
                r#"<text x="{x}" y="{y}"><tspan class="name">{}</tspan><tspan dx="14" class="soft">mean {}, temperature {}</tspan></text>"#,
                escaped(&shortened(name, 48)),
                minus(&shortened(mean, 24)),
                minus(&shortened(temperature, 24))
            )?;
        }
        Ok(())
    }
}

/// Hundredths of a pixel as a decimal number.
fn px(hundredths: i64) -> String {
    let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    match size % 100 {
        0 => format!("{sign}{}", size / 100),
        part => format!("{sign}{}.{part:02}", size / 100),
    }
}

/// With the typographic minus sign.
fn minus(label: &str) -> String {
    label.replace('-', "\u{2212}")
}

fn tick_label(label: &str) -> String {
    minus(&shortened(label, 24))
}

/// At most `most` characters.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// As character data; what XML cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}
