//! Games on grids and strips, played on bit boards.

pub(crate) mod compile;
mod legal;
pub(crate) mod split;
mod start;
mod view;

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{Alphabet, BitGrid, BoardError, Codes, Frame, Grid, Plain, Scene, Size, Spot, Wide, Word};
use gb_rules::{
    AnyGame, Capabilities, GridTraits, Heuristics, ImpartialForm, Info, MoveCode, Notation, Player, Rules,
    Scoring, Sign, StoneMove, Tabulation, Variant, direct,
};

use self::compile::{Compiled, GridProgram, Shared};
use self::view::{Sets, cells_of, sets_of, stepped};
use crate::kept;
use crate::pattern::{PatternCell, Span, Step};

/// The rules of a game on a grid, for boards in words of one width.
pub(crate) struct TextGrid<W, const N: usize> {
    program: Shared,
    word: std::marker::PhantomData<W>,
}

impl<W, const N: usize> Clone for TextGrid<W, N> {
    fn clone(&self) -> Self {
        TextGrid { program: self.program.clone(), word: std::marker::PhantomData }
    }
}

/// A move: a pattern, where its base lies, how far it reaches, and what follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct GridMove {
    pattern: u16,
    base: u8,
    /// How many times or how far.
    length: u8,
    /// What follows: its place in the list, and how far.
    then: u16,
    then_length: u8,
}

impl MoveCode for GridMove {
    fn code(&self) -> u64 {
        u64::from(self.pattern)
            | u64::from(self.base) << 16
            | u64::from(self.length) << 24
            | u64::from(self.then) << 32
            | u64::from(self.then_length) << 48
    }
    fn of_code(code: u64) -> Self {
        GridMove {
            pattern: code as u16,
            base: (code >> 16) as u8,
            length: (code >> 24) as u8,
            then: (code >> 32) as u16,
            then_length: (code >> 48) as u8,
        }
    }
}

/// Chooses the narrowest board that holds `text`, a position or a size.
pub(crate) fn open(program: &Shared, variant: Variant, text: &str) -> AnyGame {
    fn rules<W, const N: usize>(program: &Shared) -> TextGrid<W, N> {
        TextGrid { program: program.clone(), word: std::marker::PhantomData }
    }
    // Few kinds of boards, because each costs seconds of the first build: large ones take as much room as the widest key has.
    let small = fits::<u64>(text) || !fits::<u128>(text) && (program.planes > 2 || !fits::<Wide>(text));
    let game = match program.planes {
        1 if small => AnyGame::W2(direct(rules::<u64, 1>(program))),
        2 if small => AnyGame::W3(direct(rules::<u64, 2>(program))),
        3 if small => AnyGame::W4(direct(rules::<u64, 3>(program))),
        1 | 2 if !fits::<u128>(text) => AnyGame::W9(direct(rules::<Wide, 2>(program))),
        _ => AnyGame::W9(direct(rules::<u128, 4>(program))),
    };
    game.varied(variant)
}

/// Whether a position or a size fits into a word.
fn fits<W: Word>(text: &str) -> bool {
    let (rows, cols) = match Size::read(text) {
        Ok(size) => size.grid(),
        Err(_) => {
            let lines = text.trim().split(['|', '\n']);
            (lines.clone().count(), lines.map(|line| line.trim().chars().count()).max().unwrap_or(0))
        }
    };
    Frame::<W>::fits(rows, cols)
}

impl<W: Word + Plain, const N: usize> TextGrid<W, N> {
    fn letters(&self) -> Alphabet {
        Alphabet(self.program.info.alphabet)
    }

    #[inline]
    fn pattern(&self, mv: &GridMove) -> &Compiled {
        &self.program.patterns[usize::from(mv.pattern)]
    }

    /// Changes one letter on cells.
    #[inline]
    fn put(at: &mut BitGrid<W, N>, cells: W, code: u8) {
        for (plane, bits) in at.planes.iter_mut().enumerate() {
            if code >> plane & 1 == 1 {
                *bits |= cells;
            } else {
                *bits &= !cells;
            }
        }
    }

