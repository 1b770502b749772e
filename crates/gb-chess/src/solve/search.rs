//! Which layers to look at, so that one position becomes known.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use cozy_chess::{Board, Move, Piece};
use gb_board::Xorshift;
use gb_value::{Budget, Halt};
use rustc_hash::FxHashSet;

use super::book::{Book, Outlook, children};
use super::cell::{FEAR, HOPE};
use super::fixpoint::Rounds;
use super::layer::{Key, Solver};
use super::spot::{Known, Spot, after, en_passant, known, moves, side};
use super::structure::{Kind, Side};

/// Searches until a position is known.
pub(super) struct Search<'a> {
    pub(super) book: &'a Book<'a>,
    pub(super) budget: &'a Budget,
    /// Memory for layers.
    pub(super) bytes: u64,
    /// For choices among equals.
    pub(super) random: Xorshift,
    /// Another thread has found the answer.
    pub(super) done: &'a AtomicBool,
    /// The layer that was solved last, its version, and what it was solved with.
    pub(super) last: Option<(Key, u64, Solver)>,
}

/// So many layers of a kind are solved at once, from the bottom, instead of one by one where they are needed.
const AT_ONCE: usize = 40;
/// In a long search, so many: solving a layer again and again is what takes longest.
const AT_ONCE_LATER: usize = 400;
/// A search is long after so many solutions of layers.
const LONG: u64 = 1_500;

/// Where to go on.
struct Exit {
    board: Board,
}

