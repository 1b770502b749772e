//! A position in which play can repeat, as a graph: the general definition, from which everything else can be checked.

use gb_rules::{DynGame, Key, Player};
use gb_value::Halt;
use gb_value::loopy::{Builder, LoopyError, LoopyGame, NodeId};
use rustc_hash::FxHashMap;

use crate::search::{SearchContext, boards_after};

/// Why a position did not become a graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GraphError {
    /// The budget ran out.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// The graph is too large.
    #[error(transparent)]
    Loopy(#[from] LoopyError),
}

/// All positions that can be reached from `at`, as a loopy game of at most `max_nodes` nodes. A position that a player
/// has won everywhere is `on` or `off`. Points of games that keep a score are not counted.
pub fn loopy_game<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    context: &SearchContext<'_>,
    max_nodes: usize,
) -> Result<LoopyGame, GraphError> {
    let mut builder = Builder::new(max_nodes);
    let (on, off) = (builder.include(&LoopyGame::on())?, builder.include(&LoopyGame::off())?);
    let mut nodes: FxHashMap<Key<N>, NodeId> = FxHashMap::default();
    let mut open = vec![];
    let root = node(game, at, [on, off], &mut builder, &mut nodes, &mut open)?;
    let kernel = context.store.kernel(context.budget);
    while let Some((board, id)) = open.pop() {
        context.budget.spend(1, context.store.bytes())?;
        let mut sides: [Vec<NodeId>; 2] = Default::default();
        for player in Player::BOTH {
            for (next, _) in boards_after(game, &board, player, &kernel)? {
                let id = node(game, &next, [on, off], &mut builder, &mut nodes, &mut open)?;
                sides[player as usize].push(id);
            }
        }
        builder.set(id, &sides[0], &sides[1])?;
    }
    Ok(builder.build(root)?)
}

/// The node of a position; a new one is opened.
fn node<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    won: [NodeId; 2],
    builder: &mut Builder,
    nodes: &mut FxHashMap<Key<N>, NodeId>,
    open: &mut Vec<(Key<N>, NodeId)>,
) -> Result<NodeId, LoopyError> {
    if let Some(winner) = game.global_win(at) {
        return Ok(won[winner as usize]);
    }
    if let Some(&id) = nodes.get(at) {
        return Ok(id);
    }
    let id = builder.declare()?;
    nodes.insert(*at, id);
    open.push((*at, id));
    Ok(id)
}
