//! How boards fall apart: derived from the patterns.
//!
//! **Connected parts.** No pattern looks for the letter around the board (code 0) or for another that means nothing, so all
//! cells that a move looks at or changes are live, or lie beside a cell that it changes. If the cells of every pattern hang together
//! by steps of a kind, then a move stays within one connected set of live cells: cells never become live again, for patterns only
//! change live cells. What is outside of such a set is the same to its patterns as the edge. So the board is the sum of its
//! connected sets.
//!
//! Where groups must touch something, groups are connected sets of live cells too, and those of one part touch nothing of
//! another; a position in which a group touches nothing already is not taken apart.
//!
//! **What may ever be.** Where pieces walk over empty cells, all cells are live, and connected sets tell little. So we ask which
//! patterns may ever match: every cell may hold its letter, and whatever a pattern that may match would put there, until
//! nothing new comes up. A cell that no such pattern changes is frozen. All that a pattern that may ever match looks at or changes
//! belongs together, but frozen cells do not join anything: they say the same to everybody, and every part that looks at one gets
//! a copy. (But for the cell from which the second half of a move begins: without that half the first is no move.) The parts are then independent: a move of one part changes cells of that part alone, and looks at no changing cell of
//! another. And each part cut out is the same game as it was on the board:
//!  - a pattern that may match on the board has everything it looks at in its part, or looks there for letters that are never
//!    there (then a blank cell is as good);
//!  - a pattern that may match in the part alone would have to miss something that stands in its way on the board. What stands in the
//!    way is a letter that must not be beside it, on a cell that always holds such a letter. Those are added to the part, for all patterns
//!    that may match on its cells but for them, until there are no more. Such a cell may change all the same (from one letter that
//!    is in the way to another): then its class and this one become one, because a cell that changes is of one part alone.

use gb_board::{BitGrid, Frame, Word};
use smallvec::SmallVec;

use super::compile::{Compiled, GridProgram};
use super::legal::has_dead_group;
use super::view::{cells_of, columns, may_hang_over, seen_from, stepped};
use crate::error::TextError;
use crate::pattern::{Pattern, Shape, Span, Step};
use crate::tree::{BoardKind, ClaimKind, GameText, LetterSet};

/// How boards fall apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Splitting {
    /// Not at all.
    Whole,
    /// Live cells that steps of this kind join.
    Connected(Adjacency),
    /// Cells that patterns join which may ever match.
    Ever,
    /// Cells of these codes that touch, as the text claims.
    Claimed(LetterSet, Adjacency),
}

/// Steps that join cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Adjacency {
    /// Along a row.
    Row,
    /// Along rows and columns.
    Sides,
    /// As a king.
    King,
}

impl Splitting {
    /// What is right for these patterns; where two ways are, the finer one. [`GridProgram::settle_splitting`] finds out whether the
    /// coarser one is as good.
    pub(crate) fn choose(
        game: &GameText,
        patterns: &[Pattern],
        touching: &[(LetterSet, LetterSet)],
        coded_set: impl Fn(LetterSet) -> LetterSet,
    ) -> Result<Splitting, TextError> {
        for claim in &game.claims {
            if let ClaimKind::Parts(letters, diagonal) = claim.kind {
                let adjacency = match (game.board, diagonal) {
                    (BoardKind::Strip, _) => Adjacency::Row,
                    (BoardKind::Grid, false) => Adjacency::Sides,
                    _ => Adjacency::King,
                };
                return Ok(Splitting::Claimed(coded_set(letters), adjacency));
            }
        }
        let connected = match adjacency(game.board, patterns, !touching.is_empty()) {
            Some(adjacency) => Splitting::Connected(adjacency),
            None => Splitting::Whole,
        };
        let followed = patterns.iter().all(|p| followed(&p.shape));
        Ok(if touching.is_empty() && followed { Splitting::Ever } else { connected })
    }

    pub(crate) fn is_claimed(self) -> bool {
        matches!(self, Splitting::Claimed(..))
    }

