//! Endgames made at random: living walls, and open areas between them whose values do not cancel.

use gb_board::Xorshift;
use gb_value::{Budget, Kernel, Player, Value};

use crate::alphabeta::WholeBoard;
use crate::area::Area;
use crate::board::{Board, Point};
use crate::game::{Game, KoRule};
use crate::local::{LocalSearch, Pruning, Scoring};
use crate::safety::{Effort, Safety};

/// What kind of endgame is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Lines of the board, at least 7.
    pub size: usize,
    /// How many areas.
    pub areas: usize,
    /// The fewest and the most points of an area.
    pub points: (usize, usize),
}

fn one_of(random: &mut Xorshift, points: &[Point]) -> Option<Point> {
    points.get(random.below(points.len().max(1))).copied()
}

/// How many positions the search of one area may take: what takes longer is not offered.
const AREA_NODES: u64 = 5_000;

/// An endgame that depends on the seed only: Black below, White above, two single eyes each, and open areas along the
/// border or in the walls. Every area has a value above temperature zero, no two are equal or opposite, and all walls live
/// unconditionally. `None` if there is no room for so many areas; another seed may do.
pub fn endgame(kernel: &Kernel<'_>, seed: u64, wanted: Wanted) -> Option<Game> {
    let mut random = Xorshift(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..4 {
        random.below(2);
    }
    let mut board = halves(&mut random, wanted.size);
    let mut taken: Vec<Point> = eyes(&mut random, &mut board)?;
    let mut values: Vec<Value> = vec![];
    for _ in 0..400 * wanted.areas {
        if values.len() == wanted.areas {
            let to_play = Player::BOTH[random.below(2)];
            return Some(Game::new(board, to_play, KoRule::Simple));
        }
        let count = wanted.points.0 + random.below(wanted.points.1 + 1 - wanted.points.0);
        let Some(points) = shape(&mut random, &board, &taken, count) else { continue };
        let next = furnished(&mut random, &board, &points);
        if let Some(value) = value(kernel, &next, &taken, &points)
            && !values.contains(&value)
            && kernel.neg(value).is_ok_and(|negative| !values.contains(&negative))
        {
            values.push(value);
            taken.extend(points);
            board = next;
        }
    }
    None
}

/// White above an uneven border, Black below it.
fn halves(random: &mut Xorshift, size: usize) -> Board {
    let mut board = Board::new(size);
    let mut border = size / 2;
    for x in 0..size {
        border = (border + random.below(3)).saturating_sub(1).clamp(3, size - 3);
        for y in 0..size {
            let stone = if y < border { Player::Right } else { Player::Left };
            board.set(board.point(x, y), Some(stone));
        }
    }
    board
}

/// Gives each colour two eyes, and returns them.
fn eyes(random: &mut Xorshift, board: &mut Board) -> Option<Vec<Point>> {
    let mut eyes = vec![];
    for colour in Player::BOTH {
        for _ in 0..2 {
            let inside: Vec<Point> = board
                .points()
                .filter(|&p| board.at(p) == Some(colour))
                .filter(|&p| board.neighbours(p).all(|n| board.at(n) == Some(colour)))
                .collect();
            let eye = one_of(random, &inside)?;
            board.set(eye, None);
            eyes.push(eye);
        }
    }
    Some(eyes)
}

/// A connected set of points that touches nothing taken, grown from a point where the colours meet.
fn shape(random: &mut Xorshift, board: &Board, taken: &[Point], count: usize) -> Option<Vec<Point>> {
    let is_free = |p: Point| !taken.contains(&p) && board.neighbours(p).all(|n| !taken.contains(&n));
    let meets = |p: Point| board.neighbours(p).any(|n| board.at(n) != board.at(p));
    let starts: Vec<Point> = board.points().filter(|&p| is_free(p) && meets(p)).collect();
    let mut points = vec![one_of(random, &starts)?];
    for _ in 0..8 * count {
        if points.len() == count {
            points.sort_unstable();
            return Some(points);
        }
        // Mostly on from the last point: real areas are rather long than round.
        let from = if random.below(3) > 0 { points.last().copied()? } else { one_of(random, &points)? };
        let next: Vec<Point> =
            board.neighbours(from).filter(|&n| is_free(n) && !points.contains(&n)).collect();
        points.extend(one_of(random, &next));
    }
    None
}

/// The board with these points cleared, and some stones on them.
fn furnished(random: &mut Xorshift, board: &Board, points: &[Point]) -> Board {
    let mut next = board.clone();
    for &point in points {
        let stone = match random.below(8) {
            0 => Some(Player::Left),
            1 => Some(Player::Right),
            _ => None,
        };
        next.set(point, stone);
    }
    next
}

/// The value of an area, if it is one on this board, and worth playing in.
fn value(kernel: &Kernel<'_>, board: &Board, taken: &[Point], points: &[Point]) -> Option<Value> {
    let has_liberty = |p: Point| board.at(p).is_none() || !board.block(p).liberties.is_empty();
    if !board.points().all(has_liberty) {
        return None;
    }
    let safety = Safety::of(board, &Effort::BENSON);
    let is_open = |p: Point| safety.owner(p).is_none();
    let others_stay = board.points().all(|p| points.contains(&p) || taken.contains(&p) || !is_open(p));
    if !others_stay || !points.iter().all(|&p| is_open(p)) {
        return None;
    }
    let area = Area::cut(board, points, |p| safety.wall(board, p))?;
    let budget = Budget::unlimited().with_nodes(AREA_NODES);
    let own = kernel.store().kernel(&budget);
    // Not even a bad move may lead to a ko: the game is to be played out with somebody who makes bad moves.
    WholeBoard::new(&own, std::slice::from_ref(&area), Pruning::NONE).ok()??;
    let value = LocalSearch::new(&own, Scoring::Territory, Pruning::ALL).value(&area).ok()?;
    own.temperature(value).is_ok_and(|t| t.signum() > 0).then_some(value)
}
