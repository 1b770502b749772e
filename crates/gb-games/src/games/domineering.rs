//! Domineering: the players place dominoes on empty cells, Left upright, Right lying. Who cannot move loses.
//!
//! ```
//! use gb_game::Player::{Left, Right};
//! let square = gb_games::game("domineering").unwrap().read("..|..").unwrap();
//! assert_eq!(square.options(Left), ["#.|#.", ".#|.#"]);
//! assert_eq!(square.options(Right), ["##|..", "..|##"]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Frame, Scene, Size, Spot, Word};
use gb_game::{Info, Player, Rules, Sign};
use gb_value::{Kernel, Stop, Value};

/// The rules of Domineering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Domineering<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[('#', "not part of the board"), ('.', "empty")]);

/// The upper or left cells of the dominoes that a player can place on empty cells.
#[inline]
pub(crate) fn places<W: Word>(frame: &Frame<W>, empty: W, who: Player) -> W {
    match who {
        Player::Left => empty & frame.north(empty),
        Player::Right => empty & frame.west(empty),
    }
}

/// The domino whose upper or left cell is `cell`.
#[inline]
pub(crate) fn domino<W: Word>(frame: &Frame<W>, who: Player, cell: u8) -> W {
    let other = match who {
        Player::Left => u32::from(cell) + frame.stride,
        Player::Right => u32::from(cell) + 1,
    };
    W::bit(u32::from(cell)) | W::bit(other)
}

impl<W: Word> Rules for Domineering<W> {
    type Board = BitGrid<W>;
    /// The upper or left cell.
    type Move = u8;

