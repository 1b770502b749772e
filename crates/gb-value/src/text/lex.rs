//! Characters to tokens.

use crate::dyadic::Dyadic;
use crate::text::error::{Span, SyntaxError};
use crate::text::literal::{Literal, Uptimal};

/// A token and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bracket {
    Brace,
    Paren,
    Square,
}

impl Bracket {
    pub(super) fn opening(self) -> &'static str {
        match self {
            Bracket::Brace => "{",
            Bracket::Paren => "(",
            Bracket::Square => "[",
        }
    }

    pub(super) fn closing(self) -> &'static str {
        match self {
            Bracket::Brace => "}",
            Bracket::Paren => ")",
            Bracket::Square => "]",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// An index into [`Tokens::literals`].
    Literal(usize),
    Word,
    Open(Bracket),
    Close(Bracket),
    /// A run of vertical bars.
    Bars(usize),
    Comma,
    Plus,
    Minus,
    /// `±` in one character; `+-` is two tokens, because after an operand it is plus and minus.
    PlusMinus,
    /// `+_`
    TinyMark,
    /// `-_`
    MinyMark,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    LessOrConfused,
    GreaterOrConfused,
    Ampersand,
    Assign,
    End,
}

#[derive(Default)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) literals: Vec<Literal>,
}

/// Splits a text into tokens; the last one is [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Tokens, SyntaxError> {
    let mut lexer = Lexer { text, at: 0, literals: vec![] };
    let mut tokens = vec![];
    loop {
        lexer.skip_space();
        let start = lexer.at;
        let kind = lexer.token()?;
        let last = kind == Kind::End;
        tokens.push(Token { kind, span: Span::new(start, lexer.at) });
        if last {
            return Ok(Tokens { tokens, literals: lexer.literals });
        }
    }
}

/// Signs of fixed spelling. Longer ones come first where one is the beginning of another.
const SIGNS: &[(&str, Kind)] = &[
    ("\\{", Kind::Open(Bracket::Brace)),
    ("\\}", Kind::Close(Bracket::Brace)),
    ("{", Kind::Open(Bracket::Brace)),
    ("}", Kind::Close(Bracket::Brace)),
    ("(", Kind::Open(Bracket::Paren)),
    (")", Kind::Close(Bracket::Paren)),
    ("[", Kind::Open(Bracket::Square)),
    ("]", Kind::Close(Bracket::Square)),
    (",", Kind::Comma),
    ("+_", Kind::TinyMark),
    ("-_", Kind::MinyMark),
    ("\u{2212}_", Kind::MinyMark),
    ("+", Kind::Plus),
    ("-", Kind::Minus),
    ("\u{2212}", Kind::Minus),
    ("±", Kind::PlusMinus),
    ("\\pm", Kind::PlusMinus),
    ("<=", Kind::LessEqual),
    ("≤", Kind::LessEqual),
    (">=", Kind::GreaterEqual),
    ("≥", Kind::GreaterEqual),
    ("<|", Kind::LessOrConfused),
    ("|>", Kind::GreaterOrConfused),
    ("<", Kind::Less),
    (">", Kind::Greater),
    ("==", Kind::Equal),
    ("=", Kind::Equal),
    ("!=", Kind::NotEqual),
    ("≠", Kind::NotEqual),
    (":=", Kind::Assign),
    ("&", Kind::Ampersand),
];

/// How many ups each way of writing an arrow stands for.
const ARROWS: &[(&str, i64)] = &[
    ("^", 1),
    ("↑", 1),
    ("⇑", 2),
    ("↓", -1),
    ("⇓", -2),
    ("\\uparrow", 1),
    ("\\Uparrow", 2),
    ("\\downarrow", -1),
    ("\\Downarrow", -2),
];

