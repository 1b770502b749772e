//! Games of any width with what is known about them, and every question about one of their positions.
//!
//! The search is generic over the width of its keys; nothing here is. So it is compiled in this crate for each width, and nowhere else.

use std::sync::Arc;

use gb_rules::{AnyGame, DynGame, Game, Key, Player, Sign, WIDEST, with_game};
use gb_value::loopy::Ending;
use gb_value::{Budget, Halt, Thermograph, Value, ValueError};

use crate::question::outcome::{Memory, Settings, Sum, Winners, known_winner, winners};
use crate::question::{bounds, has_nimber, is_zero, known_nimber, thermograph_with};
use crate::sum::{Examined, ExaminedComponent, Moves, examine};
use crate::tables::{Archives, GameTables};
use crate::{ScoreSearch, Scores, SearchContext};

/// A game with what is known about it. The game is kept because only it understands the keys in the tables.
pub struct Solved<const N: usize> {
    /// The game.
    pub game: Game<N>,
    /// What is known.
    pub tables: GameTables<N>,
}

/// A game of any width with what is known about it.
#[derive(Clone)]
pub enum AnySolved {
    /// See [`AnyGame::W2`].
    W2(Arc<Solved<2>>),
    /// See [`AnyGame::W3`].
    W3(Arc<Solved<3>>),
    /// See [`AnyGame::W4`].
    W4(Arc<Solved<4>>),
    /// See [`AnyGame::W9`].
    W9(Arc<Solved<9>>),
}

/// Does the same with a game of any width and what is known about it: `with_solved!(solved, s => s.game.info())`.
#[macro_export]
macro_rules! with_solved {
    ($any:expr, $solved:ident => $work:expr) => {
        match $any {
            $crate::AnySolved::W2($solved) => $work,
            $crate::AnySolved::W3($solved) => $work,
            $crate::AnySolved::W4($solved) => $work,
            $crate::AnySolved::W9($solved) => $work,
        }
    };
}

macro_rules! of_widths {
    ($($variant:ident $width:literal),*) => {$(
        impl From<Solved<$width>> for AnySolved {
            fn from(solved: Solved<$width>) -> AnySolved {
                AnySolved::$variant(Arc::new(solved))
            }
        }

        impl From<(Game<$width>, Option<Archives<$width>>)> for AnySolved {
            /// A game of which nothing is known but what archives say.
            fn from((game, archives): (Game<$width>, Option<Archives<$width>>)) -> AnySolved {
                Solved { game, tables: archives.map_or_else(GameTables::default, GameTables::over) }.into()
            }
        }
    )*};
}
of_widths!(W2 2, W3 3, W4 4, W9 9);

impl From<AnyGame> for AnySolved {
    /// A game of which nothing is known yet.
    fn from(game: AnyGame) -> AnySolved {
        with_game!(game, game => (game, None).into())
    }
}

/// Positions are given by their keys, in the longest width.
impl AnySolved {
    /// The game.
    pub fn game(&self) -> AnyGame {
        with_solved!(self, solved => solved.game.clone().into())
    }

