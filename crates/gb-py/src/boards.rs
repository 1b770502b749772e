//! What rules written in Python may claim of boards that are rows of letters, without a method: symmetries, the exchange of the players,
//! and groups that are independent. The bench works it out itself, so that Python is asked about normal forms alone.

use gb_rules::Sign;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::work::sentence;

/// The claims.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// Whether mirror images have the same value, and whether boards that were turned have.
    symmetries: Option<bool>,
    /// Letters that change places when the players do, which negates the value.
    swap: Option<[u8; 2]>,
    /// What lies between groups that are independent.
    empty: Option<u8>,
}

/// How Python writes a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `"xo|ox"`
    Text,
    /// `("xo", "ox")`
    Tuple,
}

/// A board of letters.
struct Board {
    height: usize,
    width: usize,
    /// Row by row.
    cells: Vec<u8>,
    form: Form,
}

impl Claims {
    /// Reads the attributes of rules.
    pub fn of(rules: &Bound<'_, PyAny>) -> PyResult<Claims> {
        let text = |name: &str| -> PyResult<Option<String>> {
            match rules.getattr_opt(name)? {
                Some(found) if found.is_instance_of::<PyString>() => found.extract().map(Some),
                _ => Ok(None),
            }
        };
        let symmetries = match text("symmetries")?.as_deref() {
            None => None,
            Some("mirrors") => Some(false),
            Some("all") => Some(true),
            Some(other) => {
                return Err(sentence(format!(
                    "symmetries = '{other}': expected 'mirrors' or 'all' (with turns)"
                )));
            }
        };
        let swap = match text("swap")? {
            None => None,
            Some(pair) => match *pair.as_bytes() {
                [a, b] if a != b => Some([a, b]),
                _ => return Err(sentence(format!("swap = '{pair}': expected two letters such as 'xo'"))),
            },
        };
        let empty = match text("empty")? {
            None => None,
            Some(letter) => match *letter.as_bytes() {
                [letter] => Some(letter),
                _ => return Err(sentence(format!("empty = '{letter}': expected a letter such as '.'"))),
            },
        };
        Ok(Claims { symmetries, swap, empty })
    }

    /// Whether anything is claimed of normal forms.
    pub fn has_normal_forms(&self) -> bool {
        self.symmetries.is_some() || self.swap.is_some()
    }

    /// Whether anything is claimed of parts.
    pub fn has_parts(&self) -> bool {
        self.empty.is_some()
    }

