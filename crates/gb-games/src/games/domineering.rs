//! Domineering: the players place dominoes on empty cells, Left upright, Right lying. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let square = gb_games::game("domineering").unwrap().read("..|..").unwrap();
//! assert_eq!(square.options(Left), ["#.|#.", ".#|.#"]);
//! assert_eq!(square.options(Right), ["##|..", "..|##"]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Frame, Scene, Size, Spot, Word};
use gb_rules::{
    BoundFeatures, Bridge, COUNTS, GridTraits, Heuristics, Info, OwnImpartialForm, Player, Rules, Sampling,
    Sign, StaticResult, Tabulation, Theorems,
};
use gb_value::{Halt, Kernel, Value};

use crate::shared::letters::codes_of_grids;
use crate::shared::ring::{Hole, stays_whole};

/// The rules of Domineering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Domineering<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[('#', "not part of the board"), ('.', "empty")]);

/// Ends beyond bridges are tried up to this size: they are soon known all, so that the trial costs little.
const LARGEST_END: u32 = 7;

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
    fn parts(&self, at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>)) {
        let corridors = without_corridors(at, emit);
        let length = 2 * corridors.unsigned_abs() as u32;
        match corridors {
            0 => {}
            1.. => emit(BitGrid { planes: [W::low(length)], rows: 1, cols: length as u8 }.transpose()),
            _ => emit(BitGrid { planes: [W::low(length)], rows: 1, cols: length as u8 }),
        }
    }
    fn regions(&self, at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>, Vec<Spot>)) {
        split(&at.frame(), at.planes[0], &mut |set| emit(at.cut(set), at.spots(set)));
    }
    /// The least of the eight images; transposing swaps the players.
    #[inline]
    fn normalise(&self, at: BitGrid<W>) -> (BitGrid<W>, Sign) {
        let (least, transposed) = at.least_wide();
        (least, if transposed { Sign::Minus } else { Sign::Plus })
    }
    gb_rules::has!(theorems, tabulation, heuristics, sampling, own_impartial_form);
}

