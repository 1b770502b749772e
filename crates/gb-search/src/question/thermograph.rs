//! Thermographs without canonical forms, which stay small where canonical forms explode.
//!
//! The thermograph of a sum does not follow from those of its parts, unless all but one are numbers. Other sums are
//! searched as positions of their own, so this is the question for a hot part, not for a board of many.

use std::cell::RefCell;
use std::sync::Arc;

use gb_board::sort_by_key;
use gb_rules::{DynGame, Expansion, Key, Piece, Player, Sign};
use gb_value::{Dyadic, Halt, Kernel, Thermograph, ValueError, deeper};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::question::{ThreatTable, threats};
use crate::search::SearchContext;
use crate::table::Archive;

/// The thermograph of a position. There is none where a player threatens to win everywhere.
pub fn thermograph<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    context: &SearchContext<'_>,
) -> Result<Arc<Thermograph>, ValueError> {
    thermograph_with(game, at, None, context)
}

/// The same; nothing is searched that an archive knows.
pub fn thermograph_with<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    archive: Option<&dyn Archive<Key<N>, Arc<Thermograph>>>,
    context: &SearchContext<'_>,
) -> Result<Arc<Thermograph>, ValueError> {
    let kernel = context.store.kernel(context.budget);
    if game.has_global_wins() {
        // Such boards are not taken apart: their parts may threaten each other.
        let value = threats(game, &ThreatTable::<N>::new(), at, context)?.value;
        return kernel.thermograph(value);
    }
    let search = Search {
        game,
        kernel: &kernel,
        archive,
        parts: RefCell::default(),
        sums: RefCell::default(),
        path: RefCell::default(),
    };
    search.sum(search.split(at))
}

/// A part in normal form.
type Component<const N: usize> = (Key<N>, Sign);
/// What a move leaves: parts, and points.
type Left<const N: usize> = (Vec<Component<N>>, i64);

struct Search<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    kernel: &'a Kernel<'a>,
    archive: Option<&'a dyn Archive<Key<N>, Arc<Thermograph>>>,
    parts: RefCell<FxHashMap<Key<N>, Arc<Thermograph>>>,
    /// By the parts in an order that depends on what they are alone.
    sums: RefCell<FxHashMap<Vec<Component<N>>, Arc<Thermograph>>>,
    path: RefCell<Vec<Key<N>>>,
}

impl<const N: usize> Search<'_, N> {
    fn split(&self, at: &Key<N>) -> Vec<Component<N>> {
        let mut pieces: Vec<Piece<N>> = vec![];
        self.game.pieces(at, &mut pieces);
        pieces.iter().map(|piece| (piece.key, piece.sign)).collect()
    }

    /// The thermograph of a sum of parts.
    fn sum(&self, parts: Vec<Component<N>>) -> Result<Arc<Thermograph>, ValueError> {
        let mut number = Dyadic::from(0);
        let mut hot = vec![];
        let mut last = None;
        for (board, sign) in parts {
            let graph = self.part(&board)?;
            let graph = if sign == Sign::Minus { Arc::new(graph.negate()) } else { graph };
            if graph.is_number() {
                number += graph.mean();
            } else {
                hot.push((board, sign));
                last = Some(graph);
            }
        }
        let graph = match (hot.len(), last) {
            (0, _) | (_, None) => return Ok(Arc::new(Thermograph::of_number(&number))),
            (1, Some(graph)) => graph,
            _ => self.hot_sum(hot)?,
        };
        Ok(if number.is_zero() { graph } else { Arc::new(graph.translate(&number)) })
    }

    /// The thermograph of a sum of at least two parts that are no numbers, by its options.
    fn hot_sum(&self, mut parts: Vec<Component<N>>) -> Result<Arc<Thermograph>, ValueError> {
        sort_by_key(&mut parts, |(board, sign)| (*board, *sign == Sign::Minus));
        let key = parts;
        if let Some(graph) = self.sums.borrow().get(&key) {
            return Ok(graph.clone());
        }
        self.kernel.step()?;
        let mut sides: [Vec<Arc<Thermograph>>; 2] = Default::default();
        for i in 0..key.len() {
            let (board, sign) = &key[i];
            let rest: Vec<Component<N>> =
                key.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| *p).collect();
            for player in Player::BOTH {
                // In the negative of the normal form the players have changed places.
                let mover = if *sign == Sign::Minus { player.opponent() } else { player };
                for (mut new, points) in self.options(board, mover)? {
                    let points = if *sign == Sign::Minus { -points } else { points };
                    if *sign == Sign::Minus {
                        new.iter_mut().for_each(|(_, s)| *s = -*s);
                    }
                    new.extend(rest.iter().cloned());
                    sides[player as usize].push(self.option(new, points)?);
                }
            }
        }
        let graph = self.compose(&sides);
        self.sums.borrow_mut().insert(key, graph.clone());
        Ok(graph)
    }

    /// The thermograph of a part in normal form.
    fn part(&self, board: &Key<N>) -> Result<Arc<Thermograph>, ValueError> {
        if let Some(graph) = self.parts.borrow().get(board) {
            return Ok(graph.clone());
        }
        if let Some(value) = self.game.known(board, self.kernel)? {
            return self.kernel.thermograph(value);
        }
        if let Some(archive) = self.archive
            && let Some(graph) = archive.fact(board, self.kernel)?
        {
            self.parts.borrow_mut().insert(*board, graph.clone());
            return Ok(graph);
        }
        self.kernel.step()?;
        self.enter(board)?;
        let mut sides: [Vec<Arc<Thermograph>>; 2] = Default::default();
        for player in Player::BOTH {
            for (parts, points) in self.options(board, player)? {
                sides[player as usize].push(self.option(parts, points)?);
            }
        }
        self.path.borrow_mut().pop();
        let graph = self.compose(&sides);
        self.parts.borrow_mut().insert(*board, graph.clone());
        Ok(graph)
    }

    fn enter(&self, board: &Key<N>) -> Result<(), ValueError> {
        let mut path = self.path.borrow_mut();
        path.push(*board);
        // A cycle is as deep as one likes, so it is enough to look now and then.
        if path.len() >= 512 && path.len().is_power_of_two() {
            let distinct: FxHashSet<&Key<N>> = path.iter().collect();
            if distinct.len() < path.len() {
                return Err(Halt::Repetition.into());
            }
        }
        Ok(())
    }

    fn option(&self, parts: Vec<Component<N>>, points: i64) -> Result<Arc<Thermograph>, ValueError> {
        let graph = deeper(|| self.sum(parts))?;
        Ok(if points == 0 { graph } else { Arc::new(graph.translate(&Dyadic::from(points))) })
    }

    fn options(&self, board: &Key<N>, player: Player) -> Result<Vec<Left<N>>, Halt> {
        let mut expansion = Expansion::default();
        self.game.expand(board, player, self.kernel, &mut expansion)?;
        let left = |option| {
            let parts = expansion.parts_of(option).iter().map(|part| self.game.normalise(part));
            (parts.collect(), option.points)
        };
        Ok(expansion.options.iter().map(left).collect())
    }

    fn compose(&self, sides: &[Vec<Arc<Thermograph>>; 2]) -> Arc<Thermograph> {
        Arc::new(Thermograph::of_options(sides[0].iter().map(|g| &**g), sides[1].iter().map(|g| &**g)))
    }
}
