//! Single kos: what they are worth, against play on the whole board beside a stack of coupons.

use std::collections::HashMap;

use gb_board::Xorshift;
use gb_go::{
    Board, Fraction, Game, KoReport, KoRule, LocalFailure, Point, Scoring, Settings, Threats, analyse,
};
use gb_value::{Budget, Dyadic, Player, Store};

use crate::judge::{open_points, walled};

fn ko_report(board: &Board, scoring: Scoring) -> Option<(i64, KoReport)> {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let game = Game::new(board.clone(), Player::Left, KoRule::Simple);
    let analysis = analyse(&store.kernel(&budget), &game, &Settings { scoring, ..Settings::default() });
    let [area] = &analysis.areas[..] else { return None };
    let Err(LocalFailure::Ko { .. }) = area.facts else { return None };
    Some((analysis.constant, area.ko.clone()?))
}

fn fraction(above: i128, below: i128) -> Fraction {
    Fraction::new(above, below).unwrap()
}

/// Mean and temperature with Black, with White as komaster, and with equal threats.
fn told(report: &KoReport) -> String {
    let of = |threats| report.with(threats).map_or("?".into(), |f| format!("{} {}", f.mean, f.temperature));
    let [black, white] = Player::BOTH.map(|player| of(Threats::Komaster(player)));
    format!("{black}, {white}, {}", of(Threats::Neutral))
}

/// Whoever takes and fills gets a point for it, which takes two moves, or prevents it by one: a third of a point for each.
#[test]
fn a_ko_for_a_point_has_temperature_one_third() {
    let board = Board::read("XXXOOOO|X.XOO.O|XXXOOOO|XX.XOOO|XXXOOOO|X.XOO.O|XXXOOOO").unwrap();
    let (_, report) = ko_report(&board, Scoring::Territory).unwrap();
    assert_eq!(told(&report), "-1/3 1/3, -1/3 1/3, -1/3 1/3");
    // Below its temperature Black, to move, fills, and White takes and fills, which are two moves of his.
    let walls = |threats: Threats| {
        let walls = &report.with(threats).unwrap().walls;
        let corners = |index: usize| {
            let corners: Vec<String> =
                walls[index].corners().iter().map(|(value, t, _)| format!("{value}@{t}")).collect();
            corners.join(" ")
        };
        [corners(0), corners(1)]
    };
    assert_eq!(walls(Threats::Komaster(Player::Right)), ["0@0 -1/3@1/3", "-1@0 -1/3@1/3"]);
    // With equal threats the fight goes half way.
    assert_eq!(walls(Threats::Neutral), ["0@0 -1/3@1/3", "-1/2@0 -1/3@1/3"]);
}

/// Kos whose mean depends on who is komaster, with mean and temperature for Black, for White as komaster, and for equal threats.
/// Computed here, not taken from the literature; the other tests judge such boards by playing them.
const CATALOGUE: &[(&str, &str)] = &[
    ("OOOO..X|OOO..XX|OOOOXXX|OOOOXXX|O.OOX.X|OOOOXXX|O.OOX.X", "1/4 3/4, -1/4 3/4, 0 1"),
    ("OO..XXX|OOO..XX|OOOO.XX|OOOOXXX|O.OOX.X|OOOOXXX|O.OOX.X", "-1/4 3/4, -1/2 1/2, -1/3 2/3"),
    (".X..XXX|OO.OXXX|OOOOXXX|OOOOXXX|O.OOX.X|OOOOXXX|O.OOX.X", "-8/3 7/3, -3 2, -17/6 13/6"),
    ("OO.OXXX|OOO..XX|OOOOXXX|OOOOXXX|O.OOX.X|OOOOXXX|O.OOX.X", "-1/3 2/3, -1 0, -1 0"),
    ("OOX.XXX|OOO..XX|OOOOXXX|OOOOXXX|O.OOX.X|OOOOXXX|O.OOX.X", "-5/12 11/12, -3/4 5/4, -3/4 5/4"),
    ("OO...XX|OOO.OXX|OOOOXXX|OOOOXXX|O.OOX.X|OOOOXXX|O.OOX.X", "-9/8 15/8, -31/24 41/24, -9/8 15/8"),
    ("OOXOXXX|OO...XX|OOO.XXX|OOOOXXX|O.OOX.X|OOOOXXX|O.OOX.X", "-1/8 19/8, -1/6 7/3, -1/8 19/8"),
];

