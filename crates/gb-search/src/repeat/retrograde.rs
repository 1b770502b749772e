//! Who wins a sum in which play can repeat, by retrograde analysis (K. Thompson, Retrograde analysis of certain endgames, ICCA
//! Journal 1986; Siegel, Combinatorial Game Theory, chapter VI).
//!
//! A state is a sum with a player to move. States are made forwards from the two that are asked about, and decided backwards at once:
//! a state is won for its mover as soon as one move leads to a loss, and lost as soon as all of them lead to wins, for which the moves that
//! remain are counted. So nothing is made that the answer does not wait for, and what is undecided when there is nothing
//! left to make is drawn: whoever could lose can go on for ever.

use std::collections::VecDeque;
use std::hash::Hash;

use gb_rules::{DynGame, Key, Player, Sign};
use gb_value::loopy::Ending;
use gb_value::{Halt, Kernel, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::question::outcome::Sum;
use crate::search::{SearchContext, boards_after};

/// How play ends for either player moving first, and how many states were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Endings {
    /// If Left begins, or why that is not known.
    pub left_first: Result<Ending, Halt>,
    /// If Right begins, or why that is not known.
    pub right_first: Result<Ending, Halt>,
    /// How many states were made.
    pub nodes: u64,
}

/// Finds how perfect play of a sum ends, whoever begins. Infinite play is a draw; a board that a player has won everywhere ends play.
pub fn endings<const N: usize>(game: &dyn DynGame<N>, sum: &Sum<N>, context: &SearchContext<'_>) -> Endings {
    let mut search = Retrograde::new(game, context);
    let stopped = search.run(sum).err();
    let [left_first, right_first] = [0, 1].map(|root| match (search.verdict(root), stopped) {
        (Some(ending), _) => Ok(ending),
        (None, Some(stop)) => Err(stop),
        (None, None) => Ok(Ending::Draw),
    });
    Endings { left_first, right_first, nodes: search.states.len() as u64 }
}

/// Boards with their signs, and everything else in two values (see [`Sum`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Place<const N: usize> {
    boards: SmallVec<[(Key<N>, Sign); 1]>,
    value: Value,
    subtrahend: Value,
}

#[derive(Clone, Copy)]
struct State {
    mover: Player,
    verdict: Option<Ending>,
    /// Moves that are not known to lose; one more as long as not all moves were made.
    left: u32,
    /// The first of the states with a move to this one, as a link.
    parents: u32,
}

#[derive(Clone, Copy)]
struct Link {
    parent: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;

struct Retrograde<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    kernel: Kernel<'a>,
    index: FxHashMap<(Place<N>, Player), u32>,
    states: Vec<State>,
    links: Vec<Link>,
    /// States whose moves were not made.
    open: VecDeque<(Place<N>, u32)>,
    decided: Vec<u32>,
    next_check: usize,
}

impl<'a, const N: usize> Retrograde<'a, N> {
    fn new(game: &'a dyn DynGame<N>, context: &SearchContext<'a>) -> Self {
        Retrograde {
            game,
            kernel: context.store.kernel(context.budget),
            index: FxHashMap::default(),
            states: vec![],
            links: vec![],
            open: VecDeque::new(),
            decided: vec![],
            next_check: 0,
        }
    }

    fn verdict(&self, state: usize) -> Option<Ending> {
        self.states.get(state)?.verdict
    }

    fn run(&mut self, sum: &Sum<N>) -> Result<(), Halt> {
        let boards = sum.boards.iter().map(|(board, sign)| self.normal(*board, *sign)).collect();
        let root = Place { boards, value: sum.value, subtrahend: sum.subtrahend };
        for mover in Player::BOTH {
            self.state(root.clone(), mover)?;
        }
        self.propagate();
        while let Some((place, at)) = self.open.pop_front() {
            if self.states[at as usize].verdict.is_some() {
                continue;
            }
            self.expand(&place, at)?;
            self.propagate();
            if self.verdict(0).is_some() && self.verdict(1).is_some() {
                break;
            }
        }
        Ok(())
    }

    /// A board as it stands in the table. Only boards of games in which nobody wins everywhere are ever taken apart, and not here:
    /// what can repeat is one piece mostly.
    fn normal(&self, board: Key<N>, sign: Sign) -> (Key<N>, Sign) {
        if self.game.has_global_wins() {
            let (board, turned) = self.game.normalise(&board);
            return (board, if turned == Sign::Plus { sign } else { -sign });
        }
        (board, sign)
    }

