//! Games that end in a score: their values, and the positions that have none.

use std::cell::RefCell;

use gb_rules::{DynGame, Key, Player};
use gb_value::loopy::Ending;
use gb_value::{Dyadic, Halt, Kernel, OutcomeClass, Value, deeper};
use rustc_hash::FxHashMap;

use crate::question::reduced::best_scores;
use crate::question::{Flaw, Reduced};
use crate::search::{SearchContext, TableFor, boards_after, search};

/// Why a game that ends in a score was not given a value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScoreError {
    /// The search was stopped.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// A position in which moving first is worse than moving second for both players.
    #[error(
        "mutual zugzwang in `{position}`: Left moving first ends with {left}, Right moving first with {right}, so both \
         would rather not move, and no combinatorial game has these scores"
    )]
    Zugzwang {
        /// The position.
        position: String,
        /// The score if Left moves first.
        left: Dyadic,
        /// The score if Right moves first.
        right: Dyadic,
    },
    /// A position in which only one player can move.
    #[error("in `{position}` only {who} can move: expected a game that goes on until nobody can move")]
    OneSided {
        /// The position.
        position: String,
        /// Who can move.
        who: Player,
    },
    /// The last mover wins this game.
    #[error("{game} does not end in a score: who cannot move loses; ask for its exact value instead")]
    NoScore {
        /// The name of the game.
        game: String,
    },
    /// The rules have no estimate.
    #[error(
        "{game} has no estimate for positions that are not searched to their end: ask for the exact value instead"
    )]
    NoEstimate {
        /// The name of the game.
        game: String,
    },
    /// Nothing would be searched.
    #[error("the depth must be at least 1: at depth 0 no move is looked at")]
    DepthZero,
}

/// What a game that ends in a score ends with, by best play of both: points of Left less points of Right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scores {
    /// If Left begins.
    pub left_first: Result<Dyadic, Halt>,
    /// If Right begins.
    pub right_first: Result<Dyadic, Halt>,
}

impl Scores {
    /// If this player begins.
    pub fn first(&self, player: Player) -> &Result<Dyadic, Halt> {
        match player {
            Player::Left => &self.left_first,
            Player::Right => &self.right_first,
        }
    }

    /// Who wins if this player begins.
    pub fn ending(&self, first: Player) -> Result<Ending, Halt> {
        self.first(first).as_ref().map(ending_of).map_err(|stop| *stop)
    }

    /// Who wins, whoever begins.
    pub fn outcome(&self) -> Result<OutcomeClass, Halt> {
        Ok(OutcomeClass::of(self.ending(Player::Left)?, self.ending(Player::Right)?))
    }
}

/// Who has won with this score.
pub fn ending_of(score: &Dyadic) -> Ending {
    match score.signum() {
        1 => Ending::Win,
        0 => Ending::Draw,
        _ => Ending::Loss,
    }
}

/// Finds scores, and remembers what it has found.
pub struct ScoreSearch<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    table: &'a TableFor<N, Reduced>,
    context: &'a SearchContext<'a>,
    kernel: Kernel<'a>,
    /// Where mutual zugzwang makes values useless: by plain play.
    plain: RefCell<FxHashMap<(Key<N>, Player), i64>>,
}

impl<'a, const N: usize> ScoreSearch<'a, N> {
    /// A search that reads and fills `table`.
    pub fn new(
        game: &'a dyn DynGame<N>,
        table: &'a TableFor<N, Reduced>,
        context: &'a SearchContext<'a>,
    ) -> Self {
        let kernel = context.store.kernel(context.budget);
        ScoreSearch { game, table, context, kernel, plain: RefCell::default() }
    }

    /// The scores of a position, whoever begins.
    pub fn scores(&self, at: &Key<N>) -> Scores {
        Scores { left_first: self.score(at, Player::Left), right_first: self.score(at, Player::Right) }
    }

