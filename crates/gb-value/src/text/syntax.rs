//! Tokens to a tree. The parser keeps its own stack, and the tree lies flat in one vector with children before parents:
//! neither reading, nor evaluating, nor dropping an expression recurses, however deep it is.

use std::collections::HashMap;
use std::ops::Range;

use crate::text::error::{Span, SyntaxError};
use crate::text::lex::{self, Bracket, Kind, Token};
use crate::text::literal::Literal;
use crate::text::tree::{Expression, Node, NodeId, Operator, Statement};

impl Statement {
    /// Reads `expression` or `name := expression`.
    pub fn parse(text: &str) -> Result<Statement, SyntaxError> {
        let lex::Tokens { tokens, literals } = lex::tokens(text)?;
        if let [Token { kind: Kind::Word, span }, Token { kind: Kind::Assign, .. }, ..] = tokens.as_slice() {
            let variable = Some((word(text, *span).to_owned(), *span));
            let expression = Parser::new(text, &tokens[2..], literals).run()?;
            return Ok(Statement { variable, expression });
        }
        if let Some(at) = tokens.iter().position(|t| t.kind == Kind::Assign) {
            let message = "only a name can stand before `:=` (and `v`, `vv`, `v3` are no names but downs)";
            return Err(SyntaxError::new(tokens[at].span, message));
        }
        let expression = Parser::new(text, &tokens, literals).run()?;
        Ok(Statement { variable: None, expression })
    }
}

impl Expression {
    /// Reads an expression.
    pub fn parse(text: &str) -> Result<Expression, SyntaxError> {
        let lex::Tokens { tokens, literals } = lex::tokens(text)?;
        Parser::new(text, &tokens, literals).run()
    }
}

/// The name in a word token, without the dress it wears in TeX.
fn word(text: &str, span: Span) -> &str {
    let word = span.of(text);
    word.strip_prefix("\\mathbf{")
        .or(word.strip_prefix("\\mathrm{"))
        .and_then(|w| w.strip_suffix('}'))
        .unwrap_or(word)
}

/// Something that waits for its right operand.
#[derive(Clone, Copy)]
enum Pending {
    Neg,
    Switch,
    Tiny,
    Miny,
    Binary(Operator, NodeId),
}

#[derive(Clone, Copy)]
enum Part {
    Item(NodeId),
    Comma,
    Bars(usize),
}

enum Opened {
    Text,
    Group,
    /// Braces, and whether they may be a plain list of options (after `+-` or `+_`).
    Game {
        may_be_list: bool,
    },
    Loop {
        binder: usize,
        name: String,
    },
    Call(String),
    List,
}