#[test]
fn kos_that_depend_on_the_komaster() {
    for (rows, expected) in CATALOGUE {
        let (_, report) = ko_report(&Board::read(rows).unwrap(), Scoring::Territory).unwrap();
        assert_eq!(told(&report), *expected, "{rows}");
    }
}

/// Area scoring, cooled by one, is territory scoring again: a move costs a point more, and nothing else changes.
#[test]
fn both_ways_of_counting_agree() {
    let mut random = Xorshift(0x5EED_0042);
    let rounds = if std::env::var("GB_LONG_TESTS").is_ok() { 40_000 } else { 1500 };
    let mut checked = 0;
    for _ in 0..rounds {
        let points = 3 + random.below(4);
        let board = walled(&mut random, points);
        if open_points(&board).is_none_or(|open| open.len() > 6) {
            continue;
        }
        let Some((_, territory)) = ko_report(&board, Scoring::Territory) else { continue };
        let Some((_, area)) = ko_report(&board, Scoring::Area) else { continue };
        for (territory, area) in territory.masters.iter().zip(&area.masters) {
            if territory.temperature > Fraction::ZERO {
                let cooled = area.temperature.to_f64() - 1.0;
                assert_eq!(territory.mean, area.mean, "\n{board}");
                assert!((territory.temperature.to_f64() - cooled).abs() < 1e-9, "\n{board}");
                checked += 1;
            }
        }
    }
    println!("{checked} checked");
    assert!(checked > 20, "{checked}");
}

/// The board; where the one who is not komaster may not take back; whether the komaster has to go on here; who is to move; how
/// many coupons are left; and whether the other has passed.
type State = (Board, Vec<Point>, bool, Player, i64, bool);

/// The game itself: stones on the open points, coupons of a twelfth and its multiples, a ban on taking back for the one who
/// is not komaster, and after a move elsewhere the komaster's duty to go on. Counts stones and territory, in twelfths.
struct Coupons<'a> {
    open: &'a [Point],
    master: Player,
    known: HashMap<State, Option<i64>>,
    /// Whether a ko was taken while another could not be taken back.
    has_several: bool,
}

impl Coupons<'_> {
    /// `None` if play comes back without a coupon taken.
    fn score(&mut self, state: State) -> Option<i64> {
        if let Some(known) = self.known.get(&state) {
            return *known;
        }
        self.known.insert(state.clone(), None);
        let (board, bans, duty, player, coupons, passed) = &state;
        let sign = if *player == Player::Left { 1 } else { -1 };
        // If the komaster moves elsewhere, the other may take.
        let left = if *player == self.master { vec![] } else { bans.clone() };
        let next = |coupons, passed| {
            (board.clone(), left.clone(), !left.is_empty(), player.opponent(), coupons, passed)
        };
        let mut scores = vec![];
        for &point in self.open {
            let mut after = board.clone();
            if bans.contains(&point) && *player != self.master {
                continue;
            }
            let Ok(captured) = after.play(*player, point) else { continue };
            let block = after.block(point);
            let is_ko = captured.len() == 1 && block.stones.len() == 1 && block.liberties == captured;
            let mut bans = if is_ko { bans.clone() } else { vec![] };
            self.has_several |= is_ko && !bans.is_empty();
            if is_ko && *player == self.master {
                bans.push(captured[0]);
                bans.sort_unstable();
            }
            scores.push(self.score((after, bans, false, player.opponent(), *coupons, false))?);
        }
        if !*duty || scores.is_empty() {
            scores.push(match (*coupons, *passed) {
                (0, true) => 12 * board.area_score(),
                (0, false) => self.score(next(0, true))?,
                (n, _) => sign * n + self.score(next(n - 1, false))?,
            });
        }
        let best = if sign == 1 { scores.into_iter().max() } else { scores.into_iter().min() };
        self.known.insert(state, best);
        best
    }
}

