//! Fast against slow: the layers against the rules of chess, move by move.

use std::sync::OnceLock;

use cozy_chess::{Board, BoardBuilder, Color, Piece, Square};
use gb_board::Random;
use gb_games::games::chess::Chess;
use gb_rules::Rules;
use gb_value::Budget;

use super::book::Book;
use super::cell::{OPEN, SURE};
use super::layer::{Key, Place};
use super::line::Guide;
use super::prove::{Tables, Workshop};
use super::spot::{Known, Spot, after, known, moves, side};
use super::structure::{Kind, Side, Structure};

/// Tables for all tests.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables::new(None))
}

/// A board with these pieces at random squares; often none, because it would be illegal.
fn scatter(pieces: &[(Piece, Color)], random: &mut Random) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    for &(piece, color) in pieces {
        let square = match piece {
            Piece::Pawn => 8 + random.below(48),
            _ => random.below(64),
        };
        let at = builder.square_mut(Square::index(square));
        if at.is_some() {
            return None;
        }
        *at = Some((piece, color));
    }
    let kings = [Color::White, Color::Black].map(|color| {
        Square::ALL.into_iter().find(|&square| builder.square(square) == Some((Piece::King, color)))
    });
    // The other library does not look whether the kings stand side by side.
    if let [Some(white), Some(black)] = kings
        && cozy_chess::get_king_moves(white).has(black)
    {
        return None;
    }
    builder.side_to_move = if random.below(2) == 0 { Color::White } else { Color::Black };
    builder.build().ok()
}

const KINGS: [(Piece, Color); 2] = [(Piece::King, Color::White), (Piece::King, Color::Black)];

/// King and pawn against king, compared with a table that was made square by square.
#[test]
fn king_and_pawn_against_king() {
    let budget = Budget::unlimited();
    let book = Book::new(&tables().duels, &budget);
    // From the last rank down: a layer knows those it leads to.
    for rank in (1..7u8).rev() {
        for file in 0..8u8 {
            let pawns = Structure { white: 1 << (8 * rank + file), black: 0 };
            for kind in Kind::ALL {
                book.refresh(Key { kind: Some(kind), pawns: Structure::default() }, &budget).unwrap();
            }
            book.refresh(Place::of(None, Structure::default()).key, &budget).unwrap();
            book.refresh(Place::of(None, pawns).key, &budget).unwrap();
        }
    }
    let mut random = Random::new(0x5eed, 0);
    let mut seen = [0; 2];
    while seen[0] + seen[1] < 20_000 {
        let Some(board) = scatter(&[KINGS[0], KINGS[1], (Piece::Pawn, Color::White)], &mut random) else {
            continue;
        };
        let won = crate::shallow::pawn_against_king(&board);
        let state = known(&book, &board);
        assert_eq!((state.wins[0][SURE], state.wins[0][OPEN]), (won, won), "{board}");
        seen[usize::from(won)] += 1;
    }
    assert!(seen[0] > 1_000 && seen[1] > 1_000, "{seen:?}");
}

/// A piece alone against a king: where two pieces were, one of them may be left.
fn refresh_pieces(book: &Book<'_>) {
    let budget = Budget::unlimited();
    book.refresh(Place::of(None, Structure::default()).key, &budget).unwrap();
    for kind in Kind::ALL {
        book.refresh(Key { kind: Some(kind), pawns: Structure::default() }, &budget).unwrap();
    }
}

/// Every result follows from the results after all legal moves.
fn assert_consistent(book: &Book<'_>, board: &Board) {
    let state = known(book, board);
    let to_move = side(board.side_to_move());
    let next: Vec<Known> = moves(board).into_iter().map(|mv| known(book, &after(board, mv))).collect();
    let check = !board.checkers().is_empty();
    for who in Side::BOTH {
        let (sure, open) = (state.wins[who as usize][SURE], state.wins[who as usize][OPEN]);
        let all = |level: usize| next.iter().all(|next| next.wins[who as usize][level]);
        let any = |level: usize| next.iter().any(|next| next.wins[who as usize][level]);
        if who == to_move {
            assert!(!sure || any(SURE), "{board}: {who:?} should have a winning move");
            assert!(open || !any(OPEN), "{board}: {who:?} may have a winning move");
        } else {
            assert!(
                !sure || all(SURE) && (check || !next.is_empty()),
                "{board}: {who:?} should win after all"
            );
            assert!(open || next.is_empty() && !check || !all(OPEN), "{board}: {who:?} may win after all");
        }
    }
}

