//! Matches between players: many games from fixed or random openings, with both colours.

use std::collections::HashSet;

use gb_board::Random;
use gb_record::{GameRecord, GameStatus};
use gb_rules::{MoveError, NameError, OpenError, Player as Side, Position};
use gb_value::clock::Instant;
use gb_value::{Cancel, Dyadic, Store};

use crate::limits::Limits;
use crate::player::{PlayError, Player, Spec};

use super::{Pairing, Record, Sprt, Tally, Verdict, run};

/// Where games are known by name: who sets up positions and seats players.
pub trait PlayerCatalog: Sync {
    /// A position, or the starting position of a size.
    fn open(&self, game: &str, text: &str) -> Result<Position, OpenError>;
    /// A player for positions as large as this one.
    fn player(&self, game: &str, sample: &str, spec: Spec, seed: u64) -> Result<Box<dyn Player>, NameError>;
    /// The store of all players.
    fn store(&self) -> &Store;
}

/// Why a match cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContestError {
    /// There is no such game or position.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is no such game.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A random move of the opening could not be made.
    #[error(transparent)]
    Opening(MoveError),
    /// A player makes no move.
    #[error("{player}: {error}")]
    Player {
        /// Who.
        player: String,
        /// Why.
        error: PlayError,
    },
    /// A player makes a move that is none.
    #[error("{player}: {error}")]
    Move {
        /// Who.
        player: String,
        /// Why it is none.
        error: MoveError,
    },
}

/// A match.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The game.
    pub game: String,
    /// Positions to start from, or sizes, taken in turn.
    pub starts: Vec<String>,
    /// How many random moves are made before the players begin. Pairs of games have the same ones.
    pub random_moves: u32,
    /// The players A and B.
    pub players: [Spec; 2],
    /// For each move.
    pub limits: Limits,
    /// How many games; each opening is played twice.
    pub games: u64,
    /// Other seeds give other openings and playouts.
    pub seed: u64,
    /// How many games at a time.
    pub at_a_time: usize,
    /// Stops when decided.
    pub sprt: Option<Sprt>,
    /// Games that are played already.
    pub done: Vec<Pairing>,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The result.
    pub record: Record,
    /// For each move of the players: whose (0 for A), nodes, and microseconds.
    pub moves: Vec<(usize, u64, u64)>,
    /// The game.
    pub sgf: String,
    /// The number of the first move that was made with a proven result, if there was one.
    pub solved_at: Option<u32>,
}

impl Contest {
    /// The pairings: every opening with A as Left and as Right, Left moving first.
    pub fn pairings(&self) -> Vec<Pairing> {
        let mut pairings = Pairing::all(self.games.div_ceil(2), false);
        pairings.truncate(self.games as usize);
        let done: HashSet<&Pairing> = self.done.iter().collect();
        pairings.retain(|pairing| !done.contains(pairing));
        pairings
    }

    /// Plays the games. `told` hears of each one as it ends. Returns what was played, in no particular order.
    ///
    /// # Errors
    /// If a game cannot be played at all.
    pub fn run(
        &self,
        catalog: &dyn PlayerCatalog,
        cancel: &Cancel,
        told: &(dyn Fn(&Played) + Sync),
    ) -> Result<Vec<Played>, ContestError> {
        let play = |pairing| match cancel.is_cancelled() {
            true => Ok(None),
            false => self.play(catalog, pairing, cancel),
        };
        let decided = |played: &[Played]| {
            let (won, drawn, lost) = Tally::of(played.iter().map(|game| &game.record)).all();
            self.sprt.is_some_and(|test| test.verdict(won, drawn, lost) != Verdict::Open)
        };
        run(&self.pairings(), self.at_a_time, play, told, decided)
    }

    /// The opening with a number: a record with random moves, after which the game is not over yet if that can be.
    fn opening(&self, catalog: &dyn PlayerCatalog, number: u64) -> Result<GameRecord, ContestError> {
        let start = &self.starts[number as usize % self.starts.len().max(1)];
        let mut random = Random::new(self.seed, number);
        let mut record = GameRecord::new(catalog.open(&self.game, start)?, Side::Left);
        for _ in 0..self.random_moves {
            let GameStatus::ToMove(who) = record.status() else { break };
            let choices = record.position().moves(who, usize::MAX);
            let choice = &choices[random.index(choices.len() as u32) as usize];
            record.play(who, &choice.text).map_err(ContestError::Opening)?;
        }
        Ok(record)
    }

    /// Plays one game; `None` if it was cancelled.
    fn play(
        &self,
        catalog: &dyn PlayerCatalog,
        pairing: Pairing,
        cancel: &Cancel,
    ) -> Result<Option<Played>, ContestError> {
        let mut record = self.opening(catalog, pairing.start)?;
        let sample = record.start().show();
        let seat = |spec: Spec, salt: u64| {
            catalog.player(&self.game, &sample, spec, self.seed ^ (pairing.start << 20) ^ salt)
        };
        let mut players = [seat(self.players[0], 1)?, seat(self.players[1], 2)?];
        let (mut moves, mut nodes, mut micros, mut solved_at) = (vec![], [0; 2], [0; 2], None);
        let limits = Limits { cancel: cancel.clone(), ..self.limits.clone() };
        let score = loop {
            let who = match record.status() {
                GameStatus::ToMove(who) => who,
                GameStatus::Drawn => break 0,
                GameStatus::Won(Side::Left) => break 1,
                GameStatus::Won(Side::Right) => break -1,
            };
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let index = pairing.on_side(who);
            let clock = Instant::now();
            let position = record.position().show();
            let chosen = players[index].choose(&position, record.points(), who, catalog.store(), &limits);
            let player = || self.players[index].to_string();
            let chosen = chosen.map_err(|error| ContestError::Player { player: player(), error })?;
            let spent = clock.elapsed().as_micros() as u64;
            micros[index] += spent;
            nodes[index] += chosen.nodes;
            moves.push((index, chosen.nodes, spent));
            if chosen.winner.is_some() && solved_at.is_none() {
                solved_at = Some(record.len() as u32 + 1);
            }
            record.play(who, &chosen.mv).map_err(|error| ContestError::Move { player: player(), error })?;
            if record.len() > LONGEST_GAME {
                break 0;
            }
        };
        let names = [pairing.left, 1 - pairing.left].map(|index| self.players[index].to_string());
        Ok(Some(Played {
            record: Record {
                pairing,
                parts: 1,
                score: Dyadic::integer(score),
                moves: record.len() as u32,
                nodes,
                micros,
            },
            moves,
            sgf: record.to_sgf([&names[0], &names[1]]),
            solved_at,
        }))
    }
}

/// Games that may go on for ever are drawn after so many moves.
const LONGEST_GAME: usize = 1_000;
