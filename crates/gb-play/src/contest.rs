//! Matches between players: many games from fixed or random openings, with both colours.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use crate::arena::{Interval, Pairing, Record};
use gb_board::Random;
use gb_rules::{MoveError, NameError, OpenError, Player as Side, Position};
use gb_value::{Cancel, Dyadic, Store};

use crate::game_record::{GameRecord, GameStatus};
use crate::limits::Limits;
use crate::player::{PlayError, Player, Spec};
use crate::sprt::{Sprt, Verdict};

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
        let pairings = self.pairings();
        let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (played, problem) = (Mutex::new(Vec::<Played>::new()), Mutex::new(None));
        let work = || {
            while !over.load(Relaxed) && !cancel.is_cancelled() {
                let Some(&pairing) = pairings.get(next.fetch_add(1, Relaxed)) else { return };
                match self.play(catalog, pairing, cancel) {
                    Ok(Some(game)) => {
                        told(&game);
                        let mut played = played.lock().unwrap_or_else(|e| e.into_inner());
                        played.push(game);
                        let table = Tally::of(played.iter().map(|game| &game.record));
                        let (won, drawn, lost) = table.all();
                        if self.sprt.is_some_and(|test| test.verdict(won, drawn, lost) != Verdict::Open) {
                            over.store(true, Relaxed);
                        }
                    }
                    Ok(None) => return,
                    Err(error) => {
                        problem.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
                        over.store(true, Relaxed);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.at_a_time.min(pairings.len()) {
                scope.spawn(work);
            }
            work();
        });
        match problem.into_inner().unwrap_or_else(|e| e.into_inner()) {
            Some(problem) => Err(problem),
            None => Ok(played.into_inner().unwrap_or_else(|e| e.into_inner())),
        }
    }

    /// The opening with a number: a sheet with random moves, after which the game is not over yet if that can be.
    fn opening(&self, catalog: &dyn PlayerCatalog, number: u64) -> Result<GameRecord, ContestError> {
        let start = &self.starts[number as usize % self.starts.len().max(1)];
        let mut random = Random::new(self.seed, number);
        let mut sheet = GameRecord::new(catalog.open(&self.game, start)?, Side::Left);
        for _ in 0..self.random_moves {
            let GameStatus::ToMove(who) = sheet.standing() else { break };
            let choices = sheet.position().moves(who, usize::MAX);
            let choice = &choices[random.index(choices.len() as u32) as usize];
            sheet.play(who, &choice.text).map_err(ContestError::Opening)?;
        }
        Ok(sheet)
    }

    /// Plays one game; `None` if it was cancelled.
    fn play(
        &self,
        catalog: &dyn PlayerCatalog,
        pairing: Pairing,
        cancel: &Cancel,
    ) -> Result<Option<Played>, ContestError> {
        let mut sheet = self.opening(catalog, pairing.start)?;
        let sample = sheet.start().show();
        let seat = |spec: Spec, salt: u64| {
            catalog.player(&self.game, &sample, spec, self.seed ^ (pairing.start << 20) ^ salt)
        };
        let mut players = [seat(self.players[0], 1)?, seat(self.players[1], 2)?];
        let (mut moves, mut nodes, mut micros, mut solved_at) = (vec![], [0; 2], [0; 2], None);
        let limits = Limits { cancel: cancel.clone(), ..self.limits.clone() };
        let score = loop {
            let who = match sheet.standing() {
                GameStatus::ToMove(who) => who,
                GameStatus::Drawn => break 0,
                GameStatus::Won(Side::Left) => break 1,
                GameStatus::Won(Side::Right) => break -1,
            };
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let index = if who == Side::Left { pairing.left } else { 1 - pairing.left };
            let clock = Instant::now();
            let position = sheet.position().show();
            let chosen = players[index].choose(&position, sheet.points(), who, catalog.store(), &limits);
            let player = || self.players[index].to_string();
            let chosen = chosen.map_err(|error| ContestError::Player { player: player(), error })?;
            let spent = clock.elapsed().as_micros() as u64;
            micros[index] += spent;
            nodes[index] += chosen.nodes;
            moves.push((index, chosen.nodes, spent));
            if chosen.winner.is_some() && solved_at.is_none() {
                solved_at = Some(sheet.len() as u32 + 1);
            }
            sheet.play(who, &chosen.mv).map_err(|error| ContestError::Move { player: player(), error })?;
            if sheet.len() > LONGEST_GAME {
                break 0;
            }
        };
        let names = [pairing.left, 1 - pairing.left].map(|index| self.players[index].to_string());
        Ok(Some(Played {
            record: Record {
                pairing,
                parts: 1,
                score: Dyadic::integer(score),
                moves: sheet.len() as u32,
                nodes,
                micros,
            },
            moves,
            sgf: sheet.to_sgf([&names[0], &names[1]]),
            solved_at,
        }))
    }
}

