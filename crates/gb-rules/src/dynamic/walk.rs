//! Random games.

use gb_board::Random;
use gb_value::Player;

use super::defaults::WithDefaults;
use crate::Rules;

/// A game that is played on at random: where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Left's points less Right's.
    pub points: i64,
    /// Who moves next.
    pub who: Player,
    /// How many moves were made.
    pub moves: u32,
}

/// How long a random game goes on.
pub struct WalkLimits<'a> {
    /// So many moves at least, and
    pub most: u32,
    /// as long as there are more moves than this to choose from,
    pub few: u32,
    /// but never longer than this: then it is drawn.
    pub longest: u32,
    /// Asked where there are many moves to choose from: whether time is up.
    pub is_late: &'a mut dyn FnMut(u32) -> bool,
}

/// From so many moves on a single step may take longer than there is time.
const MANY_CHOICES: u32 = 1_000;

/// Random moves on one board: see [`DynGame::random_walk`].
pub(super) fn random_walk<R: Rules>(
    rules: &R,
    board: &mut R::Board,
    walk: &mut Walk,
    random: &mut Random,
    limits: &mut WalkLimits<'_>,
) -> Option<i8> {
    let won_by = |winner: Player| if winner == Player::Left { 1 } else { -1 };
    let (scores, global_wins) = (rules.ends_in_score(), rules.has_global_wins());
    let mut passed = false;
    let mut choices = u32::MAX;
    while walk.moves < limits.most || choices > limits.few {
        if walk.moves > limits.longest
            || (MANY_CHOICES..u32::MAX).contains(&choices) && (limits.is_late)(choices)
        {
            return Some(0);
        }
        let who = walk.who;
        let mv = rules.random_move(board, who, &mut |bound| {
            choices = bound;
            random.index(bound)
        });
        match mv {
            Some(mv) => {
                walk.points += rules.points(board, who, &mv);
                rules.play(board, who, &mv);
                passed = false;
                if global_wins && let Some(winner) = rules.global_win(board) {
                    return Some(won_by(winner));
                }
            }
            None if scores => {
                if passed {
                    return Some(walk.points.signum() as i8);
                }
                passed = true;
            }
            None => {
                // A player without a move uses up a point.
                let step = i64::from(won_by(who));
                if walk.points * step <= 0 {
                    return Some(won_by(who.opponent()));
                }
                walk.points -= step;
            }
        }
        walk.who = who.opponent();
        walk.moves += 1;
    }
    None
}
