//! What is in a table: how many boards have which kinds of values.

use std::collections::{BTreeMap, HashMap};

use gb_board::{Codes, sort_by};
use gb_rules::Player;
use gb_value::text::Style;
use gb_value::{Budget, Dyadic, Kernel, Kind, Outcome, Store};
use rustc_hash::FxHashMap;

use crate::error::StoreError;
use crate::faces::{Faces, Seen, Threat, is_up_star};
use crate::fact::Fact;
use crate::game::TabulatedGame;
use crate::rectangle::Rectangle;
use crate::scope::Scope;
use crate::table::{Table, Values};

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
/// Boards and facts after which it is said how far the work is.
const REPORTED: u64 = 1 << 16;
/// So large a store, made to name some values, is thrown away.
const STORE: u64 = 256 << 20;

/// How far the work is: boards and facts that were looked at, of so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Looked {
    /// Looked at.
    pub done: u64,
    /// To be looked at.
    pub total: u64,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    boards: u64,
    distinct: u64,
    example: u64,
}

impl Tally {
    /// The boards that have one value.
    fn of(boards: u64, example: u64) -> Tally {
        Tally { boards, distinct: 1, example }
    }

    fn add(&mut self, other: Tally) {
        if self.boards == 0 || other.example < self.example {
            self.example = other.example;
        }
        self.boards += other.boards;
        self.distinct += other.distinct;
    }
}

/// Counts what is in a table, and says now and then how far it is.
///
/// Four bytes are held for each fact, and sixteen if the memory of the budget allows; otherwise the boards are read more than once, for some of the facts each time.
pub fn stats(
    table: &Table,
    game: &TabulatedGame,
    kernel: &Kernel<'_>,
    report: &dyn Fn(Looked),
) -> Result<Stats, StoreError> {
    count(game, Counting::new(table, kernel, report)?)
}

fn count(game: &TabulatedGame, mut counting: Counting<'_>) -> Result<Stats, StoreError> {
    let (table, kernel) = (counting.table, counting.kernel);
    let (mut faces, mut number) = (Faces::new(table.facts()), 0);
    let mut seen = Seens::default();
    table.for_each_record(kernel, &mut |raw| {
        let (boards, example) = counting.boards_of(number)?;
        let found = faces.add(&raw, kernel)?.ok_or_else(|| wrong_options(table))?;
        counting.look(1)?;
        if boards > 0 {
            seen.add(number, Tally::of(boards, example), found, (&faces, &mut counting))?;
        }
        number += 1;
        Ok(())
    })?;
    seen.finish(game, &faces, &mut counting)
}

/// The boards of a table, counted by the numbers of their facts, and what else is asked of the table.
struct Counting<'a> {
    table: &'a Table,
    kernel: &'a Kernel<'a>,
    report: &'a dyn Fn(Looked),
    looked: Looked,
    /// How many boards the facts in a range have, and the place of the first.
    counts: Vec<(u64, u64)>,
    first: u64,
    range: u64,
    names: Names<'a>,
}

impl<'a> Counting<'a> {
    fn new(
        table: &'a Table,
        kernel: &'a Kernel<'a>,
        report: &'a dyn Fn(Looked),
    ) -> Result<Counting<'a>, StoreError> {
        let (facts, budget) = (table.facts() as u64, kernel.budget());
        if facts > 1 << 32 {
            let what =
                "a table with more than 2^32 facts is too large to be counted: four bytes are held for each";
            return Err(StoreError::Invalid(what.into()));
        }
        let (held, limit) = (budget.account().bytes(), budget.max_bytes());
        let needed = Faces::bytes(table.facts());
        let left = limit.saturating_sub(held).saturating_sub(needed);
        let range = (left / 2 / size_of::<(u64, u64)>() as u64).min(facts);
        // With less the boards would be read for ever.
        if range < facts.div_ceil(64) {
            let what = format!("{} {}", table.game(), table.scope());
            let needed = needed + held + facts.div_ceil(32) * size_of::<(u64, u64)>() as u64;
            return Err(StoreError::Memory {
                what,
                holds: "what is held of each of its values",
                needed,
                limit,
            });
        }
        let times = if range == 0 { 0 } else { facts.div_ceil(range) };
        let looked = Looked { done: 0, total: facts + times * table.boards() };
        let names = Names { table, budget, store: Store::new(), values: Values::few() };
        Ok(Counting { table, kernel, report, looked, counts: vec![], first: 0, range, names })
    }

    /// Notes that more was looked at.
    fn look(&mut self, count: u64) -> Result<(), StoreError> {
        let before = self.looked.done / REPORTED;
        self.looked.done += count;
        if self.looked.done / REPORTED != before {
            self.kernel.budget().spend(0, 0)?;
            (self.report)(self.looked);
        }
        Ok(())
    }

    /// How many boards have a fact, and the place of the first; to be asked in the order of the numbers.
    fn boards_of(&mut self, number: u64) -> Result<(u64, u64), StoreError> {
        if number >= self.first + self.counts.len() as u64 {
            let table = self.table;
            self.first = number;
            self.counts.clear();
            self.counts.resize(self.range.min(table.facts() as u64 - number) as usize, (0, 0));
            let mut place = 0;
            table.for_each_numbers(&mut |numbers| {
                for &number in numbers {
                    if number >= table.facts() as u64 {
                        return Err(wrong_number(table));
                    }
                    if let Some((count, first)) =
                        number.checked_sub(self.first).and_then(|n| self.counts.get_mut(n as usize))
                    {
                        *first = if *count == 0 { place } else { *first };
                        *count += 1;
                    }
                    place += 1;
                }
                self.look(numbers.len() as u64)
            })?;
        }
        Ok(self.counts[(number - self.first) as usize])
    }
}

