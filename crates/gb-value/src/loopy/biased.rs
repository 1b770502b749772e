//! Games in which infinite play is a win for Left: their order, and reversible moves of Right in them.
//!
//! Write G+ for the game G with infinite play counted as a win for Left. In G+ - H+ infinite play in G is won by
//! Left, infinite play in H by Right, and in both it is a draw. So Left survives exactly if she is never stuck and
//! infinite play comes back to G again and again: a Büchi game on pairs of positions.
//!
//! A right option Y of X is reversible if some left option K of Y has K+ >= X+, and may then be replaced by the
//! right options of K (Siegel, "New results in loopy games"). Where this leads round in a circle the option is
//! simply lost: Left can go round for ever, and in G+ that is a win. Left, playing G - G' with G' the new
//! graph, or G' - G, keeps the first game at least the second: for every move of G that is missing in G' her old
//! strategy names one that is there, found after finitely many steps since that strategy never lets play go
//! on for ever in the second game alone. That last point is why dominated options must stay: Left might
//! exchange a move that ends play for one that is as good but goes on for ever.

use super::graph::{Node, id};
use super::{LoopyError, Work};
use crate::Player;

/// For all pairs of nodes whether x+ >= y+.
struct BiasedOrder {
    nodes: usize,
    /// By [`BiasedOrder::state`]: whether Left survives x+ - y+.
    survives: Vec<bool>,
}

impl BiasedOrder {
    fn state(nodes: usize, x: usize, y: usize, mover: Player) -> usize {
        2 * (x * nodes + y) + usize::from(mover == Player::Left)
    }

    fn ge(&self, x: u32, y: u32) -> bool {
        self.survives[Self::state(self.nodes, x as usize, y as usize, Player::Right)]
    }

    /// Greatest set from which Left can always force one more move in x, never being stuck.
    fn solve(nodes: &[Node], work: &mut Work) -> Result<BiasedOrder, LoopyError> {
        let n = nodes.len();
        let state = |x: usize, y: usize, mover| Self::state(n, x, y, mover);
        let mut before = [vec![Vec::new(); n], vec![Vec::new(); n]];
        for (v, node) in nodes.iter().enumerate() {
            for (who, before) in Player::BOTH.into_iter().zip(&mut before) {
                node.of(who).iter().for_each(|&w| before[w as usize].push(v));
            }
        }
        let [before_left, before_right] = before;
        work.spend(n.saturating_mul(n).saturating_mul(2))?;
        let mut survives = vec![true; 2 * n * n];
        loop {
            // States from which Left can force a move in x that stays within `survives`.
            let mut forces = vec![false; 2 * n * n];
            let mut right_moves_left = vec![0; n * n];
            let mut found = Vec::new();
            for x in 0..n {
                for y in 0..n {
                    for mover in Player::BOTH {
                        let in_x = nodes[x].of(mover);
                        work.spend(1 + in_x.len())?;
                        if !survives[state(x, y, mover)] {
                            continue;
                        }
                        let mut stay = in_x.iter().map(|&z| survives[state(z as usize, y, mover.opponent())]);
                        let forced = match mover {
                            Player::Left => stay.any(|s| s),
                            Player::Right => {
                                let in_y = nodes[y].left.len();
                                // One more than there are: never used up, as Right can leave the set.
                                right_moves_left[x * n + y] = in_y + usize::from(!stay.all(|s| s));
                                right_moves_left[x * n + y] == 0
                            }
                        };
                        if forced {
                            forces[state(x, y, mover)] = true;
                            found.push((x, y, mover));
                        }
                    }
                }
            }
            while let Some((x, y, mover)) = found.pop() {
                // Moves in y that lead here: Left's from -y to -y^R, Right's from -y to -y^L.
                let (earlier, by) = match mover {
                    Player::Right => (&before_right[y], Player::Left),
                    Player::Left => (&before_left[y], Player::Right),
                };
                work.spend(1 + earlier.len())?;
                for &y in earlier {
                    let s = state(x, y, by);
                    if !survives[s] || forces[s] {
                        continue;
                    }
                    if by == Player::Right {
                        right_moves_left[x * n + y] -= 1;
                        if right_moves_left[x * n + y] > 0 {
                            continue;
                        }
                    }
                    forces[s] = true;
                    found.push((x, y, by));
                }
            }
            if forces == survives {
                return Ok(BiasedOrder { nodes: n, survives });
            }
            survives = forces;
        }
    }
}

/// Bypasses Right's reversible moves, infinite play being a win for Left. No node changes its value in that
/// sense. At most `rounds` passes are made over the graph.
pub(super) fn bypass_right(nodes: &mut [Node], rounds: usize, work: &mut Work) -> Result<(), LoopyError> {
    let order = BiasedOrder::solve(nodes, work)?;
    for _ in 0..rounds {
        let mut changed = false;
        for at in 0..id(nodes.len())? {
            let x = at as usize;
            let mut seen = nodes[x].right.clone();
            let mut kept = Vec::new();
            let mut next = 0;
            while let Some(&y) = seen.get(next) {
                next += 1;
                let left = &nodes[y as usize].left;
                work.spend(1 + left.len())?;
                match left.iter().find(|&&k| order.ge(k, at)) {
                    None => kept.push(y),
                    Some(&k) => {
                        for &z in &nodes[k as usize].right {
                            if !seen.contains(&z) {
                                seen.push(z);
                            }
                        }
                    }
                }
            }
            kept.sort_unstable();
            if kept != nodes[x].right {
                nodes[x].right = kept;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    Ok(())
}
