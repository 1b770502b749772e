//! Either player may make either player's moves.

use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};

use crate::dynamic::text_of;
use crate::{ImpartialForm, Info, Notation, Player, Rules, Sign};

/// The impartial variant of a game: both players may make the moves of Left and of Right.
///
/// A claim that was made for the game itself (a value, a bound, even how it falls apart: a dead end of Domineering is a number
/// there and none here) says nothing about this one. Only what the game repeats for it on purpose is used, in
/// [`Rules::impartial_form`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Impartial<R>(pub R);

/// A move and whose it is in the game itself.
type Owned<M> = (Player, M);

impl<R: Rules> Rules for Impartial<R> {
    type Board = R::Board;
    type Move = Owned<R::Move>;

    fn info(&self) -> Info {
        let info = self.0.info();
        Info { name: format!("impartial({})", info.name), impartial: true, ..info }
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
        _who: Player,
        emit: &mut impl FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.moves(at, Player::Left, &mut |mv| emit((Player::Left, mv)))?;
        if self.0.info().impartial {
            return ControlFlow::Continue(());
        }
        self.0.moves(at, Player::Right, &mut |mv| emit((Player::Right, mv)))
    }
    fn play(&self, at: &mut R::Board, _who: Player, (owner, mv): &Self::Move) {
        self.0.play(at, *owner, mv);
    }
    fn gesture(&self, at: &R::Board, _who: Player, (owner, mv): &Self::Move) -> Vec<Spot> {
        self.0.gesture(at, *owner, mv)
    }
    fn scene(&self, at: &R::Board) -> Scene {
        self.0.scene(at)
    }
    fn start(&self, size: Size) -> Result<R::Board, BoardError> {
        self.0.start(size)
    }
    fn parts(&self, at: &R::Board, emit: &mut impl FnMut(R::Board)) {
        self.regions(at, &mut |part, _| emit(part));
    }
    fn regions(&self, at: &R::Board, emit: &mut impl FnMut(R::Board, Vec<Spot>)) {
        match self.0.impartial_form() {
            ImpartialForm::Nothing => emit(at.clone(), vec![]),
            ImpartialForm::Same => self.0.regions(at, emit),
            ImpartialForm::Own(form) => form.regions(at, emit),
        }
    }
    fn normalise(&self, at: R::Board) -> (R::Board, Sign) {
        let normal = match self.0.impartial_form() {
            ImpartialForm::Nothing => at,
            // Exchanging the players changes nothing, whatever the sign says.
            ImpartialForm::Same => self.0.normalise(at).0,
            ImpartialForm::Own(form) => form.normalise(at),
        };
        (normal, Sign::Plus)
    }
    crate::has!(notation);
}

impl<R: Rules> Notation<R::Board, Owned<R::Move>> for Impartial<R> {
    fn move_text(&self, at: &R::Board, _who: Player, (owner, mv): &Owned<R::Move>) -> Option<String> {
        // Where both could point at the same spots, the text says as whom the move is made.
        let text = text_of(&self.0, at, *owner, mv);
        Some(if self.0.info().impartial { text } else { format!("{owner}:{text}") })
    }
    fn to_play(&self, at: &R::Board) -> Option<Player> {
        self.0.notation()?.to_play(at)
    }
}
