//! Dominated and reversible options of the positions of a component.
//!
//! Why each step is sound is said in [`crate::loopy`]: values of positions never change, so what was found about their order
//! stays true, and bypassing shortens alternating runs, so that it comes to an end.

use super::{Id, Stoppers};
use crate::loopy::LoopyError;
use crate::player::Player;

impl Stoppers<'_, '_> {
    /// Removes all dominated and bypasses all reversible options of the component at hand.
    pub(super) fn reduce(&mut self) -> Result<(), LoopyError> {
        loop {
            let mut changed = false;
            for x in 0..self.temps.len() as u32 {
                for who in Player::BOTH {
                    let options = self.best_options(Id::Temp(x), who)?;
                    let now = &mut self.temps[x as usize].sides[who as usize];
                    if *now != options {
                        *now = options;
                        changed = true;
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Whether `a` is at least as good as `b` for a player.
    fn is_as_good(&mut self, a: Id, b: Id, who: Player) -> Result<bool, LoopyError> {
        match who {
            Player::Left => self.greater_or_equal(a, b),
            Player::Right => self.greater_or_equal(b, a),
        }
    }

    /// The options of `who` at `x` after bypassing what is reversible, then dropping what is dominated.
    fn best_options(&mut self, x: Id, who: Player) -> Result<Vec<Id>, LoopyError> {
        // What is dominated need not be looked at for reversal, which takes more comparisons.
        let options = self.listed(x, who)?;
        let mut seen = self.undominated(&options, who)?;
        let mut kept: Vec<Id> = vec![];
        let mut next = 0;
        'options: while let Some(&y) = seen.get(next) {
            next += 1;
            self.work(1)?;
            for k in self.listed(y, who.opponent())? {
                if self.is_as_good(x, k, who)? {
                    for z in self.listed(k, who)? {
                        if !seen.contains(&z) {
                            seen.push(z);
                        }
                    }
                    continue 'options;
                }
            }
            kept.push(y);
        }
        let mut best = self.undominated(&kept, who)?;
        best.sort_unstable();
        Ok(best)
    }

    fn undominated(&mut self, options: &[Id], who: Player) -> Result<Vec<Id>, LoopyError> {
        let mut best: Vec<Id> = vec![];
        'candidates: for &y in options {
            self.work(1)?;
            for &b in &best {
                if self.is_as_good(b, y, who)? {
                    continue 'candidates;
                }
            }
            let mut undominated = Vec::with_capacity(best.len() + 1);
            for b in best {
                if !self.is_as_good(y, b, who)? {
                    undominated.push(b);
                }
            }
            undominated.push(y);
            best = undominated;
        }
        Ok(best)
    }
}
