//! Pictures of thermographs. As the field draws them: temperature upwards, larger values to the left.

mod svg;
#[cfg(test)]
mod tests;
mod text;

pub use svg::{svg, svg_of};
pub use text::{text, text_of};

use gb_value::{Corner, Dyadic, Thermograph, Wall};

/// A place where a wall begins or turns, and its slope above it: how much its value grows with the temperature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Where it is.
    pub corner: Corner,
    /// The slope above.
    pub slope: Dyadic,
}

/// A thermograph as it is drawn. Those of games come from [`Thermograph`]; others, such as those of kos, may have other slopes,
/// and numbers that are drawn nearly where they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// Left's wall and Right's, from below upwards.
    pub walls: [Vec<Turn>; 2],
    /// The foot of the mast.
    pub foot: Corner,
    /// The mean, as it is written.
    pub mean: String,
    /// The temperature, as it is written.
    pub temperature: String,
}

impl From<&Thermograph> for Drawing {
    fn from(graph: &Thermograph) -> Drawing {
        let turns = |wall: &Wall| {
            let corners = wall.corners();
            let slope = |index: usize| match corners.get(index + 1) {
                Some(next) => Dyadic::integer(match next.value.cmp(&corners[index].value) {
                    std::cmp::Ordering::Less => -1,
                    std::cmp::Ordering::Equal => 0,
                    std::cmp::Ordering::Greater => 1,
                }),
                None => Dyadic::ZERO,
            };
            corners
                .iter()
                .enumerate()
                .map(|(i, corner)| Turn { corner: corner.clone(), slope: slope(i) })
                .collect()
        };
        Drawing {
            walls: [turns(&graph.left_wall()), turns(&graph.right_wall())],
            foot: Corner { value: graph.mean().clone(), temperature: graph.temperature() },
            mean: graph.mean().to_string(),
            temperature: graph.temperature().to_string(),
        }
    }
}

impl Drawing {
    /// Where a wall is at a temperature; below its beginning, where it begins.
    fn at(wall: &[Turn], t: &Dyadic) -> Dyadic {
        let Some(first) = wall.first() else { return Dyadic::ZERO };
        match wall.iter().rfind(|turn| turn.corner.temperature <= *t) {
            Some(Turn { corner, slope }) => &corner.value + &(slope * &(t - &corner.temperature)),
            None => first.corner.value.clone(),
        }
    }
}

/// The part of the plane worth showing.
struct Window {
    /// The greatest and the least value, `lo < hi`.
    hi: Dyadic,
    lo: Dyadic,
    /// Above the top of all masts' feet.
    top: Dyadic,
}

impl Window {
    fn around<'a>(graphs: impl Iterator<Item = &'a Drawing> + Clone) -> Window {
        let values = graphs.clone().flat_map(|graph| {
            let turns = graph.walls.iter().flatten().map(|turn| turn.corner.value.clone());
            turns.chain([graph.foot.value.clone()])
        });
        let hi = values.clone().max().unwrap_or(Dyadic::ZERO);
        let lo = values.min().unwrap_or(Dyadic::ZERO);
        let (hi, lo) = if hi == lo { (hi + Dyadic::ONE, lo - Dyadic::ONE) } else { (hi, lo) };
        // A quarter more, but no less than a half, shows that the mast goes on.
        let hottest = graphs
            .map(|graph| graph.foot.temperature.clone())
            .max()
            .unwrap_or(Dyadic::ZERO)
            .max(Dyadic::ZERO);
        let headroom = (&hottest + Dyadic::ONE).half().half().max(Dyadic::new(1, 1));
        Window { hi, lo, top: hottest + headroom }
    }
}
