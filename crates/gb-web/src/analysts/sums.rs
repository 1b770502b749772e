//! Games of the list: positions taken apart into a sum.

use std::collections::HashMap;
use std::time::Duration;

use gb_engine::analysis_json::{AnalysisJson, Facts, PartJson, ScoredJson, Winning, WinningJson};
use gb_engine::picture::board::part_letter;
use gb_engine::picture::thermograph;
use gb_engine::report::{ending_clause, outcome_sentence, score_sentence, value_text};
use gb_engine::{Answer, Engine, Explained, Place};
use gb_play::strategy::{Plan, STRATEGIES, Sure};
use gb_play::{Limits, PLAYER_KINDS, is_player};

use gb_rules::Choice;
use gb_rules::Player;
use gb_search::Scores;
use gb_search::question::outcome::Winners;
use gb_search::sum::{ExaminedComponent, SumReport, Summand, best_move};
use gb_value::clock::Instant;
use gb_value::loopy::Ending;
use gb_value::text::{Script, Style};
use gb_value::{Budget, Halt, Kernel, Value};
use serde_json::json;

use super::{
    AnalysisView, AnalystError, Chosen, Effort, Estimate, Event, Explored, Question, SHORT, ShownMove,
    ShownOption, ShownPart, TYPESET, drawn, event, finish,
};

/// The player who adds values up.
const OPTIMAL: &str = "optimal";

/// The player who proves that it wins.
const PROOF: &str = "proof";

/// Who can choose moves, each with a sentence about it.
pub fn players() -> Vec<(String, String)> {
    let mut players = vec![
        (OPTIMAL.to_owned(), "Adds exact values up: plays a move that wins, if any does.".to_owned()),
        (
            PROOF.to_owned(),
            "Proves that it wins, and says with every move which fact of the proof answers yours.".to_owned(),
        ),
    ];
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

/// Texts of values for programs.
const STYLE: Style = Style { script: Script::Ascii, plain: false, slashes: false, max_len: 240 };
/// Pictures are made for this many parts; the others would only be scrolled past.
const MAX_PICTURES: usize = 60;
/// More thermographs than this in one picture hide each other.
const TOGETHER: usize = 8;
/// More moves than this are not listed for a player.
const MAX_OPTIONS: usize = 600;

/// How long values are looked for before something else is said; then three times as long, and so on.
const FIRST_TRY: Duration = Duration::from_millis(1_000);
/// How long the strongest player thinks at first.
const FIRST_THOUGHT: Duration = Duration::from_millis(600);

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
    let mut thinker = Thinker::new(engine, question, effort);
    let answer = examine(engine, question, effort, &told, &mut |share| {
        if let Some(estimate) = thinker.think(share) {
            tell(event("estimate", &estimate));
        }
    })?;
    let mut answer = answer;
    let examined = answer.examined.take().ok_or(AnalystError::NotSearched)?;
    let budget = &effort.budget;
    let report = SumReport::new(&engine.store.kernel(budget), vec![Summand::Position(examined)]);
    // Whatever time is left goes into what is not known.
    if !is_solved(&report, answer.winners.as_ref()) {
        let end = start + effort.allowance.time.unwrap_or(Duration::from_secs(20));
        let mut share = FIRST_THOUGHT;
        while !budget.cancel().is_cancelled() {
            let left = end.saturating_duration_since(Instant::now());
            if left < Duration::from_millis(50) {
                break;
            }
            match thinker.think(share.min(left)) {
                Some(estimate) => tell(event("estimate", &estimate)),
                None => break,
            }
            share *= 2;
        }
    }
    let kernel = engine.store.kernel(&unlimited);
    let seconds = start.elapsed().as_secs_f64();
    let findings = AnalysisJson::of(&report, answer.winners, &kernel, &STYLE, (budget.nodes(), seconds));
    let mut shown = shown(&report, answer.winners, &kernel, seconds);
    shown.estimate = thinker.last.filter(|_| !is_solved(&report, answer.winners.as_ref()));
    let rest = effort.rest();
    shown.options = options(&report, &engine.store.kernel(&rest));
    finish(tell, &shown, &findings);
    Ok(())
}

