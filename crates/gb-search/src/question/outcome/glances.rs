//! Whether it pays to look at all moves before one of them is searched: by what that has brought so far.

/// So many times all moves are looked at in the beginning, and then once in so many times, to see what it brings.
const FIRST: u32 = 64;
const ONCE_IN: u32 = 16;
/// It pays if one look in so many saves a search.
const ENOUGH: u32 = 12;
/// After so many looks the older ones count half.
const MEMORY: u32 = 1024;

/// Where the order of moves is good, one of the first few decides, and a look at the others is wasted; where it is not, what is known to be
/// lost for the opponent stands anywhere among them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Glances {
    asked: u32,
    looks: u32,
    /// Looks that found a win behind a move which would have been searched first.
    saved: u32,
}

impl Glances {
    /// Whether all moves are to be looked at before the first is searched.
    #[inline]
    pub(super) fn look_far(&mut self) -> bool {
        self.asked = self.asked.wrapping_add(1);
        self.looks < FIRST || self.asked.is_multiple_of(ONCE_IN) || self.saved * ENOUGH > self.looks
    }

    /// Whether a look at all moves has saved a search.
    #[inline]
    pub(super) fn note(&mut self, saved: bool) {
        self.looks += 1;
        self.saved += u32::from(saved);
        if self.looks >= MEMORY {
            (self.looks, self.saved) = (self.looks / 2, self.saved / 2);
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
                        glances.note(saved);
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
