//! Games of the list: positions taken apart into a sum.

use std::time::{Duration, Instant};

use gb_engine::Engine;
use gb_engine::findings::{AnalysisJson, Facts, PartFindings, ScoredFindings, Winning, WinningFindings};
use gb_engine::picture::board::part_letter;
use gb_engine::report::{ending_clause, outcome_sentence, score_sentence, value_text};
use gb_play::strategy::{Plan, STRATEGIES, Sure};
use gb_play::{Limits, PLAYER_KINDS, is_player};
use gb_rules::Choice;
use gb_rules::Player;
use gb_search::Scores;
use gb_search::question::outcome::Winners;
use gb_search::sum::{ExaminedComponent, SumReport, Summand, best_move};
use gb_value::text::{Script, Style};
use gb_value::{Budget, Kernel};
use serde_json::json;

use super::{
    AnalysisView, AnalystError, Chosen, Effort, Event, Question, ShownMove, ShownPart, drawn, finish,
};
use crate::searches::event;

/// The player who adds values up.
const OPTIMAL: &str = "optimal";

/// Who can choose moves, each with a sentence about it.
pub fn players() -> Vec<(String, String)> {
    let mut players =
        vec![(OPTIMAL.to_owned(), "Adds exact values up: plays a move that wins, if any does.".to_owned())];
    for (name, about) in PLAYER_KINDS {
        // Knowledge about parts makes them stronger; without it they are good to practise against.
        if *name != "random" {
            players.push((format!("{name}+all"), format!("{} Knows about parts and their values.", about)));
        }
        players.push(((*name).to_owned(), (*about).to_owned()));
    }
    let strategies = STRATEGIES.iter().filter(|(name, _)| *name != OPTIMAL);
    players.extend(
        strategies.map(|(name, about)| ((*name).to_owned(), format!("A strategy for sums. {about}"))),
    );
    players
}

/// Texts of values on a page.
const STYLE: Style = Style { script: Script::Ascii, plain: false, slashes: false, max_len: 240 };
/// Pictures are made for this many parts; the others would only be scrolled past.
const MAX_PICTURES: usize = 60;

pub(super) fn analyse(
    engine: &Engine,
    question: &Question,
    effort: &Effort,
    tell: &dyn Fn(Event),
) -> Result<(), AnalystError> {
    let start = Instant::now();
    if question.ends_in_score {
        deepen(engine, question, &effort.budget, tell);
    }
    let unlimited = Budget::unlimited();
    let told = |index: usize, count: usize, component: &ExaminedComponent| {
        let part = part(&engine.store.kernel(&unlimited), index, component, question.ends_in_score);
        tell(event("part", &json!({ "index": index, "count": count, "part": part })));
    };
    let budget = &effort.budget;
    let answer = engine.examine(&question.game, &question.position, budget, &|| effort.rest(), &told)?;
    let examined = answer.examined.ok_or(AnalystError::NotSearched)?;
    let report = SumReport::new(&engine.store.kernel(budget), vec![Summand::Position(examined)]);
    let kernel = engine.store.kernel(&unlimited);
    let counts = (budget.nodes(), start.elapsed().as_secs_f64());
    let findings = AnalysisJson::of(&report, answer.winners, &kernel, &STYLE, counts);
    finish(tell, &shown(&report, answer.winners, &findings, &kernel), &findings);
    Ok(())
}

fn part(kernel: &Kernel<'_>, index: usize, component: &ExaminedComponent, by_score: bool) -> ShownPart {
    let PartFindings { position, cells, facts, stopped, known, .. } =
        PartFindings::of(component, by_score, kernel, &STYLE);
    let name = part_letter(index).to_string();
    let thermograph =
        component.value.ok().filter(|_| index < MAX_PICTURES).and_then(|v| drawn(kernel, &name, v));
    ShownPart { name, position, cells, facts, note: known.or(stopped).unwrap_or_default(), thermograph }
}

/// What a sum ends with, whoever begins; the same reason is not given twice.
fn scores_verdict(scores: &Scores) -> String {
    match (&scores.left_first, &scores.right_first) {
        (Err(stop), Err(other)) if stop == other => format!("Not finished: {stop}."),
        _ => Player::BOTH.map(|first| score_sentence(scores, first)).join(" "),
    }
}

