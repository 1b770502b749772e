//! Go endgames: areas between safe stones.

use std::cmp::Ordering;
use std::time::Duration;

use gb_engine::Engine;
use gb_engine::analysis_json::Facts;
use gb_engine::picture::thermograph::{Drawing, Turn, svg_of};
use gb_go::bench::{read, spot};
use gb_go::{
    Analysis, AreaReport, Following, Fraction, Game, KoFacts, KoReport, KoRule, KoWall, LocalFailure, Move,
    Point, RatedMove, Reason, Report, Scoring, Settings, Step, Threats, analyse as analyse_go, failure_text,
    ko_text, optimal_line,
};
use gb_rules::Player;
use gb_value::clock::Instant;
use gb_value::text::Style;
use gb_value::{Budget, Corner, Dyadic, Kernel, Store};
use serde_json::{Value as Json, json};

use super::{
    AnalysisView, AnalystError, Chosen, Effort, Event, Question, SHORT, ShownMove, ShownOption, ShownPart,
    TYPESET, drawn, event, finish,
};

fn game(question: &Question) -> Result<Game, AnalystError> {
    let mut game = read(&question.position)?;
    game.to_play = question.to_play;
    Ok(game)
}

pub(super) fn analyse(
    _desk: &Engine,
    question: &Question,
    effort: &Effort,
    tell: &dyn Fn(Event),
) -> Result<(), AnalystError> {
    let (game, start) = (game(question)?, Instant::now());
    let (store, settings) = (Store::new(), Settings::default());
    let kernel = store.kernel(&effort.budget);
    let analysis = analyse_go(&kernel, &game, &settings);
    let line = optimal_line(&kernel, &game.board, &analysis, game.to_play, &settings).unwrap_or_default();
    // What is known is shown even when the budget is spent.
    let unlimited = Budget::unlimited();
    let kernel = store.kernel(&unlimited);
    let report = Report { game: &game, analysis: &analysis, line: &line };
    let shown = AnalysisView {
        verdict: report.score_text().trim().to_owned(),
        stopped: analysis.stopped.map(|stop| stop.to_string()),
        parts: areas(&kernel, &game, &analysis),
        title: "loses nothing with".into(),
        moves: Player::BOTH.map(|player| best_moves(&game, &analysis, player)),
        report: Some(report.text(&kernel)),
        options: moves_with_scores(&kernel, question, &analysis)?,
        ..AnalysisView::default()
    };
    finish(tell, &shown, &go_json(&kernel, &report, start.elapsed().as_secs_f64()));
    Ok(())
}

/// All legal moves. What those leave is known whose loss is known: the score that best play then ends with.
fn moves_with_scores(
    kernel: &Kernel<'_>,
    question: &Question,
    analysis: &Analysis,
) -> Result<[Vec<ShownOption>; 2], AnalystError> {
    let game = game(question)?;
    let position = gb_record::session::read_position(&question.games, &question.game, &question.position)?;
    Ok(Player::BOTH.map(|player| {
        let rated = &analysis.moves[player as usize];
        let choices = position.moves(player, usize::MAX);
        let mut options: Vec<ShownOption> = choices.iter().map(ShownOption::unknown).collect();
        for option in &mut options {
            let is_here = |mv: &&RatedMove| option.gesture == [spot(&game.board, mv.point).to_string()];
            let Some(mv) = rated.iter().find(is_here) else { continue };
            option.part = Some(mv.area);
            option.to = kernel.show(mv.to, &SHORT).ok().map(|shown| shown.text);
            let (Some(score), Some(loss)) = (&analysis.score, &mv.loss) else { continue };
            let best = &score[player as usize];
            let after = if player == Player::Left { best - loss } else { best + loss };
            option.winner = Some(match after.cmp(&Dyadic::from(0)) {
                Ordering::Greater => "Left",
                Ordering::Equal => "Draw",
                Ordering::Less => "Right",
            });
            option.wins = loss.is_zero();
            option.score = Some(after.to_string());
        }
        options
    }))
}

pub(super) fn options(question: &Question, effort: &Effort) -> Result<[Vec<ShownOption>; 2], AnalystError> {
    let store = Store::new();
    let analysis = analyse_go(&store.kernel(&effort.budget), &game(question)?, &Settings::default());
    moves_with_scores(&store.kernel(&Budget::unlimited()), question, &analysis)
}

