//! King and pawn against king: every position, by working backwards from promotions (K. Thompson, Retrograde analysis of
//! certain endgames, 1986).

use cozy_chess::{
    BitBoard, Board, Color, File, Rank, Square, get_king_moves, get_pawn_attacks, get_pawn_quiets,
};

use super::board::pawns;
use super::rules::Decided;

/// Side to move, king with the pawn, other king, pawn on one of 24 squares of the files a to d.
const SIZE: usize = 2 * 64 * 64 * 24;

/// Which positions are won for the side with the pawn, as seen by White.
pub(super) struct PawnAgainstKing {
    won: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Place {
    strong_moves: bool,
    strong: Square,
    weak: Square,
    pawn: Square,
}

impl Place {
    fn of_index(index: usize) -> Place {
        let pawn = index / (2 * 64 * 64);
        Place {
            strong_moves: index.is_multiple_of(2),
            strong: Square::index(index / 2 % 64),
            weak: Square::index(index / 128 % 64),
            pawn: Square::new(File::index(pawn % 4), Rank::index(pawn / 4 + 1)),
        }
    }

    fn index(&self) -> usize {
        let flip = |square: Square| if self.pawn.file() > File::D { square.flip_file() } else { square };
        let pawn = flip(self.pawn);
        let pawn = (pawn.rank() as usize - 1) * 4 + pawn.file() as usize;
        ((pawn * 64 + flip(self.weak) as usize) * 64 + flip(self.strong) as usize) * 2
            + usize::from(!self.strong_moves)
    }

    /// Nobody stands on anybody, the kings are apart, and no king can be taken.
    fn is_legal(&self) -> bool {
        self.strong != self.pawn
            && self.weak != self.pawn
            && self.strong != self.weak
            && !get_king_moves(self.strong).has(self.weak)
            && !(self.strong_moves && get_pawn_attacks(self.pawn, Color::White).has(self.weak))
    }
}

impl PawnAgainstKing {
    pub(super) fn new() -> PawnAgainstKing {
        let mut table = PawnAgainstKing { won: vec![false; SIZE] };
        let mut open: Vec<Place> = (0..SIZE).map(Place::of_index).filter(Place::is_legal).collect();
        loop {
            let before = open.len();
            open.retain(|place| {
                let won = if place.strong_moves { table.can_win(place) } else { table.cannot_escape(place) };
                table.won[place.index()] |= won;
                !won
            });
            if open.len() == before {
                return table;
            }
        }
    }

    /// The side with the pawn has a winning move.
    fn can_win(&self, place: &Place) -> bool {
        let kings = BitBoard::from(place.strong) | BitBoard::from(place.weak);
        for to in get_pawn_quiets(place.pawn, Color::White, kings) {
            if to.rank() == Rank::Eighth {
                // The new queen must not be lost. Where it would stalemate, a rook wins.
                if !get_king_moves(place.weak).has(to) || get_king_moves(place.strong).has(to) {
                    return true;
                }
            } else if self.won[Place { pawn: to, strong_moves: false, ..*place }.index()] {
                return true;
            }
        }
        let taken = get_king_moves(place.weak) | BitBoard::from(place.pawn);
        (get_king_moves(place.strong) & !taken)
            .into_iter()
            .any(|to| self.won[Place { strong: to, strong_moves: false, ..*place }.index()])
    }

    /// Every move of the lone king loses, and he has one or is mated.
    fn cannot_escape(&self, place: &Place) -> bool {
        let guarded = get_king_moves(place.strong) | get_pawn_attacks(place.pawn, Color::White);
        let ways = get_king_moves(place.weak) & !guarded & !BitBoard::from(place.strong);
        if ways.has(place.pawn) {
            return false;
        }
        let stalemate = ways.is_empty() && !get_pawn_attacks(place.pawn, Color::White).has(place.weak);
        !stalemate
            && ways.into_iter().all(|to| self.won[Place { weak: to, strong_moves: true, ..*place }.index()])
    }

    /// What a position of two kings and one pawn is worth.
    pub(super) fn decide(&self, at: &Board) -> Decided {
        let strong = if pawns(at, Color::White).is_empty() { Color::Black } else { Color::White };
        let Some(pawn) = pawns(at, strong).next_square() else { return Decided::Drawn };
        let place = Place {
            strong_moves: at.side_to_move() == strong,
            strong: at.king(strong).relative_to(strong),
            weak: at.king(!strong).relative_to(strong),
            pawn: pawn.relative_to(strong),
        };
        if self.won[place.index()] {
            Decided::Won(strong, 2 * (7 - place.pawn.rank() as i32))
        } else {
            Decided::Drawn
        }
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::Piece;

    use super::*;
    use crate::shallow::board::{after, moves};

    fn board(place: &Place) -> Option<Board> {
        let mut builder = cozy_chess::BoardBuilder::empty();
        builder.board[place.strong as usize] = Some((Piece::King, Color::White));
        builder.board[place.weak as usize] = Some((Piece::King, Color::Black));
        builder.board[place.pawn as usize] = Some((Piece::Pawn, Color::White));
        builder.side_to_move = if place.strong_moves { Color::White } else { Color::Black };
        builder.build().ok()
    }

    /// The table satisfies the rules of chess as another library knows them.
    #[test]
    fn every_position_follows_from_its_moves() {
        let table = PawnAgainstKing::new();
        let (mut won, mut legal) = (0, 0);
        for place in (0..SIZE).map(Place::of_index).filter(Place::is_legal) {
            let at = board(&place).expect("a legal position");
            legal += 1;
            let wins = |next: &Board| {
                if next.pieces(Piece::Pawn).is_empty() {
                    // Promoted, unless the pawn is lost; and the queen must not be lost either.
                    let queen = next.pieces(Piece::Queen).next_square();
                    queen.is_some_and(|queen| !next.generate_moves(|set| set.to.has(queen)))
                } else {
                    table.decide(next) != Decided::Drawn
                }
            };
            let next: Vec<bool> = moves(&at).iter().map(|&mv| wins(&after(&at, mv))).collect();
            let expected = if place.strong_moves {
                next.contains(&true)
            } else {
                !next.contains(&false) && (!next.is_empty() || !at.checkers().is_empty())
            };
            assert_eq!(table.won[place.index()], expected, "{at}");
            won += usize::from(expected);
        }
        assert!(won > legal / 2 && won < legal, "{won} of {legal}");
    }
}
