//! The whole board: safe stones, endgame areas, their values, and what the sum of them is worth.

use gb_value::clock::Instant;
use gb_value::{Budget, Dyadic, Halt, Kernel, PlayStop, Player, Value, ValueError};

use crate::area::Area;
use crate::board::{Board, Point};
use crate::game::Game;
use crate::graph::Bounds;
use crate::kind::Kind;
use crate::ko::{self, KoReport};
use crate::komaster;
use crate::local::{LocalFailure, LocalSearch, Pruning, Scoring};
use crate::memory::Memory;
use crate::playout::ownership;
use crate::safety::{Effort, Safety};
use crate::scores::area_scores;

/// What to do, and how much of it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How points are counted.
    pub scoring: Scoring,
    /// How hard to look for safe stones.
    pub effort: Effort,
    /// Which moves are left out of local searches.
    pub pruning: Pruning,
    /// Areas with more empty points are not searched, nor those with more than twice as many points in all.
    pub max_area: usize,
    /// How many nodes (positions searched, values built) one area may take.
    pub area_nodes: u64,
    /// Results of earlier searches, to be used and added to.
    pub memory: Option<Memory>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            scoring: Scoring::default(),
            effort: Effort::default(),
            pruning: Pruning::ALL,
            max_area: 12,
            area_nodes: 300_000,
            memory: None,
        }
    }
}

/// A move in an area, and what it leaves there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AreaMove {
    /// Where.
    pub point: Point,
    /// The value of the area afterwards.
    pub to: Value,
    /// Whether that is its value, if not for infinitesimals. Else a ko comes of it, and this is what is certain for the
    /// player.
    pub is_certain: bool,
}

/// What is known about an area that was searched.
#[derive(Clone, Debug)]
pub struct AreaFacts {
    /// The value. Under area scoring without the stones that are in the area already.
    pub value: Value,
    /// Whether the value is known but for an infinitesimal only, because play may repeat: enough for every score.
    pub is_reduced: bool,
    /// Cooled by one.
    pub chilled: Value,
    /// The mean.
    pub mean: Dyadic,
    /// The temperature.
    pub temperature: Dyadic,
    /// The result if Black, if White begins and all is played out there.
    pub stops: [PlayStop; 2],
    /// Gote or sente.
    pub kind: Kind,
    /// Positions evaluated to find the value.
    pub nodes: u64,
    /// The legal moves of Black and of White.
    pub moves: [Vec<AreaMove>; 2],
    /// Legal moves that cannot be best, and lead to positions without a value, such as kos.
    pub unrated: [Vec<Point>; 2],
}

/// A connected set of points whose fate is open.
#[derive(Clone, Debug)]
pub struct AreaReport {
    /// Its letter.
    pub letter: String,
    /// Its points, ascending.
    pub points: Vec<Point>,
    /// Black stones minus white stones in it.
    pub stone_difference: i64,
    /// Which colours are around it, Black and White.
    pub walls: [bool; 2],
    /// What the search found.
    pub facts: Result<AreaFacts, LocalFailure>,
    /// Where a single ko decides, or the value is too large for the budget: its thermographs.
    pub ko: Option<KoReport>,
}

impl AreaReport {
    /// The value under the scoring of the analysis, stones in the area included where stones count.
    pub fn value(&self, kernel: &Kernel<'_>, scoring: Scoring) -> Result<Option<Value>, Halt> {
        let Ok(facts) = &self.facts else { return Ok(None) };
        match scoring {
            Scoring::Area => kernel.add(facts.value, kernel.integer(self.stone_difference)).map(Some),
            _ => Ok(Some(facts.value)),
        }
    }
}

/// A move on the whole board.
#[derive(Clone, Debug)]
pub struct RatedMove {
    /// In which area.
    pub area: usize,
    /// Where.
    pub point: Point,
    /// What the area is worth afterwards.
    pub to: Value,
    /// How many points it loses against the best move in the areas with values; `None` if their sum is too large.
    pub loss: Option<Dyadic>,
}

