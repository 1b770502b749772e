//! Certificates of what is said about sums as they are typed.

use std::error::Error;
use std::io::{BufRead, Write};

use gb_proof::{Checked, ProofContext, ProofError, Proved, Scratch, Sizes, Want, check, prove};
use gb_rules::{AnyGame, Info, Position, UnionGame, with_game};
use gb_search::{AnySolved, SearchContext};
use gb_value::{Budget, Value};

use crate::calc::{Answer, Calculator, Datum};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::games::Games;
use crate::sums::{game_and_position, summands};

/// What is to be proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The value.
    Value,
    /// The value, which has to be a nimber.
    Nimber,
    /// Who wins, whoever begins.
    Outcome,
    /// That the sum is at most a value, as typed.
    AtMost(String),
    /// That the sum is at least a value, as typed.
    AtLeast(String),
}

/// Why lines do not say which games a certificate is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
enum HeadError {
    #[error("a line of a game comes before its name")]
    TextBeforeName,
    #[error("expected the name of a game")]
    NoName,
    #[error("expected a name and a board")]
    NoBoard,
}

/// A game of a certificate: its name, the longest board, and its text if it has one.
struct Named {
    name: String,
    sample: String,
    text: Option<String>,
}

impl Named {
    /// The lines that say which game it is. A game as text is there with all of its rules.
    fn head(&self) -> Vec<String> {
        let mut head = vec![format!("game {} {}", self.name, self.sample.replace(' ', "_"))];
        for line in self.text.iter().flat_map(|text| text.lines()) {
            head.push(if line.is_empty() { "|".into() } else { format!("| {line}") });
        }
        head
    }

    /// Reads such lines.
    fn of_head(head: &[String]) -> Result<Vec<Named>, HeadError> {
        let mut games: Vec<Named> = vec![];
        for line in head {
            if let Some(line) = line.strip_prefix('|') {
                let game = games.last_mut().ok_or(HeadError::TextBeforeName)?;
                let text = game.text.get_or_insert_default();
                text.push_str(line.strip_prefix(' ').unwrap_or(line));
                text.push('\n');
            } else {
                let rest = line.strip_prefix("game ").ok_or(HeadError::NoName)?;
                let (name, sample) = rest.split_once(' ').ok_or(HeadError::NoBoard)?;
                games.push(Named { name: name.into(), sample: sample.replace('_', " "), text: None });
            }
        }
        if games.is_empty() { Err(HeadError::NoName) } else { Ok(games) }
    }
}

/// The games as one, which has to have no points and no wins everywhere.
fn joined(games: Vec<AnyGame>) -> Result<AnyGame, ProofError> {
    let games = match <[AnyGame; 1]>::try_from(games) {
        Ok([game]) => return Ok(game),
        Err(games) => games,
    };
    let unfit = |game: &&AnyGame| with_game!(game, game => game.ends_in_score() || game.is_misere());
    match games.iter().find(unfit) {
        Some(game) if with_game!(game, game => game.is_misere()) => Err(ProofError::Misere(game.info().name)),
        Some(game) => Err(ProofError::CountsPoints(game.info().name)),
        None => Ok(AnyGame::W2(UnionGame::of_games(games))),
    }
}

/// The games that the first lines of a certificate name. Games as text are read from there and from nowhere else.
pub(crate) fn open_head(head: &[String]) -> Result<AnyGame, Box<dyn Error + Send + Sync>> {
    let games = Games::default();
    let mut opened = vec![];
    for game in Named::of_head(head)? {
        if let Some(text) = &game.text {
            games.add(text)?;
        }
        opened.push(games.open(&game.name, &game.sample)?);
    }
    Ok(joined(opened)?)
}

/// A sum of positions and a value, as a proof has it.
pub(crate) struct Summed {
    pub(crate) positions: Vec<Position>,
    pub(crate) value: Value,
    named: Vec<Named>,
    solved: AnySolved,
}

impl Summed {
    /// The positions as the certificate writes them: with the names of their games, if there are several games.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.positions.iter().map(|position| self.text(position.info(), &position.show())).collect()
    }

    pub(crate) fn text(&self, info: Info, board: &str) -> String {
        if self.named.len() > 1 { format!("{} {board}", info.name) } else { board.to_owned() }
    }
}

