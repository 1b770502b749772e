//! Which layers to look at, so that one position becomes known.

use cozy_chess::{Board, Move};
use gb_value::{Budget, Stop};

use super::book::{Book, Outlook};
use super::cell::{FEAR, HOPE};
use super::fixpoint::Sets;
use super::layer::Solver;
use super::spot::{Known, Spot, after, known, moves, side};
use super::structure::Side;

/// Searches until a position is known.
pub(super) struct Search<'a> {
    pub(super) book: &'a Book,
    pub(super) budget: &'a Budget,
    /// For choices among equals (xorshift, Marsaglia 2003).
    pub(super) seed: u64,
}

/// In which round of retrograde analysis each position of a layer was found.
struct Rounds {
    places: usize,
    rounds: Vec<Sets>,
}

impl Rounds {
    fn of(&self, spot: &Spot) -> Option<usize> {
        let slot = spot.black_king as usize * self.places + spot.piece as usize;
        let bit = 1u64 << spot.white_king;
        let last = self.rounds.last()?;
        if last[spot.side as usize][slot] & bit == 0 {
            return None;
        }
        self.rounds.iter().position(|sets| sets[spot.side as usize][slot] & bit != 0)
    }
}

/// Where to go on.
struct Exit {
    board: Board,
}

impl Search<'_> {
    fn random(&mut self, below: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        ((self.seed >> 16) % below.max(1) as u64) as usize
    }

    /// Tries to find out whether a side wins. Returns how much was done; nothing if there is nothing left to do.
    pub(super) fn work(&mut self, board: &Board, who: Side, limit: u64) -> Result<u64, Stop> {
        let Some(spot) = Spot::of(board) else { return Ok(0) };
        let new = self.book.get(&spot.key).is_none();
        self.book.refresh(spot.key, self.budget)?;
        let mut used = if new { if spot.key.kind.is_some() { 16 } else { 1 } } else { 0 };
        let mut vain = 0;
        while used < limit {
            let state = spot.known(self.book);
            if !state.is_promising(who) {
                break;
            }
            let Some(exit) = self.find_exit(board, &spot, who) else { break };
            let share = (limit - used).min((limit / 3).max(2));
            let done = self.work(&exit.board, who, share)?;
            if std::env::var("DBG").is_ok() { eprintln!("{board} -> {} done {done} known {:?} here {:?}", exit.board, known(self.book,&exit.board), state); }
            // Nothing may be left to do at one exit, and much at another.
            vain = if done > 0 || exit_is_settled(self.book, &exit.board, who) { 0 } else { vain + 1 };
            if vain > 8 {
                break;
            }
            self.budget.spend(16, 0)?;
            used += done;
            self.book.refresh(spot.key, self.budget)?;
        }
        Ok(used)
    }

    /// A move out of the layer to a position on which the question depends.
    fn find_exit(&mut self, board: &Board, spot: &Spot, who: Side) -> Option<Exit> {
        let state = spot.known(self.book).wins[who as usize];
        let winner = spot.turned(who);
        for level in [HOPE, FEAR] {
            if state[level] != (level == HOPE) {
                continue;
            }
            let outside = Outlook::new(self.book);
            let solver = Solver::new(spot.key, &outside);
            let rounds = Rounds {
                places: if spot.key.kind.is_some() { 64 } else { 1 },
                rounds: solver.rounds(winner, level),
            };
            let found = self.walk(board, who, &rounds, level == HOPE);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn walk(&mut self, board: &Board, who: Side, rounds: &Rounds, proof: bool) -> Option<Exit> {
        let mut board = board.clone();
        for _ in 0..200 {
            let spot = Spot::of(&board)?;
            let winner_moves = side(board.side_to_move()) == who;
            let mut exits: Vec<Board> = vec![];
            let mut steps: Vec<(usize, Board)> = vec![];
            let here = rounds.of(&spot);
            for mv in moves(&board) {
                let next = after(&board, mv);
                let state = known(self.book, &next);
                let there = Spot::of(&next);
                let same = there.is_some_and(|there| there.key == spot.key && there.flipped == spot.flipped);
                if state.is_decided(who) {
                    continue;
                }
                if same {
                    let rank = there.and_then(|there| rounds.of(&there));
                    if proof {
                        if winner_moves && rank.is_none_or(|rank| here.is_some_and(|here| rank >= here)) {
                            continue;
                        }
                        if let Some(rank) = rank {
                            steps.push((rank, next));
                        }
                    } else if rank.is_none() {
                        steps.push((0, next));
                    }
                } else if state.wins[who as usize][if proof { HOPE } else { FEAR }] == proof {
                    exits.extend(target(self.book, &next, who));
                }
            }
            if !exits.is_empty() && (winner_moves || steps.is_empty() || self.random(2) == 0) {
                let index = self.random(exits.len());
                return Some(Exit { board: exits.swap_remove(index) });
            }
            if steps.is_empty() {
                return None;
            }
            let index = if proof && winner_moves {
                let least = steps.iter().map(|step| step.0).min()?;
                let best: Vec<usize> = (0..steps.len()).filter(|&i| steps[i].0 == least).collect();
                best[self.random(best.len())]
            } else {
                self.random(steps.len())
            };
            board = steps.swap_remove(index).1;
        }
        None
    }
}

fn exit_is_settled(book: &Book, board: &Board, who: Side) -> bool {
    known(book, board).is_decided(who)
}

/// The position to be looked at, so that this one becomes known: where a pawn can be taken en passant, that is another one.
fn target(book: &Book, board: &Board, who: Side) -> Option<Board> {
    if board.en_passant().is_none() {
        return Spot::of(board).map(|_| board.clone());
    }
    let undecided = |state: &Known| state.is_promising(who);
    let spot = Spot::of(board)?;
    if undecided(&spot.known(book)) {
        return without_en_passant(board);
    }
    moves(board).into_iter().map(|mv: Move| after(board, mv)).find(|next| {
        next.en_passant().is_none() && Spot::of(next).is_some() && undecided(&known(book, next))
    })
}

fn without_en_passant(board: &Board) -> Option<Board> {
    let text = board.to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    *fields.get_mut(3)? = "-";
    Board::from_fen(&fields.join(" "), false).ok()
}