    /// Rewrites the cells of a pattern whose base is here.
    fn rewrite(at: &mut BitGrid<W, N>, frame: &Frame<W>, pattern: &Compiled, base: u32) {
        if let Some(flips) = &pattern.flips
            && (W::BYTE_ROWS && frame.stride == 8 || pattern.is_row)
        {
            for (bits, &flip) in at.planes.iter_mut().zip(flips) {
                *bits ^= W::from64(flip).up(base);
            }
            return;
        }
        if let Some((steps, letters, after)) = &pattern.shape.neighbours {
            let near = steps.iter().fold(W::ZERO, |near, &step| near | stepped(frame, W::bit(base), step));
            let near = near & cells_of(&at.planes, *letters);
            Self::put(at, near, *after);
        }
        for cell in &pattern.shape.cells {
            if let Some(after) = cell.after {
                let place = base + cell.at.0 as u32 * frame.stride + cell.at.1 as u32;
                Self::put(at, W::bit(place), after);
            }
        }
    }

    /// The cell some steps away from another, if that is on the board.
    fn cell(frame: &Frame<W>, from: u32, (down, right): Step, times: i32) -> Option<u32> {
        let (row, col) = frame.place(from);
        let (row, col) = (row as i32 + down * times, col as i32 + right * times);
        let inside = (0..frame.rows as i32).contains(&row) && (0..frame.cols as i32).contains(&col);
        inside.then(|| frame.index(row as u32, col as u32))
    }

    /// Whether the cells of a pattern match here, whatever is around them.
    #[inline]
    fn matches_at(at: &BitGrid<W, N>, frame: &Frame<W>, pattern: &Compiled, base: u32) -> bool {
        pattern.shape.cells.iter().rev().all(|cell| {
            let Some(place) = Self::cell(frame, base, cell.at, 1) else { return false };
            let code = at.planes.iter().rev().fold(0, |code, plane| code << 1 | u32::from(plane.has(place)));
            cell.before >> code & 1 == 1
        })
    }

    fn place_of(frame: &Frame<W>, base: u32, (down, right): Step) -> u32 {
        base + down as u32 * frame.stride + right as u32
    }

