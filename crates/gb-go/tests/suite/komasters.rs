//! Whole boards on which kos decide: the scores by komaster, against minimax over all positions of the board by the same rule.
//! The judge plays stones on all open points and knows nothing of values or canonical moves.

use std::collections::HashMap;

use gb_board::Xorshift;
use gb_go::{
    Analysis, Board, Effort, Game, KoRule, Memory, Point, Safety, Scoring, Settings, analyse, komasters_text,
};
use gb_value::{Budget, Dyadic, Player, Store};

use crate::judge::{end, open_points, territory, walled};

/// Where the player before has moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Last {
    Nothing,
    Area(usize),
    Pass,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    board: Board,
    mover: Player,
    master: Player,
    /// Where the one who is not komaster may not take back, in order.
    bans: Vec<Point>,
    last: Last,
    /// Both have passed, and only what has no kos is played on.
    is_frozen: bool,
}

struct Judge<'a> {
    start: &'a Board,
    open: &'a [Point],
    /// The areas, and whether there is a ko.
    areas: Vec<(Vec<Point>, bool)>,
    scoring: Scoring,
}

impl Judge<'_> {
    fn area_of(&self, point: Point) -> usize {
        self.areas.iter().position(|(points, _)| points.contains(&point)).expect("an open point")
    }

    fn turn(&self, state: &State, board: Board, rights: (Player, Vec<Point>), last: Last) -> State {
        let (master, bans) = rights;
        State { board, mover: state.mover.opponent(), master, bans, last, is_frozen: state.is_frozen }
    }

    /// Who is komaster, and what may not be taken back, if the mover does something there, or passes.
    fn rights(&self, state: &State, place: Last) -> (Player, Vec<Point>) {
        let unchanged = (state.master, state.bans.clone());
        if state.mover != state.master || state.bans.is_empty() {
            return unchanged;
        }
        let banned: Vec<usize> = state.bans.iter().map(|&p| self.area_of(p)).collect();
        match place {
            Last::Area(area) if banned.contains(&area) => unchanged,
            Last::Area(_) if place == state.last => unchanged,
            _ if banned.iter().all(|&area| state.last == Last::Area(area)) => (state.master, vec![]),
            _ => (state.master.opponent(), vec![]),
        }
    }

    /// Positions with what is gained for Black, and scores of ends.
    fn options(&self, state: &State) -> (Vec<(State, i64)>, Option<i64>) {
        let mut options = vec![];
        let sign = if state.mover == Player::Left { 1 } else { -1 };
        for &point in self.open {
            let area = self.area_of(point);
            let is_banned = state.mover != state.master && state.bans.contains(&point);
            let mut after = state.board.clone();
            if is_banned || (state.is_frozen && self.areas[area].1) {
                continue;
            }
            let Ok(captured) = after.play(state.mover, point) else { continue };
            let block = after.block(point);
            let is_ko = captured.len() == 1 && block.stones.len() == 1 && block.liberties == captured;
            let (master, mut bans) = self.rights(state, Last::Area(area));
            if self.areas[area].1 {
                if !is_ko {
                    bans.retain(|&p| self.area_of(p) != area);
                } else if master == state.mover {
                    bans.push(captured[0]);
                    bans.sort_unstable();
                    bans.dedup();
                }
            }
            let gain = if self.scoring == Scoring::Area { 0 } else { sign * captured.len() as i64 };
            options.push((self.turn(state, after, (master, bans), Last::Area(area)), gain));
        }
        let pass = |is_frozen, last| {
            let rights = self.rights(state, Last::Pass);
            State { is_frozen, ..self.turn(state, state.board.clone(), rights, last) }
        };
        match (state.last, state.is_frozen) {
            (Last::Pass, true) => (options, Some(end(&state.board, self.start, self.open, self.scoring))),
            (Last::Pass, false) => {
                let frozen = State { master: Player::Left, bans: vec![], ..pass(true, Last::Nothing) };
                options.push((frozen, 0));
                (options, None)
            }
            (_, is_frozen) => {
                options.push((pass(is_frozen, Last::Pass), 0));
                (options, None)
            }
        }
    }

    /// With Black, with White as komaster, each if Black, if White begins: at least and at most. `None` if there are too many positions.
    fn scores(&self, limit: usize) -> Option<[[(i64, i64); 2]; 2]> {
        let mut states = vec![];
        let mut index: HashMap<State, usize> = HashMap::new();
        for master in Player::BOTH {
            for mover in Player::BOTH {
                let board = self.start.clone();
                let (bans, last) = (vec![], Last::Nothing);
                let state = State { board, mover, master, bans, last, is_frozen: false };
                index.insert(state.clone(), states.len());
                states.push(state);
            }
        }
        let mut all = vec![];
        while all.len() < states.len() {
            let (options, end) = self.options(&states[all.len()]);
            let options: Vec<(usize, i64)> = options
                .into_iter()
                .map(|(state, gain)| {
                    let id = *index.entry(state.clone()).or_insert_with(|| {
                        states.push(state);
                        states.len() - 1
                    });
                    (id, gain)
                })
                .collect();
            all.push((options, end));
            if states.len() > limit {
                return None;
            }
        }
        let solve = |endless: i64| {
            let mut scores = vec![endless; states.len()];
            loop {
                let mut has_changed = false;
                for id in (0..states.len()).rev() {
                    let value = |&(next, gain): &(usize, i64)| match scores[next] {
                        far if far.abs() == 1000 => far,
                        score => score + gain,
                    };
                    let values = all[id].0.iter().map(value).chain(all[id].1);
                    let best = if states[id].mover == Player::Left { values.max() } else { values.min() };
                    let best = best.expect("one may always pass");
                    assert!(best.abs() <= 1000, "a cycle makes prisoners");
                    has_changed |= best != scores[id];
                    scores[id] = best;
                }
                if !has_changed {
                    return [0, 1, 2, 3].map(|id| scores[id]);
                }
            }
        };
        let (low, high) = (solve(-1000), solve(1000));
        let both = |from: usize| [from, from + 1].map(|id| (low[id], high[id]));
        Some([both(0), both(2)])
    }
}

