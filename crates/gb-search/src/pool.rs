//! Local games by number: a position is normalised and taken apart once, and its moves lead to lists of numbers. What works
//! on a pool knows no game any more, and plays sums of boards and sums of values alike.

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_rules::{Key, Player, Position, Sign, WIDEST};
use gb_value::{Dyadic, Kernel, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::AnySolved;
use crate::question::ExactValue;
use crate::score::{ScoreError, reduced_value};
use crate::search::{SearchContext, search};
use crate::with_solved;

/// A local game of a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ComponentId(u32);

impl ComponentId {
    /// Its number: the first local game has 0.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Local games side by side.
pub type ComponentIds = SmallVec<[ComponentId; 6]>;

/// A move in a local game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentMove {
    /// The points it earns for Left.
    pub points: Dyadic,
    /// What becomes of the local game.
    pub to: ComponentIds,
    /// Its place among all moves of the player, of which those that come to the same are left out.
    pub index: usize,
}

/// Local games, each known by its number, with their moves as far as they were asked for.
pub struct Pool<'a> {
    source: Source<'a>,
    moves: [FxHashMap<ComponentId, Arc<[ComponentMove]>>; 2],
}

/// Where the local games of a pool come from.
enum Source<'a> {
    Boards(Box<Boards>),
    Values(Values<'a>),
}

impl<'a> Pool<'a> {
    fn new(source: Source<'a>) -> Pool<'a> {
        Pool { source, moves: Default::default() }
    }

    /// A pool of the parts of a position, and those parts.
    pub fn of_board(position: &Position) -> (Pool<'a>, Vec<ComponentId>) {
        let mut boards =
            Boards { solved: position.game().clone().into(), boards: vec![], numbers: FxHashMap::default() };
        let parts = boards.parts(position.key(), Sign::Plus);
        (Pool::new(Source::Boards(Box::new(boards))), parts.into_vec())
    }

    /// A pool of values that are played until they are numbers; and those that are none yet, and the sum of the numbers.
    pub fn of_values(kernel: Kernel<'a>, values: &[Value]) -> (Pool<'a>, Vec<ComponentId>, Dyadic) {
        let mut source = Values { kernel, values: vec![], numbers: FxHashMap::default() };
        let mut score = Dyadic::ZERO;
        let mut components = vec![];
        for &value in values {
            let (points, local) = source.settle(value);
            score += &points;
            components.extend(local);
        }
        (Pool::new(Source::Values(source)), components, score)
    }

    /// The different moves of a player.
    pub fn moves(&mut self, at: ComponentId, who: Player) -> Arc<[ComponentMove]> {
        if let Some(known) = self.moves[who as usize].get(&at) {
            return known.clone();
        }
        let all = match &mut self.source {
            Source::Boards(boards) => boards.expand(at, who),
            Source::Values(values) => values.expand(at, who),
        };
        let mut different: Vec<ComponentMove> = vec![];
        for mv in all {
            if !different.iter().any(|other| other.points == mv.points && other.to == mv.to) {
                different.push(mv);
            }
        }
        let different: Arc<[ComponentMove]> = different.into();
        self.moves[who as usize].insert(at, different.clone());
        different
    }

    /// A guess at the value.
    pub fn estimate(&mut self, at: ComponentId) -> Result<Dyadic, ScoreError> {
        let guess = match &self.source {
            Source::Boards(boards) => boards.estimate(at),
            Source::Values(values) => values.kernel.mean(values.values[at.0 as usize]).ok(),
        };
        guess.ok_or_else(|| ScoreError::NoEstimate { game: self.name() })
    }

    /// The exact value; up to an infinitesimal where the game ends in a score.
    pub fn value(&mut self, at: ComponentId, kernel: &Kernel<'_>) -> Result<Value, ScoreError> {
        match &self.source {
            Source::Boards(boards) => boards.value(at, kernel),
            Source::Values(values) => Ok(values.values[at.0 as usize]),
        }
    }

    /// Whether values are known without search.
    pub fn is_value_known(&self) -> bool {
        matches!(self.source, Source::Values(_))
    }

    /// Whether the points decide, and not who moves last.
    pub fn ends_in_score(&self) -> bool {
        match &self.source {
            Source::Boards(boards) => with_solved!(&boards.solved, solved => solved.game.ends_in_score()),
            // Play stops at numbers, which are scores.
            Source::Values(_) => true,
        }
    }

    /// What the local games belong to.
    pub fn name(&self) -> String {
        match &self.source {
            Source::Boards(boards) => with_solved!(&boards.solved, solved => solved.game.info().name),
            Source::Values(_) => "a sum of values".into(),
        }
    }

    /// A local game as text.
    pub fn show(&self, at: ComponentId) -> String {
        match &self.source {
            Source::Boards(boards) => boards.show(at),
            Source::Values(values) => values.show(at),
        }
    }
}

/// Parts of positions of one game.
struct Boards {
    solved: AnySolved,
    boards: Vec<(Key<WIDEST>, Sign)>,
    numbers: FxHashMap<(Key<WIDEST>, Sign), ComponentId>,
}

impl Boards {
    fn parts(&mut self, at: &Key<WIDEST>, sign: Sign) -> ComponentIds {
        let pieces: Vec<(Key<WIDEST>, Sign)> = with_solved!(&self.solved, solved => {
            let mut pieces = vec![];
            solved.game.pieces(&at.resized(), &mut pieces);
            pieces.iter().map(|piece| (piece.key.resized(), piece.sign)).collect()
        });
        let number = |(normal, image): (Key<WIDEST>, Sign)| {
            let signed = (normal, if sign == Sign::Plus { image } else { -image });
            let next = ComponentId(self.boards.len() as u32);
            let number = *self.numbers.entry(signed).or_insert(next);
            if number == next {
                self.boards.push(signed);
            }
            number
        };
        pieces.into_iter().map(number).collect()
    }

