//! The questions that can be asked about a position.

mod bounds;
mod couples;
mod nimber;
pub mod outcome;
pub(crate) mod reduced;
mod thermograph;
mod threats;
mod value;

pub use bounds::{IntegerBounds, bounds};
pub use couples::{Excluded, has_nimber, is_zero, known_nimber, nimber_of};
pub use nimber::Nimber;
pub use reduced::{Flaw, Reduced};
pub use thermograph::{thermograph, thermograph_with};
pub use threats::{Kind, ThreatFact, ThreatSearch, ThreatTable, Threats, threats};
pub use value::{ExactValue, exact_value};