/// Whether it is known who wins.
fn is_solved(report: &SumReport, winners: Option<&Winners>) -> bool {
    match &report.scores {
        Some(scores) => Player::BOTH.iter().all(|&first| scores.scores.first(first).is_ok()),
        None => {
            report.analysis.is_ok() || report.loops.is_some() || winners.is_some_and(|w| w.outcome().is_ok())
        }
    }
}

/// Looks for values in longer and longer tries: what one has found, the next need not look for. `between` them there is time for something else.
fn examine(
    engine: &Engine,
    question: &Question,
    effort: &Effort,
    told: &dyn Fn(usize, usize, &ExaminedComponent),
    between: &mut dyn FnMut(Duration),
) -> Result<Answer, AnalystError> {
    let (mut time, mut thought) = (FIRST_TRY, FIRST_THOUGHT);
    let nothing = || Budget::unlimited().with_time(Duration::ZERO);
    loop {
        let left = effort
            .budget
            .deadline()
            .map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        // The last try is not begun just before the end.
        if left < 2 * time + thought {
            let rest = || effort.rest();
            return Ok(engine.examine(&question.game, &question.position, &effort.budget, &rest, told)?);
        }
        let answer = engine.examine(
            &question.game,
            &question.position,
            &effort.budget.part_of_time(time),
            &nothing,
            told,
        )?;
        let stopped = answer.examined.as_ref().and_then(|examined| examined.stopped());
        if stopped != Some(Halt::Time) || effort.budget.cancel().is_cancelled() {
            if stopped.is_none() {
                return Ok(answer);
            }
            let rest = || effort.rest();
            return Ok(engine.examine(&question.game, &question.position, &effort.budget, &rest, told)?);
        }
        between(thought);
        (time, thought) = (3 * time, 2 * thought);
    }
}

/// The player who is asked where values are out of reach. It remembers what it thought, so that each thought makes the last one better.
struct Thinker<'a> {
    engine: &'a Engine,
    question: &'a Question,
    effort: &'a Effort,
    player: Option<Box<dyn gb_play::Player>>,
    seconds: f64,
    nodes: u64,
    last: Option<Estimate>,
}

/// The strongest player of whole games.
fn strongest() -> String {
    format!("{}+all", PLAYER_KINDS[0].0)
}

