//! The players have swapped sides.

use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_value::{Dyadic, Halt, Kernel, Value};

use crate::{
    BoundFeatures, GlobalWins, Heuristics, Info, Notation, Player, Rules, Sampling, Scoring, Sign,
    StaticResult, Theorems,
};

/// The negative of a game: Left makes the moves of Right, and Right those of Left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Negative<R>(pub R);

impl<R: Rules> Rules for Negative<R> {
    type Board = R::Board;
    type Move = R::Move;

    fn info(&self) -> Info {
        let info = self.0.info();
        Info { name: format!("negative({})", info.name), ..info }
    }
    fn read(&self, text: &str) -> Result<R::Board, BoardError> {
        self.0.read(text)
    }
    fn show(&self, at: &R::Board) -> String {
        self.0.show(at)
    }
    fn moves(
        &self,
        at: &R::Board,
        who: Player,
        emit: &mut impl FnMut(R::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.moves(at, who.opponent(), emit)
    }
    fn play(&self, at: &mut R::Board, who: Player, mv: &R::Move) {
        self.0.play(at, who.opponent(), mv);
    }
    fn gesture(&self, at: &R::Board, who: Player, mv: &R::Move) -> Vec<Spot> {
        self.0.gesture(at, who.opponent(), mv)
    }
    fn scene(&self, at: &R::Board) -> Scene {
        self.0.scene(at)
    }
    fn start(&self, size: Size) -> Result<R::Board, BoardError> {
        self.0.start(size)
    }
    fn parts(&self, at: &R::Board, emit: &mut impl FnMut(R::Board)) {
        self.0.parts(at, emit);
    }
    fn regions(&self, at: &R::Board, emit: &mut impl FnMut(R::Board, Vec<Spot>)) {
        self.0.regions(at, emit);
    }
    fn normalise(&self, at: R::Board) -> (R::Board, Sign) {
        self.0.normalise(at)
    }

    fn theorems(&self) -> Option<&dyn Theorems<R::Board, R::Move>> {
        self.0.theorems().map(|_| self as _)
    }
    fn scoring(&self) -> Option<&dyn Scoring<R::Board, R::Move>> {
        self.0.scoring().map(|_| self as _)
    }
    fn global_wins(&self) -> Option<&dyn GlobalWins<R::Board>> {
        self.0.global_wins().map(|_| self as _)
    }
    fn heuristics(&self) -> Option<&dyn Heuristics<R::Board, R::Move>> {
        self.0.heuristics().map(|_| self as _)
    }
    fn notation(&self) -> Option<&dyn Notation<R::Board, R::Move>> {
        self.0.notation().map(|_| self as _)
    }
    fn sampling(&self) -> Option<&dyn Sampling<R::Board, R::Move>> {
        self.0.sampling().map(|_| self as _)
    }
}

/// What holds for a game holds for its negative with the players exchanged. Ways to take parts apart that depend on which player
/// moves where are left out.
impl<R: Rules> Theorems<R::Board, R::Move> for Negative<R> {
    fn known(&self, at: &R::Board, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        match self.0.theorems() {
            Some(theorems) => theorems.known(at, kernel)?.map(|value| kernel.neg(value)).transpose(),
            None => Ok(None),
        }
    }
    fn bounds(&self, at: &R::Board) -> (Option<i64>, Option<i64>) {
        let (low, high) = self.0.theorems().map_or((None, None), |theorems| theorems.bounds(at));
        (high.map(|n| -n), low.map(|n| -n))
    }
    fn features(&self, at: &R::Board) -> BoundFeatures {
        self.0
            .theorems()
            .map_or(BoundFeatures::of_bounds((None, None)), |theorems| theorems.features(at))
            .turned()
    }
    fn static_result(
        &self,
        features: &BoundFeatures,
        (low, high): (i64, i64),
        first: Player,
    ) -> StaticResult {
        let turn = |n: i64| n.checked_neg().unwrap_or(i64::MAX);
        let (features, rest, first) = (features.turned(), (turn(high), turn(low)), first.opponent());
        match self.0.theorems() {
            Some(theorems) => theorems.static_result(&features, rest, first),
            None => features.by_bounds(rest, first),
        }
        .turned()
    }
}

impl<R: Rules> Scoring<R::Board, R::Move> for Negative<R> {
    fn points(&self, at: &R::Board, who: Player, mv: &R::Move) -> i64 {
        -self.0.scoring().map_or(0, |scoring| scoring.points(at, who.opponent(), mv))
    }
    fn ends_in_score(&self) -> bool {
        self.0.scoring().is_some_and(|scoring| scoring.ends_in_score())
    }
    fn estimate(&self, at: &R::Board) -> Option<Dyadic> {
        self.0.scoring()?.estimate(at).map(|x| -x)
    }
}

impl<R: Rules> GlobalWins<R::Board> for Negative<R> {
    fn global_win(&self, at: &R::Board) -> Option<Player> {
        self.0.global_wins()?.global_win(at).map(Player::opponent)
    }
}

impl<R: Rules> Heuristics<R::Board, R::Move> for Negative<R> {
    fn order_score(&self, at: &R::Board, who: Player, mv: &R::Move) -> i32 {
        self.0.heuristics().map_or(0, |heuristics| heuristics.order_score(at, who.opponent(), mv))
    }
    fn move_prior(&self, at: &R::Board, who: Player, mv: &R::Move) -> Option<i32> {
        self.0.heuristics()?.move_prior(at, who.opponent(), mv)
    }
    fn static_eval(&self, at: &R::Board) -> Option<i32> {
        self.0.heuristics()?.static_eval(at).map(|eval| -eval)
    }
    fn size(&self, at: &R::Board) -> Option<usize> {
        self.0.heuristics()?.size(at)
    }
}

impl<R: Rules> Sampling<R::Board, R::Move> for Negative<R> {
    fn count_moves(&self, at: &R::Board, who: Player) -> u32 {
        self.0.sampling().map_or(0, |sampling| sampling.count_moves(at, who.opponent()))
    }
    fn random_move(&self, at: &R::Board, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<R::Move> {
        self.0.sampling()?.random_move(at, who.opponent(), below)
    }
}

impl<R: Rules> Notation<R::Board, R::Move> for Negative<R> {
    fn move_text(&self, at: &R::Board, who: Player, mv: &R::Move) -> Option<String> {
        self.0.notation()?.move_text(at, who.opponent(), mv)
    }
    fn to_play(&self, at: &R::Board) -> Option<Player> {
        self.0.notation()?.to_play(at).map(Player::opponent)
    }
    fn why_illegal(&self, at: &R::Board, who: Player, text: &str) -> Option<String> {
        self.0.notation()?.why_illegal(at, who.opponent(), text)
    }
}
