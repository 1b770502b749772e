//! Boards in characters: cells with coordinates, and which part each cell belongs to.

use gb_board::{Scene, Shape, Spot, column_name};

/// The letter of the part with this index: A to Z, then a to z, then `+`.
pub fn part_letter(index: usize) -> char {
    match index {
        0..26 => char::from(b'A' + index as u8),
        26..52 => char::from(b'a' + (index - 26) as u8),
        _ => '+',
    }
}

/// A grid with coordinates, and beside it the same grid with the letters of the parts. `None` if the scene is no grid.
pub fn text(scene: &Scene, parts: &[Vec<Spot>]) -> Option<String> {
    let (width, height) = scene.corner();
    let (cols, rows) = ((width / 100) as usize, (height / 100) as usize);
    let mut cells = vec![vec![' '; cols]; rows];
    let mut owners = vec![vec![' '; cols]; rows];
    for item in &scene.items {
        let (Spot::Cell { row, col }, Shape::Square(..)) = (item.spot, item.shape) else { return None };
        let (row, col) = (row as usize, col as usize);
        *cells.get_mut(row)?.get_mut(col)? = item.letter;
        let part = parts.iter().position(|spots| spots.contains(&item.spot));
        owners[row][col] = part.map_or('.', part_letter);
    }
    if rows == 0 || cols == 0 {
        return None;
    }
    let margin = rows.to_string().len();
    let names: Vec<String> = (0..cols as u32).map(column_name).collect();
    // As wide as the last name, so that names stay above their columns.
    let width = names.last().map_or(1, String::len) + 1;
    let line =
        |cells: &mut dyn Iterator<Item = String>| cells.map(|cell| format!("{cell:<width$}")).collect();
    let head: String = line(&mut names.into_iter());
    let mut text = String::new();
    let with_parts = parts.iter().any(|spots| !spots.is_empty());
    let mut push = |number: &str, left: &str, right: &str| {
        let both = if with_parts {
            format!("{number:>margin$} {left:<w$}    {number:>margin$} {right}", w = width * cols)
        } else {
            format!("{number:>margin$} {left}")
        };
        text.push_str(both.trim_end());
        text.push('\n');
    };
    push("", &head, &head);
    for row in 0..rows {
        let number = if scene.look.counts_from_below() { rows - row } else { row + 1 };
        let [cells, owners]: [String; 2] =
            [&cells[row], &owners[row]].map(|row| line(&mut row.iter().map(char::to_string)));
        push(&number.to_string(), &cells, &owners);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gb_board::Look;

    #[test]
    fn a_board_shows_its_parts() {
        let scene = Scene::of_text("xo.|.ox");
        let cell = |row, col| Spot::Cell { row, col };
        let parts = [vec![cell(0, 0), cell(0, 1)], vec![cell(1, 1), cell(1, 2)]];
        let expected = "  a b c       a b c\n1 x o .     1 A A .\n2 . o x     2 . B B\n";
        assert_eq!(text(&scene, &parts).unwrap(), expected);
        assert_eq!(text(&scene, &[]).unwrap(), "  a b c\n1 x o .\n2 . o x\n");
        assert_eq!(text(&Scene::heaps(&[3]), &[]), None);
    }

    #[test]
    fn rows_and_columns_are_named_as_in_moves() {
        let chess = Scene { look: Look::Checkered, ..Scene::of_text("p.|P.") };
        assert_eq!(text(&chess, &[]).unwrap(), "  a b\n2 p .\n1 P .\n");
        let wide = text(&Scene::of_text(&".".repeat(28)), &[]).unwrap();
        let head: Vec<&str> = wide.lines().next().unwrap().split_whitespace().collect();
        let spot = |col| Spot::Cell { row: 0, col }.to_string();
        assert_eq!(head.len(), 28);
        assert!((0..28).all(|col| format!("{}1", head[col as usize]) == spot(col)), "{head:?}");
        assert!(wide.lines().all(|line| line.chars().count() <= 2 + 28 * 3), "{wide}");
    }
}
