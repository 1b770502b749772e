//! Names of games with parameters and variants: `clobber`, `octal(0.77)`, `impartial(nogo)`.

use std::fmt;

use gb_board::{BoardError, nearest};

/// A change of the rules that fits every game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// The game as it is.
    Plain,
    /// `impartial(..)`: either player may make either player's moves.
    Impartial,
    /// `negative(..)`: the players have swapped sides.
    Negative,
}

/// The name of a game, read but not yet looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameName {
    /// `misere(..)`: who cannot move wins. It is around the other variant, however the name is written.
    pub misere: bool,
    /// The variant around the game.
    pub variant: Variant,
    /// The name without parameters.
    pub base: String,
    /// The parameters.
    pub arguments: Arguments,
}

/// The parameters of a game, as typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    game: String,
    list: Vec<String>,
}

/// Why a game and a position could not be opened by their texts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no such game.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The text is no position of it.
    #[error(transparent)]
    Position(#[from] BoardError),
}

/// Why a name is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// No such game.
    #[error("there is no game `{name}`{}", hint(.near))]
    Unknown {
        /// The name.
        name: String,
        /// Names like it.
        near: Vec<String>,
    },
    /// A text that is not of the form `name` or `name(parameters)`.
    #[error("`{text}` is not the name of a game: {expected}")]
    Form {
        /// The text.
        text: String,
        /// What is missing.
        expected: &'static str,
    },
    /// The text of the game is none, or cannot be read.
    #[error("{game}: {problem}")]
    Text {
        /// Where the text comes from.
        game: String,
        /// What is wrong with it, and where.
        problem: String,
    },
    /// The game has no misère play.
    #[error("there is no `misere({game})`: {problem}")]
    Misere {
        /// The game.
        game: String,
        /// Why.
        problem: crate::NoMisere,
    },
    /// The parameters do not fit the game.
    #[error("{game} {problem}, for example `{example}`")]
    Parameter {
        /// The game.
        game: String,
        /// What is wrong, as a sentence about the game.
        problem: String,
        /// A name with right parameters.
        example: String,
    },
}

fn hint(near: &[String]) -> String {
    match near {
        [] => "; the games are listed by the command `games`".into(),
        names => format!(
            "; did you mean {}?",
            names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" or ")
        ),
    }
}

impl NameError {
    /// No such game; names like it are chosen from `names`.
    pub fn unknown<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> NameError {
        let near = nearest(name, names).into_iter().map(str::to_string).collect();
        NameError::Unknown { name: name.to_string(), near }
    }
}

impl GameName {
    /// Reads a name.
    ///
    /// ```
    /// use gb_rules::{GameName, Variant};
    /// let name = GameName::read("impartial(octal(0.77))").unwrap();
    /// assert_eq!((name.variant, name.base.as_str()), (Variant::Impartial, "octal"));
    /// assert_eq!(name.to_string(), "impartial(octal(0.77))");
    /// assert_eq!(GameName::read("impartial(misere(cram))").unwrap().to_string(), "misere(impartial(cram))");
    /// assert_eq!(
    ///     GameName::read("octal(0.77").unwrap_err().to_string(),
    ///     "`octal(0.77` is not the name of a game: a closing parenthesis is missing"
    /// );
    /// ```
    pub fn read(text: &str) -> Result<GameName, NameError> {
        let text = text.trim();
        let (misere, variant, plain) = variants(text);
        let (base, arguments) = split(plain)?;
        if ["impartial", "negative", "misere"].contains(&base) {
            return Err(NameError::Form {
                text: text.to_string(),
                expected: "a variant needs one game, as in `impartial(clobber)`, and of variants only `misere(..)` has variants, as in `misere(impartial(clobber))`",
            });
        }
        let list = match arguments {
            None => vec![],
            Some(list) => list.split(',').map(|argument| argument.trim().to_string()).collect(),
        };
        let arguments = Arguments { game: base.to_string(), list };
        Ok(GameName { misere, variant, base: base.to_string(), arguments })
    }
}

