//! Building the table of all boards of a rectangle.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use gb_board::Codes;
use gb_rules::Sign;
use gb_value::{Budget, Halt, Value};

use crate::error::StoreError;
use crate::fact::Fact;
use crate::file::{Fields, Writer};
use crate::game::TabulatedGame;
use crate::rectangle::Rectangle;
use crate::scope::Scope;
use crate::work::{Target, Worker};

const UNKNOWN: u32 = u32::MAX;

/// All boards of a rectangle; layers are boards of equal weight.
pub(crate) struct Dense {
    name: String,
    rectangle: Rectangle,
    transpose: Option<Sign>,
    letters: usize,
    numbers: Vec<AtomicU32>,
    boards: Vec<u64>,
}

impl Dense {
    /// All boards of a rectangle; refused before anything is allocated if the budget has less memory than the list of their
    /// numbers takes.
    pub(crate) fn new(
        game: &TabulatedGame,
        rows: usize,
        cols: usize,
        budget: &Budget,
    ) -> Result<Dense, StoreError> {
        let needed = Rectangle::count(game, rows, cols)?.saturating_mul(size_of::<AtomicU32>() as u64);
        if needed > budget.max_bytes() || !budget.has_room(needed) {
            return Err(StoreError::Memory {
                holds: "the list of boards",
                what: format!("{} {}", game.name(), Scope::Boards(rows, cols)),
                needed,
                limit: budget.max_bytes(),
            });
        }
        let rectangle = Rectangle::new(game, rows, cols)?;
        let mut boards = vec![0u64; rectangle.max_weight() + 1];
        boards[0] = 1;
        for _ in 0..rows * cols {
            let before = boards.clone();
            boards.fill(0);
            for &weight in game.traits().weights {
                for (light, count) in before.iter().enumerate() {
                    if *count > 0 {
                        boards[light + usize::from(weight)] += count;
                    }
                }
            }
        }
        let count = usize::try_from(rectangle.boards()).map_err(|_| {
            StoreError::Invalid(format!("{rows}x{cols} has too many boards for this machine"))
        })?;
        Ok(Dense {
            name: game.name(),
            transpose: game.traits().transpose,
            letters: game.letters(),
            numbers: (0..count).map(|_| AtomicU32::new(UNKNOWN)).collect(),
            rectangle,
            boards,
        })
    }

    /// The number of the fact about a board of an earlier layer, if it has a place in the table.
    fn known(&self, board: &Codes, layer: usize) -> Option<u32> {
        let at = self.rectangle.number(board)?;
        if self.rectangle.weight(at) >= layer {
            return None;
        }
        match self.numbers[at as usize].load(Relaxed) {
            UNKNOWN => None,
            number => Some(number),
        }
    }

    /// The value of a board of an earlier layer, perhaps turned, in the table.
    fn known_value(&self, worker: &Worker<'_>, board: &Codes, layer: usize) -> Result<Option<Value>, Halt> {
        if let Some(number) = self.known(board, layer) {
            return Ok(worker.facts.get(number).value());
        }
        let Some(sign) = self.transpose else { return Ok(None) };
        let value = self.known(&board.transpose(), layer).and_then(|n| worker.facts.get(n).value());
        match (value, sign) {
            (Some(value), Sign::Minus) => worker.kernel.neg(value).map(Some),
            (value, _) => Ok(value),
        }
    }

    /// The fact about one board.
    fn fact(&self, worker: &mut Worker<'_>, at: u64, board: &Codes, layer: usize) -> Result<u32, StoreError> {
        let game = worker.game;
        if worker.exact {
            let mut parts = vec![];
            game.parts(board, &mut |part| parts.push(part.clone()))?;
            let whole = matches!(parts.as_slice(), [one] if self.rectangle.number(one) == Some(at));
            if !whole {
                // A sum of smaller boards; what has no place in the table is searched for.
                let mut values = vec![];
                for part in &parts {
                    values.push(match self.known_value(worker, part, layer)? {
                        Some(value) => value,
                        None => game.search(part, &worker.context)?,
                    });
                }
                let value = worker.kernel.sum(&values)?;
                return Ok(worker.facts.number(&Fact::Exact(value), &worker.kernel));
            }
        }
        match worker.expand(board, &|option| self.known(option, layer))? {
            Some(number) => Ok(number),
            // Only if the game's weights were wrong.
            None => {
                let value = game.search(board, &worker.context)?;
                Ok(worker.facts.number(&Fact::Exact(value), &worker.kernel))
            }
        }
    }

