//! Games with global threats: a move can win everything at once.
//!
//! This is `GTSearch` (F. Maeser, Divide and conquer in game tree search, thesis 2001, section 6.3; global threats in
//! combinatorial games, 2001) with the result types win, loss and CGT. Lines that end in a global win are cut off: a
//! player who can force one does so, and a move that lets the opponent force one is no move at all. `on` and `off`
//! occur in values only as threats.
//!
//! Two things are changed. Only the type of a result depends on who is to play, never the value, so one fact per
//! position serves both. And the player to move is looked at first: if he wins, the other player's moves are left alone
//! until somebody asks for them.

use std::ops::ControlFlow;

use gb_board::sort_by_key;
use gb_rules::{DynGame, Key, Player, Sign};
use gb_value::{Halt, Kernel, Value, deeper};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::search::SearchContext;
use crate::table::Table;

/// What a player gets if it is his turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// He forces a global win.
    Wins,
    /// All his moves allow the opponent to force a global win, or he has none.
    Loses,
    /// Neither: there is something left to play for.
    Plays,
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threats {
    /// What Left gets, moving first.
    pub left: Kind,
    /// What Right gets, moving first.
    pub right: Kind,
    /// The value, with `on` for a win of Left and `off` for a win of Right.
    pub value: Value,
}

impl Threats {
    /// The player who forces a global win when `first` moves first, even if the opponent may pass.
    pub fn winner(&self, first: Player) -> Option<Player> {
        let left = self.left == Kind::Wins && (first == Player::Left || self.right == Kind::Loses);
        let right = self.right == Kind::Wins && (first == Player::Right || self.left == Kind::Loses);
        match (left, right) {
            (true, _) => Some(Player::Left),
            (_, true) => Some(Player::Right),
            _ => None,
        }
    }

    fn won_by(player: Player) -> Threats {
        match player {
            Player::Left => Threats { left: Kind::Wins, right: Kind::Loses, value: Value::ON },
            Player::Right => Threats { left: Kind::Loses, right: Kind::Wins, value: Value::OFF },
        }
    }

    fn negative(self, kernel: &Kernel<'_>) -> Result<Threats, Halt> {
        Ok(Threats { left: self.right, right: self.left, value: kernel.neg(self.value)? })
    }
}

/// What the table holds about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreatFact {
    /// This player wins if it is his turn; the other's moves were not looked at.
    MoverWins(Player),
    /// Everything.
    Full(Threats),
}

/// A table of facts about the positions of a game.
pub type ThreatTable<const N: usize> = Table<Key<N>, ThreatFact>;

/// The result of a move for the analysis of the position before it.
enum Reply {
    Won(Player),
    Value(Value),
}

/// The moves of one player: won, lost, or the values they lead to.
enum Side {
    Wins,
    Loses,
    Options(SmallVec<[Value; 8]>),
}

impl Side {
    fn kind(&self) -> Kind {
        match self {
            Side::Wins => Kind::Wins,
            Side::Loses => Kind::Loses,
            Side::Options(_) => Kind::Plays,
        }
    }

    /// The options that stand for this side in a value of `player`'s options.
    fn options(&self, player: Player) -> &[Value] {
        match (self, player) {
            (Side::Wins, Player::Left) => &[Value::ON],
            (Side::Wins, Player::Right) => &[Value::OFF],
            (Side::Loses, _) => &[],
            (Side::Options(values), _) => values,
        }
    }
}

/// Finds result types and value of a position.
///
/// # Errors
/// When the budget runs out, or with [`Halt::Repetition`] when play can come back to a position: then
/// [`loopy_game`](crate::loopy_game) helps.
pub fn threats<const N: usize>(
    game: &dyn DynGame<N>,
    table: &ThreatTable<N>,
    at: &Key<N>,
    context: &SearchContext<'_>,
) -> Result<Threats, Halt> {
    ThreatSearch::new(game, table, context).position(at)
}

/// A search for threats that counts what it does.
pub struct ThreatSearch<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    table: &'a ThreatTable<N>,
    kernel: Kernel<'a>,
    path: FxHashSet<Key<N>>,
    nodes: u64,
    depth: usize,
}

impl<'a, const N: usize> ThreatSearch<'a, N> {
    /// A search that reads and fills `table`.
    pub fn new(game: &'a dyn DynGame<N>, table: &'a ThreatTable<N>, context: &SearchContext<'a>) -> Self {
        let kernel = context.store.kernel(context.budget);
        ThreatSearch { game, table, kernel, path: FxHashSet::default(), nodes: 0, depth: 0 }
    }

    /// How many times a position was taken out and its moves were made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The length of the longest line.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Result types and value of a position in which it is nobody's turn.
    pub fn position(&mut self, at: &Key<N>) -> Result<Threats, Halt> {
        if let Some(winner) = self.game.global_win(at) {
            return Ok(Threats::won_by(winner));
        }
        let (key, sign) = self.game.normalise(at);
        let known = match self.table.get(&key) {
            Some(ThreatFact::Full(threats)) => threats,
            other => {
                let winner = other.map(|fact| match fact {
                    ThreatFact::MoverWins(player) => player,
                    ThreatFact::Full(_) => unreachable!("handled above"),
                });
                self.full(&key, Player::Left, winner, None)?
            }
        };
        if sign == Sign::Plus { Ok(known) } else { known.negative(&self.kernel) }
    }

