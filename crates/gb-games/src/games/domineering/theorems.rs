//! What is known about values of Domineering without search.

use std::ops::ControlFlow;

use gb_board::{BitGrid, Spot, Word};
use gb_rules::grid::Symmetry;
use gb_rules::{BoundFeatures, Bridge, Inspection, OwnImpartialForm, Player, Sign, StaticResult, Theorems};
use gb_value::{Halt, Kernel, Value};

use super::bands;
use super::ends::{emit_or_count, has_thin_three, thin, without_corridors};
use super::needless::needed;
use super::race::{Count, Others, Race};
use super::{Domineering, domino, places};
use crate::shared::ring::{Hole, stays_whole};

/// Ends beyond bridges are tried up to this size: they are soon known all, so that the trial costs little.
const LARGEST_END: u32 = 7;

impl<W: Word> Theorems<BitGrid<W>, u32> for Domineering<W> {
    fn known(&self, at: &BitGrid<W>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        Ok(match (at.rows, at.cols) {
            (1, length) if at.planes[0].len() == u32::from(length) => {
                Some(kernel.integer(-i64::from(length / 2)))
            }
            (length, 1) if at.planes[0].len() == u32::from(length) => {
                Some(kernel.integer(i64::from(length / 2)))
            }
            _ => None,
        })
    }
    fn bounds(&self, at: &BitGrid<W>) -> (Option<i64>, Option<i64>) {
        let [left, right] = Race::both(at);
        (Some(left.lead(&right, false)), Some(-right.lead(&left, false)))
    }
    fn features(&self, at: &BitGrid<W>) -> BoundFeatures {
        BoundFeatures(Race::both(at).map(Race::counts))
    }
    fn static_result(
        &self,
        features: &BoundFeatures,
        (low, high): (i64, i64),
        first: Player,
    ) -> StaticResult {
        let races = features.0.map(Race::from_counts);
        result_of(Others { races, low, high, first }.count_all())
    }
    fn inspect_moves(
        &self,
        at: &BitGrid<W>,
        who: Player,
        inspection: &Inspection<'_>,
        emit: &mut dyn FnMut(u32, BitGrid<W>, StaticResult) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let &Inspection { sign, to_win, .. } = inspection;
        let (others, mut frame, upright) = (others(inspection), at.frame(), who == Player::Left);
        let (empty, heads) = (at.planes[0], places(at, who));
        let mut emit = |cell, left, count| emit(cell, BitGrid { planes: [left], ..*at }, result_of(count));
        if !to_win {
            let negative = sign == Sign::Minus;
            return Some(others.count_moves(&frame, (empty, heads), upright, negative, &mut emit));
        }
        let cells = (empty, needed(&frame, empty, heads, upright));
        // Compiled for the usual strides, since this is most of what a node costs in the search for a winner.
        Some(match frame.stride {
            8 => {
                frame.stride = 8;
                others.weigh_moves(&frame, cells, upright, &mut emit)
            }
            9 => {
                frame.stride = 9;
                others.weigh_moves(&frame, cells, upright, &mut emit)
            }
            _ => others.weigh_moves(&frame, cells, upright, &mut emit),
        })
    }
    fn wins_on_sight(
        &self,
        at: &BitGrid<W>,
        who: Player,
        inspection: &Inspection<'_>,
        hint: &mut u64,
    ) -> bool {
        let (others, mut frame, upright) = (others(inspection), at.frame(), who == Player::Left);
        let cells = (at.planes[0], needed(&frame, at.planes[0], places(at, who), upright));
        match frame.stride {
            8 => {
                frame.stride = 8;
                others.sees_win(&frame, cells, upright, hint)
            }
            9 => {
                frame.stride = 9;
                others.sees_win(&frame, cells, upright, hint)
            }
            _ => others.sees_win(&frame, cells, upright, hint),
        }
    }
    /// Most moves leave a part whole, which is seen from the cells around the domino.
    #[inline]
    fn parts_after(
        &self,
        part: &BitGrid<W>,
        who: Player,
        mv: &u32,
        emit: &mut dyn FnMut(BitGrid<W>),
    ) -> Option<i64> {
        let frame = part.frame();
        let left = part.planes[0] & !domino(&frame, who, *mv);
        let after = BitGrid { planes: [left], ..*part };
        let hole = if who == Player::Left { Hole::Upright } else { Hole::Lying };
        if !stays_whole(&frame, left, *mv, hole) || has_thin_three(&frame, left) {
            return Some(without_corridors(&after, &mut |part| emit(part)));
        }
        Some(if left.is_empty() { 0 } else { emit_or_count(after.cut(left), &mut |part| emit(part)) })
    }
    fn bands(&self, at: &BitGrid<W>, who: Player, width: u32, emit: &mut dyn FnMut(BitGrid<W>)) -> bool {
        bands::emit(at, who, width, emit);
        true
    }
    /// Bridge splitting (Uiterwijk and Barton, New results for Domineering from combinatorial game theory endgame
    /// databases, 2015): let a cell `c` without upright neighbours join `G` and `H` in a row. If adding `c` to `G` does
    /// not change the value of `G`, then the whole is `G` plus `H` with `c`.
    ///
    /// It is not more than that for Left, since it only adds a place for Right. And it is not less: Left, moving second,
    /// plays `G` with `c` against `-G` as if `H` were not there, and `H` with `c` against its negative by symmetry; if
    /// Right covers `c` together with a cell of `G`, then `H` has lost a cell that only Right could use.
    fn bridges(&self, part: &BitGrid<W>, emit: &mut dyn FnMut(Bridge<BitGrid<W>>)) {
        let (frame, cells) = (part.frame(), part.planes[0]);
        let (lying, upright) = thin(&frame, cells);
        let lying = lying & frame.east(cells) & frame.west(cells);
        let upright = upright & frame.north(cells) & frame.south(cells);
        for cell in (lying | upright).cells() {
            let bridge = W::bit(cell);
            let others = cells & !bridge;
            let neighbours = frame.around4(bridge) & others;
            let side = frame.flood4(W::bit(neighbours.first()), others);
            if side & neighbours == neighbours {
                continue;
            }
            for end in [side, others & !side] {
                if end.len() <= LARGEST_END {
                    let [end, longer_end, rest] = [end, end | bridge, cells & !end].map(|set| part.cut(set));
                    emit(Bridge { end, longer_end, rest });
                }
            }
        }
    }
}

