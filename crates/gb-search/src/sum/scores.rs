//! Sums of games that end in a score: what they end with, and what each move is worth.

use crate::Scores;
use gb_board::sort_by;
use gb_value::{Dyadic, Halt, Kernel, Player, Value};

use crate::sum::analysis::{SumMove, rests};
use crate::sum::component::Component;

/// What best play leads to after a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub at: SumMove,
    /// The score in the end.
    pub score: Dyadic,
    /// How much worse that is, for the player who moves, than the best move.
    pub loses: Dyadic,
}

/// What a sum ends with, and by which moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SumScores {
    /// With best play.
    pub scores: Scores,
    /// The moves of Left and of Right, the best first.
    pub moves: [Vec<ScoredMove>; 2],
}

impl SumScores {
    /// Scores and moves as they were found.
    pub(crate) fn new(scores: Scores, moves: [Vec<(SumMove, Dyadic)>; 2]) -> SumScores {
        let [left, right] = moves;
        let moves = [(Player::Left, left), (Player::Right, right)].map(|(who, moves)| {
            let gain = |score: &Dyadic| if who == Player::Left { score.clone() } else { -score.clone() };
            let best = moves.iter().map(|(_, score)| gain(score)).max();
            let mut scored: Vec<ScoredMove> = moves
                .into_iter()
                .map(|(at, score)| {
                    let loses = best.as_ref().map_or(Dyadic::ZERO, |best| best - &gain(&score));
                    ScoredMove { at, score, loses }
                })
                .collect();
            sort_by(&mut scored, |a, b| a.loses.cmp(&b.loses));
            scored
        });
        SumScores { scores, moves }
    }

    /// The score of components whose values are known: the stops of their sum.
    pub(crate) fn of_components(kernel: &Kernel<'_>, components: &[Component]) -> Result<SumScores, Halt> {
        let rests = rests(kernel, components)?;
        let total = match (components.first(), rests.first()) {
            (Some(first), Some(&rest)) => kernel.add(first.value, rest)?,
            _ => Value::ZERO,
        };
        let stop = |value: Value, first: Player| kernel.stop(value, first)?.ok_or(Halt::Loopy);
        let scores =
            Scores { left_first: stop(total, Player::Left), right_first: stop(total, Player::Right) };
        let mut moves = [vec![], vec![]];
        for player in Player::BOTH {
            for (component, &rest) in rests.iter().enumerate() {
                for (index, mv) in components[component].moves_of(player).iter().enumerate() {
                    let leaves = kernel.add(rest, mv.to)?;
                    let score = stop(leaves, player.opponent())?;
                    moves[player as usize].push((SumMove { component, index }, score));
                }
            }
        }
        Ok(SumScores::new(scores, moves))
    }

    /// The moves of a player after which the player has more points in the end.
    pub fn winning(&self, player: Player) -> impl Iterator<Item = &ScoredMove> {
        let wanted = if player == Player::Left { 1 } else { -1 };
        self.moves[player as usize].iter().filter(move |mv| mv.score.signum() == wanted)
    }
}
