//! The players have swapped sides.

use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_value::{Dyadic, Halt, Kernel, Value};

use crate::{
    BoundFeatures, Bridge, Game, GlobalWins, Heuristics, Info, Key, MoveKey, Notation, Player, Rules,
    Sampling, Scoring, Sign, StaticResult, Theorems,
};

/// The negative of a game: Left makes the moves of Right, and Right those of Left. What holds for the game holds here with the
/// players exchanged.
#[derive(Clone, Debug)]
pub(super) struct Negative<const N: usize>(pub(super) Game<N>);

impl<const N: usize> Rules for Negative<N> {
    type Board = Key<N>;
    type Move = MoveKey;

    fn info(&self) -> Info {
        let info = self.0.info();
        Info { name: format!("negative({})", info.name), ..info }
    }
    fn read(&self, text: &str) -> Result<Key<N>, BoardError> {
        self.0.read(text)
    }
    fn show(&self, at: &Key<N>) -> String {
        self.0.show(at)
    }
    fn moves(
        &self,
        at: &Key<N>,
        who: Player,
        emit: &mut impl FnMut(MoveKey) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.moves(at, who.opponent(), emit)
    }
    fn play(&self, at: &mut Key<N>, who: Player, mv: &MoveKey) {
        *at = self.0.play(at, who.opponent(), *mv).0;
    }
    fn gesture(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> Vec<Spot> {
        self.0.gesture(at, who.opponent(), *mv)
    }
    fn scene(&self, at: &Key<N>) -> Scene {
        self.0.scene(at)
    }
    fn start(&self, size: Size) -> Result<Key<N>, BoardError> {
        self.0.start(size)
    }
    fn parts(&self, at: &Key<N>, emit: &mut impl FnMut(Key<N>)) {
        let mut parts = vec![];
        self.0.parts(at, &mut parts);
        parts.into_iter().for_each(emit);
    }
    fn regions(&self, at: &Key<N>, emit: &mut impl FnMut(Key<N>, Vec<Spot>)) {
        self.0.regions(at).into_iter().for_each(|(part, spots)| emit(part, spots));
    }
    fn normalise(&self, at: Key<N>) -> (Key<N>, Sign) {
        self.0.normalise(&at)
    }
    fn global_wins(&self) -> Option<&dyn GlobalWins<Key<N>>> {
        self.0.has_global_wins().then_some(self as _)
    }
    fn is_misere(&self) -> bool {
        self.0.is_misere()
    }
    fn scoring(&self) -> Option<&dyn Scoring<Key<N>, MoveKey>> {
        self.0.counts_points().then_some(self as _)
    }
    crate::has!(theorems, heuristics, sampling, notation);
}

impl<const N: usize> Theorems<Key<N>, MoveKey> for Negative<N> {
    fn known(&self, at: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        self.0.known(at, kernel)?.map(|value| kernel.neg(value)).transpose()
    }
    fn bounds(&self, at: &Key<N>) -> (Option<i64>, Option<i64>) {
        let (low, high) = self.0.bounds(at);
        (high.map(|n| -n), low.map(|n| -n))
    }
    fn features(&self, at: &Key<N>) -> BoundFeatures {
        self.0.features(at).turned()
    }
    fn static_result(
        &self,
        features: &BoundFeatures,
        (low, high): (i64, i64),
        first: Player,
    ) -> StaticResult {
        let turn = |n: i64| n.checked_neg().unwrap_or(i64::MAX);
        self.0.static_result(&features.turned(), (turn(high), turn(low)), first.opponent()).turned()
    }
    fn parts_after(
        &self,
        part: &Key<N>,
        who: Player,
        mv: &MoveKey,
        emit: &mut dyn FnMut(Key<N>),
    ) -> Option<i64> {
        let mut left = vec![];
        let number = self.0.parts_after(part, who.opponent(), *mv, &mut left);
        left.into_iter().for_each(emit);
        Some(-number)
    }
    fn bridges(&self, part: &Key<N>, emit: &mut dyn FnMut(Bridge<Key<N>>)) {
        let mut bridges = vec![];
        self.0.bridges(part, &mut bridges);
        bridges.into_iter().for_each(emit);
    }
}

impl<const N: usize> Scoring<Key<N>, MoveKey> for Negative<N> {
    fn points(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> i64 {
        -self.0.play(at, who.opponent(), *mv).1
    }
    fn ends_in_score(&self) -> bool {
        self.0.ends_in_score()
    }
    fn estimate(&self, at: &Key<N>) -> Option<Dyadic> {
        self.0.estimate(at).map(|x| -x)
    }
}

impl<const N: usize> GlobalWins<Key<N>> for Negative<N> {
    fn global_win(&self, at: &Key<N>) -> Option<Player> {
        self.0.global_win(at).map(Player::opponent)
    }
}

impl<const N: usize> Heuristics<Key<N>, MoveKey> for Negative<N> {
    fn order_score(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> i32 {
        self.0.order_score(at, who.opponent(), *mv)
    }
    fn move_prior(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> Option<i32> {
        self.0.move_prior(at, who.opponent(), *mv)
    }
    fn static_eval(&self, at: &Key<N>) -> Option<i32> {
        Some(-self.0.static_eval(at))
    }
    fn size(&self, at: &Key<N>) -> Option<usize> {
        Some(self.0.size(at))
    }
}

impl<const N: usize> Sampling<Key<N>, MoveKey> for Negative<N> {
    fn count_moves(&self, at: &Key<N>, who: Player) -> u32 {
        self.0.count_moves(at, who.opponent())
    }
    fn random_move(&self, at: &Key<N>, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<MoveKey> {
        self.0.random_move(at, who.opponent(), below)
    }
}

impl<const N: usize> Notation<Key<N>, MoveKey> for Negative<N> {
    fn move_text(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> Option<String> {
        Some(self.0.move_text(at, who.opponent(), *mv))
    }
    fn to_play(&self, at: &Key<N>) -> Option<Player> {
        self.0.to_play(at).map(Player::opponent)
    }
    fn why_illegal(&self, at: &Key<N>, who: Player, text: &str) -> Option<String> {
        self.0.why_illegal(at, who.opponent(), text)
    }
}