    /// The number of a state; a new one is opened.
    fn state(&mut self, place: Place<N>, mover: Player) -> Result<u32, Halt> {
        let fresh = self.states.len() as u32;
        let key = (place, mover);
        if let Some(&known) = self.index.get(&key) {
            return Ok(known);
        }
        self.kernel.step()?;
        self.check_bytes()?;
        let winner = key.0.boards.iter().find_map(|(board, sign)| {
            let winner = self.game.global_win(board)?;
            Some(if *sign == Sign::Plus { winner } else { winner.opponent() })
        });
        let verdict = winner.map(Ending::won_by);
        self.states.push(State { mover, verdict, left: 1, parents: NONE });
        match verdict {
            Some(_) => self.decided.push(fresh),
            None => self.open.push_back((key.0.clone(), fresh)),
        }
        self.index.insert(key, fresh);
        Ok(fresh)
    }

    /// Asks the budget before a table grows, and every so many states.
    fn check_bytes(&mut self) -> Result<(), Halt> {
        let (states, keys) = (self.states.len(), self.index.len());
        let state_bytes = self.states.capacity() * size_of::<State>();
        let index_bytes = self.index.capacity() * (size_of::<(Place<N>, Player, u32)>() + 1);
        // A table that grows is there twice for a while, once of double size.
        let growth = 2 * if states == self.states.capacity() { state_bytes } else { 0 }
            + 2 * if keys == self.index.capacity() { index_bytes } else { 0 };
        if states < self.next_check && growth == 0 {
            return Ok(());
        }
        self.next_check = states + 1024;
        let bytes = state_bytes
            + index_bytes
            + self.links.capacity() * size_of::<Link>()
            + self.open.capacity() * size_of::<(Place<N>, u32)>()
            + growth;
        let budget = self.kernel.budget();
        budget.room(growth as u64)?;
        budget.spend(0, bytes as u64 + self.kernel.store().bytes())
    }

    /// Makes all moves of a state.
    fn expand(&mut self, place: &Place<N>, at: u32) -> Result<(), Halt> {
        let who = self.states[at as usize].mover;
        let mut nexts: Vec<Place<N>> = vec![];
        let (game, kernel) = (self.game, &self.kernel);
        for (i, (board, sign)) in place.boards.iter().enumerate() {
            let mover = if *sign == Sign::Plus { who } else { who.opponent() };
            let made = boards_after(game, board, mover, kernel)?;
            for (next, points) in made {
                let mut after = place.clone();
                after.boards[i] = self.normal(next, *sign);
                if points != 0 {
                    let points = if *sign == Sign::Plus { points } else { -points };
                    after.value = kernel.add(after.value, kernel.integer(points))?;
                }
                nexts.push(after);
            }
        }
        // A nimber has as many options as its number says.
        let (values, subtrahends) =
            (kernel.options(place.value, who), kernel.options(place.subtrahend, who.opponent()));
        let bytes = (values.len() + subtrahends.len()) * size_of::<Place<N>>();
        kernel.budget().room(bytes as u64)?;
        for value in values {
            kernel.work(1)?;
            nexts.push(Place { value, ..place.clone() });
        }
        for subtrahend in subtrahends {
            kernel.work(1)?;
            nexts.push(Place { subtrahend, ..place.clone() });
        }
        let mut left = 0;
        for next in nexts {
            let to = self.state(next, who.opponent())?;
            match self.states[to as usize].verdict {
                Some(ending) if ending == Ending::won_by(who) => return self.decide(at, ending),
                // Won by the opponent.
                Some(_) => {}
                None => {
                    left += 1;
                    let next = self.states[to as usize].parents;
                    self.states[to as usize].parents = self.links.len() as u32;
                    self.links.push(Link { parent: at, next });
                }
            }
        }
        self.states[at as usize].left = left;
        if left == 0 { self.decide(at, Ending::won_by(who.opponent())) } else { Ok(()) }
    }

    fn decide(&mut self, at: u32, ending: Ending) -> Result<(), Halt> {
        self.states[at as usize].verdict = Some(ending);
        self.decided.push(at);
        Ok(())
    }

    /// What follows from what was decided.
    fn propagate(&mut self) {
        while let Some(at) = self.decided.pop() {
            let State { verdict, mut parents, .. } = self.states[at as usize];
            while parents != NONE {
                let Link { parent, next } = self.links[parents as usize];
                parents = next;
                let above = &mut self.states[parent as usize];
                if above.verdict.is_some() {
                    continue;
                }
                if verdict == Some(Ending::won_by(above.mover)) {
                    above.verdict = verdict;
                } else {
                    above.left -= 1;
                    if above.left > 0 {
                        continue;
                    }
                    above.verdict = verdict;
                }
                self.decided.push(parent);
            }
        }
    }
}
