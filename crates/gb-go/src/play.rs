//! Which move to make on the whole board (M. Mueller, Decomposition search, 1999, section 4.3): answer a threat to one's
//! territory; else play the sum; else fill neutral points; else pass.

use std::time::Instant;

use gb_value::{Budget, Dyadic, Halt, Kernel, PlayStop, Player, Value};
use rustc_hash::FxHashSet;

use crate::analysis::{Analysis, Settings, Sum, analyse, likely, same_score};
use crate::area::Area;
use crate::benson::{Region, Surroundings};
use crate::board::{Board, Point};
use crate::field::{Bordering, Field};
use crate::game::{Game, Move};
use crate::life::Life;
use crate::local::{LocalFailure, LocalSearch};
use crate::playout::{sensible_moves, try_moves};
use crate::report::{failure_text, result_text};
use crate::safety::Safety;

/// Why a move was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The opponent's last move threatened territory that was safe.
    Reply,
    /// It is a best move in the sum of all areas.
    Sum,
    /// It is a best move in the areas whose values are known; others are not.
    KnownPart,
    /// A search of all that is open has proven it best.
    Searched,
    /// Its incentive is at least that of every other move, which is known without the sum.
    Incentive,
    /// The sum is too large to be formed, and this is the hottest area.
    Hottest,
    /// A ko decides what the area is worth, and this is the best that is certain there.
    Ko,
    /// Only neutral points are left.
    Neutral,
    /// Nothing is left to gain.
    Finished,
    /// Nothing is decided, but this is best if what looks settled is.
    Likely,
    /// Nothing is decided, and random games go best after this.
    Playouts,
    /// Another program chose it.
    Engine,
    /// No area has a value.
    Undecided,
}

impl Why {
    /// In a few words.
    pub fn text(self) -> &'static str {
        match self {
            Why::Reply => "answers a threat to safe territory",
            Why::Sum => "optimal in the sum of all areas",
            Why::Searched => "optimal, by a search of all that is open",
            Why::KnownPart => "best in the areas with known values",
            Why::Incentive => {
                "optimal, because it improves its area at least as much as any other move does another"
            }
            Why::Hottest => "best in the hottest area",
            Why::Ko => "the best that is certain in a ko",
            Why::Neutral => "fills a neutral point",
            Why::Finished => "nothing is left to gain",
            Why::Likely => "best if what looks settled is settled, which is not proven",
            Why::Playouts => "a guess: games played at random go best after it",
            Why::Engine => "the choice of the other program",
            Why::Undecided => "no area with a known value is left",
        }
    }
}

/// A move, and why.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The reason.
    pub why: Why,
    /// The analysis of the position before the move.
    pub analysis: Analysis,
}

impl Choice {
    /// The move, why it was made, and what could not be decided.
    pub fn text(&self, kernel: &Kernel<'_>, board: &Board, player: Player) -> String {
        let name = match self.mv {
            Move::Stone(point) => board.name(point),
            Move::Pass => "pass".into(),
        };
        let mut text = format!("{name}: {}", self.why.text());
        match &self.analysis.score {
            Some(score) if self.analysis.searched.is_some() => {
                let result = result_text(&score[player as usize]);
                text += &format!(". The score alone is known: {result} with best play.");
            }
            Some(score) => {
                let open = self.analysis.areas.len();
                let areas = if open == 1 { "area has its value" } else { "areas have their values" };
                let result = result_text(&score[player as usize]);
                text += &format!(". All of the {open} open {areas}: {result} with best play.");
            }
            None => {
                text += ". Not decided:";
                for area in &self.analysis.areas {
                    if let Err(failure) = &area.facts {
                        let first = board.name(area.points[0]);
                        let (letter, why) = (&area.letter, failure_text(kernel, failure));
                        text += &format!(" area {letter} at {first}: {why};");
                    }
                }
                if let Some(stop) = &self.analysis.stopped {
                    text += &format!(" the sum of all areas: {stop};");
                }
                if let Some(bounds) = &self.analysis.bounds {
                    let (low, high) = &bounds[player as usize];
                    let (low, high) = (result_text(low), result_text(high));
                    text += &format!(" the score is between {low} and {high};");
                }
                text.truncate(text.len() - 1);
                text += ".";
            }
        }
        text
    }
}

