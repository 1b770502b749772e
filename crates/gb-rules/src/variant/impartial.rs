//! Either player may make either player's moves.

use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};

use crate::{Game, Info, Key, MoveKey, Notation, Player, Rules, Sign};

/// The impartial variant of a game: both players may make the moves of Left and of Right.
///
/// A claim that was made for the game itself (a value, a bound, even how it falls apart: a dead end of Domineering is a number
/// there and none here) says nothing about this one. Only what the game repeats for it on purpose is used, in
/// [`Rules::impartial_form`].
#[derive(Clone, Debug)]
pub(super) struct Impartial<const N: usize>(pub(super) Game<N>);

/// A move and whose it is in the game itself.
type Owned = (Player, MoveKey);

impl<const N: usize> Rules for Impartial<N> {
    type Board = Key<N>;
    type Move = Owned;

    fn info(&self) -> Info {
        let info = self.0.info();
        Info { name: format!("impartial({})", info.name), impartial: true, ..info }
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
        _who: Player,
        emit: &mut impl FnMut(Owned) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.moves(at, Player::Left, &mut |mv| emit((Player::Left, mv)))?;
        if self.0.is_impartial() {
            return ControlFlow::Continue(());
        }
        self.0.moves(at, Player::Right, &mut |mv| emit((Player::Right, mv)))
    }
    fn play(&self, at: &mut Key<N>, _who: Player, (owner, mv): &Owned) {
        *at = self.0.play(at, *owner, *mv).0;
    }
    fn gesture(&self, at: &Key<N>, _who: Player, (owner, mv): &Owned) -> Vec<Spot> {
        self.0.gesture(at, *owner, *mv)
    }
    fn scene(&self, at: &Key<N>) -> Scene {
        self.0.scene(at)
    }
    fn start(&self, size: Size) -> Result<Key<N>, BoardError> {
        self.0.start(size)
    }
    fn parts(&self, at: &Key<N>, emit: &mut impl FnMut(Key<N>)) {
        self.0.impartial_parts(at, &mut |part| emit(*part));
    }
    fn regions(&self, at: &Key<N>, emit: &mut impl FnMut(Key<N>, Vec<Spot>)) {
        self.0.impartial_regions(at).into_iter().for_each(|(part, spots)| emit(part, spots));
    }
    fn normalise(&self, at: Key<N>) -> (Key<N>, Sign) {
        (self.0.impartial_normalise(&at), Sign::Plus)
    }
    crate::has!(notation);
}

impl<const N: usize> Notation<Key<N>, Owned> for Impartial<N> {
    fn move_text(&self, at: &Key<N>, _who: Player, (owner, mv): &Owned) -> Option<String> {
        // Where both could point at the same spots, the text says as whom the move is made.
        let text = self.0.move_text(at, *owner, *mv);
        Some(if self.0.is_impartial() { text } else { format!("{owner}:{text}") })
    }
    fn to_play(&self, at: &Key<N>) -> Option<Player> {
        self.0.to_play(at)
    }
}