    /// Whether parts are rows for themselves.
    pub(crate) fn is_ragged(self) -> bool {
        matches!(self, Splitting::Connected(Adjacency::Row) | Splitting::Claimed(_, Adjacency::Row))
    }
}

/// Whether it can be followed where a shape may ever match.
fn followed(shape: &Shape) -> bool {
    matches!(shape.span, Span::Once | Span::Repeat(_) | Span::Slide(..)) && shape.then.iter().all(followed)
}

/// The steps by which the cells of all patterns hang together.
pub(crate) fn adjacency(board: BoardKind, patterns: &[Pattern], groups: bool) -> Option<Adjacency> {
    let least = match board {
        BoardKind::Strip => Adjacency::Row,
        BoardKind::Hex if groups => Adjacency::King,
        _ if groups => Adjacency::Sides,
        _ => Adjacency::Row,
    };
    [Adjacency::Row, Adjacency::Sides, Adjacency::King]
        .into_iter()
        .filter(|&way| way >= least)
        .find(|&way| patterns.iter().all(|p| hangs_together(&p.shape, way)))
}

fn is_step((down, right): Step, way: Adjacency) -> bool {
    match way {
        Adjacency::Row => down == 0 && right.abs() <= 1,
        Adjacency::Sides => down.abs() + right.abs() <= 1,
        Adjacency::King => down.abs() <= 1 && right.abs() <= 1,
    }
}

fn hangs_together(shape: &Shape, way: Adjacency) -> bool {
    let beside = |a: Step, b: Step| is_step((a.0 - b.0, a.1 - b.1), way);
    let cells: Vec<Step> = shape.cells.iter().map(|cell| cell.at).collect();
    let mut joined = vec![cells[0]];
    let mut next = 0;
    while next < joined.len() {
        let here = joined[next];
        let more: Vec<Step> =
            cells.iter().copied().filter(|&c| beside(c, here) && !joined.contains(&c)).collect();
        joined.extend(more);
        next += 1;
    }
    let reaches = match shape.span {
        Span::Once | Span::Repeat(_) => true,
        Span::Slide(step, _) | Span::Push(step, _) | Span::Sweep(step, ..) => is_step(step, way),
    };
    reaches
        && joined.len() == cells.len()
        && shape.places().all(|place| cells.iter().any(|&cell| beside(cell, place)))
        && shape.then.iter().all(|then| hangs_together(then, way))
}

/// The sets of cells of the parts, each with those that are its own: parts may share cells that never change.
#[inline]
pub(crate) fn split<W: Word, const N: usize>(
    program: &GridProgram,
    at: &BitGrid<W, N>,
    emit: &mut impl FnMut(W, W),
) {
    let mut emit_own = |part: W| emit(part, part);
    match program.splitting {
        Splitting::Whole => emit_own(at.frame().full),
        // Where a group touches nothing, no move is legal anywhere on the board. Play never leads there.
        Splitting::Connected(_)
            if !(program.touching.is_empty() && program.pairs.is_empty()) && has_dead_group(program, at) =>
        {
            emit_own(at.frame().full);
        }
        Splitting::Connected(adjacency) => {
            let live = live(program, at);
            joined(&at.frame(), live, adjacency, &mut |part| {
                if may_move(program, at, part) {
                    emit_own(part);
                }
            });
        }
        Splitting::Claimed(codes, adjacency) => {
            joined(&at.frame(), cells_of(&at.planes, codes), adjacency, &mut emit_own);
        }
        Splitting::Ever => match &program.flat_steps {
            Some(steps) => steps.classes(program, at, &mut emit_own),
            None => Ever::of(program, at).classes(emit),
        },
    }
}

/// The cells that mean something.
#[inline]
fn live<W: Word, const N: usize>(program: &GridProgram, at: &BitGrid<W, N>) -> W {
    // Usually everything but code 0 is live.
    let all = ((1u32 << program.info.alphabet.len()) - 2) as LetterSet;
    if program.live & all == all {
        at.planes.iter().fold(W::ZERO, |cells, &plane| cells | plane)
    } else {
        cells_of(&at.planes, program.live)
    }
}