/// Chooses a move for `player`. `before` is what was safe before the opponent's last move, if that is known.
pub fn choose(
    kernel: &Kernel<'_>,
    game: &Game,
    player: Player,
    before: Option<&Safety>,
    settings: &Settings,
) -> Choice {
    let settings = &Settings { effort: settings.effort.impatient(), ..settings.clone() };
    let mut analysis = analyse(kernel, game, settings);
    if analysis.is_open()
        && let Some(proven) = prove_longer(kernel, game, settings, &analysis)
    {
        analysis = proven;
    }
    if let Some(point) =
        before.and_then(|before| reply(game, player, before, &analysis.safety, settings, kernel.budget()))
    {
        return Choice { mv: Move::Stone(point), why: Why::Reply, analysis };
    }
    if let Some(searched) = &analysis.searched {
        let mv = searched.moves[player as usize].map_or(Move::Pass, Move::Stone);
        if !matches!(mv, Move::Stone(point) if !game.is_legal(player, point)) {
            return Choice { mv, why: Why::Searched, analysis };
        }
    }
    let temperature =
        |area: usize| analysis.areas[area].facts.as_ref().ok().map(|facts| facts.temperature.signum());
    let best = analysis.moves[player as usize]
        .iter()
        .find(|mv| mv.loss.as_ref().is_none_or(Dyadic::is_zero) && game.is_legal(player, mv.point));
    let is_cold = best.is_none_or(|mv| temperature(mv.area).is_none_or(|t| t <= 0));
    if is_cold && let Some(point) = move_in_ko(kernel, game, player, &analysis, settings) {
        return Choice { mv: Move::Stone(point), why: Why::Ko, analysis };
    }
    if analysis.is_open() {
        let (mv, why) = guess(kernel, game, player, settings, &analysis);
        return Choice { mv, why, analysis };
    }
    let (mv, why) = match best {
        Some(mv) if mv.loss.is_none() && analysis.is_complete() => {
            match dominant(kernel, &analysis, player) {
                Some(point) if game.is_legal(player, point) => (Move::Stone(point), Why::Incentive),
                _ => (Move::Stone(mv.point), Why::Hottest),
            }
        }
        Some(mv) if mv.loss.is_none() => (Move::Stone(mv.point), Why::Hottest),
        Some(mv) if !analysis.is_complete() => (Move::Stone(mv.point), Why::KnownPart),
        Some(mv) if temperature(mv.area).is_some_and(|t| t <= 0) => (Move::Stone(mv.point), Why::Neutral),
        Some(mv) => (Move::Stone(mv.point), Why::Sum),
        None if analysis.is_complete() => (Move::Pass, Why::Finished),
        None => (Move::Pass, Why::Undecided),
    };
    Choice { mv, why, analysis }
}

/// The analysis after proofs that take longer, if they decide the board. Near the end, where everything looks settled, they are worth half of the time
/// that a move has: else a report would know what the player does not.
fn prove_longer(
    kernel: &Kernel<'_>,
    game: &Game,
    settings: &Settings,
    analysis: &Analysis,
) -> Option<Analysis> {
    let time = kernel.budget().deadline()?.saturating_duration_since(Instant::now()) / 2;
    let likely = likely(kernel, game, settings, analysis);
    if likely.is_open() {
        return None;
    }
    let settings = Settings { effort: settings.effort.patient(), ..settings.clone() };
    let budget = kernel.budget().part_of_time(time);
    let longer = analyse(&kernel.store().kernel(&budget), game, &settings);
    // Whatever is over is seen again by whoever asks next.
    _ = kernel.budget().spend(budget.nodes(), 0);
    (!longer.is_open()).then_some(longer)
}

/// How many random games may decide a move.
const PLAYOUTS: usize = 4_000;

