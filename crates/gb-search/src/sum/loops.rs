//! Sums in which some component has loops: their value where theory gives one, who wins, and by which moves.
//!
//! Stoppers add as games, and who wins a sum follows from its two sides (Siegel, Combinatorial Game Theory, chapter VI).

use gb_value::loopy::{Ending, LoopyError};
use gb_value::stoppers::{LoopyValue, SidedId, Stoppers};
use gb_value::{Kernel, OutcomeClass, Player, Value};

use crate::sum::position::Examined;
use crate::sum::report::Summand;

/// A move in a sum with loops.
#[derive(Clone, Debug)]
pub struct LoopyMove {
    /// Which summand it is made in.
    pub summand: usize,
    /// Which part of it, and which of the moves on the board, if the summand is a position.
    pub on_board: Option<(Option<usize>, usize)>,
    /// What the part becomes.
    pub to: LoopyValue,
    /// What is left of the whole sum.
    pub leaves: LoopyValue,
}

/// What is known about a sum with loops.
#[derive(Clone, Debug)]
pub struct LoopyAnalysis {
    /// The value of the sum.
    pub total: LoopyValue,
    /// Who wins.
    pub outcome: OutcomeClass,
    /// All winning first moves of Left and of Right.
    pub winning: [Vec<LoopyMove>; 2],
    /// All first moves of Left and of Right after which play can go on for ever, and neither wins.
    pub drawing: [Vec<LoopyMove>; 2],
}

/// A move before it is known what it leaves of the sum.
struct Made {
    summand: usize,
    on_board: Option<(Option<usize>, usize)>,
    to: SidedId,
}

/// One component: its value, and its moves.
struct LoopyComponent {
    value: SidedId,
    moves: [Vec<Made>; 2],
}

/// Adds up summands of which all values are known, some of them with loops. `None` if some value is not known, or a move leads to
/// one that is not; or if `on` and `off` may meet from different components: who wins everywhere first is no question of values.
pub(crate) fn analyse_loops(
    kernel: &Kernel<'_>,
    summands: &[Summand],
) -> Result<Option<LoopyAnalysis>, LoopyError> {
    let mut games = Stoppers::new(kernel);
    let mut parts = vec![];
    for (index, summand) in summands.iter().enumerate() {
        match summand {
            Summand::Value { value, .. } => {
                let mut moves = [vec![], vec![]];
                for player in Player::BOTH {
                    for to in kernel.options(*value, player) {
                        kernel.work(1)?;
                        moves[player as usize].push(Made { summand: index, on_board: None, to: to.into() });
                    }
                }
                parts.push(LoopyComponent { value: (*value).into(), moves });
            }
            Summand::Loopy { value, .. } => {
                let value = games.import(value)?;
                let mut moves = [vec![], vec![]];
                if let Some(stopper) = value.as_stopper() {
                    for player in Player::BOTH {
                        for option in games.options_of(stopper, player) {
                            let made = Made { summand: index, on_board: None, to: option.into() };
                            moves[player as usize].push(made);
                        }
                    }
                }
                parts.push(LoopyComponent { value, moves });
            }
            Summand::Position(examined) => {
                if !add_position(&mut games, index, examined, &mut parts)? {
                    return Ok(None);
                }
            }
        }
    }
    let endless = parts.iter().filter(|part| games.has_on_or_off(part.value)).count();
    if endless > 1 {
        return Ok(None);
    }
    let rests = rests(&mut games, &parts)?;
    let zero = SidedId::from(Value::ZERO);
    let total = match (parts.first(), rests.first()) {
        (Some(part), Some(&rest)) => games.plus(part.value, rest)?,
        _ => zero,
    };
    let (mut winning, mut drawing) = ([vec![], vec![]], [vec![], vec![]]);
    for (part, &rest) in parts.into_iter().zip(&rests) {
        for (player, moves) in Player::BOTH.into_iter().zip(part.moves) {
            for Made { summand, on_board, to } in moves {
                let leaves = games.plus(to, rest)?;
                let ending = games.ending(leaves, player.opponent())?;
                let good = match ending {
                    Ending::Draw => &mut drawing,
                    ending if ending == Ending::won_by(player) => &mut winning,
                    _ => continue,
                };
                let (to, leaves) = (games.export(to)?, games.export(leaves)?);
                good[player as usize].push(LoopyMove { summand, on_board, to, leaves });
            }
        }
    }
    let outcome = games.outcome(total)?;
    Ok(Some(LoopyAnalysis { total: games.export(total)?, outcome, winning, drawing }))
}

/// Adds the parts of a position; false if some value is not known.
fn add_position(
    games: &mut Stoppers<'_, '_>,
    summand: usize,
    examined: &Examined,
    parts: &mut Vec<LoopyComponent>,
) -> Result<bool, LoopyError> {
    let first = parts.len();
    for component in &examined.components {
        let value = match (&component.loopy, component.value) {
            (Some(loopy), _) => games.import(loopy)?,
            (None, Ok(value)) => value.into(),
            (None, Err(_)) => return Ok(false),
        };
        parts.push(LoopyComponent { value, moves: Default::default() });
    }
    let mut elsewhere = LoopyComponent { value: Value::ZERO.into(), moves: Default::default() };
    for player in Player::BOTH {
        for (index, mv) in examined.moves[player as usize].iter().enumerate() {
            let to = match (&mv.loopy, mv.to) {
                (Some(loopy), _) => games.import(loopy)?,
                (None, Ok(value)) => value.into(),
                (None, Err(_)) => return Ok(false),
            };
            let made = Made { summand, on_board: Some((mv.component, index)), to };
            let part = match mv.component {
                Some(component) => &mut parts[first + component],
                None => &mut elsewhere,
            };
            part.moves[player as usize].push(made);
        }
    }
    if elsewhere.moves.iter().any(|moves| !moves.is_empty()) {
        parts.push(elsewhere);
    }
    Ok(true)
}

/// For each component the sum of all others.
fn rests(games: &mut Stoppers<'_, '_>, parts: &[LoopyComponent]) -> Result<Vec<SidedId>, LoopyError> {
    let zero = SidedId::from(Value::ZERO);
    let mut after = vec![zero; parts.len() + 1];
    for i in (0..parts.len()).rev() {
        after[i] = games.plus(after[i + 1], parts[i].value)?;
    }
    let mut before = zero;
    let mut rests = Vec::with_capacity(parts.len());
    for (i, part) in parts.iter().enumerate() {
        rests.push(games.plus(before, after[i + 1])?);
        before = games.plus(before, part.value)?;
    }
    Ok(rests)
}
