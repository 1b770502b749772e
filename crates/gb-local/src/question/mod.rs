//! The questions that can be asked about a position.

mod nimber;
mod value;

pub use nimber::Nimber;
pub use value::ExactValue;
