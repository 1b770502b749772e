//! A whole record, move by move: how hot the board was, what the score would have been, and what each move lost.

use std::fmt::Write;
use std::time::Duration;

use gb_value::{Budget, Dyadic, Player, Store};

use crate::analysis::{Analysis, AreaReport, Settings, analyse, likely};
use crate::board::Point;
use crate::game::{Game, KoRule, Move};
use crate::local::LocalFailure;
use crate::report::result_text;
use crate::sgf::{self, SgfError};
use crate::wall::Fraction;

/// One move of a record, and what is known about the position before it.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub number: usize,
    /// Who moved.
    pub player: Player,
    /// The move.
    pub mv: Move,
    /// The name of the move.
    pub name: String,
    /// The highest temperature of an area: what a move was worth.
    pub temperature: Option<Fraction>,
    /// Whether there are areas whose temperature is not known, which may be hotter.
    pub may_be_hotter: bool,
    /// The score with best play, positive for Black.
    pub score: Option<Dyadic>,
    /// The least and the greatest score, where a ko decides.
    pub bounds: Option<(Dyadic, Dyadic)>,
    /// How many points the move lost.
    pub loss: Option<Dyadic>,
    /// Gote, sente and so on, where the move was made.
    pub kind: &'static str,
    /// Best moves, as names.
    pub better: Vec<String>,
    /// Whether that is proven; else it holds if what looks settled is settled.
    pub is_exact: bool,
}

/// A record to be followed, move by move in any order: what was found for one move serves the others.
pub struct Following {
    first: usize,
    /// The position before each move, who made it, and the move.
    moves: Vec<(Game, Player, Move)>,
    settings: Settings,
}

impl Following {
    /// Reads a record, to be followed from a move on, counted from 1.
    ///
    /// # Errors
    /// If the text is no record of a Go game.
    pub fn new(text: &str, rule: KoRule, from: usize, settings: &Settings) -> Result<Following, SgfError> {
        let memory = Some(settings.memory.clone().unwrap_or_default());
        let settings = Settings { effort: settings.effort.impatient(), memory, ..settings.clone() };
        let first = from.max(1);
        Ok(Following { first, moves: sgf::moves(text, rule, first)?, settings })
    }

    /// How many moves there are to be followed.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// What is known about a move, counted from 0. The two questions it takes, what is proven and what is likely, get half of
    /// the time each.
    pub fn step(&self, index: usize, budget: impl Fn() -> Budget) -> Step {
        let (game, player, mv) = &self.moves[index];
        let (store, own) = (Store::new(), budget());
        let proven = analyse(&store.kernel(&own), game, &self.settings);
        let is_exact = proven.score.is_some();
        let analysis = if is_exact {
            proven
        } else {
            let own = budget();
            likely(&store.kernel(&own), game, &self.settings, &proven)
        };
        step(self.first + index, game, *player, *mv, &analysis, is_exact)
    }

    /// How long each question of a move may take if so much time is left for so many moves.
    pub fn share(left: Duration, moves: usize) -> Duration {
        left / (2 * moves.max(1)) as u32
    }
}

