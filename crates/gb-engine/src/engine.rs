//! One store, the tables of all games, and how to ask about a position.

use std::sync::{Arc, PoisonError, RwLock};

use gb_db::{Library, TabulatedGame};
use gb_play::matches::{BoardStarts, Starts};
use gb_rules::{AnyGame, Key, NameError, Player, Position, UnionGame, with_game};
use gb_search::heuristic::{Deepened, deepen};
use gb_search::question::outcome::{Settings, Winners};
use gb_search::sum::{Examined, ExaminedComponent, Moves};
use gb_search::{AnySolved, Archives, Scores, SearchContext, Tables, memory_for};
use gb_value::loopy::Ending;
use gb_value::{Budget, Halt, Store, Thermograph, Value, ValueError};

use crate::error::EngineError;
use crate::games::Games;
use crate::sums::summands;

/// One store with the tables of all games asked about so far.
#[derive(Default)]
pub struct Engine {
    /// Where values live.
    pub store: Store,
    known: RwLock<Known>,
    pub(crate) threads: usize,
    games: Arc<Games>,
}

/// What is known already: by earlier questions, and by databases.
#[derive(Clone, Default)]
struct Known {
    tables: Arc<Tables>,
    library: Option<Arc<Library>>,
}

/// What was found out about a position.
#[derive(Default)]
pub struct Answer {
    /// The name of the game with its parameters.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// The parts and their values.
    pub examined: Option<Examined>,
    /// Who wins, where that was asked, or where values were not found.
    pub winners: Option<Winners>,
    /// In games that end in a score: what they end with.
    pub scores: Option<Scores>,
    /// The thermograph.
    pub thermograph: Option<Result<Arc<Thermograph>, ValueError>>,
    /// Values by depth, one for each part.
    pub deepened: Vec<Deepened>,
}

/// Makes the text of the position with a number.
pub type PositionText = Box<dyn Fn(u64) -> String + Sync>;

impl Engine {
    /// An empty engine whose searches use so many threads.
    pub fn new(threads: usize) -> Engine {
        Engine { threads: threads.max(1), ..Engine::default() }
    }

    /// An engine that knows these games.
    #[must_use]
    pub fn with_games(self, games: Arc<Games>) -> Engine {
        Engine { games, ..self }
    }

    /// An empty engine with as many threads, that knows these games.
    #[must_use]
    pub fn for_games(&self, games: Arc<Games>) -> Engine {
        Engine::new(self.threads).with_games(games)
    }

    /// How many threads its searches use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The games it knows.
    pub fn games(&self) -> &Arc<Games> {
        &self.games
    }

    /// The game with a name, for boards as large as this position or size.
    pub(crate) fn open_game(&self, game: &str, position: &str) -> Result<AnyGame, NameError> {
        self.games.open(game, position)
    }

    /// An engine whose questions use the tables of a library.
    #[must_use]
    pub fn with_library(self, library: Library) -> Engine {
        self.use_library(Some(library));
        self
    }