/// Takes the variants off a name: whether it is played misère, the other variant, and what they are around. One of each, in any order,
/// since exchanging the players, or sharing the moves, does not ask who wins.
pub fn variants(name: &str) -> (bool, Variant, &str) {
    let (mut misere, mut variant, mut rest) = (false, Variant::Plain, name.trim());
    loop {
        let inside =
            |outer: &str| Some(rest.strip_prefix(outer)?.strip_prefix('(')?.strip_suffix(')')?.trim());
        if let (false, Some(inner)) = (misere, inside("misere")) {
            (misere, rest) = (true, inner);
        } else if let (Variant::Plain, Some(inner)) = (variant, inside("impartial")) {
            (variant, rest) = (Variant::Impartial, inner);
        } else if let (Variant::Plain, Some(inner)) = (variant, inside("negative")) {
            (variant, rest) = (Variant::Negative, inner);
        } else {
            return (misere, variant, rest);
        }
    }
}

/// Splits `name(inside)`.
fn split(text: &str) -> Result<(&str, Option<&str>), NameError> {
    let error = |expected| Err(NameError::Form { text: text.to_string(), expected });
    let (base, inside) = match text.split_once('(') {
        None => (text, None),
        Some((base, rest)) => match rest.strip_suffix(')') {
            None => return error("a closing parenthesis is missing"),
            Some(inside) => (base.trim(), Some(inside)),
        },
    };
    if base.is_empty() || !base.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') {
        return error("expected letters and dashes, and parameters in parentheses, as in `octal(0.77)`");
    }
    Ok((base, inside))
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = &self.arguments.list;
        let plain =
            if list.is_empty() { self.base.clone() } else { format!("{}({})", self.base, list.join(",")) };
        let varied = match self.variant {
            Variant::Plain => plain,
            Variant::Impartial => format!("impartial({plain})"),
            Variant::Negative => format!("negative({plain})"),
        };
        if self.misere { write!(f, "misere({varied})") } else { f.write_str(&varied) }
    }
}

impl Arguments {
    /// An error about these parameters.
    pub fn error(&self, problem: impl Into<String>, example: &str) -> NameError {
        NameError::Parameter {
            game: self.game.clone(),
            problem: problem.into(),
            example: example.to_string(),
        }
    }

    /// For games without parameters.
    pub fn none(&self) -> Result<(), NameError> {
        if self.list.is_empty() {
            return Ok(());
        }
        Err(self.error(format!("takes no parameters, but `{}` was given", self.list.join(",")), &self.game))
    }

    /// The only parameter; `what` is a noun for it.
    pub fn one(&self, what: &str, example: &str) -> Result<&str, NameError> {
        match self.list.as_slice() {
            [one] if !one.is_empty() => Ok(one),
            [] => Err(self.error(format!("needs {what}"), example)),
            [one] => Err(self.error(format!("needs {what}, not `{one}`"), example)),
            many => Err(self.error(format!("needs {what}, not {} parameters", many.len()), example)),
        }
    }

    /// One or more positive numbers; `what` is a noun for them.
    pub fn numbers(&self, what: &str, example: &str) -> Result<Vec<u32>, NameError> {
        if self.list.is_empty() {
            return Err(self.error(format!("needs {what}"), example));
        }
        let number = |word: &String| {
            let number = word.parse::<u32>().ok().filter(|&n| n > 0);
            number.ok_or_else(|| self.error(format!("needs {what}, not `{word}`"), example))
        };
        self.list.iter().map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_names_get_a_sentence() {
        let error = |text: &str| GameName::read(text).unwrap_err().to_string();
        assert!(error("impartial(negative(nim))").contains("only `misere(..)` has variants"));
        assert!(error("misere(misere(nim))").contains("only `misere(..)` has variants"));
        assert!(error("misere").contains("a variant needs one game"));
        assert!(error("impartial").contains("a variant needs one game"));
        assert!(error("").contains("expected letters"));
        assert!(error("a b").contains("expected letters"));
        assert_eq!(
            NameError::unknown("clober", ["clobber", "nim"]).to_string(),
            "there is no game `clober`; did you mean `clobber`?"
        );
        let octal = GameName::read("octal").unwrap().arguments;
        assert_eq!(
            octal.one("a code", "octal(0.77)").unwrap_err().to_string(),
            "octal needs a code, for example `octal(0.77)`"
        );
        let numbers = GameName::read("subtraction(1,x)").unwrap().arguments;
        assert_eq!(
            numbers.numbers("numbers", "subtraction(1,3,4)").unwrap_err().to_string(),
            "subtraction needs numbers, not `x`, for example `subtraction(1,3,4)`"
        );
    }
}
