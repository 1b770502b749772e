//! Local games by number: a position is normalised and taken apart once, and its moves lead to lists of numbers. What works
//! on a pool knows no game any more, and plays sums of boards and sums of values alike.

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_rules::{Game, Key, Piece, Player, Sign};
use gb_value::{Dyadic, Kernel, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::question::{ExactValue, Reduced};
use crate::score::{ScoreError, reduced_value};
use crate::search::{SearchContext, TableFor, search};

/// A local game of a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Local(u32);

impl Local {
    /// Its number: the first local game has 0.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Local games side by side.
pub type Locals = SmallVec<[Local; 6]>;

/// A move in a local game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalMove {
    /// The points it earns for Left.
    pub points: Dyadic,
    /// What becomes of the local game.
    pub to: Locals,
    /// Its place among all moves of the player, of which those that come to the same are left out.
    pub index: usize,
}

/// Where the local games of a pool come from.
pub trait Source: Send {
    /// All moves of a player. New local games get the next numbers.
    fn expand(&mut self, at: Local, who: Player) -> Vec<LocalMove>;
    /// A guess at the value, if there is a way to guess.
    fn estimate(&mut self, at: Local) -> Option<Dyadic>;
    /// The exact value; up to an infinitesimal where the game ends in a score.
    fn value(&mut self, at: Local, kernel: &Kernel<'_>) -> Result<Value, ScoreError>;
    /// Whether [`value`](Source::value) is known without search.
    fn is_value_known(&self) -> bool;
    /// Whether the points decide, and not who moves last.
    fn ends_in_score(&self) -> bool;
    /// What the local games belong to.
    fn name(&self) -> String;
    /// The local game as text.
    fn show(&self, at: Local) -> String;
}

/// Local games, each known by its number, with their moves as far as they were asked for.
pub struct Pool<'a> {
    source: Box<dyn Source + 'a>,
    moves: [FxHashMap<Local, Arc<[LocalMove]>>; 2],
}

impl<'a> Pool<'a> {
    /// An empty pool.
    pub fn new(source: Box<dyn Source + 'a>) -> Pool<'a> {
        Pool { source, moves: Default::default() }
    }

    /// A pool of the parts of a position, and those parts.
    pub fn of_board<const N: usize>(game: &Game<N>, at: &Key<N>) -> (Pool<'a>, Vec<Local>) {
        let mut boards = Boards {
            game: game.clone(),
            boards: vec![],
            numbers: FxHashMap::default(),
            exact: TableFor::<N, ExactValue>::new(),
            reduced: TableFor::<N, Reduced>::new(),
        };
        let parts = boards.parts(at, Sign::Plus);
        (Pool::new(Box::new(boards)), parts.into_vec())
    }

    /// A pool of values that are played until they are numbers; and those that are none yet, and the sum of the numbers.
    pub fn of_values(kernel: Kernel<'a>, values: &[Value]) -> (Pool<'a>, Vec<Local>, Dyadic) {
        let mut source = Values { kernel, values: vec![], numbers: FxHashMap::default() };
        let mut score = Dyadic::ZERO;
        let mut locals = vec![];
        for &value in values {
            let (points, local) = source.settle(value);
            score += &points;
            locals.extend(local);
        }
        (Pool::new(Box::new(source)), locals, score)
    }

    /// The different moves of a player.
    pub fn moves(&mut self, at: Local, who: Player) -> Arc<[LocalMove]> {
        if let Some(known) = self.moves[who as usize].get(&at) {
            return known.clone();
        }
        let mut different: Vec<LocalMove> = vec![];
        for mv in self.source.expand(at, who) {
            if !different.iter().any(|other| other.points == mv.points && other.to == mv.to) {
                different.push(mv);
            }
        }
        let different: Arc<[LocalMove]> = different.into();
        self.moves[who as usize].insert(at, different.clone());
        different
    }

    /// A guess at the value.
    pub fn estimate(&mut self, at: Local) -> Result<Dyadic, ScoreError> {
        match self.source.estimate(at) {
            Some(guess) => Ok(guess),
            None => Err(ScoreError::NoEstimate { game: self.source.name() }),
        }
    }

    /// The exact value; up to an infinitesimal where the game ends in a score.
    pub fn value(&mut self, at: Local, kernel: &Kernel<'_>) -> Result<Value, ScoreError> {
        self.source.value(at, kernel)
    }

    /// Whether values are known without search.
    pub fn is_value_known(&self) -> bool {
        self.source.is_value_known()
    }

    /// Whether the points decide, and not who moves last.
    pub fn ends_in_score(&self) -> bool {
        self.source.ends_in_score()
    }

    /// What the local games belong to.
    pub fn name(&self) -> String {
        self.source.name()
    }

    /// A local game as text.
    pub fn show(&self, at: Local) -> String {
        self.source.show(at)
    }
}

/// Parts of positions of one game.
struct Boards<const N: usize> {
    game: Game<N>,
    boards: Vec<(Key<N>, Sign)>,
    numbers: FxHashMap<(Key<N>, Sign), Local>,
    exact: TableFor<N, ExactValue>,
    reduced: TableFor<N, Reduced>,
}

impl<const N: usize> Boards<N> {
    fn parts(&mut self, at: &Key<N>, sign: Sign) -> Locals {
        let mut pieces: Vec<Piece<N>> = vec![];
        self.game.pieces(at, &mut pieces);
        pieces
            .into_iter()
            .map(|Piece { key: normal, sign: image, .. }| {
                let signed = (normal, if sign == Sign::Plus { image } else { -image });
                let next = Local(self.boards.len() as u32);
                let number = *self.numbers.entry(signed.clone()).or_insert(next);
                if number == next {
                    self.boards.push(signed);
                }
                number
            })
            .collect()
    }
}

impl<const N: usize> Source for Boards<N> {
    fn expand(&mut self, at: Local, who: Player) -> Vec<LocalMove> {
        let (board, sign) = self.boards[at.0 as usize].clone();
        let as_whom = if sign == Sign::Plus { who } else { who.opponent() };
        let mut after = vec![];
        let _ = self.game.successors(&board, as_whom, false, &mut |next| {
            let points = if sign == Sign::Plus { next.points } else { -next.points };
            after.push((next.after, Dyadic::integer(points)));
            ControlFlow::Continue(())
        });
        let number = |(index, (next, points))| LocalMove { points, to: self.parts(&next, sign), index };
        after.into_iter().enumerate().map(number).collect()
    }

    fn estimate(&mut self, at: Local) -> Option<Dyadic> {
        let (board, sign) = &self.boards[at.0 as usize];
        let guess = self.game.estimate(board)?;
        Some(if *sign == Sign::Plus { guess } else { -guess })
    }

    fn value(&mut self, at: Local, kernel: &Kernel<'_>) -> Result<Value, ScoreError> {
        let (board, sign) = &self.boards[at.0 as usize];
        let context = SearchContext::new(kernel.store(), kernel.budget());
        let value = if self.game.ends_in_score() {
            reduced_value(&*self.game, board, &self.reduced, &context)?
        } else {
            search(&*self.game, &ExactValue, &self.exact, board, &context)?
        };
        Ok(if *sign == Sign::Plus { value } else { kernel.neg(value)? })
    }

    fn is_value_known(&self) -> bool {
        false
    }

    fn ends_in_score(&self) -> bool {
        self.game.ends_in_score()
    }

    fn name(&self) -> String {
        self.game.info().name
    }

    fn show(&self, at: Local) -> String {
        let (board, sign) = &self.boards[at.0 as usize];
        let text = self.game.show(board);
        if *sign == Sign::Plus { text } else { format!("-({text})") }
    }
}

/// Plain values: play stops at numbers, which are scores.
struct Values<'a> {
    kernel: Kernel<'a>,
    values: Vec<Value>,
    numbers: FxHashMap<Value, Local>,
}

impl Values<'_> {
    /// A value as points and what is still to be played.
    fn settle(&mut self, value: Value) -> (Dyadic, Option<Local>) {
        if let Some(number) = self.kernel.as_number(value) {
            return (number, None);
        }
        let next = Local(self.values.len() as u32);
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        (Dyadic::ZERO, Some(number))
    }
}

impl Source for Values<'_> {
    fn expand(&mut self, at: Local, who: Player) -> Vec<LocalMove> {
        let options: Vec<Value> = self.kernel.options(self.values[at.0 as usize], who).collect();
        let mv = |(index, option)| {
            let (points, to) = self.settle(option);
            LocalMove { points, to: to.into_iter().collect(), index }
        };
        options.into_iter().enumerate().map(mv).collect()
    }

    /// The mean.
    fn estimate(&mut self, at: Local) -> Option<Dyadic> {
        self.kernel.mean(self.values[at.0 as usize]).ok()
    }

    fn value(&mut self, at: Local, _: &Kernel<'_>) -> Result<Value, ScoreError> {
        Ok(self.values[at.0 as usize])
    }

    fn is_value_known(&self) -> bool {
        true
    }

    fn ends_in_score(&self) -> bool {
        true
    }

    fn name(&self) -> String {
        "a sum of values".into()
    }

    fn show(&self, at: Local) -> String {
        match self.kernel.show(self.values[at.0 as usize], &gb_value::text::Style::plain()) {
            Ok(shown) => shown.text,
            Err(_) => format!("value {}", at.0),
        }
    }
}
