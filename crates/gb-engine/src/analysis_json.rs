//! What was found out about a sum, as plain data: the same for every front end that speaks JSON.

use gb_rules::Player;
use gb_search::ending_of;
use gb_search::question::outcome::Winners;
use gb_search::sum::{
    BoardMove, ExaminedComponent, ExplainedMove, ExplainedScore, LoopyMove, SumReport, Summand,
};
use gb_value::loopy::Ending;
use gb_value::stoppers::LoopyValue;
use gb_value::text::Style;
use gb_value::{Dyadic, Kernel, OutcomeClass, Thermograph, Value};
use serde::Serialize;

use crate::report::{
    ending_clause, explanation, known_so_far, loopy_explanation, loopy_outcome, loopy_text, outcome_of,
    score_explanation, value_text,
};

/// All that is known about a sum.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AnalysisJson {
    /// The summands.
    #[serde(rename = "terms")]
    pub summands: Vec<SummandJson>,
    /// The sum, if it was found.
    pub sum: Option<Facts>,
    /// The winning first moves.
    pub winning: Winning,
    /// The first moves that draw, in sums where play can go on for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<Winning>,
    /// Who wins, where that was found without values, or where play can go on for ever: `Left`, `Right` or `Draw`.
    pub winner: Option<WinnerJson>,
    /// Where points decide: what the sum ends with, and what each move is worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<ScoreJson>,
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
pub enum SummandJson {
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
        parts: Vec<PartJson>,
    },
}

/// A part of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartJson {
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

/// A value, and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Facts {
    /// The value.
    pub value: String,
    /// Everything else.
    #[serde(flatten)]
    pub known: ValueFacts,
}

/// What is known about a value besides itself. Exact numbers are texts; what does not exist, or cannot be had within the
/// budget, is null.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ValueFacts {
    /// Who wins.
    pub outcome: Option<String>,
    /// The mean.
    pub mean: Option<String>,
    /// The temperature.
    pub temperature: Option<String>,
    /// The stops, where they are shown.
    #[serde(flatten)]
    pub stops: Option<Stops>,
}

/// The stops of a value.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stops {
    /// If Left begins.
    pub left_stop: Option<String>,
    /// If Right begins.
    pub right_stop: Option<String>,
}

/// Winning moves of both players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Winning {
    /// If Left begins.
    pub left: Vec<WinningJson>,
    /// If Right begins.
    pub right: Vec<WinningJson>,
}

/// A move in a sum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveJson {
    /// In which summand.
    #[serde(rename = "term")]
    pub summand: usize,
    /// In which part of it.
    pub part: Option<usize>,
    /// The move as text.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// What to point at.
    pub gesture: Vec<String>,
}

/// A winning move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WinningJson {
    /// The move.
    #[serde(flatten)]
    pub at: MoveJson,
    /// What the part becomes.
    pub to: String,
    /// What is left of the sum.
    pub leaves: String,
    /// Why it wins, in words.
    pub reason: String,
}

/// What a sum ends with by best play: points of Left less points of Right, as texts; what is not known is null.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ScoreJson {
    /// If Left begins.
    pub left_first: Option<String>,
    /// If Right begins.
    pub right_first: Option<String>,
    /// Left's moves, the best first.
    pub left: Vec<ScoredJson>,
    /// Right's moves, the best first.
    pub right: Vec<ScoredJson>,
}

/// A move in a sum that ends in a score.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ScoredJson {
    /// The move.
    #[serde(flatten)]
    pub at: MoveJson,
    /// What best play ends with after it.
    pub score: String,
    /// How much that is worse than the best move.
    pub loses: String,
    /// The same in words.
    pub reason: String,
}

/// Who wins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WinnerJson {
    /// If Left begins: `Left`, `Right` or `Draw`.
    pub left_first: Option<String>,
    /// If Right begins.
    pub right_first: Option<String>,
}

impl ValueFacts {
    /// Without stops. Who wins depends on whether points decide or who moves last.
    pub fn of(value: Value, by_score: bool, kernel: &Kernel<'_>) -> ValueFacts {
        ValueFacts {
            outcome: outcome_of(kernel, value, by_score).map(|o| o.to_string()),
            mean: kernel.mean(value).map(|x| x.to_string()).ok(),
            temperature: kernel.temperature(value).map(|x| x.to_string()).ok(),
            stops: None,
        }
    }

