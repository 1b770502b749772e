//! Known-right values of positions, from testdata/facts/games.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use gb_board::Size;
use gb_board::testing::facts;
use gb_rules::{DynGame, Game, GameName, Key, Player, StaticResult, with_game};
use gb_value::{Budget, Kernel, Store, Value};

use crate::values::{Plain, read_value};

/// Checks the value of one position, with and without the theorems of the game.
struct Check<'a> {
    position: &'a str,
    value: &'a str,
}

impl Check<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let name = rules.info().name;
        let board = rules.read(self.position).unwrap_or_else(|e| panic!("{name} {}: {e}", self.position));
        let expected = read_value(self.value, &kernel);
        for with_theorems in [true, false] {
            let value = Plain::new(&*rules, &kernel, with_theorems).value(&board).unwrap();
            assert_eq!(value, expected, "{name} {} (theorems: {with_theorems})", self.position);
        }
        inspection(&*rules, &board, expected, &kernel);
    }
}

/// Bounds and winners by inspection against the value.
fn inspection<const N: usize>(rules: &dyn DynGame<N>, board: &Key<N>, value: Value, kernel: &Kernel<'_>) {
    use Player::{Left, Right};
    let at = format!("{} {}", rules.info().name, rules.show(board));
    let le = |a, b| kernel.le(a, b).unwrap();
    let (low, high) = rules.bounds(board);
    if let Some(low) = low {
        assert!(le(kernel.integer(low), value), "{at} >= {low}");
    }
    if let Some(high) = high {
        assert!(le(value, kernel.integer(high)), "{at} <= {high}");
    }
    // Left wins moving second if G >= 0, moving first unless G <= 0.
    let zero = kernel.integer(0);
    let winners = [
        (Right, if le(zero, value) { Left } else { Right }),
        (Left, if le(value, zero) { Right } else { Left }),
    ];
    for (first, winner) in winners {
        let verdict = rules.static_result(&rules.features(board), (0, 0), first);
        if let StaticResult::Winner(claim) = verdict {
            assert_eq!(claim, winner, "{at}, {first} begins");
        }
    }
}

/// All boards of a shape.
struct AllBoards<'a>(&'a [char], usize, usize);

impl AllBoards<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) {
        let AllBoards(letters, rows, cols) = self;
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let (mut fast, mut slow) = (Plain::new(&*rules, &kernel, true), Plain::new(&*rules, &kernel, false));
        let cells = rows * cols;
        for mut number in 0..letters.len().pow(cells as u32) {
            let mut text = String::new();
            for cell in 0..cells {
                if cell > 0 && cell % cols == 0 {
                    text.push('|');
                }
                text.push(letters[number % letters.len()]);
                number /= letters.len();
            }
            let board = rules.read(&text).unwrap();
            let value = fast.value(&board).unwrap();
            assert_eq!(value, slow.value(&board).unwrap(), "{text}: theorems against plain search");
            inspection(&*rules, &board, value, &kernel);
        }
    }
}

#[test]
fn theorems_bounds_and_winners_on_all_small_boards() {
    for (name, letters, rows, cols) in [
        ("domineering", "#.", 3, 4),
        ("domineering", "#.", 2, 6),
        ("domineering", "#.", 4, 3),
        ("amazons", "#xo.", 2, 3),
        ("clobber", ".xo", 2, 3),
        ("nogo", "#xo.", 2, 3),
    ] {
        let letters: Vec<char> = letters.chars().collect();
        let all = AllBoards(&letters, rows, cols);
        with_game!(gb_games::open(name, "8x8").unwrap(), game => all.visit(game));
    }
}

