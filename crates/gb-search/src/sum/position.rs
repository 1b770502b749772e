//! Decomposition search: a position of a game becomes components of a sum.

use std::cell::RefCell;
use std::ops::ControlFlow;

use crate::question::Reduced;
use crate::question::outcome::Winners;
use crate::repeat::LoopSolver;
use crate::solved::{find_ending, find_winners, memory_for};
use crate::{GameTables, LoopBounds, ScoreSearch, Scores, SearchContext, loop_bounds, search};
use gb_board::{Scene, Spot};
use gb_rules::{DynGame, Key, MoveKey, Player, Sign};
use gb_value::loopy::{Ending, LoopyError};
use gb_value::stoppers::{LoopyValue, SidedId, Stoppers};
use gb_value::{Dyadic, Halt, Kernel, Value};

use crate::sum::analysis::analyse;
use crate::sum::component::{Component, Move};

/// A component of a position, and what was found out about it.
#[derive(Clone, Debug)]
pub struct ExaminedComponent {
    /// The part as text.
    pub text: String,
    /// Where it is on the board, if the game says.
    pub spots: Vec<Spot>,
    /// Its value, or why that was not found.
    pub value: Result<Value, Halt>,
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
    pub components: Vec<ExaminedComponent>,
    /// The moves of Left and of Right, if they were asked for.
    pub moves: [Vec<BoardMove>; 2],
    /// In games that end in a score: the scores with best play.
    pub scores: Option<Scores>,
    /// In misère play, where positions have no values: who wins.
    pub misere: Option<Winners>,
}

/// A move on the board, and what it does to the component it is made in.
#[derive(Clone, Debug)]
pub struct BoardMove {
    /// The move as text.
    pub label: String,
    /// What to point at to make it.
    pub gesture: Vec<Spot>,
    /// The component it is made in, if there is one: a move that changes nothing of value may lie in none.
    pub component: Option<usize>,
    /// The value of that component afterwards.
    pub to: Result<Value, Halt>,
    /// The same where play can repeat, if that is no value of the store.
    pub loopy: Option<LoopyValue>,
    /// In games that end in a score: the score that best play leads to after the move.
    pub score: Option<Result<Dyadic, Halt>>,
    /// In misère play: how play ends after the move.
    pub ending: Option<Result<Ending, Halt>>,
}

impl Examined {
    /// A position that was not searched, because a limit was reached before its turn came.
    pub fn unsearched<const N: usize>(game: &dyn DynGame<N>, at: &Key<N>, stop: Halt) -> Examined {
        let text = game.show(at);
        let component = ExaminedComponent {
            text: text.clone(),
            spots: vec![],
            value: Err(stop),
            bounds: (None, None),
            loops: None,
            loopy: None,
        };
        Examined {
            game: game.info().name,
            position: text,
            scene: Scene::default(),
            components: vec![component],
            moves: Default::default(),
            scores: game.ends_in_score().then_some(Scores { left_first: Err(stop), right_first: Err(stop) }),
            misere: game.is_misere().then_some(Winners {
                left_first: Err(stop),
                right_first: Err(stop),
                nodes: 0,
            }),
        }
    }

    /// Whether all values were found.
    pub fn is_complete(&self) -> bool {
        self.components.iter().all(|r| r.value.is_ok()) && self.moves.iter().flatten().all(|m| m.to.is_ok())
    }

    /// Why some value was not found, be it with loops or without.
    pub fn stopped(&self) -> Option<Halt> {
        if let Some(winners) = &self.misere {
            let moves =
                self.moves.iter().flatten().map(|mv| mv.ending.unwrap_or(mv.to.and(Ok(Ending::Draw))));
            return winners.outcome().err().or_else(|| moves.filter_map(Result::err).next());
        }
        let components = self.components.iter().filter(|r| r.loopy.is_none()).map(|r| r.value);
        let moves = self.moves.iter().flatten().filter(|m| m.loopy.is_none()).map(|m| m.to);
        components.chain(moves).find_map(Result::err)
    }

    /// Integers between which the value of the whole position lies, as far as its parts are known or bounded.
    pub fn integer_bounds(&self) -> [Option<i64>; 2] {
        let total =
            |end: fn(&ExaminedComponent) -> Option<i64>| self.components.iter().map(end).sum::<Option<i64>>();
        [total(|r| r.bounds.0), total(|r| r.bounds.1)]
    }

