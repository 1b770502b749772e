//! What is in a table: how many boards have which kinds of values.

use std::collections::{BTreeMap, HashMap};

use gb_board::{Codes, sort_by, sort_by_key};
use gb_rules::Player;
use gb_value::text::Style;
use gb_value::{Dyadic, Halt, Kernel, Kind, Outcome, ValueError};

use crate::error::StoreError;
use crate::fact::Fact;
use crate::game::TabulatedGame;
use crate::rectangle::Rectangle;
use crate::scope::Scope;
use crate::table::Table;

/// Boards with something in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// What they have in common.
    pub name: String,
    /// How many there are.
    pub boards: u64,
    /// How many distinct values they have.
    pub distinct: u64,
    /// One of them.
    pub example: String,
}

/// What is in a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Boards.
    pub boards: u64,
    /// Boards whose value is known.
    pub exact: u64,
    /// Distinct values of boards.
    pub distinct: u64,
    /// Boards by outcome.
    pub outcomes: Vec<Count>,
    /// Boards by the kind of their value.
    pub kinds: Vec<Count>,
    /// Boards whose value is all-small, and boards whose value is infinitesimal, whatever its kind.
    pub small: Vec<Count>,
    /// Nimbers, ups, tinies and minies one by one.
    pub named: Vec<Count>,
    /// The highest temperatures, the highest first.
    pub temperatures: Vec<Count>,
    /// The most frequent values, the most frequent first.
    pub frequent: Vec<Count>,
    /// Parts by their number of cells, in tables of parts.
    pub cells: Vec<Count>,
}

impl Stats {
    /// The lists of counts, each with its name.
    pub fn lists(&self) -> [(&'static str, &[Count]); 7] {
        [
            ("outcomes", &self.outcomes),
            ("kinds", &self.kinds),
            ("small", &self.small),
            ("named", &self.named),
            ("temperatures", &self.temperatures),
            ("frequent", &self.frequent),
            ("cells", &self.cells),
        ]
    }
}

/// What a rectangle within a table of boards holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SizeStats {
    /// Rows and columns.
    pub size: (usize, usize),
    /// All boards of this size.
    pub boards: u64,
    /// Boards whose value is known.
    pub exact: u64,
    /// Distinct values of boards.
    pub distinct: u64,
    /// Boards that are a multiple of up plus a nimber.
    pub up_stars: u64,
    /// Boards that are that, and all of whose followers are.
    pub all_up_stars: u64,
    /// Boards that are a single part which fills the rectangle.
    pub whole: u64,
    /// And how many of them are a multiple of up plus a nimber.
    pub whole_up_stars: u64,
    /// And how many of them are that with all their followers.
    pub whole_all_up_stars: u64,
}

/// How long the lists are that show the most frequent, or the highest.
const LISTED: usize = 20;

#[derive(Default)]
struct Tally {
    boards: u64,
    distinct: u64,
    example: u64,
}

impl Tally {
    fn add(&mut self, boards: u64, example: u64) {
        if self.boards == 0 || example < self.example {
            self.example = example;
        }
        self.boards += boards;
        self.distinct += 1;
    }
}

