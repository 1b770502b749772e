//! What the engine asks of rules, answered in the ordinary way wherever a game has no better one.

use std::ops::ControlFlow;

use gb_board::Spot;
use gb_value::{Halt, Kernel, Player, Value};
use smallvec::SmallVec;

use super::Inspection;
use crate::{BoundFeatures, Rules, Sign, StaticResult};

/// Parts with so many moves are large, whichever of them has more. To count the moves of every option of a heap of 65,535 would
/// take half a minute.
const MANY_MOVES: u32 = 250;

/// The rules with the ordinary way wherever a game has no better one.
pub(super) trait WithDefaults: Rules {
    #[inline]
    fn points(&self, at: &Self::Board, who: Player, mv: &Self::Move) -> i64 {
        self.capabilities().scoring.map_or(0, |scoring| scoring.points(at, who, mv))
    }
    #[inline]
    fn ends_in_score(&self) -> bool {
        self.capabilities().scoring.is_some_and(|scoring| scoring.ends_in_score())
    }
    #[inline]
    fn has_global_wins(&self) -> bool {
        self.capabilities().global_wins.is_some()
    }
    #[inline]
    fn global_win(&self, at: &Self::Board) -> Option<Player> {
        self.capabilities().global_wins?.global_win(at)
    }
    /// [`Rules::parts`], compiled once for each game and not for each caller: how a board is taken apart is most of its code, and
    /// there are few parts to call back for.
    #[inline(never)]
    fn each_part(&self, at: &Self::Board, emit: &mut dyn FnMut(Self::Board)) {
        self.parts(at, &mut |part| emit(part));
    }
    /// [`Rules::regions`], compiled once.
    #[inline(never)]
    fn each_region(&self, at: &Self::Board, emit: &mut dyn FnMut(Self::Board, Vec<Spot>)) {
        self.regions(at, &mut |part, spots| emit(part, spots));
    }
    /// [`Rules::moves`], compiled once, for callers that are not in a hurry.
    #[inline(never)]
    fn each_move(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut dyn FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.moves(at, who, &mut |mv| emit(mv))
    }
    #[inline]
    fn parts_after(
        &self,
        part: &Self::Board,
        who: Player,
        mv: &Self::Move,
        emit: &mut impl FnMut(Self::Board),
    ) -> i64 {
        if let Some(theorems) = self.capabilities().theorems
            && let Some(number) = theorems.parts_after(part, who, mv, emit)
        {
            return number;
        }
        let mut next = part.clone();
        self.play(&mut next, who, mv);
        self.each_part(&next, emit);
        self.points(part, who, mv)
    }
    #[inline]
    fn known(&self, at: &Self::Board, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        self.capabilities().theorems.map_or(Ok(None), |theorems| theorems.known(at, kernel))
    }
    #[inline]
    fn bounds(&self, at: &Self::Board) -> (Option<i64>, Option<i64>) {
        self.capabilities().theorems.map_or((None, None), |theorems| theorems.bounds(at))
    }
    #[inline]
    fn features(&self, at: &Self::Board) -> BoundFeatures {
        self.capabilities()
            .theorems
            .map_or(BoundFeatures::of_bounds((None, None)), |theorems| theorems.features(at))
    }
    #[inline]
    fn static_result(&self, features: &BoundFeatures, rest: (i64, i64), first: Player) -> StaticResult {
        match self.capabilities().theorems {
            Some(theorems) => theorems.static_result(features, rest, first),
            None => features.by_bounds(rest, first),
        }
    }
    /// What inspection says of a sum after a move that has left this board and earned these points.
    #[inline]
    fn inspect(&self, after: &Self::Board, points: i64, inspection: &Inspection<'_>) -> StaticResult {
        let &Inspection { others, sign, rest: (low, high), first, .. } = inspection;
        let (features, points) = match sign {
            Sign::Plus => (self.features(after), points),
            Sign::Minus => (self.features(after).turned(), -points),
        };
        let rest = (low.saturating_add(points), high.saturating_add(points));
        self.static_result(&others.plus(features), rest, first)
    }
    #[inline]
    fn order_score(&self, at: &Self::Board, who: Player, mv: &Self::Move) -> i32 {
        self.capabilities().heuristics.map_or(0, |heuristics| heuristics.order_score(at, who, mv))
    }
    #[inline]
    fn static_eval(&self, at: &Self::Board) -> i32 {
        let eval = self.capabilities().heuristics.and_then(|heuristics| heuristics.static_eval(at));
        let [left, right] = Player::BOTH;
        eval.unwrap_or_else(|| self.count_moves(at, left) as i32 - self.count_moves(at, right) as i32)
    }
    #[inline]
    fn size(&self, at: &Self::Board) -> usize {
        let size = self.capabilities().heuristics.and_then(|heuristics| heuristics.size(at));
        size.unwrap_or_else(|| {
            2 * Player::BOTH
                .map(|who| self.count_moves_up_to(at, who, MANY_MOVES) as usize)
                .iter()
                .sum::<usize>()
        })
    }
    #[inline]
    fn count_moves(&self, at: &Self::Board, who: Player) -> u32 {
        self.count_moves_up_to(at, who, u32::MAX)
    }
    /// How many moves a player has, or `most` if there are more than anybody cares about.
    fn count_moves_up_to(&self, at: &Self::Board, who: Player, most: u32) -> u32 {
        if let Some(sampling) = self.capabilities().sampling {
            return sampling.count_moves(at, who);
        }
        let mut count = 0;
        let _ = self.moves(at, who, &mut |_| {
            count += 1;
            if count < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        count
    }
    #[inline]
    fn random_move(
        &self,
        at: &Self::Board,
        who: Player,
        below: &mut dyn FnMut(u32) -> u32,
    ) -> Option<Self::Move> {
        if let Some(sampling) = self.capabilities().sampling {
            return sampling.random_move(at, who, below);
        }
        let mut moves: SmallVec<[Self::Move; 32]> = SmallVec::new();
        let _ = self.each_move(at, who, &mut |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        if moves.is_empty() {
            return None;
        }
        let chosen = below(moves.len() as u32) as usize;
        Some(moves.swap_remove(chosen))
    }
}

impl<R: Rules> WithDefaults for R {}
