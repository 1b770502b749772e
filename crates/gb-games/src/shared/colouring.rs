//! Col and Snort: players colour cells, and a coloured cell forbids its neighbours to one of them.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BoardError, Field, Scene, Size, Spot, Word};
use gb_rules::{
    Coming, ComingRule, GridTraits, Heuristics, Info, Player, Rules, Sign, Tabulated, Tabulation,
};

/// Planes: Left may colour the cell, Right may, it is coloured (then the first plane says by whom).
pub(crate) const LETTERS: Alphabet = Alphabet(&[
    ('#', "not part of the board"),
    ('l', "(only Left may colour it)"),
    ('r', "(only Right may colour it)"),
    ('.', "not coloured"),
    ('x', "Left's colour"),
    ('o', "Right's colour"),
]);
const FREE: usize = 3;

/// To whom a colour forbids the cells around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forbids {
    /// Col: to the player whose colour it is.
    Owner,
    /// Snort: to the opponent.
    Opponent,
}

/// What tells the games apart.
pub trait Kind: Copy + Send + Sync + 'static {
    /// To whom a colour forbids the cells around it.
    const FORBIDS: Forbids;
    /// What a front end shows.
    fn info() -> Info;
}

/// The rules of a game of colours, on grids or graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colouring<F, K>(PhantomData<(F, K)>);

impl<F, K> Default for Colouring<F, K> {
    fn default() -> Self {
        Colouring(PhantomData)
    }
}

impl<F: Field<3>, K: Kind> Rules for Colouring<F, K> {
    type Board = F;
    /// The cell.
    type Move = u8;

    fn info(&self) -> Info {
        K::info()
    }
    fn read(&self, text: &str) -> Result<F, BoardError> {
        F::read(text, &LETTERS, FREE)
    }
    fn show(&self, at: &F) -> String {
        at.show(&LETTERS, FREE)
    }
    fn start(&self, size: Size) -> Result<F, BoardError> {
        F::filled(size, FREE)
    }
    #[inline]
    fn moves(&self, at: &F, who: Player, emit: &mut impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        moves(at, K::FORBIDS, who, emit)
    }
    #[inline]
    fn play(&self, at: &mut F, who: Player, mv: &u8) {
        colour(at.planes_mut(), who, *mv);
    }
    fn gesture(&self, at: &F, _who: Player, mv: &u8) -> Vec<Spot> {
        vec![at.spot(u32::from(*mv))]
    }
    fn scene(&self, at: &F) -> Scene {
        at.scene(&LETTERS)
    }

    #[inline]
    fn parts(&self, at: &F, emit: &mut impl FnMut(F)) {
        parts(at, K::FORBIDS, emit);
    }
    fn regions(&self, at: &F, emit: &mut impl FnMut(F, Vec<Spot>)) {
        regions(at, K::FORBIDS, emit);
    }
    #[inline]
    fn normalise(&self, at: F) -> (F, Sign) {
        normalise(at)
    }
    gb_rules::has!(tabulation, heuristics, same_regions_when_impartial);
}

impl<F: Field<3>, K: Kind> Heuristics<F, u8> for Colouring<F, K> {
    /// Moves that leave the opponent few cells, and their player many. Snort needs a quarter of the positions to find who wins.
    #[inline]
    fn order_score(&self, at: &F, who: Player, mv: &u8) -> i32 {
        let mut planes = *at.planes();
        colour(&mut planes, who, *mv);
        let (left, right) = open(&planes, |set| at.around(set), K::FORBIDS);
        let [left, right] = [left, right].map(|cells| cells.len() as i32);
        if who == Player::Left { left - 2 * right } else { right - 2 * left }
    }
}

impl<F: Field<3>, K: Kind> Tabulation<F> for Colouring<F, K> {
    fn grid(&self) -> GridTraits {
        GridTraits {
            weights: &[0, 1, 1, 1, 0, 0],
            mirrors: true,
            transpose: Some(Sign::Plus),
            swap: Some(&[0, 2, 1, 3, 5, 4]),
        }
    }
    /// Boards without holes, and without cells of one player alone.
    fn tabulated(&self) -> Option<Tabulated> {
        let rule = match K::FORBIDS {
            Forbids::Owner => ComingRule::NotBesideOwn,
            Forbids::Opponent => ComingRule::NotBesideOther,
        };
        Some(Tabulated::Coming(Coming { letters: [3, 4, 5], rule }))
    }
}

