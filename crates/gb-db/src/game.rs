//! A game on grids without its types: boards are codes. So everything that builds and reads tables is compiled once, not
//! once for every kind of board.

use std::ops::ControlFlow;

use gb_board::{BoardError, Codes};
use gb_rules::{Game, GridTraits, Info, Key, Player, Sign};
use gb_search::{GameTables, SearchContext};
use gb_value::Value;

use crate::error::StoreError;

/// A game whose boards are grids of letters.
///
/// Boards come from anywhere: from a file, from an enumeration of shapes. One that does not fit into the boards of the game
/// is an error of every method, and never a board without moves.
pub trait GridGame: Send + Sync {
    /// The name with parameters.
    fn name(&self) -> String;
    /// How many letters there are.
    fn letters(&self) -> usize;
    /// The text of a board.
    fn show(&self, at: &Codes) -> String;
    /// Reads a board.
    fn read(&self, text: &str) -> Result<Codes, BoardError>;
    /// How boards are ordered, and which have the same value.
    fn traits(&self) -> GridTraits;
    /// Whether the codes are a position.
    fn check(&self, at: &Codes) -> Result<(), BoardError>;
    /// Calls `emit` with the board after each move.
    fn options(&self, at: &Codes, who: Player, emit: &mut dyn FnMut(&Codes)) -> Result<(), BoardError>;
    /// Calls `emit` with the parts whose sum the board is.
    fn parts(&self, at: &Codes, emit: &mut dyn FnMut(&Codes)) -> Result<(), BoardError>;
    /// The normal form of a single part.
    fn normal_form(&self, at: &Codes) -> Result<(Codes, Sign), BoardError>;
    /// The value by plain search, which remembers the parts it has met.
    fn search(&self, at: &Codes, context: &SearchContext<'_>) -> Result<Value, StoreError>;
    /// Tells the search the value of a part in normal form.
    fn remember(&self, at: &Codes, value: Value) -> Result<(), BoardError>;
}

/// A game with its types hidden.
pub struct HiddenTypes<const N: usize> {
    game: Game<N>,
    info: Info,
    traits: GridTraits,
    tables: GameTables<N>,
}

impl<const N: usize> HiddenTypes<N> {
    /// Hides the types of a game.
    ///
    /// # Errors
    /// If its boards cannot be numbered.
    pub fn new(game: Game<N>) -> Result<Self, StoreError> {
        let info = game.info();
        let Some(traits) = game.grid() else {
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
        Ok(HiddenTypes { game, info, traits, tables: GameTables::default() })
    }

    fn board(&self, at: &Codes) -> Result<Key<N>, BoardError> {
        self.game.of_codes(at)
    }

    fn codes(&self, board: &Key<N>) -> Result<Codes, BoardError> {
        let no_grid = || BoardError::Invalid("this position is no grid of letters".into());
        self.game.codes(board).ok_or_else(no_grid)
    }
}

impl<const N: usize> GridGame for HiddenTypes<N> {
    fn name(&self) -> String {
        self.info.name.clone()
    }
    fn letters(&self) -> usize {
        self.info.alphabet.len()
    }
    fn show(&self, at: &Codes) -> String {
        at.show(&gb_board::Alphabet(self.info.alphabet))
    }
    fn read(&self, text: &str) -> Result<Codes, BoardError> {
        self.codes(&self.game.read(text)?)
    }
    fn traits(&self) -> GridTraits {
        self.traits
    }
    fn check(&self, at: &Codes) -> Result<(), BoardError> {
        self.board(at).map(|_| ())
    }
    fn options(&self, at: &Codes, who: Player, emit: &mut dyn FnMut(&Codes)) -> Result<(), BoardError> {
        let (board, mut result) = (self.board(at)?, Ok(()));
        let _ = self.game.successors(&board, who, false, &mut |next| match self.codes(&next.after) {
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
    fn parts(&self, at: &Codes, emit: &mut dyn FnMut(&Codes)) -> Result<(), BoardError> {
        let mut parts = vec![];
        self.game.parts(&self.board(at)?, &mut parts);
        parts.iter().try_for_each(|part| self.codes(part).map(|codes| emit(&codes)))
    }
    fn normal_form(&self, at: &Codes) -> Result<(Codes, Sign), BoardError> {
        let (normal, sign) = self.game.normalise(&self.board(at)?);
        Ok((self.codes(&normal)?, sign))
    }
    fn search(&self, at: &Codes, context: &SearchContext<'_>) -> Result<Value, StoreError> {
        Ok(self.tables.value(&*self.game, &self.board(at)?, context)?)
    }
    fn remember(&self, at: &Codes, value: Value) -> Result<(), BoardError> {
        let board = self.board(at)?;
        if !self.info.impartial {
            self.tables.values.finish(&self.game.normalise(&board).0, value);
        }
        Ok(())
    }
}