    /// From now on questions use the tables of this library, or of none.
    pub fn use_library(&self, library: Option<Library>) {
        // What earlier questions have found does not know the library, so it is left behind.
        let known = Known { tables: Arc::default(), library: library.map(Arc::new) };
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// The library, if there is one.
    pub fn library(&self) -> Option<Arc<Library>> {
        self.known().library
    }

    fn known(&self) -> Known {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A game on grids, for those who build and read tables. `sample` is a position or a size at least as large as any
    /// board that will be asked about.
    pub fn tabulated_game(&self, game: &str, sample: &str) -> Result<TabulatedGame, EngineError> {
        TabulatedGame::new(self.open_game(game, sample)?)
            .map_err(|error| EngineError::Database(Arc::new(error)))
    }

    /// A game with what is known about it. Keys of the game that is given must not be used with the one that is returned.
    pub fn solved(&self, game: AnyGame) -> AnySolved {
        let Known { tables, library } = self.known();
        tables.of(game, |game| {
            with_game!(game, game => {
                let archive = library.and_then(|library| library.archive(&game));
                let archives =
                    archive.map(|archive| Archives { values: archive.clone(), thermographs: archive });
                (game, archives).into()
            })
        })
    }

    /// Takes a position apart and values its parts and what moves leave of them. What the budget does not reach is bounded within the budget that
    /// `rest` makes. `finished` is told each time a part is done: its index, how many there are, and
    /// what was found.
    ///
    /// # Errors
    /// If there is no such game, or the text is no position of it. So for all questions.
    pub fn examine(
        &self,
        game: &str,
        position: &str,
        budget: &Budget,
        rest: &dyn Fn() -> Budget,
        finished: &dyn Fn(usize, usize, &ExaminedComponent),
    ) -> Result<Answer, EngineError> {
        self.ask(game, position, budget, Question::Values(Moves::Valued, rest, finished))
    }

    /// What is known of a position without any search: that it is one.
    pub(crate) fn unsearched(&self, game: &str, position: &str, stop: Halt) -> Result<Answer, EngineError> {
        self.ask(game, position, &Budget::unlimited(), Question::Unsearched(stop))
    }

    /// As [`examine`](Engine::examine), without the moves: values of large parts are often found without those of all their
    /// options.
    pub fn value(
        &self,
        game: &str,
        position: &str,
        budget: &Budget,
        rest: &dyn Fn() -> Budget,
        finished: &dyn Fn(usize, usize, &ExaminedComponent),
    ) -> Result<Answer, EngineError> {
        self.ask(game, position, budget, Question::Values(Moves::LeftOut, rest, finished))
    }

    /// Who wins, without values unless they help. The position may be followed by other summands, positions with their games or
    /// values: `clobber` and `xo. + domineering 2x2 + ^*`.
    pub fn winners(&self, game: &str, position: &str, budget: &Budget) -> Result<Answer, EngineError> {
        let whole = format!("{game} {position}");
        let pieces = summands(&whole);
        if pieces.len() > 1 {
            let winners = Some(self.winners_of_pieces(&pieces, budget)?);
            return Ok(Answer { game: game.into(), position: position.into(), winners, ..Answer::default() });
        }
        self.ask(game, position, budget, Question::Winners)
    }

    /// How play ends if `first` begins: half the work of [`winners`](Engine::winners), where no more is wanted.
    ///
    /// # Errors
    /// If there is no such game or position.
    pub fn ending(
        &self,
        game: &str,
        position: &str,
        first: Player,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        let other = Err(Halt::Cancelled);
        if summands(&format!("{game} {position}")).len() == 1 {
            let solved = self.solved(self.open_game(game, position)?);
            let at = solved.game().read_or_start(position)?;
            // A nimber says both, and repetition is found from both.
            let info = at.info();
            if !info.impartial && !info.loopy && !at.ends_in_score() {
                let context = SearchContext::new(&self.store, budget).with_threads(self.threads);
                let mut memory = memory_for(budget);
                let found = solved.winner_of(
                    &[*at.key()],
                    (Value::ZERO, Value::ZERO),
                    first,
                    &Settings::USUAL,
                    &mut memory,
                    &context,
                );
                let mut endings = [other; 2];
                endings[first as usize] = found.map(Ending::won_by);
                let [left_first, right_first] = endings;
                let winners = Some(Winners { left_first, right_first, nodes: budget.nodes() });
                return Ok(Answer { game: info.name, position: at.show(), winners, ..Answer::default() });
            }
        }
        self.winners(game, position, budget)
    }

    /// The thermograph, without canonical forms.
    pub fn thermograph(&self, game: &str, position: &str, budget: &Budget) -> Result<Answer, EngineError> {
        self.ask(game, position, budget, Question::Thermograph)
    }

    /// Values of a game that ends in a score, searched deeper and deeper.
    pub fn deepen(
        &self,
        game: &str,
        position: &str,
        depth: u32,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        let at = self.open_game(game, position)?.read_or_start(position)?;
        let context = SearchContext::new(&self.store, budget).with_threads(self.threads);
        let deepened = deepen(&at, depth, &context, &|_, _, _| {})?;
        Ok(Answer { game: at.info().name, position: at.show(), deepened, ..Answer::default() })
    }

    /// Positions to start matches from. `sample` is a position at least as large as any of them.
    pub fn starts(
        &self,
        game: &str,
        sample: &str,
        text: PositionText,
    ) -> Result<Box<dyn Starts>, EngineError> {
        Ok(Box::new(BoardStarts { game: self.open_game(game, sample)?, text }))
    }

    /// Who wins a sum of positions, given as names and texts, and of a value.
    pub(crate) fn winners_of_sum(
        &self,
        positions: &[(&str, &str)],
        value: Value,
        budget: &Budget,
    ) -> Result<Winners, EngineError> {
        let read = |(game, position): &(&str, &str)| -> Result<Position, EngineError> {
            Ok(self.open_game(game, position)?.read_or_start(position)?)
        };
        let positions = positions.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let (game, keys) = UnionGame::of_positions(&positions);
        let boards: Vec<_> = keys.iter().map(Key::resized).collect();
        let context = SearchContext::new(&self.store, budget).with_threads(self.threads);
        Ok(AnySolved::from((game, None)).winners_of(&boards, value, &context))
    }

    fn ask(
        &self,
        game: &str,
        position: &str,
        budget: &Budget,
        question: Question<'_>,
    ) -> Result<Answer, EngineError> {
        let solved = self.solved(self.open_game(game, position)?);
        let position = solved.game().read_or_start(position)?;
        let at = position.key();
        let context = SearchContext::new(&self.store, budget).with_threads(self.threads);
        let mut answer =
            Answer { game: position.info().name, position: position.show(), ..Answer::default() };
        #[cfg(feature = "tracing")]
        tracing::info!(
            game = answer.game,
            position = answer.position,
            threads = self.threads,
            "asked for {question}"
        );
        match question {
            Question::Winners => {
                answer.scores = solved.scores(at, &context);
                answer.winners = Some(match &answer.scores {
                    Some(scores) => Winners {
                        left_first: scores.ending(Player::Left),
                        right_first: scores.ending(Player::Right),
                        nodes: budget.nodes(),
                    },
                    None => solved.winners(at, &context),
                });
            }
            Question::Thermograph => answer.thermograph = Some(solved.thermograph(at, &context)),
            Question::Unsearched(stop) => answer.examined = Some(solved.unsearched(at, stop)),
            Question::Values(moves, rest, finished) => {
                let mut examined = solved.examine(at, moves, &context, finished);
                answer.scores = examined.scores.clone();
                answer.winners = examined.misere;
                // Where points decide, who moves last means nothing: the scores are all there is to know.
                let by_score = answer.scores.is_some();
                if !by_score && examined.stopped().is_some_and(|stop| stop != Halt::Cancelled) {
                    let rest = rest();
                    let context = SearchContext::new(&self.store, &rest).with_threads(self.threads);
                    answer.winners = Some(solved.winners(at, &context));
                    solved.bound(&mut examined, &context);
                }
                answer.examined = Some(examined);
            }
        }
        #[cfg(feature = "tracing")]
        tracing::info!(nodes = budget.nodes(), "answered");
        Ok(answer)
    }
}

#[cfg(feature = "tracing")]
impl std::fmt::Display for Question<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Question::Values(..) => "values",
            Question::Winners => "winners",
            Question::Thermograph => "a thermograph",
            Question::Unsearched(_) => "what is known without a search",
        })
    }
}

/// What to find out.
enum Question<'a> {
    /// Values, and within another budget bounds where there are none.
    Values(Moves, &'a dyn Fn() -> Budget, &'a dyn Fn(usize, usize, &ExaminedComponent)),
    Winners,
    Thermograph,
    /// Nothing any more, for this reason.
    Unsearched(Halt),
}
