//! Games of the list and of texts.

use std::sync::{Mutex, PoisonError};

use gb_board::Size;
use gb_rules::Info;
use gb_search::AnySolved;
use pyo3::prelude::*;

use crate::position::{Home, PyPosition, era};
use crate::work::{ENGINE, sentence};

/// A game of the bench.
///
/// >>> from gamebench import game
/// >>> clobber = game("clobber")
/// >>> clobber.title
/// 'Clobber'
/// >>> clobber("xo.|.ox").value()
/// Value('0')
///
/// A game may also be given by its text, as docs/games.md tells:
///
/// >>> from gamebench import Game
/// >>> steps = Game("""game steps
/// ... board strip
/// ... cells x walks right, o walks left, . empty
/// ... left:  x. -> .x
/// ... right: .o -> o.""")
/// >>> steps("x..o.").value()
/// Value('0')
#[pyclass(frozen, name = "Game", module = "gamebench")]
pub struct PyGame {
    /// What it was made of: a name, or a text.
    source: String,
    name: String,
    info: Info,
    /// The last text that was read, the game for boards of its size, and when.
    last: Mutex<Option<(String, AnySolved, u64)>>,
}

/// Whether two texts are boards of letters with the same rows and columns.
fn same_shape(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(|(x, y)| (x == b'|') == (y == b'|'))
}

impl PyGame {
    /// The game for boards as large as this, with its tables.
    fn solved(&self, text: &str) -> PyResult<AnySolved> {
        let now = era();
        if let Some((sample, solved, then)) = &*self.last.lock().unwrap_or_else(PoisonError::into_inner)
            && *then == now
            && !self.info.alphabet.is_empty()
            && same_shape(sample, text)
            && text
                .bytes()
                .all(|byte| byte == b'|' || self.info.alphabet.iter().any(|(c, _)| *c == byte as char))
        {
            return Ok(solved.clone());
        }
        let game = ENGINE.games().open(&self.name, text).map_err(|error| sentence(error.to_string()))?;
        let solved = ENGINE.solved(game);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((text.to_owned(), solved.clone(), now));
        Ok(solved)
    }

    /// Letters that stand on boards; those whose meaning is in brackets occur in parts only.
    fn letters(&self) -> Vec<char> {
        let all = self.info.alphabet.iter();
        all.filter(|(_, meaning)| !meaning.starts_with('(')).map(|&(letter, _)| letter).collect()
    }
}

#[pymethods]
impl PyGame {
    #[new]
    fn new(source: &str) -> PyResult<PyGame> {
        // What has several lines is the text of a game.
        let name = if source.contains('\n') {
            ENGINE.games().add(source).map_err(|error| sentence(error.to_string()))?
        } else {
            source.to_owned()
        };
        let game = ENGINE.games().open(&name, "1x128").map_err(|error| sentence(error.to_string()))?;
        Ok(PyGame { source: source.to_owned(), name, info: game.info(), last: Mutex::default() })
    }
    /// The name with its parameters.
    #[getter]
    fn name(&self) -> &str {
        &self.info.name
    }
    /// The name as a headline.
    #[getter]
    fn title(&self) -> &str {
        self.info.title
    }
    /// The rules in two sentences.
    #[getter]
    fn rules(&self) -> &str {
        self.info.rules
    }
    /// A position worth looking at.
    #[getter]
    fn example(&self) -> &str {
        self.info.example
    }
    /// Whether both players have the same moves.
    #[getter]
    fn impartial(&self) -> bool {
        self.info.impartial
    }
    /// Reads a position, or makes the starting position of a size such as `"4x4"`.
    fn __call__(&self, position: &str) -> PyResult<PyPosition> {
        let solved = self.solved(position)?;
        let game = solved.game();
        let at = match game.read(position) {
            Ok(at) => at,
            Err(_) => game.read_or_start(position).map_err(|error| sentence(error.to_string()))?,
        };
        Ok(PyPosition::new(at, Home::Named { solved, era: era() }, false))
    }
    /// All boards of a size such as `"2x3"` that can be written with the letters of the game, one after the other. Of a game with
    /// heaps, all heaps up to a size such as `"10"`.
    fn positions(&self, size: &str) -> PyResult<PyPositions> {
        let read = Size::read(size).map_err(|error| sentence(error.to_string()))?;
        let (rows, cols) = read.grid();
        let letters = self.letters();
        let (next, sample) = match read {
            Size::Length(most) if letters.is_empty() => (Next::Heap(0, most), size.to_owned()),
            _ if letters.is_empty() => {
                let name = self.name();
                return Err(sentence(format!("{name} is not played on grids: expected a size such as '10'")));
            }
            _ => {
                let row = letters[0].to_string().repeat(cols);
                (Next::Board(vec![0; rows * cols]), vec![row; rows].join("|"))
            }
        };
        Ok(PyPositions { solved: self.solved(&sample)?, letters, cols, next: Mutex::new(next), era: era() })
    }
    fn __repr__(&self) -> String {
        format!("game({:?})", self.info.name)
    }
    fn __eq__(&self, other: &PyGame) -> bool {
        self.info.name == other.info.name
    }
    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.info.name.hash(&mut hasher);
        hasher.finish()
    }
    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (String,)) {
        (slf.get_type().into_any().unbind(), (slf.get().source.clone(),))
    }
}

/// All boards of a size, one after the other.
#[pyclass(frozen, name = "Positions", module = "gamebench")]
pub struct PyPositions {
    solved: AnySolved,
    letters: Vec<char>,
    cols: usize,
    next: Mutex<Next>,
    era: u64,
}

/// What comes next.
enum Next {
    /// The letter of each cell, as its number.
    Board(Vec<usize>),
    /// A heap, and the largest of them.
    Heap(usize, usize),
    Nothing,
}

impl Next {
    /// The next text, and what comes after it.
    fn step(self, letters: &[char], cols: usize) -> (Option<String>, Next) {
        match self {
            Next::Nothing => (None, Next::Nothing),
            Next::Heap(heap, most) if heap > most => (None, Next::Nothing),
            Next::Heap(heap, most) => (Some(heap.to_string()), Next::Heap(heap + 1, most)),
            Next::Board(mut cells) => {
                let mut text = String::new();
                for (cell, &letter) in cells.iter().enumerate() {
                    if cell > 0 && cell % cols == 0 {
                        text.push('|');
                    }
                    text.push(letters[letter]);
                }
                // The last cell counts fastest.
                match cells.iter().rposition(|&letter| letter + 1 < letters.len()) {
                    Some(place) => {
                        cells[place] += 1;
                        cells[place + 1..].fill(0);
                        (Some(text), Next::Board(cells))
                    }
                    None => (Some(text), Next::Nothing),
                }
            }
        }
    }
}

#[pymethods]
impl PyPositions {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyPosition>> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // Of some games few of all boards are positions.
            py.check_signals()?;
            let (text, after) = std::mem::replace(&mut *next, Next::Nothing).step(&self.letters, self.cols);
            *next = after;
            let Some(text) = text else { return Ok(None) };
            if let Ok(at) = self.solved.game().read(&text) {
                let home = Home::Named { solved: self.solved.clone(), era: self.era };
                return Ok(Some(PyPosition::new(at, home, false)));
            }
        }
    }
}

/// The names of all games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    gb_games::NAMES.to_vec()
}