/// What lies between a bracket and its partner, as far as it has been read.
struct Frame {
    opened: Opened,
    bracket: Option<Bracket>,
    span: Span,
    parts: Vec<(Part, Span)>,
    pending: Vec<(Pending, Span)>,
}

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    out: Expression,
    frames: Vec<Frame>,
    /// The loops around the current place, by name.
    bound: HashMap<String, Vec<usize>>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, tokens: &'t [Token], literals: Vec<Literal>) -> Parser<'t> {
        let out = Expression { literals, ..Expression::default() };
        let mut parser = Parser { text, tokens, at: 0, out, frames: vec![], bound: HashMap::new() };
        parser.open(Opened::Text, None, Span::default());
        parser
    }

    fn open(&mut self, opened: Opened, bracket: Option<Bracket>, span: Span) {
        self.frames.push(Frame { opened, bracket, span, parts: vec![], pending: vec![] });
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the frame of the whole text is taken away last")
    }

    fn node(&mut self, node: Node, span: Span) -> NodeId {
        self.out.nodes.push(node);
        self.out.spans.push(span);
        self.out.nodes.len() - 1
    }

    fn children(&mut self, ids: &[NodeId]) -> Range<usize> {
        let start = self.out.children.len();
        self.out.children.extend_from_slice(ids);
        start..self.out.children.len()
    }

    fn next_token(&mut self) -> &'t Token {
        let token = &self.tokens[self.at];
        // The end can be looked at again and again.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn unexpected<T>(&self, token: &Token, expected: &str) -> Result<T, SyntaxError> {
        let found = match token.kind {
            Kind::End => "the end".to_owned(),
            _ => format!("`{}`", token.span.of(self.text)),
        };
        Err(SyntaxError::new(token.span, format!("expected {expected}, found {found}")))
    }

    fn run(mut self) -> Result<Expression, SyntaxError> {
        loop {
            self.operand()?;
            // After an operand: operators lead to the next one, brackets may close one after another.
            loop {
                let token = self.next_token();
                match token.kind {
                    Kind::Plus => self.binary(Operator::Add, token.span)?,
                    Kind::Minus => self.binary(Operator::Sub, token.span)?,
                    Kind::PlusMinus | Kind::TinyMark | Kind::MinyMark => {
                        self.binary(Operator::Add, token.span)?;
                        self.at -= 1;
                    }
                    Kind::Less => self.binary(Operator::Less, token.span)?,
                    Kind::LessEqual => self.binary(Operator::LessEqual, token.span)?,
                    Kind::Greater => self.binary(Operator::Greater, token.span)?,
                    Kind::GreaterEqual => self.binary(Operator::GreaterEqual, token.span)?,
                    Kind::Equal => self.binary(Operator::Equal, token.span)?,
                    Kind::NotEqual => self.binary(Operator::NotEqual, token.span)?,
                    Kind::LessOrConfused => self.binary(Operator::LessOrConfused, token.span)?,
                    Kind::GreaterOrConfused => self.binary(Operator::GreaterOrConfused, token.span)?,
                    Kind::Ampersand => self.binary(Operator::Sides, token.span)?,
                    Kind::Comma => {
                        self.end_item();
                        self.frame().parts.push((Part::Comma, token.span));
                    }
                    Kind::Bars(n) => {
                        self.end_item();
                        self.frame().parts.push((Part::Bars(n), token.span));
                    }
                    Kind::Close(bracket) => {
                        self.end_item();
                        self.close(bracket, token)?;
                        continue;
                    }
                    Kind::End => {
                        self.end_item();
                        return self.finish(token);
                    }
                    _ => {
                        let closing = self.frame().bracket.map(Bracket::closing);
                        let or = closing.map(|c| format!(", `,`, `|` or `{c}`")).unwrap_or_default();
                        return self.unexpected(token, &format!("an operator{or}"));
                    }
                }
                break;
            }
        }
    }

    /// Reads up to and including an operand (or a side of a game that is left empty, up to what ends it).
    fn operand(&mut self) -> Result<(), SyntaxError> {
        loop {
            let token = self.next_token();
            match token.kind {
                Kind::Literal(place) => {
                    let id = self.node(Node::Literal(place), token.span);
                    self.push_operand(id);
                    return Ok(());
                }
                Kind::Minus => {
                    let next = &self.tokens[self.at];
                    match next.kind {
                        // A minus sign before a literal with a number belongs to the number.
                        Kind::Literal(place) if self.out.literals[place].number.is_some() => {
                            let literal = std::mem::take(&mut self.out.literals[place]);
                            self.out.literals[place] = literal.with_number_negated();
                            self.at += 1;
                            let id = self.node(Node::Literal(place), token.span.to(next.span));
                            self.push_operand(id);
                            return Ok(());
                        }
                        _ => self.frame().pending.push((Pending::Neg, token.span)),
                    }
                }
                Kind::Plus if self.next_is_adjacent_minus(token) => {
                    let minus = self.next_token();
                    self.frame().pending.push((Pending::Switch, token.span.to(minus.span)));
                }
                Kind::PlusMinus => self.frame().pending.push((Pending::Switch, token.span)),
                Kind::TinyMark => self.frame().pending.push((Pending::Tiny, token.span)),
                Kind::MinyMark => self.frame().pending.push((Pending::Miny, token.span)),
                Kind::Word => {
                    if self.word(token) {
                        return Ok(());
                    }
                }
                Kind::Open(bracket) => {
                    let opened = match bracket {
                        Bracket::Brace => Opened::Game { may_be_list: self.after_a_mark() },
                        Bracket::Paren => Opened::Group,
                        Bracket::Square => Opened::List,
                    };
                    self.open(opened, Some(bracket), token.span);
                }
                Kind::Bars(n) if self.item_may_be_empty() => {
                    self.frame().parts.push((Part::Bars(n), token.span));
                }
                Kind::Close(bracket) if self.item_may_be_empty() => {
                    self.close(bracket, token)?;
                    return Ok(());
                }
                Kind::End
                    if self.frames.len() == 1
                        && !self.frame().parts.is_empty()
                        && self.item_may_be_empty() =>
                {
                    self.at = self.tokens.len() - 1;
                    return Ok(());
                }
                _ => return self.unexpected(token, &self.expected_operand()),
            }
        }
    }

    fn expected_operand(&self) -> String {
        let open = self.frames.last().and_then(|f| f.bracket.map(|b| (b, f)));
        match open {
            Some((bracket, frame)) if frame.pending.is_empty() => {
                let column = self.text[..frame.span.start].chars().count() + 1;
                format!(
                    "a game or the `{}` that closes the `{}` of column {column}",
                    bracket.closing(),
                    bracket.opening()
                )
            }
            _ => "a game".to_owned(),
        }
    }

    fn next_is_adjacent_minus(&self, plus: &Token) -> bool {
        let next = &self.tokens[self.at];
        next.kind == Kind::Minus && next.span.start == plus.span.end
    }

    fn after_a_mark(&mut self) -> bool {
        matches!(self.frame().pending.last(), Some((Pending::Switch | Pending::Tiny | Pending::Miny, _)))
    }

    /// Whether nothing has been read since the last bar or bracket.
    fn item_may_be_empty(&mut self) -> bool {
        let frame = self.frame();
        frame.pending.is_empty() && !matches!(frame.parts.last(), Some((Part::Comma, _)))
    }

    /// A name, or the beginning of a call or of a loop. Tells whether it was an operand by itself.
    fn word(&mut self, token: &Token) -> bool {
        let name = word(self.text, token.span);
        let next = &self.tokens[self.at];
        let adjacent = next.span.start == token.span.end;
        match next.kind {
            Kind::Open(Bracket::Paren) if adjacent => {
                self.at += 1;
                self.open(Opened::Call(name.to_owned()), Some(Bracket::Paren), token.span);
                false
            }
            Kind::Open(Bracket::Brace) if adjacent => {
                self.at += 1;
                let binder = self.out.loops;
                self.out.loops += 1;
                self.bound.entry(name.to_owned()).or_default().push(binder);
                self.open(Opened::Loop { binder, name: name.to_owned() }, Some(Bracket::Brace), token.span);
                false
            }
            _ => {
                let binder = self.bound.get(name).and_then(|binders| binders.last().copied());
                let node = binder.map_or_else(|| Node::Name(name.to_owned()), Node::Bound);
                let id = self.node(node, token.span);
                self.push_operand(id);
                true
            }
        }
    }

    /// Puts an operand in its place: prefixes are applied at once, an operator to the left of it later.
    fn push_operand(&mut self, id: NodeId) {
        let (mut id, mut span) = (id, self.out.spans[id]);
        while let Some(&(pending, mark)) = self.frame().pending.last() {
            span = span.to(mark);
            let node = match pending {
                Pending::Neg => Node::Neg(id),
                Pending::Switch => Node::Switch(self.children(&[id])),
                Pending::Tiny => Node::Tiny(id),
                Pending::Miny => Node::Miny(id),
                Pending::Binary(..) => break,
            };
            self.frame().pending.pop();
            id = self.node(node, span);
        }
        let span = self.out.spans[id];
        self.frame().parts.push((Part::Item(id), span));
    }

    /// Takes the operand that was read last as the left operand of an operator.
    fn binary(&mut self, operator: Operator, span: Span) -> Result<(), SyntaxError> {
        let level = operator.level();
        let left = self.reduce(if operator.chains() { level } else { level + 1 });
        if let Some(&(Pending::Binary(other, _), first)) = self.frame().pending.last()
            && other.level() == level
        {
            let (second, first) = (span.of(self.text), first.of(self.text));
            let message = format!("`{second}` cannot follow `{first}`: compare two games at a time");
            return Err(SyntaxError::new(span, message));
        }
        self.frame().pending.push((Pending::Binary(operator, left), span));
        Ok(())
    }

    /// Takes the last operand away and applies the operators to its left that bind as tightly as `level` at least.
    fn reduce(&mut self, level: u32) -> NodeId {
        let Some((Part::Item(mut id), _)) = self.frame().parts.pop() else {
            unreachable!("operators and closing brackets are looked for after operands only");
        };
        while let Some(&(Pending::Binary(operator, left), _)) = self.frame().pending.last() {
            if operator.level() < level {
                break;
            }
            self.frame().pending.pop();
            let span = self.out.spans[left].to(self.out.spans[id]);
            id = self.node(Node::Binary(operator, left, id), span);
        }
        id
    }

    /// Applies all operators to the left of the last operand, if there is one (a side of a game may be empty).
    fn end_item(&mut self) {
        if matches!(self.frame().parts.last(), Some((Part::Item(_), _))) {
            let id = self.reduce(0);
            let span = self.out.spans[id];
            self.frame().parts.push((Part::Item(id), span));
        }
    }

    fn close(&mut self, bracket: Bracket, token: &Token) -> Result<(), SyntaxError> {
        if self.frame().bracket != Some(bracket) {
            return match self.frame().bracket {
                Some(open) => {
                    let at = self.frame().span;
                    let column = self.text[..at.start].chars().count() + 1;
                    let opening = open.opening();
                    self.unexpected(
                        token,
                        &format!("`{}` for the `{opening}` of column {column}", open.closing()),
                    )
                }
                None => self.unexpected(token, "an operator or the end"),
            };
        }
        let Some(frame) = self.frames.pop() else { return self.unexpected(token, "the end") };
        let span = frame.span.to(token.span);
        let id = match frame.opened {
            Opened::Text | Opened::Group => {
                let id = self.group(&frame.parts, span)?;
                self.out.spans[id] = span;
                id
            }
            Opened::Game { may_be_list } => {
                let has_bar = frame.parts.iter().any(|(p, _)| matches!(p, Part::Bars(_)));
                if !has_bar && may_be_list {
                    return self.close_list_of_options(&frame.parts, span);
                }
                if !has_bar {
                    return self.unexpected(token, "`|` between Left's and Right's options");
                }
                self.game(&frame.parts, span)?
            }
            Opened::Loop { binder, name } => {
                if let Some(binders) = self.bound.get_mut(&name) {
                    binders.pop();
                }
                if !frame.parts.iter().any(|(p, _)| matches!(p, Part::Bars(_))) {
                    return self.unexpected(token, "`|` between Left's and Right's options");
                }
                let game = self.game(&frame.parts, span)?;
                self.node(Node::Loop { binder, name, game }, span)
            }
            Opened::Call(name) => {
                let items = self.items(&frame.parts, span)?;
                let range = self.children(&items);
                self.node(Node::Call(name, range), span)
            }
            Opened::List => {
                let items = self.items(&frame.parts, span)?;
                let range = self.children(&items);
                self.node(Node::List(range), span)
            }
        };
        self.push_operand(id);
        Ok(())
    }

    /// `{a,b}` after `+-`, and `{a}` after `+_` or `-_`.
    fn close_list_of_options(&mut self, parts: &[(Part, Span)], span: Span) -> Result<(), SyntaxError> {
        let items = self.items(parts, span)?;
        let Some((mark, mark_span)) = self.frame().pending.pop() else { return Ok(()) };
        let span = mark_span.to(span);
        let node = match (mark, items.as_slice()) {
            (_, []) => return Err(SyntaxError::new(span, "expected a game between the braces")),
            (Pending::Switch, items) => Node::Switch(self.children(items)),
            (Pending::Tiny, &[item]) => Node::Tiny(item),
            (Pending::Miny, &[item]) => Node::Miny(item),
            _ => return Err(SyntaxError::new(span, "expected one game between the braces")),
        };
        let id = self.node(node, span);
        self.push_operand(id);
        Ok(())
    }

    fn finish(mut self, end: &Token) -> Result<Expression, SyntaxError> {
        if self.frames.len() > 1 {
            let expected = match self.frame().bracket {
                Some(bracket) => {
                    let start = self.frame().span.start;
                    let column = self.text[..start].chars().count() + 1;
                    format!("`{}` for the `{}` of column {column}", bracket.closing(), bracket.opening())
                }
                None => "a game".to_owned(),
            };
            return self.unexpected(end, &expected);
        }
        let Some(frame) = self.frames.pop() else { return self.unexpected(end, "a game") };
        let span = Span::new(0, self.text.len());
        self.group(&frame.parts, span)?;
        Ok(self.out)
    }

    /// One expression, or a game written with slashes, or a comparison by `||`.
    fn group(&mut self, parts: &[(Part, Span)], span: Span) -> Result<NodeId, SyntaxError> {
        match *parts {
            [(Part::Item(id), _)] => Ok(id),
            [] => Err(SyntaxError::new(span, "expected a game, found nothing")),
            // With no other bar beside it, `||` compares.
            [(Part::Item(a), _), (Part::Bars(2), _), (Part::Item(b), _)] => {
                Ok(self.node(Node::Binary(Operator::Confused, a, b), span))
            }
            _ if parts.iter().all(|(p, _)| !matches!(p, Part::Bars(_))) => {
                let comma = parts.iter().find(|(p, _)| matches!(p, Part::Comma)).map_or(span, |&(_, s)| s);
                Err(SyntaxError::new(comma, "`,` separates options in braces, `[a, b]` is a list"))
            }
            _ => self.game(parts, span),
        }
    }

    /// The items of a list separated by commas; a single one may be a game written with slashes.
    fn items(&mut self, parts: &[(Part, Span)], span: Span) -> Result<Vec<NodeId>, SyntaxError> {
        let bar = parts.iter().find(|(p, _)| matches!(p, Part::Bars(_)));
        let comma = parts.iter().any(|(p, _)| matches!(p, Part::Comma));
        match bar {
            Some(&(_, bar)) if comma => {
                Err(SyntaxError::new(bar, "bars and commas are mixed: put braces around the game"))
            }
            Some(_) => Ok(vec![self.group(parts, span)?]),
            None => Ok(parts
                .iter()
                .filter_map(|&(part, _)| if let Part::Item(id) = part { Some(id) } else { None })
                .collect()),
        }
    }

    /// A game from its options and bars: the longest run of bars, which must be the only one of its length, splits first.
    fn game(&mut self, parts: &[(Part, Span)], span: Span) -> Result<NodeId, SyntaxError> {
        let mut bars: Vec<(usize, usize)> = vec![];
        for (at, (part, _)) in parts.iter().enumerate() {
            if let Part::Bars(n) = part {
                bars.push((at, *n));
            }
        }
        let comma = parts.iter().find(|(p, _)| matches!(p, Part::Comma));
        if let (Some(&(_, comma)), 2..) = (comma, bars.len()) {
            let message = "commas beside bars of several levels can be read in two ways: use braces";
            return Err(SyntaxError::new(comma, message));
        }
        // Splits wait on a stack: `Split` is opened into its halves and a `Join` that makes the game of them.
        enum Work {
            Split(Range<usize>, Span),
            Join(Span),
        }
        let mut work = vec![Work::Split(0..parts.len(), span)];
        let mut sides: Vec<Vec<NodeId>> = vec![];
        while let Some(next) = work.pop() {
            match next {
                Work::Split(range, span) => {
                    let inside = bars.iter().filter(|(at, _)| range.contains(at));
                    let Some(&(at, longest)) = inside.clone().max_by_key(|(_, n)| *n) else {
                        let items = parts[range].iter();
                        sides.push(
                            items
                                .filter_map(|&(p, _)| if let Part::Item(id) = p { Some(id) } else { None })
                                .collect(),
                        );
                        continue;
                    };
                    if let Some(&(other, _)) = inside.clone().find(|&&(i, n)| n == longest && i != at) {
                        let message = "two runs of bars are equally long here, so it is open which one splits the game \
                                       first: use one bar more or less, or braces";
                        return Err(SyntaxError::new(parts[other.max(at)].1, message));
                    }
                    let whole = |r: Range<usize>, edge: Span| {
                        parts[r]
                            .iter()
                            .fold(None, |s: Option<Span>, &(_, p)| Some(s.map_or(p, |s| s.to(p))))
                            .unwrap_or(edge)
                    };
                    let (left, right) = (range.start..at, at + 1..range.end);
                    let edge = parts[at].1;
                    work.push(Work::Join(span));
                    work.push(Work::Split(right.clone(), whole(right, edge)));
                    work.push(Work::Split(left.clone(), whole(left, edge)));
                }
                Work::Join(span) => {
                    let (Some(right), Some(left)) = (sides.pop(), sides.pop()) else { continue };
                    let (left, right) = (self.children(&left), self.children(&right));
                    let id = self.node(Node::Game(left, right), span);
                    sides.push(vec![id]);
                }
            }
        }
        match sides.pop().as_deref() {
            Some(&[id]) => Ok(id),
            _ => Err(SyntaxError::new(span, "expected a game")),
        }
    }
}
