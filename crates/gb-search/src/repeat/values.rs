//! Values of positions that can repeat.

use gb_rules::{DynGame, Key, Player, Sign};
use gb_value::loopy::LoopyError;
use gb_value::stoppers::{Equations, Opt, SidedId, Stoppers};
use gb_value::{Halt, Kernel, Value};
use rustc_hash::FxHashMap;

use crate::search::boards_after;

/// Finds values of positions of one game, and keeps them: all positions that can be reached from one that was asked about.
pub struct LoopSolver<'a, 'k, 's, const N: usize> {
    game: &'a dyn DynGame<N>,
    games: Stoppers<'k, 's>,
    known: FxHashMap<Key<N>, SidedId>,
    charged: u64,
}

/// The positions of one question, in the order in which they were found.
struct Found<B> {
    numbers: FxHashMap<B, u32>,
    boards: Vec<B>,
}

impl<'a, 'k, 's, const N: usize> LoopSolver<'a, 'k, 's, N> {
    /// Nothing is known yet.
    pub fn new(game: &'a dyn DynGame<N>, kernel: &'k Kernel<'s>) -> Self {
        LoopSolver { game, games: Stoppers::new(kernel), known: FxHashMap::default(), charged: 0 }
    }

    /// The values found, and what can be done with them.
    pub fn games(&mut self) -> &mut Stoppers<'k, 's> {
        &mut self.games
    }

    /// How many positions are known.
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    /// The value of a position: a stopper, or two sides.
    ///
    /// # Errors
    /// When the budget runs out; when sidling does not come to rest; [`Halt::Repetition`] if points are earned on the way, which have no
    /// value where play can go round for ever.
    pub fn value(&mut self, at: &Key<N>) -> Result<SidedId, LoopyError> {
        let (game, kernel) = (self.game, self.games.kernel());
        let mut found = Found { numbers: FxHashMap::default(), boards: vec![] };
        let mut graph = Equations::default();
        let root = match self.option(*at, &mut found)? {
            Opt::Known(value) => return Ok(value),
            Opt::Node(root) => root,
        };
        let mut sides: [Vec<Opt>; 2] = Default::default();
        while let Some(board) = found.boards.get(graph.len()).cloned() {
            kernel.step()?;
            self.account(&found, &graph)?;
            for player in Player::BOTH {
                let nexts = boards_after(game, &board, player, kernel)?;
                if nexts.iter().any(|&(_, points)| points != 0) {
                    return Err(Halt::Repetition.into());
                }
                let options = &mut sides[player as usize];
                options.clear();
                for (next, _) in nexts {
                    options.push(self.option(next, &mut found)?);
                }
            }
            graph.push(&sides[0], &sides[1]);
        }
        let values = self.games.solve(&graph)?;
        let value = values[root as usize];
        self.known.extend(found.boards.into_iter().zip(values));
        self.account(&Found { numbers: FxHashMap::default(), boards: vec![] }, &Equations::default())?;
        Ok(value)
    }

    /// A position as an option: its value if that is known, otherwise its number, and a new one is opened.
    fn option(&mut self, board: Key<N>, found: &mut Found<Key<N>>) -> Result<Opt, LoopyError> {
        match self.game.global_win(&board) {
            Some(Player::Left) => return Ok(Opt::of(Value::ON)),
            Some(Player::Right) => return Ok(Opt::of(Value::OFF)),
            None => {}
        }
        let (normal, sign) = self.game.normalise(&board);
        // The graph has no moves to negatives of positions, so those that are normal only when turned stay as they are.
        let board = if sign == Sign::Plus { normal } else { board };
        if let Some(&value) = self.known.get(&board) {
            return Ok(Opt::Known(value));
        }
        if let Some(&number) = found.numbers.get(&board) {
            return Ok(Opt::Node(number));
        }
        let number = found.boards.len() as u32;
        if found.numbers.len() == found.numbers.capacity() {
            // The table is about to be twice as large, and the old one is still there then.
            let growth = 2 * (found.numbers.capacity() * (size_of::<Key<N>>() + 5)) as u64;
            self.games.kernel().budget().room(growth)?;
            self.games.charge(growth)?;
            self.games.release(growth);
        }
        found.numbers.insert(board, number);
        found.boards.push(board);
        Ok(Opt::Node(number))
    }

    /// Charges for the tables of positions.
    fn account(&mut self, found: &Found<Key<N>>, graph: &Equations) -> Result<(), LoopyError> {
        let board = size_of::<Key<N>>();
        let bytes = found.numbers.capacity() * (board + 5)
            + found.boards.capacity() * board
            + self.known.capacity() * (board + size_of::<SidedId>() + 1);
        let bytes = bytes as u64 + graph.bytes();
        if bytes > self.charged {
            self.games.charge(bytes - self.charged)?;
        } else if bytes < self.charged {
            self.games.release(self.charged - bytes);
        }
        self.charged = bytes;
        Ok(())
    }
}
