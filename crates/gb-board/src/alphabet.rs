//! The letters of a board text.

/// Letters and what they mean. The place of a letter in the list is its code on the board, whose bits are the planes of
/// a [`BitGrid`](crate::BitGrid): so the first letter, code 0, is what lies around the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alphabet(pub &'static [(char, &'static str)]);

/// Alphabets with more letters are read and written in the slower way.
pub(crate) const MOST_LETTERS: usize = 8;

impl Alphabet {
    /// The code of a letter.
    #[inline]
    pub fn code(&self, letter: char) -> Option<usize> {
        self.0.iter().position(|&(known, _)| known == letter)
    }

    /// Puts the letters where their codes are, if each is a byte and there is room for all.
    #[inline]
    pub(crate) fn bytes(&self, bytes: &mut [u8; MOST_LETTERS]) -> bool {
        self.0.len() <= MOST_LETTERS
            && self.0.iter().zip(bytes).all(|(&(letter, _), byte)| {
                *byte = letter as u8;
                letter.is_ascii()
            })
    }

    /// The letter of a code.
    ///
    /// # Panics
    /// If there is no such code: boards are only made from letters.
    #[inline]
    pub fn letter(&self, code: usize) -> char {
        self.0[code].0
    }

    /// The letters with their meanings, for an error message. Letters that only come up in parts of boards (marked by a
    /// meaning in parentheses) are legal but not advertised.
    pub fn expected(&self) -> String {
        let shown: Vec<String> = self
            .0
            .iter()
            .filter(|(_, meaning)| !meaning.starts_with('('))
            .map(|(letter, meaning)| format!("`{letter}` ({meaning})"))
            .collect();
        match shown.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            [start @ .., last] => format!("{} or {last}", start.join(", ")),
        }
    }
}