fn step(number: usize, game: &Game, player: Player, mv: Move, analysis: &Analysis, is_exact: bool) -> Step {
    let board = &game.board;
    let rated = |point: Point| analysis.moves[player as usize].iter().find(|rated| rated.point == point);
    let gain = analysis.score.as_ref().map(|[black, white]| black - white);
    let (name, found) = match mv {
        Move::Stone(point) => (board.name(point), rated(point)),
        Move::Pass => ("pass".into(), None),
    };
    let is_here = |area: &&AreaReport| matches!(mv, Move::Stone(point) if area.points.contains(&point));
    let kind = match analysis.areas.iter().find(is_here).map(|area| &area.facts) {
        Some(Ok(facts)) => facts.kind.of_move(player),
        Some(Err(LocalFailure::Ko { .. })) => "ko",
        _ => "",
    };
    // A move that is in no open area is worth a pass, if a ko has not to do with it.
    let is_inside = matches!(mv, Move::Stone(p) if analysis.safety.owner(p).is_none());
    let loss = match found {
        Some(rated) if analysis.score.is_some() => rated.loss.clone(),
        None if !is_inside => gain,
        _ => None,
    };
    let score = analysis.score.as_ref().map(|score| score[player as usize].clone());
    // A ko may leave the score open for one player to begin only.
    let bounds = analysis.bounds.as_ref().map(|bounds| bounds[player as usize].clone());
    let is_best = |loss: &Option<Dyadic>| loss.as_ref().is_some_and(Dyadic::is_zero);
    let better = analysis.moves[player as usize].iter().filter(|rated| is_best(&rated.loss));
    let heats: Vec<_> = analysis.areas.iter().map(heat).collect();
    let may_be_hotter = heats.contains(&None);
    // That something is settled says nothing of what is not known.
    let says_something = |heat: &Fraction| !may_be_hotter || heat.to_f64() > 0.0;
    Step {
        number,
        player,
        mv,
        name,
        temperature: heats.iter().flatten().max().copied().filter(says_something),
        may_be_hotter,
        score: score
            .or_else(|| bounds.as_ref().filter(|(low, high)| low == high).map(|(low, _)| low.clone())),
        bounds,
        better: match &loss {
            Some(loss) if !loss.is_zero() => better.take(3).map(|rated| board.name(rated.point)).collect(),
            _ => vec![],
        },
        loss,
        kind,
        is_exact,
    }
}

/// What a move in an area is worth; where a ko decides, to whom it is worth more as komaster.
fn heat(area: &AreaReport) -> Option<Fraction> {
    match (&area.facts, &area.ko) {
        (Ok(facts), _) => Fraction::of_dyadic(&facts.temperature),
        (Err(_), Some(ko)) => ko.masters.iter().map(|facts| facts.temperature).max(),
        (Err(_), None) => None,
    }
}

/// The steps as a table, with the temperature as a graph and what each player lost.
pub fn follow_text(steps: &[Step]) -> String {
    let mut text = String::from("move      temp                  score with best play   lost  better\n");
    let mut lost = [Dyadic::ZERO, Dyadic::ZERO];
    for step in steps {
        let letter = if step.player == Player::Left { 'B' } else { 'W' };
        // Two marks for a point.
        let marks = step.temperature.map_or(0.0, |t| 2.0 * t.to_f64());
        let bar = "#".repeat(marks.clamp(0.0, 20.0) as usize);
        let least = if step.may_be_hotter { ">=" } else { "" };
        let temperature = step.temperature.map_or("?".into(), |t| format!("{least}{t}"));
        let score = match (&step.score, &step.bounds) {
            (Some(score), _) => result_text(score),
            (None, Some((low, high))) => format!("{} to {}", result_text(low), result_text(high)),
            (None, None) => "open".into(),
        };
        let sure = if step.is_exact || step.score.is_none() { "" } else { " likely" };
        let loss = match &step.loss {
            Some(loss) => {
                lost[step.player as usize] = &lost[step.player as usize] + loss;
                if loss.is_zero() { String::new() } else { loss.to_string() }
            }
            None => "?".into(),
        };
        let remark = match step.better.is_empty() {
            true => step.kind.to_string(),
            false if step.kind.is_empty() => step.better.join(" "),
            false => format!("{} ({})", step.better.join(" "), step.kind),
        };
        let number = format!("{}.{letter}", step.number);
        let line = format!(
            "{number:<5} {:<5} {temperature:>7} {bar:<20} {:<22} {loss:>4}  {remark}",
            step.name,
            score + sure
        );
        _ = writeln!(text, "{}", line.trim_end());
    }
    let known = steps.iter().filter(|step| step.loss.is_some()).count();
    let exact = steps.iter().filter(|step| step.is_exact).count();
    let count = steps.len();
    _ = writeln!(
        text,
        "Of {count} moves {known} could be rated, in positions of which {exact} are proven. Black lost {}, White {}.",
        lost[0], lost[1]
    );
    text
}
