//! A line of pawn moves to the end.

use gb_games::games::chess::{ChessBoard, Step};
use gb_games::games::pawns::{PawnBoard, Pawns};
use gb_rules::{GlobalWins, Player};
use gb_search::sum::SumMove;
use gb_value::{Dyadic, Halt, Value};

use crate::analysis::{PawnSearch, Sum, pawn_moves};
use crate::names::player_name;

/// No line of pawn moves is longer: 16 pawns make at most six moves each.
const LONGEST: usize = 96;

/// Best play in the sum until somebody promotes, has no pawn move left, or the values want a move that is not legal on the board;
/// and how it ends.
pub(crate) fn main_line(
    search: &PawnSearch<'_>,
    at: &ChessBoard,
    pawns: &PawnBoard,
) -> Result<(Vec<String>, String), Halt> {
    let (mut at, mut pawns, mut line) = (*at, *pawns, vec![]);
    for _ in 0..LONGEST {
        let who = at.to_move();
        if let Some(winner) = Pawns.global_win(&pawns) {
            return Ok((line, format!("{} has promoted a pawn", player_name(winner))));
        }
        let moves = pawn_moves(&pawns, who);
        if moves.is_empty() {
            break;
        }
        let sum = search.sum(&pawns)?;
        let Some(text) = choose(search, &sum, who)? else { break };
        let Some((_, next)) = moves.into_iter().find(|(label, _)| *label == text) else { break };
        let plain = |step: &Step| at.step_text(*step).trim_end_matches('+') == text.trim_end_matches('+');
        let Some(step) = at.legal_moves().into_iter().find(plain) else {
            return Ok((
                line,
                "the values want a move that is not legal here: the kings have a say".to_string(),
            ));
        };
        line.push(at.step_text(step));
        (pawns, at) = (next, at.after(step));
    }
    Ok((line, format!("{} has no pawn move left and must move his king", player_name(at.to_move()))))
}

/// A winning move: at once if possible, otherwise one that leaves nothing to play for. Without one, the move after which
/// the opponent gets least when he goes on.
fn choose(search: &PawnSearch<'_>, sum: &Sum, who: Player) -> Result<Option<String>, Halt> {
    let text = |at: SumMove| sum.components[at.component].moves_of(who)[at.index].label.clone();
    let (sure, lost) = match who {
        Player::Left => (Value::ON, Value::OFF),
        Player::Right => (Value::OFF, Value::ON),
    };
    let rank = |leaves: Value| match leaves {
        _ if leaves == sure => 0,
        Value::ZERO => 1,
        _ => 2,
    };
    let winning = &sum.analysis.winning[who as usize];
    if let Some(best) = winning.iter().min_by_key(|winning| rank(winning.leaves)) {
        return Ok(Some(text(best.at)));
    }
    let mut best: Option<(Option<Dyadic>, String)> = None;
    for component in &sum.components {
        for mv in component.moves_of(who) {
            let stop = if mv.to == lost { None } else { search.kernel.stop(mv.to, who.opponent())? };
            let before = search.kernel.stop(component.value, who)?;
            // What the move costs in tempi, as far as stops tell; `None` is a promotion.
            let gain = stop.zip(before).map(|(after, before)| match who {
                Player::Left => &after - &before,
                Player::Right => &before - &after,
            });
            if best.as_ref().is_none_or(|(old, _)| gain > *old) {
                best = Some((gain, mv.label.clone()));
            }
        }
    }
    Ok(best.map(|(_, label)| label))
}
