//! A position in which play can repeat, as a graph: the general definition, from which everything else can be checked.

use std::ops::ControlFlow;

use gb_game::{Player, Rules};
use gb_value::Stop;
use gb_value::loopy::{Builder, LoopyError, LoopyGame, NodeId};
use rustc_hash::FxHashMap;

use crate::search::Bench;

/// Why a position did not become a graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GraphError {
    /// The budget ran out.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// The graph is too large.
    #[error(transparent)]
    Loopy(#[from] LoopyError),
}

/// All positions that can be reached from `at`, as a loopy game of at most `max_nodes` nodes. A position that a player
/// has won everywhere is `on` or `off`. Points of games that keep a score are not counted.
pub fn loopy_game<R: Rules>(
    rules: &R,
    at: &R::Board,
    bench: &Bench<'_>,
    max_nodes: usize,
) -> Result<LoopyGame, GraphError> {
    let mut builder = Builder::new(max_nodes);
    let (on, off) = (builder.include(&LoopyGame::on())?, builder.include(&LoopyGame::off())?);
    let mut nodes: FxHashMap<R::Board, NodeId> = FxHashMap::default();
    let mut open = vec![];
    let root = node(rules, at, [on, off], &mut builder, &mut nodes, &mut open)?;
    while let Some((board, id)) = open.pop() {
        bench.budget.spend(1, bench.store.bytes())?;
        let mut sides: [Vec<NodeId>; 2] = Default::default();
        for player in Player::BOTH {
            let mut nexts = vec![];
            let _ = rules.moves(&board, player, &mut |mv| {
                let mut next = board.clone();
                rules.play(&mut next, player, &mv);
                nexts.push(next);
                ControlFlow::Continue(())
            });
            for next in nexts {
                let id = node(rules, &next, [on, off], &mut builder, &mut nodes, &mut open)?;
                sides[player as usize].push(id);
            }
        }
        builder.set(id, &sides[0], &sides[1])?;
    }
    Ok(builder.build(root)?)
}

/// The node of a position; a new one is opened.
fn node<R: Rules>(
    rules: &R,
    at: &R::Board,
    won: [NodeId; 2],
    builder: &mut Builder,
    nodes: &mut FxHashMap<R::Board, NodeId>,
    open: &mut Vec<(R::Board, NodeId)>,
) -> Result<NodeId, LoopyError> {
    if let Some(winner) = rules.global_win(at) {
        return Ok(won[winner as usize]);
    }
    if let Some(&id) = nodes.get(at) {
        return Ok(id);
    }
    let id = builder.declare()?;
    nodes.insert(at.clone(), id);
    open.push((at.clone(), id));
    Ok(id)
}
