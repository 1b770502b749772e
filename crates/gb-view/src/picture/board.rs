//! Boards in characters: cells with coordinates, and which part each cell belongs to.

use gb_board::{Scene, Shape, Spot};

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
    let head: String = (0..cols).map(|col| column_name(col) + " ").collect();
    let line = |row: &[char]| row.iter().map(|c| format!("{c} ")).collect::<String>();
    let mut text = String::new();
    let with_parts = parts.iter().any(|spots| !spots.is_empty());
    let mut push = |number: &str, left: &str, right: &str| {
        let both = if with_parts {
            format!("{number:>margin$} {left:<w$}    {number:>margin$} {right}", w = 2 * cols)
        } else {
            format!("{number:>margin$} {left}")
        };
        text.push_str(both.trim_end());
        text.push('\n');
    };
    push("", &head, &head);
    for row in 0..rows {
        push(&(row + 1).to_string(), &line(&cells[row]), &line(&owners[row]));
    }
    Some(text)
}

/// One letter a column, as in the text of moves; wide boards begin again.
fn column_name(col: usize) -> String {
    char::from(b'a' + (col % 26) as u8).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
