//! Lost positions: the move after which an opponent is most likely to go wrong.

use std::ops::ControlFlow;
use std::time::Duration;

use gb_board::sort_by;
use gb_rules::{Key, MoveKey, Player};
use rustc_hash::FxHashMap;

use crate::knowledge::Knowledge;
use crate::limits::{Clock, Limits};
use crate::mcts::{Mcts, Settings};
use crate::root::{MOVES_BETWEEN_LOOKS, NODES_PER_PLAYOUT, Root};
use crate::search_state::{SearchState, State, won_by};

/// The share of the time for finding out which replies are mistakes.
const TRUTH_SHARE: f64 = 0.4;
/// Playouts of the opponent that is imagined, in the first round; each round has more for fewer moves.
const FIRST_PLAYOUTS: u64 = 100;
const MORE_PLAYOUTS: u64 = 4;
const FEWER_MOVES: usize = 3;

/// A move in a lost position.
struct Line<const N: usize> {
    mv: MoveKey,
    board: Key<N>,
    points: i64,
    /// The opponent's moves, and the number of the position after each.
    replies: Vec<(MoveKey, usize)>,
    /// How likely the opponent goes wrong.
    hope: f32,
}

/// A position after a reply.
struct End<const N: usize> {
    state: State<N>,
    /// Whether the opponent no longer wins there, if that is known.
    is_mistake: Option<bool>,
}

/// All moves, and the positions after the replies to them.
type Lines<const N: usize> = (Vec<Line<N>>, Vec<End<N>>);

/// In a position that is lost: the move after which the opponent is most likely to give the win away. Which replies do so is
/// found by what is known of them, and by searches for the winner; how likely they are, by thinking as an opponent would who
/// searches and knows nothing. `None` if nothing is known about mistakes, or there is no time.
pub(crate) fn hardest<const N: usize>(
    root: &Root<N>,
    search_state: &mut SearchState<'_, N>,
    clock: &Clock,
) -> Option<MoveKey> {
    if !search_state.knowledge().solved || root.moves.len() + root.left_out.len() < 2 {
        return None;
    }
    let is_over = || clock.left().is_some_and(|left| left.is_zero()) || clock.cancel().is_cancelled();
    let (mut lines, mut ends) = lines(root, search_state, &is_over)?;
    find_mistakes(root.who, &mut ends, search_state, clock);
    let chance = |end: usize| ends[end].is_mistake.map_or(0.5, |yes| f32::from(u8::from(yes)));
    for line in &mut lines {
        let sum: f32 = line.replies.iter().map(|&(_, end)| chance(end)).sum();
        line.hope = sum / line.replies.len().max(1) as f32;
    }
    sort_by(&mut lines, |a, b| b.hope.total_cmp(&a.hope));
    let seed = u64::from(search_state.random.index(u32::MAX));
    let mut opponent = Mcts::new(search_state.game.clone(), Knowledge::NONE, Settings::default(), seed);
    let mut playouts = FIRST_PLAYOUTS;
    let mut left = clock.max_nodes().unwrap_or(u64::MAX);
    let mut candidates = lines.len();
    'rounds: while candidates > 1 {
        for line in &mut lines[..candidates] {
            if is_over() || left < playouts {
                break 'rounds;
            }
            left -= playouts;
            let limits = Limits { cancel: clock.cancel().clone(), ..Limits::nodes(playouts) };
            let who = root.who.opponent();
            let choice = opponent.choose(
                &line.board,
                line.points,
                who,
                search_state.tables,
                search_state.store(),
                &limits,
            );
            let Some(choice) = choice else { continue };
            if choice.winner == Some(who) {
                line.hope = 0.0;
                continue;
            }
            let end_of =
                |mv: &MoveKey| line.replies.iter().find(|(reply, _)| reply == mv).map(|&(_, end)| end);
            let (mut all, mut wrong) = (0.0, 0.0);
            for (mv, visits, _) in &choice.tried {
                let weight = *visits as f32;
                all += weight;
                wrong += weight * end_of(mv).map_or(0.5, chance);
            }
            line.hope = wrong / all.max(1.0);
        }
        sort_by(&mut lines[..candidates], |a, b| b.hope.total_cmp(&a.hope));
        candidates = candidates.div_ceil(FEWER_MOVES);
        playouts *= MORE_PLAYOUTS;
    }
    lines.into_iter().next().map(|line| line.mv)
}

/// All moves with all replies, unless time is over.
fn lines<const N: usize>(
    root: &Root<N>,
    search_state: &mut SearchState<'_, N>,
    is_over: &impl Fn() -> bool,
) -> Option<Lines<N>> {
    let game = search_state.game;
    let opponent = root.who.opponent();
    let (mut lines, mut ends, mut numbers) = (vec![], vec![], FxHashMap::default());
    for (mv, _) in root.moves.iter().chain(&root.left_out) {
        if is_over() {
            return None;
        }
        let (board, points) = game.play(&root.board, root.who, *mv);
        let points = root.points + points;
        let mut replies = vec![];
        let all = game.moves(&board, opponent, &mut |reply| {
            if replies.len() % MOVES_BETWEEN_LOOKS == MOVES_BETWEEN_LOOKS - 1 && is_over() {
                return ControlFlow::Break(());
            }
            let (after, more) = game.play(&board, opponent, reply);
            let state = search_state.enter(&after, points + more);
            let number = *numbers.entry(search_state.key(&state, root.who)).or_insert_with(|| {
                let is_mistake =
                    search_state.verdict(&state, root.who).map(|result| result == won_by(root.who));
                ends.push(End { state, is_mistake });
                ends.len() - 1
            });
            replies.push((reply, number));
            ControlFlow::Continue(())
        });
        if all.is_break() {
            return None;
        }
        lines.push(Line { mv: *mv, board, points, replies, hope: 0.0 });
    }
    Some((lines, ends))
}

/// Searches for the winner after each reply, cheap questions first, as far as time goes.
fn find_mistakes<const N: usize>(
    who: Player,
    ends: &mut [End<N>],
    search_state: &mut SearchState<'_, N>,
    clock: &Clock,
) {
    let stop = clock.left().map(|left| left.mul_f64(1.0 - TRUTH_SHARE));
    let is_over = || {
        clock.left().zip(stop).is_some_and(|(left, stop): (Duration, Duration)| left <= stop)
            || clock.cancel().is_cancelled()
    };
    let mut nodes = clock.max_nodes().map_or(u64::MAX, |n| n.saturating_mul(NODES_PER_PLAYOUT));
    let mut effort = 32;
    while ends.iter().any(|end| end.is_mistake.is_none()) {
        for end in ends.iter_mut().filter(|end| end.is_mistake.is_none()) {
            if is_over() || nodes < effort {
                return;
            }
            nodes -= effort;
            end.is_mistake = search_state.search(&end.state, who, effort).map(|result| result == won_by(who));
        }
        effort = effort.saturating_mul(4);
    }
}