const STARS: &[&str] = &["*", "⋆", "∗", "★", "\\ast", "\\star"];

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    literals: Vec<Literal>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Whether the rest begins with this sign, and not with a longer TeX command.
    fn is_at(&self, sign: &str) -> bool {
        self.rest().starts_with(sign) && !self.cuts_a_command(sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is_at(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    /// Whether `sign` would take the first letters of a longer TeX command.
    fn cuts_a_command(&self, sign: &str) -> bool {
        sign.starts_with('\\')
            && sign.ends_with(|c: char| c.is_ascii_alphabetic())
            && self.rest()[sign.len()..].starts_with(|c: char| c.is_ascii_alphabetic())
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn digits(&mut self) -> &'t str {
        self.take_while(|c| c.is_ascii_digit())
    }

    fn skip_space(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            let spaces = ["\\,", "\\;", "\\:", "\\!", "\\ ", "\\left", "\\right", "$"];
            if !spaces.iter().any(|space| self.take(space)) {
                return;
            }
        }
    }

    fn error<T>(&self, start: usize, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError::new(Span::new(start, self.at.max(start)), message))
    }

    fn token(&mut self) -> Result<Kind, SyntaxError> {
        let start = self.at;
        let Some(next) = self.peek() else { return Ok(Kind::End) };
        if next == '|' && !self.rest().starts_with("|>") || self.is_at("\\mid") {
            let mut bars = 0;
            while self.take("|") || self.take("\\mid") {
                bars += 1;
            }
            return Ok(Kind::Bars(bars));
        }
        if next.is_ascii_digit() || self.is_at("\\frac") {
            return self.literal(true);
        }
        if self.at_arrow_or_star() {
            return self.literal(false);
        }
        if next.is_alphabetic() {
            let word = self.take_while(|c| c.is_alphanumeric() || c == '_');
            if word.trim_end_matches(|c: char| c.is_ascii_digit()).chars().all(|c| c == 'v') {
                self.at = start;
                return self.literal(false);
            }
            if word == "upon" {
                // The only name with a star in it.
                self.take("*");
            }
            return Ok(Kind::Word);
        }
        for name in ["\\mathbf{", "\\mathrm{"] {
            if self.take(name) {
                // The span of the token is the word and its dress; `Expression` looks at the word alone.
                self.take_while(|c| c.is_ascii_alphanumeric());
                return if self.take("}") {
                    Ok(Kind::Word)
                } else {
                    self.error(start, format!("expected a name and `}}` after `{name}`"))
                };
            }
        }
        for (sign, kind) in SIGNS {
            if self.take(sign) {
                return Ok(kind.clone());
            }
        }
        if next == '\\' {
            self.at += 1;
            let name = self.take_while(|c| c.is_ascii_alphabetic());
            return self.error(start, format!("the command `\\{name}` is not known here"));
        }
        self.at += next.len_utf8();
        self.error(start, format!("the character `{}` means nothing here", next.escape_debug()))
    }

    fn at_arrow_or_star(&self) -> bool {
        ARROWS.iter().any(|(sign, _)| self.is_at(sign)) || STARS.iter().any(|sign| self.is_at(sign))
    }

    /// Number, arrows and star without anything between them.
    fn literal(&mut self, numbered: bool) -> Result<Kind, SyntaxError> {
        let mut literal = Literal::default();
        let start = self.at;
        if numbered {
            let number = self.number()?;
            if self.take("\\cdot") {
                let count = number.to_i64().filter(|_| number.is_integer());
                let Some(count) = count else {
                    return self.error(start, "before `\\cdot` stands the number of arrows, an integer");
                };
                let arrow = ARROWS.iter().find(|(sign, n)| n.abs() == 1 && self.take(sign));
                let Some((_, sign)) = arrow else {
                    return self.error(start, "expected an arrow after `\\cdot`");
                };
                literal.ups = sign * count;
            } else {
                literal.number = Some(number);
                self.arrows(&mut literal)?;
            }
        } else {
            self.arrows(&mut literal)?;
        }
        if STARS.iter().any(|sign| self.take(sign)) {
            literal.star = self.star_index()?;
        }
        if let Some(next) = self.peek().filter(|&c| c.is_alphanumeric() || c == '/' || c == '_') {
            let from = self.at;
            self.at += next.len_utf8();
            return self
                .error(from, format!("`{next}` cannot follow `{}`", shortened(&self.text[start..from])));
        }
        self.literals.push(literal);
        Ok(Kind::Literal(self.literals.len() - 1))
    }

    fn number(&mut self) -> Result<Dyadic, SyntaxError> {
        let start = self.at;
        let text = if self.take("\\frac{") {
            let above = self.digits();
            if !self.take("}{") {
                return self.error(start, "a fraction is written `\\frac{3}{4}`");
            }
            let below = self.digits();
            if !self.take("}") {
                return self.error(start, "a fraction is written `\\frac{3}{4}`");
            }
            format!("{above}/{below}")
        } else {
            self.digits();
            if self.take("/") && self.digits().is_empty() {
                self.at += self.peek().map_or(0, char::len_utf8);
                return self.error(start, "expected digits after `/`, as in `3/4`");
            }
            self.text[start..self.at].to_owned()
        };
        match text.parse() {
            Ok(number) => Ok(number),
            Err(error) => self.error(start, error.to_string()),
        }
    }

    /// Ups, downs and uptimals.
    fn arrows(&mut self, literal: &mut Literal) -> Result<(), SyntaxError> {
        loop {
            let start = self.at;
            let mut ups: i64 = 0;
            let mut signs = 0;
            while let Some(n) = self.arrow() {
                if signs > 0 && (n > 0) != (ups > 0) {
                    return self.error(start, "arrows up and arrows down in one run; write a sum");
                }
                ups += n;
                signs += 1;
                if self.rest().starts_with("^{") {
                    break;
                }
            }
            if signs == 0 {
                return Ok(());
            }
            let one = ups.abs() == 1;
            let uptimal = self.uptimal(start)?;
            if uptimal.is_some() && !one {
                return self.error(start, "only one arrow can carry `<n>` or `[n]`");
            }
            let digits = self.digits();
            if !digits.is_empty() {
                if !one {
                    return self.error(start, "one arrow and a count, as in `^3`, or arrows alone");
                }
                let Ok(count) = digits.parse::<i64>() else {
                    return self.error(start, "the count of arrows does not fit into 64 bits");
                };
                ups *= count;
            }
            if let Some((degree, summed)) = uptimal {
                literal.uptimals.push(Uptimal { degree, summed, times: ups });
                continue;
            }
            let Some(total) = literal.ups.checked_add(ups) else {
                return self.error(start, "the count of arrows does not fit into 64 bits");
            };
            literal.ups = total;
        }
    }

    fn arrow(&mut self) -> Option<i64> {
        if self.take("v") {
            return Some(-1);
        }
        ARROWS.iter().find(|(sign, _)| self.take(sign)).map(|&(_, n)| n)
    }

    /// `<n>`, `[n]`, `^{n}` or `^{[n]}` after an arrow, if it is there: `n`, and whether it is a sum of powers.
    fn uptimal(&mut self, start: usize) -> Result<Option<(u32, bool)>, SyntaxError> {
        let before = self.at;
        for (open, close, summed) in
            [("<", ">", false), ("[", "]", true), ("^{[", "]}", true), ("^{", "}", false)]
        {
            if !self.take(open) {
                continue;
            }
            let digits = self.digits();
            if digits.is_empty() || !self.take(close) {
                // `^ < 2` and the like: not an uptimal.
                self.at = before;
                continue;
            }
            return match digits.parse::<u32>() {
                Ok(degree) if degree >= 1 => Ok(Some((degree, summed))),
                _ => self.error(start, format!("uptimals are counted from 1, as in `^{open}2{close}`")),
            };
        }
        Ok(None)
    }

    fn star_index(&mut self) -> Result<u32, SyntaxError> {
        let start = self.at;
        match self.digits() {
            "" => Ok(1),
            digits => match digits.parse() {
                Ok(index) => Ok(index),
                Err(_) => self.error(start, "a nimber is at most *4294967295"),
            },
        }
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 24 {
        text.to_owned()
    } else {
        let beginning: String = text.chars().take(20).collect();
        format!("{beginning}...")
    }
}
