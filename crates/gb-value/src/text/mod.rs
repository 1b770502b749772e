//! Values as text: what people write, and what they recognise.
//!
//! The path of a text is `lex` (characters to tokens), `syntax` (tokens to a tree), `read` (a tree to a value); `show` goes
//! back. The syntax is that of whole expressions, so that a calculator needs no second parser.

mod error;
mod lex;
mod literal;
mod read;
mod show;
mod syntax;
mod tree;

pub use error::{ReadError, Span, SyntaxError};
pub use literal::Literal;
pub(crate) use show::cut;
pub use show::{Script, Shown, Style};
pub use tree::{Expression, Node, NodeId, Operator, Statement};
