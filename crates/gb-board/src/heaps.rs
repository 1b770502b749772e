//! Heaps: `3,5,7`.

use crate::BoardError;

/// The largest heap that is read. Front ends list all moves, so a limit is needed; a move list of this size still works.
pub const MAX_HEAP: u32 = 1_000_000;
/// How many heaps are read.
const MAX_HEAPS: usize = 1_000;

/// Reads heap sizes separated by commas.
pub fn read_heaps(text: &str) -> Result<Vec<u32>, BoardError> {
    if text.trim().is_empty() {
        return Err(BoardError::Empty { expected: "heap sizes such as `3,5,7`".into() });
    }
    let mut heaps = vec![];
    let mut at = 0;
    for part in text.split(',') {
        let word = part.trim();
        if word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
            return Err(BoardError::syntax(text, at, "a heap size such as `5`"));
        }
        match word.parse::<u32>() {
            Ok(size) if size <= MAX_HEAP => heaps.push(size),
            _ => {
                return Err(BoardError::TooLarge {
                    found: format!("a heap of {word}"),
                    limit: format!("at most {MAX_HEAP} tokens a heap"),
                });
            }
        }
        at += part.len() + 1;
    }
    if heaps.len() > MAX_HEAPS {
        return Err(BoardError::TooLarge {
            found: format!("a position of {} heaps", heaps.len()),
            limit: format!("at most {MAX_HEAPS} heaps"),
        });
    }
    Ok(heaps)
}

/// Writes heap sizes as [`read_heaps`] reads them.
pub fn show_heaps(heaps: &[u32]) -> String {
    if heaps.is_empty() {
        return "0".into();
    }
    heaps.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_as_text() {
        assert_eq!(read_heaps("3, 5,7").unwrap(), [3, 5, 7]);
        assert_eq!(show_heaps(&[3, 5, 7]), "3,5,7");
        let error = |text: &str| read_heaps(text).unwrap_err().to_string();
        assert_eq!(error("3,,7"), "at character 3: found `,`, expected a heap size such as `5`");
        assert_eq!(error("3,5x"), "at character 3: found `5x`, expected a heap size such as `5`");
        assert_eq!(
            error("3,"),
            "at character 3: found the end of the text, expected a heap size such as `5`"
        );
        assert_eq!(error("99999999999"), "a heap of 99999999999 is too large: at most 1000000 tokens a heap");
        assert_eq!(error(" "), "the board is empty: expected heap sizes such as `3,5,7`");
    }
}