/// What a search for the score alone found where values are missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// The areas that were searched together: all in which somebody may want to move.
    pub areas: Vec<usize>,
    /// A move with which Black, White gets the score; `None` if passing does.
    pub moves: [Option<Point>; 2],
    /// Whether stones of both stay there and nobody gains by moving.
    pub is_seki: bool,
}

/// What is known about a board.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// How points were counted.
    pub scoring: Scoring,
    /// Safe points.
    pub safety: Safety,
    /// Open areas, in the order of their first points.
    pub areas: Vec<AreaReport>,
    /// The points that are certain: territory, prisoners, stones where they count; and the stones in open areas.
    pub constant: i64,
    /// The score if Black, if White begins, positive for Black; `None` if an area has no value, or if the sum is too large.
    pub score: Option<[Dyadic; 2]>,
    /// The least and the greatest score if Black, if White begins, where areas without a value are known to lie between
    /// bounds.
    pub bounds: Option<[(Dyadic, Dyadic); 2]>,
    /// Where a ko decides the game: the score with Black, with White as komaster, each if Black, if White begins.
    pub komasters: Option<[[Dyadic; 2]; 2]>,
    /// How the score was found where areas have no values.
    pub searched: Option<Searched>,
    /// Why the values were not added up, or why safe stones were not looked for any longer.
    pub stopped: Option<Halt>,
    /// All moves in areas with values, of Black and of White, the best first. If the sum is too large, those in the hottest
    /// areas come first, and no losses are known.
    pub moves: [Vec<RatedMove>; 2],
}

/// `A` to `Z`, `a` to `z`, then `A1`, `B1` and so on.
fn letter(index: usize) -> String {
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').collect();
    match (index % letters.len(), index / letters.len()) {
        (i, 0) => letters[i].to_string(),
        (i, round) => format!("{}{round}", letters[i]),
    }
}

/// The points that are certain.
fn constant(game: &Game, safety: &Safety, scoring: Scoring) -> i64 {
    let board = &game.board;
    let mut sum = if scoring == Scoring::Area { 0 } else { game.prisoner_score() };
    for point in board.points() {
        let sign = |player| if player == Player::Left { 1 } else { -1 };
        sum += match (safety.owner(point), board.at(point)) {
            (Some(owner), _) if scoring == Scoring::Area => sign(owner),
            (Some(owner), None) => sign(owner),
            (Some(owner), Some(stone)) if stone != owner => 2 * sign(owner),
            (None, Some(stone)) if scoring == Scoring::Area => sign(stone),
            _ => 0,
        };
    }
    sum
}

/// Analyses a board. What could not be done is said in the analysis: why an area has no value, and why the values were not
/// added up.
pub fn analyse(kernel: &Kernel<'_>, game: &Game, settings: &Settings) -> Analysis {
    let board = &game.board;
    // Proofs of safety must leave time for the areas.
    let time = kernel.budget().deadline().map(|d| d.saturating_duration_since(Instant::now()) * 3 / 4);
    let memory = settings.memory.as_ref();
    let safety = match time {
        Some(time) => {
            Safety::remembering(board, &settings.effort, &kernel.budget().part_of_time(time), memory)
        }
        None => Safety::remembering(board, &settings.effort, kernel.budget(), memory),
    };
    with_safety(kernel, game, settings, safety)
}

/// Random games to see what looks settled.
const PLAYOUTS: usize = 400;

/// What looks settled must be so in at least this share of random games; if areas stay too large, less will do.
const SHARES: [f64; 7] = [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2];

/// Analyses a board of which not everything is proven as if all that looks settled were settled. What that says is exact on
/// these assumptions only; the points have the reason [`Reason::Assumed`](crate::Reason::Assumed).
pub fn likely(kernel: &Kernel<'_>, game: &Game, settings: &Settings, proven: &Analysis) -> Analysis {
    let board = &game.board;
    let owners = ownership(board, PLAYOUTS, kernel.budget());
    let mut safety = proven.safety.assume(board, &owners, SHARES[0], |_| true);
    // Where areas stay too large, less will do.
    for share in &SHARES[1..] {
        let open = board.components(|p| safety.owner(p).is_none());
        let large: Vec<Point> =
            open.into_iter().filter(|a| a.len() > settings.max_area.min(LIKELY_AREA)).flatten().collect();
        if large.is_empty() {
            break;
        }
        safety = safety.assume(board, &owners, *share, |p| large.contains(&p));
    }
    with_safety(kernel, game, settings, safety)
}

