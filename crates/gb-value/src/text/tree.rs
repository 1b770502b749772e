//! What an expression is once it has been read.

use std::ops::Range;

use crate::text::error::Span;
use crate::text::literal::Literal;

/// A node of an [`Expression`]: its place in [`Expression::nodes`].
pub type NodeId = usize;

/// What joins two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=` or `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `||`
    Confused,
    /// `<|`, less than or confused with
    LessOrConfused,
    /// `|>`, greater than or confused with
    GreaterOrConfused,
    /// `&`, the two sides of a loopy game
    Sides,
}

impl Operator {
    /// How tightly it binds.
    pub(super) fn level(self) -> u32 {
        match self {
            Operator::Add | Operator::Sub => 3,
            Operator::Sides => 2,
            _ => 1,
        }
    }

    /// Whether `a op b op c` means `(a op b) op c`; otherwise it means nothing.
    pub(super) fn chains(self) -> bool {
        self.level() == 3
    }
}

/// One node of an expression. Ranges are places in [`Expression::children`].
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// A number, ups and a star: a place in [`Expression::literals`].
    Literal(usize),
    /// A name that no loop around it binds.
    Name(String),
    /// The name of a loop around it: the `a` inside `a{0|a}`. Loops are numbered from 0.
    Bound(usize),
    /// `{lefts|rights}`
    Game(Range<usize>, Range<usize>),
    /// `a{lefts|rights}`: the game whose options may contain `a` itself.
    Loop {
        /// The number by which [`Node::Bound`] refers to this loop.
        binder: usize,
        /// Its name.
        name: String,
        /// The [`Node::Game`].
        game: NodeId,
    },
    /// `+-G`, or `+-{G,H}`: Left moves to these, Right to their negatives.
    Switch(Range<usize>),
    /// `+_G`
    Tiny(NodeId),
    /// `-_G`
    Miny(NodeId),
    /// `f(a, b)`
    Call(String, Range<usize>),
    /// `[a, b]`
    List(Range<usize>),
    /// `-G`
    Neg(NodeId),
    /// `a + b`, `a < b` and so on.
    Binary(Operator, NodeId, NodeId),
}

/// A parsed expression. Every node comes after its children, so that a loop over [`nodes`](Expression::nodes) in order can
/// evaluate it; the root is the last node.
#[derive(Clone, Debug, Default)]
pub struct Expression {
    /// The nodes, children first.
    pub nodes: Vec<Node>,
    /// Where in the text each node stands.
    pub spans: Vec<Span>,
    /// Lists of children, to which the ranges in nodes refer.
    pub children: Vec<NodeId>,
    /// The literals, to which nodes refer.
    pub literals: Vec<Literal>,
    /// How many loops there are.
    pub loops: usize,
}

/// An expression, or an assignment of it to a variable.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The variable, and where its name stands.
    pub variable: Option<(String, Span)>,
    /// The expression.
    pub expression: Expression,
}