fn areas(kernel: &Kernel<'_>, game: &Game, analysis: &Analysis) -> Vec<ShownPart> {
    let part = |area: &AreaReport| {
        let cells = area.points.iter().map(|&p| spot(&game.board, p).to_string()).collect();
        let shown = ShownPart {
            name: area.letter.clone(),
            position: game.board.names(&area.points),
            cells,
            ..ShownPart::default()
        };
        match &area.facts {
            Err(failure) => {
                let mut note = failure_text(kernel, failure);
                if let Some(ko) = &area.ko {
                    note += &format!("; {}", ko_text(ko));
                }
                let thermograph = area.ko.as_ref().map(|ko| {
                    let drawings = ko_drawings(ko).into_iter();
                    svg_of(&drawings.map(|(threats, graph)| (threats.text(), graph)).collect::<Vec<_>>())
                });
                ShownPart { note, thermograph, ..shown }
            }
            Ok(facts) => {
                let value = area.value(kernel, analysis.scoring).ok().flatten().unwrap_or(facts.value);
                ShownPart {
                    facts: Some(Facts::of(value, true, kernel, &TYPESET)),
                    note: facts.kind.text().into(),
                    thermograph: drawn(kernel, &area.letter, value),
                    ..shown
                }
            }
        }
    };
    analysis.areas.iter().map(part).collect()
}

/// The thermographs of an area with a ko: for either komaster, and for equal threats.
pub fn ko_drawings(ko: &KoReport) -> Vec<(Threats, Drawing)> {
    let all = [Threats::Komaster(Player::Left), Threats::Komaster(Player::Right), Threats::Neutral];
    all.into_iter().filter_map(|threats| Some((threats, ko_drawing(ko.with(threats)?)))).collect()
}

/// Fractions are drawn where they are but for less than a thousandth of a point; what is written is exact.
fn ko_drawing(facts: &KoFacts) -> Drawing {
    let near = |number: Fraction| number.rounded(12);
    let turns = |wall: &KoWall| {
        let turn = |(value, temperature, slope): (Fraction, Fraction, Fraction)| Turn {
            corner: Corner { value: near(value), temperature: near(temperature) },
            slope: near(slope),
        };
        wall.corners().into_iter().map(turn).collect()
    };
    Drawing {
        walls: facts.walls.each_ref().map(turns),
        foot: Corner { value: near(facts.mean), temperature: near(facts.temperature) },
        mean: facts.mean.to_string(),
        temperature: facts.temperature.to_string(),
    }
}

fn named(game: &Game, point: Point) -> (String, Vec<String>) {
    (game.board.name(point), vec![spot(&game.board, point).to_string()])
}

fn best_moves(game: &Game, analysis: &Analysis, player: Player) -> Vec<ShownMove> {
    let best =
        analysis.moves[player as usize].iter().filter(|m| m.loss.as_ref().is_some_and(|x| x.is_zero()));
    best.filter(|m| game.is_legal(player, m.point))
        .map(|m| {
            let (text, gesture) = named(game, m.point);
            let area = analysis.areas.get(m.area).map_or("", |area| &area.letter);
            let kind = analysis.areas.get(m.area).and_then(|area| area.facts.as_ref().ok());
            let kind = kind.map_or("", |facts| facts.kind.of_move(player));
            ShownMove { text, gesture, reason: format!("in {area}: {kind}") }
        })
        .collect()
}

fn area_json(kernel: &Kernel<'_>, report: &Report<'_>, area: &AreaReport) -> Json {
    let show = |value| kernel.show(value, &Style::plain()).map(|shown| shown.text).ok();
    let points = report.game.board.names(&area.points);
    match &area.facts {
        Ok(facts) => json!({
            "area": area.letter,
            "points": points,
            "value": area.value(kernel, report.analysis.scoring).ok().flatten().and_then(show),
            "chilled": show(facts.chilled),
            "mean": facts.mean.to_string(),
            "temperature": facts.temperature.to_string(),
            "left_stop": facts.stops[0].to_string(),
            "right_stop": facts.stops[1].to_string(),
            "kind": facts.kind.text(),
            "nodes": facts.nodes,
        }),
        Err(failure) => {
            let bounds = match failure {
                LocalFailure::Ko { lower, upper } => Some([show(*lower), show(*upper)]),
                _ => None,
            };
            let error = failure_text(kernel, failure);
            let ko = area.ko.as_ref().map(ko_json);
            json!({ "area": area.letter, "points": points, "error": error, "bounds": bounds, "ko": ko })
        }
    }
}

/// The thermographs of a ko: walls as corners `value@temperature`, from temperature 0 up.
pub fn ko_json(ko: &KoReport) -> Json {
    let wall = |wall: &KoWall| {
        let corners = wall.corners();
        corners.iter().map(|(value, t, _)| format!("{value}@{t}")).collect::<Vec<_>>().join(" ")
    };
    let facts = |facts: &KoFacts| {
        json!({
            "mean": facts.mean.to_string(),
            "temperature": facts.temperature.to_string(),
            "left_wall": wall(&facts.walls[0]),
            "right_wall": wall(&facts.walls[1]),
        })
    };
    let [black, white] = &ko.masters;
    json!({ "black": facts(black), "white": facts(white), "neutral": ko.neutral.as_ref().map(facts) })
}

