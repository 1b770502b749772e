//! Pictures of thermographs. As the field draws them: temperature upwards, larger values to the left.

mod svg;
#[cfg(test)]
mod tests;
mod text;

pub use svg::svg;
pub use text::text;

use gb_value::{Corner, Dyadic, Thermograph};

/// The part of the plane worth showing.
struct Window {
    /// The greatest and the least value, `lo < hi`.
    hi: Dyadic,
    lo: Dyadic,
    /// Above the top of all masts' feet.
    top: Dyadic,
}

impl Window {
    fn around<'a>(graphs: impl Iterator<Item = &'a Thermograph> + Clone) -> Window {
        let values = graphs.clone().flat_map(|g| {
            // Walls are monotone, so their ends are the extremes.
            let lowest = |corners: &[Corner]| corners[0].value.clone();
            [lowest(g.left_wall().corners()), lowest(g.right_wall().corners()), g.mean().clone()]
        });
        let hi = values.clone().max().unwrap_or(Dyadic::ZERO);
        let lo = values.min().unwrap_or(Dyadic::ZERO);
        let (hi, lo) = if hi == lo { (hi + Dyadic::ONE, lo - Dyadic::ONE) } else { (hi, lo) };
        // A quarter more, but no less than a half, shows that the mast goes on.
        let hottest = graphs.map(Thermograph::temperature).max().unwrap_or(Dyadic::ZERO).max(Dyadic::ZERO);
        let headroom = (&hottest + Dyadic::ONE).half().half().max(Dyadic::new(1, 1));
        Window { hi, lo, top: hottest + headroom }
    }
}
