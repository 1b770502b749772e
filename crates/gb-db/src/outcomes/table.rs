//! A finished table of outcomes, and how boards are found in it.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use gb_board::Codes;
use gb_rules::{ComingRule, GridTraits, Sign, Tabulated};
use gb_value::Outcome;

use super::flat::FlatForm;
use super::sets::{Form, Index, Sets};
use super::truth;
use crate::error::StoreError;
use crate::file::{Fields, Reader, Section};
use crate::game::TabulatedGame;
use crate::scope::Scope;

/// How a file with outcomes calls what it holds.
pub(crate) const KIND: &str = "outcomes";

/// Bytes of a table that are kept in memory at most: a large one is longer than the memory of many machines.
const KEPT: usize = 1 << 30;

/// So many look-ups wait for memory together.
const AT_ONCE: usize = 32;

/// Boards by outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcomes {
    /// Left wins, whoever begins.
    pub left: u64,
    /// Right wins, whoever begins. In games of two colours these are as many: those with the colours exchanged.
    pub right: u64,
    /// Who begins wins.
    pub next: u64,
    /// Who begins loses.
    pub previous: u64,
}

impl Outcomes {
    /// All of them.
    pub fn boards(&self) -> u64 {
        self.left + self.right + self.next + self.previous
    }
}

/// Boards by outcome, for every number of stones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tally(Vec<Outcomes>);

impl Tally {
    pub(super) fn new(cells: usize) -> Tally {
        Tally(vec![Outcomes::default(); cells + 1])
    }

    pub(super) fn add(&mut self, other: &Tally) {
        for (sum, more) in self.0.iter_mut().zip(&other.0) {
            sum.left += more.left;
            sum.right += more.right;
            sum.next += more.next;
            sum.previous += more.previous;
        }
    }

    /// Counts the boards of a set, of its images, and of all that have idle stones besides: where Left wins if she begins, and
    /// where she does if Right begins.
    pub(super) fn count(&mut self, sets: &Sets, set: u32, first: &[u64], second: &[u64]) {
        let size = set.count_ones() as usize;
        let repeated = truth::INNER.saturating_sub(size);
        let ones = |word: u64| u64::from(word.count_ones());
        let wins = first.iter().map(|&word| ones(word)).sum::<u64>() >> repeated;
        let left =
            first.iter().zip(second).map(|(first, second)| ones(first & second)).sum::<u64>() >> repeated;
        let next = wins - left;
        let previous = (1 << size) - 2 * left - next;
        let mut images = sets.images(set);
        images.sort_unstable();
        let images = 1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        for (idle, ways) in sets.idle_cells(set).into_iter().enumerate().filter(|(_, ways)| *ways > 0) {
            let times = (images * ways) << idle;
            let sum = &mut self.0[size + idle];
            sum.left += times * left;
            sum.right += times * left;
            sum.next += times * next;
            sum.previous += times * previous;
        }
    }

    /// Whether every board was counted.
    pub(super) fn is_complete(&self, cells: usize) -> bool {
        let mut expected = 1u64;
        (0..=cells).all(|stones| {
            let right = self.0[stones].boards() == expected;
            expected = (u128::from(expected) * 2 * (cells - stones) as u128 / (stones as u128 + 1)) as u64;
            right
        })
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let numbers = self.0.iter().flat_map(|found| [found.left, found.next, found.previous]);
        bytes.extend(numbers.flat_map(u64::to_le_bytes));
    }

    pub(super) fn read(bytes: &[u8]) -> Tally {
        let numbers: Vec<u64> =
            bytes.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight)).collect();
        let one = |three: &[u64; 3]| Outcomes {
            left: three[0],
            right: three[0],
            next: three[1],
            previous: three[2],
        };
        Tally(numbers.as_chunks::<3>().0.iter().map(one).collect())
    }
}

