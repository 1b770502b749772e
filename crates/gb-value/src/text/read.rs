//! A tree to a value.

use crate::kernel::Kernel;
use crate::text::error::{ReadError, Span, SyntaxError};
use crate::text::tree::{Expression, Node, Operator};
use crate::value::Value;

impl Kernel<'_> {
    /// The value that a text describes: literals such as `-3/4^^*2`, braces, slashes `2|0||-1`, `+-1`, `Tiny(2)`, `on`,
    /// `off`, and sums and differences of them. Everything that [`show`](Kernel::show) prints in full is read back.
    pub fn read(&self, text: &str) -> Result<Value, ReadError> {
        let expression = Expression::parse(text)?;
        let mut values: Vec<Value> = Vec::with_capacity(expression.nodes.len());
        for (node, &span) in expression.nodes.iter().zip(&expression.spans) {
            values.push(self.value_of_node(&expression, node, span, &values)?);
        }
        match values.last() {
            Some(&value) => Ok(value),
            None => Err(SyntaxError::new(Span::default(), "expected a game, found nothing").into()),
        }
    }

    fn value_of_node(
        &self,
        expression: &Expression,
        node: &Node,
        span: Span,
        values: &[Value],
    ) -> Result<Value, ReadError> {
        let of = |range: &std::ops::Range<usize>| -> Vec<Value> {
            expression.children[range.clone()].iter().map(|&id| values[id]).collect()
        };
        let unknown = |message: String| Err(SyntaxError::new(span, message).into());
        Ok(match node {
            Node::Literal(place) => expression.literals[*place].value(self)?,
            Node::Game(lefts, rights) => self.from_options(&of(lefts), &of(rights))?,
            Node::Switch(range) => self.plus_minus(&of(range))?,
            Node::Tiny(id) => self.tiny(values[*id])?,
            Node::Miny(id) => self.neg(self.tiny(values[*id])?)?,
            Node::Neg(id) => self.neg(values[*id])?,
            Node::Binary(Operator::Add, a, b) => self.add(values[*a], values[*b])?,
            Node::Binary(Operator::Sub, a, b) => self.sub(values[*a], values[*b])?,
            Node::Name(name) => match name.as_str() {
                "on" => Value::ON,
                "off" => Value::OFF,
                _ => return unknown(format!("the name `{name}` is not known here")),
            },
            Node::Call(name, range) => match (name.as_str(), of(range).as_slice()) {
                ("tiny" | "Tiny", &[g]) => self.tiny(g)?,
                ("miny" | "Miny", &[g]) => self.neg(self.tiny(g)?)?,
                ("pm", list @ [_, ..]) => self.plus_minus(list)?,
                _ => return unknown(format!("there is no function `{name}` with these arguments here")),
            },
            Node::Bound(_) | Node::Loop { .. } => {
                return unknown("a game with loops cannot stand here".into());
            }
            Node::List(_) => return unknown("expected one game, found a list".into()),
            Node::Binary(..) => return unknown("expected a game, found a comparison".into()),
        })
    }
}