/// What was found out, as the command line and the server say it.
pub fn go_json(kernel: &Kernel<'_>, report: &Report<'_>, seconds: f64) -> Json {
    let (game, analysis) = (report.game, report.analysis);
    let board = &game.board;
    let areas: Vec<Json> = analysis.areas.iter().map(|area| area_json(kernel, report, area)).collect();
    let moves = |player: Player| -> Vec<Json> {
        let moves = analysis.moves[player as usize].iter();
        moves
            .map(|m| json!({ "move": board.name(m.point), "loss": m.loss.as_ref().map(|x| x.to_string()) }))
            .collect()
    };
    let safe: serde_json::Map<String, Json> = Reason::ALL
        .iter()
        .map(|&reason| {
            let has_reason = |p: &u16| analysis.safety.reason(*p) == Some(reason);
            let points: Vec<u16> = board.points().filter(has_reason).collect();
            (reason.text().to_string(), json!(board.names(&points)))
        })
        .collect();
    let score = |first: Player| analysis.score.as_ref().map(|s| s[first as usize].to_string());
    let bounds = |first: Player| {
        let bounds = analysis.bounds.as_ref().map(|b| &b[first as usize]);
        bounds.map(|(low, high)| [low.to_string(), high.to_string()])
    };
    json!({
        "size": board.size(),
        "to_play": if game.to_play == Player::Left { "black" } else { "white" },
        "scoring": match analysis.scoring {
            Scoring::Territory => "territory",
            Scoring::TerritoryNeutralZero => "dame-zero",
            Scoring::Area => "area",
        },
        "safe": safe,
        "areas": areas,
        "constant": analysis.constant,
        "score_black_first": score(Player::Left),
        "score_white_first": score(Player::Right),
        "bounds_black_first": bounds(Player::Left),
        "bounds_white_first": bounds(Player::Right),
        "komasters": analysis.komasters.as_ref().map(|[black, white]| {
            let scores = |[left, right]: &[Dyadic; 2]| {
                json!({ "score_black_first": left.to_string(), "score_white_first": right.to_string() })
            };
            json!({ "black": scores(black), "white": scores(white) })
        }),
        "stopped": analysis.stopped.map(|stop| stop.to_string()),
        "moves": { "black": moves(Player::Left), "white": moves(Player::Right) },
        "line": report.line_text(),
        "nodes": analysis.nodes(),
        "seconds": seconds,
    })
}

pub(super) fn choose(
    _desk: &Engine,
    question: &Question,
    _player: Option<&str>,
    effort: &Effort,
) -> Result<Chosen, AnalystError> {
    let (game, store) = (game(question)?, Store::new());
    let kernel = store.kernel(&effort.budget);
    let choice = gb_go::choose(&kernel, &game, question.to_play, None, &Settings::default());
    let (text, gesture) = match choice.mv {
        Move::Pass => ("pass".into(), vec![]),
        Move::Stone(point) => named(&game, point),
    };
    Ok(Chosen { text, gesture, why: choice.why.text().into() })
}

/// The longest record that is followed.
const MOST_MOVES: usize = 1_000;

/// Follows a record from a move on. The last moves come first: there the board is small enough to be known, and whoever stops it
/// has the endgame.
pub(super) fn follow(
    record: &str,
    from: usize,
    effort: &Effort,
    tell: &dyn Fn(Event),
) -> Result<(), AnalystError> {
    let start = Instant::now();
    let following = Following::new(record, KoRule::Simple, from, &Settings::default())?;
    let count = following.len();
    if count > MOST_MOVES {
        return Err(AnalystError::LongRecord { count, most: MOST_MOVES });
    }
    let budget = effort.all();
    let mut known = 0;
    for index in (0..count).rev() {
        if budget.spend(1, 0).is_err() {
            break;
        }
        let left = budget.deadline().map_or(Duration::MAX, |d| d.saturating_duration_since(Instant::now()));
        let share = Following::share(left, index + 1);
        let step = following.step(index, || budget.part_of_time(share));
        // What was cut short by somebody who does not want to know any more is not told.
        if budget.cancel().is_cancelled() {
            break;
        }
        known += 1;
        tell(Event { event: "step", data: json!({ "count": count, "step": step_json(&step) }) });
    }
    tell(event(
        "result",
        &json!({ "moves": count, "followed": known, "seconds": start.elapsed().as_secs_f64() }),
    ));
    Ok(())
}

/// What is known about a move of a record, as the command line and the server say it.
pub fn step_json(step: &Step) -> Json {
    json!({
        "move": step.number,
        "player": if step.player == Player::Left { "black" } else { "white" },
        "point": step.name,
        "temperature": step.temperature.as_ref().map(ToString::to_string),
        "may_be_hotter": step.may_be_hotter,
        "score": step.score.as_ref().map(ToString::to_string),
        "bounds": step.bounds.as_ref().map(|(low, high)| [low.to_string(), high.to_string()]),
        "loss": step.loss.as_ref().map(ToString::to_string),
        "kind": step.kind,
        "better": step.better,
        "exact": step.is_exact,
    })
}
