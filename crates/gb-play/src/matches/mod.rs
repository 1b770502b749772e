//! Matches: many games between A and B, on several threads, from positions that follow from seeds, so that a match can be
//! stopped and gone on with. A and B are players of whole games ([`Contest`]) or strategies for sums ([`sums`]).

mod players;
mod sprt;
mod starts;
mod statistics;
pub mod sums;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use gb_value::{Dyadic, Player};

pub use players::{Contest, ContestError, Played, PlayerCatalog};
pub use sprt::{Sprt, SprtError, Verdict};
pub use starts::{BoardStarts, HotSums, StartError, Starts, cut_grid};
pub use statistics::{CSV_HEADER, Interval, Paired, RecordError, Summary, Tally};

/// One game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pairing {
    /// The number of the starting position.
    pub start: u64,
    /// Who plays Left: 0 for A, 1 for B.
    pub left: usize,
    /// Who moves first.
    pub first: Player,
}

impl Pairing {
    /// The games from the positions `0..starts`: A and B each once as Left who moves first, and, if `both_begin`, once as
    /// Left while Right moves first.
    pub fn all(starts: u64, both_begin: bool) -> Vec<Pairing> {
        let firsts: &[Player] = if both_begin { &Player::BOTH } else { &[Player::Left] };
        let mut all = vec![];
        for start in 0..starts {
            for &first in firsts {
                all.extend([0, 1].map(|left| Pairing { start, left, first }));
            }
        }
        all
    }

    /// Who plays a side: 0 for A, 1 for B.
    pub fn on_side(&self, side: Player) -> usize {
        if side == Player::Left { self.left } else { 1 - self.left }
    }

    /// Who moves first: 0 for A, 1 for B.
    pub fn begins(&self) -> usize {
        self.on_side(self.first)
    }
}

/// How a game went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Which game it was.
    pub pairing: Pairing,
    /// How many local games there were at the start.
    pub parts: usize,
    /// Left's points less Right's; 1 or -1 where the last mover wins.
    pub score: Dyadic,
    /// How many moves were made.
    pub moves: u32,
    /// Positions that A and B have looked at.
    pub nodes: [u64; 2],
    /// Microseconds that A and B have thought.
    pub micros: [u64; 2],
}

impl Record {
    /// The score from the side of A (0) or B (1).
    pub fn score_of(&self, player: usize) -> Dyadic {
        if self.pairing.left == player { self.score.clone() } else { -&self.score }
    }
}

/// Plays games on several threads, until all are played, one cannot be played (`None` if somebody cancelled), or the games
/// so far are enough. `told` hears of each one as it ends, so that it can be written down. Returns them in no particular order.
fn run<G: Send, E: Send>(
    pairings: &[Pairing],
    threads: usize,
    play: impl Fn(Pairing) -> Result<Option<G>, E> + Sync,
    told: &(dyn Fn(&G) + Sync),
    enough: impl Fn(&[G]) -> bool + Sync,
) -> Result<Vec<G>, E> {
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (games, problem) = (Mutex::new(vec![]), Mutex::new(None));
    let work = || {
        while !over.load(Relaxed) {
            let Some(&pairing) = pairings.get(next.fetch_add(1, Relaxed)) else { return };
            let is_last = match play(pairing) {
                Ok(Some(game)) => {
                    told(&game);
                    let mut games = games.lock().unwrap_or_else(|e| e.into_inner());
                    games.push(game);
                    enough(&games)
                }
                Ok(None) => true,
                Err(error) => {
                    problem.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
                    true
                }
            };
            if is_last {
                over.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(pairings.len()) {
            scope.spawn(work);
        }
        work();
    });
    match problem.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(problem) => Err(problem),
        None => Ok(games.into_inner().unwrap_or_else(|e| e.into_inner())),
    }
}