/// A move where not everything is decided: by what looks settled, unless random games speak against that, or by them alone.
fn guess(
    kernel: &Kernel<'_>,
    game: &Game,
    player: Player,
    settings: &Settings,
    analysis: &Analysis,
) -> (Move, Why) {
    let likely = likely(kernel, game, settings, analysis);
    let is_best = |loss: &Option<Dyadic>| loss.as_ref().is_none_or(Dyadic::is_zero);
    let best = likely.moves[player as usize]
        .iter()
        .find(|mv| is_best(&mv.loss) && game.is_legal(player, mv.point))
        .map(|mv| Move::Stone(mv.point));
    let plan = (likely.is_complete() || likely.score.is_some()).then(|| best.unwrap_or(Move::Pass));
    let all = sensible_moves(game, player, |_| true);
    let tried = try_moves(game, player, all, PLAYOUTS, kernel.budget());
    let (Some(plan), Some(rival)) = (plan, tried.first().map(|tried| tried.mv)) else {
        let mv = plan.or(tried.first().map(|tried| tried.mv));
        return (mv.unwrap_or(Move::Pass), if plan.is_some() { Why::Likely } else { Why::Playouts });
    };
    if plan == rival {
        return (plan, Why::Likely);
    }
    // What looked settled may be so no longer: the plan has to stand beside the best of the random games.
    let duel = try_moves(game, player, vec![plan, rival], PLAYOUTS / 4, kernel.budget());
    match duel[..] {
        [first, second] if first.mv == rival => {
            let lead = (first.mean - second.mean).abs();
            let is_clear = lead >= 1.0 && lead > 2.0 * (first.error + second.error);
            if is_clear { (rival, Why::Playouts) } else { (plan, Why::Likely) }
        }
        _ => (plan, Why::Likely),
    }
}

/// The move in an area without a value for a ko that improves most what is certain there, and if that stays the same, what
/// is possible.
fn move_in_ko(
    kernel: &Kernel<'_>,
    game: &Game,
    player: Player,
    analysis: &Analysis,
    settings: &Settings,
) -> Option<Point> {
    let sign = |x: Dyadic| if player == Player::Left { x } else { -x };
    // What the player is sure of and what he can hope for, if the opponent moves next.
    let prospects = |lower: Value, upper: Value| {
        let stop = |value| match kernel.play_stop(value, player.opponent()) {
            Ok(PlayStop::Number(x)) => Some(sign(x)),
            _ => None,
        };
        let (low, high) = (stop(lower)?, stop(upper)?);
        Some(if player == Player::Left { (low, high) } else { (high, low) })
    };
    let mut search =
        LocalSearch::new(kernel, analysis.scoring, settings.pruning).remembering(settings.memory.as_ref());
    let mut best: Option<((Dyadic, Dyadic), Point)> = None;
    for (index, report) in analysis.areas.iter().enumerate() {
        let Err(LocalFailure::Ko { lower, upper }) = report.facts else { continue };
        let now = prospects(lower, upper)?;
        for mv in search.moves(&analysis.area(&game.board, index)?, player) {
            let (lower, upper) = match mv.to {
                Ok(value) => (value, value),
                Err(LocalFailure::Ko { lower, upper }) => (lower, upper),
                Err(_) => continue,
            };
            let point = report.points[mv.point];
            if let Some(after) = prospects(lower, upper)
                && game.is_legal(player, point)
            {
                let gain = (after.0 - &now.0, after.1 - &now.1);
                let is_better = best.as_ref().is_none_or(|(most, _)| gain > *most);
                if gain > (Dyadic::ZERO, Dyadic::ZERO) && is_better {
                    best = Some((gain, point));
                }
            }
        }
    }
    best.map(|(_, point)| point)
}

/// Comparing incentives takes no more nodes than this.
const INCENTIVE_NODES: u64 = 200_000;