fn shown(
    report: &SumReport,
    winners: Option<Winners>,
    findings: &AnalysisJson,
    kernel: &Kernel<'_>,
) -> AnalysisView {
    let components = match report.summands.first() {
        Some(Summand::Position(examined)) => &examined.components[..],
        _ => &[],
    };
    let by_score = report.scores.is_some();
    let verdict = match (&report.analysis, &report.loops, winners) {
        _ if by_score => report.scores.as_ref().map_or_else(String::new, |s| scores_verdict(&s.scores)),
        (Ok(analysis), ..) => sentence(outcome_sentence(analysis.outcome)),
        (Err(_), Some(loops), _) => sentence(outcome_sentence(loops.outcome)),
        (Err(_), None, Some(winners)) => winners_sentence(&winners),
        (Err(stop), None, None) => format!("Not finished: {stop}."),
    };
    // Whoever cannot win may be able to draw.
    let drawing = |who: fn(&Winning) -> &Vec<WinningFindings>| match &findings.drawing {
        Some(drawing) if who(&findings.winning).is_empty() => who(drawing),
        _ => who(&findings.winning),
    };
    let moves = [drawing(|w| &w.left), drawing(|w| &w.right)];
    let some_draw = moves.iter().zip([&findings.winning.left, &findings.winning.right]).any(|(m, w)| *m != w);
    AnalysisView {
        verdict,
        stopped: findings.stopped.clone(),
        parts: components
            .iter()
            .enumerate()
            .map(|(index, component)| part(kernel, index, component, by_score))
            .collect(),
        sum: report
            .loops
            .as_ref()
            .map(|loops| ShownPart {
                name: "sum".into(),
                facts: Some(Facts::of_loops(&loops.total, kernel, &STYLE)),
                ..ShownPart::default()
            })
            .or_else(|| {
                report.analysis.as_ref().ok().map(|analysis| ShownPart {
                    name: "sum".into(),
                    facts: Some(Facts::of(analysis.total, by_score, kernel, &STYLE)),
                    thermograph: drawn(kernel, "sum", analysis.total),
                    ..ShownPart::default()
                })
            }),
        title: if some_draw || by_score { "does best with".into() } else { "wins with".into() },
        moves: match &findings.scores {
            // Not all that win, but all that lose nothing.
            Some(scores) => [&scores.left, &scores.right].map(|moves| best_scores(moves)),
            None => moves.map(|moves| moves.iter().map(ShownMove::from).collect()),
        },
        report: None,
        labels: vec![],
    }
}