    /// What a position is worth to the analysis of the position before it, when it is the turn of `mover`.
    fn reply(&mut self, at: Key<N>, mover: Player) -> Result<Reply, Halt> {
        if let Some(winner) = self.game.global_win(&at) {
            return Ok(Reply::Won(winner));
        }
        let (key, sign) = self.game.normalise(&at);
        let turned = |player: Player| if sign == Sign::Plus { player } else { player.opponent() };
        let reply = match self.known_reply(&key, turned(mover)) {
            Some(reply) => reply,
            None => self.search_reply(&key, turned(mover))?,
        };
        Ok(match reply {
            Reply::Won(player) => Reply::Won(turned(player)),
            Reply::Value(value) if sign == Sign::Minus => Reply::Value(self.kernel.neg(value)?),
            value => value,
        })
    }

    fn known_reply(&self, key: &Key<N>, mover: Player) -> Option<Reply> {
        match self.table.get(key)? {
            ThreatFact::Full(threats) => Some(as_reply(&threats, mover)),
            ThreatFact::MoverWins(player) => (player == mover).then_some(Reply::Won(player)),
        }
    }

    fn search_reply(&mut self, key: &Key<N>, mover: Player) -> Result<Reply, Halt> {
        let winner = match self.table.get(key) {
            Some(ThreatFact::MoverWins(player)) => Some(player),
            _ => None,
        };
        self.enter(key)?;
        let side = deeper(|| self.side(key, mover));
        self.path.remove(key);
        match side? {
            Side::Wins if winner.is_none() => {
                self.table.finish(key, ThreatFact::MoverWins(mover));
                Ok(Reply::Won(mover))
            }
            side => Ok(as_reply(&self.full(key, mover, winner, Some(side))?, mover)),
        }
    }

    /// Everything about a position, given what is known: who wins moving first, and the side of `mover`.
    fn full(
        &mut self,
        key: &Key<N>,
        mover: Player,
        winner: Option<Player>,
        side: Option<Side>,
    ) -> Result<Threats, Halt> {
        let mut sides = [None, None];
        sides[mover as usize] = side;
        if let Some(player) = winner {
            sides[player as usize] = Some(Side::Wins);
        }
        if sides.iter().all(Option::is_none) {
            self.nodes += 1;
        }
        self.path.insert(*key);
        for player in [mover, mover.opponent()] {
            if sides[player as usize].is_none() {
                let side = deeper(|| self.side(key, player))?;
                sides[player as usize] = Some(side);
            }
        }
        self.path.remove(key);
        let [Some(left), Some(right)] = sides else { unreachable!("both sides were filled") };
        let value = self.kernel.from_options(left.options(Player::Left), right.options(Player::Right))?;
        let threats = Threats { left: left.kind(), right: right.kind(), value };
        self.table.finish(key, ThreatFact::Full(threats));
        Ok(threats)
    }

    fn enter(&mut self, key: &Key<N>) -> Result<(), Halt> {
        self.kernel.step()?;
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) {
            let bytes = self.table.bytes() + self.kernel.store().bytes();
            self.kernel.budget().spend(0, bytes)?;
        }
        if !self.path.insert(*key) {
            return Err(Halt::Repetition);
        }
        self.depth = self.depth.max(self.path.len());
        Ok(())
    }

    /// What one player's moves lead to. A move that wins makes all others superfluous, so those that are known to win
    /// are looked for first.
    fn side(&mut self, key: &Key<N>, player: Player) -> Result<Side, Halt> {
        let game = self.game;
        let mut nexts: SmallVec<[(Key<N>, i64, i32); 8]> = SmallVec::new();
        let (mut wins, mut stopped) = (false, Ok(()));
        let _ = game.successors(key, player, None, true, &mut |next| {
            stopped = self.kernel.work(1);
            if stopped.is_err() {
                return ControlFlow::Break(());
            }
            if game.global_win(&next.after) == Some(player) {
                wins = true;
                return ControlFlow::Break(());
            }
            nexts.push((next.after, next.points, next.order_score));
            ControlFlow::Continue(())
        });
        stopped?;
        if wins {
            return Ok(Side::Wins);
        }
        sort_by_key(&mut nexts, |&(_, _, order_score)| -order_score);
        for (next, _, _) in &nexts {
            let (next_key, sign) = game.normalise(next);
            let turned = |who: Player| if sign == Sign::Plus { who } else { who.opponent() };
            if let Some(Reply::Won(winner)) = self.known_reply(&next_key, turned(player.opponent()))
                && turned(winner) == player
            {
                return Ok(Side::Wins);
            }
        }
        let mut options = SmallVec::new();
        for (next, points, _) in nexts {
            match self.reply(next, player.opponent())? {
                Reply::Won(winner) if winner == player => return Ok(Side::Wins),
                Reply::Won(_) => {}
                Reply::Value(value) => options.push(self.kernel.add(value, self.kernel.integer(points))?),
            }
        }
        Ok(if options.is_empty() { Side::Loses } else { Side::Options(options) })
    }
}

fn as_reply(threats: &Threats, mover: Player) -> Reply {
    match threats.winner(mover) {
        Some(player) => Reply::Won(player),
        None => Reply::Value(threats.value),
    }
}
