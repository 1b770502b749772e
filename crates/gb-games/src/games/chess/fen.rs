//! Forsyth-Edwards notation for kings and pawns. A position in which a pawn is promoted has `won` at the end.

use gb_board::{BoardError, Word};
use gb_rules::Player;

use super::board::{ChessBoard, square_name};

pub(super) fn show(at: &ChessBoard) -> String {
    let mut rows = vec![];
    for rank in (0..8).rev() {
        let mut row = String::new();
        let mut gap = 0;
        for file in 0..8 {
            match at.letter(8 * rank + file) {
                None => gap += 1,
                Some(letter) => {
                    if gap > 0 {
                        row.push(char::from(b'0' + gap));
                    }
                    row.push(letter);
                    gap = 0;
                }
            }
        }
        if gap > 0 {
            row.push(char::from(b'0' + gap));
        }
        rows.push(row);
    }
    let side = if at.to_move == Player::Left { 'w' } else { 'b' };
    let passed = at.passed.map_or("-".to_string(), square_name);
    let won = if at.promoted().is_some() { " won" } else { "" };
    format!("{} {side} - {passed} 0 1{won}", rows.join("/"))
}

fn wrong(sentence: impl Into<String>) -> BoardError {
    BoardError::Invalid(sentence.into())
}

pub(super) fn read(text: &str) -> Result<ChessBoard, BoardError> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let won = words.last() == Some(&"won");
    if won {
        words.pop();
    }
    if words.is_empty() {
        return Err(BoardError::Empty {
            expected: "a FEN such as `8/8/8/4k3/4Pp2/5K2/8/8 w - - 0 1`".into(),
        });
    }
    if words.len() > 6 {
        return Err(wrong(format!("a FEN has six fields, but a seventh was found: `{}`", words[6])));
    }
    let mut board = pieces(words[0], won)?;
    board.to_move = match words.get(1) {
        None | Some(&"w") => Player::Left,
        Some(&"b") => Player::Right,
        Some(other) => return Err(wrong(format!("the side to move is `w` or `b`, not `{other}`"))),
    };
    if let Some(castling) = words.get(2)
        && *castling != "-"
    {
        return Err(wrong(format!("nobody can castle without rooks: expected `-`, found `{castling}`")));
    }
    for (index, what) in [(4, "halfmove clock"), (5, "number of the move")] {
        if let Some(word) = words.get(index)
            && word.parse::<u32>().is_err()
        {
            return Err(wrong(format!("the {what} must be a number, not `{word}`")));
        }
    }
    legal(&board)?;
    if let Some(word) = words.get(3)
        && *word != "-"
    {
        board.passed = passed(&board, word)?;
    }
    Ok(board)
}

fn pieces(field: &str, won: bool) -> Result<ChessBoard, BoardError> {
    let rows: Vec<&str> = field.split('/').collect();
    if rows.len() != 8 {
        return Err(wrong(format!(
            "a chess board has 8 ranks separated by `/`, but {} were found",
            rows.len()
        )));
    }
    let mut pawns = [0u64; 2];
    let mut kings: [Vec<u8>; 2] = [vec![], vec![]];
    for (index, row) in rows.iter().enumerate() {
        let (rank, mut file) = (7 - index as u8, 0u8);
        for found in row.chars() {
            let error = |expected: &str| BoardError::Letter {
                row: index + 1,
                column: file as usize + 1,
                found,
                expected: expected.to_string(),
            };
            if let '1'..='8' = found {
                file = file.saturating_add(found as u8 - b'0');
                continue;
            }
            if file > 7 {
                break;
            }
            let square = 8 * rank + file;
            let who = if found.is_ascii_uppercase() { Player::Left } else { Player::Right };
            let colour = if who == Player::Left { "white" } else { "black" };
            let last = if who == Player::Left { 7 } else { 0 };
            match found.to_ascii_uppercase() {
                'K' => kings[who as usize].push(square),
                'P' if rank == 0 || rank == 7 => {
                    return Err(error("no pawn on the first or on the last rank"));
                }
                'P' => pawns[who as usize] |= 1 << square,
                'Q' if won && rank == last => pawns[who as usize] |= 1 << square,
                'Q' | 'R' | 'B' | 'N' => {
                    let name = match found.to_ascii_uppercase() {
                        'Q' => "queen",
                        'R' => "rook",
                        'B' => "bishop",
                        _ => "knight",
                    };
                    return Err(error(&format!(
                        "kings and pawns only (a {colour} {name} cannot be handled)"
                    )));
                }
                _ => return Err(error("`K`, `P`, `k`, `p` or a number of empty squares")),
            }
            file += 1;
        }
        let width: usize = row.chars().map(|c| c.to_digit(10).map_or(1, |d| d as usize)).sum();
        if width != 8 {
            return Err(wrong(format!("rank {} has {width} squares: expected 8", rank + 1)));
        }
    }
    let mut squares = [0; 2];
    for (who, name) in ["White", "Black"].into_iter().enumerate() {
        squares[who] = match kings[who].as_slice() {
            [square] => *square,
            [] => return Err(wrong(format!("{name} has no king: expected one king each"))),
            more => return Err(wrong(format!("{name} has {} kings: expected one king each", more.len()))),
        };
        if pawns[who].len() > 8 {
            return Err(wrong(format!("{name} has {} pawns: expected at most 8", pawns[who].len())));
        }
    }
    Ok(ChessBoard { pawns, kings: squares, to_move: Player::Left, passed: None })
}

fn legal(board: &ChessBoard) -> Result<(), BoardError> {
    let [white, black] = board.kings;
    if ChessBoard::around(white) >> black & 1 == 1 {
        let (white, black) = (square_name(white), square_name(black));
        return Err(wrong(format!("the kings on {white} and {black} stand side by side: that is not legal")));
    }
    let waiting = board.to_move.opponent();
    if board.is_check(waiting) {
        let name = if waiting == Player::Left { "White" } else { "Black" };
        return Err(wrong(format!("{name} is in check, but it is the other side's move: that is not legal")));
    }
    Ok(())
}

/// The square of a pawn that has just passed, if somebody can take it.
fn passed(board: &ChessBoard, word: &str) -> Result<Option<u8>, BoardError> {
    let square = (0..64).find(|&square| square_name(square) == word).ok_or_else(|| {
        wrong(format!(
            "the square for captures en passant must be `-` or a square such as `e3`, not `{word}`"
        ))
    })?;
    let stepped = board.to_move.opponent();
    let (rank, pawn, home) = match stepped {
        Player::Left => (2, square + 8, square.wrapping_sub(8)),
        Player::Right => (5, square.wrapping_sub(8), square + 8),
    };
    let is_pawn = square / 8 == rank && board.pawns[stepped as usize] >> pawn & 1 == 1;
    if !is_pawn || board.letter(square).is_some() || board.letter(home).is_some() {
        return Err(wrong(format!(
            "no pawn has just passed `{word}`: the square for captures en passant is wrong"
        )));
    }
    Ok((board.takers(square) != 0).then_some(square))
}
