//! Incentives: how much a player gains by a move.

use smallvec::SmallVec;

use crate::budget::Halt;
use crate::kernel::Kernel;
use crate::player::Player::{self, Left, Right};
use crate::value::Value;

impl Kernel<'_> {
    /// The undominated incentives of one player: `G^L - G` for Left, `G - G^R` for Right, the greatest ones.
    ///
    /// Fails with [`Halt::Loopy`] if `on` or `off` in a game meets itself in a difference.
    pub fn incentives(&self, value: Value, player: Player) -> Result<Vec<Value>, Halt> {
        let all = self.all_incentives_of(value, player)?;
        Ok(self.undominated(&all, Left)?.to_vec())
    }

    /// The undominated incentives of both players together.
    pub fn all_incentives(&self, value: Value) -> Result<Vec<Value>, Halt> {
        let mut all = self.all_incentives_of(value, Left)?;
        all.extend(self.all_incentives_of(value, Right)?);
        Ok(self.undominated(&all, Left)?.to_vec())
    }

    fn all_incentives_of(&self, value: Value, player: Player) -> Result<SmallVec<[Value; 16]>, Halt> {
        self.options(value, player)
            .map(|option| {
                self.step()?;
                if player == Left { self.sub(option, value) } else { self.sub(value, option) }
            })
            .collect()
    }
}
