//! Games that can repeat or be won everywhere at once: who wins a board, or that nobody does.
//!
//! Positions with a player to move are made forwards and decided backwards (K. Thompson, Retrograde analysis of certain endgames, ICCA
//! Journal 1986). What is decided has a rank: it follows from what was decided before. So a win is a finite tree of facts, in the order of
//! ranks; what is never decided is drawn, because whoever could lose can go on for ever.

use std::collections::VecDeque;

use gb_rules::Player;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Prover, name};
use crate::boards::BoardKey;
use crate::certificate::{Claim, ProofError, difference};

/// A board with a player to move.
struct State {
    board: BoardKey,
    mover: Player,
    /// Who wins, and after how many others that was decided.
    verdict: Option<(Player, usize)>,
    /// Moves that are not known to lose.
    left: usize,
    /// States with a move to this one.
    parents: Vec<u32>,
}

/// All states that were made.
#[derive(Default)]
struct States {
    index: FxHashMap<(BoardKey, Player), u32>,
    states: Vec<State>,
    open: VecDeque<u32>,
    decided: Vec<u32>,
    ranks: usize,
}

impl States {
    fn decide(&mut self, at: u32, winner: Player) {
        self.states[at as usize].verdict = Some((winner, self.ranks));
        self.ranks += 1;
        self.decided.push(at);
    }

    /// What follows from what was decided.
    fn propagate(&mut self) {
        while let Some(at) = self.decided.pop() {
            let Some((winner, _)) = self.states[at as usize].verdict else { continue };
            for parent in std::mem::take(&mut self.states[at as usize].parents) {
                let above = &mut self.states[parent as usize];
                if above.verdict.is_some() {
                    continue;
                }
                above.left -= usize::from(winner != above.mover);
                if winner == above.mover || above.left == 0 {
                    self.decide(parent, winner);
                }
            }
        }
    }

    fn verdict(&self, board: &BoardKey, mover: Player) -> Option<(Player, usize)> {
        self.index.get(&(*board, mover)).and_then(|at| self.states[*at as usize].verdict)
    }
}