    fn representatives(&self, layer: usize, range: Range<u64>) -> impl Iterator<Item = u64> {
        range.filter(move |&at| self.rectangle.weight(at) == layer && self.rectangle.is_representative(at))
    }
}

impl Target for Dense {
    fn title(&self) -> String {
        format!("{} boards {}x{}", self.name, self.rectangle.rows, self.rectangle.cols)
    }
    fn layers(&self) -> usize {
        self.boards.len()
    }
    fn span(&self, _layer: usize) -> u64 {
        self.rectangle.boards()
    }
    fn boards(&self, layer: usize) -> u64 {
        self.boards[layer]
    }
    fn bytes(&self) -> u64 {
        size_of_val(self.numbers.as_slice()) as u64
    }

    fn find(&self, worker: &mut Worker<'_>, layer: usize, range: Range<u64>) -> Result<Vec<u32>, StoreError> {
        let mut board = Codes::default();
        self.representatives(layer, range)
            .map(|at| {
                self.rectangle.board(at, &mut board);
                worker.kernel.step()?;
                self.fact(worker, at, &board, layer)
            })
            .collect()
    }

    fn add(
        &self,
        worker: &mut Worker<'_>,
        layer: usize,
        range: Range<u64>,
        numbers: &[u32],
    ) -> Result<(), StoreError> {
        let mut numbers = numbers.iter();
        for at in self.representatives(layer, range) {
            let wrong = || StoreError::Foreign("it has fewer facts than boards".into());
            let &number = numbers.next().ok_or_else(wrong)?;
            let negative = worker.negative(number)?;
            self.rectangle.images(at, &mut |image, negated| {
                let number = if negated { negative } else { number };
                self.numbers[image as usize].store(number, Relaxed);
            });
        }
        Ok(())
    }

    fn fields(&self) -> Fields {
        let fields = [
            ("kind", "boards".to_string()),
            ("rows", self.rectangle.rows.to_string()),
            ("cols", self.rectangle.cols.to_string()),
            ("letters", self.letters.to_string()),
            ("boards", self.rectangle.boards().to_string()),
        ];
        fields.map(|(key, value)| (key.into(), value)).into()
    }

    fn write(&self, out: &mut Writer, count: usize, renumber: &[u32]) -> Result<(), StoreError> {
        let bits = bits_for(count);
        out.section("numbers")?;
        let mut packer = Packer::new(bits);
        for number in &self.numbers {
            let number = number.load(Relaxed);
            let Some(&number) = renumber.get(number as usize) else {
                return Err(StoreError::Foreign("a board was left out".into()));
            };
            packer.push(u64::from(number));
            if packer.bytes.len() >= 1 << 20 {
                out.write(&packer.bytes)?;
                packer.bytes.clear();
            }
        }
        out.write(&packer.finish())?;
        out.end_section("numbers")
    }
}

/// How many bits a number below `count` needs.
pub(crate) fn bits_for(count: usize) -> u32 {
    (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1)
}

/// Packs numbers of a fixed width, the lowest bits first.
pub(crate) struct Packer {
    bits: u32,
    word: u64,
    used: u32,
    pub(crate) bytes: Vec<u8>,
}

impl Packer {
    pub(crate) fn new(bits: u32) -> Packer {
        Packer { bits, word: 0, used: 0, bytes: vec![] }
    }

    pub(crate) fn push(&mut self, number: u64) {
        self.word |= number << self.used;
        self.used += self.bits;
        while self.used >= 8 {
            self.bytes.push(self.word as u8);
            self.word >>= 8;
            self.used -= 8;
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.used > 0 {
            self.bytes.push(self.word as u8);
        }
        self.bytes
    }
}
