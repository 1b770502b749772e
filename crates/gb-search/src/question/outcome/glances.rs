//! Whether it pays to look at all moves before one of them is searched: by what that has brought so far.

/// So many times all moves are looked at in the beginning, and then once in so many times, to see what it brings.
const FIRST: u32 = 64;
const ONCE_IN: u32 = 16;
/// A search that is saved is worth so many looks at moves. With 40 Toppling Dominoes, whose moves are few, becomes slower by half; with 100
/// Amazons, whose moves are many, gains nothing; Domineering is the same with both.
const WORTH: u64 = 80;
/// After so many times the older ones count half.
const MEMORY: u32 = 1024;

/// Where the order of moves is good, one of the first few decides, and a look at the others is wasted; where it is not, what is known to be
/// lost for the opponent stands anywhere among them. Where moves are few, a look at all of them costs little.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Glances {
    asked: u32,
    times: u32,
    /// Moves that would not have been looked at yet.
    looks: u64,
    /// Times when a win was found behind a move which would have been searched first.
    saved: u64,
}

impl Glances {
    /// Whether all moves are to be looked at before the first is searched.
    #[inline]
    pub(super) fn look_far(&mut self) -> bool {
        self.asked = self.asked.wrapping_add(1);
        self.times < FIRST || self.asked.is_multiple_of(ONCE_IN) || self.saved * WORTH > self.looks
    }

    /// So many moves were looked at early, and whether that has saved a search.
    #[inline]
    pub(super) fn note(&mut self, looks: usize, saved: bool) {
        self.times += 1;
        self.looks += looks as u64;
        self.saved += u64::from(saved);
        if self.times >= MEMORY {
            (self.times, self.looks, self.saved) = (self.times / 2, self.looks / 2, self.saved / 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_that_save_nothing_become_rare_and_come_back() {
        let mut glances = Glances::default();
        let far = |glances: &mut Glances, saved: bool| {
            (0..3200)
                .filter(|_| {
                    let far = glances.look_far();
                    if far {
                        glances.note(5, saved);
                    }
                    far
                })
                .count()
        };
        let first = far(&mut glances, false);
        assert!((200..=300).contains(&first), "{first}");
        assert!(far(&mut glances, true) > 2000);
        assert_eq!(far(&mut glances, true), 3200);
        let back = far(&mut glances, false) + far(&mut glances, false);
        assert!(back < 3200, "{back}");
    }
}