/// What the header of a table says.
pub(super) fn fields(game: &str, form: &Form, sets: &Sets, tally: &Tally) -> Fields {
    let order: Vec<String> = sets.place_of.iter().map(u8::to_string).collect();
    let mut fields: Fields = [
        ("kind", KIND.to_owned()),
        ("game", game.to_owned()),
        ("rows", sets.rows.to_string()),
        ("cols", sets.cols.to_string()),
        ("boards", 3u64.pow(sets.cells as u32).to_string()),
        ("moves", form.text()),
        ("cells", order.join(" ")),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    for (stones, Outcomes { left, next, previous, .. }) in tally.0.iter().enumerate() {
        fields.insert(format!("stones-{stones:02}"), format!("{left} {next} {previous}"));
    }
    fields
}

/// Who wins every board of a rectangle, on disk. It may be read by many threads.
pub struct OutcomeTable {
    reader: Reader,
    game: String,
    rows: usize,
    cols: usize,
    boards: u64,
    body: Body,
    tally: Tally,
    broken: AtomicBool,
}

/// How boards are stored.
enum Body {
    /// Blocks of sets with two colours.
    Blocks {
        form: Form,
        blocks: Section,
        /// Made when the first board is looked up.
        found: OnceLock<Box<(Sets, Index)>>,
    },
    /// Two bits for every set.
    Flat { form: FlatForm, wins: [Section; 2] },
}

impl OutcomeTable {
    /// Opens a table. What it says about itself is checked now, its contents when they are first read.
    pub fn open(path: &Path) -> Result<OutcomeTable, StoreError> {
        OutcomeTable::of(Reader::open(path)?)
    }

    pub(crate) fn of(mut reader: Reader) -> Result<OutcomeTable, StoreError> {
        reader.keep_at_most(KEPT);
        let wrong = |what: &str| StoreError::damaged(reader.path(), what);
        if reader.field("kind")? != KIND {
            return Err(wrong("it holds no outcomes"));
        }
        let (rows, cols, boards) =
            (reader.number("rows")? as usize, reader.number("cols")? as usize, reader.number("boards")?);
        let moves = reader.field("moves")?;
        let flat = FlatForm::read(moves);
        let base = if flat.is_some() { 2u64 } else { 3 };
        let cells = rows.checked_mul(cols).filter(|cells| (1..=30).contains(cells));
        let cells = cells
            .filter(|&cells| base.pow(cells as u32) == boards)
            .ok_or_else(|| wrong("its size makes no sense"))?;
        let counts = |number: usize| {
            let name = if flat.is_some() { "empty" } else { "stones" };
            let line = reader.field(&format!("{name}-{number:02}"))?;
            let numbers: Option<Vec<u64>> = line.split(' ').map(|number| number.parse().ok()).collect();
            match numbers.as_deref() {
                Some(&[left, next, previous]) => Ok(Outcomes { left, right: left, next, previous }),
                Some(&[left, right, next, previous]) => Ok(Outcomes { left, right, next, previous }),
                _ => Err(wrong("its counts make no sense")),
            }
        };
        let tally = Tally((0..=cells).map(counts).collect::<Result<_, StoreError>>()?);
        let body = match flat {
            Some(form) => {
                let wins = [reader.section("left")?, reader.section("right")?];
                if wins.iter().any(|section| section.length != 8 * truth::words(cells)) {
                    return Err(wrong("there are fewer bits than boards"));
                }
                Body::Flat { form, wins }
            }
            None => {
                let form = Form::read(moves).ok_or_else(|| wrong("its moves make no sense"))?;
                Body::Blocks { form, blocks: reader.section("blocks")?, found: OnceLock::new() }
            }
        };
        Ok(OutcomeTable {
            game: reader.field("game")?.to_owned(),
            broken: AtomicBool::new(false),
            reader,
            rows,
            cols,
            boards,
            body,
            tally,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.reader.path()
    }
    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.reader.len()
    }
    /// The name of the game with its parameters.
    pub fn game(&self) -> &str {
        &self.game
    }
    /// What the table is about.
    pub fn scope(&self) -> Scope {
        Scope::Outcomes(self.rows, self.cols)
    }
    /// How many boards it is about.
    pub fn boards(&self) -> u64 {
        self.boards
    }
    /// Boards by outcome, for every number of stones; in games in which cells are filled, of empty cells.
    pub fn layers(&self) -> &[Outcomes] {
        &self.tally.0
    }

    /// Whether this is the game, with the moves that it had when the table was built.
    pub fn is_about(&self, game: &TabulatedGame) -> bool {
        self.is_of(&game.name(), &game.traits(), &|| game.tabulated())
    }

    /// What the layers are numbers of: `stones`, or `empty` cells.
    pub fn layer_name(&self) -> &'static str {
        match self.body {
            Body::Blocks { .. } => "stones",
            Body::Flat { .. } => "empty",
        }
    }

    pub(crate) fn is_of(
        &self,
        name: &str,
        traits: &GridTraits,
        tabulated: &dyn Fn() -> Option<Tabulated>,
    ) -> bool {
        name == self.game
            && match (&self.body, tabulated()) {
                (Body::Flat { form, .. }, Some(Tabulated::Filling(filling))) => {
                    FlatForm::of(traits, &filling) == *form
                }
                (Body::Flat { .. }, _) => false,
                (Body::Blocks { form, .. }, tabulated) => Form::of(traits, tabulated).as_ref() == Some(form),
            }
    }

    /// Whether damage was found, so that nothing more is read.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.load(Relaxed)
    }

    /// Notes that damage was found; whether that is news.
    pub(crate) fn set_broken(&self) -> bool {
        !self.broken.swap(true, Relaxed)
    }

    fn found(&self) -> Result<(&Form, &Section, &(Sets, Index)), StoreError> {
        let wrong = || StoreError::damaged(self.path(), "the list of its sets makes no sense");
        let Body::Blocks { form, blocks, found } = &self.body else { return Err(wrong()) };
        if let Some(found) = found.get() {
            return Ok((form, blocks, found));
        }
        let sets = Sets::new(self.rows, self.cols, form)?;
        let order: Vec<String> = sets.place_of.iter().map(u8::to_string).collect();
        if self.reader.field("cells")? != order.join(" ") {
            return Err(wrong());
        }
        let section = self.reader.section("sets")?;
        let bytes = self.reader.bytes(section, 0..section.length)?;
        let words: Vec<u64> =
            bytes.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight)).collect();
        let index = Index::read(&sets, &words).ok_or_else(wrong)?;
        if 8 * index.words() != blocks.length as u64 {
            return Err(wrong());
        }
        Ok((form, blocks, found.get_or_init(|| Box::new((sets, index)))))
    }

    /// A board as sets of cells, for [`outcome_of`](OutcomeTable::outcome_of): where stones are, and where Left's are; in games in which cells are filled,
    /// where empty cells are, and 1 if the players are exchanged. `None` if it is not in the table: if it does not fit into the rectangle, as it
    /// is or, where that is known, lying on its side; and, where stones come, if it is smaller, or has cells that are neither empty nor a stone.
    pub fn sets_of(&self, board: &Codes) -> Result<Option<(u32, u32)>, StoreError> {
        let fits = |rows: usize, cols: usize| rows <= self.rows && cols <= self.cols;
        let turned = !fits(board.rows, board.cols);
        if turned && !fits(board.cols, board.rows) {
            return Ok(None);
        }
        let place = |place: usize| {
            let (row, col) = (place / board.cols, place % board.cols);
            if turned { (col, row) } else { (row, col) }
        };
        if let Body::Flat { form, .. } = &self.body {
            let exchanged = match (turned, form.transpose) {
                (true, None) => return Ok(None),
                (true, Some(sign)) => u32::from(sign == Sign::Minus),
                (false, _) => 0,
            };
            let empty =
                board.cells.iter().enumerate().filter(|(_, code)| **code != 0).map(|(at, _)| place(at));
            return Ok(Some((
                empty.fold(0, |set, (row, col)| set | 1 << (row * self.cols + col)),
                exchanged,
            )));
        }
        let (form, _, (sets, _)) = self.found()?;
        if turned && !form.turns() {
            return Ok(None);
        }
        let [nothing, own, other] = form.coming.as_ref().map_or([0, 1, 2], |coming| coming.letters);
        if form.coming.is_some() && board.cells.len() != self.rows * self.cols {
            return Ok(None);
        }
        let (mut stones, mut left) = (0, 0);
        for (at, &code) in board.cells.iter().enumerate().filter(|(_, code)| **code != nothing) {
            if code != own && code != other {
                return Ok(None);
            }
            let (row, col) = place(at);
            let cell = sets.cell_at(row, col);
            stones |= 1 << cell;
            left |= u32::from(code == own) << cell;
        }
        Ok(Some((stones, left)))
    }

    /// The board with these sets, as [`sets_of`](OutcomeTable::sets_of) has them.
    pub fn board(&self, stones: u32, left: u32) -> Result<Codes, StoreError> {
        let mut board = Codes::blank(self.rows, self.cols);
        if let Body::Flat { .. } = self.body {
            board.cells.iter_mut().enumerate().for_each(|(cell, code)| *code = (stones >> cell & 1) as u8);
            return Ok(board);
        }
        let (form, _, (sets, _)) = self.found()?;
        let [nothing, own, other] = form.coming.as_ref().map_or([0, 1, 2], |coming| coming.letters);
        for (cell, &place) in sets.place_of.iter().enumerate() {
            let code = if left >> cell & 1 == 1 { own } else { other };
            board.cells[usize::from(place)] = if stones >> cell & 1 == 1 { code } else { nothing };
        }
        Ok(board)
    }

    /// The sets of a board drawn by lot; `below` gives a random number below its argument.
    pub(super) fn draw(&self, below: &mut dyn FnMut(usize) -> usize) -> (u32, u32) {
        let (mut stones, mut left) = (0, 0);
        for cell in 0..self.rows * self.cols {
            match self.body {
                Body::Flat { .. } => stones |= (below(2) as u32) << cell,
                Body::Blocks { .. } => {
                    let code = below(3) as u32;
                    stones |= u32::from(code != 0) << cell;
                    left |= u32::from(code == 1) << cell;
                }
            }
        }
        (stones, left)
    }

    /// Who wins the board with these sets, as [`sets_of`](OutcomeTable::sets_of) has them.
    #[inline]
    pub fn outcome_of(&self, stones: u32, left: u32) -> Result<Outcome, StoreError> {
        if let Body::Flat { wins, .. } = &self.body {
            const BY_BITS: [Outcome; 4] = [Outcome::P, Outcome::R, Outcome::L, Outcome::N];
            let [own, other] = if left == 0 { *wins } else { [wins[1], wins[0]] };
            let own = self.reader.bits(own, stones as usize, 1)?;
            return Ok(BY_BITS[(2 * own + self.reader.bits(other, stones as usize, 1)?) as usize]);
        }
        let (_, blocks, (sets, index)) = self.found()?;
        if sets.coming == Some(ComingRule::GroupsBreathe) && !sets.breathe(stones, left) {
            return Ok(Outcome::P);
        }
        let [bit, turned] = self.places((sets, index), stones, left)?;
        self.outcome_at(*blocks, bit, turned)
    }

    /// Who wins these boards, in their order, as [`outcome_of`](OutcomeTable::outcome_of) says one by one. The processor waits for the
    /// memory of many at once.
    pub fn outcomes_of(&self, boards: &[(u32, u32)], found: &mut Vec<Outcome>) -> Result<(), StoreError> {
        found.reserve(boards.len());
        let one_by_one = match &self.body {
            Body::Flat { .. } => true,
            Body::Blocks { form, .. } => form.coming.is_some(),
        };
        if one_by_one {
            for &(stones, left) in boards {
                found.push(self.outcome_of(stones, left)?);
            }
            return Ok(());
        }
        let (_, blocks, (sets, index)) = self.found()?;
        for boards in boards.chunks(AT_ONCE) {
            let mut places = [[0; 2]; AT_ONCE];
            for (place, &(stones, left)) in places.iter_mut().zip(boards) {
                *place = self.places((sets, index), stones, left)?;
            }
            for [bit, turned] in &places[..boards.len()] {
                found.push(self.outcome_at(*blocks, *bit, *turned)?);
            }
        }
        Ok(())
    }

    #[inline]
    fn outcome_at(&self, blocks: Section, bit: usize, turned: usize) -> Result<Outcome, StoreError> {
        const BY_BITS: [Outcome; 4] = [Outcome::N, Outcome::R, Outcome::L, Outcome::P];
        let second = self.reader.bits(blocks, bit, 1)?;
        let other = self.reader.bits(blocks, turned, 1)?;
        Ok(BY_BITS[(2 * second + other) as usize])
    }

    /// The bits about a board, and about the board with the colours exchanged, which turns every variable round and exchanges the players.
    #[inline]
    fn places(
        &self,
        (sets, index): (&Sets, &Index),
        stones: u32,
        left: u32,
    ) -> Result<[usize; 2], StoreError> {
        let active = sets.active(stones);
        let (least, number) = sets.least(active);
        let wrong = || StoreError::damaged(self.path(), "a board is not where it should be");
        let (place, size) = (index.place(sets, least).ok_or_else(wrong)?, least.count_ones());
        let start = index.start(size as usize) as usize + place as usize * truth::words(size as usize);
        let bit = extract(sets.image(left & active, number), least);
        Ok([bit, bit ^ ((1 << size) - 1)].map(|bit| 64 * start + bit))
    }

    /// Checks every block of the file.
    pub fn check(&self) -> Result<(), StoreError> {
        self.reader.check_all()
    }
}

