//! Evaluates an expression: one pass over its nodes, children first, without recursion.

use std::collections::BTreeMap;
use std::ops::Range;

use gb_value::loopy::LoopyGame;
use gb_value::text::{Expression, Node, Span};
use gb_value::{Budget, Kernel, Store, Value};

use crate::calc::datum::Datum;
use crate::calc::error::CalcError;
use crate::calc::functions;
use crate::calc::loopy::{Loopy, Places, Slot};
use crate::calc::operate::{binary, find, game, neg, run};

/// What a node is worth so far.
#[derive(Clone)]
enum Term {
    Closed(Datum),
    /// A position of a graph under construction, which leads to loops whose braces are not closed yet; the outermost of them.
    Open(usize, usize),
}

pub(crate) struct Evaluator<'e> {
    kernel: Kernel<'e>,
    variables: &'e BTreeMap<String, Datum>,
    expression: &'e Expression,
    line: &'e str,
    terms: Vec<Term>,
    /// The graph of all loops of the expression, and where each loop begins.
    builder: Places,
    loops: Vec<Option<usize>>,
}

impl<'e> Evaluator<'e> {
    pub(crate) fn new(
        store: &'e Store,
        variables: &'e BTreeMap<String, Datum>,
        budget: &'e Budget,
        expression: &'e Expression,
        line: &'e str,
    ) -> Evaluator<'e> {
        Evaluator {
            kernel: store.kernel(budget),
            variables,
            expression,
            line,
            terms: Vec::with_capacity(expression.nodes.len()),
            builder: Places::default(),
            loops: vec![None; expression.loops],
        }
    }

    pub(crate) fn run(mut self) -> Result<Datum, CalcError> {
        let expression = self.expression;
        for (node, &span) in expression.nodes.iter().zip(&expression.spans) {
            // Children that a parent has used are not needed again, but they are small: games are names.
            let term = self.term(node, span).map_err(|error| error.or_at(span))?;
            self.terms.push(term);
        }
        match self.terms.pop() {
            Some(Term::Closed(datum)) => Ok(datum),
            _ => Err(CalcError::general("expected an expression")),
        }
    }

    fn term(&mut self, node: &Node, span: Span) -> Result<Term, CalcError> {
        let datum = match node {
            Node::Bound(binder) => return self.bound(*binder),
            Node::Loop { binder, game, .. } => return self.close_loop(*binder, *game),
            Node::Game(lefts, rights) => return self.game(lefts, rights),
            Node::Literal(place) => Datum::Value(self.expression.literals[*place].value(&self.kernel)?),
            Node::Name(name) => self.name(name, span)?,
            Node::Switch(range) => {
                let lefts = self.data(range)?;
                let rights = lefts.iter().map(|d| neg(&self.kernel, d)).collect::<Result<Vec<_>, _>>()?;
                game(&self.kernel, &lefts, &rights)?
            }
            Node::Tiny(id) => Datum::Value(self.kernel.tiny(self.value(*id)?)?),
            Node::Miny(id) => Datum::Value(self.kernel.neg(self.kernel.tiny(self.value(*id)?)?)?),
            Node::Neg(id) => neg(&self.kernel, &self.datum(*id)?).map_err(|e| e.or_at(self.span(*id)))?,
            Node::List(range) => Datum::List(self.flat_list(range)?),
            Node::Call(name, range) => self.call(name, range, span)?,
            Node::Binary(operator, a, b) => {
                let (a, b) = (self.datum(*a)?, self.datum(*b)?);
                binary(&self.kernel, *operator, &a, &b)?
            }
        };
        Ok(Term::Closed(datum))
    }

    fn span(&self, id: usize) -> Span {
        self.expression.spans[id]
    }

    /// The value of a child.
    fn datum(&self, id: usize) -> Result<Datum, CalcError> {
        match &self.terms[id] {
            Term::Closed(datum) => Ok(datum.clone()),
            Term::Open(..) => Err(CalcError::at(
                self.span(id),
                "the name of a loop can only be an option in braces, as in `a{0|a}`",
            )),
        }
    }

    fn data(&self, range: &Range<usize>) -> Result<Vec<Datum>, CalcError> {
        self.expression.children[range.clone()].iter().map(|&id| self.datum(id)).collect()
    }

    /// The items of a list. A list inside a list would be dropped and printed by recursion, so there is none.
    fn flat_list(&self, range: &Range<usize>) -> Result<Vec<Datum>, CalcError> {
        let items = self.data(range)?;
        match items.iter().position(|item| matches!(item, Datum::List(_))) {
            Some(at) => {
                let span = self.span(self.expression.children[range.start + at]);
                Err(CalcError::at(span, "a list cannot hold another list"))
            }
            None => Ok(items),
        }
    }

    /// The value of a child that must be a game without loops.
    fn value(&self, id: usize) -> Result<Value, CalcError> {
        match self.datum(id)? {
            Datum::Value(value) => Ok(value),
            other => Err(CalcError::at(
                self.span(id),
                format!("expected a game without loops, found {}", other.what()),
            )),
        }
    }

    fn name(&self, name: &str, span: Span) -> Result<Datum, CalcError> {
        match name {
            "on" => return Ok(Datum::Value(Value::ON)),
            "off" => return Ok(Datum::Value(Value::OFF)),
            "true" => return Ok(Datum::Truth(true)),
            "false" => return Ok(Datum::Truth(false)),
            _ => {}
        }
        if let Some(datum) = self.variables.get(name) {
            return Ok(datum.clone());
        }
        if let Some(game) = LoopyGame::named(name) {
            return Loopy::simplest(&self.kernel, game);
        }
        if let Some(function) = functions::find(name) {
            let message = format!("`{name}` is a function: write `{}`", function.signature());
            return Err(CalcError::at(span, message));
        }
        let names = self.variables.keys().map(String::as_str);
        let constants = crate::calc::CONSTANTS.iter().copied();
        let functions = functions::FUNCTIONS.iter().map(|f| f.name);
        let hint = functions::similar(name, names.chain(constants).chain(functions));
        Err(CalcError::at(
            span,
            format!("there is no variable `{name}`{hint}; give it a value with `{name} := ...`"),
        ))
    }

    fn call(&self, name: &str, range: &Range<usize>, span: Span) -> Result<Datum, CalcError> {
        let name_span = Span::new(span.start, span.start + name.len().min(span.end - span.start));
        let function = find(name).map_err(|error| error.or_at(name_span))?;
        let data = self.data(range)?;
        let spans: Vec<Span> =
            self.expression.children[range.clone()].iter().map(|&id| self.span(id)).collect();
        run(&self.kernel, function, &data, &spans, self.line).map_err(|error| error.or_at(span))
    }

    /// The place in the graph of a loop whose braces are open.
    fn bound(&mut self, binder: usize) -> Result<Term, CalcError> {
        let place = match self.loops[binder] {
            Some(place) => place,
            None => *self.loops[binder].insert(self.builder.declare()?),
        };
        Ok(Term::Open(place, binder))
    }

    fn game(&mut self, lefts: &Range<usize>, rights: &Range<usize>) -> Result<Term, CalcError> {
        let children = |range: &Range<usize>| &self.expression.children[range.clone()];
        let open = children(lefts)
            .iter()
            .chain(children(rights))
            .any(|&id| matches!(self.terms[id], Term::Open(..)));
        if !open {
            let (lefts, rights) = (self.options(lefts)?, self.options(rights)?);
            return Ok(Term::Closed(game(&self.kernel, &lefts, &rights)?));
        }
        let (lefts, outer_left) = self.graph_options(lefts)?;
        let (rights, outer_right) = self.graph_options(rights)?;
        Ok(Term::Open(self.builder.node(lefts, rights)?, outer_left.min(outer_right)))
    }

    /// Options: games, or lists of games.
    fn options(&self, range: &Range<usize>) -> Result<Vec<Datum>, CalcError> {
        let mut options = vec![];
        for &id in &self.expression.children[range.clone()] {
            let datum = self.datum(id)?;
            let list = match datum {
                Datum::List(list) => list,
                other => vec![other],
            };
            for option in list {
                if !matches!(option, Datum::Value(_) | Datum::Loopy(_)) {
                    let message = format!("an option is a game, found {}", option.what());
                    return Err(CalcError::at(self.span(id), message));
                }
                options.push(option);
            }
        }
        Ok(options)
    }

    /// Options as positions of the graph, and the outermost loop among those that are open in them.
    fn graph_options(&mut self, range: &Range<usize>) -> Result<(Vec<Slot>, usize), CalcError> {
        let (mut nodes, mut outermost) = (vec![], usize::MAX);
        for &id in &self.expression.children[range.clone()] {
            if let Term::Open(node, outer) = self.terms[id] {
                nodes.push(Slot::Place(node));
                outermost = outermost.min(outer);
                continue;
            }
            match self.datum(id)? {
                game @ (Datum::Value(_) | Datum::Loopy(_)) => nodes.push(Slot::Game(game)),
                other => {
                    let message = format!("expected a game, found {}", other.what());
                    return Err(CalcError::at(self.span(id), message));
                }
            }
        }
        Ok((nodes, outermost))
    }

    /// `a{...}` is complete: the braces are the position that the name stands for.
    fn close_loop(&mut self, binder: usize, game: usize) -> Result<Term, CalcError> {
        let Node::Game(lefts, rights) = &self.expression.nodes[game] else {
            return Err(CalcError::general("expected braces after the name of a loop"));
        };
        let Some(place) = self.loops[binder] else {
            // The name does not occur inside.
            return Ok(self.terms[game].clone());
        };
        let (left_nodes, outer_left) = self.graph_options(lefts)?;
        let (right_nodes, outer_right) = self.graph_options(rights)?;
        self.builder.set(place, left_nodes, right_nodes);
        let outermost = outer_left.min(outer_right);
        if outermost < binder {
            return Ok(Term::Open(place, outermost));
        }
        Ok(Term::Closed(self.builder.close(&self.kernel, place)?))
    }
}
