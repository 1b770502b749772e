//! Safe stones and territories against brute force.

use std::collections::{BTreeMap, HashSet};

use gb_board::Xorshift;
use gb_go::{Board, Effort, Point, Reason, Safety, benson};
use gb_value::Player;

use crate::random::random_board;

/// Whether the attacker, moving as often as he likes without any answer, ever takes one of these points' stones.
fn can_capture(board: &Board, attacker: Player, stones: &[Point]) -> bool {
    let mut seen = HashSet::from([board.clone()]);
    let mut open = vec![board.clone()];
    while let Some(position) = open.pop() {
        for point in position.points() {
            let mut next = position.clone();
            if next.play(attacker, point).is_ok() {
                if stones.iter().any(|&p| next.at(p) != Some(attacker.opponent())) {
                    return true;
                }
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    false
}

#[test]
fn benson_finds_exactly_the_blocks_that_need_no_answer() {
    let mut random = Xorshift(0x5EED_0001);
    let (mut alive, mut dead) = (0, 0);
    for round in 0..3000 {
        // Benson's theorem is about blocks that live together: a block lives alone only if its neighbours do.
        let board = random_board(&mut random, 3 + round % 2, 2);
        for colour in Player::BOTH {
            let safe: Vec<Point> =
                benson(&board, colour).into_iter().filter(|&p| board.at(p) == Some(colour)).collect();
            for stones in board.components(|p| board.at(p) == Some(colour)) {
                let is_safe = safe.contains(&stones[0]);
                let captured = can_capture(&board, colour.opponent(), &stones);
                assert_eq!(is_safe, !captured, "\n{board}{} {colour}", board.name(stones[0]));
                if is_safe { alive += 1 } else { dead += 1 }
            }
        }
    }
    assert!(alive > 100 && dead > 100, "{alive} alive, {dead} dead");
}

/// An attack by brute force on what is claimed to be safe. The attacker begins, and plays anywhere on the board; the owner
/// answers within the claimed points only, because elsewhere other things may be at stake. Repetition counts as a success
/// of the attacker. The rules under test have no part in it but Benson's, which is checked above.
struct Attack<'a> {
    owner: Player,
    claimed: &'a [Point],
    /// Stones that must not be captured.
    stones: Vec<Point>,
    proven: HashSet<(Board, bool, bool)>,
    seen: HashSet<(Board, bool, bool)>,
    left: usize,
}

impl Attack<'_> {
    /// Whether the owner keeps everything; `None` if that takes too long to find out.
    fn is_beaten_off(board: &Board, owner: Player, claimed: &[Point], limit: usize) -> Option<bool> {
        let stones = claimed.iter().copied().filter(|&p| board.at(p) == Some(owner)).collect();
        let (proven, seen) = Default::default();
        let mut attack = Attack { owner, claimed, stones, proven, seen, left: limit };
        loop {
            let known = attack.proven.len();
            attack.seen.clear();
            if attack.holds(board, false, false)? {
                return Some(true);
            }
            if attack.proven.len() == known {
                return Some(false);
            }
        }
    }

    fn holds(&mut self, board: &Board, owner_to_move: bool, passed: bool) -> Option<bool> {
        let state = (board.clone(), owner_to_move, passed);
        if self.proven.contains(&state) {
            return Some(true);
        }
        if self.stones.iter().any(|&p| board.at(p) != Some(self.owner)) || !self.seen.insert(state.clone()) {
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        let player = if owner_to_move { self.owner } else { self.owner.opponent() };
        let points: Vec<Point> = if owner_to_move { self.claimed.to_vec() } else { board.points().collect() };
        let mut result =
            if passed { self.has_everything(board) } else { self.holds(board, !owner_to_move, true)? };
        for point in points {
            // The owner needs one good move, the attacker none.
            if result == owner_to_move {
                break;
            }
            let mut next = board.clone();
            if next.play(player, point).is_ok() {
                result = self.holds(&next, !owner_to_move, false)?;
            }
        }
        if result {
            self.proven.insert(state);
        }
        Some(result)
    }

    /// Whether the claimed points are the owner's if the game ends here.
    fn has_everything(&self, board: &Board) -> bool {
        let alive = benson(board, self.owner);
        self.claimed.iter().all(|&point| {
            let is_reached = || {
                let region = board.connected(point, |p| board.at(p).is_none());
                board.at(point).is_none()
                    && board.around(&region, |p| board.at(p) == Some(self.owner.opponent())).is_empty()
            };
            board.at(point) == Some(self.owner) || alive.binary_search(&point).is_ok() || is_reached()
        })
    }
}

/// A board full of one colour, out of which rooms are cut, with some opposing stones in them.
fn rooms(random: &mut Xorshift, size: usize) -> Board {
    let owner = Player::BOTH[random.below(2)];
    let mut board = Board::new(size);
    board.points().for_each(|p| board.set(p, Some(owner)));
    let mut left = 4 + random.below(7);
    while left > 0 {
        let mut at = random.below(size * size) as Point;
        for _ in 0..1 + random.below(left) {
            if board.at(at) == Some(owner) {
                left -= 1;
            }
            let stone = if random.below(6) == 0 { Some(owner.opponent()) } else { None };
            board.set(at, stone);
            let next: Vec<Point> = board.neighbours(at).collect();
            at = next[random.below(next.len())];
        }
    }
    for point in board.points() {
        if board.at(point).is_some() && board.block(point).liberties.is_empty() {
            board.set(point, None);
        }
    }
    board
}

fn check(effort: &Effort, rounds: usize, limit: usize) -> BTreeMap<&'static str, usize> {
    // The long run begins where the short one ends, so to say: with other boards, and more of them.
    let is_long = std::env::var("GB_LONG_TESTS").is_ok();
    let mut random = Xorshift(if is_long { 0x5EED_0012 } else { 0x5EED_0011 });
    let rounds = if is_long { 16 * rounds } else { rounds };
    let mut checked = BTreeMap::new();
    for round in 0..rounds {
        let board = match round % 4 {
            0 => random_board(&mut random, 3 + round % 3, 2 + round % 3),
            n => rooms(&mut random, 3 + n),
        };
        let safety = Safety::of(&board, effort);
        for point in board.points().filter(|&p| safety.owner(p).is_none()) {
            for next in board.neighbours(point).filter(|&n| safety.owner(n).is_some()) {
                assert_eq!(board.at(next), safety.owner(next), "what is open ends at safe stones\n{board}");
            }
        }
        for colour in Player::BOTH {
            let claimed: Vec<Point> = board.points().filter(|&p| safety.owner(p) == Some(colour)).collect();
            let reasons: HashSet<&str> = claimed
                .iter()
                .filter_map(|&p| safety.reason(p))
                .filter(|&reason| reason != Reason::Unconditional)
                .map(Reason::text)
                .collect();
            if reasons.is_empty() {
                continue;
            }
            match Attack::is_beaten_off(&board, colour, &claimed, limit) {
                Some(held) => assert!(held, "round {round}, {colour}, {reasons:?}\n{board}\n{safety:?}"),
                None => *checked.entry("skipped").or_default() += 1,
            }
            for reason in reasons {
                *checked.entry(reason).or_default() += 1;
            }
        }
    }
    checked
}

#[test]
fn static_rules_withstand_every_attack() {
    let effort = Effort { search_empties: 0, ..Effort::default() };
    let checked = check(&effort, 3000, 20_000);
    println!("{checked:?}");
    for reason in [Reason::Answered, Reason::TwoEyes, Reason::Surrounded] {
        assert!(checked.get(reason.text()).is_some_and(|&n| n > 25), "{checked:?}");
    }
}

#[test]
fn searched_regions_withstand_every_attack() {
    let effort = Effort { statics: false, search_nodes: 2_000, ..Effort::default() };
    let checked = check(&effort, 1500, 20_000);
    println!("{checked:?}");
    assert!(checked.get(Reason::Search.text()).is_some_and(|&n| n > 50), "{checked:?}");
}

#[test]
fn all_rules_together_withstand_every_attack() {
    let effort = Effort { search_nodes: 2_000, ..Effort::default() };
    let checked = check(&effort, 1500, 20_000);
    println!("{checked:?}");
}

/// The reason for the stone or point of each name, with static rules alone.
fn reasons(board: &str, names: &str) -> Vec<Option<Reason>> {
    let board = Board::read(board).unwrap();
    let safety = Safety::of(&board, &Effort { search_empties: 0, ..Effort::default() });
    names.split(' ').map(|name| safety.reason(board.point_of(name).unwrap())).collect()
}

#[test]
fn each_rule_gives_its_reason() {
    let (unconditional, answered) = (Some(Reason::Unconditional), Some(Reason::Answered));
    let (two_eyes, surrounded) = (Some(Reason::TwoEyes), Some(Reason::Surrounded));
    // Two single eyes need no answer.
    assert_eq!(reasons(".X.X|XXXX|OOOO|...O", "A4 B4 A2"), [unconditional, unconditional, None]);
    // Four in a row are two eyes, three are not.
    assert_eq!(reasons("....X|XXXXX|OOOOO|O.OO.|OOOOO", "A5 B4"), [two_eyes; 2]);
    assert_eq!(reasons("...XX|XXXXX|OOOOO|O.OO.|OOOOO", "A5 B4"), [None; 2]);
    // A room whose middle touches no stone is an eye, because one of the points around the middle can be had.
    assert_eq!(reasons("XXXXXX|X...X.|X...XX|X...XX|XXXXXX|XXXXXX", "C4 F5 A1"), [answered; 3]);
    // Two blocks with two common liberties are one chain, and what links them is an eye as well.
    assert_eq!(reasons("..XXX|X.XXX|X.XXX|XX.XX|XX..X", "A5 A4 C2 E5"), [answered; 4]);
    // White has one eye between safe stones, and no second.
    let one_eye = "XXXXXXX|X.O.XX.|XO.OXXX|X.O.XX.|XXXXXXX|XXXXXXX|XXXXXXX";
    assert_eq!(reasons(one_eye, "C5 C6 A1"), [surrounded, surrounded, unconditional]);
}

/// Whose the points of these names are.
fn owners(board: &str, names: &str) -> Vec<Option<Player>> {
    let board = Board::read(board).unwrap();
    let safety = Safety::of(&board, &Effort::default());
    names.split(' ').map(|name| safety.owner(board.point_of(name).unwrap())).collect()
}

/// The corner is White's second eye: after Black at B2 White has no liberty in it, but takes two stones from A2.
#[test]
fn a_block_may_be_without_liberty_until_it_is_answered() {
    let corner = ".....XXO.|...XOXO.O|XXXXXXO..|OXOOXOOO.|OOOXXXXO.|O.OX.XOOO|XOOOXXOXO|..OX.XXXO|.OXX..XOO";
    assert_eq!(owners(corner, "A6 A3 B2 B1"), [Some(Player::Right); 4]);
}

/// B9 has its eyes at A9 and B8, and none in the room beside it, where it need not have one.
#[test]
fn a_block_with_two_eyes_elsewhere_is_a_wall() {
    let room = ".X...XO..|X.X..XOO.|OXXXXXO.O|OOXOOXXOO|..OOOOOOX|.OXXOXOXX|.OXXXXXX.|.OOX.....|..OOX....";
    assert_eq!(owners(room, "A9 A8 B9 B8 C9 E8 F9"), [Some(Player::Left); 7]);
    assert_eq!(owners(room, "A5 A1 H7 J9 G9 C5"), [Some(Player::Right); 6]);
}

/// White takes the point below the black wall, and lives there together with Black: neither can begin to capture. A search
/// that compares positions must not go on where a block is lost already.
#[test]
fn a_seki_is_nobodys() {
    let board = Board::read("XXXXX|..XXX|.OOXX|XX...|XXX..").unwrap();
    let safety = Safety::of(&board, &Effort::default());
    assert_eq!(safety.count(), 0, "{safety:?}");
}

#[test]
fn answers_are_remembered() {
    let board = Board::read("....X|XXXXX|OOOOO|O.OO.|OOOOO").unwrap();
    let safety = Safety::of(&board, &Effort::default());
    let point = |name| board.point_of(name).unwrap();
    assert_eq!(safety.partner(point("B5")), Some(point("C5")));
    assert_eq!(safety.partner(point("C5")), Some(point("B5")));
    assert_eq!(safety.partner(point("A5")), None);
}

/// A search that was cancelled says so, and what was found before stays.
#[test]
fn a_budget_ends_the_search() {
    use gb_value::{Budget, Cancel, Halt};
    // Black has one large room, which no rule settles by itself.
    let board = Board::read("..X.......|".repeat(10).trim_end_matches('|')).unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    let budget = Budget::unlimited().with_cancel(cancel);
    let safety = Safety::within(&board, &Effort::default(), &budget);
    assert_eq!(safety.stopped(), Some(Halt::Cancelled));
    assert_eq!(safety.count(), 0);
}

/// Searches that were given up are made again, longer, as long as there is time: for the territories of both colours at once.
#[test]
fn both_colours_are_searched_for_as_long_as_there_is_time() {
    use gb_value::Budget;
    let board = Board::read("..XOO..|".repeat(7).trim_end_matches('|')).unwrap();
    let short = Effort { search_nodes: 60, ..Effort::default() };
    let owners = |safety: &Safety| ["A1", "G7"].map(|name| safety.owner(board.point_of(name).unwrap()));
    let unlimited = Safety::of(&board, &short);
    assert_eq!(owners(&unlimited), [None, None]);
    let budget = Budget::unlimited().with_time(std::time::Duration::from_secs(60));
    let patient = Safety::within(&board, &short, &budget);
    assert_eq!(owners(&patient), [Some(Player::Left), Some(Player::Right)]);
    // Whoever has no time for that does not begin it.
    let impatient = Effort { is_patient: false, ..short };
    assert_eq!(owners(&Safety::within(&board, &impatient, &budget)), [None, None]);
}