/// A move whose incentive is at least that of every other move of the player, if there is one: a best move, which needs no
/// sum to be found (Mueller, section 3.5). The incentive is what a move makes of its area minus what it was.
pub fn dominant(kernel: &Kernel<'_>, analysis: &Analysis, player: Player) -> Option<Point> {
    let budget = Budget::unlimited().with_nodes(INCENTIVE_NODES);
    let kernel = kernel.store().kernel(&budget);
    let mut best: Option<(Value, Point)> = None;
    let mut incentives = vec![];
    for facts in analysis.areas.iter().filter_map(|area| area.facts.as_ref().ok()) {
        for mv in &facts.moves[player as usize] {
            let (from, to) = (facts.value, mv.to);
            let incentive =
                if player == Player::Left { kernel.sub(to, from) } else { kernel.sub(from, to) }.ok()?;
            incentives.push(incentive);
            if best.is_none_or(|(most, _)| kernel.le(most, incentive).unwrap_or(false)) {
                best = Some((incentive, mv.point));
            }
        }
    }
    let (most, point) = best?;
    incentives.iter().all(|&other| kernel.le(other, most).unwrap_or(false)).then_some(point)
}

/// The move that makes safe again what was safe before the opponent's last move and is not now.
fn reply(
    game: &Game,
    player: Player,
    before: &Safety,
    now: &Safety,
    settings: &Settings,
    budget: &Budget,
) -> Option<Point> {
    let board = &game.board;
    let Some((opponent, Move::Stone(intruder))) = game.last() else { return None };
    if opponent == player {
        return None;
    }
    let lost: Vec<Point> =
        board.points().filter(|&p| before.owner(p) == Some(player) && now.owner(p) != Some(player)).collect();
    if lost.is_empty() {
        return None;
    }
    let around = Surroundings::new(board, player);
    let region = around.regions.iter().find(|r| r.points.binary_search(&intruder).is_ok())?;
    let restores = |point: Point| {
        let mut after = board.clone();
        game.is_legal(player, point) && after.play(player, point).is_ok() && {
            let safety = Safety::remembering(&after, &settings.effort, budget, settings.memory.as_ref());
            lost.iter().all(|&p| safety.owner(p) == Some(player))
        }
    };
    if let Some(partner) = before.partner(intruder).filter(|&p| restores(p)) {
        return Some(partner);
    }
    let is_good = |r: &&Region| r.points.iter().all(|&p| before.owner(p) == Some(player));
    let weak: Vec<Bordering<'_>> = region
        .border
        .iter()
        .filter(|&&b| now.owner(around.blocks[b].stones[0]) != Some(player))
        .map(|b| Bordering {
            stones: &around.blocks[*b].stones,
            has_eye: around
                .regions
                .iter()
                .filter(is_good)
                .any(|r| r.points != region.points && r.border.contains(b)),
        })
        .collect();
    let is_safe = |p: Point| now.wall(board, p) == Some(player);
    let searched = Field::new(board, &region.points, &weak, is_safe).and_then(|field| {
        let found = Life::new(&field, budget, settings.effort.search_nodes, false).rescue().ok()??;
        Some(field.points[found])
    });
    // The proof may rest on a rule that knows no moves: try them.
    searched
        .filter(|&p| game.is_legal(player, p))
        .or_else(|| region.empties.iter().copied().find(|&point| restores(point)))
}

/// One move of a line of play.
#[derive(Clone, Debug)]
pub struct LineMove {
    /// Whose.
    pub player: Player,
    /// The move.
    pub mv: Move,
    /// The letter of the area it is in.
    pub letter: String,
    /// The values of its area before and after it.
    pub values: Option<(Value, Value)>,
}

/// An area in the course of a line of play.
struct Piece {
    letter: String,
    area: Area,
    value: Value,
}

