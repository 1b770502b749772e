//! A sum whose components have known values: what it is worth, who wins, and by which moves.

use gb_value::{Halt, Kernel, Outcome, Player, Value};

use crate::sum::component::Component;

/// A move in a sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SumMove {
    /// In which component.
    pub component: usize,
    /// Which of the player's moves there.
    pub index: usize,
}

/// A move after which its player wins, moving second from then on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinningMove {
    /// The move.
    pub at: SumMove,
    /// What it leaves of the whole sum.
    pub leaves: Value,
}

/// What is known about a sum.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The value of the sum.
    pub total: Value,
    /// Who wins.
    pub outcome: Outcome,
    /// All winning first moves of Left and of Right.
    pub winning: [Vec<WinningMove>; 2],
}

/// Adds the components up and finds all winning first moves.
pub fn analyse(kernel: &Kernel<'_>, components: &[Component]) -> Result<Analysis, Halt> {
    let rests = rests(kernel, components)?;
    let total = match (components.first(), rests.first()) {
        (Some(first), Some(&rest)) => kernel.add(first.value, rest)?,
        _ => Value::ZERO,
    };
    let mut winning = [vec![], vec![]];
    for player in Player::BOTH {
        for (component, &rest) in rests.iter().enumerate() {
            for (index, mv) in components[component].moves_of(player).iter().enumerate() {
                kernel.work(1)?;
                if wins_second(kernel, mv.to, rest, player)? {
                    let leaves = kernel.add(rest, mv.to)?;
                    winning[player as usize].push(WinningMove { at: SumMove { component, index }, leaves });
                }
            }
        }
    }
    Ok(Analysis { total, outcome: kernel.outcome(total)?, winning })
}

/// For each component the sum of all others.
pub(crate) fn rests(kernel: &Kernel<'_>, components: &[Component]) -> Result<Vec<Value>, Halt> {
    let n = components.len();
    let mut after = vec![Value::ZERO; n + 1];
    for i in (0..n).rev() {
        after[i] = kernel.add(after[i + 1], components[i].value)?;
    }
    let mut before = Value::ZERO;
    let mut rests = Vec::with_capacity(n);
    for (i, component) in components.iter().enumerate() {
        rests.push(kernel.add(before, after[i + 1])?);
        before = kernel.add(before, component.value)?;
    }
    Ok(rests)
}

/// Whether `player` wins `a + b` when the opponent moves first. The sum is not formed.
fn wins_second(kernel: &Kernel<'_>, a: Value, b: Value, player: Player) -> Result<bool, Halt> {
    let minus_a = kernel.neg(a)?;
    match player {
        Player::Left => kernel.le(minus_a, b),
        Player::Right => kernel.le(b, minus_a),
    }
}