/// The moves that reach the best score.
fn best_scores(moves: &[ScoredFindings]) -> Vec<ShownMove> {
    let best = moves.iter().filter(|mv| mv.loses == "0");
    best.map(|mv| ShownMove {
        text: mv.at.text.clone().unwrap_or_default(),
        gesture: mv.at.gesture.clone(),
        reason: mv.reason.clone(),
    })
    .collect()
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

fn winners_sentence(winners: &Winners) -> String {
    if let Ok(outcome) = winners.outcome() {
        return sentence(outcome_sentence(outcome));
    }
    let side = |first: Player| match winners.ending(first) {
        Ok(ending) => format!("If {first} begins, {}.", ending_clause(ending)),
        Err(_) => format!("If {first} begins, it is open who wins."),
    };
    format!("{} {}", side(Player::Left), side(Player::Right))
}

/// Guesses that get better with each depth, within a share of the time. A page shows them while exact values are looked for.
fn deepen(engine: &Engine, question: &Question, budget: &Budget, tell: &dyn Fn(Event)) {
    let left = budget
        .deadline()
        .map_or(Duration::from_secs(20), |end| end.saturating_duration_since(Instant::now()));
    let end = Instant::now() + left / 5;
    let unlimited = Budget::unlimited();
    for depth in 1.. {
        let time = end.saturating_duration_since(Instant::now());
        let share = Budget::unlimited().with_bytes(budget.max_bytes()).with_cancel(budget.cancel().clone());
        let Ok(answer) = engine.deepen(&question.game, &question.position, depth, &share.with_time(time))
        else {
            return;
        };
        let kernel = engine.store.kernel(&unlimited);
        let mut parts = vec![];
        let mut done = true;
        for part in &answer.deepened {
            let Some(judged) = part.by_depth.get(depth as usize - 1).or(part.by_depth.last()) else { return };
            done &= judged.exact;
            parts.push(json!({
                "part": part.part,
                "value": value_text(&kernel, judged.value, &STYLE),
                "exact": judged.exact,
                "mean": kernel.mean(judged.value).map(|x| x.to_string()).ok(),
                "temperature": kernel.temperature(judged.value).map(|x| x.to_string()).ok(),
            }));
        }
        let stopped = answer.deepened.iter().any(|part| part.stopped.is_some());
        if stopped {
            return;
        }
        tell(event("depth", &json!({ "depth": depth, "parts": parts })));
        if done {
            return;
        }
    }
}

pub(super) fn choose(
    engine: &Engine,
    question: &Question,
    player: Option<&str>,
    effort: &Effort,
) -> Result<Chosen, AnalystError> {
    match player.filter(|name| *name != OPTIMAL) {
        Some(spec) if is_player(spec) => return chosen_by(engine, question, spec, effort),
        Some(plan) => return advised(engine, question, plan, effort),
        None => {}
    }
    let position = gb_record::session::read_position(&question.games, &question.game, &question.position)?;
    let moves = position.moves(question.to_play, usize::MAX);
    let chosen = |text: &str, why: String| {
        let choice: Option<&Choice> = moves.iter().find(|choice| choice.text == text);
        let gesture = choice.map_or(vec![], |c| c.gesture.iter().map(|spot| spot.to_string()).collect());
        Chosen { text: text.to_owned(), gesture, why }
    };
    if moves.is_empty() {
        return Err(AnalystError::NoMove(question.to_play));
    }
    let budget = &effort.budget;
    let answer =
        engine.examine(&question.game, &question.position, budget, &|| effort.rest(), &|_, _, _| {})?;
    let examined = answer.examined.ok_or(AnalystError::NotSearched)?;
    let report = SumReport::new(&engine.store.kernel(budget), vec![Summand::Position(examined)]);
    let unlimited = Budget::unlimited();
    let kernel = engine.store.kernel(&unlimited);
    let findings = AnalysisJson::of(&report, answer.winners, &kernel, &STYLE, (0, 0.0));
    if let Some(scores) = &findings.scores {
        let moves = if question.to_play == Player::Left { &scores.left } else { &scores.right };
        if let Some(best) = moves.first()
            && let Some(text) = &best.at.text
        {
            return Ok(chosen(text, format!("solved: {}", best.reason)));
        }
        return chosen_by(engine, question, &format!("{}+all", PLAYER_KINDS[0].0), effort);
    }
    let winning = match question.to_play {
        Player::Left => &findings.winning.left,
        Player::Right => &findings.winning.right,
    };
    if let Some(text) = winning.first().and_then(|m| m.at.text.clone()) {
        return Ok(chosen(&text, format!("solved: {} is winning. {}", question.to_play, winning[0].reason)));
    }
    if report.analysis.is_ok()
        && let Ok(Some(best)) = best_move(&engine.store.kernel(budget), report.components(), question.to_play)
    {
        let label = &report.components()[best.at.component].moves_of(question.to_play)[best.at.index].label;
        return Ok(chosen(label, format!("solved: {} is winning", question.to_play.opponent())));
    }
    // What cannot be solved is played as well as time allows.
    chosen_by(engine, question, &format!("{}+all", PLAYER_KINDS[0].0), effort)
}

/// How much a strategy for sums may remember.
const ENTRIES_OF_STRATEGIES: usize = 1 << 16;

/// A move of a strategy for sums.
fn advised(
    engine: &Engine,
    question: &Question,
    plan: &str,
    effort: &Effort,
) -> Result<Chosen, AnalystError> {
    let Question { game, position, to_play, .. } = question;
    let plan: Plan = plan.parse()?;
    let name = plan.name();
    let advice = engine.advise(game, position, *to_play, plan, ENTRIES_OF_STRATEGIES, &effort.budget)?;
    let why = match advice.sure {
        Sure::Best => format!("{name} has proven that nothing is better"),
        Sure::Within(loss) => format!("{name} loses at most {loss} by playing like this"),
        Sure::Depth(depth) => format!("{name} has looked {depth} moves ahead"),
        Sure::Guess => format!("{name} plays by a rule of thumb"),
        Sure::RanOut => format!("{name} ran out of time before it knew anything"),
    };
    Ok(Chosen { gesture: gesture(question, &advice.mv)?, text: advice.mv, why })
}

/// The spots that are touched to play a move.
fn gesture(question: &Question, mv: &str) -> Result<Vec<String>, AnalystError> {
    let position = gb_record::session::read_position(&question.games, &question.game, &question.position)?;
    let choice = position.moves(question.to_play, usize::MAX).into_iter().find(|choice| choice.text == mv);
    Ok(choice.map_or(vec![], |choice| choice.gesture.iter().map(|spot| spot.to_string()).collect()))
}

/// A move of a player of whole games.
fn chosen_by(
    engine: &Engine,
    question: &Question,
    spec: &str,
    effort: &Effort,
) -> Result<Chosen, AnalystError> {
    let Question { game, position, to_play, .. } = question;
    let limits = Limits {
        time: effort.allowance.time,
        bytes: effort.budget.max_bytes() / 4,
        cancel: effort.budget.cancel().clone(),
        ..Limits::default()
    };
    let made = engine.choose(game, position, *to_play, spec, &limits)?;
    let why = match (made.winner, made.chance) {
        (Some(winner), _) => format!("solved: {winner} is winning"),
        (None, Some(chance)) => format!("{spec} expects {:.0} % of the games", 100.0 * chance),
        (None, None) => format!("{spec}, {} nodes", made.nodes),
    };
    Ok(Chosen { gesture: gesture(question, &made.mv)?, text: made.mv, why })
}