/// Where things are guessed, areas need not be larger than this.
const LIKELY_AREA: usize = 9;

fn with_safety(kernel: &Kernel<'_>, game: &Game, settings: &Settings, safety: Safety) -> Analysis {
    let board = &game.board;
    let open = board.components(|p| safety.owner(p).is_none());
    let mut areas = vec![];
    for (index, points) in open.into_iter().enumerate() {
        let around = board.around(&points, |_| true);
        let walls = Player::BOTH.map(|player| around.iter().any(|&p| safety.wall(board, p) == Some(player)));
        let difference =
            points.iter().filter_map(|&p| board.at(p)).map(|s| if s == Player::Left { 1 } else { -1 });
        let facts = search_area(kernel, board, &safety, &points, settings);
        let ko = match facts {
            Err(LocalFailure::Ko { .. } | LocalFailure::Stopped(Halt::Nodes)) => {
                ko_report(kernel, board, &safety, &points, settings)
            }
            _ => None,
        };
        let stone_difference = difference.sum();
        areas.push(AreaReport { letter: letter(index), stone_difference, walls, facts, ko, points });
    }
    let constant = constant(game, &safety, settings.scoring);
    let scoring = settings.scoring;
    let (score, bounds, komasters, searched, stopped, moves) = Default::default();
    let mut analysis =
        Analysis { scoring, safety, areas, constant, score, bounds, komasters, searched, stopped, moves };
    if let Err(stop) = analysis.add_up(kernel) {
        analysis.stopped = Some(stop);
        analysis.order_by_heat(kernel);
    }
    if analysis.score.is_none() {
        analysis.search_score(kernel, board, settings);
    }
    if analysis.score.is_none() && analysis.bounds.is_some() {
        analysis.komasters = analysis.scores_by_komaster(kernel, board, settings);
    }
    if analysis.score.is_none() && analysis.stopped.is_none() {
        analysis.stopped = analysis.safety.stopped();
    }
    analysis
}

/// Areas with more empty points in all are not searched for the score alone.
const SCORE_EMPTIES: usize = 14;
/// How many positions each question of that search may take, and which part of the nodes of an area all of it.
const SCORE_NODES: usize = 30_000;
const SCORE_SHARE: u64 = 8;

/// A budget of `nodes` that ends with another one.
fn share(budget: &Budget, nodes: u64) -> Budget {
    let own = Budget::unlimited()
        .with_nodes(nodes)
        .with_bytes(budget.max_bytes())
        .with_cancel(budget.cancel().clone());
    match budget.deadline() {
        Some(deadline) => own.with_time(deadline.saturating_duration_since(Instant::now())),
        None => own,
    }
}

