//! The questions that can be asked about a position.

mod nimber;
mod thermograph;
mod value;

pub use nimber::Nimber;
pub use thermograph::thermograph;
pub use value::ExactValue;
