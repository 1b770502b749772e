//! A sum that is being played.

use gb_search::pool::{ComponentId, Pool};
use gb_value::{Dyadic, Player};

use gb_search::sum::SumMove;

/// Local games of a pool side by side, and the points earned so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    /// The local games.
    pub components: Vec<ComponentId>,
    /// Left's points less Right's.
    pub score: Dyadic,
    /// Which local games the last move has left behind.
    pub fresh: std::ops::Range<usize>,
}

impl Sum {
    /// At the start of play.
    pub fn new(components: Vec<ComponentId>, score: Dyadic) -> Sum {
        Sum { components, score, fresh: 0..0 }
    }

    /// All moves of a player; the index counts the moves of [`Pool::moves`].
    pub fn moves(&self, who: Player, pool: &mut Pool<'_>) -> Vec<SumMove> {
        let mut all = vec![];
        for (component, &local) in self.components.iter().enumerate() {
            let count = pool.moves(local, who).len();
            all.extend((0..count).map(|index| SumMove { component, index }));
        }
        all
    }

    /// Makes a move out of [`moves`](Sum::moves).
    ///
    /// # Panics
    /// If there is no such move.
    pub fn play(&mut self, at: SumMove, who: Player, pool: &mut Pool<'_>) {
        let mv = &pool.moves(self.components[at.component], who)[at.index];
        self.score += &mv.points;
        self.components.splice(at.component..=at.component, mv.to.iter().copied());
        self.fresh = at.component..at.component + mv.to.len();
    }
}
