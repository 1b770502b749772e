//! Best play, move by move.

use cozy_chess::{Board, Color, Move, Piece};

use super::book::{Book, Outlook};
use super::cell::{OPEN, SURE};
use super::layer::Solver;
use super::spot::{Spot, after, known, moves, side};
use super::structure::Side;
use crate::shallow::move_text;

/// Lines are not longer.
const LONGEST: usize = 30;

/// Chooses moves by what is proved.
pub(super) struct Guide<'a, 'b> {
    book: &'a Book<'b>,
}

impl<'a, 'b> Guide<'a, 'b> {
    pub(super) fn new(book: &'a Book<'b>) -> Guide<'a, 'b> {
        Guide { book }
    }

    /// Best play until a pawn is promoted for good, the game is over, or nothing is proved any more. Every move is one of the
    /// legal moves of the position it is made in.
    ///
    /// Also whether a player loses a move on the way: nothing but kings has moved, and it is the other's turn.
    pub(super) fn line(&self, board: &Board) -> (Vec<String>, bool) {
        let (mut at, mut line, mut seen) = (board.clone(), vec![], vec![]);
        let (mut places, mut triangle) = (vec![], false);
        while line.len() < LONGEST && !seen.contains(&at.hash()) {
            seen.push(at.hash());
            let place = (at.occupied(), at.colors(Color::White), at.side_to_move());
            triangle |= places.contains(&(place.0, place.1, !place.2));
            places.push(place);
            let Some(mv) = self.best(&at) else { break };
            line.push(move_text(&at, mv));
            let promoted = mv.promotion.is_some();
            at = after(&at, mv);
            // A promoted piece that is not taken at once: the rest is routine.
            let taken = moves(&at).iter().any(|reply| reply.to == mv.to);
            if promoted && !taken {
                break;
            }
        }
        let won = known(self.book, board).wins.iter().any(|wins| wins[SURE]);
        (line, triangle && won)
    }

    /// The best move, if the result is proved.
    pub(super) fn best(&self, board: &Board) -> Option<Move> {
        let state = known(self.book, board);
        let to_move = side(board.side_to_move());
        let list = moves(board);
        for winner in Side::BOTH {
            if state.wins[winner as usize][SURE] {
                return self.towards(board, winner, list);
            }
        }
        if state.wins.iter().any(|wins| wins[OPEN]) {
            return None;
        }
        // A draw: any move that keeps it, rather one that threatens something.
        list.into_iter()
            .filter(|&mv| {
                let next = known(self.book, &after(board, mv));
                !next.wins[to_move.other() as usize][OPEN]
            })
            .min_by_key(|&mv| self.dullness(board, mv))
    }

    /// Moves that give nothing to think about come last.
    fn dullness(&self, board: &Board, mv: Move) -> usize {
        let next = after(board, mv);
        let to_move = side(board.side_to_move());
        let losing = |reply: &Move| known(self.book, &after(&next, *reply)).wins[to_move as usize][SURE];
        let replies = moves(&next);
        1_000 + replies.len() - 10 * replies.iter().filter(|reply| losing(reply)).count()
    }

    /// The winner comes nearer to the end with every move; the loser goes where that takes longest.
    fn towards(&self, board: &Board, winner: Side, list: Vec<Move>) -> Option<Move> {
        let wins = |next: &Board| known(self.book, next).wins[winner as usize][SURE];
        let spot = Spot::of(board);
        let rounds = spot.map(|spot| {
            let outside = Outlook::new(self.book);
            let solver = Solver::new(spot.key, &outside);
            solver.rounds(spot.turned(winner), SURE)
        });
        let here = spot.zip(rounds.as_ref()).and_then(|(spot, rounds)| spot.round(rounds));
        // Inside the layer by rounds; a move out of it can never be taken back, and comes first.
        let rank = |mv: Move| -> Option<usize> {
            let next = after(board, mv);
            if !wins(&next) {
                return None;
            }
            let Some(there) = Spot::of(&next) else { return Some(0) };
            let inside = spot.is_some_and(|spot| spot.key == there.key && spot.flipped == there.flipped);
            if inside { there.round(rounds.as_ref()?).map(|round| round + 1) } else { Some(0) }
        };
        if side(board.side_to_move()) == winner {
            let nearer =
                |mv: &Move| rank(*mv).filter(|&rank| rank == 0 || here.is_none_or(|here| rank <= here));
            return list
                .into_iter()
                .filter_map(|mv| Some(((nearer(&mv)?, mv.promotion != Some(Piece::Queen)), mv)))
                .min_by_key(|(key, _)| *key)
                .map(|(_, mv)| mv);
        }
        // Out of the layer nothing is known of how long it takes: rather take something or promote than go to and fro.
        let resistance = |mv: Move| {
            let next = after(board, mv);
            let inside = Spot::of(&next).zip(spot).is_some_and(|(there, here)| there.key == here.key);
            let gain = next.occupied().len() < board.occupied().len() || mv.promotion == Some(Piece::Queen);
            (gain && !inside, rank(mv), board.piece_on(mv.from) == Some(Piece::King))
        };
        list.into_iter().max_by_key(|&mv| resistance(mv))
    }
}