    /// Whether some sum that has to be formed to judge the position is no stopper, because both players threaten to win
    /// everywhere.
    fn threats_meet(&self, kernel: &Kernel<'_>) -> bool {
        self.valued_components().and_then(|components| analyse(kernel, &components)).err()
            == Some(Halt::Loopy)
    }

    /// The value of the whole position where some part has loops; `None` where a part has no value, or their sum was not found.
    pub fn loopy_total(&self, kernel: &Kernel<'_>) -> Option<LoopyValue> {
        let mut games = Stoppers::new(kernel);
        let mut total = SidedId::from(Value::ZERO);
        for component in &self.components {
            let value = match &component.loopy {
                Some(loopy) => games.import(loopy).ok()?,
                None => component.value.ok()?.into(),
            };
            total = games.plus(total, value).ok()?;
        }
        games.export(total).ok()
    }

    /// The components with their values and moves, and last, if there are moves outside all of them, one for those.
    pub fn valued_components(&self) -> Result<Vec<Component>, Halt> {
        let mut components = vec![];
        for part in &self.components {
            let label = format!("{} {}", self.game, part.text);
            components.push(Component { label, value: part.value?, moves: Default::default() });
        }
        let mut elsewhere =
            Component { label: self.game.clone(), value: Value::ZERO, moves: Default::default() };
        for player in Player::BOTH {
            for mv in &self.moves[player as usize] {
                let component = match mv.component {
                    Some(index) => &mut components[index],
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
///
/// Where a player can win everywhere, parts that threaten to do so are not independent of each other, and their sum may
/// have no value. Then the board is searched as one game.
pub fn examine<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    moves: Moves,
    tables: &GameTables<N>,
    context: &SearchContext<'_>,
    finished: &dyn Fn(usize, usize, &ExaminedComponent),
) -> Examined {
    let boards = game.regions(at);
    let kernel = context.store.kernel(context.budget);
    let solver = RefCell::new(LoopSolver::new(game, &kernel));
    let examiner = Examiner { game, at, moves, tables, context, finished, solver: &solver };
    let spots: Vec<Spot> = boards.iter().flat_map(|(_, spots)| spots).copied().collect();
    if game.is_misere() {
        return examiner.misere(spots);
    }
    let mut scores = None;
    let mut scores_of_moves = [vec![], vec![]];
    if game.ends_in_score() {
        // First, because they cost less than values.
        let search = ScoreSearch::new(game, &tables.reduced, context);
        scores = Some(search.scores(at));
        if moves == Moves::Valued {
            scores_of_moves = Player::BOTH.map(|who| search.of_moves(at, who).unwrap_or_default());
        }
    }
    let mut examined = examiner.parts(boards);
    if scores.is_some() {
        for (moves, scores) in examined.moves.iter_mut().zip(scores_of_moves) {
            moves.iter_mut().zip(scores).for_each(|(mv, score)| mv.score = Some(score));
        }
        examined.scores = scores;
        return examined;
    }
    if game.has_global_wins() && examined.threats_meet(&context.store.kernel(context.budget)) {
        return examiner.whole(spots);
    }
    examined
}

struct Examiner<'a, 'k, 's, const N: usize> {
    game: &'a dyn DynGame<N>,
    at: &'a Key<N>,
    moves: Moves,
    tables: &'a GameTables<N>,
    context: &'a SearchContext<'a>,
    finished: &'a dyn Fn(usize, usize, &ExaminedComponent),
    solver: &'a RefCell<LoopSolver<'a, 'k, 's, N>>,
}

impl<const N: usize> Examiner<'_, '_, '_, N> {
    fn parts(&self, boards: Vec<(Key<N>, Vec<Spot>)>) -> Examined {
        let count = boards.len();
        let mut examined = self.examined();
        for (index, (board, spots)) in boards.iter().enumerate() {
            let component = self.component(board, spots.clone());
            (self.finished)(index, count, &component);
            examined.components.push(component);
        }
        let (game, kernel) = (self.game, self.context.store.kernel(self.context.budget));
        let before: Vec<(Key<N>, Sign)> = boards.iter().map(|(board, _)| game.normalise(board)).collect();
        let components = &examined.components;
        examined.moves = self.each_move(|player, mv, gesture| {
            let (next, points) = game.play(self.at, player, mv);
            let change = Change::between(game, &before, components, &next, gesture);
            let component = change.component(components, gesture);
            let to = match game.global_win(&next) {
                Some(Player::Left) => Ok(Value::ON),
                Some(Player::Right) => Ok(Value::OFF),
                None => change.value_of(component, components, points, &kernel, &|board| self.value(board)),
            };
            let loopy = match (to, change.only_new(component)) {
                (Err(Halt::Repetition), Some(board)) if points == 0 => self.with_loops(board),
                // What the move makes of the component is its mirror image.
                (Err(Halt::Repetition), None) if change.is_none() => {
                    component.and_then(|i| components[i].loopy.clone())
                }
                _ => None,
            };
            (component, to, loopy)
        });
        examined
    }

    /// The board as a single component.
    fn whole(&self, spots: Vec<Spot>) -> Examined {
        let mut examined = self.examined();
        let component = self.component(self.at, spots);
        (self.finished)(0, 1, &component);
        examined.components.push(component);
        examined.moves = self.each_move(|player, mv, _| {
            let (next, _) = self.game.play(self.at, player, mv);
            let to = self.value(&next);
            let loopy = if to == Err(Halt::Repetition) { self.with_loops(&next) } else { None };
            (Some(0), to, loopy)
        });
        examined
    }

    /// A board in misère play: one component, of which only outcomes are known.
    fn misere(&self, spots: Vec<Spot>) -> Examined {
        let (game, tables, context) = (self.game, self.tables, self.context);
        let mut examined = self.examined();
        let component = ExaminedComponent {
            text: game.show(self.at),
            spots,
            value: Err(Halt::Misere),
            bounds: (None, None),
            loops: None,
            loopy: None,
        };
        (self.finished)(0, 1, &component);
        examined.components.push(component);
        let mut memory = memory_for(context.budget);
        examined.misere = Some(find_winners(game, self.at, tables, &mut memory, context));
        examined.moves = self.each_move(|_, _, _| (Some(0), Err(Halt::Misere), None));
        for player in Player::BOTH {
            let mut nexts = vec![];
            let _ = game.moves(self.at, player, &mut |mv| {
                nexts.push(game.play(self.at, player, mv).0);
                ControlFlow::Continue(())
            });
            for (mv, next) in examined.moves[player as usize].iter_mut().zip(nexts) {
                let replies = player.opponent();
                mv.ending = Some(find_ending(game, &next, replies, tables, &mut memory, context));
            }
        }
        if let Some(stop) = examined.stopped() {
            examined.components[0].value = Err(stop);
        }
        examined
    }

    fn examined(&self) -> Examined {
        Examined {
            game: self.game.info().name,
            position: self.game.show(self.at),
            scene: self.game.scene(self.at),
            components: vec![],
            moves: Default::default(),
            scores: None,
            misere: None,
        }
    }

    /// The moves of both players if they were asked for, with what `judge` says of each.
    fn each_move(
        &self,
        judge: impl Fn(Player, MoveKey, &[Spot]) -> (Option<usize>, Result<Value, Halt>, Option<LoopyValue>),
    ) -> [Vec<BoardMove>; 2] {
        if self.moves == Moves::LeftOut {
            return Default::default();
        }
        let kernel = self.context.store.kernel(self.context.budget);
        // To take the board apart after a move costs the more the larger it is.
        let size = self.game.scene(self.at).items.len() as u32;
        Player::BOTH.map(|player| {
            let mut moves = vec![];
            let _ = self.game.moves(self.at, player, &mut |mv| {
                let gesture = self.game.gesture(self.at, player, mv);
                let label = self.game.move_text(self.at, player, mv);
                if let Err(stop) = kernel.work(1 + size / 16) {
                    // One move without a value says that the list is not complete.
                    moves.push(BoardMove {
                        label,
                        gesture,
                        component: None,
                        to: Err(stop),
                        loopy: None,
                        score: None,
                        ending: None,
                    });
                    return ControlFlow::Break(());
                }
                let (component, to, loopy) = judge(player, mv, &gesture);
                moves.push(BoardMove { label, gesture, component, to, loopy, score: None, ending: None });
                ControlFlow::Continue(())
            });
            moves
        })
    }

    fn value(&self, board: &Key<N>) -> Result<Value, Halt> {
        if self.game.ends_in_score()
            && search(self.game, &Reduced, &self.tables.reduced, board, self.context)?.is_err()
        {
            return Err(Halt::Zugzwang);
        }
        let plain = match self.moves {
            Moves::Valued => self.tables.value_with_options(self.game, board, self.context),
            Moves::LeftOut => self.tables.value(self.game, board, self.context),
        };
        match plain {
            // Play can repeat on the way, and the value be an ordinary one none the less.
            Err(Halt::Repetition) => {
                let found = self.solver.borrow_mut().value(board).map_err(stop_of)?;
                found.as_value().ok_or(Halt::Repetition)
            }
            known => known,
        }
    }

    /// The value of a board that can repeat.
    fn with_loops(&self, board: &Key<N>) -> Option<LoopyValue> {
        let mut solver = self.solver.borrow_mut();
        let value = solver.value(board).ok()?;
        solver.games().export(value).ok()
    }

    fn component(&self, board: &Key<N>, spots: Vec<Spot>) -> ExaminedComponent {
        let (game, context) = (self.game, self.context);
        let mut value = self.value(board);
        let (mut loops, mut loopy) = (None, None);
        if value == Err(Halt::Repetition) {
            loopy = self.with_loops(board);
            if loopy.is_none() {
                // The sides may be no stoppers: bounds are all there is.
                loops = loop_bounds(game, board, context).ok();
                value = loops.and_then(|l| l.value()).ok_or(Halt::Repetition);
            }
        }
        ExaminedComponent { text: game.show(board), spots, value, bounds: game.bounds(board), loops, loopy }
    }
}

/// Why there is no value, in the words of searches.
fn stop_of(error: LoopyError) -> Halt {
    match error {
        LoopyError::Halt(stop) => stop,
        _ => Halt::Repetition,
    }
}

/// What a move changes: the components that are gone, and those that are new.
struct Change<const N: usize> {
    gone: Vec<usize>,
    new: Vec<Key<N>>,
}

impl<const N: usize> Change<N> {
    /// `before` are the normal forms of the `components`, which are those of the board before the move.
    fn between(
        game: &dyn DynGame<N>,
        before: &[(Key<N>, Sign)],
        components: &[ExaminedComponent],
        next: &Key<N>,
        gesture: &[Spot],
    ) -> Change<N> {
        let mut gone: Vec<usize> = (0..before.len()).collect();
        let mut new = game.regions(next);
        // What stands where it stood is the same component; of equal ones elsewhere none that the move was made in.
        let mut keep = |is_same: &dyn Fn(usize, &[Spot]) -> bool| {
            new.retain(|(board, spots)| {
                let normal = game.normalise(board);
                let kept = gone.iter().position(|&i| before[i] == normal && is_same(i, spots));
                kept.map(|kept| gone.swap_remove(kept)).is_none()
            });
        };
        let pointed_at = |i: usize| gesture.iter().any(|spot| components[i].spots.contains(spot));
        keep(&|i, spots| components[i].spots == spots && !(spots.is_empty() || pointed_at(i)));
        keep(&|i, _| !pointed_at(i));
        gone.sort_unstable();
        Change { gone, new: new.into_iter().map(|(board, _)| board).collect() }
    }

    fn is_none(&self) -> bool {
        self.gone.is_empty() && self.new.is_empty()
    }

    /// What the move makes of the component, if that is all it does.
    fn only_new(&self, component: Option<usize>) -> Option<&Key<N>> {
        match (&self.new[..], &self.gone[..]) {
            ([board], &[gone]) if Some(gone) == component => Some(board),
            _ => None,
        }
    }

    /// The component in which the move was made: one that is gone, preferably where the gesture points.
    fn component(&self, components: &[ExaminedComponent], gesture: &[Spot]) -> Option<usize> {
        let pointed_at = |&i: &usize| gesture.iter().any(|spot| components[i].spots.contains(spot));
        let all = || 0..components.len();
        self.gone.iter().copied().find(|i| pointed_at(i)).or_else(|| {
            if self.gone.is_empty() { all().find(pointed_at) } else { self.gone.first().copied() }
        })
    }

    /// The value of the component after the move: what is new, less what else is gone.
    fn value_of(
        &self,
        component: Option<usize>,
        components: &[ExaminedComponent],
        points: i64,
        kernel: &Kernel<'_>,
        value: &impl Fn(&Key<N>) -> Result<Value, Halt>,
    ) -> Result<Value, Halt> {
        let mut to = kernel.integer(points);
        for board in &self.new {
            to = kernel.add(to, value(board)?)?;
        }
        for &i in &self.gone {
            if Some(i) != component {
                to = kernel.sub(to, components[i].value?)?;
            }
        }
        match component {
            Some(i) if !self.gone.contains(&i) => kernel.add(to, components[i].value?),
            _ => Ok(to),
        }
    }
}