    /// With the stops that play reaches.
    pub fn with_stops(value: Value, by_score: bool, kernel: &Kernel<'_>) -> ValueFacts {
        let stop = |first| kernel.play_stop(value, first).map(|stop| stop.to_string()).ok();
        let stops = Stops { left_stop: stop(Player::Left), right_stop: stop(Player::Right) };
        ValueFacts { stops: Some(stops), ..ValueFacts::of(value, by_score, kernel) }
    }

    /// What a thermograph says, if all that is known besides is who wins.
    pub fn of_thermograph(outcome: Option<OutcomeClass>, graph: &Thermograph) -> ValueFacts {
        let stops = Stops {
            left_stop: Some(graph.left_stop().to_string()),
            right_stop: Some(graph.right_stop().to_string()),
        };
        ValueFacts {
            outcome: outcome.map(|o| o.to_string()),
            mean: Some(graph.mean().to_string()),
            temperature: Some(graph.temperature().to_string()),
            stops: Some(stops),
        }
    }
}

impl Facts {
    /// A value with loops: it has no mean and no temperature here.
    pub fn of_loops(value: &LoopyValue, kernel: &Kernel<'_>, style: &Style) -> Facts {
        let outcome = loopy_outcome(value, kernel).map(|o| o.to_string());
        Facts {
            value: loopy_text(kernel, value, style),
            known: ValueFacts { outcome, ..ValueFacts::default() },
        }
    }

    /// A value. Who wins it depends on whether points decide or who moves last.
    pub fn of(value: Value, by_score: bool, kernel: &Kernel<'_>, style: &Style) -> Facts {
        Facts { value: value_text(kernel, value, style), known: ValueFacts::of(value, by_score, kernel) }
    }
}

impl PartJson {
    /// What is known about a part.
    pub fn of(component: &ExaminedComponent, by_score: bool, kernel: &Kernel<'_>, style: &Style) -> PartJson {
        let stop = component.value.err().filter(|_| component.loopy.is_none());
        let with_loops = || component.loopy.as_ref().map(|value| Facts::of_loops(value, kernel, style));
        PartJson {
            position: component.text.clone(),
            cells: component.spots.iter().map(|spot| spot.to_string()).collect(),
            facts: component
                .value
                .ok()
                .map(|value| Facts::of(value, by_score, kernel, style))
                .or_else(with_loops),
            stopped: stop.map(|stop| stop.to_string()),
            bounds: stop.map(|_| [component.bounds.0, component.bounds.1]),
            known: stop.and_then(|_| known_so_far(component, kernel, style)),
        }
    }
}

impl MoveJson {
    fn of(summand: usize, part: Option<usize>, on_board: Option<&BoardMove>) -> MoveJson {
        let text = on_board.map(|mv| mv.label.clone());
        let gesture = on_board.map_or(vec![], |mv| mv.gesture.iter().map(|s| s.to_string()).collect());
        MoveJson { summand, part, text, gesture }
    }
}

impl ScoredJson {
    fn of(report: &SumReport, mv: &ExplainedScore<'_>, kernel: &Kernel<'_>, style: &Style) -> Self {
        ScoredJson {
            at: MoveJson::of(mv.summand, mv.component, mv.on_board),
            score: mv.score.to_string(),
            loses: mv.loses.to_string(),
            reason: score_explanation(report, mv, kernel, style),
        }
    }
}

impl WinningJson {
    /// A move that wins by points; what is left of the sum is the score.
    fn of_score(report: &SumReport, mv: &ExplainedScore<'_>, kernel: &Kernel<'_>, style: &Style) -> Self {
        let ScoredJson { at, score, reason, .. } = ScoredJson::of(report, mv, kernel, style);
        let to = mv.on_board.and_then(|m| m.to.ok()).or(mv.to);
        let to = to.map_or_else(String::new, |to| value_text(kernel, to, style));
        WinningJson { at, to, leaves: score, reason }
    }

    /// A move in misère play, which leaves no value.
    fn of_misere(mv: &BoardMove, ending: Ending) -> WinningJson {
        WinningJson {
            at: MoveJson::of(0, mv.component, Some(mv)),
            to: String::new(),
            leaves: String::new(),
            reason: format!("{}: {}", mv.label, ending_clause(ending)),
        }
    }

    fn of_loops(
        report: &SumReport,
        mv: &LoopyMove,
        player: Player,
        kernel: &Kernel<'_>,
        style: &Style,
    ) -> WinningJson {
        let component = mv.on_board.and_then(|(component, _)| component);
        WinningJson {
            at: MoveJson::of(mv.summand, component, report.board_move(mv, player)),
            to: loopy_text(kernel, &mv.to, style),
            leaves: loopy_text(kernel, &mv.leaves, style),
            reason: loopy_explanation(report, mv, player, kernel, &Style { max_len: 120, ..*style }),
        }
    }
}

