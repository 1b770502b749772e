//! A position of chess as a place in a layer.

use cozy_chess::{Board, Color, Move, Piece};

use super::bits::bit;
use super::book::{Book, Outlook};
use super::cell::{Cell, FEAR, HOPE, LEVELS, OPEN, SURE};
use super::fixpoint::Rounds;
use super::layer::{Key, Outside, Place};
use super::structure::{Kind, Side, Structure};

/// A position, in the orientation of its layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Spot {
    pub(super) key: Key,
    /// The board was turned round.
    pub(super) flipped: bool,
    pub(super) side: Side,
    pub(super) piece: u8,
    pub(super) white_king: u8,
    pub(super) black_king: u8,
}

/// What is known about one position, in the orientation of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// Whether White wins, and Black, at each level.
    pub(super) wins: [[bool; 4]; 2],
}

impl Known {
    /// What two players make of their moves: whoever is to move takes what suits him.
    pub(super) fn nothing(side: Side) -> Known {
        let mut wins = [[true; 4]; 2];
        wins[side as usize] = [false; 4];
        Known { wins }
    }

    pub(super) fn or(mut self, side: Side, other: &Known) -> Known {
        for level in LEVELS {
            let (own, theirs) = (side as usize, side.other() as usize);
            self.wins[own][level] |= other.wins[own][level];
            self.wins[theirs][level] &= other.wins[theirs][level];
        }
        self
    }

    pub(super) fn is_decided(&self, who: Side) -> bool {
        let wins = self.wins[who as usize];
        wins[SURE] || !wins[OPEN]
    }

    /// Nothing more is to be found out.
    pub(super) fn is_settled(&self) -> bool {
        let [white, black] = self.wins;
        white[SURE] || black[SURE] || !white[OPEN] && !black[OPEN]
    }

    /// Somebody could look at something and perhaps decide whether this side wins.
    pub(super) fn is_promising(&self, who: Side) -> bool {
        let wins = self.wins[who as usize];
        !self.is_decided(who) && (wins[HOPE] || !wins[FEAR])
    }
}

pub(super) fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

pub(super) fn kind(piece: Piece) -> Option<Kind> {
    match piece {
        Piece::Queen => Some(Kind::Queen),
        Piece::Rook => Some(Kind::Rook),
        Piece::Bishop => Some(Kind::Bishop),
        Piece::Knight => Some(Kind::Knight),
        Piece::Pawn | Piece::King => None,
    }
}

pub(super) fn pawns(board: &Board) -> Structure {
    let of = |color| board.colored_pieces(color, Piece::Pawn).0;
    Structure { white: of(Color::White), black: of(Color::Black) }
}

impl Spot {
    /// `None` where there is more than one piece. The right to take en passant is left out.
    pub(super) fn of(board: &Board) -> Option<Spot> {
        let pieces = board.occupied() - board.pieces(Piece::Pawn) - board.pieces(Piece::King);
        let mut piece = None;
        for square in pieces {
            if piece.is_some() {
                return None;
            }
            piece = Some((side(board.color_on(square)?), kind(board.piece_on(square)?)?, square as u8));
        }
        let place = Place::of(piece.map(|(side, kind, _)| (side, kind)), pawns(board));
        let square = piece.map_or(0, |piece| piece.2);
        let kings = [board.king(Color::White) as u8, board.king(Color::Black) as u8];
        let to_move = side(board.side_to_move());
        Some(if place.flipped {
            Spot {
                key: place.key,
                flipped: true,
                side: to_move.other(),
                piece: if piece.is_some() { square ^ 56 } else { 0 },
                white_king: kings[1] ^ 56,
                black_king: kings[0] ^ 56,
            }
        } else {
            Spot {
                key: place.key,
                flipped: false,
                side: to_move,
                piece: square,
                white_king: kings[0],
                black_king: kings[1],
            }
        })
    }

    /// The side of the layer that a side of the board is.
    pub(super) fn turned(&self, side: Side) -> Side {
        if self.flipped { side.other() } else { side }
    }

