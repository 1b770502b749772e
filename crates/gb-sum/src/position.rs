//! Decomposition search: a position of a game becomes components of a sum.

use std::cell::RefCell;
use std::ops::ControlFlow;

use gb_board::{Scene, Spot};
use gb_game::{Player, Rules, Sign};
use gb_local::repeat::LoopSolver;
use gb_local::{Bench, GameTables, LoopBounds, loop_bounds};
use gb_value::loopy::LoopyError;
use gb_value::stoppers::{LoopyValue, SidedId, Stoppers};
use gb_value::{Kernel, Stop, Value};

use crate::component::{Component, Move};

/// One part of a position.
#[derive(Clone, Debug)]
pub struct Region {
    /// The part as text.
    pub text: String,
    /// Where it is on the board, if the game says.
    pub spots: Vec<Spot>,
    /// Its value, or why that was not found.
    pub value: Result<Value, Stop>,
    /// Integers that bound the value, where the game knows some.
    pub bounds: (Option<i64>, Option<i64>),
    /// Where play can repeat: the value if Left may not repeat, and if Right may not.
    pub loops: Option<LoopBounds>,
    /// Where play can repeat: the value, if that is no value of the store.
    pub loopy: Option<LoopyValue>,
}

/// A position taken apart.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The name of the game.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// The position to look at.
    pub scene: Scene,
    /// Its parts.
    pub regions: Vec<Region>,
    /// The moves of Left and of Right, if they were asked for.
    pub moves: [Vec<RegionMove>; 2],
}

/// A move on the board, and what it does to the region it is made in.
#[derive(Clone, Debug)]
pub struct RegionMove {
    /// The move as text.
    pub label: String,
    /// What to point at to make it.
    pub gesture: Vec<Spot>,
    /// The region it is made in, if there is one: a move that changes nothing of value may lie in none.
    pub region: Option<usize>,
    /// The value of that region afterwards.
    pub to: Result<Value, Stop>,
    /// The same where play can repeat, if that is no value of the store.
    pub loopy: Option<LoopyValue>,
}

impl Examined {
    /// Whether all values were found.
    pub fn is_complete(&self) -> bool {
        self.regions.iter().all(|r| r.value.is_ok()) && self.moves.iter().flatten().all(|m| m.to.is_ok())
    }

    /// Why some value was not found, be it with loops or without.
    pub fn stopped(&self) -> Option<Stop> {
        let regions = self.regions.iter().filter(|r| r.loopy.is_none()).map(|r| r.value);
        let moves = self.moves.iter().flatten().filter(|m| m.loopy.is_none()).map(|m| m.to);
        regions.chain(moves).find_map(Result::err)
    }

    /// Integers between which the value of the whole position lies, as far as its parts are known or bounded.
    pub fn integer_bounds(&self) -> [Option<i64>; 2] {
        let total = |end: fn(&Region) -> Option<i64>| self.regions.iter().map(end).sum::<Option<i64>>();
        [total(|r| r.bounds.0), total(|r| r.bounds.1)]
    }

    /// The value of the whole position where some part has loops; `None` where a part has no value, or their sum was not found.
    pub fn loopy_total(&self, kernel: &Kernel<'_>) -> Option<LoopyValue> {
        let mut games = Stoppers::new(kernel);
        let mut total = SidedId::from(Value::ZERO);
        for region in &self.regions {
            let value = match &region.loopy {
                Some(loopy) => games.import(loopy).ok()?,
                None => region.value.ok()?.into(),
            };
            total = games.plus(total, value).ok()?;
        }
        games.export(total).ok()
    }

    /// The regions as components of a sum, and last, if there are moves outside all regions, a component for those.
    pub fn components(&self) -> Result<Vec<Component>, Stop> {
        let mut components = vec![];
        for region in &self.regions {
            let label = format!("{} {}", self.game, region.text);
            components.push(Component { label, value: region.value?, moves: Default::default() });
        }
        let mut elsewhere =
            Component { label: self.game.clone(), value: Value::ZERO, moves: Default::default() };
        for player in Player::BOTH {
            for mv in &self.moves[player as usize] {
                let component = match mv.region {
                    Some(region) => &mut components[region],
                    None => &mut elsewhere,
                };
                component.moves[player as usize].push(Move { label: mv.label.clone(), to: mv.to? });
            }
        }
        if elsewhere.moves.iter().any(|m| !m.is_empty()) {
            components.push(elsewhere);
        }
        Ok(components)
    }
}

/// What to find out about the moves on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// What each leaves.
    Valued,
    /// Nothing, not even which there are: the value of a position is often found without those of its options.
    LeftOut,
}