/// The cells that Left and Right may colour.
#[inline]
fn open<S: Word>(planes: &[S; 3], around: impl Fn(S) -> S, forbids: Forbids) -> (S, S) {
    let [left, right, coloured] = *planes;
    let (x, o) = (coloured & !left, coloured & left);
    let (against_left, against_right) = if forbids == Forbids::Owner { (x, o) } else { (o, x) };
    (left & !coloured & !around(against_left), right & !coloured & !around(against_right))
}

#[inline]
fn moves<F: Field<3>>(
    at: &F,
    forbids: Forbids,
    who: Player,
    emit: &mut impl FnMut(u8) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (left, right) = open(at.planes(), |set| at.around(set), forbids);
    for cell in (if who == Player::Left { left } else { right }).cells() {
        emit(cell as u8)?;
    }
    ControlFlow::Continue(())
}

#[inline]
fn colour<S: Word>([left, right, coloured]: &mut [S; 3], who: Player, cell: u8) {
    let cell = S::bit(cell.into());
    *coloured |= cell;
    *right &= !cell;
    match who {
        Player::Left => *left &= !cell,
        Player::Right => *left |= cell,
    }
}

/// Cells that a colour on one of them can still change something for are joined. Colours are folded into what they
/// forbid.
#[inline]
fn split<F: Field<3>>(at: &F, forbids: Forbids, emit: &mut impl FnMut(F, F::Set)) {
    let (left, right) = open(at.planes(), |set| at.around(set), forbids);
    let (both, only_left, only_right) = (left & right, left & !right, right & !left);
    let mut folded = at.clone();
    *folded.planes_mut() = [left, right, F::Set::ZERO];
    let mut rest = left | right;
    while !rest.is_empty() {
        let mut part = F::Set::bit(rest.first());
        loop {
            // A cell that Left alone may colour, coloured by Left, means nothing for a neighbour that is only Left's
            // (Snort) or only Right's (Col).
            let (near_left, near_right) = (at.around(part & only_left), at.around(part & only_right));
            let (to_left, to_right) = match forbids {
                Forbids::Owner => (near_left, near_right),
                Forbids::Opponent => (near_right, near_left),
            };
            let reached = ((near_left | near_right) & both)
                | (to_left & only_left)
                | (to_right & only_right)
                | (at.around(part & both) & (left | right));
            if (reached & !part).is_empty() {
                break;
            }
            part |= reached;
        }
        rest &= !part;
        emit(folded.cut(part), part);
    }
}

#[inline]
fn parts<F: Field<3>>(at: &F, forbids: Forbids, emit: &mut impl FnMut(F)) {
    // Single cells are 1, -1 and *: what cancels is not worth emitting.
    let (mut free_moves, mut star) = (0i32, None);
    let mut single = [None, None];
    split(at, forbids, &mut |part, cells| {
        if cells.len() > 1 {
            return emit(part);
        }
        match part.planes().map(|plane| !plane.is_empty()) {
            [true, true, _] => star = if star.is_none() { Some(part) } else { None },
            [true, ..] => {
                free_moves += 1;
                single[0] = Some(part);
            }
            _ => {
                free_moves -= 1;
                single[1] = Some(part);
            }
        }
    });
    if let Some(star) = star {
        emit(star);
    }
    if let Some(part) = &single[usize::from(free_moves < 0)] {
        for _ in 0..free_moves.unsigned_abs() {
            emit(part.clone());
        }
    }
}

fn regions<F: Field<3>>(at: &F, forbids: Forbids, emit: &mut impl FnMut(F, Vec<Spot>)) {
    split(at, forbids, &mut |part, cells| {
        emit(part, cells.cells().map(|cell| at.spot(cell)).collect());
    });
}

/// The least image, with either player as Left.
#[inline]
fn normalise<F: Field<3>>(at: F) -> (F, Sign) {
    let [left, right, coloured] = *at.planes();
    if !coloured.is_empty() {
        // Parts have no colours any more; other boards stay as they are.
        return (at, Sign::Plus);
    }
    let mut swapped = at.clone();
    *swapped.planes_mut() = [right, left, coloured];
    let (kept, swapped) = (at.least(), swapped.least());
    if swapped < kept { (swapped, Sign::Minus) } else { (kept, Sign::Plus) }
}
