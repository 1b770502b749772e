//! Player wins, with draws: retrograde analysis.

use super::LoopyGame;
use super::graph::Node;
use crate::Player;

/// How perfect play ends, seen by Left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// Right makes the last move.
    Loss,
    /// Neither player can force the other to run out of moves.
    Draw,
    /// Left makes the last move.
    Win,
}

impl Ending {
    /// The end that this player wins.
    pub fn won_by(player: Player) -> Ending {
        if player == Player::Left { Ending::Win } else { Ending::Loss }
    }

    /// Who wins; nobody if it is a draw.
    pub fn winner(self) -> Option<Player> {
        match self {
            Ending::Loss => Some(Player::Right),
            Ending::Draw => None,
            Ending::Win => Some(Player::Left),
        }
    }

    /// The end seen by Right.
    #[must_use]
    pub fn turned(self) -> Ending {
        match self {
            Ending::Loss => Ending::Win,
            Ending::Draw => Ending::Draw,
            Ending::Win => Ending::Loss,
        }
    }
}

impl std::fmt::Display for Ending {
    /// The name of the winner, or `Draw`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.winner() {
            Some(player) => player.fmt(f),
            None => f.write_str("Draw"),
        }
    }
}

/// How perfect play ends, seen by Left, for either player starting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The end when Left moves first.
    pub left_starts: Ending,
    /// The end when Right moves first.
    pub right_starts: Ending,
}

impl Outcome {
    /// The name of the class.
    pub fn class(&self) -> crate::OutcomeClass {
        crate::OutcomeClass::of(self.left_starts, self.right_starts)
    }
}

impl LoopyGame {
    /// The outcome of this game played alone. Takes time and memory linear in the graph.
    pub fn outcome(&self) -> Outcome {
        let wins = solve(&self.nodes);
        let of_mover = |who: Player| wins[state(self.root, who)];
        Outcome {
            left_starts: match of_mover(Player::Left) {
                Some(true) => Ending::Win,
                Some(false) => Ending::Loss,
                None => Ending::Draw,
            },
            right_starts: match of_mover(Player::Right) {
                Some(true) => Ending::Loss,
                Some(false) => Ending::Win,
                None => Ending::Draw,
            },
        }
    }
}

fn state(v: u32, mover: Player) -> usize {
    2 * v as usize + usize::from(mover == Player::Right)
}

/// For each (node, mover): whether the mover wins; none for a draw. Works back from the positions without
/// moves; what is never reached that way is drawn.
fn solve(nodes: &[Node]) -> Vec<Option<bool>> {
    let mut parents = vec![Vec::new(); 2 * nodes.len()];
    let mut untried = vec![0usize; 2 * nodes.len()];
    let mut wins = vec![None; 2 * nodes.len()];
    let mut decided = Vec::new();
    for (v, node) in (0u32..).zip(nodes) {
        for mover in Player::BOTH {
            let here = state(v, mover);
            untried[here] = node.of(mover).len();
            if untried[here] == 0 {
                wins[here] = Some(false);
                decided.push(here);
            }
            for &w in node.of(mover) {
                parents[state(w, mover.opponent())].push(here);
            }
        }
    }
    while let Some(here) = decided.pop() {
        let opponent_wins = wins[here] == Some(true);
        for &above in &parents[here] {
            if wins[above].is_some() {
                continue;
            }
            untried[above] -= 1;
            if !opponent_wins {
                wins[above] = Some(true);
            } else if untried[above] == 0 {
                wins[above] = Some(false);
            } else {
                continue;
            }
            decided.push(above);
        }
    }
    wins
}
