//! The players have swapped sides.

use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_value::{Dyadic, Kernel, Stop, Value};

use crate::{Chances, Info, Player, Rules, Sign, Verdict};

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
    fn move_text(&self, at: &R::Board, who: Player, mv: &R::Move) -> String {
        self.0.move_text(at, who.opponent(), mv)
    }
    fn points(&self, at: &R::Board, who: Player, mv: &R::Move) -> i64 {
        -self.0.points(at, who.opponent(), mv)
    }
    fn ends_in_score(&self) -> bool {
        self.0.ends_in_score()
    }
    fn estimate(&self, at: &R::Board) -> Option<Dyadic> {
        self.0.estimate(at).map(|x| -x)
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
    fn known(&self, at: &R::Board, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        self.0.known(at, kernel)?.map(|value| kernel.neg(value)).transpose()
    }
    fn bounds(&self, at: &R::Board) -> (Option<i64>, Option<i64>) {
        let (low, high) = self.0.bounds(at);
        (high.map(|n| -n), low.map(|n| -n))
    }
    fn chances(&self, at: &R::Board) -> Chances {
        self.0.chances(at).turned()
    }
    fn verdict(&self, chances: &Chances, (low, high): (i64, i64), first: Player) -> Verdict {
        let turn = |n: i64| n.checked_neg().unwrap_or(i64::MAX);
        self.0.verdict(&chances.turned(), (turn(high), turn(low)), first.opponent()).turned()
    }
    fn count_moves(&self, at: &R::Board, who: Player) -> u32 {
        self.0.count_moves(at, who.opponent())
    }
    fn random_move(&self, at: &R::Board, who: Player, below: &mut impl FnMut(u32) -> u32) -> Option<R::Move> {
        self.0.random_move(at, who.opponent(), below)
    }
    fn size(&self, at: &R::Board) -> usize {
        self.0.size(at)
    }
    fn has_global_wins(&self) -> bool {
        self.0.has_global_wins()
    }
    fn global_win(&self, at: &R::Board) -> Option<Player> {
        self.0.global_win(at).map(Player::opponent)
    }
    fn lean(&self, at: &R::Board) -> i32 {
        -self.0.lean(at)
    }
    fn promise(&self, at: &R::Board, who: Player, mv: &R::Move) -> i32 {
        self.0.promise(at, who.opponent(), mv)
    }
    fn habit(&self, at: &R::Board, who: Player, mv: &R::Move) -> Option<i32> {
        self.0.habit(at, who.opponent(), mv)
    }
}
