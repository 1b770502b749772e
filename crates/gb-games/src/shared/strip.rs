//! Toads and Frogs, Elephants and Rhinos: Left's pieces go right, Right's go left, along rows.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Frame, Scene, Size, Spot, Word};
use gb_rules::{Info, Player, Rules, Sign};

/// Codes: gone, Left's piece, Right's piece, empty.
type Strip<W> = BitGrid<W, 2>;

/// Whether a piece may jump over one enemy piece.
type Jumps = bool;

/// What tells the games apart.
pub trait Kind: Copy + Send + Sync + 'static {
    /// Whether a piece may jump over one enemy piece.
    const JUMPS: bool;
    /// The letters of the codes.
    const LETTERS: Alphabet;
    /// What a front end shows.
    fn info() -> Info;
}

/// The rules of a game along rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strips<W, K>(PhantomData<(W, K)>);

impl<W, K> Default for Strips<W, K> {
    fn default() -> Self {
        Strips(PhantomData)
    }
}

impl<W: Word, K: Kind> Rules for Strips<W, K> {
    type Board = BitGrid<W, 2>;
    /// The piece that moves.
    type Move = u8;

    fn info(&self) -> Info {
        K::info()
    }
    fn read(&self, text: &str) -> Result<Self::Board, BoardError> {
        BitGrid::read_ragged(text, &K::LETTERS)
    }
    fn show(&self, at: &Self::Board) -> String {
        at.show_ragged(&K::LETTERS)
    }
    /// A third of the row for each side's pieces.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (_, cols) = size.grid();
        BitGrid::fill(size, |_, c| match c {
            c if c < cols / 3 => 1,
            c if c >= cols - cols / 3 => 2,
            _ => 3,
        })
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut(u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        moves(at, who, K::JUMPS, emit)
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u8) {
        play(at, who, *mv);
    }
    fn gesture(&self, at: &Self::Board, who: Player, mv: &u8) -> Vec<Spot> {
        vec![at.spot(u32::from(*mv)), at.spot(target(at, who, *mv))]
    }
    fn scene(&self, at: &Self::Board) -> Scene {
        at.scene(&K::LETTERS)
    }

    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        split(at, K::JUMPS, &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        split(at, K::JUMPS, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        normalise(at)
    }
    gb_rules::has!(same_when_impartial);
}

/// One step in the direction of a player.
#[inline]
fn forth<W: Word>(frame: &Frame<W>, who: Player, set: W) -> W {
    if who == Player::Left { frame.east(set) } else { frame.west(set) }
}

/// The pieces that can step, and those that can jump. `pieces` are Left's and Right's.
#[inline]
fn movable<W: Word>(frame: &Frame<W>, who: Player, pieces: [W; 2], empty: W, jumps: Jumps) -> (W, W) {
    let (own, enemy) = if who == Player::Left { (pieces[0], pieces[1]) } else { (pieces[1], pieces[0]) };
    let back = |set| forth(frame, who.opponent(), set);
    (own & back(empty), if jumps { own & back(enemy & back(empty)) } else { W::ZERO })
}

#[inline]
fn sets<W: Word>(at: &Strip<W>) -> ([W; 2], W) {
    let [l, r] = at.planes;
    ([l & !r, r & !l], l & r)
}

#[inline]
fn moves<W: Word>(
    at: &Strip<W>,
    who: Player,
    jumps: Jumps,
    emit: &mut impl FnMut(u8) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (pieces, empty) = sets(at);
    let (step, jump) = movable(&at.frame(), who, pieces, empty, jumps);
    for from in (step | jump).cells() {
        emit(from as u8)?;
    }
    ControlFlow::Continue(())
}

/// Where the piece on `from` goes: a step if that is possible, else a jump.
#[inline]
fn target<W: Word>(at: &Strip<W>, who: Player, from: u8) -> u32 {
    let frame = at.frame();
    let next = forth(&frame, who, W::bit(from.into()));
    let (_, empty) = sets(at);
    if next.meets(empty) { next.first() } else { forth(&frame, who, next).first() }
}

#[inline]
fn play<W: Word>(at: &mut Strip<W>, who: Player, from: u8) {
    let to = W::bit(target(at, who, from));
    let other = if who == Player::Left { 1 } else { 0 };
    at.planes[other] |= W::bit(from.into());
    at.planes[other] &= !to;
}

/// Stretches of a row within which pieces may ever move.
#[inline]
fn split<W: Word>(at: &Strip<W>, jumps: Jumps, emit: &mut impl FnMut(W)) {
    let frame = at.frame();
    let (mut pieces, mut empty) = sets(at);
    // A cell in `bonds` is joined to the cell on its right.
    let mut bonds = W::ZERO;
    loop {
        let before = (pieces, empty);
        for (own, who) in Player::BOTH.into_iter().enumerate() {
            let (step, jump) = movable(&frame, who, pieces, empty, jumps);
            let next = forth(&frame, who, step | jump);
            let landed = forth(&frame, who, step) | forth(&frame, who, forth(&frame, who, jump));
            let far = forth(&frame, who, forth(&frame, who, jump));
            bonds |= match who {
                Player::Left => step | jump | forth(&frame, who, jump),
                Player::Right => next | far,
            };
            pieces[own] |= landed;
            empty |= step | jump;
        }
        if before == (pieces, empty) {
            break;
        }
    }
    let mut left = bonds | frame.east(bonds);
    while !left.is_empty() {
        let mut part = W::bit(left.first());
        loop {
            let next = part | frame.east(part & bonds) | (frame.west(part) & bonds);
            if next == part {
                break;
            }
            part = next;
        }
        left &= !part;
        emit(part);
    }
}

/// A row seen from the other side is the negative with the pieces swapped.
#[inline]
fn normalise<W: Word>(at: Strip<W>) -> (Strip<W>, Sign) {
    let turned = at.turn();
    let swapped = BitGrid { planes: [turned.planes[1], turned.planes[0]], ..turned };
    if swapped < at { (swapped, Sign::Minus) } else { (at, Sign::Plus) }
}