impl AnalysisJson {
    /// What a report says; the kernel only shows values.
    pub fn of(
        report: &SumReport,
        winners: Option<Winners>,
        kernel: &Kernel<'_>,
        style: &Style,
        (nodes, seconds): (u64, f64),
    ) -> AnalysisJson {
        let by_score = report.scores.is_some();
        let summand = |summand: &Summand| match summand {
            Summand::Value { text, value } => {
                SummandJson::Value { text: text.clone(), facts: Facts::of(*value, by_score, kernel, style) }
            }
            Summand::Loopy { text, value } => {
                SummandJson::Value { text: text.clone(), facts: Facts::of_loops(value, kernel, style) }
            }
            Summand::Position(examined) => SummandJson::Position {
                game: examined.game.clone(),
                position: examined.position.clone(),
                parts: examined.components.iter().map(|r| PartJson::of(r, by_score, kernel, style)).collect(),
            },
        };
        let misere = |player: Player, ending: Ending| -> Vec<WinningJson> {
            let moves = report.misere_moves(player, ending).into_iter();
            moves.map(|mv| WinningJson::of_misere(mv, ending)).collect()
        };
        let winning = |player: Player| -> Vec<WinningJson> {
            if report.misere().is_some() {
                return misere(player, Ending::won_by(player));
            }
            if by_score {
                let wanted = Some(player);
                let wins = report.scored_moves(player).into_iter();
                let wins = wins.filter(|mv| ending_of(&mv.score).winner() == wanted);
                return wins.map(|mv| WinningJson::of_score(report, &mv, kernel, style)).collect();
            }
            let describe = |m: &ExplainedMove<'_>| WinningJson {
                at: MoveJson::of(m.summand, m.component, m.on_board),
                to: value_text(kernel, m.to, style),
                leaves: value_text(kernel, m.leaves, style),
                reason: explanation(report, m, player, kernel, &Style { max_len: 120, ..*style }),
            };
            report.winning_moves(player).iter().map(describe).collect()
        };
        let with_loops = |moves: &[Vec<LoopyMove>; 2]| {
            let describe = |player: Player| -> Vec<WinningJson> {
                let moves = moves[player as usize].iter();
                moves.map(|mv| WinningJson::of_loops(report, mv, player, kernel, style)).collect()
            };
            Winning { left: describe(Player::Left), right: describe(Player::Right) }
        };
        let plain = || Winning { left: winning(Player::Left), right: winning(Player::Right) };
        let loops = report.loops.as_ref();
        let sum = report.analysis.as_ref().ok().map(|a| Facts::of(a.total, by_score, kernel, style));
        let ending = |first: Player| loops.map(|l| l.outcome.ending(first).to_string());
        AnalysisJson {
            summands: report.summands.iter().map(summand).collect(),
            sum: sum.or_else(|| loops.map(|l| Facts::of_loops(&l.total, kernel, style))),
            winning: loops.map_or_else(plain, |l| with_loops(&l.winning)),
            drawing: loops.map(|l| with_loops(&l.drawing)).or_else(|| {
                let [left, right] = Player::BOTH.map(|player| misere(player, Ending::Draw));
                (!left.is_empty() || !right.is_empty()).then_some(Winning { left, right })
            }),
            winner: match winners {
                Some(w) => Some(WinnerJson {
                    left_first: w.left_first.map(|p| p.to_string()).ok(),
                    right_first: w.right_first.map(|p| p.to_string()).ok(),
                }),
                None => loops.map(|_| WinnerJson {
                    left_first: ending(Player::Left),
                    right_first: ending(Player::Right),
                }),
            },
            scores: report.scores.as_ref().map(|scores| {
                let moves = |player: Player| -> Vec<ScoredJson> {
                    let moves = report.scored_moves(player).into_iter();
                    moves.map(|mv| ScoredJson::of(report, &mv, kernel, style)).collect()
                };
                let score = |first: Player| scores.scores.first(first).as_ref().ok().map(Dyadic::to_string);
                ScoreJson {
                    left_first: score(Player::Left),
                    right_first: score(Player::Right),
                    left: moves(Player::Left),
                    right: moves(Player::Right),
                }
            }),
            stopped: report.analysis.as_ref().err().filter(|_| loops.is_none()).map(|stop| stop.to_string()),
            nodes,
            seconds,
        }
    }
}
