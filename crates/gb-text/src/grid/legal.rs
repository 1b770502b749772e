//! What must hold after a move: groups that touch something.

use gb_board::{BitGrid, Frame, Word};

use super::compile::{Compiled, GridProgram};
use super::view::{cells_of, seen_from, stepped};
use crate::pattern::neighbours;
use crate::tree::{BoardKind, LetterSet};

/// The groups of a board, for those who ask whether moves are legal.
pub(super) struct Legality<'a, W> {
    program: &'a GridProgram,
    frame: Frame<W>,
    rules: Vec<Groups<W>>,
}

/// The groups of one rule.
struct Groups<W> {
    /// What a group has to touch.
    near: W,
    /// Members of groups that touch two cells or more, so that one of these may be lost.
    rich: W,
    /// The only cells that groups touch which touch just one.
    last: W,
    /// Some group touches nothing.
    dead: bool,
}

/// The neighbours of a set of cells.
fn around<W: Word>(board: BoardKind, frame: &Frame<W>, cells: W) -> W {
    match board {
        BoardKind::Grid => frame.around4(cells),
        _ => neighbours(board, false).iter().fold(W::ZERO, |all, &step| all | stepped(frame, cells, step)),
    }
}

fn group<W: Word>(board: BoardKind, frame: &Frame<W>, seed: W, within: W) -> W {
    if board == BoardKind::Grid {
        return frame.flood4(seed, within);
    }
    let mut set = seed;
    loop {
        let next = set | (around(board, frame, set) & within);
        if next == set {
            return set;
        }
        set = next;
    }
}

impl<'a, W: Word> Legality<'a, W> {
    pub(super) fn of<const N: usize>(program: &'a GridProgram, at: &BitGrid<W, N>) -> Self {
        let frame = at.frame();
        let rules = program.touching.iter().map(|&(members, near)| {
            let (members, near) = (cells_of(&at.planes, members), cells_of(&at.planes, near));
            let mut groups = Groups { near, rich: W::ZERO, last: W::ZERO, dead: false };
            let mut left = members;
            if program.board == BoardKind::Grid {
                // Members between two cells that they may touch need no counting.
                groups.rich = frame.flood4(members & frame.between4(near), members);
                left &= !groups.rich;
            }
            while !left.is_empty() {
                let part = group(program.board, &frame, W::bit(left.first()), left);
                left &= !part;
                let touched = around(program.board, &frame, part) & near;
                match touched.len() {
                    0 => groups.dead = true,
                    1 => groups.last |= touched,
                    _ => groups.rich |= part,
                }
            }
            groups
        });
        Legality { program, frame, rules: rules.collect() }
    }

    /// Whether the rules hold after a move; `after` makes it.
    pub(super) fn allows<const N: usize>(
        &self,
        pattern: &Compiled,
        base: u32,
        after: impl FnOnce() -> BitGrid<W, N>,
    ) -> bool {
        match single(pattern) {
            _ if !self.program.pairs.is_empty() => self.by_hand(after),
            Some((before, letter)) if self.is_simple(before, letter) => {
                self.program.touching.iter().zip(&self.rules).all(|(&(members, _), groups)| {
                    self.placed(groups, W::bit(base), members >> letter & 1 == 1)
                })
            }
            _ => self.by_hand(after),
        }
    }

    /// Whether for every rule a cell that is touched becomes one that is not.
    #[inline]
    fn is_simple(&self, before: LetterSet, letter: u8) -> bool {
        let simple = |&(members, near): &(LetterSet, LetterSet)| {
            before & !near == 0 && before & members == 0 && near >> letter & 1 == 0
        };
        self.program.touching.iter().all(simple)
    }

    /// Whether the groups of one rule still touch something when a cell that they could touch has been filled, perhaps by a
    /// member. Groups beside the cell touch it; those that touch nothing else are lost, unless the cell joins them to another
    /// group that does, or touches something itself.
    fn placed(&self, groups: &Groups<W>, cell: W, is_member: bool) -> bool {
        if groups.dead {
            return false;
        }
        if !is_member {
            return !groups.last.meets(cell);
        }
        let beside = around(self.program.board, &self.frame, cell);
        beside.meets(groups.near & !cell) || beside.meets(groups.rich)
    }

    /// By making the move and looking at all groups.
    fn by_hand<const N: usize>(&self, after: impl FnOnce() -> BitGrid<W, N>) -> bool {
        let after = after();
        if has_dead_pair(self.program, &after) {
            return false;
        }
        self.program.touching.iter().all(|&(members, near)| {
            let (members, near) = (cells_of(&after.planes, members), cells_of(&after.planes, near));
            let mut left = members;
            while !left.is_empty() {
                let part = group(self.program.board, &self.frame, W::bit(left.first()), left);
                left &= !part;
                if !around(self.program.board, &self.frame, part).meets(near) {
                    return false;
                }
            }
            true
        })
    }
}

/// Whether a group touches nothing that it has to touch.
pub(super) fn has_dead_group<W: Word, const N: usize>(program: &GridProgram, at: &BitGrid<W, N>) -> bool {
    let frame = at.frame();
    has_dead_pair(program, at)
        || program.touching.iter().any(|&(members, near)| {
            let (members, near) = (cells_of(&at.planes, members), cells_of(&at.planes, near));
            let alive = members & around(program.board, &frame, near);
            alive != members && group(program.board, &frame, alive, members) != members
        })
}

/// Whether neither cell of a pair touches what one of them has to touch.
fn has_dead_pair<W: Word, const N: usize>(program: &GridProgram, at: &BitGrid<W, N>) -> bool {
    let frame = at.frame();
    program.pairs.iter().any(|pair| {
        let alone = !around(program.board, &frame, cells_of(&at.planes, pair.near));
        let [one, other] = [pair.one, pair.other].map(|codes| cells_of(&at.planes, codes) & alone);
        one.meets(seen_from(&frame, other, pair.step))
    })
}

/// What a move of a single cell needs and puts there.
#[inline]
fn single(pattern: &Compiled) -> Option<(LetterSet, u8)> {
    match pattern.shape.cells.as_slice() {
        [cell] if pattern.plain => Some((cell.before, cell.after?)),
        _ => None,
    }
}
