//! The two sides of a game that need not be a stopper, by sidling.
//!
//! The onside of G is the stopper that G equals when infinite play counts as a win for Left. Sidling
//! (Winning Ways, chapter 11) comes down on it from above: cut every alternating loop at one move, let the cut
//! moves lead to a guess, at first `on`, and take the value of the position they led to as the next guess.
//! All guesses are at least the onside (by induction: larger options make a larger game). A guess S that
//! repeats is the onside: playing G - S, Left mirrors every move and so survives; the play cannot go on for
//! ever in S alone, S being a stopper, and where it goes on for ever in G Left wins. Cutting moves and not
//! positions leaves loops such as that of over = {0|over} whole, on which guessing would never end. Where guesses
//! still come down for ever (0, -1, -2, ... towards off), bypassing Right's reversible moves first closes such loops.

use super::biased::bypass_right;
use super::graph::{LoopyGame, Node, id, negated, reachable, stops};
use super::simplify::{Stopper, fuse, reduce};
use super::{LoopyError, Work};
use crate::Player;
use std::cmp::Ordering;

/// Rounds of sidling before giving up; games that converge mostly do so within a few, so few are tried at first.
const ROUNDS: usize = 24;
const FIRST_ROUNDS: usize = 6;

/// The value of a game as `onside & offside`, with onside >= offside. Equal values are equal data; for a
/// stopper the two sides are the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sides {
    onside: Stopper,
    offside: Stopper,
}

impl From<Stopper> for Sides {
    fn from(stopper: Stopper) -> Self {
        Sides { onside: stopper.clone(), offside: stopper }
    }
}

impl Sides {
    /// The value with these sides; `None` unless `onside >= offside`.
    pub fn new(onside: Stopper, offside: Stopper, work: &mut Work) -> Result<Option<Sides>, LoopyError> {
        let ordered = onside.game().ge(&offside.game(), work)?;
        Ok(ordered.then_some(Sides { onside, offside }))
    }

    /// What the game equals if infinite play is a win for Left.
    pub fn onside(&self) -> &Stopper {
        &self.onside
    }

    /// What the game equals if infinite play is a win for Right.
    pub fn offside(&self) -> &Stopper {
        &self.offside
    }

    /// The single stopper this value is, if its sides agree.
    pub fn as_stopper(&self) -> Option<&Stopper> {
        (self.onside == self.offside).then_some(&self.onside)
    }

    /// The negative.
    pub fn negate(&self, work: &mut Work) -> Result<Sides, LoopyError> {
        Ok(Sides { onside: self.offside.negate(work)?, offside: self.onside.negate(work)? })
    }

    /// The sum: each side of a sum is that side of the sum of those sides.
    pub fn plus(&self, other: &Sides, work: &mut Work) -> Result<Sides, LoopyError> {
        let onside = self.onside.upsum(&other.onside, work)?;
        let stoppers = self.as_stopper().is_some() && other.as_stopper().is_some();
        let offside = if stoppers && onside.1 {
            onside.0.clone()
        } else {
            let (g, h) = (self.offside.negate(work)?, other.offside.negate(work)?);
            g.upsum(&h, work)?.0.negate(work)?
        };
        Ok(Sides { onside: onside.0, offside })
    }

    /// How two values compare: one is at least the other if both of its sides are.
    pub fn compare(&self, other: &Sides, work: &mut Work) -> Result<Option<Ordering>, LoopyError> {
        let on = self.onside.game().compare(&other.onside.game(), work)?;
        let off = self.offside.game().compare(&other.offside.game(), work)?;
        Ok(match (on, off) {
            (a, b) if a == b => a,
            (Some(Ordering::Equal), b) => b,
            (a, Some(Ordering::Equal)) => a,
            _ => None,
        })
    }
}

impl Stopper {
    /// The onside of the sum, and whether the sum as built was a stopper.
    fn upsum(&self, other: &Stopper, work: &mut Work) -> Result<(Stopper, bool), LoopyError> {
        let sum = self.game().plus(&other.game(), work)?;
        let stops = sum.is_stopper();
        Ok((if stops { sum.canonical(work)? } else { onside(&sum.nodes, sum.root, work)? }, stops))
    }

    /// The degree of loopiness, the onside of `self - self` (Winning Ways, chapter 11): 0 for short games,
    /// `on` for on.
    pub fn degree(&self, work: &mut Work) -> Result<Stopper, LoopyError> {
        let negative = self.negate(work)?;
        Ok(self.upsum(&negative, work)?.0)
    }
}

impl LoopyGame {
    /// The sides of any game, or [`LoopyError::NoSides`] when sidling does not converge.
    pub fn sides(&self, work: &mut Work) -> Result<Sides, LoopyError> {
        if self.is_stopper() {
            return Ok(self.canonical(work)?.into());
        }
        let upper = onside(&self.nodes, self.root, work)?;
        let lower = onside(&negated(&self.nodes), self.root, work)?.negate(work)?;
        Ok(Sides { onside: upper, offside: lower })
    }
}