    /// The exact value of a position.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn value(&self, at: &Key<WIDEST>, context: &SearchContext<'_>) -> Result<Value, Halt> {
        with_solved!(self, solved => {
            if solved.game.is_misere() {
                return Err(Halt::Misere);
            }
            solved.tables.value(&*solved.game, &at.resized(), context)
        })
    }

    /// The value of a position, if the values of all its parts were found before.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn known_value(&self, at: &Key<WIDEST>, context: &SearchContext<'_>) -> Result<Option<Value>, Halt> {
        with_solved!(self, solved => {
            let (kernel, mut pieces) = (context.store.kernel(context.budget), vec![]);
            solved.game.pieces(&at.resized(), &mut pieces);
            let mut total = Value::ZERO;
            for piece in pieces {
                let known = match solved.tables.values.recall(&piece.key, &kernel)? {
                    Some(value) => Some(value),
                    None => solved.game.known(&piece.key, &kernel)?,
                };
                let Some(value) = known else { return Ok(None) };
                total = kernel.add(total, if piece.sign == Sign::Plus { value } else { kernel.neg(value)? })?;
            }
            Ok(Some(total))
        })
    }

    /// Takes a position apart and searches its parts: see [`examine`].
    pub fn examine(
        &self,
        at: &Key<WIDEST>,
        moves: Moves,
        context: &SearchContext<'_>,
        finished: &dyn Fn(usize, usize, &ExaminedComponent),
    ) -> Examined {
        with_solved!(self, solved => {
            examine(&*solved.game, &at.resized(), moves, &solved.tables, context, finished)
        })
    }

    /// What there is to say of a position that is not searched, for this reason.
    pub fn unsearched(&self, at: &Key<WIDEST>, stop: Halt) -> Examined {
        with_solved!(self, solved => Examined::unsearched(&*solved.game, &at.resized(), stop))
    }

    /// What the position ends with, in a game that ends in a score.
    pub fn scores(&self, at: &Key<WIDEST>, context: &SearchContext<'_>) -> Option<Scores> {
        with_solved!(self, solved => {
            let (game, tables) = (&*solved.game, &solved.tables);
            let scores = || ScoreSearch::new(game, &tables.reduced, context).scores(&at.resized());
            game.ends_in_score().then(scores)
        })
    }

    /// Who wins by moving last, without values unless they help.
    pub fn winners(&self, at: &Key<WIDEST>, context: &SearchContext<'_>) -> Winners {
        self.winners_with(at, &mut memory_for(context.budget), context)
    }

    /// The same. What is found stays in `memory`.
    pub fn winners_with(
        &self,
        at: &Key<WIDEST>,
        memory: &mut Memory,
        context: &SearchContext<'_>,
    ) -> Winners {
        with_solved!(self, solved => {
            find_winners(&*solved.game, &at.resized(), &solved.tables, memory, context)
        })
    }

    /// Who wins a sum of positions and a value.
    pub fn winners_of(&self, boards: &[Key<WIDEST>], value: Value, context: &SearchContext<'_>) -> Winners {
        with_solved!(self, solved => {
            let mut memory = memory_for(context.budget);
            let values = &solved.tables.values;
            winners(&*solved.game, &sum_of(boards, (value, Value::ZERO)), &Settings::default(), values, &mut memory, context)
        })
    }

    /// Who wins a sum of positions and a value, less another, if `first` begins. What is found stays in `memory`.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn winner_of(
        &self,
        boards: &[Key<WIDEST>],
        value: (Value, Value),
        first: Player,
        settings: &Settings,
        memory: &mut Memory,
        context: &SearchContext<'_>,
    ) -> Result<Player, Halt> {
        with_solved!(self, solved => {
            solved.tables.winner(&*solved.game, &sum_of(boards, value), first, settings, memory, context)
        })
    }

    /// The same, if it is seen at once or was found before with this memory.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn known_winner_of(
        &self,
        boards: &[Key<WIDEST>],
        value: (Value, Value),
        first: Player,
        settings: &Settings,
        memory: &mut Memory,
        context: &SearchContext<'_>,
    ) -> Result<Option<Player>, Halt> {
        with_solved!(self, solved => {
            let sum = sum_of(boards, value);
            known_winner(&*solved.game, &sum, first, settings, &solved.tables.values, memory, context)
        })
    }

    /// Whether an impartial position has this nimber.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn has_nimber(&self, at: &Key<WIDEST>, n: u32, context: &SearchContext<'_>) -> Result<bool, Halt> {
        with_solved!(self, solved => {
            if solved.game.is_misere() {
                return Err(Halt::Misere);
            }
            let GameTables { nimbers, excluded, .. } = &solved.tables;
            has_nimber(&*solved.game, nimbers, excluded, &at.resized(), n, context)
        })
    }

    /// The nimber of an impartial position, if it was found before.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn known_nimber(&self, at: &Key<WIDEST>, context: &SearchContext<'_>) -> Result<Option<u32>, Halt> {
        with_solved!(self, solved => {
            let GameTables { nimbers, excluded, .. } = &solved.tables;
            known_nimber(&*solved.game, nimbers, excluded, &at.resized(), context)
        })
    }

    /// The thermograph, without canonical forms.
    ///
    /// # Errors
    /// If the budget runs out, or the game has none.
    pub fn thermograph(
        &self,
        at: &Key<WIDEST>,
        context: &SearchContext<'_>,
    ) -> Result<Arc<Thermograph>, ValueError> {
        with_solved!(self, solved => {
            if solved.game.is_misere() {
                return Err(Halt::Misere.into());
            }
            let archive = solved.tables.thermographs.as_deref();
            thermograph_with(&*solved.game, &at.resized(), archive, context)
        })
    }

    /// Finds bounds for the parts that have no value.
    pub fn bound(&self, examined: &mut Examined, context: &SearchContext<'_>) {
        if examined.misere.is_none() {
            with_solved!(self, solved => find_bounds(&*solved.game, examined, &solved.tables, context));
        }
    }
}

fn sum_of<const N: usize>(boards: &[Key<WIDEST>], (value, subtrahend): (Value, Value)) -> Sum<N> {
    let boards = boards.iter().map(|at| (at.resized(), Sign::Plus)).collect();
    Sum { boards, value, subtrahend }
}

/// A table of sums for a search with this budget: a quarter is for values, and an eighth for the time when the table grows.
pub fn memory_for(budget: &Budget) -> Memory {
    Memory::new(budget.max_bytes() / 8 * 5)
}

pub(crate) fn find_winners<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    tables: &GameTables<N>,
    memory: &mut Memory,
    context: &SearchContext<'_>,
) -> Winners {
    if game.is_impartial() {
        let is_zero = is_zero(game, &tables.nimbers, &tables.excluded, at, context);
        let winner = |first: Player| Ok(Ending::won_by(if is_zero? { first.opponent() } else { first }));
        let (left_first, right_first) = (winner(Player::Left), winner(Player::Right));
        return Winners { left_first, right_first, nodes: context.budget.nodes() };
    }
    winners(game, &Sum::of(*at), &Settings::default(), &tables.values, memory, context)
}

/// How play ends if `first` begins. What is found stays in `memory`.
pub(crate) fn find_ending<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    first: Player,
    tables: &GameTables<N>,
    memory: &mut Memory,
    context: &SearchContext<'_>,
) -> Result<Ending, Halt> {
    // A nimber says both, and repetition is found from both.
    if game.is_impartial() || game.info().loopy {
        return find_winners(game, at, tables, memory, context).ending(first);
    }
    tables.winner(game, &Sum::of(*at), first, &Settings::default(), memory, context).map(Ending::won_by)
}

/// Bounds for the parts that have no value.
fn find_bounds<const N: usize>(
    game: &dyn DynGame<N>,
    examined: &mut Examined,
    tables: &GameTables<N>,
    context: &SearchContext<'_>,
) {
    let mut memory = Memory::new(64 << 20);
    for component in
        examined.components.iter_mut().filter(|r| r.value.is_err() && r.loops.is_none() && r.loopy.is_none())
    {
        if let Ok(board) = game.read(&component.text) {
            let found = bounds(game, &board, &Settings::default(), &tables.values, &mut memory, context);
            component.bounds = (found.low, found.high);
        }
    }
}
