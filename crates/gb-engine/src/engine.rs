//! One store, the tables of all games, and how to ask about a position.

use std::sync::{Arc, PoisonError, RwLock};

use gb_board::{BoardError, Size};
use gb_db::{GameArchive, GridGame, Library};
use gb_play::matches::{BoardStarts, Starts};
use gb_rules::mixed::Mixed;
use gb_rules::{AnyGame, DynGame, Game, Key, NameError, Player, Sign, with_game};
use gb_search::heuristic::{Deepened, deepen};
use gb_search::question::outcome::{Memory, Settings, Sum, Winners, winners};
use gb_search::question::{bounds, thermograph_with};
use gb_search::sum::{Examined, ExaminedComponent, Moves, examine};
use gb_search::{AnySolved, GameTables, ScoreSearch, Scores, SearchContext, Solved, Tables, with_solved};
use gb_value::loopy::Ending;
use gb_value::{Budget, Halt, Store, Thermograph, Value, ValueError};

use crate::error::EngineError;
use crate::games::Games;

/// One store with the tables of all games asked about so far.
#[derive(Default)]
pub struct Engine {
    /// Where values live.
    pub store: Store,
    known: RwLock<Known>,
    threads: usize,
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
    pub fn grid_game(&self, game: &str, sample: &str) -> Result<GridGame, EngineError> {
        GridGame::new(self.open_game(game, sample)?).map_err(|error| EngineError::Database(Arc::new(error)))
    }

    fn archive<const N: usize>(&self, game: &Game<N>) -> Option<Arc<GameArchive<N>>> {
        self.library()?.archive(game)
    }

    /// A game with what is known about it.
    pub(crate) fn solved(&self, game: AnyGame) -> AnySolved {
        let Known { tables, library } = self.known();
        tables.of(game, |game| {
            with_game!(game, game => {
                let tables = match library.and_then(|library| library.archive(&game)) {
                    Some(archive) => GameTables::over(archive),
                    None => GameTables::default(),
                };
                Solved { game, tables }.into()
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

    /// Who wins, without values unless they help.
    pub fn winners(&self, game: &str, position: &str, budget: &Budget) -> Result<Answer, EngineError> {
        self.ask(game, position, budget, Question::Winners)
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
        let mut games = Mixed::default();
        let mut boards = vec![];
        for (game, position) in positions {
            let any = self.open_game(game, position)?;
            let key = with_game!(&any, game => read_or_start(&**game, position).map(|key| key.resized()));
            let place = games.add(any);
            boards.push(games.board_at(place, key?));
        }
        let (game, keys) = games.game_of(&boards);
        let boards = keys.into_iter().map(|key| (key, Sign::Plus)).collect();
        let sum = Sum { boards, value, subtrahend: Value::ZERO };
        let (tables, mut memory) = (GameTables::default(), memory_for(budget));
        let context = SearchContext::new(&self.store, budget).with_threads(self.threads);
        Ok(winners(&*game, &sum, &Settings::default(), &tables.values, &mut memory, &context))
    }

    fn ask(
        &self,
        game: &str,
        position: &str,
        budget: &Budget,
        question: Question<'_>,
    ) -> Result<Answer, EngineError> {
        let solved = self.solved(self.open_game(game, position)?);
        let ask = Ask { engine: self, position, budget, question };
        with_solved!(&solved, solved => ask.about(solved))
    }
}

/// Reads a position, or the starting position of a size.
fn read_or_start<const N: usize>(game: &dyn DynGame<N>, text: &str) -> Result<Key<N>, BoardError> {
    match (game.read(text), Size::read(text)) {
        (Ok(board), _) => Ok(board),
        (Err(_), Ok(size)) => game.start(size),
        (Err(error), Err(_)) => Err(error),
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

struct Ask<'a> {
    engine: &'a Engine,
    position: &'a str,
    budget: &'a Budget,
    question: Question<'a>,
}

impl Ask<'_> {
    fn about<const N: usize>(self, Solved { game, tables }: &Solved<N>) -> Result<Answer, EngineError> {
        let engine = self.engine;
        let at = read_or_start(&**game, self.position)?;
        let context = SearchContext::new(&engine.store, self.budget).with_threads(engine.threads);
        let mut answer = Answer { game: game.info().name, position: game.show(&at), ..Answer::default() };
        match self.question {
            Question::Winners if game.ends_in_score() => {
                let scores = ScoreSearch::new(&**game, &tables.reduced, &context).scores(&at);
                answer.winners = Some(Winners {
                    left_first: scores.ending(Player::Left),
                    right_first: scores.ending(Player::Right),
                    nodes: self.budget.nodes(),
                });
                answer.scores = Some(scores);
            }
            Question::Winners => answer.winners = Some(find_winners(&**game, &at, tables, &context)),
            Question::Thermograph => {
                let archive = engine.archive(game);
                let archive = archive.as_deref().map(|archive| archive as _);
                answer.thermograph = Some(thermograph_with(&**game, &at, archive, &context));
            }
            Question::Unsearched(stop) => {
                answer.examined = Some(Examined::unsearched(&**game, &at, stop));
            }
            Question::Values(moves, rest, finished) => {
                let mut examined = examine(&**game, &at, moves, tables, &context, finished);
                answer.scores = examined.scores.clone();
                // Where points decide, who moves last means nothing: the scores are all there is to know.
                let by_score = answer.scores.is_some();
                if !by_score && examined.stopped().is_some_and(|stop| stop != Halt::Cancelled) {
                    let rest = rest();
                    let context = SearchContext::new(&engine.store, &rest).with_threads(engine.threads);
                    answer.winners = Some(find_winners(&**game, &at, tables, &context));
                    find_bounds(&**game, &mut examined, tables, &context);
                }
                answer.examined = Some(examined);
            }
        }
        Ok(answer)
    }
}

/// A table of sums for a search with this budget.
fn memory_for(budget: &Budget) -> Memory {
    Memory::new((budget.max_bytes() / 2).min(512 << 20))
}

fn find_winners<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    tables: &GameTables<N>,
    context: &SearchContext<'_>,
) -> Winners {
    if game.is_impartial() {
        let winner = |first: Player| {
            let value = tables.value(game, at, context)?;
            Ok(Ending::won_by(if value == Value::ZERO { first.opponent() } else { first }))
        };
        let (left_first, right_first) = (winner(Player::Left), winner(Player::Right));
        return Winners { left_first, right_first, nodes: context.budget.nodes() };
    }
    let mut memory = memory_for(context.budget);
    winners(game, &Sum::of(*at), &Settings::default(), &tables.values, &mut memory, context)
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