/// Rooms above each other between living walls, each of a few points, some of them with stones: two on a board of nine lines,
/// three on one of thirteen.
fn rooms(random: &mut Xorshift, counts: &[usize]) -> Board {
    let size = 4 * counts.len() + 1;
    let (mut board, middle) = (Board::new(size), size / 2);
    for point in board.points() {
        let (x, y) = board.place(point);
        let is_eye = y == 4 && [1, 3, size - 3, size - 1].contains(&x);
        let colour = if x <= middle { Player::Right } else { Player::Left };
        board.set(point, (!is_eye).then_some(colour));
    }
    for (room, &count) in counts.iter().enumerate() {
        let rows = if room == 0 { 0..3 } else { 4 * room + 2..4 * room + 5 };
        let mut at = board.point(middle - 1 + random.below(3), rows.start + random.below(3));
        for _ in 0..count {
            let stone = match random.below(6) {
                0 => Some(Player::Left),
                1 => Some(Player::Right),
                _ => None,
            };
            board.set(at, stone);
            let is_near = |p: &Point| {
                let (x, y) = board.place(*p);
                rows.contains(&y) && x.abs_diff(middle) <= 3
            };
            let next: Vec<Point> = board.neighbours(at).filter(is_near).collect();
            at = next[random.below(next.len())];
        }
    }
    board
}

fn analysis_of(board: &Board, scoring: Scoring) -> Analysis {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let game = Game::new(board.clone(), Player::Left, KoRule::Simple);
    analyse(&store.kernel(&budget), &game, &Settings { scoring, ..Settings::default() })
}

#[derive(Default, Debug)]
struct Verdict {
    /// Boards on which a ko decides, those of them with scores by komaster, and those that were compared.
    open: usize,
    told: usize,
    compared: usize,
    /// Those on which it matters who is komaster, on which the scores are closer than the bounds, and with several areas.
    differing: usize,
    closer: usize,
    with_others: usize,
    with_kos: usize,
    wrong: usize,
}

fn judge(board: &Board, scoring: Scoring, limit: usize, verdict: &mut Verdict) {
    let Some(open) = open_points(board) else { return };
    let count = board.points().len();
    if Safety::of(board, &Effort::default()).count() + open.len() != count {
        return;
    }
    let analysis = analysis_of(board, scoring);
    if analysis.score.is_some() || analysis.bounds.is_none() {
        return;
    }
    verdict.open += 1;
    let Some(told) = &analysis.komasters else { return };
    verdict.told += 1;
    let bounds = analysis.bounds.as_ref().unwrap();
    let [black, white] = told;
    for first in [0, 1] {
        let (low, high) = &bounds[first];
        let is_ordered = low <= &white[first] && white[first] <= black[first] && &black[first] <= high;
        assert!(is_ordered, "{bounds:?} {told:?}\n{board}");
    }
    let is_closer = |first: usize| (&white[first], &black[first]) != (&bounds[first].0, &bounds[first].1);
    verdict.closer += usize::from(is_closer(0) || is_closer(1));
    let areas = analysis.areas.iter().map(|area| (area.points.clone(), area.facts.is_err())).collect();
    let judge = Judge { start: board, open: &open, areas, scoring };
    let Some(truth) = judge.scores(limit) else { return };
    let settled = if scoring == Scoring::Area { 0 } else { territory(board) };
    let truth = truth.map(|both| both.map(|(low, high)| (low + settled, high + settled)));
    verdict.compared += 1;
    verdict.differing += usize::from(truth[0] != truth[1]);
    verdict.with_others += usize::from(analysis.areas.iter().any(|area| area.facts.is_ok()));
    verdict.with_kos += usize::from(analysis.areas.iter().filter(|area| area.facts.is_err()).count() > 1);
    let told = told.each_ref().map(|both| both.each_ref().map(|score| (score.clone(), score.clone())));
    let truth = truth.map(|both| both.map(|(low, high)| (Dyadic::from(low), Dyadic::from(high))));
    if told != truth {
        println!("{scoring:?} {told:?} {truth:?} {bounds:?}\n{board}");
        verdict.wrong += 1;
    }
}

