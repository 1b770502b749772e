//! Boards in characters: cells with coordinates, and which part each cell belongs to.

use std::fmt::Write;

use gb_board::{Paint, Scene, Shape, Spot, column_name};

use super::ink::{Ink, Tint};

/// The letter of the part with this index: A to Z, then a to z, then `+`.
pub fn part_letter(index: usize) -> char {
    match index {
        0..26 => char::from(b'A' + index as u8),
        26..52 => char::from(b'a' + (index - 26) as u8),
        _ => '+',
    }
}

/// A grid with coordinates, and beside it the same grid with the letters of the parts. `None` if the scene is no grid.
pub fn text(scene: &Scene, parts: &[Vec<Spot>], ink: Ink) -> Option<String> {
    let (width, height) = scene.corner();
    let (cols, rows) = ((width / 100) as usize, (height / 100) as usize);
    let blank = || vec![vec![Cell { letter: ' ', tint: Tint::Faint }; cols]; rows];
    let (mut cells, mut owners) = (blank(), blank());
    for item in &scene.items {
        let (Spot::Cell { row, col }, Shape::Square(..)) = (item.spot, item.shape) else { return None };
        let (row, col) = (row as usize, col as usize);
        *cells.get_mut(row)?.get_mut(col)? = Cell { letter: item.letter, tint: tint_of(item.paint) };
        owners[row][col] = match parts.iter().position(|spots| spots.contains(&item.spot)) {
            Some(part) => Cell { letter: part_letter(part), tint: Tint::Part(part) },
            None => Cell { letter: '.', tint: Tint::Faint },
        };
    }
    if rows == 0 || cols == 0 {
        return None;
    }
    let numbers: Vec<usize> =
        (1..=rows).map(|row| if scene.look.counts_from_below() { rows + 1 - row } else { row }).collect();
    let mut lines = grid(&cells, &numbers, ink);
    if parts.iter().any(|spots| !spots.is_empty()) {
        for (line, beside) in lines.iter_mut().zip(grid(&owners, &numbers, ink)) {
            let _ = write!(line, "    {beside}");
        }
    }
    Some(lines.iter().map(|line| format!("{}\n", line.trim_end())).collect())
}

#[derive(Clone, Copy)]
struct Cell {
    letter: char,
    tint: Tint,
}

fn tint_of(paint: Paint) -> Tint {
    match paint {
        Paint::Empty | Paint::Hole => Tint::Faint,
        Paint::Left => Tint::Left,
        Paint::Right => Tint::Right,
        Paint::Both => Tint::Good,
    }
}

/// A grid with the names of its columns and the numbers of its rows, in a frame if there are characters for one. All lines take up
/// the same width on the screen.
fn grid(cells: &[Vec<Cell>], numbers: &[usize], ink: Ink) -> Vec<String> {
    let cols = cells[0].len();
    let names: Vec<String> = (0..cols as u32).map(column_name).collect();
    // As wide as the last name, so that names stay above their columns.
    let cell_width = names.last().map_or(1, String::len) + 1;
    let margin = numbers.len().to_string().len();
    let side = if ink.unicode { "│ " } else { "" };
    let mut head: String = " ".repeat(margin + 1 + side.chars().count());
    for name in &names {
        let _ = write!(head, "{name:<cell_width$}");
    }
    let border = |corners: [char; 2]| {
        let line = format!("{}{}{}", corners[0], "─".repeat(cell_width * cols + 1), corners[1]);
        format!("{:margin$} {}", "", ink.paint(Tint::Faint, &line))
    };
    let width = margin + 1 + cell_width * cols + 2 * side.chars().count() - usize::from(ink.unicode);
    let mut lines = vec![ink.paint(Tint::Faint, &format!("{head:<width$}"))];
    if ink.unicode {
        lines.push(border(['┌', '┐']));
    }
    for (row, number) in cells.iter().zip(numbers) {
        let mut line = format!(
            "{} {}",
            ink.paint(Tint::Faint, &format!("{number:>margin$}")),
            ink.paint(Tint::Faint, side)
        );
        for cell in row {
            let letter = if ink.unicode && cell.letter == '.' { '·' } else { cell.letter };
            let _ = write!(
                line,
                "{}{:gap$}",
                ink.paint(cell.tint, &letter.to_string()),
                "",
                gap = cell_width - 1
            );
        }
        lines.push(line + &ink.paint(Tint::Faint, side.trim_end()));
    }
    if ink.unicode {
        lines.push(border(['└', '┘']));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use gb_board::Look;

    const PLAIN: Ink = Ink { colours: false, unicode: false };

    /// What is seen does not depend on colours, and a frame stands around what is seen without one.
    #[test]
    fn ink_changes_no_letter() {
        let scene = Scene::of_text("xo.|.ox");
        let cell = |row, col| Spot::Cell { row, col };
        let parts = [vec![cell(0, 0), cell(0, 1)], vec![cell(1, 1), cell(1, 2)]];
        let framed = text(&scene, &parts, Ink { colours: false, unicode: true }).unwrap();
        let expected = [
            "    a b c          a b c",
            "  ┌───────┐      ┌───────┐",
            "1 │ x o · │    1 │ A A · │",
            "2 │ · o x │    2 │ · B B │",
            "  └───────┘      └───────┘",
            "",
        ];
        assert_eq!(framed, expected.join("\n"));
        for unicode in [false, true] {
            let coloured = text(&scene, &parts, Ink { colours: true, unicode }).unwrap();
            let mut seen = String::new();
            let mut rest = coloured.as_str();
            while let Some(start) = rest.find('\u{1b}') {
                seen.push_str(&rest[..start]);
                rest = &rest[start + rest[start..].find('m').unwrap() + 1..];
            }
            seen.push_str(rest);
            let plain = text(&scene, &parts, Ink { colours: false, unicode }).unwrap();
            let trimmed: String = seen.lines().map(|line| format!("{}\n", line.trim_end())).collect();
            assert_eq!(trimmed, plain);
        }
    }

    #[test]
    fn a_board_shows_its_parts() {
        let scene = Scene::of_text("xo.|.ox");
        let cell = |row, col| Spot::Cell { row, col };
        let parts = [vec![cell(0, 0), cell(0, 1)], vec![cell(1, 1), cell(1, 2)]];
        let expected = "  a b c       a b c\n1 x o .     1 A A .\n2 . o x     2 . B B\n";
        assert_eq!(text(&scene, &parts, PLAIN).unwrap(), expected);
        assert_eq!(text(&scene, &[], PLAIN).unwrap(), "  a b c\n1 x o .\n2 . o x\n");
        assert_eq!(text(&Scene::heaps(&[3]), &[], PLAIN), None);
    }

    #[test]
    fn rows_and_columns_are_named_as_in_moves() {
        let chess = Scene { look: Look::Checkered, ..Scene::of_text("p.|P.") };
        assert_eq!(text(&chess, &[], PLAIN).unwrap(), "  a b\n2 p .\n1 P .\n");
        let wide = text(&Scene::of_text(&".".repeat(28)), &[], PLAIN).unwrap();
        let head: Vec<&str> = wide.lines().next().unwrap().split_whitespace().collect();
        let spot = |col| Spot::Cell { row: 0, col }.to_string();
        assert_eq!(head.len(), 28);
        assert!((0..28).all(|col| format!("{}1", head[col as usize]) == spot(col)), "{head:?}");
        assert!(wide.lines().all(|line| line.chars().count() <= 2 + 28 * 3), "{wide}");
    }
}