/// Counts what is in a table.
pub fn stats(table: &Table, game: &TabulatedGame, kernel: &Kernel<'_>) -> Result<Stats, StoreError> {
    if table.facts() as u64 > 1 << 32 {
        let what =
            "a table with more than 2^32 facts is too large to be counted: sixteen bytes are held for each";
        return Err(StoreError::Invalid(what.into()));
    }
    let mut boards = vec![0u64; table.facts()];
    let mut first = vec![u64::MAX; table.facts()];
    let mut cells: BTreeMap<usize, Tally> = BTreeMap::new();
    for place in 0..table.boards() {
        let number = table.number(place)? as usize;
        let count = boards.get_mut(number).ok_or_else(|| wrong_number(table))?;
        *count += 1;
        first[number] = first[number].min(place);
        if let Scope::Parts(_) | Scope::Within(..) | Scope::Less(..) = table.scope() {
            let size = table.board(place)?.cells.iter().filter(|&&c| c != 0).count();
            cells.entry(size).or_default().add(1, place);
        }
    }
    let mut kinds: HashMap<Kind, Tally> = HashMap::new();
    let (mut outcomes, mut small): (BTreeMap<String, Tally>, BTreeMap<&str, Tally>) = Default::default();
    let mut named: BTreeMap<(Named, String), Tally> = BTreeMap::new();
    let mut temperatures: BTreeMap<Dyadic, Tally> = BTreeMap::new();
    let (mut exact, mut distinct) = (0, 0);
    for (number, (&count, &example)) in boards.iter().zip(&first).enumerate().filter(|(_, (n, _))| **n > 0) {
        let fact = table.fact(number as u64, kernel)?;
        let (outcome, temperature) = match &fact {
            Fact::Exact(value) => (kernel.outcome(*value)?, temperature_of(kernel, *value)?),
            Fact::Partial(partial) => (partial.outcome, partial.thermograph.temperature()),
        };
        outcomes.entry(outcome_name(outcome).into()).or_default().add(count, example);
        temperatures.entry(temperature).or_default().add(count, example);
        let Fact::Exact(value) = fact else { continue };
        exact += count;
        distinct += 1;
        let kind = kernel.kind(value)?;
        kinds.entry(kind).or_default().add(count, example);
        if kernel.is_all_small(value) {
            small.entry("all-small").or_default().add(count, example);
        }
        if kernel.is_infinitesimal(value) {
            small.entry("infinitesimal").or_default().add(count, example);
        }
        let section = match kind {
            Kind::Nimber => Some(Named::Nimber),
            Kind::UpStar => Some(Named::UpStar),
            Kind::Tiny => Some(Named::Tiny),
            Kind::Miny => Some(Named::Miny),
            _ => None,
        };
        if let Some(section) = section {
            named.entry((section, text_of(kernel, value)?)).or_default().add(count, example);
        }
    }
    let list = |name: String, tally: &Tally| -> Result<Count, StoreError> {
        let example = game.show(&table.board(tally.example)?);
        Ok(Count { name, boards: tally.boards, distinct: tally.distinct, example })
    };
    let mut kinds: Vec<Count> =
        kinds.iter().map(|(k, tally)| list(k.to_string(), tally)).collect::<Result<_, _>>()?;
    sort_by(&mut kinds, |a, b| (b.boards, &a.name).cmp(&(a.boards, &b.name)));
    let mut by_count: Vec<usize> = (0..boards.len()).filter(|&n| boards[n] > 0).collect();
    sort_by_key(&mut by_count, |&n| std::cmp::Reverse(boards[n]));
    let mut frequent = vec![];
    for &number in by_count.iter().take(LISTED) {
        let name = match table.fact(number as u64, kernel)? {
            Fact::Exact(value) => text_of(kernel, value)?,
            Fact::Partial(_) => "(value not known)".into(),
        };
        frequent.push(list(name, &Tally { boards: boards[number], distinct: 1, example: first[number] })?);
    }
    Ok(Stats {
        boards: table.boards(),
        exact,
        distinct,
        outcomes: outcomes.iter().map(|(n, t)| list(n.clone(), t)).collect::<Result<_, _>>()?,
        kinds,
        small: small.iter().map(|(n, t)| list((*n).into(), t)).collect::<Result<_, _>>()?,
        named: named.iter().map(|((_, n), t)| list(n.clone(), t)).collect::<Result<_, _>>()?,
        temperatures: temperatures
            .iter()
            .rev()
            .take(LISTED)
            .map(|(n, t)| list(n.to_string(), t))
            .collect::<Result<_, _>>()?,
        frequent,
        cells: cells.iter().map(|(n, t)| list(n.to_string(), t)).collect::<Result<_, _>>()?,
    })
}

/// The order in which values with names are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Nimber,
    UpStar,
    Tiny,
    Miny,
}

fn wrong_number(table: &Table) -> StoreError {
    StoreError::damaged(table.path(), "a board has a fact that is not there")
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::L => "Left wins",
        Outcome::R => "Right wins",
        Outcome::N => "the first player wins",
        Outcome::P => "the second player wins",
    }
}

fn temperature_of(kernel: &Kernel<'_>, value: gb_value::Value) -> Result<Dyadic, StoreError> {
    kernel.temperature(value).map_err(|error| match error {
        ValueError::Halt(stop) => StoreError::Stopped(stop),
        error => StoreError::Invalid(error.to_string()),
    })
}

fn text_of(kernel: &Kernel<'_>, value: gb_value::Value) -> Result<String, Halt> {
    Ok(kernel.show(value, &Style::default())?.text)
}

