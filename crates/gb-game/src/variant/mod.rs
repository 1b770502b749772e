//! Changes of the rules that fit every game, as wrappers.

mod impartial;
mod negative;

pub use impartial::Impartial;
pub use negative::Negative;

use crate::boxed::Boxed;
use crate::{Rules, Variant};

/// The game or the variant of it that was asked for, without its type.
pub fn boxed<R: Rules>(variant: Variant, rules: R) -> Boxed {
    match variant {
        Variant::Plain => Boxed::new(rules),
        Variant::Impartial => Boxed::new(Impartial(rules)),
        Variant::Negative => Boxed::new(Negative(rules)),
    }
}
