//! Clobber: a stone moves onto an enemy stone beside, above or below it, which is removed. Who cannot move loses.
//!
//! ```
//! use gb_game::Player::{Left, Right};
//! let row = gb_games::game("clobber").unwrap().read("xxo").unwrap();
//! assert_eq!(row.options(Left), ["x.x"]);
//! assert_eq!(row.options(Right), ["xo."]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Codes, Scene, Size, Spot, Word};
use gb_game::{GridTraits, Info, Player, Rules, Sign};

/// The rules of Clobber.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clobber<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[('.', "empty"), ('x', "Left's stone"), ('o', "Right's stone")]);

impl<W: Word> Rules for Clobber<W> {
    type Board = BitGrid<W, 2>;
    /// From, to.
    type Move = (u8, u8);

    fn info(&self) -> Info {
        Info {
            name: "clobber".into(),
            title: "Clobber",
            rules: "A player moves a stone onto an enemy stone beside, above or below it and removes that. Who cannot \
                    move loses.",
            alphabet: LETTERS.0,
            example: "xoxo|oxox|xoxo|oxox",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<Self::Board, BoardError> {
        BitGrid::read(text, &LETTERS)
    }
    fn show(&self, at: &Self::Board) -> String {
        at.show(&LETTERS)
    }
    /// The checkerboard.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        BitGrid::fill(size, |row, col| 1 + (row + col) % 2)
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut((u8, u8)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [east, west, south, north] = directions(at, who);
        let (next, below) = (1, at.frame().stride);
        for from in east.cells() {
            emit((from as u8, (from + next) as u8))?;
        }
        for from in west.cells() {
            emit((from as u8, (from - next) as u8))?;
        }
        for from in south.cells() {
            emit((from as u8, (from + below) as u8))?;
        }
        for from in north.cells() {
            emit((from as u8, (from - below) as u8))?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, &(from, to): &(u8, u8)) {
        let (from, to) = (W::bit(from.into()), W::bit(to.into()));
        let (own, enemy) = if who == Player::Left { (0, 1) } else { (1, 0) };
        at.planes[own] ^= from | to;
        at.planes[enemy] ^= to;
    }
    #[inline]
    fn count_moves(&self, at: &Self::Board, who: Player) -> u32 {
        directions(at, who).iter().map(|set| set.len()).sum()
    }
    #[inline]
    fn random_move(
        &self,
        at: &Self::Board,
        who: Player,
        below: &mut impl FnMut(u32) -> u32,
    ) -> Option<(u8, u8)> {
        let starts = directions(at, who);
        let counts = starts.map(|set| set.len());
        let all = counts.iter().sum();
        if all == 0 {
            return None;
        }
        let mut n = below(all);
        let mut direction = 0;
        while n >= counts[direction] {
            n -= counts[direction];
            direction += 1;
        }
        let from = starts[direction].nth(n) as u8;
        let step = if direction < 2 { 1 } else { at.frame().stride as u8 };
        Some((from, if direction % 2 == 0 { from + step } else { from - step }))
    }
    fn gesture(&self, at: &Self::Board, _who: Player, &(from, to): &(u8, u8)) -> Vec<Spot> {
        vec![at.spot(from.into()), at.spot(to.into())]
    }
    fn scene(&self, at: &Self::Board) -> Scene {
        at.scene(&LETTERS)
    }

    /// Connected stones of both colours.
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        split(at, &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        split(at, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    /// The least of the eight images, with either player as Left.
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        let swapped = BitGrid { planes: [at.planes[1], at.planes[0]], ..at };
        let (kept, swapped) = (at.least_wide().0, swapped.least_wide().0);
        if swapped < kept { (swapped, Sign::Minus) } else { (kept, Sign::Plus) }
    }
    /// Clobber is all-small, so its values lie between all negative and all positive numbers.
    fn bounds(&self, _at: &Self::Board) -> (Option<i64>, Option<i64>) {
        (Some(-1), Some(1))
    }
    /// Both have the same number of moves, but not of stones that can move.
    #[inline]
    fn lean(&self, at: &Self::Board) -> i32 {
        let frame = at.frame();
        let [x, o] = at.planes;
        (x & frame.around4(o)).len() as i32 - (o & frame.around4(x)).len() as i32
    }
    /// Moves that leave the opponent few moves.
    #[inline]
    fn promise(&self, at: &Self::Board, who: Player, mv: &(u8, u8)) -> i32 {
        let mut after = *at;
        self.play(&mut after, who, mv);
        let frame = after.frame();
        let [x, o] = after.planes;
        -((x & frame.around4(o)).len() as i32 + (o & frame.around4(x)).len() as i32)
    }
    fn grid(&self) -> Option<GridTraits> {
        Some(GridTraits {
            weights: &[0, 1, 1],
            mirrors: true,
            transpose: Some(Sign::Plus),
            swap: Some(&[0, 2, 1]),
        })
    }
    #[inline]
    fn codes(&self, at: &Self::Board) -> Option<Codes> {
        Some(at.codes())
    }
    #[inline]
    fn of_codes(&self, codes: &Codes) -> Result<Self::Board, BoardError> {
        BitGrid::of_codes(codes)
    }
}

/// The stones of a player that can move to the right, to the left, down and up.
#[inline]
fn directions<W: Word>(at: &BitGrid<W, 2>, who: Player) -> [W; 4] {
    let frame = at.frame();
    let [x, o] = at.planes;
    let (own, enemy) = if who == Player::Left { (x, o) } else { (o, x) };
    [frame.west(enemy), frame.east(enemy), frame.north(enemy), frame.south(enemy)].map(|beside| own & beside)
}

#[inline]
fn split<W: Word>(at: &BitGrid<W, 2>, emit: &mut impl FnMut(W)) {
    let frame = at.frame();
    let [x, o] = at.planes;
    let mut left = x | o;
    while !left.is_empty() {
        let part = frame.flood4(W::bit(left.first()), left);
        left &= !part;
        if part.meets(x) && part.meets(o) {
            emit(part);
        }
    }
}