    fn expand(&mut self, at: ComponentId, who: Player) -> Vec<ComponentMove> {
        let (board, sign) = self.boards[at.0 as usize];
        let as_whom = if sign == Sign::Plus { who } else { who.opponent() };
        let mut after = vec![];
        with_solved!(&self.solved, solved => {
            let _ = solved.game.options(&board.resized(), as_whom, &mut |next, points| {
                let points = if sign == Sign::Plus { points } else { -points };
                after.push((next.resized(), Dyadic::integer(points)));
                ControlFlow::Continue(())
            });
        });
        let number = |(index, (next, points))| ComponentMove { points, to: self.parts(&next, sign), index };
        after.into_iter().enumerate().map(number).collect()
    }

    fn estimate(&self, at: ComponentId) -> Option<Dyadic> {
        let (board, sign) = &self.boards[at.0 as usize];
        let guess = with_solved!(&self.solved, solved => solved.game.estimate(&board.resized()))?;
        Some(if *sign == Sign::Plus { guess } else { -guess })
    }

    fn value(&self, at: ComponentId, kernel: &Kernel<'_>) -> Result<Value, ScoreError> {
        let (board, sign) = &self.boards[at.0 as usize];
        let context = SearchContext::new(kernel.store(), kernel.budget());
        let value = with_solved!(&self.solved, solved => {
            let (game, tables, board) = (&*solved.game, &solved.tables, &board.resized());
            if game.ends_in_score() {
                reduced_value(game, board, &tables.reduced, &context)?
            } else {
                search(game, &ExactValue, &tables.values, board, &context)?
            }
        });
        Ok(if *sign == Sign::Plus { value } else { kernel.neg(value)? })
    }

    fn show(&self, at: ComponentId) -> String {
        let (board, sign) = &self.boards[at.0 as usize];
        let text = with_solved!(&self.solved, solved => solved.game.show(&board.resized()));
        if *sign == Sign::Plus { text } else { format!("-({text})") }
    }
}

/// Plain values: play stops at numbers, which are scores.
struct Values<'a> {
    kernel: Kernel<'a>,
    values: Vec<Value>,
    numbers: FxHashMap<Value, ComponentId>,
}

impl Values<'_> {
    /// A value as points and what is still to be played.
    fn settle(&mut self, value: Value) -> (Dyadic, Option<ComponentId>) {
        if let Some(number) = self.kernel.as_number(value) {
            return (number, None);
        }
        let next = ComponentId(self.values.len() as u32);
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        (Dyadic::ZERO, Some(number))
    }

    fn expand(&mut self, at: ComponentId, who: Player) -> Vec<ComponentMove> {
        let options: Vec<Value> = self.kernel.options(self.values[at.0 as usize], who).collect();
        let mv = |(index, option)| {
            let (points, to) = self.settle(option);
            ComponentMove { points, to: to.into_iter().collect(), index }
        };
        options.into_iter().enumerate().map(mv).collect()
    }

    fn show(&self, at: ComponentId) -> String {
        match self.kernel.show(self.values[at.0 as usize], &gb_value::text::Style::plain()) {
            Ok(shown) => shown.text,
            Err(_) => format!("value {}", at.0),
        }
    }
}
