//! Who cannot move wins.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{LazyLock, Mutex, PoisonError};

use gb_board::{BoardError, Scene, Size, Spot};

use crate::{Coding, Game, Heuristics, Info, Key, MoveKey, Notation, Player, Rules, Sampling};

/// Misère play of a game: who cannot move wins.
///
/// The engine knows one way to end, that who cannot move loses. So the game is widened by one move: a player who cannot move is
/// *stuck*, and says so; then it is over, and the opponent has no move. Who wins the widened game by moving last is who wins the game
/// itself by not being able to move, by induction over the moves, and where play never ends neither ends.
///
/// Nothing that a game claims for normal play holds here, not even that it is the sum of its parts: in Nim who begins loses a heap of
/// one token and two heaps of two, but wins two heaps of one. So parts, normal forms, theorems and bounds are all left behind.
#[derive(Clone, Debug)]
pub(super) struct Misere<const N: usize> {
    pub(super) game: Game<N>,
    /// Whether the name says that play is misère; otherwise the rules of the game do.
    pub(super) is_named: bool,
}

/// A board, or what is left when a player was stuck on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Stage<const N: usize> {
    Going(Key<N>),
    Over(Key<N>),
}

/// Who is stuck makes this move. Moves of games are numbers of 63 bits, and their variants add whose they are.
const STUCK: MoveKey = MoveKey(u64::MAX);
const STUCK_TEXT: &str = "stuck";
/// Follows the text of a board on which a player was stuck.
const OVER: &str = " (over)";

/// The keys of boards in a wider key, whose highest bit says whether it is over. Of the widest keys, which are as wide as those of their
/// boards, the last word is the size of a grid, or nothing.
pub(super) struct WithEnd;

const IS_OVER: u64 = 1 << 63;

impl<const N: usize, const M: usize> Coding<Stage<N>, M> for WithEnd {
    #[inline]
    fn key(&self, stage: &Stage<N>) -> Key<M> {
        let (Stage::Going(key) | Stage::Over(key)) = stage;
        let mut words: Key<M> = key.resized();
        debug_assert!(words.0[M - 1] & IS_OVER == 0, "the last word is a size or nothing");
        if matches!(stage, Stage::Over(_)) {
            words.0[M - 1] |= IS_OVER;
        }
        words
    }
    #[inline]
    fn board<'a>(&'a self, key: &'a Key<M>) -> Cow<'a, Stage<N>> {
        let mut words = *key;
        words.0[M - 1] &= !IS_OVER;
        Cow::Owned(if words == *key { Stage::Going(words.resized()) } else { Stage::Over(words.resized()) })
    }
}