/// Texts of some values of a table.
struct Names<'a> {
    table: &'a Table,
    budget: &'a Budget,
    store: Store,
    values: Values,
}

impl Names<'_> {
    fn of(&mut self, number: u64) -> Result<String, StoreError> {
        if self.store.bytes() > STORE {
            (self.store, self.values) = (Store::new(), Values::few());
        }
        let kernel = self.store.kernel(self.budget);
        match self.table.fact_once(number, &self.values, &kernel)? {
            Fact::Exact(value) => Ok(kernel.show(value, &Style::default())?.text),
            Fact::Partial(_) => Ok("(value not known)".into()),
        }
    }
}

/// What was seen of a table's facts so far.
#[derive(Default)]
struct Seens {
    /// Values by face and kind.
    values: FxHashMap<(u32, Kind), Tally>,
    partial: BTreeMap<(&'static str, Dyadic), Tally>,
    named: BTreeMap<(Named, String), Tally>,
    /// The most frequent facts, the most frequent first, with their boards.
    frequent: Vec<(u64, Tally)>,
}

impl Seens {
    /// Adds the next fact, which some boards have.
    fn add(
        &mut self,
        number: u64,
        tally: Tally,
        found: Seen,
        (faces, counting): (&Faces, &mut Counting<'_>),
    ) -> Result<(), StoreError> {
        let place = self.frequent.partition_point(|(_, other)| other.boards >= tally.boards);
        if place < LISTED {
            self.frequent.truncate(LISTED - 1);
            self.frequent.insert(place, (number, tally));
        }
        let (face, kind) = match found {
            Seen::Partial { outcome, temperature } => {
                self.partial.entry((outcome_name(outcome), temperature)).or_default().add(tally);
                return Ok(());
            }
            Seen::Value { face, kind, threat: None } => (face, kind),
            Seen::Value { face, kind, threat: Some(threat) } => {
                (face, kind_of_threat(counting, faces, threat)?.unwrap_or(kind))
            }
        };
        self.values.entry((face, kind)).or_default().add(tally);
        let section = match kind {
            Kind::Nimber => Named::Nimber,
            Kind::UpStar => Named::UpStar,
            Kind::Tiny => Named::Tiny,
            Kind::Miny => Named::Miny,
            _ => return Ok(()),
        };
        self.named.entry((section, counting.names.of(number)?)).or_default().add(tally);
        Ok(())
    }

    fn finish(
        self,
        game: &TabulatedGame,
        faces: &Faces,
        counting: &mut Counting<'_>,
    ) -> Result<Stats, StoreError> {
        let table = counting.table;
        let mut kinds: HashMap<Kind, Tally> = HashMap::new();
        let (mut outcomes, mut small): (BTreeMap<&str, Tally>, BTreeMap<&str, Tally>) = Default::default();
        let mut temperatures: BTreeMap<Dyadic, Tally> = BTreeMap::new();
        let mut exact = Tally::default();
        for ((face, kind), tally) in self.values {
            let face = faces.face(face);
            outcomes.entry(outcome_name(face.outcome)).or_default().add(tally);
            temperatures.entry(faces.temperature(face).clone()).or_default().add(tally);
            kinds.entry(kind).or_default().add(tally);
            exact.add(tally);
            if face.all_small {
                small.entry("all-small").or_default().add(tally);
            }
            if faces.is_infinitesimal(face) {
                small.entry("infinitesimal").or_default().add(tally);
            }
        }
        for ((outcome, temperature), tally) in self.partial {
            outcomes.entry(outcome).or_default().add(tally);
            temperatures.entry(temperature).or_default().add(tally);
        }
        let list = |name: String, tally: &Tally| -> Result<Count, StoreError> {
            let example = game.show(&table.board(tally.example)?);
            Ok(Count { name, boards: tally.boards, distinct: tally.distinct, example })
        };
        let mut kinds: Vec<Count> =
            kinds.iter().map(|(k, tally)| list(k.to_string(), tally)).collect::<Result<_, _>>()?;
        sort_by(&mut kinds, |a, b| (b.boards, &a.name).cmp(&(a.boards, &b.name)));
        let mut frequent = vec![];
        for (number, tally) in self.frequent {
            frequent.push(list(counting.names.of(number)?, &tally)?);
        }
        let mut cells: BTreeMap<usize, Tally> = BTreeMap::new();
        table.for_each_size(&mut |size, boards, first| {
            cells.entry(size).or_default().add(Tally { boards, distinct: boards, example: first });
            counting.kernel.work(1).map_err(StoreError::from)
        })?;
        Ok(Stats {
            boards: table.boards(),
            exact: exact.boards,
            distinct: exact.distinct,
            outcomes: outcomes.iter().map(|(n, t)| list((*n).into(), t)).collect::<Result<_, _>>()?,
            kinds,
            small: small.iter().map(|(n, t)| list((*n).into(), t)).collect::<Result<_, _>>()?,
            named: self.named.iter().map(|((_, n), t)| list(n.clone(), t)).collect::<Result<_, _>>()?,
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
}

/// Whether what may be a tiny or a miny is one: `{0 || 0 | X}` with `X <= 0`, or the negative of that.
///
/// Facts that are written without options need not be looked at: of the sums of a number, ups and a nimber in which Left's only option is 0, and Right's only option is at
/// most 0, there is only `*`, and `{0 | *}` is `^`.
fn kind_of_threat(
    counting: &Counting<'_>,
    faces: &Faces,
    threat: Threat,
) -> Result<Option<Kind>, StoreError> {
    let record = counting.table.record_once(threat.of, counting.kernel)?;
    let crate::record::Raw::Options([lefts, rights]) = record else { return Ok(None) };
    let ([left], [right]) = (lefts.as_slice(), rights.as_slice()) else { return Ok(None) };
    let (to_zero, of, winner, kind) = match threat.tiny {
        true => (left, right, Outcome::R, Kind::Tiny),
        false => (right, left, Outcome::L, Kind::Miny),
    };
    let wins = faces.outcome_of(*of).is_some_and(|outcome| outcome == winner || outcome == Outcome::P);
    Ok((faces.is_zero(*to_zero) && wins).then_some(kind))
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

fn wrong_options(table: &Table) -> StoreError {
    StoreError::damaged(table.path(), "the options of values make no sense")
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::L => "Left wins",
        Outcome::R => "Right wins",
        Outcome::N => "the first player wins",
        Outcome::P => "the second player wins",
    }
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
    let mut number = 0;
    table.for_each_record(kernel, &mut |raw| {
        // Sums of a number, ups and a nimber are the values that are written without options.
        exact[number] = raw.is_value();
        up_star[number] = is_up_star(&raw, kernel);
        number += 1;
        Ok(())
    })?;
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

#[cfg(test)]
mod tests {
    use gb_games::games::clobber::Clobber;
    use gb_rules::{AnyGame, Variant};

    use super::*;
    use crate::build::{Settings, build};

    /// With little memory the boards are read for some of the facts at a time.
    #[test]
    fn boards_may_be_read_more_than_once() {
        let game =
            || TabulatedGame::new(AnyGame::direct(Variant::Plain, Clobber::<u64>::default())).expect("grids");
        let folder = tempfile::tempdir().unwrap();
        let (scope, settings) = (Scope::Within(3, 3), Settings::default());
        let built = build(game(), scope, folder.path(), Budget::unlimited(), &settings, &|_| {}).unwrap();
        let table = Table::open(&built.path).unwrap();
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let expected = stats(&table, &game(), &kernel, &|_| {}).unwrap();
        for range in [1, 7, table.facts() as u64 / 2] {
            let counting = Counting { range, ..Counting::new(&table, &kernel, &|_| {}).unwrap() };
            assert_eq!(count(&game(), counting).unwrap(), expected);
        }
    }
}
