//! Sums as they are typed: `clobber xo.|.ox + domineering ..|.. + ^*`.

use gb_calc::{Answer, Calculator, Datum};
use gb_sum::Term;
use gb_value::Budget;

use crate::desk::Desk;

/// Splits at ` + ` outside of brackets: a plus inside an expression or a position has no spaces around it, or is written in
/// brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut pieces, mut depth, mut start) = (vec![], 0i32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth -= 1,
            b'+' if depth <= 0 && text[..at].ends_with(' ') && text[at + 1..].starts_with(' ') => {
                pieces.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(text[start..].trim());
    pieces
}

/// Reads a sum of positions and values, and searches the positions.
pub fn read(text: &str, desk: &Desk, budget: &Budget) -> Result<Vec<Term>, String> {
    split(text).into_iter().map(|piece| read_term(piece, desk, budget)).collect()
}

fn read_term(piece: &str, desk: &Desk, budget: &Budget) -> Result<Term, String> {
    if piece.is_empty() {
        return Err("expected a position such as `clobber xo.|.ox`, or a value, on both sides of `+`".into());
    }
    let (first, rest) = piece.split_once(char::is_whitespace).unwrap_or((piece, ""));
    let base = first.split('(').next_back().unwrap_or(first).trim_end_matches(')');
    let is_game =
        [base, first.split('(').next().unwrap_or(first)].iter().any(|w| gb_games::NAMES.contains(w));
    let is_word = first.len() > 2 && first.starts_with(|c: char| c.is_ascii_alphabetic());
    if is_game || (is_word && !rest.trim().is_empty() && !rest.trim_start().starts_with(['+', '-', '('])) {
        return desk.examine(first, rest.trim(), budget).map(Term::Position);
    }
    let mut calculator = Calculator::new(&desk.store);
    match calculator.run(piece, budget) {
        Ok(Answer::Datum(Datum::Value(value))) => Ok(Term::Value { text: piece.to_owned(), value }),
        Ok(_) => Err(format!("`{piece}` is not a value that can be a summand here")),
        Err(error) => Err(error.explain(piece)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_split_at_spaced_plus_signs_outside_brackets() {
        assert_eq!(split("clobber xo + ^*"), ["clobber xo", "^*"]);
        assert_eq!(split("{1 + 1|0} + 2+3"), ["{1 + 1|0}", "2+3"]);
        assert_eq!(split("nim 3,5"), ["nim 3,5"]);
        assert_eq!(split("a +  + b"), ["a", "", "b"]);
    }
}
