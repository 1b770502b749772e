//! Optimal play: dominated incentives are put aside, and only if several are left the sums are compared (seed of the
//! method: M. Mueller, Decomposition search, IJCAI 1999, section 3.5; F. Maeser, thesis 2001, section 2.3.3).

use std::cmp::Ordering;

use gb_value::{Halt, Kernel, Player, Value};

use crate::sum::analysis::{SumMove, rests};
use crate::sum::component::Component;

/// The move to make, and how it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub at: SumMove,
    /// How many moves had incentives that no other dominates.
    pub candidates: usize,
    /// What the move leaves, where the sums had to be compared.
    pub leaves: Option<Value>,
}

/// A best move for `player`: one that wins if any does; among those, and if none does, one that ends in the best stop.
/// `None` if there is no move at all.
pub fn best_move(
    kernel: &Kernel<'_>,
    components: &[Component],
    player: Player,
) -> Result<Option<Choice>, Halt> {
    let candidates = undominated(kernel, components, player)?;
    if let [(at, _)] = candidates.as_slice() {
        return Ok(Some(Choice { at: *at, candidates: 1, leaves: None }));
    }
    let rests = rests(kernel, components)?;
    let mut best: Option<(SumMove, Value)> = None;
    for &(at, _) in &candidates {
        let to = components[at.component].moves_of(player)[at.index].to;
        let leaves = kernel.add(rests[at.component], to)?;
        let better = match best {
            None => true,
            Some((_, champion)) => is_better(kernel, leaves, champion, player)?,
        };
        if better {
            best = Some((at, leaves));
        }
    }
    Ok(best.map(|(at, leaves)| Choice { at, candidates: candidates.len(), leaves: Some(leaves) }))
}

/// The moves whose incentives (what the mover gains) are not dominated, one of each incentive.
fn undominated(
    kernel: &Kernel<'_>,
    components: &[Component],
    player: Player,
) -> Result<Vec<(SumMove, Value)>, Halt> {
    let mut kept: Vec<(SumMove, Value)> = vec![];
    for (component, game) in components.iter().enumerate() {
        for (index, mv) in game.moves_of(player).iter().enumerate() {
            let incentive = match player {
                Player::Left => kernel.sub(mv.to, game.value)?,
                Player::Right => kernel.sub(game.value, mv.to)?,
            };
            let mut dominated = false;
            let mut i = 0;
            while i < kept.len() && !dominated {
                match kernel.compare(incentive, kept[i].1)? {
                    Some(Ordering::Less | Ordering::Equal) => dominated = true,
                    Some(Ordering::Greater) => {
                        kept.swap_remove(i);
                    }
                    None => i += 1,
                }
            }
            if !dominated {
                kept.push((SumMove { component, index }, incentive));
            }
        }
    }
    Ok(kept)
}

/// Whether `player`, who has just moved, would rather leave `a` than `b`: winning counts first, then the stop reached when
/// the opponent goes on.
fn is_better(kernel: &Kernel<'_>, a: Value, b: Value, player: Player) -> Result<bool, Halt> {
    let wins = |v| match player {
        Player::Left => kernel.le(Value::ZERO, v),
        Player::Right => kernel.le(v, Value::ZERO),
    };
    match (wins(a)?, wins(b)?) {
        (true, false) => return Ok(true),
        (false, true) => return Ok(false),
        _ => {}
    }
    let (x, y) = (kernel.play_stop(a, player.opponent())?, kernel.play_stop(b, player.opponent())?);
    Ok(match player {
        Player::Left => x > y,
        Player::Right => x < y,
    })
}