#[inline]
fn joined<W: Word>(frame: &Frame<W>, cells: W, adjacency: Adjacency, emit: &mut impl FnMut(W)) {
    match adjacency {
        Adjacency::Row => frame.runs(cells).for_each(emit),
        Adjacency::Sides => frame.components4(cells).for_each(emit),
        Adjacency::King => frame.components8(cells).for_each(emit),
    }
}

/// Whether all letters that some pattern needs are in a part: otherwise nobody has a move there.
fn may_move<W: Word, const N: usize>(program: &GridProgram, at: &BitGrid<W, N>, part: W) -> bool {
    let mut there: LetterSet = 0;
    if N == 1 {
        there = 2;
    } else {
        for code in 1..program.info.alphabet.len() {
            if cells_of(&at.planes, 1 << code).meets(part) {
                there |= 1 << code;
            }
        }
    }
    let count = part.len() as usize;
    program.patterns.iter().any(|pattern| {
        pattern.tests.len() <= count && pattern.shape.cells.iter().all(|cell| cell.before & there != 0)
    })
}

/// What may ever be on the cells of a board.
struct Ever<'a, W> {
    program: &'a GridProgram,
    frame: Frame<W>,
    /// For each code the cells that may ever hold it.
    may: [W; 16],
    /// For each set of codes that patterns look for the cells that may ever hold one of them.
    sets: SmallVec<[W; 8]>,
    /// For each pattern the bases where it may ever match; for one that slides, the cells from which it may step on.
    possible: SmallVec<[W; 16]>,
    /// The cells that may ever change.
    changing: W,
}

impl<'a, W: Word> Ever<'a, W> {
    fn of<const N: usize>(program: &'a GridProgram, at: &BitGrid<W, N>) -> Self {
        let mut may = [W::ZERO; 16];
        for (code, cells) in may.iter_mut().enumerate().take(program.info.alphabet.len()).skip(1) {
            *cells = cells_of(&at.planes, 1 << code);
        }
        let mut ever = Ever {
            program,
            frame: at.frame(),
            may,
            sets: SmallVec::new(),
            possible: SmallVec::from_elem(W::ZERO, program.steps.len()),
            changing: W::ZERO,
        };
        for &set in &program.sets {
            let cells = ever.may_be(set);
            ever.sets.push(cells);
        }
        loop {
            let mut grows = false;
            for (index, pattern) in program.steps.iter().enumerate() {
                let found = match pattern.shape.span {
                    Span::Slide(step, over) => ever.sliding(pattern, step, over),
                    _ => ever.matching(pattern),
                };
                let new = found & !ever.possible[index];
                // What neighbours become may also grow because they do.
                if !new.is_empty() || pattern.shape.neighbours.is_some() {
                    ever.possible[index] |= new;
                    grows |= ever.changes(pattern, new);
                }
            }
            if !grows {
                return ever;
            }
        }
    }

    /// These cells may hold this code; says whether that is new.
    fn add(&mut self, code: u8, cells: W) -> bool {
        self.changing |= cells;
        let new = cells & !self.may[usize::from(code)];
        if new.is_empty() {
            return false;
        }
        self.may[usize::from(code)] |= new;
        for (set, held) in self.program.sets.iter().zip(&mut self.sets) {
            if set >> code & 1 == 1 {
                *held |= new;
            }
        }
        true
    }