    /// The score of a position if `first` begins: the stop of its reduced value, in which parts are searched apart; or, where
    /// mutual zugzwang can be reached, what plain play finds.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn score(&self, at: &Key<N>, first: Player) -> Result<Dyadic, Halt> {
        match search(self.game, &Reduced, self.table, at, self.context)? {
            Ok(value) => self.kernel.stop(value, first)?.ok_or(Halt::Loopy),
            Err(_) => self.by_plain_play(at, first).map(Dyadic::integer),
        }
    }

    /// The score that each move of a player leads to, in the order of the moves.
    ///
    /// # Errors
    /// If the budget runs out before all moves are listed.
    pub fn of_moves(&self, at: &Key<N>, who: Player) -> Result<Vec<Result<Dyadic, Halt>>, Halt> {
        let after = boards_after(self.game, at, who, &self.kernel)?;
        let score = |(next, points): (Key<N>, i64)| {
            self.score(&next, who.opponent()).map(|score| &score + &Dyadic::integer(points))
        };
        Ok(after.into_iter().map(score).collect())
    }

    /// By trying everything. A player who cannot move passes, as long as the other can.
    fn by_plain_play(&self, at: &Key<N>, who: Player) -> Result<i64, Halt> {
        let key = (*at, who);
        if let Some(&score) = self.plain.borrow().get(&key) {
            return Ok(score);
        }
        self.kernel.step()?;
        let mut best: Option<i64> = None;
        let after = boards_after(self.game, at, who, &self.kernel)?;
        for (next, points) in after {
            let score = points + deeper(|| self.by_plain_play(&next, who.opponent()))?;
            best = Some(best.map_or(score, |best| match who {
                Player::Left => best.max(score),
                Player::Right => best.min(score),
            }));
        }
        let score = match best {
            Some(score) => score,
            None if self.game.count_moves(at, who.opponent()) > 0 => {
                self.by_plain_play(at, who.opponent())?
            }
            None => 0,
        };
        self.plain.borrow_mut().insert(key, score);
        Ok(score)
    }
}

/// The reduced canonical form of a position of a game that ends in a score.
///
/// # Errors
/// If a position of mutual zugzwang can be reached, in which the scores are lost; and if the budget runs out.
pub fn reduced_value<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    table: &TableFor<N, Reduced>,
    context: &SearchContext<'_>,
) -> Result<Value, ScoreError> {
    if !game.ends_in_score() {
        return Err(ScoreError::NoScore { game: game.info().name });
    }
    match search(game, &Reduced, table, at, context)? {
        Ok(value) => Ok(value),
        Err(flaw) => Err(find_flaw(game, *at, flaw, table, context)),
    }
}

/// Goes down from a position that can reach a flaw to one that has it itself.
fn find_flaw<const N: usize>(
    game: &dyn DynGame<N>,
    mut at: Key<N>,
    flaw: Flaw,
    table: &TableFor<N, Reduced>,
    context: &SearchContext<'_>,
) -> ScoreError {
    let kernel = context.store.kernel(context.budget);
    let ask = |board: &Key<N>| search(game, &Reduced, table, board, context);
    'down: loop {
        let mut parts = vec![];
        game.parts(&at, &mut parts);
        for part in parts {
            match ask(&part) {
                Err(stop) => return stop.into(),
                Ok(Ok(_)) => continue,
                Ok(Err(_)) => at = part,
            }
            break;
        }
        let mut options = [vec![], vec![]];
        for who in Player::BOTH {
            let after = match boards_after(game, &at, who, &kernel) {
                Ok(after) => after,
                Err(stop) => return stop.into(),
            };
            for (next, points) in after {
                match ask(&next) {
                    Err(stop) => return stop.into(),
                    Ok(Err(_)) => {
                        at = next;
                        continue 'down;
                    }
                    Ok(Ok(value)) => options[who as usize].push((value, points)),
                }
            }
        }
        return describe(game.show(&at), &options, flaw, context);
    }
}

fn describe(
    position: String,
    options: &[Vec<(Value, i64)>; 2],
    flaw: Flaw,
    context: &SearchContext<'_>,
) -> ScoreError {
    let kernel = context.store.kernel(context.budget);
    let with_points = |options: &[(Value, i64)]| -> Result<Vec<Value>, Halt> {
        options.iter().map(|&(value, points)| kernel.add(value, kernel.integer(points))).collect()
    };
    let scores = || best_scores(&with_points(&options[0])?, &with_points(&options[1])?, &kernel);
    match scores() {
        Err(stop) => stop.into(),
        Ok((Some(left), Some(right))) => ScoreError::Zugzwang { position, left, right },
        Ok((left, _)) => {
            debug_assert_eq!(flaw, Flaw::OneSided);
            ScoreError::OneSided { position, who: if left.is_some() { Player::Left } else { Player::Right } }
        }
    }
}