    fn info(&self) -> Info {
        Info {
            name: "domineering".into(),
            title: "Domineering",
            rules: "Left places a domino upright on two empty cells, Right places one lying. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "....|....|....|....",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<BitGrid<W>, BoardError> {
        BitGrid::read(text, &LETTERS)
    }
    fn show(&self, at: &BitGrid<W>) -> String {
        at.show(&LETTERS)
    }
    fn start(&self, size: Size) -> Result<BitGrid<W>, BoardError> {
        BitGrid::fill(size, |_, _| 1)
    }
    #[inline]
    fn moves(
        &self,
        at: &BitGrid<W>,
        who: Player,
        emit: &mut impl FnMut(u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for cell in places(&at.frame(), at.planes[0], who).cells() {
            emit(cell as u8)?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut BitGrid<W>, who: Player, mv: &u8) {
        at.planes[0] &= !domino(&at.frame(), who, *mv);
    }
    fn gesture(&self, at: &BitGrid<W>, who: Player, mv: &u8) -> Vec<Spot> {
        at.spots(domino(&at.frame(), who, *mv))
    }
    fn scene(&self, at: &BitGrid<W>) -> Scene {
        at.scene(&LETTERS)
    }

    /// Connected cells. Corridors of width 1 are integers; they are emitted as one corridor for all of them together.
    #[inline]
    fn parts(&self, at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>)) {
        let mut corridors = 0i32;
        split(at, &mut |set| {
            let part = at.cut(set);
            if part.cols == 1 {
                corridors += i32::from(part.rows / 2);
            } else if part.rows == 1 {
                corridors -= i32::from(part.cols / 2);
            } else {
                emit(part);
            }
        });
        let length = 2 * corridors.unsigned_abs();
        match corridors {
            0 => {}
            1.. => emit(BitGrid { planes: [W::low(length)], rows: 1, cols: length as u8 }.transpose()),
            _ => emit(BitGrid { planes: [W::low(length)], rows: 1, cols: length as u8 }),
        }
    }
    fn regions(&self, at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>, Vec<Spot>)) {
        split(at, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    /// The least of the eight images; transposing swaps the players.
    #[inline]
    fn normalise(&self, at: BitGrid<W>) -> (BitGrid<W>, Sign) {
        let (least, transposed) = at.least_wide();
        (least, if transposed { Sign::Minus } else { Sign::Plus })
    }
    fn known(&self, at: &BitGrid<W>, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        Ok(match (at.rows, at.cols) {
            (1, length) if at.planes[0].len() == u32::from(length) => {
                Some(kernel.integer(-i64::from(length / 2)))
            }
            (length, 1) if at.planes[0].len() == u32::from(length) => {
                Some(kernel.integer(i64::from(length / 2)))
            }
            _ => None,
        })
    }
    fn bounds(&self, at: &BitGrid<W>) -> (Option<i64>, Option<i64>) {
        let count = |who| Counts::of(at, who);
        let (left, right) = (count(Player::Left), count(Player::Right));
        (
            Some(i64::from(left.safe) - i64::from(right.possible)),
            Some(i64::from(left.possible) - i64::from(right.safe)),
        )
    }
    fn winner(&self, at: &BitGrid<W>, first: Player) -> Option<Player> {
        let counts = Player::BOTH.map(|who| Counts::of(at, who));
        let wins = |who: Player, own: &Counts, other: &Counts| {
            let contested = own.contested(who == first);
            own.safe + contested >= other.possible_beside(contested) + u32::from(who == first)
        };
        let [left, right] = &counts;
        if wins(Player::Left, left, right) {
            return Some(Player::Left);
        }
        wins(Player::Right, right, left).then_some(Player::Right)
    }
    #[inline]
    fn promise(&self, at: &BitGrid<W>, who: Player, mv: &u8) -> i32 {
        let mut after = *at;
        self.play(&mut after, who, mv);
        let worth = |who| {
            let counts = Counts::of(&after, who);
            (counts.safe + counts.possible) as i32
        };
        worth(who) - worth(who.opponent())
    }
}

/// Calls `emit` with sets of cells that are independent of each other: connected cells, without single ones, and the last
/// two cells of dead ends.
///
/// The latter is the simplest case of bridge splitting (Uiterwijk and Barton, New results for Domineering from
/// combinatorial game theory endgame databases, 2015): let a cell `c` without upright neighbours join `G` and `H` in a
/// row. If adding `c` to `G` does not change the value of `G`, then the whole is `G` plus `H` with `c`. Two cells lying in
/// a row are worth -1, and so are three.
#[inline]
fn split<W: Word>(at: &BitGrid<W>, emit: &mut impl FnMut(W)) {
    let frame = at.frame();
    let mut left = at.planes[0];
    loop {
        let lying = left & !(frame.north(left) | frame.south(left));
        let upright = left & !(frame.east(left) | frame.west(left));
        let before = left;
        let ends = [
            (lying & !frame.east(left), 2usize, lying),
            (lying & !frame.west(left), 6, lying),
            (upright & !frame.south(left), 4, upright),
            (upright & !frame.north(left), 0, upright),
        ];
        for (first, direction, narrow) in ends {
            let back = direction ^ 4;
            let first = first & left & frame.step(narrow & left & frame.step(narrow & left, back), back);
            for cell in first.cells() {
                let pair = W::bit(cell) | frame.step(W::bit(cell), direction);
                // Two dead ends may have wanted the same cells.
                let third = frame.step(pair, direction) & !pair;
                if pair & left == pair && third.meets(left) {
                    emit(pair);
                    left &= !pair;
                }
            }
        }
        if left == before {
            break;
        }
    }
    while !left.is_empty() {
        let part = frame.flood4(W::bit(left.first()), left);
        left &= !part;
        if part.len() > 1 {
            emit(part);
        }
    }
}

/// How many moves a player can still make (after Bullock, Domineering: Solving Large Combinatorial Search Spaces, 2002).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counts {
    /// Dominoes side by side on cells that the opponent can never use.
    safe: u32,
    /// Further dominoes that stand apart: one of the opponent's spoils at most one of them.
    single: u32,
    /// Further dominoes beside others: one of the opponent's spoils at most two of them.
    double: u32,
    /// At most this many, even if the opponent never moves.
    possible: u32,
    /// So many cells can be taken from the player's lines before they have room for fewer dominoes.
    spare: u32,
}

impl Counts {
    #[inline]
    fn of<W: Word>(at: &BitGrid<W>, who: Player) -> Counts {
        let frame = at.frame();
        let empty = at.planes[0];
        let (across, along) = match who {
            Player::Left => (frame.east(empty) | frame.west(empty), frame.north(empty) | frame.south(empty)),
            Player::Right => (frame.north(empty) | frame.south(empty), frame.east(empty) | frame.west(empty)),
        };
        let safe = pack(&frame, empty & !across, who).len();
        let heads = pack(&frame, empty & across, who);
        let possible = pack(&frame, empty, who).len();
        let (forth, back) = directions(who);
        let placed = heads | frame.step(heads, forth);
        let beside = placed
            & match who {
                Player::Left => frame.east(placed) | frame.west(placed),
                Player::Right => frame.north(placed) | frame.south(placed),
            };
        let double = (heads & (beside | frame.step(beside, back))).len();
        Counts {
            safe,
            single: heads.len() - double,
            double,
            possible,
            spare: (empty & along).len() - 2 * possible,
        }
    }

    /// At least this many moves on cells that the opponent could use too, whatever the opponent does: the player answers
    /// in the same group, single dominoes or double ones, where the opponent spoils one or two a turn.
    fn contested(&self, moves_first: bool) -> u32 {
        let second = self.single / 2 + self.double / 3;
        let gains = !self.single.is_multiple_of(2) || !self.double.is_multiple_of(3);
        second + u32::from(moves_first && gains)
    }

    /// At most this many moves, if the opponent surely places `contested` dominoes on cells that these lines need.
    fn possible_beside(&self, contested: u32) -> u32 {
        self.possible.saturating_sub((2 * contested).saturating_sub(self.spare).div_ceil(2))
    }
}

/// Along and against the dominoes of a player.
#[inline]
fn directions(who: Player) -> (usize, usize) {
    match who {
        Player::Left => (4, 0),
        Player::Right => (2, 6),
    }
}

/// The first cells of dominoes of a player side by side in a set of cells, as many as fit: half the length of every line.
#[inline]
fn pack<W: Word>(frame: &Frame<W>, set: W, who: Player) -> W {
    let (forth, back) = directions(who);
    let (mut left, mut all) = (set, W::ZERO);
    loop {
        let heads = left & !frame.step(left, forth) & frame.step(left, back);
        if heads.is_empty() {
            return all;
        }
        all |= heads;
        left &= !(heads | frame.step(heads, forth));
    }
}