impl Engine {
    /// Proves something about a sum as it is typed, and writes the certificate. What was proved and does not fit into the budget's memory goes into
    /// files that `scratch` makes, if it is given.
    ///
    /// # Errors
    /// If the text is no sum, the search is stopped, what is to be proved is not true, or the certificate cannot be written.
    pub fn prove(
        &self,
        text: &str,
        goal: &Goal,
        budget: &Budget,
        out: &mut dyn Write,
        scratch: Option<&Scratch<'_>>,
    ) -> Result<Proved, EngineError> {
        let summed = self.summed(text, budget)?;
        let (solved, texts) = (&summed.solved, summed.texts());
        let want = match goal {
            Goal::Value => Want::Value,
            Goal::Nimber if !solved.game().info().impartial => {
                let name = solved.game().info().name;
                return Err(EngineError::Summand(format!(
                    "{name} is not impartial, so that its positions have values and not nimbers"
                )));
            }
            Goal::Nimber => Want::Value,
            Goal::Outcome => Want::Outcome,
            Goal::AtMost(bound) => Want::AtMost(self.plain_value(bound, budget)?),
            Goal::AtLeast(bound) => Want::AtLeast(self.plain_value(bound, budget)?),
        };
        let head: Vec<String> = summed.named.iter().flat_map(Named::head).collect();
        let search = SearchContext::new(&self.store, budget).with_threads(self.threads);
        let context = ProofContext { search: &search, sizes: &Sizes::default(), scratch };
        Ok(prove(solved, &head, (&texts, summed.value), want, &context, out)?)
    }

    /// A sum as it is typed, for a proof.
    pub(crate) fn summed(&self, text: &str, budget: &Budget) -> Result<Summed, EngineError> {
        let kernel = self.store.kernel(budget);
        let (mut positions, mut value): (Vec<Position>, Value) = (vec![], Value::ZERO);
        let halted = |halt| EngineError::from(ProofError::Halt(halt));
        for piece in summands(text) {
            match game_and_position(piece) {
                Some((game, position)) => {
                    positions.push(self.open_game(game, position)?.read_or_start(position)?);
                }
                None => value = kernel.add(value, self.plain_value(piece, budget)?).map_err(halted)?,
            }
        }
        let mut named: Vec<Named> = vec![];
        for position in &positions {
            let (name, board) = (position.info().name, position.show());
            match named.iter_mut().find(|game| game.name == name) {
                Some(game) if board.len() > game.sample.len() => game.sample = board,
                Some(_) => {}
                None => named.push(Named { text: self.games().source(&name), name, sample: board }),
            }
        }
        if named.is_empty() {
            return Err(EngineError::Summand("there is no position to prove anything about".into()));
        }
        let games = named.iter().map(|game| self.open_game(&game.name, &game.sample));
        let games: Vec<AnyGame> = games.collect::<Result<_, _>>()?;
        let several = games.len() > 1;
        let game = joined(games)?;
        let solved = if several { AnySolved::from(game) } else { self.solved(game) };
        Ok(Summed { positions, value, named, solved })
    }

    /// The value of an expression without loops.
    fn plain_value(&self, piece: &str, budget: &Budget) -> Result<Value, EngineError> {
        match Calculator::new(&self.store).run(piece, budget) {
            Ok(Answer::Datum(Datum::Value(value))) => Ok(value),
            Ok(_) => Err(EngineError::Summand(format!("`{piece}` is not a value without loops"))),
            Err(error) => Err(EngineError::Calc { piece: piece.to_owned(), error }),
        }
    }

    /// Checks a certificate, without any search. Games as text are read from it and from nowhere else. Facts that do not fit into half of the
    /// budget's memory go into files that `scratch` makes, if it is given.
    ///
    /// # Errors
    /// At the first line that does not follow.
    pub fn check_proof(
        &self,
        input: impl BufRead,
        budget: &Budget,
        scratch: Option<&Scratch<'_>>,
    ) -> Result<Checked, EngineError> {
        Ok(check(input, &open_head, &self.store.kernel(budget), scratch)?)
    }
}