impl Search<'_> {
    fn refresh(&mut self, key: Key) -> Result<(), Halt> {
        if self.book.bytes() > self.bytes {
            return Err(Halt::Bytes);
        }
        let (solved, solver) = self.book.refresh(key, self.budget)?;
        if let Some(solver) = solver {
            self.last = Some((key, solved.version, solver));
        }
        Ok(())
    }

    fn random(&mut self, below: usize) -> usize {
        ((self.random.next() >> 16) % below.max(1) as u64) as usize
    }

    /// Until one side is proved to win, both are proved not to, nothing is left to be tried, or the budget is spent. Whether
    /// `first` wins is tried first, and `patience` times as long.
    pub(super) fn run(&mut self, board: &Board, first: Side, patience: u64) -> Result<(), Halt> {
        let mut limit = 8;
        loop {
            let before = self.book.counts();
            for (who, share) in [(first, limit), (first.other(), limit / patience)] {
                let state = known(self.book, board);
                if state.is_settled() || self.done.load(Relaxed) {
                    self.done.store(true, Relaxed);
                    return Ok(());
                }
                if state.is_promising(who) {
                    self.work(board, who, share.max(1))?;
                }
            }
            self.budget.spend(1, 0)?;
            if self.book.counts() == before && limit > 1_000 {
                return Ok(());
            }
            limit = (limit * 3 / 2).min(100_000);
        }
    }

    /// Tries to find out whether a side wins. Returns how much was done; nothing if there is nothing left to do.
    pub(super) fn work(&mut self, board: &Board, who: Side, limit: u64) -> Result<u64, Halt> {
        let Some(spot) = Spot::of(board) else { return Ok(0) };
        let mut used = 0;
        if self.book.get(&spot.key).is_none() {
            used += self.enter(spot.key)?;
        }
        self.refresh(spot.key)?;
        let mut vain = 0;
        while used < limit && !self.done.load(Relaxed) {
            let state = spot.known(self.book);
            if !state.is_promising(who) {
                break;
            }
            let Some(exit) = self.find_exit(board, &spot, who) else {
                // Something below may have become known without this layer's having been told.
                if !self.bring_up_to_date(board, &spot)? {
                    break;
                }
                continue;
            };
            let share = (limit - used).min((limit / 3).max(2));
            let done = self.work(&exit.board, who, share)?;
            // Nothing may be left to do at one exit, and much at another.
            vain = if done > 0 || known(self.book, &exit.board).is_decided(who) { 0 } else { vain + 1 };
            if vain > 8 {
                break;
            }
            self.budget.spend(16, 0)?;
            used += done;
            self.refresh(spot.key)?;
        }
        Ok(used)
    }

    /// Brings the layers one move away up to date, and then this one; whether it has changed.
    fn bring_up_to_date(&mut self, board: &Board, spot: &Spot) -> Result<bool, Halt> {
        let version = |book: &Book<'_>| book.get(&spot.key).map(|solved| solved.version);
        let before = version(self.book);
        for mv in moves(board) {
            let next = after(board, mv);
            let mut keys: Vec<Key> = Spot::of(&next).map(|spot| spot.key).into_iter().collect();
            if en_passant(&next) {
                keys.extend(moves(&next).into_iter().filter_map(|mv| Some(Spot::of(&after(&next, mv))?.key)));
            }
            for key in keys {
                if key != spot.key && self.book.get(&key).is_some() {
                    self.refresh(key)?;
                }
            }
        }
        self.refresh(spot.key)?;
        Ok(version(self.book) != before)
    }

    /// Makes a layer, and those below it of the same kind first, if they are few: then each is solved only once.
    fn enter(&mut self, key: Key) -> Result<u64, Halt> {
        let mut order = vec![];
        if !self.collect(key, key.kind, &mut FxHashSet::default(), &mut order) {
            order = vec![key];
        }
        for &key in &order {
            self.refresh(key)?;
        }
        Ok(order.len() as u64 * if key.kind.is_some() { 16 } else { 1 })
    }

    /// The missing layers of a kind below one, those that others depend on first; false if there are too many.
    fn collect(&self, key: Key, kind: Option<Kind>, seen: &mut FxHashSet<Key>, order: &mut Vec<Key>) -> bool {
        if key.kind != kind || seen.contains(&key) || self.book.get(&key).is_some() {
            return true;
        }
        let most = if self.book.counts().1 > LONG { AT_ONCE_LATER } else { AT_ONCE };
        if seen.len() > most {
            return false;
        }
        seen.insert(key);
        if !children(key).into_iter().all(|child| self.collect(child, kind, seen, order)) {
            return false;
        }
        order.push(key);
        true
    }

    /// A move out of the layer to a position on which the question depends.
    fn find_exit(&mut self, board: &Board, spot: &Spot, who: Side) -> Option<Exit> {
        let state = spot.known(self.book).wins[who as usize];
        let winner = spot.turned(who);
        for level in [HOPE, FEAR] {
            if state[level] != (level == HOPE) {
                continue;
            }
            let version = self.book.get(&spot.key).map_or(0, |solved| solved.version);
            if !self.last.as_ref().is_some_and(|last| (last.0, last.1) == (spot.key, version)) {
                let solver = Solver::new(spot.key, &Outlook::new(self.book));
                self.last = Some((spot.key, version, solver));
            }
            let rounds = self.last.as_ref()?.2.rounds(winner, level);
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
            let (mut exits, mut pushes): (Vec<Board>, Vec<Board>) = (vec![], vec![]);
            let mut steps: Vec<(usize, Board)> = vec![];
            let here = spot.round(rounds);
            for mv in moves(&board) {
                let next = after(&board, mv);
                let state = known(self.book, &next);
                let there = Spot::of(&next);
                let same = there.is_some_and(|there| there.key == spot.key && there.flipped == spot.flipped);
                if state.is_decided(who) {
                    continue;
                }
                if same {
                    let rank = there.and_then(|there| there.round(rounds));
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
                    // A side with a piece hardly ever needs its pawns, and hardly anybody less than a queen.
                    let own_pawn = board.piece_on(mv.from) == Some(Piece::Pawn) && spot.key.kind.is_some();
                    let lesser = mv.promotion.is_some_and(|piece| piece != Piece::Queen);
                    let late = own_pawn && spot.side == Side::White || lesser;
                    let list = if late { &mut pushes } else { &mut exits };
                    list.extend(target(self.book, &next, who));
                }
            }
            if exits.is_empty() && steps.is_empty() {
                exits = pushes;
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

/// The position to be looked at, so that this one becomes known: where a pawn can be taken en passant, that is another one.
fn target(book: &Book<'_>, board: &Board, who: Side) -> Option<Board> {
    if !en_passant(board) {
        return Spot::of(board).map(|_| board.clone());
    }
    let undecided = |state: &Known| state.is_promising(who);
    let spot = Spot::of(board)?;
    if undecided(&spot.known(book)) {
        return without_en_passant(board);
    }
    moves(board)
        .into_iter()
        .map(|mv: Move| after(board, mv))
        .find(|next| !en_passant(next) && Spot::of(next).is_some() && undecided(&known(book, next)))
}

fn without_en_passant(board: &Board) -> Option<Board> {
    let text = board.to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    *fields.get_mut(3)? = "-";
    Board::from_fen(&fields.join(" "), false).ok()
}
