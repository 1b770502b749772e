//! Boards with queens: after a promotion the search of the whole board plays real chess. Moves are those of `cozy-chess`.

use cozy_chess::{BitBoard, Board, Color, Move, Piece, Square};
use gb_games::games::chess::{Chess, ChessBoard};
use gb_rules::Rules;
use smallvec::SmallVec;

/// The moves of a position.
pub(super) type Moves = SmallVec<[Move; 32]>;

/// The board with all rules of chess; `None` where a pawn has been promoted already or chess knows no such position.
pub(crate) fn full_board(at: &ChessBoard) -> Option<Board> {
    if at.promoted().is_some() {
        return None;
    }
    Board::from_fen(&Chess.show(at), false).ok()
}

/// The legal moves; of promotions only those to a queen or a knight, since rooks and bishops can do nothing that a queen
/// cannot, except for avoiding stalemate: for that, rooks are there where the queen would stalemate.
pub(super) fn moves(at: &Board) -> Moves {
    let mut moves = Moves::new();
    at.generate_moves(|set| {
        moves.extend(set.into_iter().filter(|mv| match mv.promotion {
            None | Some(Piece::Queen | Piece::Knight) => true,
            Some(Piece::Rook) => stalemates(&after(at, Move { promotion: Some(Piece::Queen), ..*mv })),
            Some(_) => false,
        }));
        false
    });
    moves
}

fn stalemates(at: &Board) -> bool {
    at.checkers().is_empty() && has_no_moves(at)
}

pub(super) fn has_no_moves(at: &Board) -> bool {
    !at.generate_moves(|_| true)
}

pub(super) fn after(at: &Board, mv: Move) -> Board {
    let mut next = at.clone();
    next.play_unchecked(mv);
    next
}

pub(super) fn is_capture(at: &Board, mv: Move) -> bool {
    at.occupied().has(mv.to) || at.piece_on(mv.from) == Some(Piece::Pawn) && mv.from.file() != mv.to.file()
}

/// In long algebraic notation: `h3-h4`, `Ke4xd5`, `b7-b8Q+`.
pub(crate) fn move_text(at: &Board, mv: Move) -> String {
    let letter = |piece: Piece| match piece {
        Piece::Pawn => "",
        Piece::Knight => "N",
        Piece::Bishop => "B",
        Piece::Rook => "R",
        Piece::Queen => "Q",
        Piece::King => "K",
    };
    let next = after(at, mv);
    let sign = if next.checkers().is_empty() {
        ""
    } else if has_no_moves(&next) {
        "#"
    } else {
        "+"
    };
    format!(
        "{}{}{}{}{}{sign}",
        at.piece_on(mv.from).map_or("", letter),
        mv.from,
        if is_capture(at, mv) { 'x' } else { '-' },
        mv.to,
        mv.promotion.map_or("", letter)
    )
}

/// Only kings and pawns of this colour are left.
pub(super) fn is_bare(at: &Board, color: Color) -> bool {
    at.colors(color).is_subset(at.pieces(Piece::King) | at.pieces(Piece::Pawn))
}

pub(super) fn pawns(at: &Board, color: Color) -> BitBoard {
    at.colored_pieces(color, Piece::Pawn)
}

/// How many moves a king needs from one square to another.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32).abs_diff(b.file() as i32);
    files.max((a.rank() as i32).abs_diff(b.rank() as i32)) as i32
}

/// How many moves a pawn needs to promote if nothing is in its way.
pub(super) fn way(color: Color, square: Square) -> i32 {
    let ranks = 7 - square.rank().relative_to(color) as i32;
    if ranks == 6 { 5 } else { ranks }
}

/// The square where a pawn would be promoted.
pub(super) fn goal(color: Color, square: Square) -> Square {
    Square::new(square.file(), cozy_chess::Rank::Eighth.relative_to(color))
}

/// The squares before a pawn on its file.
pub(super) fn before(color: Color, square: Square) -> BitBoard {
    square.file().bitboard() & beyond(color, square)
}

/// The ranks before a pawn.
fn beyond(color: Color, square: Square) -> BitBoard {
    let rank = square.rank() as u32;
    BitBoard(match color {
        Color::White => u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0),
        Color::Black => (1u64 << (8 * rank)) - 1,
    })
}

/// No enemy pawn stands before it on its file or on a neighbouring one.
pub(super) fn is_passed(at: &Board, color: Color, square: Square) -> bool {
    let files = square.file().bitboard() | square.file().adjacent();
    (pawns(at, !color) & files & beyond(color, square)).is_empty()
}