/// The rules in words. Front ends show them as long as the program runs, so each is kept once.
fn rules_in_words(plain: &'static str) -> &'static str {
    static KEPT: LazyLock<Mutex<HashMap<&'static str, &'static str>>> = LazyLock::new(Mutex::default);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.entry(plain).or_insert_with(|| {
        let moves = plain.trim_end().strip_suffix("Who cannot move loses.").unwrap_or(plain);
        Box::leak(format!("{} Misère play: who cannot move wins.", moves.trim_end()).into_boxed_str())
    })
}

impl<const N: usize> Rules for Misere<N> {
    type Board = Stage<N>;
    type Move = MoveKey;

    fn info(&self) -> Info {
        let info = self.game.info();
        if !self.is_named {
            return info;
        }
        Info { name: format!("misere({})", info.name), rules: rules_in_words(info.rules), ..info }
    }
    fn read(&self, text: &str) -> Result<Stage<N>, BoardError> {
        match text.trim_end().strip_suffix(OVER) {
            Some(board) => Ok(Stage::Over(self.game.read(board)?)),
            None => Ok(Stage::Going(self.game.read(text)?)),
        }
    }
    fn show(&self, at: &Stage<N>) -> String {
        match at {
            Stage::Going(key) => self.game.show(key),
            Stage::Over(key) => format!("{}{OVER}", self.game.show(key)),
        }
    }
    fn moves(
        &self,
        at: &Stage<N>,
        who: Player,
        emit: &mut impl FnMut(MoveKey) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Stage::Going(key) = at else { return ControlFlow::Continue(()) };
        let mut is_stuck = true;
        self.game.moves(key, who, &mut |mv| {
            is_stuck = false;
            emit(mv)
        })?;
        if is_stuck { emit(STUCK) } else { ControlFlow::Continue(()) }
    }
    fn play(&self, at: &mut Stage<N>, who: Player, mv: &MoveKey) {
        if let Stage::Going(key) = *at {
            *at = match *mv {
                STUCK => Stage::Over(key),
                mv => Stage::Going(self.game.play(&key, who, mv).0),
            };
        }
    }
    /// Nothing is pointed at to be stuck: there is no other move.
    fn gesture(&self, at: &Stage<N>, who: Player, mv: &MoveKey) -> Vec<Spot> {
        match (at, *mv) {
            (Stage::Going(key), mv) if mv != STUCK => self.game.gesture(key, who, mv),
            _ => vec![],
        }
    }
    fn scene(&self, at: &Stage<N>) -> Scene {
        let (Stage::Going(key) | Stage::Over(key)) = at;
        self.game.scene(key)
    }
    fn start(&self, size: Size) -> Result<Stage<N>, BoardError> {
        Ok(Stage::Going(self.game.start(size)?))
    }
    fn parts(&self, at: &Stage<N>, emit: &mut impl FnMut(Stage<N>)) {
        if matches!(at, Stage::Going(_)) {
            emit(*at);
        }
    }
    /// One whole.
    fn regions(&self, at: &Stage<N>, emit: &mut impl FnMut(Stage<N>, Vec<Spot>)) {
        if let Stage::Going(key) = at {
            emit(*at, self.game.scene(key).items.iter().map(|item| item.spot).collect());
        }
    }
    crate::has!(misere, heuristics, sampling, notation);
}

impl<const N: usize> Heuristics<Stage<N>, MoveKey> for Misere<N> {
    /// Moves are a burden.
    fn static_eval(&self, at: &Stage<N>) -> Option<i32> {
        let [left, right] = Player::BOTH.map(|who| self.count_moves(at, who) as i32);
        Some(right - left)
    }
}

impl<const N: usize> Sampling<Stage<N>, MoveKey> for Misere<N> {
    fn count_moves(&self, at: &Stage<N>, who: Player) -> u32 {
        match at {
            Stage::Going(key) => self.game.count_moves(key, who).max(1),
            Stage::Over(_) => 0,
        }
    }
    fn random_move(&self, at: &Stage<N>, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<MoveKey> {
        let Stage::Going(key) = at else { return None };
        Some(self.game.random_move(key, who, below).unwrap_or_else(|| {
            below(1);
            STUCK
        }))
    }
}

impl<const N: usize> Notation<Stage<N>, MoveKey> for Misere<N> {
    fn move_text(&self, at: &Stage<N>, who: Player, mv: &MoveKey) -> Option<String> {
        Some(match (at, *mv) {
            (Stage::Going(key), mv) if mv != STUCK => self.game.move_text(key, who, mv),
            _ => STUCK_TEXT.to_owned(),
        })
    }
    fn to_play(&self, at: &Stage<N>) -> Option<Player> {
        let (Stage::Going(key) | Stage::Over(key)) = at;
        self.game.to_play(key)
    }
    fn why_illegal(&self, at: &Stage<N>, who: Player, text: &str) -> Option<String> {
        let Stage::Going(key) = at else { return Some("the game is over".to_owned()) };
        if self.game.count_moves(key, who) == 0 {
            return Some(format!("{who} cannot move, and says so with the move `{STUCK_TEXT}`"));
        }
        self.game.why_illegal(key, who, text)
    }
}
