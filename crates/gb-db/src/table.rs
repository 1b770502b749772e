//! A finished table, and how boards are found in it.

mod walk;

use std::num::NonZeroU32;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{OnceLock, RwLock};

use gb_board::Codes;
use gb_rules::{GridTraits, Sign, Tabulated};
use gb_value::{Halt, Kernel, Value, Words};
use rustc_hash::FxHashMap;

use crate::error::StoreError;
use crate::fact::Fact;
use crate::file::{Reader, Section};
use crate::finish::STRIDE;
use crate::game::TabulatedGame;
use crate::outcomes::Form;
use crate::parts::Key;
use crate::record::{self, Cursor, Raw, Unreadable};
use crate::rectangle::number_in;
use crate::scope::{Less, Scope};
use crate::shards::{self, Shapes};

/// So many look-ups wait for memory together.
const AT_ONCE: usize = 32;
/// Up to so many values of a table each has a place in memory, four bytes long.
const LISTED: usize = 1 << 31;

/// A table on disk. It may be read by many threads, with the kernels of one store: values that were read are remembered.
pub struct Table {
    reader: Reader,
    game: String,
    scope: Scope,
    letters: usize,
    boards: u64,
    facts: usize,
    exact: usize,
    bits: u32,
    numbers: Section,
    records: Section,
    places: Section,
    shape: Shape,
    /// Values that were read, by number; made when the first one is read.
    values: OnceLock<Values>,
    /// Up to so many values each has a place in memory.
    listed: usize,
    broken: AtomicBool,
}

enum Shape {
    Boards { powers: Vec<u64> },
    Within { form: Form, shapes: OnceLock<Shapes> },
    Parts { keys: Section, key_bytes: usize, sizes: Vec<Size> },
}

/// Values by number.
pub(crate) enum Values {
    /// Two to a word: half as many cache lines as with a flag beside each, and in large pages.
    All(Words),
    /// Where there are too many for that, those that were read.
    Read(RwLock<FxHashMap<u64, Value>>),
}

impl Values {
    /// Room for a few.
    pub(crate) fn few() -> Values {
        Values::Read(RwLock::default())
    }

    fn new(count: usize, listed: usize) -> Values {
        match count <= listed {
            true => Values::All(Words::new(count.div_ceil(2))),
            false => Values::few(),
        }
    }

    /// The value with a number, if it is known.
    #[inline]
    fn get(&self, number: u64) -> Option<Value> {
        match self {
            Values::All(words) => {
                // Whoever sees a name sees what it means.
                let word = words.get(number as usize / 2)?.load(Acquire);
                NonZeroU32::new((word >> (number % 2 * 32)) as u32).map(Value::from_bits)
            }
            Values::Read(_) => self.get_read(number),
        }
    }

    #[cold]
    fn get_read(&self, number: u64) -> Option<Value> {
        let Values::Read(values) = self else { return None };
        values.read().unwrap_or_else(|e| e.into_inner()).get(&number).copied()
    }

    /// Whoever comes second brings the same value: canonical forms have one name.
    fn set(&self, number: u64, value: Value) {
        match self {
            Values::All(words) => {
                let bits = u64::from(value.to_bits().get()) << (number % 2 * 32);
                words[number as usize / 2].fetch_or(bits, Release);
            }
            Values::Read(values) => {
                values.write().unwrap_or_else(|e| e.into_inner()).insert(number, value);
            }
        }
    }
}

/// Parts with equally many rows and columns.
struct Size {
    rows: u8,
    cols: u8,
    start: u64,
    end: u64,
}

/// Why a fact was not read.
#[derive(Debug)]
pub enum Unread {
    /// The budget ran out.
    Halt(Halt),
    /// The file is wrong.
    Damage(StoreError),
}

impl From<StoreError> for Unread {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Stopped(stop) => Unread::Halt(stop),
            error => Unread::Damage(error),
        }
    }
}