fn search_area(
    kernel: &Kernel<'_>,
    board: &Board,
    safety: &Safety,
    points: &[Point],
    settings: &Settings,
) -> Result<AreaFacts, LocalFailure> {
    let too_large = LocalFailure::TooLarge { points: points.len(), limit: settings.max_area };
    let empties = points.iter().filter(|&&p| board.at(p).is_none()).count();
    // Stones may be captured and leave empty points.
    if empties > settings.max_area || points.len() > 2 * settings.max_area {
        return Err(too_large);
    }
    let area = Area::cut(board, points, |p| safety.wall(board, p)).ok_or(too_large)?;
    // One difficult area must not take what the others need.
    let own_budget = share(kernel.budget(), settings.area_nodes);
    let own_kernel = kernel.store().kernel(&own_budget);
    let mut search = LocalSearch::new(&own_kernel, settings.scoring, settings.pruning)
        .remembering(settings.memory.as_ref());
    let Bounds { lower, upper } = search.bounds(&area)?;
    let Some((value, is_reduced)) = same_score(kernel, lower, upper)? else {
        return Err(LocalFailure::Ko { lower, upper });
    };
    let nodes = search.nodes();
    let (mut moves, mut unrated) = ([vec![], vec![]], [vec![], vec![]]);
    for player in Player::BOTH {
        for mv in search.moves(&area, player) {
            let point = points[mv.point];
            let (to, is_certain) = match mv.to {
                Ok(to) => (to, true),
                Err(LocalFailure::Ko { lower, upper }) => match same_score(kernel, lower, upper)? {
                    Some((to, _)) => (to, true),
                    None => (if player == Player::Left { lower } else { upper }, false),
                },
                // The value was found without it, so that it is no better than others.
                Err(_) => {
                    unrated[player as usize].push(point);
                    continue;
                }
            };
            moves[player as usize].push(AreaMove { point, to, is_certain });
        }
    }
    let stop = |error| match error {
        ValueError::Halt(stop) => LocalFailure::Stopped(stop),
        // Go values are short games, which have thermographs and can be cooled.
        _ => LocalFailure::Stopped(Halt::Loopy),
    };
    let graph = kernel.thermograph(value).map_err(stop)?;
    let mut kind = Kind::of(&graph);
    if kind == Kind::Settled && search.is_seki(&area)? {
        kind = Kind::Seki;
    }
    Ok(AreaFacts {
        value,
        is_reduced,
        chilled: kernel.chill(value).map_err(stop)?,
        mean: graph.mean().clone(),
        temperature: graph.temperature(),
        stops: [kernel.play_stop(value, Player::Left)?, kernel.play_stop(value, Player::Right)?],
        kind,
        nodes,
        moves,
        unrated,
    })
}

/// What the ko of an area is worth, if that can be found out.
fn ko_report(
    kernel: &Kernel<'_>,
    board: &Board,
    safety: &Safety,
    points: &[Point],
    settings: &Settings,
) -> Option<KoReport> {
    let area = Area::cut(board, points, |p| safety.wall(board, p))?;
    let budget = share(kernel.budget(), settings.area_nodes);
    let kernel = kernel.store().kernel(&budget);
    let mut search = LocalSearch::new(&kernel, settings.scoring, settings.pruning);
    ko::thermographs(&mut search, &area, settings.scoring).ok().flatten()
}

/// The value between two bounds, if they are the same, or if only infinitesimals are between them, which is said.
pub(crate) fn same_score(
    kernel: &Kernel<'_>,
    lower: Value,
    upper: Value,
) -> Result<Option<(Value, bool)>, Halt> {
    if lower == upper {
        return Ok(Some((lower, false)));
    }
    match (kernel.reduced(lower), kernel.reduced(upper)) {
        (Ok(low), Ok(high)) => Ok((low == high).then_some((low, true))),
        (Err(ValueError::Halt(stop)), _) | (_, Err(ValueError::Halt(stop))) => Err(stop),
        _ => Ok(None),
    }
}

/// A stop as a number: the games of Go have no others.
fn number(stop: PlayStop) -> Dyadic {
    match stop {
        PlayStop::Number(x) => x,
        PlayStop::On | PlayStop::Off => unreachable!("Go values are short games"),
    }
}

impl Analysis {
    /// Positions evaluated in all areas with values.
    pub fn nodes(&self) -> u64 {
        self.areas.iter().filter_map(|area| area.facts.as_ref().ok()).map(|facts| facts.nodes).sum()
    }

    /// Whether all that is not decided are kos.
    pub fn is_only_ko(&self) -> bool {
        self.areas.iter().all(|area| matches!(area.facts, Ok(_) | Err(LocalFailure::Ko { .. })))
    }