    /// In which round of retrograde analysis of its layer it was found.
    pub(super) fn round(&self, rounds: &Rounds) -> Option<usize> {
        let places = if self.key.kind.is_some() { 64 } else { 1 };
        rounds.of(self.side, self.black_king as usize * places + self.piece as usize, self.white_king)
    }

    /// What the book knows about it.
    pub(super) fn known(&self, book: &Book<'_>) -> Known {
        let cell = match book.get(&self.key) {
            Some(solved) => {
                let places = if self.key.kind.is_some() { 64 } else { 1 };
                solved.cell(self.side, self.piece, places, self.black_king)
            }
            None => {
                let piece = self.key.kind.map(|kind| (Side::White, kind, self.piece));
                let mut plane = [Cell::default(); 64];
                // A layer without a piece may be kept turned round; this one is in the orientation of its key.
                Outlook::new(book).plane(piece, self.key.pawns, self.side, &mut plane);
                plane[self.black_king as usize]
            }
        };
        self.read(&cell)
    }

    fn read(&self, cell: &Cell) -> Known {
        let test = |words: [u64; 4]| words.map(|word| word & bit(self.white_king) != 0);
        let (white, black) = (test(cell.white), test(cell.black));
        Known { wins: if self.flipped { [black, white] } else { [white, black] } }
    }
}

/// The legal moves.
pub(crate) fn moves(board: &Board) -> Vec<Move> {
    let mut list = vec![];
    board.generate_moves(|set| {
        list.extend(set);
        false
    });
    list
}

pub(crate) fn after(board: &Board, mv: Move) -> Board {
    let mut next = board.clone();
    next.play_unchecked(mv);
    next
}

/// Whether a pawn can be taken en passant.
pub(super) fn en_passant(board: &Board) -> bool {
    let passes = |mv: &Move| {
        board.piece_on(mv.from) == Some(Piece::Pawn)
            && mv.from.file() != mv.to.file()
            && board.piece_on(mv.to).is_none()
    };
    board.en_passant().is_some() && moves(board).iter().any(passes)
}

/// What the book knows about a position, captures en passant included.
pub(super) fn known(book: &Book<'_>, board: &Board) -> Known {
    if en_passant(board) {
        return by_moves(book, board);
    }
    match Spot::of(board) {
        Some(spot) => spot.known(book),
        None => beyond(book, board),
    }
}

/// What follows from all moves.
fn by_moves(book: &Book<'_>, board: &Board) -> Known {
    let to_move = side(board.side_to_move());
    let list = moves(board);
    if list.is_empty() {
        let mut wins = [[false; 4]; 2];
        if !board.checkers().is_empty() {
            wins[to_move.other() as usize] = [true; 4];
        }
        return Known { wins };
    }
    let mut result = Known::nothing(to_move);
    for mv in list {
        result = result.or(to_move, &known(book, &after(board, mv)));
    }
    result
}

/// More than one piece.
fn beyond(book: &Book<'_>, board: &Board) -> Known {
    let pieces = board.occupied() - board.pieces(Piece::Pawn) - board.pieces(Piece::King);
    if pieces.len() == 2 && board.pieces(Piece::Pawn).is_empty() {
        let find = |color: Color| {
            let square = (board.colors(color) & pieces).next_square()?;
            Some((kind(board.piece_on(square)?)?, square as u8))
        };
        if let (Some(white), Some(black)) = (find(Color::White), find(Color::Black)) {
            let mut plane = [Cell::default(); 64];
            if book.duel([white, black], side(board.side_to_move()), &mut plane) {
                let cell = plane[board.king(Color::Black) as usize];
                let king = bit(board.king(Color::White) as u8);
                let test = |words: [u64; 4]| words.map(|word| word & king != 0);
                return Known { wins: [test(cell.white), test(cell.black)] };
            }
        }
    }
    if moves(board).is_empty() {
        let mut wins = [[false; 4]; 2];
        if !board.checkers().is_empty() {
            wins[side(board.side_to_move()).other() as usize] = [true; 4];
        }
        return Known { wins };
    }
    Known { wins: [[false, false, true, true]; 2] }
}
