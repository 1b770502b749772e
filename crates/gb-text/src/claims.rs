//! What a text claims, compared with all small boards.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use gb_rules::conformance::{ClaimError, boards_of_letters, check_alike, check_claims};
use gb_rules::{DynGame, Key, Player, Sign, Variant, with_game};
use gb_value::{Budget, Store};

use crate::error::TextError;
use crate::game::TextGame;
use crate::tree::{BoardKind, Claim, ClaimKind, Letter};

/// So many boards of a size are looked at, at most.
const MOST_BOARDS: usize = 20_000;
/// For so long, at most.
const TIME: Duration = Duration::from_secs(5);
/// So many positions are kept in mind by who looks for circles.
const MOST_POSITIONS: usize = 200_000;

/// The sizes of boards that are gone through.
const GRIDS: &[(usize, usize)] = &[(1, 4), (1, 5), (2, 2), (2, 3), (3, 2), (1, 6), (1, 7), (3, 3)];
const STRIPS: &[(usize, usize)] = &[(1, 4), (1, 5), (1, 6), (1, 7), (1, 8)];

/// Compares what the text claims with values that come from the moves alone.
///
/// # Errors
/// A board on which a claim is false.
pub(crate) fn check(game: &TextGame, board: BoardKind, claims: &[Claim]) -> Result<(), TextError> {
    let Some(first) = claims.first() else { return Ok(()) };
    if !matches!(board, BoardKind::Grid | BoardKind::Strip | BoardKind::Hex) {
        return Err(TextError::meaning(
            first.at,
            "claims are for games on grids and strips, where small boards can be gone through",
        ));
    }
    let letters_of_text = &game.tree().cells;
    let open = game.open_normal(Variant::Plain, "1x64");
    let letters = open.info().alphabet.iter().filter(|(_, meaning)| !meaning.starts_with('(')).count();
    let sizes = if board == BoardKind::Strip { STRIPS } else { GRIDS };
    let budget = Budget::unlimited().with_time(TIME).with_bytes(500_000_000);
    let store = Store::new();
    let kernel = store.kernel(&budget);
    for &(rows, cols) in sizes {
        if letters.checked_pow((rows * cols) as u32).is_none_or(|count| count > MOST_BOARDS) {
            continue;
        }
        with_game!(&open, game => {
            let boards = boards_of_letters(&**game, rows, cols);
            if let Some(claim) = claims.iter().find(|claim| claim.kind == ClaimKind::Ends)
                && let Some(circle) = circle(&**game, &boards)
            {
                return Err(false_claim(claim, format!("from `{circle}` play can come back to it")));
            }
            // What is claimed of boards, on the boards themselves: those that players can set up need be no parts of any.
            for claim in claims {
                let pairs = alike(&**game, &boards, claim, letters_of_text);
                match check_alike(&**game, &pairs, &kernel) {
                    Ok(_) => {}
                    Err(ClaimError::Stopped(_)) => return Ok(()),
                    Err(ClaimError::False { board, claim: what, .. }) => {
                        return Err(false_claim(claim, format!("of the board `{board}`, {what}")));
                    }
                }
            }
            match check_claims(&**game, &boards, &kernel) {
                Ok(_) => {}
                // Larger boards than there is time for are not looked at.
                Err(ClaimError::Stopped(_)) => return Ok(()),
                Err(ClaimError::False { board, claim, .. }) => {
                    let about = |claim: &&Claim| claim.kind != ClaimKind::Ends;
                    let claimed = claims.iter().find(about).unwrap_or(first);
                    return Err(false_claim(claimed, format!("of the board `{board}`, {claim}")));
                }
            }
        });
    }
    Ok(())
}

/// The letters of a board.
type Rows = Vec<Vec<char>>;
/// What makes a board of another.
type Image = fn(Rows) -> Rows;

/// The boards with those that a claim says are alike.
fn alike<const N: usize>(
    game: &dyn DynGame<N>,
    boards: &[Key<N>],
    claim: &Claim,
    letters: &[Letter],
) -> Vec<(Key<N>, Key<N>, Sign)> {
    let rows = |text: &str| text.split('|').map(|row| row.chars().collect()).collect::<Rows>();
    let text =
        |rows: Vec<Vec<char>>| rows.into_iter().map(String::from_iter).collect::<Vec<String>>().join("|");
    let images: &[(Image, Sign)] = match claim.kind {
        ClaimKind::Mirrors => &[
            (|rows| rows.into_iter().rev().collect(), Sign::Plus),
            (|rows| rows.into_iter().map(|row| row.into_iter().rev().collect()).collect(), Sign::Plus),
        ],
        ClaimKind::Transpose => &[(
            |rows| (0..rows[0].len()).map(|col| rows.iter().map(|row| row[col]).collect()).collect(),
            Sign::Plus,
        )],
        ClaimKind::Swap(..) => &[(|rows| rows, Sign::Minus)],
        ClaimKind::Parts(..) | ClaimKind::Ends => &[],
    };
    let mut pairs = vec![];
    for board in boards {
        for (image, sign) in images {
            let mut rows = image(rows(&game.show(board)));
            if let ClaimKind::Swap(one, other) = claim.kind {
                let [one, other] = [one, other].map(|letter| letters[letter].letter);
                for letter in rows.iter_mut().flatten() {
                    *letter = if *letter == one {
                        other
                    } else if *letter == other {
                        one
                    } else {
                        *letter
                    };
                }
            }
            pairs.extend(game.read(&text(rows)).ok().map(|other| (*board, other, *sign)));
        }
    }
    pairs
}

fn false_claim(claim: &Claim, counterexample: String) -> TextError {
    TextError::FalseClaim { at: claim.at, claim: format!("`{}`", claim.text), counterexample }
}

/// A position from which play can come back to it.
fn circle<const N: usize>(game: &dyn DynGame<N>, boards: &[Key<N>]) -> Option<String> {
    // Whether everything below has been looked at, or it is being looked at now.
    let mut done: HashMap<Key<N>, bool> = HashMap::new();
    for start in boards {
        let mut path = vec![(*start, false)];
        while let Some((at, seen)) = path.pop() {
            if seen {
                done.insert(at, true);
                continue;
            }
            match done.get(&at) {
                Some(true) => continue,
                Some(false) => return Some(game.show(&at)),
                None => {}
            }
            if done.len() > MOST_POSITIONS {
                return None;
            }
            done.insert(at, false);
            path.push((at, true));
            for who in Player::BOTH {
                let mut found = None;
                let _ = game.options(&at, who, &mut |after, _| {
                    match done.get(&after) {
                        Some(true) => {}
                        Some(false) => {
                            found = Some(game.show(&after));
                            return ControlFlow::Break(());
                        }
                        None => path.push((after, false)),
                    }
                    ControlFlow::Continue(())
                });
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}