    /// Whether neither values nor a search decide the board, and something else than a ko is in the way.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_complete() && self.score.is_none() && !self.is_only_ko()
    }

    /// The least and the most that an area can count for Black, whatever happens: a player who always passes loses no more than
    /// all of it. With area scoring the stones that are there are left out.
    pub fn bounds_of(&self, board: &Board, area: usize) -> (i64, i64) {
        let AreaReport { points, stone_difference, .. } = &self.areas[area];
        let stones = |player| points.iter().filter(|&&p| board.at(p) == Some(player)).count() as i64;
        let (count, [black, white]) = (points.len() as i64, Player::BOTH.map(stones));
        match self.scoring {
            Scoring::Area => (-count - stone_difference, count - stone_difference),
            // Whoever takes everything gets a point for every stone of the other twice, and none for his own.
            _ => (-(count + black - white), count + white - black),
        }
    }

    /// The points of areas in which there is a seki.
    pub fn seki_points(&self) -> Vec<Point> {
        let searched = self.searched.as_ref().filter(|searched| searched.is_seki);
        let is_seki = |(index, area): &(usize, &AreaReport)| {
            area.facts.as_ref().is_ok_and(|facts| facts.kind == Kind::Seki)
                || searched.is_some_and(|searched| searched.areas.contains(index))
        };
        let areas = self.areas.iter().enumerate().filter(is_seki);
        areas.flat_map(|(_, area)| area.points.iter().copied()).collect()
    }

    /// Whether every area has a value.
    pub fn is_complete(&self) -> bool {
        self.areas.iter().all(|area| area.facts.is_ok())
    }

    /// What some of the areas are worth together if Black, if White begins; `None` if one of them has no value.
    pub fn stops_of(&self, kernel: &Kernel<'_>, areas: &[usize]) -> Result<Option<[Dyadic; 2]>, Halt> {
        let value = |&area: &usize| self.areas[area].facts.as_ref().ok().map(|facts| facts.value);
        let Some(values) = areas.iter().map(value).collect::<Option<Vec<Value>>>() else { return Ok(None) };
        let sum = Sum::new(kernel, &values, self.scoring)?;
        Ok(Some([sum.stop(Player::Left)?, sum.stop(Player::Right)?]))
    }

    /// An area, cut out of the analysed board; `None` if it is too large.
    pub fn area(&self, board: &Board, index: usize) -> Option<Area> {
        Area::cut(board, &self.areas[index].points, |p| self.safety.wall(board, p))
    }

    /// Forms the sum of all values, and rates all moves by what they leave of it.
    fn add_up(&mut self, kernel: &Kernel<'_>) -> Result<(), Halt> {
        let known: Vec<usize> = (0..self.areas.len()).filter(|&i| self.areas[i].facts.is_ok()).collect();
        let facts: Vec<&AreaFacts> = self.areas.iter().filter_map(|area| area.facts.as_ref().ok()).collect();
        let values: Vec<Value> = facts.iter().map(|f| f.value).collect();
        let sum = Sum::new(kernel, &values, self.scoring)?;
        let mut unrated: Vec<(usize, Player, Point)> = vec![];
        for player in Player::BOTH {
            let mut rated = vec![];
            for (i, facts) in facts.iter().enumerate() {
                for mv in &facts.moves[player as usize] {
                    let stop = sum.after(facts.value, mv.to, player)?;
                    if !mv.is_certain && stop != sum.stop(player)? {
                        unrated.push((known[i], player, mv.point));
                        continue;
                    }
                    rated.push((
                        RatedMove { area: known[i], point: mv.point, to: mv.to, loss: None },
                        stop,
                        i,
                    ));
                }
            }
            let best = sum.stop(player)?;
            let mut moves: Vec<(RatedMove, usize)> = rated
                .into_iter()
                .map(|(mv, stop, i)| {
                    let loss = if player == Player::Left { &best - &stop } else { &stop - &best };
                    (RatedMove { loss: Some(loss), ..mv }, i)
                })
                .collect();
            moves.sort_by(|(a, i), (b, j)| {
                let hotter = facts[*j].temperature.cmp(&facts[*i].temperature);
                a.loss.cmp(&b.loss).then(hotter).then(a.point.cmp(&b.point))
            });
            self.moves[player as usize] = moves.into_iter().map(|(mv, _)| mv).collect();
        }
        if self.is_complete() {
            self.score = Some(self.scores(&sum)?);
        } else {
            self.bounds = self.score_bounds(kernel)?;
            // A ko may decide an area and yet not the game.
            if let Some([(a, b), (c, d)]) = &self.bounds
                && a == b
                && c == d
            {
                self.score = Some([a.clone(), c.clone()]);
            }
        }
        for (area, player, point) in unrated {
            if let Ok(facts) = &mut self.areas[area].facts {
                facts.unrated[player as usize].push(point);
            }
        }
        Ok(())
    }

    /// Searches all areas that are not numbers together for the score alone, if they are small enough.
    fn search_score(&mut self, kernel: &Kernel<'_>, board: &Board, settings: &Settings) {
        let mut constant = self.constant;
        let (mut areas, mut points) = (vec![], vec![]);
        for (index, area) in self.areas.iter().enumerate() {
            let value = area.facts.as_ref().ok().map(|facts| facts.value);
            match value.and_then(|value| kernel.as_number(value)?.to_i64()) {
                Some(number) => constant += number,
                None => {
                    areas.push(index);
                    points.extend(&area.points);
                }
            }
        }
        points.sort_unstable();
        let empties = points.iter().filter(|&&p| board.at(p).is_none()).count();
        if empties > SCORE_EMPTIES {
            return;
        }
        let Some(area) = Area::cut(board, &points, |p| self.safety.wall(board, p)) else { return };
        let budget = share(kernel.budget(), settings.area_nodes / SCORE_SHARE);
        // Without an end within the budget there is no score, which is no failure of anything else.
        let Ok(Some(found)) = area_scores(&area, settings.scoring, SCORE_NODES, &budget) else { return };
        self.score = Some(found.scores.map(|score| Dyadic::from(constant + score)));
        // Nothing is missing any more for want of a sum.
        self.stopped = None;
        let moves = found.moves.map(|mv| mv.map(|i| points[i]));
        self.searched = Some(Searched { areas, moves, is_seki: found.is_seki });
    }

    /// The scores for either komaster, if that can be found out.
    fn scores_by_komaster(
        &self,
        kernel: &Kernel<'_>,
        board: &Board,
        settings: &Settings,
    ) -> Option<[[Dyadic; 2]; 2]> {
        let (mut values, mut points) = (vec![], vec![]);
        for area in &self.areas {
            match &area.facts {
                // A value that is not exact says nothing about who has the last move.
                Ok(facts) if facts.is_reduced => return None,
                Ok(facts) => values.push(facts.value),
                Err(_) => points.extend(&area.points),
            }
        }
        points.sort_unstable();
        let with_kos = Area::cut(board, &points, |p| self.safety.wall(board, p))?;
        let place = |point: &Point| points.binary_search(point).map_or(0, |place| 1 << place);
        let open = self.areas.iter().filter(|area| area.facts.is_err());
        let groups: Vec<u64> = open.map(|area| area.points.iter().map(place).sum()).collect();
        let budget = share(kernel.budget(), settings.area_nodes);
        let kernel = kernel.store().kernel(&budget);
        let mut search = LocalSearch::new(&kernel, settings.scoring, settings.pruning);
        let scores = komaster::scores(&mut search, &with_kos, &groups, &values, settings.scoring);
        // Without an end within the budget there are bounds, which is no failure of anything else.
        let scores = scores.ok().flatten()?;
        Some(scores.map(|both| both.map(|score| Dyadic::from(self.constant + score))))
    }

    fn scores(&self, sum: &Sum<'_, '_>) -> Result<[Dyadic; 2], Halt> {
        let constant = Dyadic::from(self.constant);
        Ok([sum.stop(Player::Left)? + &constant, sum.stop(Player::Right)? + &constant])
    }

    /// Where a ko decides, the value of its area lies between two others, and so does the score.
    fn score_bounds(&self, kernel: &Kernel<'_>) -> Result<Option<[(Dyadic, Dyadic); 2]>, Halt> {
        let (mut lower, mut upper) = (vec![], vec![]);
        for area in &self.areas {
            let (low, high) = match &area.facts {
                Ok(facts) => (facts.value, facts.value),
                Err(LocalFailure::Ko { lower, upper }) => (*lower, *upper),
                Err(_) => return Ok(None),
            };
            lower.push(low);
            upper.push(high);
        }
        let low = self.scores(&Sum::new(kernel, &lower, self.scoring)?)?;
        let high = self.scores(&Sum::new(kernel, &upper, self.scoring)?)?;
        let [(a, b), (c, d)] = [(&low[0], &high[0]), (&low[1], &high[1])];
        Ok(Some([(a.clone(), b.clone()), (c.clone(), d.clone())]))
    }

    /// The moves, where the sum is too large: those of the hottest areas first, and in each the one with the best mean.
    fn order_by_heat(&mut self, kernel: &Kernel<'_>) {
        let unlimited = Budget::unlimited();
        let kernel = kernel.store().kernel(&unlimited);
        for player in Player::BOTH {
            let mut moves = vec![];
            for (area, facts) in self.areas.iter().enumerate() {
                let Ok(facts) = &facts.facts else { continue };
                for mv in &facts.moves[player as usize] {
                    let mean = kernel.mean(mv.to).unwrap_or_default();
                    let mean = if player == Player::Left { -mean } else { mean };
                    let order = (std::cmp::Reverse(facts.temperature.clone()), mean, mv.point);
                    moves.push((order, RatedMove { area, point: mv.point, to: mv.to, loss: None }));
                }
            }
            moves.sort_by(|(a, _), (b, _)| a.cmp(b));
            self.moves[player as usize] = moves.into_iter().map(|(_, mv)| mv).collect();
        }
    }
}