impl From<Halt> for Unread {
    fn from(stop: Halt) -> Self {
        Unread::Halt(stop)
    }
}

impl From<Unread> for StoreError {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Halt(stop) => StoreError::Stopped(stop),
            Unread::Damage(error) => error,
        }
    }
}

impl Table {
    /// Opens a table. What it says about itself is checked now, its contents when they are first read.
    pub fn open(path: &Path) -> Result<Table, StoreError> {
        Table::of(Reader::open(path)?)
    }

    pub(crate) fn of(reader: Reader) -> Result<Table, StoreError> {
        let wrong = |what: &str| StoreError::damaged(reader.path(), what);
        let size = |key: &str| Ok::<_, StoreError>(reader.number(key)? as usize);
        let (letters, boards, facts, bits) =
            (size("letters")?, reader.number("boards")?, size("facts")?, size("bits")? as u32);
        if !(2..=255).contains(&letters) || !(1..=48).contains(&bits) || facts as u64 > 1 << 48 {
            return Err(wrong("the header makes no sense"));
        }
        let numbers = reader.section("numbers")?;
        if (numbers.length as u128) < (u128::from(boards) * u128::from(bits)).div_ceil(8) {
            return Err(wrong("there are fewer numbers than boards"));
        }
        let places = reader.section("places")?;
        if places.length != facts.div_ceil(STRIDE) * 8 {
            return Err(wrong("there are fewer places than facts"));
        }
        let (scope, shape) = match reader.field("kind")? {
            "boards" => {
                let (rows, cols) = (size("rows")?, size("cols")?);
                let cells =
                    rows.checked_mul(cols).filter(|&n| n <= 64).ok_or_else(|| wrong("too many cells"))?;
                let powers: Option<Vec<u64>> =
                    (0..=cells as u32).map(|n| (letters as u64).checked_pow(n)).collect();
                let powers = powers.filter(|p| p[cells] == boards).ok_or_else(|| wrong("too few boards"))?;
                (Scope::Boards(rows, cols), Shape::Boards { powers })
            }
            "parts" => {
                let (keys, key_bytes) = (reader.section("keys")?, size("key-bytes")?);
                if !(1..=16).contains(&key_bytes)
                    || Some(keys.length as u64) != boards.checked_mul(key_bytes as u64)
                {
                    return Err(wrong("there are fewer keys than parts"));
                }
                let section = reader.section("sizes")?;
                let bytes = reader.bytes(section, 0..section.length)?;
                let mut sizes: Vec<Size> = vec![];
                for entry in bytes.chunks_exact(24) {
                    let word =
                        |at: usize| u64::from_le_bytes(entry[8 * at..][..8].try_into().unwrap_or_default());
                    let start = sizes.last().map_or(0, |size| size.end);
                    let (Ok(rows), Ok(cols)) = (u8::try_from(word(0)), u8::try_from(word(1))) else {
                        return Err(wrong("the sizes of its parts make no sense"));
                    };
                    sizes.push(Size { rows, cols, start, end: word(2) });
                }
                let ascending = sizes.iter().all(|size| size.start <= size.end);
                if !ascending || sizes.last().map_or(0, |size| size.end) != boards {
                    return Err(wrong("the sizes of its parts make no sense"));
                }
                (Scope::Parts(size("cells")?), Shape::Parts { keys, key_bytes, sizes })
            }
            shards::KIND => {
                let form =
                    Form::read(reader.field("moves")?).ok_or_else(|| wrong("its moves make no sense"))?;
                let (rows, cols) = (size("rows")?, size("cols")?);
                let scope = match reader.field("store") {
                    Err(_) => Scope::Within(rows, cols),
                    Ok(name) => {
                        let less =
                            Less::of_name(name).ok_or_else(|| wrong("what it stores makes no sense"))?;
                        Scope::Less(rows, cols, less)
                    }
                };
                (scope, Shape::Within { form, shapes: OnceLock::new() })
            }
            other => return Err(wrong(&format!("it holds `{other}`"))),
        };
        Ok(Table {
            game: reader.field("game")?.to_owned(),
            exact: size("values")?,
            records: reader.section("facts")?,
            values: OnceLock::new(),
            listed: LISTED,
            broken: AtomicBool::new(false),
            reader,
            scope,
            letters,
            boards,
            facts,
            bits,
            numbers,
            places,
            shape,
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
        self.scope
    }
    /// How many boards or parts it holds.
    pub fn boards(&self) -> u64 {
        self.boards
    }
    /// How many letters the alphabet has.
    pub fn letters(&self) -> usize {
        self.letters
    }
    /// How many distinct facts there are, options of values included.
    pub fn facts(&self) -> usize {
        self.facts
    }
    /// How many of them are values.
    pub fn exact(&self) -> usize {
        self.exact
    }

    /// Whether damage was found, so that nothing more is read.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.load(Relaxed)
    }

    /// Notes that damage was found; whether that is news.
    pub(crate) fn set_broken(&self) -> bool {
        !self.broken.swap(true, Relaxed)
    }

    /// The place of a board, and whether its value is the negative of what is there. `None` if it is not in the table.
    /// Parts must be in normal form.
    #[inline]
    pub fn place(&self, board: &Codes, traits: &GridTraits) -> Result<Option<(u64, Sign)>, StoreError> {
        match (&self.shape, self.scope) {
            (Shape::Boards { powers }, Scope::Boards(rows, cols)) => {
                if let Some(number) = number_in(board, (rows, cols), powers) {
                    return Ok(Some((number, Sign::Plus)));
                }
                let Some(sign) = traits.transpose.filter(|_| board.cols <= rows && board.rows <= cols) else {
                    return Ok(None);
                };
                Ok(number_in(&board.transpose(), (rows, cols), powers).map(|number| (number, sign)))
            }
            (Shape::Parts { .. }, _) => Ok(self.place_of_part(board)?.map(|place| (place, Sign::Plus))),
            (Shape::Within { .. }, _) => {
                let sign = |negative| if negative { Sign::Minus } else { Sign::Plus };
                Ok(self.shapes()?.place_of(board).map(|(place, negative)| (place, sign(negative))))
            }
            _ => Ok(None),
        }
    }

    /// Of a table of the parts within a rectangle: its sets, which are read when the first board is looked up.
    pub(crate) fn shapes(&self) -> Result<&Shapes, StoreError> {
        let (Shape::Within { form, shapes }, Scope::Within(rows, cols) | Scope::Less(rows, cols, _)) =
            (&self.shape, self.scope)
        else {
            return Err(self.damaged("its sets"));
        };
        if let Some(shapes) = shapes.get() {
            return Ok(shapes);
        }
        let section = self.reader.section("sets")?;
        let bytes = self.reader.bytes_once(section, 0..section.length)?;
        let sets = bytes.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
        let found = Shapes::read(rows, cols, form.clone(), sets)?;
        if found.boards() != self.boards {
            return Err(self.damaged("its sets"));
        }
        Ok(shapes.get_or_init(|| found))
    }

    /// Whether this is the game, with the moves that it had when the table was built, as far as the table says.
    pub fn is_about(&self, game: &TabulatedGame) -> bool {
        self.is_of(&game.name(), game.letters(), &game.traits(), &|| game.tabulated())
    }

    pub(crate) fn is_of(
        &self,
        name: &str,
        letters: usize,
        traits: &GridTraits,
        tabulated: &dyn Fn() -> Option<Tabulated>,
    ) -> bool {
        let same = match &self.shape {
            Shape::Within { form, .. } => Form::of_going(traits, tabulated()).as_ref() == Some(form),
            _ => true,
        };
        same && self.game == name && self.letters == letters
    }

    fn place_of_part(&self, board: &Codes) -> Result<Option<u64>, StoreError> {
        let Shape::Parts { sizes, .. } = &self.shape else { return Ok(None) };
        let Some(key) = Key::of(board, self.letters) else { return Ok(None) };
        let Some(size) = sizes.iter().find(|size| (size.rows, size.cols) == (key.rows, key.cols)) else {
            return Ok(None);
        };
        let (mut low, mut high) = (size.start, size.end);
        while low < high {
            let middle = low.midpoint(high);
            match self.key(middle)?.cmp(&key.number) {
                std::cmp::Ordering::Equal => return Ok(Some(middle)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    fn key(&self, place: u64) -> Result<u128, StoreError> {
        let Shape::Parts { keys, key_bytes, .. } = &self.shape else { return Ok(0) };
        let at = place as usize * key_bytes;
        let mut number = [0; 16];
        self.reader.copy(*keys, at, &mut number[..*key_bytes])?;
        Ok(u128::from_le_bytes(number))
    }

    /// The board at a place.
    pub fn board(&self, place: u64) -> Result<Codes, StoreError> {
        match (&self.shape, self.scope) {
            (Shape::Parts { sizes, .. }, _) => {
                let Some(size) = sizes.iter().find(|size| place < size.end) else {
                    return Ok(Codes::default());
                };
                let key = Key { rows: size.rows, cols: size.cols, number: self.key(place)? };
                Ok(key.board(self.letters))
            }
            (Shape::Within { .. }, _) => Ok(self.shapes()?.board(place)),
            (Shape::Boards { .. }, Scope::Boards(rows, cols)) => {
                let key = Key { rows: rows as u8, cols: cols as u8, number: u128::from(place) };
                Ok(key.board(self.letters))
            }
            _ => Ok(Codes::default()),
        }
    }

    /// Of a table of parts: rows and columns of the frames there are, and where the parts with each of them are.
    pub fn frames(&self) -> Vec<((usize, usize), Range<u64>)> {
        match &self.shape {
            Shape::Boards { .. } | Shape::Within { .. } => vec![],
            Shape::Parts { sizes, .. } => sizes
                .iter()
                .map(|size| ((usize::from(size.rows), usize::from(size.cols)), size.start..size.end))
                .collect(),
        }
    }

    /// The number of the fact about the board at a place.
    #[inline]
    pub fn number(&self, place: u64) -> Result<u64, StoreError> {
        self.reader.bits(self.numbers, place as usize * self.bits as usize, self.bits)
    }

    /// From now on places in memory are for tables with at most so many values, so that a test can do without.
    #[cfg(test)]
    pub(crate) fn list_at_most(&mut self, values: usize) {
        self.listed = values;
    }

    /// Where the records of a group of facts begin.
    fn place_of_group(&self, group: usize) -> Result<usize, StoreError> {
        if group * 8 >= self.places.length {
            return Ok(self.records.length);
        }
        let mut bytes = [0; 8];
        self.reader.copy(self.places, group * 8, &mut bytes)?;
        Ok(u64::from_le_bytes(bytes) as usize)
    }

    /// The record of a fact; of what is read for it nothing is kept in memory unless `keep` says so.
    fn record(&self, number: u64, keep: bool, kernel: &Kernel<'_>) -> Result<Raw, Unread> {
        let group = number as usize / STRIDE;
        let (start, end) = (self.place_of_group(group)?, self.place_of_group(group + 1)?);
        if start > end || end > self.records.length {
            return Err(self.damaged("the places of facts").into());
        }
        let bytes = match keep {
            true => self.reader.bytes(self.records, start..end)?,
            false => self.reader.bytes_once(self.records, start..end)?,
        };
        let mut cursor = Cursor(&bytes);
        for _ in 0..number as usize % STRIDE {
            record::skip(&mut cursor).ok_or_else(|| self.damaged("the facts"))?;
        }
        record::read(&mut cursor, kernel).map_err(|error| self.unreadable(error))
    }

    fn damaged(&self, what: &str) -> StoreError {
        StoreError::damaged(self.path(), format!("{what} make no sense"))
    }

    fn unreadable(&self, error: Unreadable) -> Unread {
        match error {
            Unreadable::Halt(stop) => Unread::Halt(stop),
            Unreadable::Wrong => Unread::Damage(self.damaged("the facts")),
        }
    }

    #[inline]
    fn values(&self) -> &Values {
        self.values.get_or_init(|| Values::new(self.facts, self.listed))
    }

    /// The fact with a number.
    pub fn fact(&self, number: u64, kernel: &Kernel<'_>) -> Result<Fact, Unread> {
        self.fact_in(self.values(), number, true, kernel)
    }

    /// The fact with a number, given the values that are known so far; those it is made of are added to them.
    fn fact_in(&self, values: &Values, number: u64, keep: bool, kernel: &Kernel<'_>) -> Result<Fact, Unread> {
        if number as usize >= self.facts {
            return Err(self.damaged("the numbers of facts").into());
        }
        if let Some(value) = values.get(number) {
            return Ok(Fact::Exact(value));
        }
        // Options first, without recursion: they have smaller numbers.
        let mut stack = vec![number];
        while let Some(&top) = stack.last() {
            if values.get(top).is_some() {
                stack.pop();
                continue;
            }
            let raw = self.record(top, keep, kernel)?;
            let before = stack.len();
            for needed in raw.needed() {
                if needed >= top {
                    return Err(self.damaged("the options of values").into());
                }
                if values.get(needed).is_none() {
                    stack.push(needed);
                }
            }
            if stack.len() > before {
                continue;
            }
            match raw.fact(|n| values.get(n), kernel).map_err(|error| self.unreadable(error))? {
                Fact::Exact(value) => values.set(top, value),
                partial if top == number => return Ok(partial),
                Fact::Partial(_) => return Err(self.damaged("the options of values").into()),
            }
            stack.pop();
        }
        values.get(number).map(Fact::Exact).ok_or_else(|| self.damaged("the facts").into())
    }

    /// The fact about the board at a place.
    #[inline]
    pub fn fact_at(&self, place: u64, kernel: &Kernel<'_>) -> Result<Fact, Unread> {
        self.fact(self.number(place)?, kernel)
    }

    /// The value of the board at a place, if the table has it.
    #[inline]
    pub fn value_at(&self, place: u64, kernel: &Kernel<'_>) -> Result<Option<Value>, Unread> {
        let number = self.number(place)?;
        match self.values().get(number) {
            Some(value) => Ok(Some(value)),
            None => Ok(self.fact(number, kernel)?.value()),
        }
    }

    /// The values of the boards at many places, in their order, as [`value_at`](Table::value_at) gives them one by one. The
    /// processor waits for the memory of many at once.
    pub fn values_at(
        &self,
        places: &[u64],
        kernel: &Kernel<'_>,
        found: &mut Vec<Option<Value>>,
    ) -> Result<(), Unread> {
        let values = self.values();
        found.reserve(places.len());
        for places in places.chunks(AT_ONCE) {
            // One short loop for each kind of memory.
            let mut numbers = [0; AT_ONCE];
            for (number, &place) in numbers.iter_mut().zip(places) {
                *number = self.number(place)?;
            }
            let start = found.len();
            found.extend(numbers[..places.len()].iter().map(|&number| values.get(number)));
            for (found, &number) in found[start..].iter_mut().zip(&numbers) {
                if found.is_none() {
                    *found = self.fact(number, kernel)?.value();
                }
            }
        }
        Ok(())
    }

    /// Checks every block of the file.
    pub fn check(&self) -> Result<(), StoreError> {
        self.reader.check_all()
    }
}
