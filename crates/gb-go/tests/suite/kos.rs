//! Single kos: what they are worth, against play on the whole board beside a stack of coupons.

use std::collections::HashMap;

use gb_board::Xorshift;
use gb_go::{Board, Game, KoFacts, KoRule, LocalFailure, Point, Scoring, Settings, Twelfths, analyse};
use gb_value::{Budget, Player, Store};

use crate::judge::{open_points, walled};

fn ko_facts(board: &Board, scoring: Scoring) -> Option<(i64, [KoFacts; 2])> {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let game = Game::new(board.clone(), Player::Left, KoRule::Simple);
    let analysis = analyse(&store.kernel(&budget), &game, &Settings { scoring, ..Settings::default() });
    let [area] = &analysis.areas[..] else { return None };
    let Err(LocalFailure::Ko { .. }) = area.facts else { return None };
    Some((analysis.constant, area.ko?))
}

/// Whoever takes and fills gets a point for it, which takes two moves, or prevents it by one: a third of a point for each.
#[test]
fn a_ko_for_a_point_has_temperature_one_third() {
    let board = Board::read("XXXOOOO|X.XOO.O|XXXOOOO|XX.XOOO|XXXOOOO|X.XOO.O|XXXOOOO").unwrap();
    let third = KoFacts { mean: Twelfths(-4), temperature: Twelfths(4) };
    assert_eq!(ko_facts(&board, Scoring::Territory).unwrap().1, [third; 2]);
}

/// The board; where the one who is not komaster may not take back; whether the komaster has to go on here; who is to move; how
/// many coupons are left; and whether the other has passed.
type State = (Board, Option<Point>, bool, Player, i64, bool);

/// The game itself: stones on the open points, coupons of a twelfth and its multiples, a ban on taking back for the one who
/// is not komaster, and after a move elsewhere the komaster's duty to go on. Counts stones and territory, in twelfths.
struct Coupons<'a> {
    open: &'a [Point],
    master: Player,
    known: HashMap<State, Option<i64>>,
}

impl Coupons<'_> {
    /// `None` if play comes back without a coupon taken.
    fn score(&mut self, state: State) -> Option<i64> {
        if let Some(known) = self.known.get(&state) {
            return *known;
        }
        self.known.insert(state.clone(), None);
        let (board, ban, duty, player, coupons, passed) = &state;
        let sign = if *player == Player::Left { 1 } else { -1 };
        let next = |coupons, passed| (board.clone(), None, ban.is_some(), player.opponent(), coupons, passed);
        let mut scores = vec![];
        for &point in self.open {
            let mut after = board.clone();
            if *ban == Some(point) && *player != self.master {
                continue;
            }
            let Ok(captured) = after.play(*player, point) else { continue };
            let block = after.block(point);
            let is_ko = captured.len() == 1 && block.stones.len() == 1 && block.liberties == captured;
            let ban = (is_ko && *player == self.master).then(|| captured[0]);
            scores.push(self.score((after, ban, false, player.opponent(), *coupons, false))?);
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

#[test]
fn kos_are_worth_what_play_beside_coupons_says() {
    let mut random = Xorshift(0x5EED_0041);
    let rounds = if std::env::var("GB_LONG_TESTS").is_ok() { 4000 } else { 250 };
    let mut checked = 0;
    for _ in 0..rounds {
        let points = 3 + random.below(4);
        let board = walled(&mut random, points);
        let Some(open) = open_points(&board) else { continue };
        if open.len() > 6 {
            continue;
        }
        let Some((constant, facts)) = ko_facts(&board, Scoring::Area) else { continue };
        for master in Player::BOTH {
            let mut coupons = Coupons { open: &open, master, known: HashMap::new() };
            // Hot enough for areas of this size.
            let top = 12 * 8;
            let mut sides = |n: i64| {
                let [black, white] =
                    Player::BOTH.map(|first| coupons.score((board.clone(), None, false, first, n, false)));
                Some((black? - (n + 1) / 2, white? + (n + 1) / 2))
            };
            // Coupons one after the other, so that the recursion stays flat.
            let walls: Option<Vec<(i64, i64)>> = (0..=top).map(&mut sides).collect();
            let Some(walls) = walls else { panic!("it repeats\n{board}") };
            let (left, right) = walls[walls.len() - 1];
            let mean = facts[master as usize].mean.0 + 12 * constant;
            assert!(
                (left + right - 2 * mean).abs() <= 3,
                "{master} {left} {right} {facts:?} {constant}\n{board}"
            );
            let is_off = |x: i64| (2 * x - left - right).abs() > 2;
            let hot = walls.iter().rposition(|&(left, right)| is_off(left) || is_off(right));
            let hot = hot.map_or(0, |n| n as i64 + 1);
            let temperature = facts[master as usize].temperature.0;
            assert!((hot - temperature).abs() <= 2, "{master} {hot} {facts:?}\n{board}");
            checked += 1;
        }
    }
    println!("{checked} checked");
    assert!(checked > 10, "{checked}");
}