#[test]
fn values_of_positions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/games");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("_reduced")) {
            // Reduced canonical forms, which differ from these values by infinitesimals.
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        if !lines.next().unwrap().starts_with("game\tposition\tvalue\t") {
            continue;
        }
        for line in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let name = GameName::read(fields[0]).unwrap();
            if !gb_games::NAMES.contains(&name.base.as_str()) {
                continue;
            }
            let check = Check { position: fields[1], value: fields[2] };
            with_game!(gb_games::open(fields[0], fields[1]).unwrap(), game => check.visit(game));
            count += 1;
        }
    }
    assert!(count > 700, "only {count} facts were found");
}

/// Which boards a player can move to and then win as second player, as texts separated by `;`.
struct WinningMoves<'a> {
    position: &'a str,
    expected: [&'a str; 2],
}

impl WinningMoves<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let mut plain = Plain::new(&*rules, &kernel, true);
        let board = rules.read(self.position).unwrap();
        let zero = kernel.integer(0);
        for (who, expected) in Player::BOTH.into_iter().zip(self.expected) {
            let mut wins = BTreeSet::new();
            let _ = rules.moves(&board, who, &mut |mv| {
                let (after, _) = rules.play(&board, who, mv);
                let value = plain.value(&after).unwrap();
                let wins_second = match who {
                    Player::Left => kernel.le(zero, value),
                    Player::Right => kernel.le(value, zero),
                };
                if wins_second.unwrap() {
                    wins.insert(rules.show(&after));
                }
                ControlFlow::Continue(())
            });
            let expected: BTreeSet<String> =
                expected.split(';').filter(|text| *text != "-").map(str::to_string).collect();
            assert_eq!(wins, expected, "{} {} {who}", rules.info().name, self.position);
        }
    }
}

#[test]
fn winning_moves() {
    let mut count = 0;
    for fields in facts("games/winning_moves.tsv") {
        let check = WinningMoves { position: &fields[1], expected: [&fields[5], &fields[6]] };
        with_game!(gb_games::open(&fields[0], &fields[1]).unwrap(), game => check.visit(game));
        count += 1;
    }
    assert!(count > 70);
}

/// The value of the starting positions of these sizes.
struct Start<'a>(&'a [&'a str], &'a [&'a str]);

impl Start<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let mut plain = Plain::new(&*rules, &kernel, true);
        for (size, expected) in self.0.iter().zip(self.1) {
            let board = rules.start(Size::read(size).unwrap()).unwrap();
            let value = plain.value(&board).unwrap();
            assert_eq!(value, read_value(expected, &kernel), "{} {size}", rules.info().name);
        }
    }
}

/// Published values (see testdata/facts/outcomes/published.tsv; Berlekamp, Conway and Guy; Conway).
#[test]
fn values_of_starting_positions() {
    let check = |name: &str, sizes: &[&str], values: &[&str]| {
        with_game!(gb_games::open(name, sizes[0]).unwrap(), game => Start(sizes, values).visit(game));
    };
    check("cram", &["3x3", "3x4", "3x5", "4x4"], &["0", "*", "*", "0"]);
    check(
        "impartial(nogo)",
        &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
        &["0", "*", "0", "*", "*2", "0", "*", "0", "*", "*2", "*3", "*"],
    );
    // The published table has * for 3x3; brute force over whole boards says 0.
    check("impartial(nogo)", &["2x2", "2x3", "2x4", "3x3"], &["*", "*", "0", "0"]);
    check("clobber", &["3x3", "3x4"], &["*", "0"]);
    check("negative(domineering)", &["2x2", "3x2", "2x5"], &["{1|-1}", "{2|-1/2}", "-1/2"]);
    check("maundy-cake", &["1x2", "1x4", "1x9", "1x12", "12x1"], &["1", "3", "4", "10", "-10"]);
    check("toppling-dominoes", &["1", "2"], &["1", "*"]);
    check("elephants-and-rhinos", &["3", "6"], &["*", "0"]);
    check("blockbusting", &["1", "2"], &["*", "0"]);
    check("subtraction(1,2)", &["1", "2", "3", "4"], &["*", "*2", "0", "*"]);
}
