//! Any scene as a scalable picture.

use std::fmt::Write;

use gb_board::{Item, Look, Paint, Scene, Shape, Spot};

use super::board::part_letter;

/// The colours of parts, which the colour-blind can tell apart; they begin again after the last.
const PARTS: [&str; 8] =
    ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#0072b2", "#f0e442", "#999999"];

/// A standalone SVG of a scene; the cells of each part have a colour and, in the first of them, its letter.
pub fn svg(scene: &Scene, parts: &[Vec<Spot>]) -> String {
    let (width, height) = scene.corner();
    let (w, h) = (width + 40, height + 40);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 {w} {h}" width="{w}" height="{h}" role="img">
<rect x="-20" y="-20" width="{w}" height="{h}" fill="#fff"/>"##
    );
    if scene.look == Look::Ground {
        let _ = writeln!(out, r##"<path d="M-20,{height}H{}" stroke="#777" stroke-width="8"/>"##, width + 20);
    }
    for (index, item) in scene.items.iter().enumerate() {
        let part = parts.iter().position(|spots| spots.contains(&item.spot));
        let first = part.is_some_and(|part| parts[part].first() == Some(&item.spot));
        let _ = write_item(&mut out, scene, index, part, first && parts.len() > 1);
    }
    out.push_str("</svg>\n");
    out
}

/// How far lines between the same two points are apart.
const APART: i32 = 34;

/// A line of a scene as a path: bent where others join the same points, and a circle where it comes back to where it begins.
fn path(scene: &Scene, index: usize, (x1, y1): (i32, i32), (x2, y2): (i32, i32)) -> String {
    let beside = |item: &Item| match item.shape {
        Shape::Line(a, b) => (a, b) == ((x1, y1), (x2, y2)) || (b, a) == ((x1, y1), (x2, y2)),
        _ => false,
    };
    let count = scene.items.iter().filter(|item| beside(item)).count() as i32;
    let place = scene.items[..index].iter().filter(|item| beside(item)).count() as i32;
    if (x1, y1) == (x2, y2) {
        // Beside the point and a little above it, where neither the ground nor most other lines are.
        let (size, across, up) = (26 + 14 * place, 45 + 24 * place, 26 + 14 * place);
        return format!("M{x1},{y1}a{size},{size} 0 1 0 {across},-{up}a{size},{size} 0 1 0 -{across},{up}");
    }
    // Twice as far from the middle as the line gets, because a curve goes only half the way to its handle.
    let off = f64::from((2 * place - (count - 1)) * APART);
    if off == 0.0 {
        return format!("M{x1},{y1}L{x2},{y2}");
    }
    let way = if (x1, y1) < (x2, y2) { 1.0 } else { -1.0 };
    let (dx, dy) = (f64::from(x2 - x1), f64::from(y2 - y1));
    let long = dx.hypot(dy);
    let (x, y) =
        (f64::from(x1 + x2) / 2.0 - way * off * dy / long, f64::from(y1 + y2) / 2.0 + way * off * dx / long);
    format!("M{x1},{y1}Q{x:.0},{y:.0} {x2},{y2}")
}