impl<'a> Thinker<'a> {
    fn new(engine: &'a Engine, question: &'a Question, effort: &'a Effort) -> Thinker<'a> {
        Thinker { engine, question, effort, player: None, seconds: 0.0, nodes: 0, last: None }
    }

    fn think(&mut self, time: Duration) -> Option<Estimate> {
        let Question { game, position, to_play, ends_in_score, .. } = self.question;
        // Who wins by points depends on those that were earned before; such games have guesses by depth.
        if *ends_in_score {
            return None;
        }
        if self.player.is_none() {
            let spec = strongest().parse().ok()?;
            self.player = self.engine.player(game, position, spec, 1).ok();
        }
        let limits = Limits {
            time: Some(time),
            bytes: self.effort.budget.max_bytes() / 4,
            cancel: self.effort.budget.cancel().clone(),
            ..Limits::default()
        };
        let begun = Instant::now();
        let made = self.player.as_mut()?.choose(position, 0, *to_play, &self.engine.store, &limits).ok()?;
        self.seconds += begun.elapsed().as_secs_f64();
        self.nodes += made.nodes;
        let share = match (made.winner, made.chance) {
            (Some(winner), _) => Some(if winner == *to_play { 1.0 } else { 0.0 }),
            (None, chance) => chance,
        };
        let estimate = Estimate {
            player: strongest(),
            to_play: *to_play,
            gesture: gesture(self.question, &made.mv).ok()?,
            text: made.mv,
            share,
            proven: made.winner.is_some(),
            nodes: self.nodes,
            seconds: self.seconds,
        };
        self.last = Some(estimate.clone());
        Some(estimate)
    }
}

/// What every move leaves, as far as that is known.
fn options(report: &SumReport, kernel: &Kernel<'_>) -> [Vec<ShownOption>; 2] {
    let Some(Summand::Position(examined)) = report.summands.first() else { return Default::default() };
    let by_score = report.scores.is_some();
    let total = report.analysis.as_ref().ok().map(|analysis| analysis.total);
    // Moves in many places leave the same.
    let mut known: HashMap<(Option<usize>, Value), Option<Facts>> = HashMap::new();
    Player::BOTH.map(|player| {
        let mut wins: Vec<&str> =
            report.winning_moves(player).iter().filter_map(|mv| Some(&*mv.on_board?.label)).collect();
        wins.extend(report.misere_moves(player, Ending::won_by(player)).iter().map(|mv| &*mv.label));
        let mut listed: Vec<ShownOption> = vec![];
        for mv in &examined.moves[player as usize] {
            let before = match mv.component {
                Some(index) => examined.components[index].value,
                None => Ok(Value::ZERO),
            };
            let leaves = |to: Value| {
                let others = kernel.sub(total?, before.ok()?).ok()?;
                Some(Facts::of(kernel.add(others, to).ok()?, by_score, kernel, &SHORT))
            };
            let facts = match (mv.to, &mv.loopy) {
                (Ok(to), _) => known.entry((mv.component, to)).or_insert_with(|| leaves(to)).clone(),
                (Err(_), Some(loopy)) if examined.components.len() == 1 => {
                    Some(Facts::of_loops(loopy, kernel, &SHORT))
                }
                _ => None,
            };
            let sensible = match (mv.to, before) {
                // Whatever is neither dominated nor reversible is an option of the canonical form, and nothing else is.
                (Ok(to), Ok(before)) => kernel.options(before, player).any(|option| option == to),
                _ => true,
            };
            listed.push(ShownOption {
                text: mv.label.clone(),
                gesture: mv.gesture.iter().map(|spot| spot.to_string()).collect(),
                part: mv.component,
                to: mv.to.ok().map(|to| value_text(kernel, to, &SHORT)),
                facts,
                score: mv.score.as_ref().and_then(|score| score.as_ref().ok()).map(|score| score.to_string()),
                winner: mv.ending.and_then(Result::ok).map(|ending| match ending {
                    Ending::Win => "Left",
                    Ending::Draw => "Draw",
                    Ending::Loss => "Right",
                }),
                sensible,
                wins: wins.contains(&&*mv.label),
            });
        }
        listed.sort_by_key(|option| (!option.wins, !option.sensible));
        listed.truncate(MAX_OPTIONS);
        listed
    })
}

/// The options of a position, for whoever looks further than one move.
pub(super) fn explore(
    engine: &Engine,
    question: &Question,
    effort: &Effort,
) -> Result<Explored, AnalystError> {
    let budget = &effort.budget;
    let answer =
        engine.examine(&question.game, &question.position, budget, &|| effort.rest(), &|_, _, _| {})?;
    let examined = answer.examined.ok_or(AnalystError::NotSearched)?;
    let report = SumReport::new(&engine.store.kernel(budget), vec![Summand::Position(examined)]);
    let rest = effort.rest();
    let kernel = engine.store.kernel(&rest);
    let by_score = report.scores.is_some();
    let facts = match (&report.analysis, &report.loops) {
        (Ok(analysis), _) => Some(Facts::of(analysis.total, by_score, &kernel, &SHORT)),
        (_, Some(loops)) => Some(Facts::of_loops(&loops.total, &kernel, &SHORT)),
        _ => None,
    };
    Ok(Explored { position: question.position.clone(), facts, options: options(&report, &kernel) })
}

fn part(kernel: &Kernel<'_>, index: usize, component: &ExaminedComponent, by_score: bool) -> ShownPart {
    let PartJson { position, cells, facts, stopped, known, .. } =
        PartJson::of(component, by_score, kernel, &TYPESET);
    let name = part_letter(index).to_string();
    let thermograph =
        component.value.ok().filter(|_| index < MAX_PICTURES).and_then(|v| drawn(kernel, &name, v));
    ShownPart { name, position, cells, facts, note: known.or(stopped).unwrap_or_default(), thermograph }
}

/// What a sum ends with, whoever begins; the same reason is not given twice.
fn scores_verdict(scores: &Scores, seconds: f64) -> String {
    match (&scores.left_first, &scores.right_first) {
        (Err(stop), Err(other)) if stop == other => not_solved(*stop, seconds),
        _ => Player::BOTH.map(|first| score_sentence(scores, first)).join(" "),
    }
}

/// That a question was not answered, and why.
fn not_solved(stop: Halt, seconds: f64) -> String {
    match stop {
        Halt::Time => format!("Not solved in {seconds:.0} s."),
        Halt::Cancelled => format!("Not solved: stopped after {seconds:.0} s."),
        other => format!("Not solved: {other}."),
    }
}

/// Thermographs of the parts and of the sum in one picture, the hottest first.
fn together(components: &[ExaminedComponent], sum: Option<Value>, kernel: &Kernel<'_>) -> Option<String> {
    let graph = |name: String, value: Value| Some((name, kernel.thermograph(value).ok()?));
    let parts = components.iter().enumerate();
    let mut graphs: Vec<_> =
        parts.filter_map(|(index, part)| graph(part_letter(index).to_string(), part.value.ok()?)).collect();
    graphs.sort_by_key(|(_, graph)| std::cmp::Reverse(graph.temperature()));
    graphs.truncate(TOGETHER - 1);
    graphs.sort_by(|a, b| a.0.cmp(&b.0));
    graphs.extend(sum.and_then(|sum| graph("sum".into(), sum)));
    let named: Vec<(&str, &gb_value::Thermograph)> =
        graphs.iter().map(|(name, graph)| (&**name, &**graph)).collect();
    (named.len() > 2).then(|| thermograph::svg(&named))
}

fn shown(report: &SumReport, winners: Option<Winners>, kernel: &Kernel<'_>, seconds: f64) -> AnalysisView {
    let findings = &AnalysisJson::of(report, winners, kernel, &SHORT, (0, seconds));
    let components = match report.summands.first() {
        Some(Summand::Position(examined)) => &examined.components[..],
        _ => &[],
    };
    let by_score = report.scores.is_some();
    let verdict = match (&report.analysis, &report.loops, winners) {
        _ if by_score => {
            report.scores.as_ref().map_or_else(String::new, |s| scores_verdict(&s.scores, seconds))
        }
        (Ok(analysis), ..) => sentence(outcome_sentence(analysis.outcome)),
        (Err(_), Some(loops), _) => sentence(outcome_sentence(loops.outcome)),
        (Err(stop), None, Some(winners)) => {
            match (winners.ending(Player::Left), winners.ending(Player::Right)) {
                (Err(_), Err(_)) => not_solved(*stop, seconds),
                _ => winners_sentence(&winners),
            }
        }
        (Err(stop), None, None) => not_solved(*stop, seconds),
    };
    // Whoever cannot win may be able to draw.
    let drawing = |who: fn(&Winning) -> &Vec<WinningJson>| match &findings.drawing {
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
                facts: Some(Facts::of_loops(&loops.total, kernel, &TYPESET)),
                ..ShownPart::default()
            })
            .or_else(|| {
                report.analysis.as_ref().ok().map(|analysis| ShownPart {
                    name: "sum".into(),
                    facts: Some(Facts::of(analysis.total, by_score, kernel, &TYPESET)),
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
        together: together(components, report.analysis.as_ref().ok().map(|a| a.total), kernel),
        ..AnalysisView::default()
    }
}

/// The moves that reach the best score.
fn best_scores(moves: &[ScoredJson]) -> Vec<ShownMove> {
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
                "value": value_text(&kernel, judged.value, &TYPESET),
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
    let start = Instant::now();
    match player.filter(|name| *name != OPTIMAL) {
        Some(PROOF) => return proved(engine, question, effort, start),
        Some(spec) if is_player(spec) => return chosen_by(engine, question, spec, effort, start),
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
        return chosen_by(engine, question, &strongest(), effort, start);
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
    chosen_by(engine, question, &strongest(), effort, start)
}

/// A move that a proof makes. Where nothing is proved the strongest player moves, and that is said.
fn proved(
    engine: &Engine,
    question: &Question,
    effort: &Effort,
    start: Instant,
) -> Result<Chosen, AnalystError> {
    let to_play = question.to_play;
    let sum = super::as_typed(question);
    let unproved = match engine.explain(&sum, to_play, &effort.budget) {
        Ok(mut explanation) if explanation.loser() != to_play => {
            let position =
                gb_record::session::read_position(&question.games, &question.game, &question.position)?;
            let kernel = engine.store.kernel(&effort.budget);
            match explanation.answer(&kernel)? {
                Some(made) => {
                    let text = move_in_sum(question, &made);
                    let moves = position.moves(to_play, usize::MAX);
                    if let Some(choice) = moves.into_iter().find(|choice| choice.text == text) {
                        let gesture = choice.gesture.iter().map(|spot| spot.to_string()).collect();
                        let reason = explanation.sentence(&made.reason, &kernel)?;
                        let why = format!("proved in {} lines: {reason}", explanation.lines());
                        return Ok(Chosen { text, gesture, why });
                    }
                    "the proof moves in the sum of several values, which is none of the summands".to_owned()
                }
                None => "the proof has no answer here".to_owned(),
            }
        }
        Ok(_) => format!("it is proved that {to_play} loses"),
        Err(error) => error.to_string(),
    };
    let chosen = chosen_by(engine, question, &strongest(), effort, start)?;
    Ok(Chosen { why: format!("{unproved}; the strongest player moves: {}", chosen.why), ..chosen })
}

/// A move of a proof as the position on the bench writes it: in a sum with the number of the summand.
fn move_in_sum(question: &Question, made: &Explained) -> String {
    if question.game != gb_engine::SUM {
        return made.mv.clone();
    }
    let pieces = gb_engine::summands(&question.position);
    let is_board = |piece: &&str| gb_engine::game_and_position(piece).is_some();
    let mut numbers =
        pieces.iter().enumerate().filter(|(_, piece)| is_board(piece) != (made.place == Place::Value));
    let number = match made.place {
        Place::Position(at) => numbers.nth(at),
        Place::Value => numbers.next(),
    };
    number.map_or(made.mv.clone(), |(at, _)| format!("{}:{}", at + 1, made.mv))
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
    let (plan, start): (Plan, Instant) = (plan.parse()?, Instant::now());
    let name = plan.name();
    let advice = engine.advise(game, position, *to_play, plan, ENTRIES_OF_STRATEGIES, &effort.budget)?;
    let why = match advice.sure {
        Sure::Best => format!("{name} has proven that nothing is better"),
        Sure::Within(loss) => format!("{name} loses at most {loss} by playing like this"),
        Sure::Depth(depth) => format!("{name} has looked {depth} moves ahead"),
        Sure::Guess => format!("{name} plays by a rule of thumb"),
        // A strategy that knows nothing is no opponent.
        Sure::RanOut => {
            let instead = chosen_by(engine, question, &strongest(), effort, start)?;
            let why = format!("{name} did not know enough in time; instead {}", instead.why);
            return Ok(Chosen { why, ..instead });
        }
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
    since: Instant,
) -> Result<Chosen, AnalystError> {
    let Question { game, position, to_play, .. } = question;
    let limits = Limits {
        // What was spent on values is gone.
        time: effort.allowance.time.map(|time| time.saturating_sub(since.elapsed()).max(time / 5)),
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