fn others(inspection: &Inspection<'_>) -> Others {
    let &Inspection { others, rest: (low, high), first, .. } = inspection;
    Others { races: others.0.map(Race::from_counts), low, high, first }
}

fn result_of(count: Count) -> StaticResult {
    match count {
        Count::Winner(player) => StaticResult::Winner(player),
        Count::Ahead(by) => StaticResult::Eval(by as i32),
    }
}

/// As in Cram, connected cells and no more: dead ends and corridors are integers only where each belongs to one player.
fn impartial_components<W: Word>(at: &BitGrid<W>) -> impl Iterator<Item = W> {
    at.frame().components4(at.planes[0]).filter(|part| part.len() > 1)
}

impl<W: Word> OwnImpartialForm<BitGrid<W>> for Domineering<W> {
    fn parts(&self, at: &BitGrid<W>, emit: &mut dyn FnMut(BitGrid<W>)) {
        impartial_components(at).for_each(|part| emit(at.cut(part)));
    }
    fn regions(&self, at: &BitGrid<W>, emit: &mut dyn FnMut(BitGrid<W>, Vec<Spot>)) {
        impartial_components(at).for_each(|part| emit(at.cut(part), at.spots(part)));
    }
    fn normalise(&self, at: BitGrid<W>) -> BitGrid<W> {
        Symmetry::Images.normalise(at).0
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use gb_rules::Rules;

    use super::*;

    /// The parts of `parts_after`, against making the move and taking the board apart.
    fn check_moves<W: Word>(rules: Domineering<W>, at: &BitGrid<W>) {
        for who in Player::BOTH {
            let _ = rules.moves(at, who, &mut |mv| {
                let (mut fast, mut plain) = (vec![], vec![]);
                let mut number = rules.parts_after(at, who, &mv, &mut |part| fast.push(part)).unwrap();
                let mut next = *at;
                rules.play(&mut next, who, &mv);
                Rules::parts(&rules, &next, &mut |part| match (part.rows, part.cols) {
                    (rows, 1) => number -= i64::from(rows / 2),
                    (1, cols) => number += i64::from(cols / 2),
                    _ => plain.push(part),
                });
                assert_eq!((fast, number), (plain, 0), "{} {who:?} {mv}", rules.show(at));
                ControlFlow::Continue(())
            });
        }
    }

    #[test]
    fn what_a_move_leaves_is_what_the_board_falls_into() {
        let small = Domineering::<u64>::default();
        for (rows, cols) in [(3, 4), (4, 3), (2, 7), (4, 4)] {
            for cells in 0..1u64 << (rows * cols) {
                let mut board = BitGrid::<u64>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    board.set((i / cols) as u32, (i % cols) as u32, (cells >> i & 1) as usize);
                }
                Rules::parts(&small, &board, &mut |part| check_moves(small, &part));
            }
        }
        let mut random = gb_board::Random::new(1, 0);
        for (rows, cols) in [(7, 7), (8, 8), (7, 8), (8, 5), (6, 7), (3, 20)] {
            for _ in 0..300 {
                let mut board = BitGrid::<u64>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    board.set((i / cols) as u32, (i % cols) as u32, usize::from(random.below(4) > 0));
                }
                Rules::parts(&small, &board, &mut |part| check_moves(small, &part));
            }
        }
        let rules = Domineering::<u128>::default();
        let large = rules.read(&["..#......."; 9].join("|")).unwrap();
        Rules::parts(&rules, &large, &mut |part| check_moves(rules, &part));
    }

    /// What is said of all moves at once, against making each of them and counting everything.
    fn check_inspection<W: Word>(
        rules: Domineering<W>,
        rows: usize,
        cols: usize,
        random: &mut gb_board::Random,
    ) -> (usize, usize, usize) {
        let (mut missed, mut decided, mut on_sight) = (0, 0, 0);
        let mut board = || {
            let mut board = BitGrid::<W>::blank(rows, cols).unwrap();
            for i in 0..rows * cols {
                board.set((i / cols) as u32, (i % cols) as u32, usize::from(random.below(4) > 0));
            }
            board
        };
        let (at, other) = (board(), board());
        let beside = [BoundFeatures::default(), rules.features(&other), rules.features(&at).turned()];
        for (who, first) in Player::BOTH.into_iter().flat_map(|who| Player::BOTH.map(|first| (who, first))) {
            for (others, sign) in
                beside.iter().flat_map(|beside| [(beside, Sign::Plus), (beside, Sign::Minus)])
            {
                for rest in [(0, 0), (-3, 1), (2, 4), (i64::MIN, i64::MAX)] {
                    let (mut said, mut plain) = (vec![], vec![]);
                    let inspection = Inspection { others, sign, rest, first, to_win: false };
                    let flow = rules.inspect_moves(&at, who, &inspection, &mut |mv, after, result| {
                        said.push((mv, after, result));
                        ControlFlow::Continue(())
                    });
                    assert_eq!(flow, Some(ControlFlow::Continue(())));
                    let mover = first.opponent();
                    if (who == mover) == (sign == Sign::Plus) {
                        let mut said = said.iter();
                        let weighing = Inspection { to_win: true, ..inspection };
                        let _ = rules.inspect_moves(&at, who, &weighing, &mut |mv, after, result| {
                            let plain = said.find(|plain| plain.0 == mv).unwrap();
                            assert_eq!(after, plain.1);
                            match (result, plain.2) {
                                (StaticResult::Eval(_), StaticResult::Winner(_)) => {}
                                (StaticResult::Winner(winner), _) => {
                                    assert_eq!(winner, mover);
                                    on_sight += 1;
                                }
                                (result, plain) => assert_eq!(result, plain),
                            }
                            ControlFlow::Continue(())
                        });
                    }
                    // A win on sight is a win by inspection, before the move or after one.
                    if (who == mover) == (sign == Sign::Plus)
                        && rules.wins_on_sight(&at, who, &inspection, &mut 5)
                    {
                        let features = rules.features(&at);
                        let features = if sign == Sign::Plus { features } else { features.turned() };
                        let before = rules.static_result(&others.plus(features), rest, mover);
                        let mut wins = before == StaticResult::Winner(mover);
                        let _ = rules.moves(&at, who, &mut |mv| {
                            let mut after = at;
                            rules.play(&mut after, who, &mv);
                            let features = rules.features(&after);
                            let features = if sign == Sign::Plus { features } else { features.turned() };
                            let result = rules.static_result(&others.plus(features), rest, first);
                            wins |= result == StaticResult::Winner(mover);
                            ControlFlow::Continue(())
                        });
                        assert!(wins, "{} {who:?} {first:?} {sign:?} {rest:?}", rules.show(&at));
                        on_sight += 1;
                    }
                    let _ = rules.moves(&at, who, &mut |mv| {
                        let mut after = at;
                        rules.play(&mut after, who, &mv);
                        let features = rules.features(&after);
                        let features = if sign == Sign::Plus { features } else { features.turned() };
                        let result = rules.static_result(&others.plus(features), rest, first);
                        plain.push((mv, after, result));
                        ControlFlow::Continue(())
                    });
                    assert_eq!(said.len(), plain.len());
                    for (said, plain) in said.into_iter().zip(plain) {
                        let place = format!("{} {who:?} {first:?} {sign:?} {rest:?}", rules.show(&at));
                        assert_eq!((said.0, said.1), (plain.0, plain.1), "{place}");
                        decided += usize::from(matches!(plain.2, StaticResult::Winner(_)));
                        // What takes long is sometimes not counted.
                        match said.2 {
                            StaticResult::Eval(_) if matches!(plain.2, StaticResult::Winner(_)) => {
                                missed += 1
                            }
                            result => assert_eq!(result, plain.2, "{place}"),
                        }
                    }
                }
            }
        }
        (missed, decided, on_sight)
    }

    /// Every winner that is named is the one that all counts name, and few are missed.
    #[test]
    fn inspecting_all_moves_is_inspecting_each() {
        let (mut missed, mut decided, mut on_sight) = (0, 0, 0);
        let mut tally = |(more_missed, more_decided, more_on_sight)| {
            missed += more_missed;
            decided += more_decided;
            on_sight += more_on_sight;
        };
        let mut random = gb_board::Random::new(5, 0);
        for _ in 0..30 {
            for (rows, cols) in [(1, 9), (3, 4), (5, 5), (7, 8), (8, 8), (4, 16), (9, 7), (30, 2)] {
                tally(check_inspection(Domineering::<u64>::default(), rows, cols, &mut random));
            }
            for (rows, cols) in [(8, 8), (8, 9), (9, 8), (9, 9), (10, 10), (11, 11), (3, 40)] {
                tally(check_inspection(Domineering::<u128>::default(), rows, cols, &mut random));
            }
        }
        assert!(missed * 20 < decided, "{missed} of {decided}");
        assert!(on_sight > 100, "{on_sight}");
    }
}
