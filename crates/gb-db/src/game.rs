//! A game on grids for those who build and read tables: boards are codes.

use std::ops::ControlFlow;

use gb_board::{Alphabet, BoardError, Codes};
use gb_rules::{AnyGame, GridTraits, Info, Key, Player, Sign, Tabulated};
use gb_search::{AnySolved, SearchContext, Solved, with_solved};
use gb_value::Value;

use crate::error::StoreError;

/// The normal form of a part, and whether it has the value of the part or the negative of that.
pub(crate) type NormalPart = (Codes, Sign);

/// A game whose boards are grids of letters.
///
/// Boards come from anywhere: from a file, from an enumeration of shapes. One that does not fit into the boards of the game
/// is an error of every method, and never a board without moves.
pub struct TabulatedGame {
    solved: AnySolved,
    info: Info,
    traits: GridTraits,
}

impl TabulatedGame {
    /// A game for tables.
    ///
    /// # Errors
    /// If its boards cannot be numbered.
    pub fn new(game: AnyGame) -> Result<Self, StoreError> {
        let (solved, info) = (AnySolved::from(game.clone()), game.info());
        let Some(traits) = with_solved!(&solved, solved => solved.game.grid()) else {
            return Err(StoreError::Invalid(format!(
                "{} has no databases: that needs a game on grids of letters in which every move uses something up, such as \
                 clobber or domineering",
                info.name
            )));
        };
        let fits = traits.weights.len() == info.alphabet.len()
            && traits.swap.is_none_or(|swap| {
                swap.len() == traits.weights.len()
                    && swap[0] == 0
                    && (0..swap.len()).all(|c| traits.weights[usize::from(swap[c])] == traits.weights[c])
            });
        if !fits || traits.weights[0] != 0 {
            return Err(StoreError::Invalid(format!(
                "{}: the weights of its letters make no sense",
                info.name
            )));
        }
        Ok(TabulatedGame { solved, info, traits })
    }

    /// The game of its width, with what is known about it.
    pub(crate) fn solved(&self) -> &AnySolved {
        &self.solved
    }

    /// The name with parameters.
    pub fn name(&self) -> String {
        self.info.name.clone()
    }

    /// How many letters there are.
    pub fn letters(&self) -> usize {
        self.info.alphabet.len()
    }

    /// The text of a board.
    pub fn show(&self, at: &Codes) -> String {
        at.show(&Alphabet(self.info.alphabet))
    }

    /// Reads a board.
    pub fn read(&self, text: &str) -> Result<Codes, BoardError> {
        with_solved!(&self.solved, solved => codes(solved, &solved.game.read(text)?))
    }

    /// How boards are ordered, and which have the same value.
    pub fn traits(&self) -> GridTraits {
        self.traits
    }

    /// The form of the game for tables of outcomes.
    pub fn tabulated(&self) -> Option<Tabulated> {
        with_solved!(&self.solved, solved => solved.game.tabulated())
    }

    /// Whether the codes are a position.
    pub fn check(&self, at: &Codes) -> Result<(), BoardError> {
        with_solved!(&self.solved, solved => solved.game.of_codes(at).map(|_| ()))
    }

    /// Calls `emit` with the board after each move.
    pub fn options(&self, at: &Codes, who: Player, emit: &mut dyn FnMut(&Codes)) -> Result<(), BoardError> {
        with_solved!(&self.solved, solved => options(solved, at, who, emit))
    }

    /// Calls `emit` with the normal forms of the parts that each move leaves.
    pub(crate) fn options_in_parts(
        &self,
        at: &Codes,
        who: Player,
        emit: &mut dyn FnMut(&[NormalPart]),
    ) -> Result<(), BoardError> {
        with_solved!(&self.solved, solved => {
            let (board, mut result, mut parts) = (solved.game.of_codes(at)?, Ok(()), vec![]);
            let mut normals: Vec<NormalPart> = vec![];
            let _ = solved.game.options(&board, who, &mut |next, _| {
                parts.clear();
                normals.clear();
                solved.game.parts(&next, &mut parts);
                for part in &parts {
                    let (normal, sign) = solved.game.normalise(part);
                    match codes(solved, &normal) {
                        Ok(codes) => normals.push((codes, sign)),
                        Err(error) => {
                            result = Err(error);
                            return ControlFlow::Break(());
                        }
                    }
                }
                emit(&normals);
                ControlFlow::Continue(())
            });
            result
        })
    }

    /// Calls `emit` with the parts whose sum the board is.
    pub fn parts(&self, at: &Codes, emit: &mut dyn FnMut(&Codes)) -> Result<(), BoardError> {
        with_solved!(&self.solved, solved => {
            let mut parts = vec![];
            solved.game.parts(&solved.game.of_codes(at)?, &mut parts);
            parts.iter().try_for_each(|part| codes(solved, part).map(|codes| emit(&codes)))
        })
    }

    /// The normal form of a single part.
    pub fn normal_form(&self, at: &Codes) -> Result<(Codes, Sign), BoardError> {
        with_solved!(&self.solved, solved => {
            let (normal, sign) = solved.game.normalise(&solved.game.of_codes(at)?);
            Ok((codes(solved, &normal)?, sign))
        })
    }

    /// The value by plain search, which remembers the parts it has met.
    pub fn search(&self, at: &Codes, context: &SearchContext<'_>) -> Result<Value, StoreError> {
        let key = with_solved!(&self.solved, solved => solved.game.of_codes(at)?.resized());
        Ok(self.solved.value(&key, context)?)
    }

    /// Tells the search the value of a part in normal form.
    pub fn remember(&self, at: &Codes, value: Value) -> Result<(), BoardError> {
        with_solved!(&self.solved, solved => {
            let board = solved.game.of_codes(at)?;
            if !self.info.impartial {
                solved.tables.values.finish(&solved.game.normalise(&board).0, value);
            }
            Ok(())
        })
    }
}

fn codes<const N: usize>(solved: &Solved<N>, board: &Key<N>) -> Result<Codes, BoardError> {
    let no_grid = || BoardError::Invalid("this position is no grid of letters".into());
    solved.game.codes(board).ok_or_else(no_grid)
}

fn options<const N: usize>(
    solved: &Solved<N>,
    at: &Codes,
    who: Player,
    emit: &mut dyn FnMut(&Codes),
) -> Result<(), BoardError> {
    let (board, mut result) = (solved.game.of_codes(at)?, Ok(()));
    let _ = solved.game.options(&board, who, &mut |next, _| match codes(solved, &next) {
        Ok(codes) => {
            emit(&codes);
            ControlFlow::Continue(())
        }
        Err(error) => {
            result = Err(error);
            ControlFlow::Break(())
        }
    });
    result
}