/// Counts all rectangles in the corner of a table of boards, with at least as many columns as rows.
pub fn size_stats(
    table: &Table,
    game: &TabulatedGame,
    kernel: &Kernel<'_>,
) -> Result<Vec<SizeStats>, StoreError> {
    let Scope::Boards(rows, cols) = table.scope() else {
        return Err(StoreError::Invalid("only tables of boards hold boards of several sizes".into()));
    };
    let rectangle = Rectangle::new(game, rows, cols)?;
    let (mut up_star, mut exact) = (vec![false; table.facts()], vec![false; table.facts()]);
    for number in 0..table.facts() {
        if let Fact::Exact(value) = table.fact(number as u64, kernel)? {
            exact[number] = true;
            up_star[number] =
                matches!(kernel.as_number_up_star(value), Some(parts) if parts.number.is_zero());
        }
    }
    let solved = all_up_stars(table, game, &rectangle, &up_star)?;
    let mut found = vec![];
    for r in 1..=rows {
        for c in r.max(1)..=cols {
            found.push(count_size(table, game, (r, c), &rectangle, (&exact, &up_star, &solved))?);
        }
    }
    Ok(found)
}

/// The boards that are multiples of up plus nimbers, with all their followers.
fn all_up_stars(
    table: &Table,
    game: &TabulatedGame,
    rectangle: &Rectangle,
    up_star: &[bool],
) -> Result<Vec<bool>, StoreError> {
    let mut solved = vec![false; table.boards() as usize];
    let mut board = Codes::default();
    for layer in 0..=rectangle.max_weight() {
        for at in 0..table.boards() {
            if rectangle.weight(at) != layer || !rectangle.is_representative(at) {
                continue;
            }
            let mut all = *up_star.get(table.number(at)? as usize).ok_or_else(|| wrong_number(table))?;
            if all {
                rectangle.board(at, &mut board);
                for who in Player::BOTH {
                    game.options(&board, who, &mut |option| {
                        all &= rectangle.number(option).is_some_and(|n| solved[n as usize]);
                    })?;
                }
            }
            rectangle.images(at, &mut |image, _| solved[image as usize] = all);
        }
    }
    Ok(solved)
}

fn count_size(
    table: &Table,
    game: &TabulatedGame,
    size: (usize, usize),
    rectangle: &Rectangle,
    (exact, up_star, solved): (&[bool], &[bool], &[bool]),
) -> Result<SizeStats, StoreError> {
    let mut found = SizeStats {
        size,
        boards: 0,
        exact: 0,
        distinct: 0,
        up_stars: 0,
        all_up_stars: 0,
        whole: 0,
        whole_up_stars: 0,
        whole_all_up_stars: 0,
    };
    let mut met = vec![false; table.facts()];
    let mut board = Codes::blank(size.0, size.1);
    let last = table.letters() as u8 - 1;
    loop {
        let does_not_fit = || StoreError::Foreign(format!("a board of {size:?} is not in the table"));
        let at = rectangle.number(&board).ok_or_else(does_not_fit)?;
        let number = table.number(at)? as usize;
        let (known, up, all) = (exact[number], up_star[number], solved[at as usize]);
        found.boards += 1;
        found.exact += u64::from(known);
        found.up_stars += u64::from(up);
        found.all_up_stars += u64::from(all);
        found.distinct += u64::from(known && !std::mem::replace(&mut met[number], true));
        if is_whole(game, &board)? {
            found.whole += 1;
            found.whole_up_stars += u64::from(up);
            found.whole_all_up_stars += u64::from(all);
        }
        // The next board.
        let Some(next) = board.cells.iter().position(|&code| code < last) else { return Ok(found) };
        board.cells[..next].fill(0);
        board.cells[next] += 1;
    }
}

/// Whether a board is a single part that touches all borders.
fn is_whole(game: &TabulatedGame, board: &Codes) -> Result<bool, StoreError> {
    let Codes { rows, cols, cells } = board;
    let filled = |row: usize, col: usize| cells[row * cols + col] != 0;
    let across = |row: usize| (0..*cols).any(|col| filled(row, col));
    let down = |col: usize| (0..*rows).any(|row| filled(row, col));
    if !(across(0) && across(rows - 1) && down(0) && down(cols - 1)) {
        return Ok(false);
    }
    let (mut parts, mut same) = (0, false);
    game.parts(board, &mut |part| {
        parts += 1;
        same = part == board;
    })?;
    Ok(parts == 1 && same)
}