impl Prover<'_> {
    /// Proves who wins a board, whoever begins, or that nobody does.
    pub(super) fn whole(&mut self, board: &BoardKey) -> Result<Vec<Claim>, ProofError> {
        if self.global_win(board).is_some() {
            return Err(ProofError::NotTrue("the game is over, and there is nothing to prove".into()));
        }
        let states = self.retrograde(board)?;
        let text = self.facts.boards.text(board);
        let shown = text.replace('_', " ");
        let mut todo = Todo::default();
        let (mut lines, mut claims) = (vec![], vec![]);
        for first in Player::BOTH {
            let verdict = states.verdict(board, first).map(|(winner, _)| winner);
            let (who, sum) = (name(first), shown.clone());
            if verdict == Some(first.opponent()) {
                todo.lost(board, first);
                lines.push(format!("claim loses {who} {text} ; 0"));
                claims.push(Claim::Loses { first, sum });
                continue;
            }
            let after = self.best(&states, board, first)?;
            let answer = format!("0@{}", difference(&text, &self.facts.boards.text(&after)));
            let with = self.facts.boards.text(&after).replace('_', " ");
            if verdict == Some(first) {
                todo.lost(&after, first.opponent());
                lines.push(format!("claim wins {who} {text} ; 0 ; {answer}"));
                claims.push(Claim::Wins { first, sum, with });
            } else {
                todo.not_won(board, first);
                todo.no_better(&states, &after, first.opponent());
                lines.push(format!("claim draws {who} {text} ; 0 ; {answer}"));
                claims.push(Claim::Draws { first, sum, with });
            }
        }
        self.write_whole(&states, todo)?;
        for line in lines {
            self.writer.line(&line)?;
        }
        Ok(claims)
    }

    fn global_win(&self, board: &BoardKey) -> Option<Player> {
        self.facts.boards.global_win(board)
    }

    /// Makes states from these two until both are decided or there is nothing left to make.
    fn retrograde(&mut self, board: &BoardKey) -> Result<States, ProofError> {
        let mut states = States::default();
        for mover in Player::BOTH {
            self.state(&mut states, board, mover)?;
        }
        while let Some(at) = states.open.pop_front() {
            if states.states[at as usize].verdict.is_some() {
                continue;
            }
            self.expand(&mut states, at)?;
            states.propagate();
            if Player::BOTH.iter().all(|&mover| states.verdict(board, mover).is_some()) {
                break;
            }
        }
        Ok(states)
    }

    /// The number of a state; a new one is opened, or decided if somebody has won.
    fn state(&mut self, states: &mut States, board: &BoardKey, mover: Player) -> Result<u32, ProofError> {
        if let Some(&known) = states.index.get(&(*board, mover)) {
            return Ok(known);
        }
        self.kernel.step()?;
        let at = states.states.len() as u32;
        states.states.push(State { board: *board, mover, verdict: None, left: 0, parents: vec![] });
        states.index.insert((*board, mover), at);
        match self.global_win(board) {
            Some(winner) => states.decide(at, winner),
            None => states.open.push_back(at),
        }
        Ok(at)
    }

    /// Makes all moves of a state.
    fn expand(&mut self, states: &mut States, at: u32) -> Result<(), ProofError> {
        let State { board, mover, .. } = states.states[at as usize];
        let (mut left, mut lost) = (vec![], false);
        for after in self.facts.boards.options(&board, mover)? {
            let to = self.state(states, &after, mover.opponent())?;
            match states.states[to as usize].verdict {
                Some((winner, _)) => lost |= winner == mover,
                None => left.push(to),
            }
        }
        states.states[at as usize].left = left.len();
        if lost || left.is_empty() {
            states.decide(at, if lost { mover } else { mover.opponent() });
            return Ok(());
        }
        for to in left {
            states.states[to as usize].parents.push(at);
        }
        Ok(())
    }

    /// The board after the best move of a player: the one that was decided first among those that win, or one that draws.
    fn best(&mut self, states: &States, board: &BoardKey, who: Player) -> Result<BoardKey, ProofError> {
        let mut best = None;
        for after in self.facts.boards.options(board, who)? {
            self.kernel.work(1)?;
            // What was not made was not needed to decide anything.
            if !states.index.contains_key(&(after, who.opponent())) {
                continue;
            }
            let rank = match states.verdict(&after, who.opponent()) {
                Some((winner, rank)) if winner == who => rank,
                Some(_) => continue,
                None => usize::MAX,
            };
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, after));
            }
        }
        match best {
            Some((_, after)) => Ok(after),
            None => Err(ProofError::NotTrue(format!("{who} loses {}", self.facts.boards.text(board)))),
        }
    }

    /// Writes all that is to be shown: wins in the order of their ranks, and then boards that a player does not win.
    fn write_whole(&mut self, states: &States, mut todo: Todo) -> Result<(), ProofError> {
        let (mut lost, mut not_won) = (vec![], vec![]);
        while let Some((board, first, is_lost)) = todo.open.pop() {
            self.kernel.step()?;
            if self.facts.boards.parts_of(&board)?.is_empty() || self.global_win(&board).is_some() {
                continue;
            }
            let mut answers = vec![];
            for (text, after) in self.facts.boards.sorted(&board, first)? {
                if self.global_win(&after) == Some(first.opponent()) {
                    answers.push("=".into());
                    continue;
                }
                let reply = self.best(states, &after, first.opponent())?;
                answers.push(difference(&text, &self.facts.boards.text(&reply)));
                if is_lost {
                    todo.lost(&reply, first);
                } else {
                    todo.no_better(states, &reply, first);
                }
            }
            let letter = if first == Player::Left { 'L' } else { 'R' };
            let line = format!("{letter} {} ; 0 ; {}", self.facts.boards.text(&board), answers.join(" "));
            match states.verdict(&board, first) {
                Some((_, rank)) if is_lost => lost.push((rank, line)),
                _ => not_won.push(format!("D{line}")),
            }
        }
        lost.sort_unstable();
        for line in lost.iter().map(|(_, line)| line).chain(&not_won) {
            self.writer.line(line)?;
        }
        Ok(())
    }
}

/// Boards of which it is to be shown that a player who moves first loses, or does not win.
#[derive(Default)]
struct Todo {
    seen: FxHashSet<(BoardKey, Player, bool)>,
    open: Vec<(BoardKey, Player, bool)>,
}

impl Todo {
    fn push(&mut self, board: &BoardKey, first: Player, is_lost: bool) {
        if self.seen.insert((*board, first, is_lost)) {
            self.open.push((*board, first, is_lost));
        }
    }

    fn lost(&mut self, board: &BoardKey, first: Player) {
        self.push(board, first, true);
    }

    fn not_won(&mut self, board: &BoardKey, first: Player) {
        self.push(board, first, false);
    }

    /// That a player loses, if so it is decided, and else that he does not win.
    fn no_better(&mut self, states: &States, board: &BoardKey, first: Player) {
        self.push(board, first, states.verdict(board, first).is_some());
    }
}