/// Games that may go on for ever are drawn after so many moves.
const LONGEST_GAME: usize = 1_000;

/// Games won, drawn and lost by A, moving first and moving second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Moving first, moving second: won, drawn, lost.
    pub games: [[u64; 3]; 2],
    /// The moves of all those games.
    pub moves: [[u64; 3]; 2],
}

impl Tally {
    /// Of records.
    pub fn of<'r>(records: impl IntoIterator<Item = &'r Record>) -> Tally {
        let mut tally = Tally::default();
        for record in records {
            let second = usize::from(record.pairing.begins() != 0);
            let result = (1 - record.score_of(0).signum()) as usize;
            tally.games[second][result] += 1;
            tally.moves[second][result] += u64::from(record.moves);
        }
        tally
    }

    /// Won, drawn, lost.
    pub fn all(&self) -> (u64, u64, u64) {
        let sum = |i: usize| self.games[0][i] + self.games[1][i];
        (sum(0), sum(1), sum(2))
    }

    /// A's share of the points with its interval of 95 %, by the normal approximation: moving first, second, and together.
    pub fn shares(&self) -> [Interval; 3] {
        let [first, second] = self.games;
        let both = [0, 1, 2].map(|i| first[i] + second[i]);
        [first, second, both].map(|[won, drawn, lost]| {
            let sample = [(1.0, won), (0.5, drawn), (0.0, lost)];
            let sample = sample.iter().flat_map(|&(points, count)| vec![points; count as usize]);
            Interval::of(&sample.collect::<Vec<f64>>())
        })
    }

    /// As in the tables of Claessen (2011), chapter 6: share of A, interval, moves of games won and lost.
    pub fn table(&self, names: [&str; 2]) -> String {
        let (won, drawn, lost) = self.all();
        let mut lines = vec![
            format!("A = {}, B = {}: {} games", names[0], names[1], won + drawn + lost),
            format!("{:13}  {:>7}  {:>8}  {:>9}  {:>10}", "", "share", "95 %", "moves/win", "moves/loss"),
        ];
        let (games, moves) = (self.games, self.moves);
        let all = |counts: [[u64; 3]; 2]| [0, 1, 2].map(|i| counts[0][i] + counts[1][i]);
        let rows = [
            ("A moves first", games[0], moves[0]),
            ("A second", games[1], moves[1]),
            ("total", all(games), all(moves)),
        ];
        for ((name, games, moves), share) in rows.into_iter().zip(self.shares()) {
            let average = |i: usize| match games[i] {
                0 => "-".to_string(),
                n => format!("{:.1}", moves[i] as f64 / n as f64),
            };
            lines.push(format!(
                "{name:13}  {:>6.1}%  {:>7.1}%  {:>9}  {:>10}",
                100.0 * share.mean,
                100.0 * share.error,
                average(0),
                average(2)
            ));
        }
        lines.push(format!("won {won}, drawn {drawn}, lost {lost}"));
        lines.join("\n")
    }
}