/// A move of `who` from one node to another.
pub(crate) type Move = (u32, Player, u32);

pub(crate) fn onside(nodes: &[Node], root: u32, work: &mut Work) -> Result<Stopper, LoopyError> {
    let (nodes, roots) = reachable(nodes, &[root]);
    let (mut nodes, roots) = fuse(&nodes, &roots, work)?;
    // Mostly plain sidling is all it takes. Where it comes down towards its goal without reaching it the
    // guesses may grow, so it gets only a part of the allowance.
    let cut = loop_closing_moves(&nodes, Player::Right, || work.spend(1))?;
    if let Some(found) = work.part(4, |work| sidle(&nodes, roots[0], &cut, FIRST_ROUNDS, work))?.flatten() {
        return Ok(found);
    }
    bypass_right(&mut nodes, ROUNDS, work)?;
    let (nodes, roots) = reachable(&nodes, &roots);
    let (nodes, roots) = fuse(&nodes, &roots, work)?;
    // Every alternating loop has moves of both players. Right should shun infinite play, so moves of his are
    // the natural ones to cut, but now and then only cutting Left's comes to rest.
    for cutting in [Player::Right, Player::Left] {
        let cut = loop_closing_moves(&nodes, cutting, || work.spend(1))?;
        if let Some(found) = sidle(&nodes, roots[0], &cut, ROUNDS, work)? {
            return Ok(found);
        }
    }
    Err(LoopyError::NoSides { rounds: ROUNDS })
}

/// Sidles until the guesses repeat; none if they do not within `rounds`.
fn sidle(
    nodes: &[Node],
    root: u32,
    cut: &[Move],
    rounds: usize,
    work: &mut Work,
) -> Result<Option<Stopper>, LoopyError> {
    let mut targets: Vec<u32> = cut.iter().map(|&(_, _, to)| to).collect();
    targets.sort_unstable();
    targets.dedup();
    let on = LoopyGame::on().canonical(work)?;
    let mut guesses = vec![on; targets.len()];
    for _ in 0..rounds {
        let (mut graph, mut roots) = with_guesses(nodes, cut, &targets, &guesses, work)?;
        roots.push(root);
        (graph, roots) = fuse(&graph, &roots, work)?;
        debug_assert!(stops(&graph), "cutting leaves a loop");
        reduce(&mut graph, work)?;
        let mut values =
            roots.iter().map(|&r| Stopper::extract(&graph, r, work)).collect::<Result<Vec<_>, _>>()?;
        let value = values.pop();
        if values == guesses {
            return Ok(value);
        }
        guesses = values;
    }
    Ok(None)
}

/// Moves of one player without which no alternating run is infinite. A depth-first search in steps of two moves,
/// the second by that player, finds them: they are the second moves that lead back to a node still open.
pub(crate) fn loop_closing_moves(
    nodes: &[Node],
    who: Player,
    mut step: impl FnMut() -> Result<(), LoopyError>,
) -> Result<Vec<Move>, LoopyError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; nodes.len()];
    let mut closing = Vec::new();
    for start in 0..id(nodes.len())? {
        if marks[start as usize] != Mark::New {
            continue;
        }
        marks[start as usize] = Mark::Open;
        // A node, and which first and second move to try next.
        let mut path = vec![(start, 0, 0)];
        while let Some((v, first, second)) = path.last_mut() {
            step()?;
            let Some(&between) = nodes[*v as usize].of(who.opponent()).get(*first) else {
                marks[*v as usize] = Mark::Done;
                path.pop();
                continue;
            };
            let Some(&to) = nodes[between as usize].of(who).get(*second) else {
                *first += 1;
                *second = 0;
                continue;
            };
            *second += 1;
            match marks[to as usize] {
                Mark::New => {
                    marks[to as usize] = Mark::Open;
                    path.push((to, 0, 0));
                }
                Mark::Open => closing.push((between, who, to)),
                Mark::Done => {}
            }
        }
    }
    closing.sort_unstable();
    closing.dedup();
    Ok(closing)
}

/// The graph with every cut move leading to the guess for its target, and the targets as roots.
fn with_guesses(
    nodes: &[Node],
    cut: &[Move],
    targets: &[u32],
    guesses: &[Stopper],
    work: &mut Work,
) -> Result<(Vec<Node>, Vec<u32>), LoopyError> {
    let mut graph = nodes.to_vec();
    let mut guess_root = Vec::with_capacity(targets.len());
    for guess in guesses {
        work.spend(guess.node_count())?;
        let base = id(graph.len())?;
        id(graph.len() + guess.node_count())?;
        let guess = guess.game();
        graph.extend(guess.nodes.iter().map(|n| n.map(|v| v + base)));
        guess_root.push(base + guess.root);
    }
    for &(from, who, to) in cut {
        let options = graph[from as usize].of_mut(who);
        if let (Some(option), Ok(target)) =
            (options.iter_mut().find(|o| **o == to), targets.binary_search(&to))
        {
            *option = guess_root[target];
        }
    }
    Ok((graph.iter().map(|n| n.map(|v| v)).collect(), targets.to_vec()))
}