    /// The cells that may hold one of these codes.
    fn may_be(&self, codes: LetterSet) -> W {
        let mut cells = W::ZERO;
        let mut left = codes;
        while left != 0 {
            cells |= self.may[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        cells
    }

    /// The cells that hold one of these codes now and always.
    fn always(&self, codes: LetterSet) -> W {
        self.may_be(codes) & !self.may_be(!codes)
    }

    fn matching(&self, pattern: &Compiled) -> W {
        let mut found = pattern.bases(&self.frame, &self.sets);
        if pattern.plain || found.is_empty() {
            return found;
        }
        for list in &pattern.shape.absent {
            let every = list.iter().fold(!W::ZERO, |every, &(step, letters)| {
                every & seen_from(&self.frame, self.always(letters), step)
            });
            found &= !every;
        }
        for list in &pattern.shape.present {
            let some = list.iter().fold(W::ZERO, |some, &(step, letters)| {
                some | seen_from(&self.frame, self.may_be(letters), step)
            });
            found &= some;
        }
        found
    }

    /// The cells from which a piece may begin to slide, or go on.
    fn sliding(&self, pattern: &Compiled, step: Step, over: LetterSet) -> W {
        let at = |place: Step| pattern.tests.iter().find(|t| (t.0, t.1) == place).map_or(0, |t| t.2);
        // Both what is passed over and what is landed on.
        let (first, last) = (at(pattern.shape.first), at(pattern.shape.last));
        let (from, next) = (self.sets[usize::from(first)], self.sets[usize::from(last)]);
        let over = self.may_be(over);
        let mut reached = stepped(&self.frame, from, step) & over;
        loop {
            let next = reached | (stepped(&self.frame, reached, step) & over);
            if next == reached {
                break;
            }
            reached = next;
        }
        (from | reached) & seen_from(&self.frame, next, step)
    }

    /// Adds what the pattern puts on the board; says whether anything is new.
    fn changes(&mut self, pattern: &Compiled, found: W) -> bool {
        let mut grows = false;
        let shape = &pattern.shape;
        // Both halves of a move are made or none: the cell where the second begins joins them, even if it never changes.
        if !pattern.then.is_empty() {
            self.changing |= match shape.span {
                Span::Slide(step, _) => stepped(&self.frame, found, step),
                _ => found.up(shape.last.0 as u32 * self.frame.stride + shape.last.1 as u32),
            };
        }
        if let Span::Slide(step, _) = shape.span {
            for cell in &shape.cells {
                let Some(after) = cell.after else { continue };
                let cells = if cell.at == shape.first { found } else { stepped(&self.frame, found, step) };
                grows |= self.add(after, cells);
            }
            return grows;
        }
        for cell in &shape.cells {
            let Some(after) = cell.after else { continue };
            let cells = found.up(cell.at.0 as u32 * self.frame.stride + cell.at.1 as u32);
            grows |= self.add(after, cells);
        }
        if let Some((steps, letters, after)) = &shape.neighbours {
            for &step in steps {
                // What a neighbour may hold grows; all bases are looked at again.
                let bases = stepped(&self.frame, self.matching(pattern), step);
                grows |= self.add(*after, bases & self.may_be(*letters));
            }
        }
        grows
    }

    /// The cells that belong to the patterns at these bases, and the bases whose cells belong to a set.
    fn join(&self, pattern: &Compiled, possible: W, part: W) -> W {
        let frame = &self.frame;
        let shape = &pattern.shape;
        if let Span::Slide(step, _) = shape.span {
            let touched = possible & (part | seen_from(frame, part, step));
            return touched | stepped(frame, touched, step);
        }
        let mut touched = W::ZERO;
        for &(row, col, _) in &pattern.tests {
            touched |= part.down(row as u32 * frame.stride + col as u32);
        }
        if !pattern.plain || shape.points.2.is_some() {
            self.around(shape, &mut |step, cells| touched |= seen_from(frame, part & cells, step));
        }
        touched &= possible;
        if touched.is_empty() {
            return W::ZERO;
        }
        let mut joined = W::ZERO;
        for &(row, col, _) in &pattern.tests {
            joined |= touched.up(row as u32 * frame.stride + col as u32);
        }
        if !pattern.plain || shape.points.2.is_some() {
            self.around(shape, &mut |step, cells| joined |= stepped(frame, touched, step) & cells);
        }
        joined
    }

    /// Calls `emit` with all places around a shape and the cells that may mean something there.
    fn around(&self, shape: &Shape, emit: &mut impl FnMut(Step, W)) {
        for &(step, letters) in shape.absent.iter().chain(&shape.present).flatten() {
            emit(step, self.may_be(letters));
        }
        let lists = shape.neighbours.iter().map(|(list, set, _)| (list, set));
        for (list, letters) in lists.chain(shape.points.2.iter().map(|(list, set)| (list, set))) {
            for &step in list {
                emit(step, self.may_be(*letters));
            }
        }
    }

    /// The classes, where nothing but the cells of patterns is looked at, and these hang together by steps: then a cell is joined to
    /// the next one in a direction, whatever the pattern. Frozen cells join too here, which is coarser, and so as sound.
    fn joined_classes(&self, emit: &mut dyn FnMut(W, W)) {
        let stride = self.frame.stride;
        let mut bonds = [W::ZERO; 4];
        for (&possible, pattern) in self.possible.iter().zip(&self.program.steps) {
            if possible.is_empty() {
                continue;
            }
            for &(row, col, way) in &pattern.bonds {
                bonds[usize::from(way)] |= match pattern.shape.span {
                    // From here a piece steps on: the bond is at the nearer cell of both.
                    Span::Slide(step, _) if is_backward(step) => stepped(&self.frame, possible, step),
                    Span::Slide(..) => possible,
                    _ => possible.up(u32::from(row) * stride + u32::from(col)),
                };
            }
        }
        bonded_classes(&self.frame, &bonds, self.changing, &mut |class| emit(class, class));
    }

    /// Calls `emit` with each class of cells that belong together, with the frozen cells that it looks at.
    fn classes(&self, emit: &mut dyn FnMut(W, W)) {
        if self.program.bonded {
            return self.joined_classes(emit);
        }
        let mut found: SmallVec<[(W, W); 8]> = SmallVec::new();
        let mut left = self.changing;
        while !left.is_empty() {
            let mut class = W::bit(left.first());
            let mut part = self.part_of(&mut class);
            // Classes that were found before may turn out to belong to this one.
            while let Some(other) = found.iter().position(|(_, known)| known.meets(class)) {
                class |= found.swap_remove(other).1;
                part = self.part_of(&mut class);
            }
            left &= !class;
            found.push((part, class));
        }
        found.into_iter().for_each(|(part, class)| emit(part, class));
    }

    /// All cells that belong to these, with what they look at; those of them that change become the class.
    fn part_of(&self, class: &mut W) -> W {
        let mut part = *class;
        loop {
            for (index, pattern) in self.program.steps.iter().enumerate() {
                if !self.possible[index].is_empty() {
                    part |= self.join(pattern, self.possible[index], *class);
                }
            }
            if part & self.changing == *class && self.program.has_absent {
                self.add_what_stands_in_the_way(&mut part);
            }
            let next = part & self.changing;
            if next == *class {
                return part;
            }
            *class = next;
        }
    }

    /// Adds letters that keep a pattern within the part from matching.
    fn add_what_stands_in_the_way(&self, part: &mut W) {
        loop {
            let known = *part;
            for pattern in self.program.steps.iter().filter(|p| !p.shape.absent.is_empty()) {
                let mut inside = *part;
                for (i, &(row, col, set)) in pattern.tests.iter().enumerate() {
                    let seen = seen_from(&self.frame, *part & self.sets[usize::from(set)], (row, col));
                    inside = if i == 0 { seen } else { inside & seen };
                }
                for &(step, letters) in pattern.shape.absent.iter().flatten() {
                    *part |= stepped(&self.frame, inside, step) & self.always(letters);
                }
            }
            if *part == known {
                return;
            }
        }
    }
}

/// Calls `emit` with each class of cells that bonds join: to the east, south, southeast and southwest.
#[inline]
fn bonded_classes<W: Word>(frame: &Frame<W>, bonds: &[W; 4], cells: W, emit: &mut impl FnMut(W)) {
    let stride = frame.stride;
    let ahead = [1, stride, stride + 1, stride - 1];
    let mut left = cells;
    while !left.is_empty() {
        let mut class = W::bit(left.first());
        loop {
            let mut next = class;
            for (&bond, &by) in bonds.iter().zip(&ahead) {
                if !bond.is_empty() {
                    next |= (next & bond).up(by) | (next.down(by) & bond);
                }
            }
            if next == class {
                break;
            }
            class = next;
        }
        left &= !class;
        emit(class);
    }
}

/// The most sets of letters that flat steps look for.
const FLAT_SETS: usize = 7;
/// The most flat steps.
const FLAT_STEPS: usize = 16;
/// The most cells of one, and its greatest width.
const FLAT_CELLS: usize = 3;

/// All patterns of a game as flat lists, where they have up to three cells, look at nothing else, and do not slide. Such games (Konane,
/// Toads and Frogs) are taken apart at every node by what may ever match, which takes most of their time: so all of them are done
/// alike and without a branch, shorter ones with the same cell several times.
#[derive(Clone, Debug)]
pub(crate) struct FlatSteps(Vec<FlatStep>);

/// A cell of a flat step.
#[derive(Clone, Copy, Debug, Default)]
struct FlatCell {
    row: u8,
    col: u8,
    /// The set that it must be in.
    before: u8,
    /// The set that it is in afterwards; [`FLAT_SETS`]: none.
    after: u8,
    changes: bool,
}

#[derive(Clone, Debug)]
struct FlatStep {
    width: usize,
    /// The cells; where there are fewer, the first one again.
    cells: [FlatCell; FLAT_CELLS],
    is_long: bool,
    /// Which cell is joined to another, and the way to it, as in [`bonds`].
    bonds: SmallVec<[(u8, u8, u8); 2]>,
}

impl FlatSteps {
    pub(crate) fn of(steps: &[Compiled], sets: &[LetterSet]) -> Option<FlatSteps> {
        let disjoint = sets.iter().enumerate().all(|(i, set)| sets[..i].iter().all(|other| set & other == 0));
        if sets.len() > FLAT_SETS || steps.len() > FLAT_STEPS || !disjoint {
            return None;
        }
        let within = |code: u8| sets.iter().position(|set| set >> code & 1 == 1).unwrap_or(FLAT_SETS) as u8;
        let flat = |p: &Compiled| {
            let cells: Vec<FlatCell> = p
                .tests
                .iter()
                .zip(&p.shape.cells)
                .map(|(&(row, col, set), cell)| FlatCell {
                    row: row as u8,
                    col: col as u8,
                    before: set,
                    after: cell.after.map_or(set, within),
                    changes: cell.after.is_some(),
                })
                .collect();
            let is_flat = cells.len() <= FLAT_CELLS
                && p.width as usize <= FLAT_CELLS
                && matches!(p.shape.span, Span::Once | Span::Repeat(_))
                && bonds(&p.shape).is_some();
            is_flat.then(|| FlatStep {
                width: p.width as usize,
                cells: std::array::from_fn(|i| *cells.get(i).unwrap_or(&cells[0])),
                is_long: cells.len() == FLAT_CELLS,
                bonds: p.bonds.iter().copied().collect(),
            })
        };
        steps.iter().map(flat).collect::<Option<Vec<FlatStep>>>().map(FlatSteps)
    }

    /// The classes as [`Ever::joined_classes`] finds them.
    fn classes<W: Word, const N: usize>(
        &self,
        program: &GridProgram,
        at: &BitGrid<W, N>,
        emit: &mut impl FnMut(W),
    ) {
        let frame = at.frame();
        let stride = frame.stride;
        let shift = |row: u8, col: u8| u32::from(row) * stride + u32::from(col);
        let mut may = [W::ZERO; FLAT_SETS + 1];
        for (cells, &set) in may.iter_mut().zip(&program.sets) {
            *cells = cells_of(&at.planes, set);
        }
        let mut fits = [!W::ZERO; FLAT_CELLS + 1];
        if may_hang_over(&frame, FLAT_CELLS as u32) {
            for (width, bases) in fits.iter_mut().enumerate().skip(2) {
                *bases = columns(&frame, 0, (frame.cols + 1).saturating_sub(width as u32));
            }
        }
        let mut shifts = [[0; FLAT_CELLS]; FLAT_STEPS];
        for (step, shifts) in self.0.iter().zip(&mut shifts) {
            *shifts = step.cells.map(|cell| shift(cell.row, cell.col));
        }
        let mut possible = [W::ZERO; FLAT_STEPS];
        loop {
            let mut new = W::ZERO;
            for ((step, shifts), known) in self.0.iter().zip(&shifts).zip(&mut possible) {
                let [one, two, three] = &step.cells;
                let mut found = fits[step.width & 3]
                    & may[usize::from(one.before & 7)].down(shifts[0])
                    & may[usize::from(two.before & 7)].down(shifts[1]);
                if step.is_long {
                    found &= may[usize::from(three.before & 7)].down(shifts[2]);
                    may[usize::from(three.after & 7)] |= found.up(shifts[2]);
                }
                may[usize::from(one.after & 7)] |= found.up(shifts[0]);
                may[usize::from(two.after & 7)] |= found.up(shifts[1]);
                new |= found & !*known;
                *known = found;
            }
            if new.is_empty() {
                break;
            }
        }
        let (mut changing, mut bonds) = (W::ZERO, [W::ZERO; 4]);
        for ((step, shifts), &found) in self.0.iter().zip(&shifts).zip(&possible) {
            for (cell, &shift) in step.cells.iter().zip(shifts) {
                if cell.changes {
                    changing |= found.up(shift);
                }
            }
            for &(row, col, way) in &step.bonds {
                bonds[usize::from(way & 3)] |= found.up(shift(row, col));
            }
        }
        bonded_classes(&frame, &bonds, changing, emit);
    }
}

/// Whether a step leads back in the order of the cells.
fn is_backward((down, right): Step) -> bool {
    down < 0 || down == 0 && right < 0
}

/// The bonds between the cells of a shape that join all of them: the nearer cell of each, and the way to the other (east, south,
/// southeast, southwest). `None`: it takes more than that.
pub(crate) fn bonds(shape: &Shape) -> Option<Vec<(u8, u8, u8)>> {
    const WAYS: [Step; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let surrounded = !shape.absent.is_empty()
        || !shape.present.is_empty()
        || shape.neighbours.is_some()
        || shape.points.2.is_some();
    if surrounded {
        return None;
    }
    match shape.span {
        Span::Slide((down, right), _) => {
            let way = WAYS.iter().position(|&way| way == (down, right) || way == (-down, -right))?;
            return Some(vec![(0, 0, way as u8)]);
        }
        Span::Once | Span::Repeat(_) => {}
        _ => return None,
    }
    let cells: Vec<Step> = shape.cells.iter().map(|cell| cell.at).collect();
    let (mut joined, mut bonds) = (vec![cells[0]], vec![]);
    while joined.len() < cells.len() {
        let next = cells.iter().filter(|cell| !joined.contains(cell)).find_map(|&cell| {
            WAYS.iter().enumerate().find_map(|(way, &(down, right))| {
                let ahead = (cell.0 + down, cell.1 + right);
                let behind = (cell.0 - down, cell.1 - right);
                let nearer = if joined.contains(&ahead) {
                    cell
                } else if joined.contains(&behind) {
                    behind
                } else {
                    return None;
                };
                Some((cell, (nearer.0 as u8, nearer.1 as u8, way as u8)))
            })
        })?;
        joined.push(next.0);
        bonds.push(next.1);
    }
    Some(bonds)
}
