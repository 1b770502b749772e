//! What chunks of pawns are called.

use gb_games::games::pawns::PawnBoard;
use gb_rules::Player;

/// `White` or `Black`.
pub(crate) fn player_name(who: Player) -> &'static str {
    match who {
        Player::Left => "White",
        Player::Right => "Black",
    }
}

/// A name for each chunk: the wing it is on, the file if there is only one, or the files.
pub(crate) fn chunk_names(chunks: &[PawnBoard]) -> Vec<String> {
    let spans: Vec<(u8, u8)> = chunks.iter().map(span).collect();
    let wing = |&(first, last): &(u8, u8)| match (first, last) {
        (a, b) if a == b => file_range(a, b),
        (_, 0..=3) => "queenside".to_string(),
        (4..=7, _) => "kingside".to_string(),
        (a, b) => file_range(a, b),
    };
    let names: Vec<String> = spans.iter().map(wing).collect();
    let unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    spans
        .iter()
        .zip(&names)
        .map(|(&(a, b), name)| if unique(name) { name.clone() } else { file_range(a, b) })
        .collect()
}

fn span(chunk: &PawnBoard) -> (u8, u8) {
    let files = || Player::BOTH.into_iter().flat_map(|who| chunk.squares(who)).map(|(file, _)| file as u8);
    (files().min().unwrap_or(0), files().max().unwrap_or(0))
}

fn file_range(first: u8, last: u8) -> String {
    let letter = |file: u8| char::from(b'a' + file);
    if first == last {
        format!("{}-file", letter(first))
    } else {
        format!("{}- to {}-file", letter(first), letter(last))
    }
}