    /// Calls `emit` for every length of a pattern that slides, from this base: how far, and where the last cell is then.
    fn slides(
        &self,
        frame: &Frame<W>,
        at: &BitGrid<W, N>,
        pattern: &Compiled,
        (step, over): (Step, u16),
        base: u32,
        emit: &mut dyn FnMut(u8, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let last = pattern.shape.cells.iter().find(|cell| cell.at == pattern.shape.last);
        let landing = cells_of(&at.planes, last.map_or(0, |cell| cell.before));
        let over = cells_of(&at.planes, over);
        let mut place = W::bit(Self::place_of(frame, base, pattern.shape.last));
        let mut length = 1;
        while !place.is_empty() {
            if place.meets(landing) {
                emit(length, place.first())?;
            }
            place = stepped(frame, place & over, step);
            length += 1;
        }
        ControlFlow::Continue(())
    }

    /// Makes one half of a move.
    #[inline]
    fn make(at: &mut BitGrid<W, N>, frame: &Frame<W>, pattern: &Compiled, base: u32, length: u8) {
        match pattern.shape.span {
            Span::Once => Self::rewrite(at, frame, pattern, base),
            Span::Repeat((down, right)) => {
                let step = down * frame.stride as i32 + right;
                for time in 0..i32::from(length) {
                    Self::rewrite(at, frame, pattern, (base as i32 + time * step) as u32);
                }
            }
            Span::Slide((down, right), _) => {
                let beyond = (i32::from(length) - 1) * (down * frame.stride as i32 + right);
                for cell in &pattern.shape.cells {
                    let Some(after) = cell.after else { continue };
                    let mut place = Self::place_of(frame, base, cell.at) as i32;
                    if cell.at == pattern.shape.last {
                        place += beyond;
                    }
                    Self::put(at, W::bit(place as u32), after);
                }
            }
            Span::Push(step, letters) => {
                let run = Self::pushed(at, frame, base, step, letters);
                // What is on the run goes one step on; off the edge or onto a hole it is gone.
                let before = at.planes;
                let field = before.iter().fold(W::ZERO, |all, &plane| all | plane);
                let landing = stepped(frame, run, step) & field;
                let after = pattern.shape.cells[0].after.unwrap_or(0);
                for (bits, plane) in at.planes.iter_mut().zip(before) {
                    *bits = (plane & !(run | landing)) | (stepped(frame, plane & run, step) & landing);
                }
                Self::put(at, run & !landing, after);
            }
            Span::Sweep(step, letters, after) => {
                let swept = Self::swept(at, frame, pattern, base, step, letters);
                Self::rewrite(at, frame, pattern, base);
                if let Some(after) = after {
                    Self::put(at, swept, after);
                }
            }
        }
    }

    /// The cells that move when the one at `base` is pushed: it, and a run of these letters before it.
    fn pushed(at: &BitGrid<W, N>, frame: &Frame<W>, base: u32, step: Step, letters: u16) -> W {
        let over = cells_of(&at.planes, letters);
        let (mut run, mut head) = (W::bit(base), W::bit(base));
        loop {
            head = stepped(frame, head, step) & over;
            if head.is_empty() {
                return run;
            }
            run |= head;
        }
    }

    /// The cells beyond the last one of a pattern that change with it.
    fn swept(
        at: &BitGrid<W, N>,
        frame: &Frame<W>,
        pattern: &Compiled,
        base: u32,
        step: Step,
        letters: u16,
    ) -> W {
        let over = cells_of(&at.planes, letters);
        let (mut run, mut head) = (W::ZERO, W::bit(Self::place_of(frame, base, pattern.shape.last)));
        loop {
            head = stepped(frame, head, step) & over;
            if head.is_empty() {
                return run;
            }
            run |= head;
        }
    }

    /// Where the second half of a move may begin so that its first cell is here, if it matches.
    fn base_from(&self, frame: &Frame<W>, at: &BitGrid<W, N>, then: &Compiled, from: u32) -> Option<u32> {
        let (down, right) = then.shape.first;
        let base = Self::cell(frame, from, (down, right), -1)?;
        let sets = sets_of(&self.program, at);
        then.matches(frame, at, &sets).has(base).then_some(base)
    }

    /// All moves of a pattern.
    #[inline]
    fn moves_of(
        &self,
        at: &BitGrid<W, N>,
        frame: &Frame<W>,
        sets: &Sets<W>,
        index: u16,
        emit: &mut impl FnMut(GridMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let pattern = &self.program.patterns[usize::from(index)];
        let plain = GridMove { pattern: index, base: 0, length: 1, then: 0, then_length: 0 };
        let found = pattern.matches(frame, at, sets);
        if pattern.plain {
            return found.cells().try_for_each(|base| emit(GridMove { base: base as u8, ..plain }));
        }
        self.longer_moves(at, frame, plain, found, &mut |mv| emit(mv))
    }

    /// The moves of a pattern that is repeated, slides, sweeps, or is followed by another. `emit` is no type of its own, so that this is
    /// compiled once for each kind of board and not for each caller.
    fn longer_moves(
        &self,
        at: &BitGrid<W, N>,
        frame: &Frame<W>,
        plain: GridMove,
        found: W,
        emit: &mut dyn FnMut(GridMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let index = plain.pattern;
        let pattern = &self.program.patterns[usize::from(index)];
        for base in found.cells() {
            let mv = GridMove { base: base as u8, ..plain };
            match pattern.shape.span {
                Span::Once | Span::Push(..) if pattern.then.is_empty() => emit(mv)?,
                Span::Sweep(step, letters, _) => {
                    let swept = Self::swept(at, frame, pattern, base, step, letters);
                    // Where nothing is swept, the same pattern along the first way is enough.
                    if !swept.is_empty() || !self.has_earlier_twin(index, at, frame, base) {
                        emit(mv)?;
                    }
                }
                Span::Repeat((down, right)) => {
                    let (mut after, mut place) = (*at, base);
                    for length in 1..=u8::MAX {
                        emit(GridMove { length, ..mv })?;
                        let Some(next) = Self::cell(frame, place, (down, right), 1) else { break };
                        Self::rewrite(&mut after, frame, pattern, place);
                        if !Self::matches_at(&after, frame, pattern, next) {
                            break;
                        }
                        place = next;
                    }
                }
                Span::Slide(step, over) => {
                    self.slides(frame, at, pattern, (step, over), base, &mut |length, last| {
                        let mv = GridMove { length, ..mv };
                        self.followed(at, frame, pattern, mv, last, emit)
                    })?
                }
                _ => {
                    let last = Self::place_of(frame, base, pattern.shape.last);
                    self.followed(at, frame, pattern, mv, last, emit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `emit` with everything that may follow the first half of a move.
    fn followed(
        &self,
        at: &BitGrid<W, N>,
        frame: &Frame<W>,
        pattern: &Compiled,
        mv: GridMove,
        last: u32,
        emit: &mut dyn FnMut(GridMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if pattern.then.is_empty() {
            return emit(mv);
        }
        let mut after = *at;
        Self::make(&mut after, frame, pattern, mv.base.into(), mv.length);
        for (index, then) in pattern.then.iter().enumerate() {
            let Some(base) = self.base_from(frame, &after, then, last) else { continue };
            let mv = GridMove { then: index as u16, then_length: 1, ..mv };
            match then.shape.span {
                Span::Slide(step, over) => {
                    self.slides(frame, &after, then, (step, over), base, &mut |length, _| {
                        emit(GridMove { then_length: length, ..mv })
                    })?
                }
                _ => emit(mv)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether an earlier pattern that sweeps nothing either does the same here.
    fn has_earlier_twin(&self, index: u16, at: &BitGrid<W, N>, frame: &Frame<W>, base: u32) -> bool {
        let pattern = &self.program.patterns[usize::from(index)];
        self.program.patterns[..usize::from(index)].iter().any(|twin| {
            let Span::Sweep(step, letters, _) = twin.shape.span else { return false };
            twin.shape.cells.len() == 1
                && twin.shape.cells == pattern.shape.cells
                && twin.players == pattern.players
                && Self::swept(at, frame, twin, base, step, letters).is_empty()
        })
    }
}

impl<W: Word + Plain, const N: usize> Rules for TextGrid<W, N> {
    type Board = BitGrid<W, N>;
    type Move = GridMove;

    fn info(&self) -> Info {
        self.program.info.clone()
    }
    fn read(&self, text: &str) -> Result<BitGrid<W, N>, BoardError> {
        Grid::read(text, &self.letters(), self.program.ragged)
    }
    fn show(&self, at: &BitGrid<W, N>) -> String {
        Grid::show(at, &self.letters(), self.program.shows_ragged)
    }
    #[inline]
    fn moves(
        &self,
        at: &BitGrid<W, N>,
        who: Player,
        emit: &mut impl FnMut(GridMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let frame = at.frame();
        let sets = sets_of(&self.program, at);
        let own = &self.program.of_player[who as usize];
        if self.program.touching.is_empty() && self.program.pairs.is_empty() {
            return own.iter().try_for_each(|&index| self.moves_of(at, &frame, &sets, index, emit));
        }
        let legal = legal::Legality::of(&self.program, at);
        let mut emit_legal = |mv: GridMove| {
            let pattern = self.pattern(&mv);
            let is_legal = legal.allows(pattern, mv.base.into(), || {
                let mut after = *at;
                Self::make(&mut after, &frame, pattern, mv.base.into(), mv.length);
                after
            });
            if is_legal { emit(mv) } else { ControlFlow::Continue(()) }
        };
        own.iter().try_for_each(|&index| self.moves_of(at, &frame, &sets, index, &mut emit_legal))
    }
    #[inline]
    fn play(&self, at: &mut BitGrid<W, N>, _who: Player, mv: &GridMove) {
        let frame = at.frame();
        let pattern = self.pattern(mv);
        let base = u32::from(mv.base);
        if pattern.plain {
            return Self::rewrite(at, &frame, pattern, base);
        }
        Self::make(at, &frame, pattern, base, mv.length);
        if let Some(then) = pattern.then.get(usize::from(mv.then)) {
            let last = last_cell::<W, N>(&frame, pattern, mv);
            if let Some(base) = Self::cell(&frame, last, then.shape.first, -1) {
                Self::make(at, &frame, then, base, mv.then_length);
            }
        }
    }
    /// The first and the last cell of the pattern; for patterns of several rows the cells that change.
    fn gesture(&self, at: &BitGrid<W, N>, who: Player, mv: &GridMove) -> Vec<Spot> {
        let (frame, pattern) = (at.frame(), self.pattern(mv));
        let base = u32::from(mv.base);
        let is_flat = pattern.shape.cells.iter().all(|cell| cell.at == (0, 0))
            || pattern.shape.first != pattern.shape.last;
        if !is_flat {
            let mut after = *at;
            self.play(&mut after, who, mv);
            return at.spots(at.changes(&after));
        }
        let first = Self::place_of(&frame, base, pattern.shape.first);
        let mut cells = vec![first];
        let mut last = last_cell::<W, N>(&frame, pattern, mv);
        match pattern.shape.span {
            Span::Sweep(step, letters, _) => {
                // The last one that falls.
                let mut swept = Self::swept(at, &frame, pattern, base, step, letters);
                while !swept.is_empty() {
                    last = Self::cell(&frame, last, step, 1).unwrap_or(last);
                    swept &= !W::bit(last);
                }
                cells.push(last);
            }
            Span::Push(step, _) => cells.push(Self::cell(&frame, first, step, 1).unwrap_or(first)),
            _ if last != first => cells.push(last),
            // Among longer patterns a single cell is pointed at twice, so that no gesture begins with another.
            _ if self.program.has_long => cells.push(first),
            _ => {}
        }
        if let Some(then) = pattern.then.get(usize::from(mv.then))
            && let Some(base) = Self::cell(&frame, last, then.shape.first, -1)
        {
            let half = GridMove { base: base as u8, length: mv.then_length, ..*mv };
            cells.push(last_cell::<W, N>(&frame, then, &half));
        }
        cells.into_iter().map(|cell| at.spot(cell)).collect()
    }
    fn scene(&self, at: &BitGrid<W, N>) -> Scene {
        Scene { look: self.program.look, ..at.scene(&self.letters()) }
    }
    fn start(&self, size: Size) -> Result<BitGrid<W, N>, BoardError> {
        start::start(&self.program, size)
    }
    #[inline]
    fn parts(&self, at: &BitGrid<W, N>, emit: &mut impl FnMut(BitGrid<W, N>)) {
        split::split(&self.program, at, &mut |set, _| emit(at.cut(set)));
    }
    fn regions(&self, at: &BitGrid<W, N>, emit: &mut impl FnMut(BitGrid<W, N>, Vec<Spot>)) {
        split::split(&self.program, at, &mut |set, own| emit(at.cut(set), at.spots(own)));
    }
    #[inline]
    fn normalise(&self, at: BitGrid<W, N>) -> (BitGrid<W, N>, Sign) {
        self.program.normaliser.normalise(at)
    }
    #[inline(always)]
    fn capabilities(&self) -> Capabilities<'_, BitGrid<W, N>, GridMove> {
        let program = &*self.program;
        Capabilities {
            scoring: (program.has_points || program.scores).then_some(self as _),
            heuristics: (!program.info.impartial).then_some(self as _),
            tabulation: program.traits.is_some().then_some(self as _),
            notation: program.has_choice.then_some(self as _),
            // What is derived from the patterns rests on moves alone; what is claimed was checked for the game itself.
            impartial_form: if program.derived { ImpartialForm::Same } else { ImpartialForm::Nothing },
            ..Capabilities::default()
        }
    }
}

/// Where the last cell of a move is.
fn last_cell<W: Word + Plain, const N: usize>(frame: &Frame<W>, pattern: &Compiled, mv: &GridMove) -> u32 {
    let last = TextGrid::<W, N>::place_of(frame, mv.base.into(), pattern.shape.last);
    match pattern.shape.span {
        Span::Slide(step, _) | Span::Repeat(step) => {
            TextGrid::<W, N>::cell(frame, last, step, i32::from(mv.length) - 1).unwrap_or(last)
        }
        _ => last,
    }
}

impl<W: Word + Plain, const N: usize> Scoring<BitGrid<W, N>, GridMove> for TextGrid<W, N> {
    fn points(&self, at: &BitGrid<W, N>, who: Player, mv: &GridMove) -> i64 {
        let (each, per_cell, beside) = &self.pattern(mv).shape.points;
        if *each == 0 {
            return 0;
        }
        let mut count = 1;
        if *per_cell {
            let mut after = *at;
            self.play(&mut after, who, mv);
            count = at.changes(&after).len();
        } else if let Some((steps, letters)) = beside {
            let frame = at.frame();
            let near = steps
                .iter()
                .fold(W::ZERO, |near, &step| near | stepped(&frame, W::bit(mv.base.into()), step));
            count = (near & cells_of(&at.planes, *letters)).len();
        }
        let points = i64::from(*each) * i64::from(count);
        if who == Player::Left { points } else { -points }
    }
    fn ends_in_score(&self) -> bool {
        self.program.scores
    }
}

/// Good moves leave the opponent few places where their patterns match. That is nearly how many moves they have, and counted without making one:
/// Konane and Fission need 2 to 50 times fewer positions to find who wins.
impl<W: Word + Plain, const N: usize> Heuristics<BitGrid<W, N>, GridMove> for TextGrid<W, N> {
    fn order_score(&self, at: &BitGrid<W, N>, who: Player, mv: &GridMove) -> i32 {
        let mut after = *at;
        self.play(&mut after, who, mv);
        let (frame, sets) = (after.frame(), sets_of(&self.program, &after));
        let replies = &self.program.of_player[who.opponent() as usize];
        let matches = |&i: &u16| self.program.patterns[usize::from(i)].matches(&frame, &after, &sets).len();
        -(replies.iter().map(matches).sum::<u32>() as i32)
    }
}

impl<W: Word + Plain, const N: usize> Tabulation<BitGrid<W, N>> for TextGrid<W, N> {
    fn grid(&self) -> GridTraits {
        let none = GridTraits { weights: &[], mirrors: false, transpose: None, swap: None };
        self.program.traits.unwrap_or(none)
    }
    fn codes(&self, at: &BitGrid<W, N>) -> Option<Codes> {
        Some(at.codes())
    }
    fn of_codes(&self, codes: &Codes) -> Option<Result<BitGrid<W, N>, BoardError>> {
        Some(BitGrid::of_codes(codes))
    }
    /// Where patterns look at nothing but stones, of which some go and none come.
    fn stone_moves(&self) -> Option<Vec<StoneMove>> {
        let program = &self.program;
        if program.info.alphabet.len() != 3
            || program.exchange != [0, 2, 1]
            || !program.touching.is_empty()
            || !program.pairs.is_empty()
        {
            return None;
        }
        let pattern = |pattern: &Compiled| -> Option<StoneMove> {
            let cell = |cell: &PatternCell| {
                let before = [1, 2].into_iter().find(|code| cell.before == 1 << code)?;
                Some((cell.at, before, cell.after.unwrap_or(before)))
            };
            let cells: Option<Vec<_>> = pattern.shape.cells.iter().map(cell).collect();
            let found = StoneMove { cells: cells.filter(|_| pattern.plain && pattern.then.is_empty())? };
            found.is_sound().then_some(found)
        };
        program.patterns.iter().filter(|compiled| compiled.players[0]).map(pattern).collect()
    }
}

/// Where one gesture can mean several letters, the letter is written too: `a1=y`.
impl<W: Word + Plain, const N: usize> Notation<BitGrid<W, N>, GridMove> for TextGrid<W, N> {
    fn move_text(&self, at: &BitGrid<W, N>, who: Player, mv: &GridMove) -> Option<String> {
        let text = gb_board::gesture_text(&self.gesture(at, who, mv));
        let mut after = *at;
        self.play(&mut after, who, mv);
        let changed = at.changes(&after);
        let letters: String = changed
            .cells()
            .map(|cell| {
                let (row, col) = after.frame().place(cell);
                self.letters().letter(after.code(row, col))
            })
            .collect();
        Some(format!("{text}={letters}"))
    }
}

impl GridProgram {
    /// Uses the coarser of two ways to take boards apart where it is as good as the finer one on small boards: it is faster.
    pub(crate) fn settle_splitting(mut self) -> Shared {
        self.settle_example();
        let coarse = match self.coarse {
            Some(coarse) if self.splitting == split::Splitting::Ever => split::Splitting::Connected(coarse),
            _ => return Arc::new(self),
        };
        let mut program = self;
        let fine = program.small_parts();
        let finer = std::mem::replace(&mut program.splitting, coarse);
        let connected = program.small_parts();
        // Fewer cells in parts, or more parts: worth the time.
        if fine.0 * 100 < connected.0 * 97 || fine.1 * 100 > connected.1 * 103 {
            program.splitting = finer;
        }
        Arc::new(program)
    }

    /// Where the text has no example, the starting position of a small size is one.
    fn settle_example(&mut self) {
        let size =
            if self.board == crate::tree::BoardKind::Strip { Size::Length(6) } else { Size::Grid(3, 3) };
        if self.info.example.is_empty() {
            let alphabet = Alphabet(self.info.alphabet);
            let text = match start::start::<u64, 4>(self, size) {
                Ok(board) => board.show(&alphabet),
                // A few cells of each letter.
                Err(_) => {
                    let (rows, cols) = size.grid();
                    let letters: Vec<char> = self
                        .info
                        .alphabet
                        .iter()
                        .filter(|(_, m)| !m.starts_with('('))
                        .map(|(l, _)| *l)
                        .collect();
                    let letter = |row: usize, col: usize| letters[(row * 2 + col) % letters.len()];
                    let line = |row: usize| (0..cols).map(|col| letter(row, col)).collect::<String>();
                    (0..rows).map(line).collect::<Vec<_>>().join("|")
                }
            };
            self.info.example = kept::text(&text);
        }
    }

    /// How many cells the parts of all small boards have, and how many parts there are.
    fn small_parts(&self) -> (u64, u64) {
        let (mut cells, mut parts) = (0, 0);
        let codes: Vec<usize> = (0..self.info.alphabet.len())
            .filter(|&code| self.info.alphabet[code].1 != "(not used)")
            .collect();
        let mut look_at = |rows: usize, cols: usize| {
            let count = codes.len().pow((rows * cols) as u32).min(20_000);
            for number in 0..count {
                let Ok(mut board) = BitGrid::<u64, 4>::blank(rows, cols) else { return };
                let mut rest = number;
                for cell in 0..rows * cols {
                    board.set((cell / cols) as u32, (cell % cols) as u32, codes[rest % codes.len()]);
                    rest /= codes.len();
                }
                split::split(self, &board, &mut |part: u64, _| {
                    cells += u64::from(part.len());
                    parts += 1;
                });
            }
        };
        look_at(1, 6);
        if self.board != crate::tree::BoardKind::Strip {
            look_at(2, 3);
        }
        (cells, parts)
    }
}
