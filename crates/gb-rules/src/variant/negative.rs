//! The players have swapped sides.

use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_value::{Dyadic, Halt, Kernel, Value};

use crate::{
    BoundFeatures, Bridge, Capabilities, Game, GlobalWins, Heuristics, Info, Key, MoveKey, Notation, Player,
    Rules, Sampling, Scoring, Sign, StaticResult, Theorems,
};

/// The negative of a game: Left makes the moves of Right, and Right those of Left. What holds for the game holds here with the
/// players exchanged.
#[derive(Clone, Debug)]
pub(super) struct Negative<const N: usize> {
    game: Game<N>,
    counts_points: bool,
    has_global_wins: bool,
    is_misere: bool,
}

impl<const N: usize> Negative<N> {
    /// What the game has is asked once, and not at every node.
    pub(super) fn new(game: Game<N>) -> Self {
        let (counts_points, has_global_wins) = (game.counts_points(), game.has_global_wins());
        Negative { counts_points, has_global_wins, is_misere: game.is_misere(), game }
    }
}

impl<const N: usize> Rules for Negative<N> {
    type Board = Key<N>;
    type Move = MoveKey;

    fn info(&self) -> Info {
        let info = self.game.info();
        Info { name: format!("negative({})", info.name), ..info }
    }
    fn read(&self, text: &str) -> Result<Key<N>, BoardError> {
        self.game.read(text)
    }
    fn show(&self, at: &Key<N>) -> String {
        self.game.show(at)
    }
    fn moves(
        &self,
        at: &Key<N>,
        who: Player,
        emit: &mut impl FnMut(MoveKey) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.game.moves(at, who.opponent(), emit)
    }
    fn play(&self, at: &mut Key<N>, who: Player, mv: &MoveKey) {
        *at = self.game.play(at, who.opponent(), *mv).0;
    }
    fn gesture(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> Vec<Spot> {
        self.game.gesture(at, who.opponent(), *mv)
    }
    fn scene(&self, at: &Key<N>) -> Scene {
        self.game.scene(at)
    }
    fn start(&self, size: Size) -> Result<Key<N>, BoardError> {
        self.game.start(size)
    }
    fn parts(&self, at: &Key<N>, emit: &mut impl FnMut(Key<N>)) {
        let mut parts = vec![];
        self.game.parts(at, &mut parts);
        parts.into_iter().for_each(emit);
    }
    fn regions(&self, at: &Key<N>, emit: &mut impl FnMut(Key<N>, Vec<Spot>)) {
        self.game.regions(at).into_iter().for_each(|(part, spots)| emit(part, spots));
    }
    fn normalise(&self, at: Key<N>) -> (Key<N>, Sign) {
        self.game.normalise(&at)
    }
    fn capabilities(&self) -> Capabilities<'_, Key<N>, MoveKey> {
        Capabilities {
            theorems: Some(self),
            heuristics: Some(self),
            sampling: Some(self),
            notation: Some(self),
            scoring: self.counts_points.then_some(self as _),
            global_wins: self.has_global_wins.then_some(self as _),
            misere: self.is_misere,
            ..Capabilities::default()
        }
    }
}

impl<const N: usize> Theorems<Key<N>, MoveKey> for Negative<N> {
    fn known(&self, at: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        self.game.known(at, kernel)?.map(|value| kernel.neg(value)).transpose()
    }
    fn bounds(&self, at: &Key<N>) -> (Option<i64>, Option<i64>) {
        let (low, high) = self.game.bounds(at);
        (high.map(|n| -n), low.map(|n| -n))
    }
    fn features(&self, at: &Key<N>) -> BoundFeatures {
        self.game.features(at).turned()
    }
    fn static_result(
        &self,
        features: &BoundFeatures,
        (low, high): (i64, i64),
        first: Player,
    ) -> StaticResult {
        let turn = |n: i64| n.checked_neg().unwrap_or(i64::MAX);
        self.game.static_result(&features.turned(), (turn(high), turn(low)), first.opponent()).turned()
    }
    fn parts_after(
        &self,
        part: &Key<N>,
        who: Player,
        mv: &MoveKey,
        emit: &mut dyn FnMut(Key<N>),
    ) -> Option<i64> {
        let mut left = vec![];
        let number = self.game.parts_after(part, who.opponent(), *mv, &mut left);
        left.into_iter().for_each(emit);
        Some(-number)
    }
    fn bands(&self, at: &Key<N>, who: Player, width: u32, emit: &mut dyn FnMut(Key<N>)) -> bool {
        let mut boards = vec![];
        let found = self.game.bands(at, who.opponent(), width, &mut boards);
        boards.into_iter().for_each(emit);
        found
    }
    fn bridges(&self, part: &Key<N>, emit: &mut dyn FnMut(Bridge<Key<N>>)) {
        let mut bridges = vec![];
        self.game.bridges(part, &mut bridges);
        bridges.into_iter().for_each(emit);
    }
}

impl<const N: usize> Scoring<Key<N>, MoveKey> for Negative<N> {
    fn points(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> i64 {
        -self.game.play(at, who.opponent(), *mv).1
    }
    fn ends_in_score(&self) -> bool {
        self.game.ends_in_score()
    }
    fn estimate(&self, at: &Key<N>) -> Option<Dyadic> {
        self.game.estimate(at).map(|x| -x)
    }
}

impl<const N: usize> GlobalWins<Key<N>> for Negative<N> {
    fn global_win(&self, at: &Key<N>) -> Option<Player> {
        self.game.global_win(at).map(Player::opponent)
    }
}

impl<const N: usize> Heuristics<Key<N>, MoveKey> for Negative<N> {
    fn order_score(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> i32 {
        self.game.order_score(at, who.opponent(), *mv)
    }
    fn move_prior(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> Option<i32> {
        self.game.move_prior(at, who.opponent(), *mv)
    }
    fn static_eval(&self, at: &Key<N>) -> Option<i32> {
        Some(-self.game.static_eval(at))
    }
    fn size(&self, at: &Key<N>) -> Option<usize> {
        Some(self.game.size(at))
    }
}

impl<const N: usize> Sampling<Key<N>, MoveKey> for Negative<N> {
    fn count_moves(&self, at: &Key<N>, who: Player) -> u32 {
        self.game.count_moves(at, who.opponent())
    }
    fn random_move(&self, at: &Key<N>, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<MoveKey> {
        self.game.random_move(at, who.opponent(), below)
    }
}

impl<const N: usize> Notation<Key<N>, MoveKey> for Negative<N> {
    fn move_text(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> Option<String> {
        Some(self.game.move_text(at, who.opponent(), *mv))
    }
    fn to_play(&self, at: &Key<N>) -> Option<Player> {
        self.game.to_play(at).map(Player::opponent)
    }
    fn why_illegal(&self, at: &Key<N>, who: Player, text: &str) -> Option<String> {
        self.game.why_illegal(at, who.opponent(), text)
    }
}
