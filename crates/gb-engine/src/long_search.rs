//! Searches for a winner that may take longer than a process lives.

use std::io::{self, Read, Seek, Write};

use gb_rules::{Key, Player, WIDEST};
use gb_search::question::outcome::{Memory, Settings, Winners};
use gb_search::{AnySolved, SavedError, SearchContext, memory_for};
use gb_value::loopy::Ending;
use gb_value::{Budget, Halt, Value};

use crate::engine::Engine;
use crate::error::EngineError;
use crate::sums::summands;

/// A search for the winner of one position that can be put aside: what it has found can be written down at any time, and another process goes on from there.
///
/// It goes on from a halt as from a file: [`go_on`](LongSearch::go_on) with a little time, [`save`](LongSearch::save), and so on until the answer is there.
pub struct LongSearch<'e> {
    engine: &'e Engine,
    solved: AnySolved,
    at: Key<WIDEST>,
    memory: Memory,
    heading: String,
    /// The name of the game with its parameters.
    pub game: String,
    /// The position as text.
    pub position: String,
}

impl Engine {
    /// A search for the winner of a position, within the memory of this budget.
    ///
    /// # Errors
    /// If there is no such game or position, or what is found about it means nothing to another process.
    pub fn long_search(
        &self,
        game: &str,
        position: &str,
        budget: &Budget,
    ) -> Result<LongSearch<'_>, EngineError> {
        if summands(&format!("{game} {position}")).len() > 1 {
            return Err(EngineError::CannotBeSaved("of a sum of several games".into()));
        }
        let solved = self.solved(self.open_game(game, position)?);
        let position = solved.game().read_or_start(position)?;
        let name = position.info().name;
        if !solved.can_be_saved() {
            return Err(EngineError::CannotBeSaved(format!("of {name}")));
        }
        // The rules of a text may change while its name stays.
        let text = self.games().source(&name).unwrap_or_default();
        let heading =
            format!("{name}\nversion {}\nwords {}\n{text}", env!("CARGO_PKG_VERSION"), solved.game().width());
        Ok(LongSearch {
            engine: self,
            at: *position.key(),
            memory: memory_for(budget),
            heading,
            game: name,
            position: position.show(),
            solved,
        })
    }
}

impl LongSearch<'_> {
    /// Goes on until the answer is there, or the budget is used up. With `first` only who wins if that player begins is looked for.
    pub fn go_on(&mut self, first: Option<Player>, budget: &Budget) -> Winners {
        let context = SearchContext::new(&self.engine.store, budget).with_threads(self.engine.threads);
        let Some(first) = first.filter(|_| !self.solved.game().info().impartial) else {
            return self.solved.winners_with(&self.at, &mut self.memory, &context);
        };
        let found = self.solved.winner_of(
            &[self.at],
            (Value::ZERO, Value::ZERO),
            first,
            &Settings::USUAL,
            &mut self.memory,
            &context,
        );
        let mut endings = [Err(Halt::Cancelled); 2];
        endings[first as usize] = found.map(Ending::won_by);
        let [left_first, right_first] = endings;
        Winners { left_first, right_first, nodes: budget.nodes() }
    }

    /// Writes down what was found so far: how many facts.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<u64> {
        self.solved.save(&self.heading, &self.memory, out)
    }

    /// Takes what another search has found about this game: how many facts.
    ///
    /// # Errors
    /// If it was not saved by such a search, or is damaged; then nothing has changed.
    pub fn load<R: Read + Seek>(&mut self, input: &mut R, budget: &Budget) -> Result<u64, SavedError> {
        self.solved.load(&self.heading, &mut self.memory, input, budget)
    }
}