/// The bits of a number at these places, side by side.
#[inline]
fn extract(bits: u32, places: u32) -> usize {
    // Six at a time.
    const STEP: usize = 6;
    static TABLE: [[u8; 1 << STEP]; 1 << STEP] = {
        let mut table = [[0; 1 << STEP]; 1 << STEP];
        let mut places = 0;
        while places < 1 << STEP {
            let mut bits = 0;
            while bits < 1 << STEP {
                let (mut at, mut count) = (0, 0);
                while at < STEP {
                    if places >> at & 1 == 1 {
                        table[places][bits] |= ((bits >> at & 1) << count) as u8;
                        count += 1;
                    }
                    at += 1;
                }
                bits += 1;
            }
            places += 1;
        }
        table
    };
    const MASK: u32 = (1 << STEP) - 1;
    let (mut found, mut count) = (0, 0);
    for step in 0..5 {
        let (bits, places) = (bits >> (step * STEP) & MASK, places >> (step * STEP) & MASK);
        found |= usize::from(TABLE[places as usize][bits as usize]) << count;
        count += places.count_ones();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::extract;
    use gb_board::Random;

    #[test]
    fn bits_are_taken_one_by_one() {
        let mut random = Random::new(5, 0);
        for _ in 0..1000 {
            let (bits, places) = (random.next() as u32 >> 2, random.next() as u32 >> 2);
            let (mut expected, mut count) = (0, 0);
            for at in (0..30).filter(|at| places >> at & 1 == 1) {
                expected |= ((bits >> at & 1) as usize) << count;
                count += 1;
            }
            assert_eq!(extract(bits, places), expected);
        }
    }
}
