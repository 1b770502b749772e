//! Toads and Frogs, Elephants and Rhinos: Left's pieces go right, Right's go left, along rows.

use gb_board::Frame;
use gb_rules::Theorems;
use gb_rules::grid::prelude::*;
use gb_value::{Halt, Kernel, Value};

/// What tells the games apart; see [`GridRules`].
pub trait Kind: Copy + Send + Sync + 'static {
    /// Whether a piece may jump over one enemy piece.
    const JUMPS: bool;
    /// The name.
    const NAME: &'static str;
    /// The headline.
    const TITLE: &'static str;
    /// The rules.
    const RULES: &'static str;
    /// A position.
    const EXAMPLE: &'static str;
    /// The letters of the codes: gone, Left's piece, Right's piece, empty.
    const LETTERS: Alphabet;
}

/// The rules of a game along rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strips<W, K>(PhantomData<(W, K)>);

impl<W, K> Default for Strips<W, K> {
    fn default() -> Self {
        Strips(PhantomData)
    }
}

impl<W: Word, K: Kind> GridRules for Strips<W, K> {
    type Board = BitGrid<W, 2>;
    /// The piece that moves.
    type Move = u32;
    const NAME: &'static str = K::NAME;
    const TITLE: &'static str = K::TITLE;
    const RULES: &'static str = K::RULES;
    const EXAMPLE: &'static str = K::EXAMPLE;
    const LETTERS: Alphabet = K::LETTERS;
    const RAGGED: bool = true;
    const SYMMETRY: Symmetry = Symmetry::RowFromBehind;

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
    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<u32>) -> ControlFlow<()> {
        let (step, jump) = movable(&at.frame(), who, at.pieces(), at.empty(), K::JUMPS);
        (step | jump).cells().try_for_each(emit)
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u32) {
        let to = target(at, who, *mv);
        at.clear(W::bit(*mv));
        at.put(who as usize, to);
    }
    fn gesture(&self, at: &Self::Board, who: Player, mv: &u32) -> Vec<Spot> {
        vec![at.spot(*mv), at.spot(target(at, who, *mv).first())]
    }
    /// Stretches of a row within which pieces may ever move.
    #[inline]
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(W)) {
        split(at, K::JUMPS, emit);
    }
    gb_rules::has!(theorems, same_when_impartial);
}

impl<W: Word, K: Kind> Theorems<BitGrid<W, 2>, u32> for Strips<W, K> {
    /// Where only one player has pieces, that player moves as often as there are steps.
    fn known(&self, at: &BitGrid<W, 2>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        let [left, right] = Player::BOTH.map(|who| !at.pieces()[who as usize].is_empty());
        Ok(match (left, right) {
            (true, false) => Some(kernel.integer(steps(at, Player::Left))),
            (false, true) => Some(kernel.integer(-steps(at, Player::Right))),
            _ => None,
        })
    }
    /// Nobody makes more steps than if all enemies ahead stood still, since they only come nearer. A jump over each of them might be
    /// made as well.
    fn bounds(&self, at: &BitGrid<W, 2>) -> (Option<i64>, Option<i64>) {
        if K::JUMPS {
            return (None, None);
        }
        (Some(-steps(at, Player::Right)), Some(steps(at, Player::Left)))
    }
}

/// How many steps the pieces of a player can make, if nobody else moves: for every piece, the empty cells from it to the next enemy or
/// the end of its row.
fn steps<W: Word>(at: &BitGrid<W, 2>, who: Player) -> i64 {
    let frame = at.frame();
    let (own, enemy) = (at.pieces()[who as usize], at.pieces()[who.opponent() as usize]);
    // The empty cells that a piece comes to, one step at a time, its own pieces counting as if they made way.
    let (open, mut ahead, mut steps) = (frame.full & !enemy & (at.empty() | own), own, 0);
    loop {
        ahead = forth(&frame, who, ahead) & open;
        if ahead.is_empty() {
            return steps;
        }
        steps += i64::from((ahead & at.empty()).len());
    }
}

/// One step in the direction of a player.
#[inline]
fn forth<W: Word>(frame: &Frame<W>, who: Player, set: W) -> W {
    if who == Player::Left { frame.east(set) } else { frame.west(set) }
}

/// The pieces that can step, and those that can jump. `pieces` are Left's and Right's.
#[inline]
fn movable<W: Word>(frame: &Frame<W>, who: Player, pieces: [W; 2], empty: W, jumps: bool) -> (W, W) {
    let (own, enemy) = (pieces[who as usize], pieces[who.opponent() as usize]);
    let back = |set| forth(frame, who.opponent(), set);
    (own & back(empty), if jumps { own & back(enemy & back(empty)) } else { W::ZERO })
}

/// Where the piece on `from` goes: a step if that is possible, else a jump.
#[inline]
fn target<W: Word>(at: &BitGrid<W, 2>, who: Player, from: u32) -> W {
    let frame = at.frame();
    let next = forth(&frame, who, W::bit(from));
    if next.meets(at.empty()) { next } else { forth(&frame, who, next) }
}

#[inline]
fn split<W: Word>(at: &BitGrid<W, 2>, jumps: bool, emit: &mut impl FnMut(W)) {
    let frame = at.frame();
    let (mut pieces, mut empty) = (at.pieces(), at.empty());
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