#[test]
fn scores_by_komaster_are_those_of_minimax() {
    let is_long = std::env::var("GB_LONG_TESTS").is_ok();
    for scoring in Scoring::ALL {
        // Where dead stones have to be agreed on, the judge takes long.
        let rounds = match (is_long, scoring) {
            (true, _) => 20_000,
            (false, Scoring::Area) => 400,
            (false, _) => 150,
        };
        let (mut random, mut verdict) = (Xorshift(0x5EED_0061), Verdict::default());
        for _ in 0..rounds {
            let counts = [2 + random.below(4), 1 + random.below(4), 1 + random.below(3)];
            let counts = &counts[..2 + random.below(2)];
            judge(&rooms(&mut random, counts), scoring, 30_000, &mut verdict);
        }
        println!("{scoring:?}: {verdict:?}");
        assert!(verdict.wrong == 0 && verdict.compared > 3, "{scoring:?}: {verdict:?}");
        // The bounds alone would not do.
        assert!(scoring != Scoring::Area || verdict.closer > 0, "{verdict:?}");
    }
}

/// A single room, where kos are not all that repeats: two kos at once, and stones that are captured and played again.
#[test]
fn rooms_with_several_kos_have_scores_by_komaster() {
    let (mut random, mut verdict) = (Xorshift(0x5EED_0062), Verdict::default());
    let rounds = if std::env::var("GB_LONG_TESTS").is_ok() { 10_000 } else { 250 };
    for _ in 0..rounds {
        let points = 5 + random.below(5);
        judge(&walled(&mut random, points), Scoring::Area, 30_000, &mut verdict);
    }
    println!("{verdict:?}");
    assert!(verdict.wrong == 0 && verdict.compared > 5, "{verdict:?}");
}

/// A ko for a point, alone: whoever is komaster wins it, if White begins.
const KO: &str = "XXXOOOO|X.XOO.O|XXXOOOO|XX.XOOO|XXXOOOO|X.XOO.O|XXXOOOO";

#[test]
fn scores_by_komaster_are_said() {
    let board = Board::read(KO).unwrap();
    let analysis = analysis_of(&board, Scoring::Territory);
    let said = komasters_text(analysis.komasters.as_ref().unwrap());
    assert_eq!(
        said,
        "If Black is komaster: even, whoever begins; if White is: even if Black begins, White by 1 if White begins."
    );
    let same = [[3, 1], [3, 1]].map(|both| both.map(Dyadic::from));
    assert_eq!(
        komasters_text(&same),
        "Whoever is komaster, it is Black by 3 if Black begins, Black by 1 if White begins."
    );
}

/// Without nodes, without time, or after it was cancelled, nothing is told.
#[test]
fn scores_by_komaster_keep_budgets() {
    let (store, unlimited) = (Store::new(), Budget::unlimited());
    let board = Board::read(KO).unwrap();
    let game = Game::new(board, Player::Left, KoRule::Simple);
    // What the ko itself takes is remembered, so that few nodes are enough for its bounds.
    let remembering = Settings { memory: Some(Memory::default()), ..Settings::default() };
    assert!(analyse(&store.kernel(&unlimited), &game, &remembering).komasters.is_some());
    // As few as will do: budgets are asked for every so many nodes, and more often if there are few.
    let with = |area_nodes| Settings { area_nodes, ..remembering.clone() };
    let told = |nodes: &u64| analyse(&store.kernel(&unlimited), &game, &with(*nodes)).komasters.is_some();
    let least = (1..1000).find(told).unwrap();
    let analysis = analyse(&store.kernel(&unlimited), &game, &with(least - 1));
    assert!(analysis.bounds.is_some() && analysis.komasters.is_none());
    let settings = with(least);
    let spent = Budget::unlimited().with_time(std::time::Duration::ZERO);
    assert!(analyse(&store.kernel(&spent), &game, &settings).komasters.is_none());
    let cancelled = Budget::unlimited();
    cancelled.cancel().cancel();
    assert!(analyse(&store.kernel(&cancelled), &game, &settings).komasters.is_none());
}