/// A sum of values, as far as the score is concerned.
pub(crate) struct Sum<'k, 'a> {
    kernel: &'k Kernel<'a>,
    scoring: Scoring,
    total: Value,
}

impl<'k, 'a> Sum<'k, 'a> {
    pub fn new(kernel: &'k Kernel<'a>, values: &[Value], scoring: Scoring) -> Result<Sum<'k, 'a>, Halt> {
        let mut sum = Sum { kernel, scoring, total: Value::ZERO };
        for &value in values {
            sum = sum.with(value)?;
        }
        Ok(sum)
    }

    fn with(&self, value: Value) -> Result<Sum<'k, 'a>, Halt> {
        let mut total = self.kernel.add(self.total, value)?;
        // Where neutral points are stars, infinitesimals keep sums small; elsewhere they make them large.
        if self.scoring != Scoring::Territory {
            total = match self.kernel.reduced(total) {
                Ok(reduced) => reduced,
                Err(ValueError::Halt(stop)) => return Err(stop),
                Err(_) => total,
            };
        }
        Ok(Sum { total, ..*self })
    }

    /// The sum after a summand has changed.
    pub fn moved(&self, from: Value, to: Value) -> Result<Sum<'k, 'a>, Halt> {
        self.with(self.kernel.sub(to, from)?)
    }