/// A line of best play from an analysed position to the end, neutral points included. Empty if an area has no value.
///
/// # Errors
/// If the budget runs out, or a position on the way cannot be valued.
pub fn optimal_line(
    kernel: &Kernel<'_>,
    board: &Board,
    analysis: &Analysis,
    first: Player,
    settings: &Settings,
) -> Result<Vec<LineMove>, LocalFailure> {
    if !analysis.is_complete() {
        return Ok(vec![]);
    }
    let mut search =
        LocalSearch::new(kernel, analysis.scoring, settings.pruning).remembering(settings.memory.as_ref());
    let mut pieces = vec![];
    for report in &analysis.areas {
        let wall = |p| analysis.safety.wall(board, p);
        if let (Some(area), Ok(facts)) = (Area::cut(board, &report.points, wall), &report.facts) {
            pieces.push(Piece { letter: report.letter.clone(), area, value: facts.value });
        }
    }
    let mut sum = Sum::new(kernel, &pieces.iter().map(|p| p.value).collect::<Vec<_>>(), analysis.scoring)?;
    let (mut line, mut player, mut passes) = (vec![], first, 0);
    // What was on the board does not come back.
    let mut seen: FxHashSet<Area> = pieces.iter().map(|piece| piece.area.clone()).collect();
    while passes < 2 && !pieces.is_empty() {
        match best_in(kernel, &mut search, &sum, &pieces, player, &seen)? {
            // A ko, or a repetition, hides the best move.
            None if sum.stop(player)? != sum.stop(player.opponent())? => return Err(LocalFailure::Unproven),
            None => {
                line.push(LineMove { player, mv: Move::Pass, letter: String::new(), values: None });
                passes += 1;
            }
            Some((index, point, to)) => {
                passes = 0;
                let piece = pieces.remove(index);
                let (row, column) = piece.area.place(point);
                line.push(LineMove {
                    player,
                    mv: Move::Stone(board.point(column, row)),
                    letter: piece.letter.clone(),
                    values: Some((piece.value, to)),
                });
                sum = sum.moved(piece.value, to)?;
                let after = piece.area.play(player, point).map(|(after, _)| after);
                seen.extend(after.clone());
                for area in after.map_or_else(Vec::new, |after| after.split()) {
                    let value = scored(kernel, search.value(&area))?;
                    seen.insert(area.clone());
                    // Settled parts are nobody's concern any more.
                    if !search.is_settled(&area, Player::Left)? && !search.is_settled(&area, Player::Right)? {
                        pieces.push(Piece { letter: piece.letter.clone(), area, value });
                    }
                }
            }
        }
        player = player.opponent();
    }
    while line.last().is_some_and(|mv| mv.mv == Move::Pass) {
        line.pop();
    }
    Ok(line)
}

/// The value that a search found, or one that differs from what it found by infinitesimals only: enough for every score.
fn scored(kernel: &Kernel<'_>, found: Result<Value, LocalFailure>) -> Result<Value, LocalFailure> {
    match found {
        Err(LocalFailure::Ko { lower, upper }) => {
            let value = same_score(kernel, lower, upper)?.map(|(value, _)| value);
            value.ok_or(LocalFailure::Ko { lower, upper })
        }
        other => other,
    }
}

/// A move that keeps the result, in the hottest piece that has one.
fn best_in(
    kernel: &Kernel<'_>,
    search: &mut LocalSearch<'_>,
    sum: &Sum<'_, '_>,
    pieces: &[Piece],
    player: Player,
    seen: &FxHashSet<Area>,
) -> Result<Option<(usize, usize, Value)>, LocalFailure> {
    let mut order = vec![];
    for (index, piece) in pieces.iter().enumerate() {
        let heat = kernel.temperature(piece.value).map_err(|_| LocalFailure::Stopped(Halt::Loopy))?;
        // Cold pieces come last: an even number of neutral points is 0, but somebody fills them.
        order.push((std::cmp::Reverse(heat), piece.area.place(0), index));
    }
    order.sort();
    let best = sum.stop(player)?;
    for (.., index) in order {
        let area = &pieces[index].area;
        for mv in search.moves(area, player) {
            if let Ok(to) = scored(kernel, mv.to)
                && area.play(player, mv.point).is_some_and(|(after, _)| !seen.contains(&after))
                && sum.after(pieces[index].value, to, player)? == best
            {
                return Ok(Some((index, mv.point, to)));
            }
        }
    }
    Ok(None)
}
