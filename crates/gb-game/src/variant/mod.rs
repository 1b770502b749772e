//! Changes of the rules that fit every game, as wrappers.

mod impartial;
mod negative;

pub use impartial::Impartial;
pub use negative::Negative;

use crate::{GameVisitor, Rules, Variant};

/// Visits the game or the variant of it that was asked for.
pub fn visit<R: Rules, V: GameVisitor>(variant: Variant, rules: R, visitor: V) -> V::Out {
    match variant {
        Variant::Plain => visitor.visit(rules),
        Variant::Impartial => visitor.visit(Impartial(rules)),
        Variant::Negative => visitor.visit(Negative(rules)),
    }
}
