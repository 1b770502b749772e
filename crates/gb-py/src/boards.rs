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

/// A board, row by row.
type Rows = Vec<Vec<u8>>;

/// How Python writes a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `"xo|ox"`
    Text,
    /// `("xo", "ox")`
    Tuple,
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
        let Some((rows, form)) = read(position)? else { return Ok(None) };
        let mut best = (rows.clone(), Sign::Plus);
        let mut consider = |rows: Rows| {
            if let Some(swap) = self.swap {
                let swapped = swapped(&rows, swap);
                if swapped < best.0 {
                    best = (swapped, Sign::Minus);
                }
            }
            if rows < best.0 {
                best = (rows, Sign::Plus);
            }
        };
        match self.symmetries {
            None => consider(rows),
            Some(turns) => {
                let mut images = vec![rows];
                if turns {
                    images.push(transposed(&images[0]));
                }
                for image in images {
                    let upside_down: Rows = image.iter().rev().cloned().collect();
                    consider(mirrored(&image));
                    consider(mirrored(&upside_down));
                    consider(upside_down);
                    consider(image);
                }
            }
        }
        Ok(Some((write(position.py(), &best.0, form)?, best.1)))
    }

    /// The groups, each on a board of its own. `None`: what is given is no board.
    pub fn parts<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        let (Some(empty), Some((mut rows, form))) = (self.empty, read(position)?) else { return Ok(None) };
        let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
        let mut parts = vec![];
        for start in 0..height * width {
            let mut group = vec![];
            let mut todo = vec![(start / width, start % width)];
            while let Some((r, c)) = todo.pop() {
                let letter = rows[r][c];
                if letter == empty {
                    continue;
                }
                rows[r][c] = empty;
                group.push((r, c, letter));
                let near = [(r + 1, c), (r.wrapping_sub(1), c), (r, c + 1), (r, c.wrapping_sub(1))];
                todo.extend(near.into_iter().filter(|&(r, c)| r < height && c < width));
            }
            let range = |list: &[usize]| (list.iter().min().copied(), list.iter().max().copied());
            let (rs, cs): (Vec<usize>, Vec<usize>) = group.iter().map(|&(r, c, _)| (r, c)).unzip();
            let ((Some(top), Some(bottom)), (Some(left), Some(right))) = (range(&rs), range(&cs)) else {
                continue;
            };
            let mut part = vec![vec![empty; right - left + 1]; bottom - top + 1];
            group.iter().for_each(|&(r, c, letter)| part[r - top][c - left] = letter);
            parts.push(write(position.py(), &part, form)?);
        }
        Ok(Some(parts))
    }
}

fn swapped(rows: &Rows, [a, b]: [u8; 2]) -> Rows {
    let swap = |&letter: &u8| {
        if letter == a {
            b
        } else if letter == b {
            a
        } else {
            letter
        }
    };
    rows.iter().map(|row| row.iter().map(swap).collect()).collect()
}

fn mirrored(rows: &Rows) -> Rows {
    rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

fn transposed(rows: &Rows) -> Rows {
    let width = rows.first().map_or(0, Vec::len);
    (0..width).map(|c| rows.iter().map(|row| row[c]).collect()).collect()
}

fn read(position: &Bound<'_, PyAny>) -> PyResult<Option<(Rows, Form)>> {
    let (rows, form): (Rows, Form) = if let Ok(text) = position.cast::<PyString>() {
        (text.to_cow()?.split('|').map(|row| row.as_bytes().to_vec()).collect(), Form::Text)
    } else if let Ok(tuple) = position.cast::<PyTuple>() {
        let mut rows = vec![];
        for row in tuple.iter() {
            let Ok(row) = row.cast_into::<PyString>() else { return Ok(None) };
            rows.push(row.to_cow()?.as_bytes().to_vec());
        }
        (rows, Form::Tuple)
    } else {
        return Ok(None);
    };
    let is_board = rows.iter().all(|row| row.is_ascii() && row.len() == rows[0].len());
    Ok((is_board && !rows.is_empty()).then_some((rows, form)))
}

fn write<'py>(py: Python<'py>, rows: &Rows, form: Form) -> PyResult<Bound<'py, PyAny>> {
    let texts = rows.iter().map(|row| String::from_utf8_lossy(row));
    Ok(match form {
        Form::Text => PyString::new(py, &texts.collect::<Vec<_>>().join("|")).into_any(),
        Form::Tuple => PyTuple::new(py, texts.collect::<Vec<_>>())?.into_any(),
    })
}
