//! What was found out about a sum, as plain data: the same for every front end that speaks JSON.

use gb_game::Player;
use gb_local::question::outcome::Winners;
use gb_sum::{ExplainedMove, Region, SumReport, Term};
use gb_value::text::Style;
use gb_value::{Kernel, Value};
use serde::Serialize;

use crate::report::{explanation, known_so_far, value_text};

/// All that is known about a sum.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Findings {
    /// The summands.
    pub terms: Vec<TermFindings>,
    /// The sum, if it was found.
    pub sum: Option<Facts>,
    /// The winning first moves.
    pub winning: Winning,
    /// Who wins, where that was found without values.
    pub winner: Option<WinnerFindings>,
    /// Why the sum was not found.
    pub stopped: Option<String>,
    /// Positions searched and values built.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
}

/// A summand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum TermFindings {
    /// A value.
    Value {
        /// As it was written.
        text: String,
        /// What it is.
        facts: Facts,
    },
    /// A position.
    Position {
        /// The game.
        game: String,
        /// The position as text.
        position: String,
        /// Its parts.
        parts: Vec<PartFindings>,
    },
}

/// A part of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartFindings {
    /// The part as text.
    pub position: String,
    /// Where it is on the board.
    pub cells: Vec<String>,
    /// What was found, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Integers that bound the value, where it was not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[Option<i64>; 2]>,
    /// The bounds in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
}

/// What is known about a value. Exact numbers are texts; what does not exist is missing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Facts {
    /// The value.
    pub value: String,
    /// Who wins.
    pub outcome: Option<String>,
    /// The mean.
    pub mean: Option<String>,
    /// The temperature.
    pub temperature: Option<String>,
}

/// Winning moves of both players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Winning {
    /// If Left begins.
    pub left: Vec<WinningFindings>,
    /// If Right begins.
    pub right: Vec<WinningFindings>,
}

/// A winning move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WinningFindings {
    /// In which summand.
    pub term: usize,
    /// In which part of it.
    pub part: Option<usize>,
    /// The move as text.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// What to point at.
    pub gesture: Vec<String>,
    /// What the part becomes.
    pub to: String,
    /// What is left of the sum.
    pub leaves: String,
    /// Why it wins, in words.
    pub reason: String,
}

/// Who wins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WinnerFindings {
    /// If Left begins.
    pub left_first: Option<String>,
    /// If Right begins.
    pub right_first: Option<String>,
}

impl Facts {
    /// What is known about a value.
    pub fn of(value: Value, kernel: &Kernel<'_>, style: &Style) -> Facts {
        Facts {
            value: value_text(kernel, value, style),
            outcome: kernel.outcome(value).map(|o| o.to_string()).ok(),
            mean: kernel.mean(value).map(|x| x.to_string()).ok(),
            temperature: kernel.temperature(value).map(|x| x.to_string()).ok(),
        }
    }
}

impl PartFindings {
    /// What is known about a part.
    pub fn of(region: &Region, kernel: &Kernel<'_>, style: &Style) -> PartFindings {
        let stop = region.value.err();
        PartFindings {
            position: region.text.clone(),
            cells: region.spots.iter().map(|spot| spot.to_string()).collect(),
            facts: region.value.ok().map(|value| Facts::of(value, kernel, style)),
            stopped: stop.map(|stop| stop.to_string()),
            bounds: stop.map(|_| [region.bounds.0, region.bounds.1]),
            known: stop.and_then(|_| known_so_far(region, kernel, style)),
        }
    }
}

impl Findings {
    /// What a report says; the kernel only shows values.
    pub fn of(
        report: &SumReport,
        winners: Option<Winners>,
        kernel: &Kernel<'_>,
        style: &Style,
        (nodes, seconds): (u64, f64),
    ) -> Findings {
        let term = |term: &Term| match term {
            Term::Value { text, value } => {
                TermFindings::Value { text: text.clone(), facts: Facts::of(*value, kernel, style) }
            }
            Term::Position(examined) => TermFindings::Position {
                game: examined.game.clone(),
                position: examined.position.clone(),
                parts: examined.regions.iter().map(|r| PartFindings::of(r, kernel, style)).collect(),
            },
        };
        let winning = |player: Player| -> Vec<WinningFindings> {
            let describe = |m: &ExplainedMove<'_>| WinningFindings {
                term: m.term,
                part: m.region,
                text: m.on_board.map(|m| m.label.clone()),
                gesture: m.on_board.map_or(vec![], |m| m.gesture.iter().map(|s| s.to_string()).collect()),
                to: value_text(kernel, m.to, style),
                leaves: value_text(kernel, m.leaves, style),
                reason: explanation(report, m, player, kernel, &Style { max_len: 120, ..*style }),
            };
            report.winning_moves(player).iter().map(describe).collect()
        };
        Findings {
            terms: report.terms.iter().map(term).collect(),
            sum: report.analysis.as_ref().ok().map(|a| Facts::of(a.total, kernel, style)),
            winning: Winning { left: winning(Player::Left), right: winning(Player::Right) },
            winner: winners.map(|w| WinnerFindings {
                left_first: w.left_first.map(|p| p.to_string()).ok(),
                right_first: w.right_first.map(|p| p.to_string()).ok(),
            }),
            stopped: report.analysis.as_ref().err().map(|stop| stop.to_string()),
            nodes,
            seconds,
        }
    }
}
