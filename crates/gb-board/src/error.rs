//! What can be wrong with the text of a board.

/// Why a text is no board: where, what was found, what was expected. Rows and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// No cells at all.
    #[error("the board is empty: expected {expected}")]
    Empty {
        /// What a board looks like.
        expected: String,
    },
    /// A letter that the alphabet does not have.
    #[error("row {row}, column {column}: found `{found}`, expected {expected}")]
    Letter {
        /// The row, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
        /// The letter found.
        found: char,
        /// The letters that are allowed.
        expected: String,
    },
    /// Rows of different lengths.
    #[error("row {row} has {found} cells, but row 1 has {expected}: all rows must be equally long")]
    Ragged {
        /// The row, from 1.
        row: usize,
        /// Its length.
        found: usize,
        /// The length of the first row.
        expected: usize,
    },
    /// More than fits.
    #[error("{found} is too large: {limit}")]
    TooLarge {
        /// What was asked for.
        found: String,
        /// What is possible.
        limit: String,
    },
    /// A text of another form: heaps, graphs, sizes.
    #[error("at character {column}: found {found}, expected {expected}")]
    Syntax {
        /// The character, from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// A text that has the right form but makes no sense.
    #[error("{0}")]
    Invalid(String),
}

impl BoardError {
    /// A syntax error at the byte `at` of `text`, quoting the word found there.
    pub fn syntax(text: &str, at: usize, expected: impl Into<String>) -> BoardError {
        let rest = text.get(at..).unwrap_or("");
        let word: String = rest.chars().take_while(|c| !",;|".contains(*c)).take(20).collect();
        let found = match (rest.is_empty(), word.is_empty()) {
            (true, _) => "the end of the text".to_string(),
            (_, true) => format!("`{}`", rest.chars().next().unwrap_or(' ')),
            _ => format!("`{word}`"),
        };
        let column = text.get(..at).map_or(0, |head| head.chars().count()) + 1;
        BoardError::Syntax { column, found, expected: expected.into() }
    }
}

/// Who writes a longer word means none of the names.
const LONGEST_WORD: usize = 100;

/// The names most like `word`, best first, at most three; none if nothing is at all like it.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word = word.to_lowercase();
    let (length, most) = (word.chars().count(), word.chars().count().div_ceil(3));
    let mut scored: Vec<(usize, &str)> = names
        .into_iter()
        // Looked at first, because the distance of words of many thousand letters takes seconds.
        .filter(|name| length.max(name.len()) <= LONGEST_WORD)
        .map(|name| (strsim::damerau_levenshtein(&word, name), name))
        .filter(|&(distance, name)| distance <= most || (word.len() >= 3 && name.contains(word.as_str())))
        .collect();
    scored.sort();
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names() {
        let names = ["clobber", "cram", "col", "domineering", "toads-and-frogs"];
        assert_eq!(nearest("clober", names), ["clobber"]);
        assert_eq!(nearest("Dominering", names), ["domineering"]);
        assert_eq!(nearest("frogs", names), ["toads-and-frogs"]);
        assert!(nearest("backgammon", names).is_empty());
        let long = "clobber".repeat(1_000_000);
        assert!(nearest(&long, names.into_iter().chain([&*long])).is_empty());
    }
}
