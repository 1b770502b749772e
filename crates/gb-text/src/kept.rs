//! What is said about games is kept for good: front ends show it as long as the program runs, as they do for the games of the list. Nothing is
//! kept twice, and no more than so much in all, because a server reads the texts of strangers.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{LazyLock, Mutex, PoisonError};

use gb_rules::Info;

use crate::error::TextError;
use crate::tree::GameText;

/// So many bytes are kept, at most; a text says a few hundred about itself.
const MOST: usize = 32 << 20;

/// The letters of a board with their meanings.
pub(crate) type Letters = &'static [(char, &'static str)];

#[derive(Default)]
struct Kept {
    bytes: usize,
    texts: HashSet<&'static str>,
    alphabets: HashSet<Letters>,
    numbers: HashSet<&'static [u8]>,
}

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

fn with<T>(work: impl FnOnce(&mut Kept) -> T) -> T {
    work(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner))
}

fn slice<T: Clone + Eq + Hash>(
    set: &mut HashSet<&'static [T]>,
    bytes: &mut usize,
    items: &[T],
) -> &'static [T] {
    if let Some(known) = set.get(items) {
        return known;
    }
    let kept: &'static [T] = Vec::leak(items.to_vec());
    *bytes += std::mem::size_of_val(kept);
    set.insert(kept);
    kept
}

/// A text, kept for good.
pub(crate) fn text(text: &str) -> &'static str {
    with(|kept| {
        if let Some(&known) = kept.texts.get(text) {
            return known;
        }
        let new: &'static str = Box::leak(text.into());
        kept.bytes += new.len();
        kept.texts.insert(new);
        new
    })
}

/// Letters, kept for good.
pub(crate) fn letters(letters: &[(char, &'static str)]) -> Letters {
    with(|kept| slice(&mut kept.alphabets, &mut kept.bytes, letters))
}

/// What a text says about its game; the caller adds what follows from the moves.
pub(crate) fn info(game: &GameText, name: String, example: &str, alphabet: &[(char, &'static str)]) -> Info {
    let (title, rules, example) = (text(&game.title), text(&game.rules), text(example));
    Info { name, title, rules, alphabet: letters(alphabet), example, impartial: false, loopy: false }
}

/// Numbers, kept for good.
pub(crate) fn numbers(numbers: &[u8]) -> &'static [u8] {
    with(|kept| slice(&mut kept.numbers, &mut kept.bytes, numbers))
}

/// Whether another text may be read.
///
/// # Errors
/// If too many different ones have been.
pub(crate) fn has_room() -> Result<(), TextError> {
    let bytes = with(|kept| kept.bytes);
    if bytes < MOST {
        return Ok(());
    }
    Err(TextError::TooLarge {
        found: "one more text of a game".into(),
        limit: format!("{MOST} bytes of what texts say about their games are kept until the program ends"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_twice() {
        let one = text("a text that nobody else keeps");
        assert!(std::ptr::eq(one, text(&String::from("a text that nobody else keeps"))));
        let bytes = numbers(&[1, 2, 250]);
        assert!(std::ptr::eq(bytes, numbers(&[1, 2, 250])));
        let alphabet = letters(&[('q', one)]);
        assert!(std::ptr::eq(alphabet, letters(&[('q', one)])));
    }
}
