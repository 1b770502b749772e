//! Evaluates an expression: one pass over its nodes, children first, without recursion.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use gb_value::loopy::{Builder, LoopyGame, NodeId as GraphId};
use gb_value::text::{Expression, Node, Operator, Span};
use gb_value::{Budget, Kernel, Stop, Store, Value};

use crate::arguments::Arguments;
use crate::datum::Datum;
use crate::error::CalcError;
use crate::functions;
use crate::loopy::{Loopy, graph_builder};

/// What a node is worth so far.
#[derive(Clone)]
enum Term {
    Closed(Datum),
    /// A position of a graph under construction, which leads to loops whose braces are not closed yet; the outermost of them.
    Open(GraphId, usize),
}

pub(crate) struct Evaluator<'e> {
    kernel: Kernel<'e>,
    variables: &'e BTreeMap<String, Datum>,
    expression: &'e Expression,
    line: &'e str,
    terms: Vec<Term>,
    /// The graph of all loops of the expression, and where each loop begins.
    builder: Builder,
    loops: Vec<Option<GraphId>>,
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
            builder: graph_builder(),
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
        let constants = crate::CONSTANTS.iter().copied();
        let functions = functions::FUNCTIONS.iter().map(|f| f.name);
        let hint = functions::similar(name, names.chain(constants).chain(functions));
        Err(CalcError::at(
            span,
            format!("there is no variable `{name}`{hint}; give it a value with `{name} := ...`"),
        ))
    }

    fn call(&self, name: &str, range: &Range<usize>, span: Span) -> Result<Datum, CalcError> {
        let name_span = Span::new(span.start, span.start + name.len().min(span.end - span.start));
        let Some(function) = functions::find(name) else {
            let hint = functions::similar(name, functions::FUNCTIONS.iter().map(|f| f.name));
            return Err(CalcError::at(name_span, format!("there is no function `{name}`{hint}")));
        };
        let data = self.data(range)?;
        let spans: Vec<Span> =
            self.expression.children[range.clone()].iter().map(|&id| self.span(id)).collect();
        let (least, most) = function.arity();
        if data.len() < least || data.len() > most {
            let message =
                format!("`{}` takes {}, found {}", function.signature(), count(least, most), data.len());
            return Err(CalcError::at(span, message));
        }
        let arguments = Arguments { kernel: &self.kernel, data: &data, spans: &spans, line: self.line };
        (function.run)(&arguments).map_err(|error| error.or_at(span))
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
        Ok(Term::Open(self.builder.node(&lefts, &rights)?, outer_left.min(outer_right)))
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
    fn graph_options(&mut self, range: &Range<usize>) -> Result<(Vec<GraphId>, usize), CalcError> {
        let (mut nodes, mut outermost) = (vec![], usize::MAX);
        for &id in &self.expression.children[range.clone()] {
            if let Term::Open(node, outer) = self.terms[id] {
                nodes.push(node);
                outermost = outermost.min(outer);
                continue;
            }
            let loopy = as_loopy(&self.kernel, &self.datum(id)?).map_err(|e| e.or_at(self.span(id)))?;
            let Some(graph) = loopy.graph() else {
                let message = "a game given by its two sides cannot stand inside a loop";
                return Err(CalcError::at(self.span(id), message));
            };
            nodes.push(self.builder.include(graph)?);
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
        self.builder.set(place, &left_nodes, &right_nodes)?;
        let outermost = outer_left.min(outer_right);
        if outermost < binder {
            return Ok(Term::Open(place, outermost));
        }
        Ok(Term::Closed(Loopy::simplest(&self.kernel, self.builder.build(place)?)?))
    }
}

fn count(least: usize, most: usize) -> String {
    match (least, most) {
        (1, 1) => "one argument".into(),
        (2, 2) => "two arguments".into(),
        (3, 3) => "three arguments".into(),
        (least, usize::MAX) => format!("at least {least} argument{}", if least == 1 { "" } else { "s" }),
        (least, most) => format!("{least} to {most} arguments"),
    }
}

/// A game as a game with loops.
pub(crate) fn as_loopy(kernel: &Kernel<'_>, datum: &Datum) -> Result<Arc<Loopy>, CalcError> {
    match datum {
        Datum::Value(value) => Ok(Arc::new(Loopy::of_value(kernel, *value)?)),
        Datum::Loopy(loopy) => Ok(loopy.clone()),
        other => Err(CalcError::general(format!("expected a game, found {}", other.what()))),
    }
}

/// The game with these options.
pub(crate) fn game(kernel: &Kernel<'_>, lefts: &[Datum], rights: &[Datum]) -> Result<Datum, CalcError> {
    let values = |list: &[Datum]| -> Option<Vec<Value>> {
        list.iter().map(|d| if let Datum::Value(value) = d { Some(*value) } else { None }).collect()
    };
    if let (Some(lefts), Some(rights)) = (values(lefts), values(rights)) {
        return Ok(Datum::Value(kernel.from_options(&lefts, &rights)?));
    }
    let graphs = |list: &[Datum]| list.iter().map(|d| as_loopy(kernel, d)).collect::<Result<Vec<_>, _>>();
    Loopy::of_options(kernel, &graphs(lefts)?, &graphs(rights)?)
}

/// `-datum`.
pub(crate) fn neg(kernel: &Kernel<'_>, datum: &Datum) -> Result<Datum, CalcError> {
    match datum {
        Datum::Value(value) => Ok(Datum::Value(kernel.neg(*value)?)),
        Datum::Loopy(loopy) => loopy.negate(kernel),
        other => Err(CalcError::general(format!("expected a game, found {}", other.what()))),
    }
}

/// `a + b`: in the kernel if it can hold the sum, otherwise on graphs.
pub(crate) fn add(kernel: &Kernel<'_>, a: &Datum, b: &Datum) -> Result<Datum, CalcError> {
    if let (Datum::Value(a), Datum::Value(b)) = (a, b) {
        match kernel.add(*a, *b) {
            Err(Stop::Loopy) => {}
            sum => return Ok(Datum::Value(sum?)),
        }
    }
    as_loopy(kernel, a)?.plus(&*as_loopy(kernel, b)?, kernel)
}

fn binary(kernel: &Kernel<'_>, operator: Operator, a: &Datum, b: &Datum) -> Result<Datum, CalcError> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match operator {
        Operator::Add => return add(kernel, a, b),
        Operator::Sub => return add(kernel, a, &neg(kernel, b)?),
        Operator::Sides => {
            return Loopy::of_two_sides(kernel, &*as_loopy(kernel, a)?, &*as_loopy(kernel, b)?);
        }
        _ => {}
    }
    let order = match (a, b) {
        (Datum::Value(a), Datum::Value(b)) => kernel.compare(*a, *b)?,
        (Datum::Value(_) | Datum::Loopy(_), Datum::Value(_) | Datum::Loopy(_)) => {
            as_loopy(kernel, a)?.compare(&*as_loopy(kernel, b)?, kernel)?
        }
        _ => return same(kernel, operator, a, b),
    };
    Ok(Datum::Truth(match operator {
        Operator::Less => order == Some(Less),
        Operator::LessEqual => matches!(order, Some(Less | Equal)),
        Operator::Greater => order == Some(Greater),
        Operator::GreaterEqual => matches!(order, Some(Greater | Equal)),
        Operator::Equal => order == Some(Equal),
        Operator::NotEqual => order != Some(Equal),
        Operator::Confused => order.is_none(),
        Operator::LessOrConfused => matches!(order, Some(Less) | None),
        Operator::GreaterOrConfused => matches!(order, Some(Greater) | None),
        Operator::Add | Operator::Sub | Operator::Sides => unreachable!("handled above"),
    }))
}

/// `=` and `!=` between things that are no games.
fn same(kernel: &Kernel<'_>, operator: Operator, a: &Datum, b: &Datum) -> Result<Datum, CalcError> {
    let same = match (a, b) {
        (Datum::Truth(a), Datum::Truth(b)) => a == b,
        (Datum::Word(a), Datum::Word(b)) => a == b,
        (Datum::Thermograph(a), Datum::Thermograph(b)) => a == b,
        (Datum::List(a), Datum::List(b)) => {
            let mut same = a.len() == b.len();
            for (a, b) in a.iter().zip(b) {
                same = same && matches!(binary(kernel, Operator::Equal, a, b)?, Datum::Truth(true));
            }
            same
        }
        _ => return Err(CalcError::general(format!("{} cannot be compared with {}", a.what(), b.what()))),
    };
    match operator {
        Operator::Equal => Ok(Datum::Truth(same)),
        Operator::NotEqual => Ok(Datum::Truth(!same)),
        _ => Err(CalcError::general(format!("{} has no order, it can only be equal (`=`) or not", a.what()))),
    }
}