/// Compares the walls of a ko with play beside coupons, for both komasters. Whether several kos came up at once.
fn compare_with_coupons(board: &Board, open: &[Point], constant: i64, report: &KoReport) -> bool {
    let mut has_several = false;
    for master in Player::BOTH {
        let mut coupons = Coupons { open, master, known: HashMap::new(), has_several: false };
        // Hot enough for areas of this size.
        let top = 12 * 8;
        let mut sides = |n: i64| {
            let [black, white] =
                Player::BOTH.map(|first| coupons.score((board.clone(), vec![], false, first, n, false)));
            Some((black? - (n + 1) / 2, white? + (n + 1) / 2))
        };
        // Coupons one after the other, so that the recursion stays flat.
        let walls: Option<Vec<(i64, i64)>> = (0..=top).map(&mut sides).collect();
        let Some(walls) = walls else { panic!("it repeats\n{board}") };
        has_several |= coupons.has_several;
        let facts = &report.masters[master as usize];
        let constant = fraction(constant.into(), 1);
        for (coupons, &(left, right)) in walls.iter().enumerate() {
            for (wall, played) in facts.walls.iter().zip([left, right]) {
                let exact = wall.at(fraction(coupons as i128, 12)).unwrap();
                let exact = exact.to_f64() + constant.to_f64();
                // Each move here may find the coupons one short, or one more.
                let off = (exact - played as f64 / 12.0).abs();
                assert!(
                    off <= 5.0 / 12.0,
                    "{master} {coupons}/12: {exact} {played}/12 {}\n{board}",
                    told(report)
                );
            }
        }
        let (left, right) = walls[walls.len() - 1];
        let is_off = |x: i64| (2 * x - left - right).abs() > 2;
        let hot = walls.iter().rposition(|&(left, right)| is_off(left) || is_off(right));
        let hot = hot.map_or(0, |n| n as i64 + 1) as f64 / 12.0;
        let temperature = facts.temperature.to_f64();
        assert!((hot - temperature).abs() <= 0.2, "{master} {hot} {}\n{board}", told(report));
    }
    has_several
}

#[test]
fn kos_are_worth_what_play_beside_coupons_says() {
    let mut random = Xorshift(0x5EED_0041);
    let rounds = if std::env::var("GB_LONG_TESTS").is_ok() { 4000 } else { 120 };
    let (mut checked, mut several) = (0, 0);
    for _ in 0..rounds {
        let points = 3 + random.below(4);
        let board = walled(&mut random, points);
        let Some(open) = open_points(&board) else { continue };
        if open.len() > 6 {
            continue;
        }
        let Some((constant, report)) = ko_report(&board, Scoring::Area) else { continue };
        several += usize::from(compare_with_coupons(&board, &open, constant, &report));
        checked += 1;
    }
    println!("{checked} checked, {several} with several kos at once");
    assert!(checked > 5, "{checked}");
}

/// The positions of a board's open points, and the moves between them.
struct Positions {
    /// What each counts if nobody moves any more.
    ends: Vec<i64>,
    /// For each position, Black's moves and White's: where they lead, and whether they take a ko.
    moves: Vec<[Vec<(usize, bool)>; 2]>,
}

impl Positions {
    fn of(board: &Board, open: &[Point]) -> Positions {
        let (mut boards, mut all) = (vec![board.clone()], vec![]);
        while let Some(board) = boards.get(all.len()).cloned() {
            let moves = Player::BOTH.map(|player| {
                let play = |&point: &Point| {
                    let mut after = board.clone();
                    let captured = after.play(player, point).ok()?;
                    let block = after.block(point);
                    let is_ko = captured.len() == 1 && block.stones.len() == 1 && block.liberties == captured;
                    Some((after, is_ko))
                };
                open.iter().filter_map(play).collect::<Vec<_>>()
            });
            let mut id = |board: Board| {
                boards.iter().position(|other| *other == board).unwrap_or_else(|| {
                    boards.push(board);
                    boards.len() - 1
                })
            };
            all.push(moves.map(|list| list.into_iter().map(|(after, is_ko)| (id(after), is_ko)).collect()));
        }
        Positions { ends: boards.iter().map(Board::area_score).collect(), moves: all }
    }
}