impl<W: Word> OwnImpartialForm<BitGrid<W>> for Domineering<W> {
    /// Connected cells and no more: dead ends and corridors are integers only where each belongs to one player.
    fn regions(&self, at: &BitGrid<W>, emit: &mut dyn FnMut(BitGrid<W>, Vec<Spot>)) {
        super::cram::split(at, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    fn normalise(&self, at: BitGrid<W>) -> BitGrid<W> {
        at.least_wide().0
    }
}

impl<W: Word> Theorems<BitGrid<W>, u8> for Domineering<W> {
    fn known(&self, at: &BitGrid<W>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
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
        let [left, right] = Player::BOTH.map(|who| Race::of(at, who));
        (Some(left.lead(&right, false)), Some(-right.lead(&left, false)))
    }
    fn features(&self, at: &BitGrid<W>) -> BoundFeatures {
        BoundFeatures(Player::BOTH.map(|who| Race::of(at, who).counts()))
    }
    fn static_result(
        &self,
        features: &BoundFeatures,
        (low, high): (i64, i64),
        first: Player,
    ) -> StaticResult {
        let races = features.0.map(Race::from_counts);
        let [left, right] = &races;
        if low.saturating_add(left.lead(right, first == Player::Left)) >= i64::from(first == Player::Left) {
            return StaticResult::Winner(Player::Left);
        }
        if high.saturating_sub(right.lead(left, first == Player::Right)) <= -i64::from(first == Player::Right)
        {
            return StaticResult::Winner(Player::Right);
        }
        // Bullock's order of moves.
        let good = |race: &Race| race.possible + race.safe;
        let eval = 2 * (good(left) - good(right)) + low.clamp(-1000, 1000) + high.clamp(-1000, 1000);
        StaticResult::Eval(eval as i32)
    }
    /// Most moves leave a part whole, which is seen from the cells around the domino.
    #[inline]
    fn parts_after(
        &self,
        part: &BitGrid<W>,
        who: Player,
        mv: &u8,
        emit: &mut dyn FnMut(BitGrid<W>),
    ) -> Option<i64> {
        let frame = part.frame();
        let left = part.planes[0] & !domino(&frame, who, *mv);
        let after = BitGrid { planes: [left], ..*part };
        let hole = if who == Player::Left { Hole::Upright } else { Hole::Lying };
        if !stays_whole(&frame, left, (*mv).into(), hole) || has_thin_three(&frame, left) {
            return Some(without_corridors(&after, &mut |part| emit(part)));
        }
        Some(if left.is_empty() { 0 } else { emit_or_count(after.cut(left), &mut |part| emit(part)) })
    }
    /// Bridge splitting (Uiterwijk and Barton, New results for Domineering from combinatorial game theory endgame
    /// databases, 2015): let a cell `c` without upright neighbours join `G` and `H` in a row. If adding `c` to `G` does
    /// not change the value of `G`, then the whole is `G` plus `H` with `c`.
    ///
    /// It is not more than that for Left, since it only adds a place for Right. And it is not less: Left, moving second,
    /// plays `G` with `c` against `-G` as if `H` were not there, and `H` with `c` against its negative by symmetry; if
    /// Right covers `c` together with a cell of `G`, then `H` has lost a cell that only Right could use.
    fn bridges(&self, part: &BitGrid<W>, emit: &mut dyn FnMut(Bridge<BitGrid<W>>)) {
        let (frame, cells) = (part.frame(), part.planes[0]);
        let (lying, upright) = thin(&frame, cells);
        let lying = lying & frame.east(cells) & frame.west(cells);
        let upright = upright & frame.north(cells) & frame.south(cells);
        for cell in (lying | upright).cells() {
            let bridge = W::bit(cell);
            let others = cells & !bridge;
            let neighbours = frame.around4(bridge) & others;
            let side = frame.flood4(W::bit(neighbours.first()), others);
            if side & neighbours == neighbours {
                continue;
            }
            for end in [side, others & !side] {
                if end.len() <= LARGEST_END {
                    let [end, longer_end, rest] = [end, end | bridge, cells & !end].map(|set| part.cut(set));
                    emit(Bridge { end, longer_end, rest });
                }
            }
        }
    }
}

impl<W: Word> Tabulation<BitGrid<W>> for Domineering<W> {
    fn grid(&self) -> GridTraits {
        GridTraits { weights: &[0, 1], mirrors: true, transpose: Some(Sign::Minus), swap: None }
    }
    codes_of_grids!();
}

impl<W: Word> Heuristics<BitGrid<W>, u8> for Domineering<W> {
    /// What looks equally good is tried from the edges to the middle: that takes 511 thousand nodes instead of 1.23 million
    /// on 7x8.
    #[inline]
    fn order_score(&self, at: &BitGrid<W>, _who: Player, mv: &u8) -> i32 {
        let (row, col) = at.frame().place(u32::from(*mv));
        let from_middle = |place: u32, length: u8| (2 * place as i32 + 1 - i32::from(length)).abs();
        from_middle(row, at.rows) + from_middle(col, at.cols)
    }
    fn size(&self, at: &BitGrid<W>) -> Option<usize> {
        Some(at.planes[0].len() as usize)
    }
}

impl<W: Word> Sampling<BitGrid<W>, u8> for Domineering<W> {
    #[inline]
    fn count_moves(&self, at: &BitGrid<W>, who: Player) -> u32 {
        places(&at.frame(), at.planes[0], who).len()
    }
    #[inline]
    fn random_move(&self, at: &BitGrid<W>, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<u8> {
        let cells = places(&at.frame(), at.planes[0], who);
        (!cells.is_empty()).then(|| cells.nth(below(cells.len())) as u8)
    }
}

/// Emits the parts that are no corridors, and returns the sum of those that are.
#[inline]
fn without_corridors<W: Word>(at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>)) -> i64 {
    let mut corridors = 0;
    split(&at.frame(), at.planes[0], &mut |set| corridors += emit_or_count(at.cut(set), emit));
    corridors
}

/// Emits a connected part, unless it is a corridor, whose value is returned.
#[inline]
fn emit_or_count<W: Word>(part: BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>)) -> i64 {
    if part.cols == 1 {
        i64::from(part.rows / 2)
    } else if part.rows == 1 {
        -i64::from(part.cols / 2)
    } else {
        emit(part);
        0
    }
}

/// Calls `emit` with sets of cells that are independent of each other: connected cells, without single ones, and the last
/// two cells of dead ends.
///
/// The latter is the simplest case of bridge splitting (see [`Theorems::bridges`]): two cells lying in a row are worth -1,
/// and so are three.
#[inline]
fn split<W: Word>(frame: &Frame<W>, cells: W, emit: &mut impl FnMut(W)) {
    let mut left = cells;
    while has_thin_three(frame, left) {
        let before = left;
        let (lying, upright) = thin(frame, left);
        cut_dead_ends(&mut left, lying, |set| frame.east(set), |set| frame.west(set), emit);
        cut_dead_ends(&mut left, lying, |set| frame.west(set), |set| frame.east(set), emit);
        cut_dead_ends(&mut left, upright, |set| frame.south(set), |set| frame.north(set), emit);
        cut_dead_ends(&mut left, upright, |set| frame.north(set), |set| frame.south(set), emit);
        if left == before {
            break;
        }
    }
    while !left.is_empty() {
        let seed = W::bit(left.first());
        let part = frame.flood4(seed, left);
        left &= !part;
        if part != seed {
            emit(part);
        }
    }
}

/// The cells without upright neighbours and those without lying ones.
#[inline]
fn thin<W: Word>(frame: &Frame<W>, cells: W) -> (W, W) {
    let lying = cells & !(frame.north(cells) | frame.south(cells));
    let upright = cells & !(frame.east(cells) | frame.west(cells));
    (lying, upright)
}

/// Whether there are three thin cells in a row, without which there is no dead end to be cut.
#[inline]
fn has_thin_three<W: Word>(frame: &Frame<W>, cells: W) -> bool {
    let (lying, upright) = thin(frame, cells);
    let lying = lying & frame.east(lying) & frame.west(lying);
    let upright = upright & frame.south(upright) & frame.north(upright);
    !(lying | upright).is_empty()
}

/// Emits and removes the first two cells of dead ends that begin with three thin cells, going `forth`.
#[inline]
fn cut_dead_ends<W: Word>(
    left: &mut W,
    thin: W,
    forth: impl Fn(W) -> W,
    back: impl Fn(W) -> W,
    emit: &mut impl FnMut(W),
) {
    let thin = thin & *left;
    let ends = thin & !forth(*left) & back(thin & back(thin));
    for cell in ends.cells() {
        emit(W::bit(cell) | forth(W::bit(cell)));
    }
    *left &= !(ends | forth(ends));
}

/// How many moves a player can still make (after Bullock, Domineering: Solving Large Combinatorial Search Spaces, 2002).
/// The counts of the parts of a sum add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Race {
    /// Dominoes side by side on cells that the opponent can never use.
    safe: i64,
    /// Squares of two dominoes beside a wall: placing the inner one makes the outer one safe.
    pairs: i64,
    /// Further dominoes, of which one of the opponent's hits at most two.
    exposed: i64,
    /// Further dominoes, of which one of the opponent's hits at most one, and none of the others.
    lone: i64,
    /// At most this many dominoes, even if the opponent never moves.
    possible: i64,
    /// Cells that the player may ever cover.
    usable: i64,
}