fn write_item(
    out: &mut String,
    scene: &Scene,
    index: usize,
    part: Option<usize>,
    with_letter: bool,
) -> std::fmt::Result {
    let (look, item) = (scene.look, &scene.items[index]);
    let colour = part.map_or("none", |part| PARTS[part % PARTS.len()]);
    let (fill, edge) = match item.paint {
        Paint::Left => ("#222", "#222"),
        Paint::Right => ("#fff", "#222"),
        Paint::Both => ("#7a9a4a", "#4b6328"),
        Paint::Empty | Paint::Hole => ("none", "none"),
    };
    let corner = match item.shape {
        Shape::Line((x1, y1), (x2, y2)) => {
            let ink = match (item.letter, item.paint) {
                ('-', _) => "#999",
                (_, Paint::Left) => "#1f6fb2",
                (_, Paint::Right) => "#c8452f",
                _ => "#4b8a2a",
            };
            writeln!(
                out,
                r#"<path d="{}" fill="none" stroke="{ink}" stroke-width="12" stroke-linecap="round"/>"#,
                path(scene, index, (x1, y1), (x2, y2))
            )?;
            (x1.min(x2), y1.min(y2))
        }
        Shape::Disc(x, y) => {
            let fill = if item.paint == Paint::Empty { "#fff" } else { fill };
            let edge = if edge == "none" { "#777" } else { edge };
            writeln!(
                out,
                r#"<circle cx="{x}" cy="{y}" r="40" fill="{fill}" stroke="{edge}" stroke-width="4"/>"#
            )?;
            (x - 50, y - 50)
        }
        Shape::Square(x, y) => {
            write_square(out, look, item, (x, y), colour)?;
            let (cx, cy) = (x + 50, y + 50);
            match item.paint {
                Paint::Empty | Paint::Hole => {}
                _ if look == Look::Checkered => writeln!(
                    out,
                    r##"<text x="{cx}" y="{}" font-size="80" text-anchor="middle" fill="#111">{}</text>"##,
                    cy + 30,
                    piece(item.letter)
                )?,
                _ if look == Look::Tiles => writeln!(
                    out,
                    r#"<rect x="{}" y="{}" width="40" height="84" rx="8" fill="{fill}" stroke="{edge}" stroke-width="4"/>"#,
                    x + 30,
                    y + 8
                )?,
                _ => writeln!(
                    out,
                    r#"<circle cx="{cx}" cy="{cy}" r="38" fill="{fill}" stroke="{edge}" stroke-width="4"/>"#
                )?,
            }
            (x, y)
        }
    };
    if let (true, Some(part)) = (with_letter, part) {
        let (x, y) = (corner.0 + 8, corner.1 + 28);
        writeln!(out, r##"<text x="{x}" y="{y}" font-size="26" fill="#333">{}</text>"##, part_letter(part))?;
    }
    Ok(())
}

fn write_square(
    out: &mut String,
    look: Look,
    item: &Item,
    (x, y): (i32, i32),
    colour: &str,
) -> std::fmt::Result {
    match (look, item.paint) {
        (_, Paint::Hole) => return Ok(()),
        (Look::Lines, _) => {
            writeln!(
                out,
                r##"<path d="M{x},{}h100M{},{y}v100" stroke="#999" stroke-width="3"/>"##,
                y + 50,
                x + 50
            )?;
        }
        (Look::Checkered, _) => {
            let dark = (x / 100 + y / 100) % 2 == 1;
            let fill = if dark { "#c9d2dc" } else { "#f2f4f7" };
            writeln!(out, r#"<rect x="{x}" y="{y}" width="100" height="100" fill="{fill}"/>"#)?;
        }
        (Look::Tiles, _) => {
            writeln!(out, r##"<path d="M{x},{}h100" stroke="#bbb" stroke-width="6"/>"##, y + 95)?;
        }
        _ => writeln!(
            out,
            r##"<rect x="{x}" y="{y}" width="100" height="100" fill="#fff" stroke="#bbb" stroke-width="3"/>"##
        )?,
    }
    writeln!(out, r#"<rect x="{x}" y="{y}" width="100" height="100" fill="{colour}" fill-opacity="0.35"/>"#)
}

/// Pieces of chess have signs of their own; White is drawn hollow.
fn piece(letter: char) -> char {
    match letter {
        'K' => '♔',
        'Q' => '♕',
        'P' => '♙',
        'k' => '♚',
        'q' => '♛',
        'p' => '♟',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_thing_is_drawn() {
        let cell = |row, col| Spot::Cell { row, col };
        let board = svg(&Scene::of_text("xo#|.*."), &[vec![cell(0, 0), cell(0, 1)], vec![cell(1, 1)]]);
        assert_eq!(board.matches("<circle").count(), 3);
        assert_eq!(board.matches("fill-opacity").count(), 5, "a hole is not there");
        assert!(board.contains(">A</text>") && board.contains(">B</text>"));
        let heaps = svg(&Scene::heaps(&[3, 2]), &[]);
        assert_eq!(heaps.matches("<circle").count(), 5);
        let line = Item::line(Spot::Edge(0), (50, 100), (50, 0), 'B');
        let stalk = svg(&Scene { items: vec![line], look: Look::Ground }, &[]);
        assert!(stalk.contains("#1f6fb2") && stalk.contains("stroke-width=\"8\""));
        // Two edges between the same points, and one that comes back.
        let edge = |number, a, b| Item::line(Spot::Edge(number), a, b, 'G');
        let (low, high) = ((50, 100), (50, 0));
        let items = vec![edge(0, low, high), edge(1, high, low), edge(2, low, low), edge(3, low, (150, 0))];
        let graph = svg(&Scene { items, look: Look::Ground }, &[]);
        let paths: Vec<&str> =
            graph.lines().filter_map(|line| line.split("d=\"").nth(1)?.split('"').next()).collect();
        assert_eq!(
            paths[1..],
            [
                "M50,100Q84,50 50,0",
                "M50,0Q16,50 50,100",
                "M50,100a26,26 0 1 0 45,-26a26,26 0 1 0 -45,26",
                "M50,100L150,0"
            ]
        );
        let tiles = svg(&Scene { look: Look::Tiles, ..Scene::of_text("xo.") }, &[]);
        assert_eq!((tiles.matches("height=\"84\"").count(), tiles.matches("<circle").count()), (2, 0));
    }
}