/// Play beside coupons where both players have the same threats, one of each size: a threat is made, and then carried out for so many
/// points, or answered. A ko may not be taken back at once, by nobody. Counts in `unit`s.
struct Threatened<'a> {
    positions: &'a Positions,
    /// Units of a point, and of a coupon.
    unit: i64,
    coupon: i64,
    sizes: &'a [i64],
    known: HashMap<(usize, bool, usize, i64, usize, bool), i64>,
}

impl Threatened<'_> {
    /// With `threats` in the base 3, Black's first: there, made, over. `is_banned` if the ko may not be taken.
    fn score(
        &mut self,
        (at, is_banned, threats, coupons, player, passed): (usize, bool, usize, i64, usize, bool),
    ) -> i64 {
        let state = (at, is_banned, threats, coupons, player, passed);
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let sign = if player == 0 { 1 } else { -1 };
        let mut scores = vec![];
        for &(next, is_ko) in &self.positions.moves[at][player] {
            if !(is_banned && is_ko) {
                scores.push(self.score((next, is_ko, threats, coupons, 1 - player, false)));
            }
        }
        scores.push(match (coupons, passed) {
            (0, true) => self.unit * self.positions.ends[at],
            (0, false) => self.score((at, false, threats, 0, 1 - player, true)),
            (n, _) => sign * n * self.coupon + self.score((at, false, threats, n - 1, 1 - player, false)),
        });
        for index in 0..2 * self.sizes.len() {
            let place = 3_usize.pow(index as u32);
            let (owner, size) = (index / self.sizes.len(), self.sizes[index % self.sizes.len()]);
            let points = match (threats / place % 3, owner == player) {
                (0, true) | (1, false) => 0,
                (1, true) => sign * size,
                _ => continue,
            };
            scores.push(points + self.score((at, false, threats + place, coupons, 1 - player, false)));
        }
        let best = if sign == 1 { scores.into_iter().max() } else { scores.into_iter().min() };
        let best = best.expect("one may always pass");
        self.known.insert(state, best);
        best
    }
}

/// With the sizes that matter among the threats (twice and three times the temperature), play ends with what the formula says.
#[test]
fn equal_threats_are_what_play_with_them_says() {
    let mut random = Xorshift(0x5EED_0043);
    let rounds = if std::env::var("GB_LONG_TESTS").is_ok() { 3000 } else { 60 };
    let (mut checked, mut wrong) = (0, 0);
    for _ in 0..rounds {
        let points = 2 + random.below(4);
        let board = walled(&mut random, points);
        let Some(open) = open_points(&board).filter(|open| open.len() <= 5) else { continue };
        let Some((constant, report)) = ko_report(&board, Scoring::Area) else { continue };
        let Some(neutral) = report.neutral.as_ref().filter(|facts| facts.temperature > Fraction::ZERO) else {
            continue;
        };
        let positions = Positions::of(&board, &open);
        if positions.ends.len() > 40 {
            continue;
        }
        let (unit, temperature) = (60, neutral.temperature.to_f64());
        let times = |factor: f64| (temperature * factor * unit as f64).round() as i64;
        let (coupon, sizes) = (times(1.0 / 6.0).max(1), [times(1.5), times(2.0), times(3.0)]);
        let mut play =
            Threatened { positions: &positions, unit, coupon, sizes: &sizes, known: HashMap::new() };
        let top = 9;
        let alone = coupon * ((top + 1) / 2);
        let black = play.score((0, false, 0, top, 0, false)) - alone;
        let white = play.score((0, false, 0, top, 1, false)) + alone;
        let played = (black + white) as f64 / (2 * unit) as f64;
        let mean = neutral.mean.to_f64() + constant as f64;
        checked += 1;
        if (played - mean).abs() > 1.01 * coupon as f64 / unit as f64 {
            wrong += 1;
            println!(
                "{} played {played}, mean {mean}, {} positions\n{board}",
                told(&report),
                positions.ends.len()
            );
        }
    }
    println!("{checked} checked, {wrong} wrong");
    assert!(checked > 3 && wrong == 0, "{checked} checked, {wrong} wrong");
}

