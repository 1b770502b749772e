//! Classes of positions that look alike, split until nobody tells two of a class apart.

/// Splits classes by what their members show (to those who know only the classes of the others), until that changes nothing.
///
/// Classes are numbered by the old class and then by what is shown, so that the numbers do not depend on the order of the positions. Returns
/// the class of each position, and what the members of each class show.
pub(crate) fn refine<S: Ord, E>(
    mut class: Vec<u32>,
    mut shown: impl FnMut(usize, &[u32]) -> Result<S, E>,
) -> Result<(Vec<u32>, Vec<S>), E> {
    let mut count = 0;
    loop {
        let mut seen = Vec::with_capacity(class.len());
        for at in 0..class.len() {
            seen.push((class[at], shown(at, &class)?, at));
        }
        seen.sort_unstable();
        let mut classes: Vec<(u32, S)> = vec![];
        for (old, shows, at) in seen {
            let same = classes.last().is_some_and(|(last, one)| (*last, one) == (old, &shows));
            if !same {
                classes.push((old, shows));
            }
            class[at] = classes.len() as u32 - 1;
        }
        if classes.len() == count {
            return Ok((class, classes.into_iter().map(|(_, shows)| shows).collect()));
        }
        count = classes.len();
    }
}