/// Random endgames, and random games from there, captures en passant, promotions, mates and stalemates included.
#[test]
fn results_follow_from_the_moves() {
    let mut random = Random::new(0xc0ffee, 0);
    let mut boards = 0;
    while boards < 12 {
        let mut pieces = KINGS.to_vec();
        for _ in 0..1 + random.below(3) {
            pieces.push((Piece::Pawn, if random.below(2) == 0 { Color::White } else { Color::Black }));
        }
        let Some(board) = scatter(&pieces, &mut random) else { continue };
        let Ok(at) = Chess.read(&board.to_string()) else { continue };
        boards += 1;
        let budget = Budget::unlimited().with_nodes(300_000);
        let Some(workshop) = Workshop::new(&at, tables(), &budget) else { continue };
        refresh_pieces(workshop.book());
        for _ in 0..20 {
            let mut board = board.clone();
            for _ in 0..30 {
                assert_consistent(workshop.book(), &board);
                let list = moves(&board);
                if list.is_empty() {
                    break;
                }
                board = after(&board, list[random.below(list.len())]);
            }
        }
    }
}

/// Whoever is proved to win wins by the moves that are chosen for him, whatever the other does.
#[test]
fn proved_wins_are_won() {
    let mut random = Random::new(0xbeef, 0);
    let mut won = 0;
    while won < 6 {
        let pieces = [KINGS[0], KINGS[1], (Piece::Pawn, Color::White), (Piece::Pawn, Color::Black)];
        let Some(board) = scatter(&pieces, &mut random) else { continue };
        let Ok(at) = Chess.read(&board.to_string()) else { continue };
        let budget = Budget::unlimited().with_nodes(1_000_000);
        let Some(workshop) = Workshop::new(&at, tables(), &budget) else { continue };
        let book = workshop.book();
        let state = known(book, &board);
        let Some(winner) = Side::BOTH.into_iter().find(|&who| state.wins[who as usize][SURE]) else {
            continue;
        };
        let guide = Guide::new(book);
        let mut board = board.clone();
        for ply in 0.. {
            assert!(ply < 400, "{board}: no end");
            assert!(known(book, &board).wins[winner as usize][SURE], "{board}: lost on the way");
            let list = moves(&board);
            if list.is_empty() {
                assert!(!board.checkers().is_empty() && side(board.side_to_move()) != winner, "{board}");
                break;
            }
            let mv = if side(board.side_to_move()) == winner {
                guide.best(&board).unwrap_or_else(|| panic!("{board}: no move"))
            } else {
                list[random.below(list.len())]
            };
            board = after(&board, mv);
        }
        won += 1;
    }
}

/// A queen against a piece: the tables against all legal moves.
#[test]
fn pieces_against_pieces() {
    let budget = Budget::unlimited();
    let book = Book::new(&tables().duels, &budget);
    refresh_pieces(&book);
    let mut random = Random::new(0xdead, 0);
    let mut seen = 0;
    while seen < 3_000 {
        let other = [Piece::Queen, Piece::Rook][random.below(2)];
        let pieces = [KINGS[0], KINGS[1], (Piece::Queen, Color::White), (other, Color::Black)];
        let Some(board) = scatter(&pieces, &mut random) else { continue };
        assert_consistent(&book, &board);
        seen += 1;
    }
    // A queen that takes the other wins, and so does one that takes a rook.
    let ending = |fen: &str| {
        let board = Board::from_fen(fen, false).unwrap();
        known(&book, &board).wins.map(|wins| wins[SURE])
    };
    assert_eq!(ending("7k/8/8/3q4/8/8/8/K2Q4 w - - 0 1"), [true, false]);
    assert_eq!(ending("7k/8/8/3q4/8/8/8/K2Q4 b - - 0 1"), [false, true]);
    assert_eq!(ending("8/8/8/3k4/8/8/1r6/K5Q1 w - - 0 1"), [true, false]);
}

#[test]
fn spots_know_their_layers() {
    let board = Board::from_fen("8/1p6/8/4k3/8/5K2/8/6q1 w - - 0 1", false).unwrap();
    let spot = Spot::of(&board).unwrap();
    assert!(spot.flipped && spot.key.kind == Some(Kind::Queen));
    assert_eq!(spot.key.pawns, Structure { white: 1 << 9, black: 0 });
    assert_eq!((spot.piece, spot.white_king, spot.black_king), (62, 28, 45));
}