impl Race {
    fn counts(self) -> [i32; COUNTS] {
        let Race { safe, pairs, exposed, lone, possible, usable } = self;
        [safe, pairs, exposed, lone, possible, usable].map(|count| count as i32)
    }

    fn from_counts(counts: [i32; COUNTS]) -> Race {
        let [safe, pairs, exposed, lone, possible, usable] = counts.map(i64::from);
        Race { safe, pairs, exposed, lone, possible, usable }
    }

    #[inline]
    fn of<W: Word>(at: &BitGrid<W>, who: Player) -> Race {
        let frame = at.frame();
        let empty = at.planes[0];
        // Along the player's dominoes, and to either side of them.
        let (forth, sides) = match who {
            Player::Left => (4, [2, 6]),
            Player::Right => (2, [4, 0]),
        };
        let back = forth ^ 4;
        let beside = |set: W| frame.step(set, sides[0]) | frame.step(set, sides[1]);
        let own = empty & !beside(empty);
        let mut rest = empty & !own;
        let mut squares = W::ZERO;
        let mut pairs = 0;
        for side in sides {
            let walled = rest & !frame.step(empty, side);
            let heads = pack(&frame, walled & frame.step(rest, side ^ 4), forth);
            let outer = heads | frame.step(heads, forth);
            let square = outer | frame.step(outer, side);
            pairs += heads.len();
            squares |= square;
            rest &= !square;
        }
        let heads = pack(&frame, rest, forth);
        let dominoes = heads | frame.step(heads, forth);
        let touching = dominoes & beside(dominoes | squares);
        let lone = heads & !(touching | frame.step(touching, back));
        let playable = empty & (frame.step(empty, forth) | frame.step(empty, back));
        Race {
            safe: pack(&frame, own, forth).len().into(),
            pairs: pairs.into(),
            exposed: (heads & !lone).len().into(),
            lone: lone.len().into(),
            possible: pack(&frame, empty, forth).len().into(),
            usable: playable.len().into(),
        }
    }

    /// At least this many moves on cells that the opponent might have used, whatever the opponent does: first the
    /// pairs, then the exposed dominoes, then the others.
    fn sure(&self, moves_first: bool) -> i64 {
        let odd = self.lone % 2;
        let second = self.lone / 2 + (self.exposed + 2 * odd) / 3;
        let first = (self.lone + 1) / 2 + (self.exposed + 2 - odd) / 3;
        match (self.pairs, moves_first) {
            (0, false) => second,
            (0, true) => first,
            (pairs, false) => first + pairs - 1,
            (1, true) => second + 2,
            (pairs, true) => first + pairs,
        }
    }