    /// The normal form: the least image. `None`: what is given is no board.
    pub fn normal<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<(Bound<'py, PyAny>, Sign)>> {
        let Some(board) = Board::read(position)? else { return Ok(None) };
        if board.cells.is_empty() {
            // Rows without letters have no columns to turn.
            return Ok(Some((position.clone(), Sign::Plus)));
        }
        let images: &[Image] = match self.symmetries {
            None => &IMAGES[..1],
            Some(false) => &IMAGES[..4],
            Some(true) => &IMAGES,
        };
        let mut best: Option<(usize, Vec<u8>, Sign)> = None;
        let mut cells = Vec::with_capacity(board.cells.len());
        for image in images {
            let height = board.height_of(*image);
            for (sign, swap) in [(Sign::Plus, None), (Sign::Minus, self.swap)] {
                if sign == Sign::Minus && swap.is_none() {
                    continue;
                }
                board.image(*image, swap, &mut cells);
                match &mut best {
                    None => best = Some((height, cells.clone(), sign)),
                    Some(best) if (height, &cells) < (best.0, &best.1) => {
                        (best.0, best.2) = (height, sign);
                        std::mem::swap(&mut best.1, &mut cells);
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(match best {
            // Most positions that are asked about are in normal form.
            Some((height, cells, Sign::Plus)) if (height, &cells) == (board.height, &board.cells) => {
                Some((position.clone(), Sign::Plus))
            }
            Some((height, cells, sign)) => {
                let width = cells.len() / height;
                Some((write(position.py(), &cells, width, board.form)?, sign))
            }
            None => None,
        })
    }

    /// The groups, each on a board of its own. `None`: what is given is no board.
    pub fn parts<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        let (Some(empty), Some(mut board)) = (self.empty, Board::read(position)?) else { return Ok(None) };
        let (height, width) = (board.height, board.width);
        let mut left_over = board.cells.iter().filter(|&&letter| letter != empty).count();
        let (mut parts, mut group, mut todo) = (vec![], vec![], vec![]);
        for start in 0..height * width {
            if left_over == 0 {
                break;
            }
            group.clear();
            todo.push((start / width, start % width));
            let (mut top, mut bottom, mut left, mut right) = (height, 0, width, 0);
            while let Some((r, c)) = todo.pop() {
                let letter = std::mem::replace(&mut board.cells[r * width + c], empty);
                if letter == empty {
                    continue;
                }
                group.push((r, c, letter));
                (top, bottom, left, right) = (top.min(r), bottom.max(r), left.min(c), right.max(c));
                let near = [(r + 1, c), (r.wrapping_sub(1), c), (r, c + 1), (r, c.wrapping_sub(1))];
                todo.extend(near.into_iter().filter(|&(r, c)| r < height && c < width));
            }
            if group.is_empty() {
                continue;
            }
            left_over -= group.len();
            let (rows, cols) = (bottom + 1 - top, right + 1 - left);
            if parts.is_empty() && left_over == 0 && (rows, cols) == (height, width) {
                // One group, and nothing around it.
                return Ok(Some(vec![position.clone()]));
            }
            let mut part = vec![empty; rows * cols];
            group.iter().for_each(|&(r, c, letter)| part[(r - top) * cols + c - left] = letter);
            parts.push(write(position.py(), &part, cols, board.form)?);
        }
        Ok(Some(parts))
    }
}

/// An image of a board: whether rows become columns, and then whether it is turned upside down and mirrored.
#[derive(Clone, Copy)]
struct Image {
    turned: bool,
    upside_down: bool,
    mirrored: bool,
}

/// The board itself, its mirror images, and those of the board with rows as columns.
const IMAGES: [Image; 8] = {
    let mut images = [Image { turned: false, upside_down: false, mirrored: false }; 8];
    let mut i = 0;
    while i < 8 {
        images[i] = Image { turned: i & 4 != 0, upside_down: i & 2 != 0, mirrored: i & 1 != 0 };
        i += 1;
    }
    images
};

impl Board {
    /// A board that Python writes as a text or as a tuple of texts; `None` if it is none.
    fn read(position: &Bound<'_, PyAny>) -> PyResult<Option<Board>> {
        let mut board = Board { height: 0, width: 0, cells: vec![], form: Form::Text };
        if let Ok(text) = position.cast::<PyString>() {
            let text = text.to_cow()?;
            if !text.split('|').all(|row| board.push(row.as_bytes())) {
                return Ok(None);
            }
        } else if let Ok(tuple) = position.cast::<PyTuple>() {
            board.form = Form::Tuple;
            for row in tuple.iter() {
                let Ok(row) = row.cast_into::<PyString>() else { return Ok(None) };
                if !board.push(row.to_cow()?.as_bytes()) {
                    return Ok(None);
                }
            }
        }
        Ok((board.height > 0).then_some(board))
    }

    /// Adds a row; whether it is one of letters, as long as the others.
    fn push(&mut self, row: &[u8]) -> bool {
        if self.height == 0 {
            self.width = row.len();
        }
        self.height += 1;
        self.cells.extend(row);
        row.is_ascii() && row.len() == self.width
    }

    /// How many rows an image has.
    fn height_of(&self, image: Image) -> usize {
        if image.turned { self.width } else { self.height }
    }

    /// The cells of an image, perhaps with two letters exchanged.
    fn image(&self, image: Image, swap: Option<[u8; 2]>, cells: &mut Vec<u8>) {
        let (height, width) =
            if image.turned { (self.width, self.height) } else { (self.height, self.width) };
        cells.clear();
        for r in 0..height {
            let r = if image.upside_down { height - 1 - r } else { r };
            for c in 0..width {
                let c = if image.mirrored { width - 1 - c } else { c };
                let at = if image.turned { c * self.width + r } else { r * self.width + c };
                cells.push(match (self.cells[at], swap) {
                    (letter, Some([a, b])) if letter == a => b,
                    (letter, Some([a, b])) if letter == b => a,
                    (letter, _) => letter,
                });
            }
        }
    }
}

/// A board as Python writes it.
fn write<'py>(py: Python<'py>, cells: &[u8], width: usize, form: Form) -> PyResult<Bound<'py, PyAny>> {
    let rows = cells.chunks(width.max(1)).map(String::from_utf8_lossy);
    Ok(match form {
        Form::Text => PyString::new(py, &rows.collect::<Vec<_>>().join("|")).into_any(),
        Form::Tuple => PyTuple::new(py, rows.collect::<Vec<_>>())?.into_any(),
    })
}
