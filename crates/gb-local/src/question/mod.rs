//! The questions that can be asked about a position.

mod bounds;
mod nimber;
pub mod outcome;
mod thermograph;
mod threats;
mod value;

pub use bounds::{IntegerBounds, bounds};
pub use nimber::Nimber;
pub use thermograph::thermograph;
pub use threats::{Kind, ThreatFact, ThreatSearch, ThreatTable, Threats, threats};
pub use value::ExactValue;