/// An approach ko: Black takes, makes another move, and has a direct ko, in which White takes back. White wins at once. With
/// equal threats it is as if there were five moves between the two ends, and three in the direct ko.
#[test]
fn an_approach_ko_with_equal_threats() {
    // White has won; White can, after Black has taken; the same of the direct ko; Black has won, 60 points.
    let moves: [[&[(usize, bool)]; 2]; 6] = [
        [&[], &[]],
        [&[(2, true)], &[(0, false)]],
        [&[(4, false)], &[(1, true)]],
        [&[(4, true)], &[(0, false)]],
        [&[(5, false)], &[(3, true)]],
        [&[], &[]],
    ];
    let moves = moves.map(|both| both.map(<[(usize, bool)]>::to_vec)).to_vec();
    let positions = Positions { ends: vec![0, 0, 0, 0, 0, 60], moves };
    let mut play = Threatened {
        positions: &positions,
        unit: 1,
        coupon: 3,
        sizes: &[22, 24, 30, 36],
        known: HashMap::new(),
    };
    let mut mast = |at: usize| {
        let sides =
            [(0, -9), (1, 9)].map(|(player, alone)| play.score((at, false, 0, 5, player, false)) + alone);
        assert_eq!(sides[0], sides[1], "nobody wants to move");
        sides[0]
    };
    assert_eq!((mast(1), mast(2)), (60 / 5, 2 * 60 / 5));
}

/// Whole boards where no position may come up again (positional superko): each position was there, or was not.
struct Superko<'a> {
    positions: &'a Positions,
    known: HashMap<(usize, u64, usize, bool), i64>,
}

impl Superko<'_> {
    fn score(&mut self, at: usize, before: u64, player: usize, passed: bool) -> i64 {
        if let Some(&known) = self.known.get(&(at, before, player, passed)) {
            return known;
        }
        let mut scores = vec![match passed {
            true => self.positions.ends[at],
            false => self.score(at, before, 1 - player, true),
        }];
        for &(next, _) in &self.positions.moves[at][player] {
            if before >> next & 1 == 0 {
                scores.push(self.score(next, before | 1 << next, 1 - player, false));
            }
        }
        let best = if player == 0 { scores.into_iter().max() } else { scores.into_iter().min() };
        let best = best.expect("one may always pass");
        self.known.insert((at, before, player, passed), best);
        best
    }
}

/// What is called exact is exact under superko too, and where a ko decides, the score is between the bounds.
#[test]
fn superko_ends_between_the_bounds() {
    let mut random = Xorshift(0x5EED_0044);
    let rounds = if std::env::var("GB_LONG_TESTS").is_ok() { 20_000 } else { 300 };
    let (mut exact, mut bounded) = (0, 0);
    for _ in 0..rounds {
        let points = 2 + random.below(4);
        let board = walled(&mut random, points);
        let Some(open) = open_points(&board).filter(|open| open.len() <= 5) else { continue };
        let positions = Positions::of(&board, &open);
        // Those in which nothing can come back are judged elsewhere.
        let has_ko = positions.moves.iter().flatten().flatten().any(|&(_, is_ko)| is_ko);
        if !has_ko || positions.ends.len() > 34 {
            continue;
        }
        let mut superko = Superko { positions: &positions, known: HashMap::new() };
        let truth = [0, 1].map(|first| Dyadic::from(superko.score(0, 1, first, false)));
        let (store, budget) = (Store::new(), Budget::unlimited());
        let game = Game::new(board.clone(), Player::Left, KoRule::Simple);
        let settings = Settings { scoring: Scoring::Area, ..Settings::default() };
        let analysis = analyse(&store.kernel(&budget), &game, &settings);
        if let Some(score) = &analysis.score {
            assert_eq!(*score, truth, "\n{board}");
            exact += 1;
        } else if let Some(bounds) = &analysis.bounds {
            for ((low, high), truth) in bounds.iter().zip(&truth) {
                assert!(low <= truth && truth <= high, "{low} {truth} {high}\n{board}");
            }
            bounded += 1;
        }
    }
    println!("{exact} exact, {bounded} bounded");
    assert!(exact > 5 && bounded > 5, "{exact} exact, {bounded} bounded");
}