    /// The result if a player begins.
    pub fn stop(&self, first: Player) -> Result<Dyadic, Halt> {
        Ok(number(self.kernel.play_stop(self.total, first)?))
    }

    /// The result after a move of `player` that turned a summand from one value into another.
    ///
    /// Forming `total + to - from` takes long. But its Right stop is at least `n` if and only if `n + from - to` is at most
    /// the total up to infinitesimals, and results are integers nearly always.
    pub fn after(&self, from: Value, to: Value, player: Player) -> Result<Dyadic, Halt> {
        let kernel = self.kernel;
        let gain = kernel.sub(to, from)?;
        let reaches = |result: &Dyadic| {
            let needed = kernel.sub(kernel.number(result), gain)?;
            match player {
                Player::Left => kernel.le_close(needed, self.total),
                Player::Right => kernel.le_close(self.total, needed),
            }
        };
        let step =
            |result: Dyadic, by: Dyadic| if player == Player::Left { result - by } else { result + by };
        let mut result = self.stop(player)?;
        for _ in 0..crate::board::MAX_SIZE * crate::board::MAX_SIZE {
            if reaches(&result)? {
                let a_little_more = step(result.clone(), Dyadic::new(-1, 12));
                if result.is_integer() && !reaches(&a_little_more)? {
                    return Ok(result);
                }
                break;
            }
            result = step(result, Dyadic::ONE);
        }
        Ok(number(kernel.play_stop(kernel.add(self.total, gain)?, player.opponent())?))
    }
}