/// Takes a position apart and searches its parts. `finished` is told each time a part is done: its index, how many
/// there are, and what was found.
pub fn examine<R: Rules>(
    rules: &R,
    at: &R::Board,
    moves: Moves,
    tables: &GameTables<R>,
    bench: &Bench<'_>,
    finished: &dyn Fn(usize, usize, &Region),
) -> Examined {
    let mut boards = vec![];
    rules.regions(at, &mut |board, spots| boards.push((board, spots)));
    let count = boards.len();
    let kernel = bench.store.kernel(bench.budget);
    let plain_value = |board: &R::Board| match moves {
        Moves::Valued => tables.value_with_options(rules, board, bench),
        Moves::LeftOut => tables.value(rules, board, bench),
    };
    let solver = RefCell::new(LoopSolver::new(rules, &kernel));
    let with_loops = |board: &R::Board| solver.borrow_mut().value(board);
    let value = |board: &R::Board| match plain_value(board) {
        // Play can repeat on the way, and the value be an ordinary one none the less.
        Err(Stop::Repetition) => with_loops(board).map_err(stop_of)?.as_value().ok_or(Stop::Repetition),
        known => known,
    };
    let export = |id: SidedId| solver.borrow_mut().games().export(id).ok();
    let mut regions = vec![];
    for (index, (board, spots)) in boards.iter().enumerate() {
        let mut value = value(board);
        let (mut loops, mut loopy) = (None, None);
        if value == Err(Stop::Repetition) {
            match with_loops(board) {
                Ok(found) => loopy = export(found),
                // The sides may be no stoppers: bounds are all there is.
                Err(LoopyError::NoSides { .. } | LoopyError::TooLarge { .. }) => {
                    loops = loop_bounds(rules, board, bench).ok();
                    value = loops.and_then(|l| l.value()).ok_or(Stop::Repetition);
                }
                Err(other) => value = Err(stop_of(other)),
            }
        }
        let (text, spots, bounds) = (rules.show(board), spots.clone(), rules.bounds(board));
        let region = Region { text, spots, value, bounds, loops, loopy };
        finished(index, count, &region);
        regions.push(region);
    }
    let mut examined = Examined {
        game: rules.info().name,
        position: rules.show(at),
        scene: rules.scene(at),
        regions,
        moves: Default::default(),
    };
    if moves == Moves::LeftOut {
        return examined;
    }
    let regions = &examined.regions;
    let before: Vec<(R::Board, Sign)> = boards.into_iter().map(|(board, _)| rules.normalise(board)).collect();
    examined.moves = Player::BOTH.map(|player| {
        let mut moves = vec![];
        let _ = rules.moves(at, player, &mut |mv| {
            let gesture = rules.gesture(at, player, &mv);
            let points = rules.points(at, player, &mv);
            let mut next = at.clone();
            rules.play(&mut next, player, &mv);
            let change = Change::between(rules, &before, &next);
            let region = change.region(regions, &gesture);
            let to = match rules.global_win(&next) {
                Some(Player::Left) => Ok(Value::ON),
                Some(Player::Right) => Ok(Value::OFF),
                None => change.value_of(region, regions, points, &kernel, &value),
            };
            let loopy = match (to, change.only_new(region)) {
                (Err(Stop::Repetition), Some(board)) if points == 0 => {
                    with_loops(board).ok().and_then(export)
                }
                // The mirror image of what was there.
                (Err(Stop::Repetition), None) if change.is_none() => {
                    region.and_then(|i| regions[i].loopy.clone())
                }
                _ => None,
            };
            let label = rules.move_text(at, player, &mv);
            moves.push(RegionMove { label, gesture, region, to, loopy });
            ControlFlow::Continue(())
        });
        moves
    });
    examined
}

/// Why there is no value, in the words of searches.
fn stop_of(error: LoopyError) -> Stop {
    match error {
        LoopyError::Stop(stop) => stop,
        _ => Stop::Repetition,
    }
}

/// What a move changes: the regions that are gone, and those that are new.
struct Change<B> {
    gone: Vec<usize>,
    new: Vec<B>,
}

impl<B: Clone + PartialEq> Change<B> {
    fn between<R: Rules<Board = B>>(rules: &R, before: &[(B, Sign)], next: &B) -> Change<B> {
        let mut gone: Vec<usize> = (0..before.len()).collect();
        let mut new = vec![];
        rules.regions(next, &mut |board, _| {
            let normal = rules.normalise(board.clone());
            match gone.iter().position(|&i| before[i] == normal) {
                Some(kept) => {
                    gone.swap_remove(kept);
                }
                None => new.push(board),
            }
        });
        Change { gone, new }
    }

    fn is_none(&self) -> bool {
        self.gone.is_empty() && self.new.is_empty()
    }

    /// What the move makes of the region, if that is all it does.
    fn only_new(&self, region: Option<usize>) -> Option<&B> {
        match (&self.new[..], &self.gone[..]) {
            ([board], &[gone]) if Some(gone) == region => Some(board),
            _ => None,
        }
    }

    /// The region in which the move was made: one that is gone, preferably where the gesture points.
    fn region(&self, regions: &[Region], gesture: &[Spot]) -> Option<usize> {
        let pointed_at = |&i: &usize| gesture.iter().any(|spot| regions[i].spots.contains(spot));
        let all = || 0..regions.len();
        self.gone.iter().copied().find(|i| pointed_at(i)).or_else(|| {
            if self.gone.is_empty() { all().find(pointed_at) } else { self.gone.first().copied() }
        })
    }

    /// The value of the region after the move: what is new, less what else is gone.
    fn value_of(
        &self,
        region: Option<usize>,
        regions: &[Region],
        points: i64,
        kernel: &Kernel<'_>,
        value: &impl Fn(&B) -> Result<Value, Stop>,
    ) -> Result<Value, Stop> {
        let mut to = kernel.integer(points);
        for board in &self.new {
            to = kernel.add(to, value(board)?)?;
        }
        for &i in &self.gone {
            if Some(i) != region {
                to = kernel.sub(to, regions[i].value?)?;
            }
        }
        match region {
            Some(i) if !self.gone.contains(&i) => kernel.add(to, regions[i].value?),
            _ => Ok(to),
        }
    }
}
