//! Sums as they are typed: `clobber xo.|.ox + domineering ..|.. + ^*`.

use gb_calc::{Calculator, Datum};
use gb_local::question::outcome::Winners;
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

/// A summand, and for a position that has no value who wins it, as far as that was found.
pub struct Summand {
    /// What is added.
    pub term: Term,
    /// Who wins it alone, where values were not found.
    pub winners: Option<Winners>,
}

/// Reads a sum of positions and values, and searches the positions.
pub fn read(
    text: &str,
    desk: &Desk,
    budget: &Budget,
    rest: &dyn Fn() -> Budget,
) -> Result<Vec<Summand>, String> {
    split(text).into_iter().map(|piece| read_term(piece, desk, budget, rest)).collect()
}

/// Splits `clobber xo.|.ox` into game and position, if it looks like that.
pub fn game_and_position(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let rest = rest.trim();
    let inner = first.split('(').next_back().unwrap_or(first).trim_end_matches(')');
    let outer = first.split('(').next().unwrap_or(first);
    let is_game = [inner, outer].iter().any(|name| gb_games::NAMES.contains(name));
    // A misspelt name should be reported as one: a word followed by something that is no operator.
    let is_word = first.len() > 2 && first.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_followed = !rest.is_empty() && !rest.starts_with(['+', '-', '(', '<', '>', '=', '|', '&', ':']);
    (is_game || is_word && is_followed).then_some((first, rest))
}

fn read_term(
    piece: &str,
    desk: &Desk,
    budget: &Budget,
    rest: &dyn Fn() -> Budget,
) -> Result<Summand, String> {
    if piece.is_empty() {
        return Err("expected a position such as `clobber xo.|.ox`, or a value, on both sides of `+`".into());
    }
    if let Some((game, position)) = game_and_position(piece) {
        let answer = desk.examine(game, position, budget, rest)?;
        let examined = answer.examined.ok_or("the position was not searched")?;
        return Ok(Summand { term: Term::Position(examined), winners: answer.winners });
    }
    let mut calculator = Calculator::new(&desk.store);
    match calculator.run(piece, budget) {
        Ok(gb_calc::Answer::Datum(Datum::Value(value))) => {
            Ok(Summand { term: Term::Value { text: piece.to_owned(), value }, winners: None })
        }
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

    #[test]
    fn positions_are_told_from_values() {
        assert_eq!(game_and_position("clobber xo.|.ox"), Some(("clobber", "xo.|.ox")));
        assert_eq!(game_and_position("octal(0.77) 5"), Some(("octal(0.77)", "5")));
        assert_eq!(game_and_position("impartial(nogo) ..."), Some(("impartial(nogo)", "...")));
        assert_eq!(game_and_position("clober xo"), Some(("clober", "xo")));
        assert_eq!(game_and_position("over + under"), None);
        assert_eq!(game_and_position("{1|-1}"), None);
        assert_eq!(game_and_position("mean({1|-1})"), None);
    }
}