    /// How many moves more than the opponent the player makes at least.
    fn lead(&self, opponent: &Race, moves_first: bool) -> i64 {
        let sure = self.sure(moves_first);
        // Each of these moves takes two cells from the opponent.
        let most = opponent.possible.min((opponent.usable - 2 * sure).div_euclid(2));
        self.safe + sure - most
    }
}

/// The first cells of dominoes side by side in a set of cells, as many as there is room for: in every line half of its
/// length.
#[inline]
fn pack<W: Word>(frame: &Frame<W>, set: W, forth: usize) -> W {
    let back = forth ^ 4;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// [`Race::sure`] by playing it out.
    fn sure(pairs: i64, exposed: i64, lone: i64, moves_first: bool) -> i64 {
        let after =
            |p: i64, e: i64, l: i64, mine: bool| (p >= 0 && e >= 0 && l >= 0).then(|| sure(p, e, l, mine));
        let (p, e, l) = (pairs, exposed, lone);
        if moves_first {
            let own = [
                after(p - 1, e, l, false).map(|n| n + 2),
                after(p, e - 1, l, false).map(|n| n + 1),
                after(p, e, l - 1, false).map(|n| n + 1),
            ];
            return own.into_iter().flatten().max().unwrap_or(0);
        }
        let hits = [
            Some(sure(p, e, l, true)),
            after(p - 1, e, l, true),
            // One cell of a square is hit, and with it something beside the square.
            after(p - 1, e - 1, l + 1, true).filter(|_| p > 0),
            after(p - 2, e, l + 2, true),
            after(p, e - 1, l, true),
            after(p, e - 2, l, true),
            after(p, e, l - 1, true),
        ];
        hits.into_iter().flatten().min().unwrap_or(0)
    }

    /// The parts of `parts_after`, against making the move and taking the board apart.
    fn check_moves<W: Word>(rules: Domineering<W>, at: &BitGrid<W>) {
        for who in Player::BOTH {
            let _ = rules.moves(at, who, &mut |mv| {
                let (mut fast, mut plain) = (vec![], vec![]);
                let mut number = rules.parts_after(at, who, &mv, &mut |part| fast.push(part)).unwrap();
                let mut next = *at;
                rules.play(&mut next, who, &mv);
                rules.parts(&next, &mut |part| match (part.rows, part.cols) {
                    (rows, 1) => number -= i64::from(rows / 2),
                    (1, cols) => number += i64::from(cols / 2),
                    _ => plain.push(part),
                });
                assert_eq!((fast, number), (plain, 0), "{} {who:?} {mv}", rules.show(at));
                ControlFlow::Continue(())
            });
        }
    }

    #[test]
    fn what_a_move_leaves_is_what_the_board_falls_into() {
        let small = Domineering::<u64>::default();
        for (rows, cols) in [(3, 4), (4, 3), (2, 7), (4, 4)] {
            for cells in 0..1u64 << (rows * cols) {
                let mut board = BitGrid::<u64>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    board.set((i / cols) as u32, (i % cols) as u32, (cells >> i & 1) as usize);
                }
                small.parts(&board, &mut |part| check_moves(small, &part));
            }
        }
        let mut random = 0x2545_F491_4F6C_DD1D_u64;
        for (rows, cols) in [(7, 7), (8, 8), (7, 8), (8, 5), (6, 7), (3, 20)] {
            for _ in 0..300 {
                let mut board = BitGrid::<u64>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    board.set((i / cols) as u32, (i % cols) as u32, usize::from(!random.is_multiple_of(4)));
                }
                small.parts(&board, &mut |part| check_moves(small, &part));
            }
        }
        let rules = Domineering::<u128>::default();
        rules
            .parts(&rules.read(&["..#......."; 9].join("|")).unwrap(), &mut |part| check_moves(rules, &part));
    }

    #[test]
    fn sure_moves_are_those_of_the_game_of_hitting() {
        for (pairs, exposed, lone) in
            (0..4).flat_map(|p| (0..4).flat_map(move |e| (0..3).map(move |l| (p, e, l))))
        {
            if pairs + exposed + lone > 6 {
                continue;
            }
            let race = Race { pairs, exposed, lone, ..Race::default() };
            for first in [false, true] {
                assert_eq!(race.sure(first), sure(pairs, exposed, lone, first), "{race:?} {first}");
            }
        }
    }
}
