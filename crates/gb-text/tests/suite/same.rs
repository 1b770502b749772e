//! Games of the list written again as text: the files in Rust are the judges.

use gb_board::Random;
use gb_rules::{AnyGame, DynGame, Player, Variant, with_game};
use gb_value::{Budget, Store};

use crate::plain::{Plain, options};
use crate::{game, long};

/// Games on grids and strips that have a file.
const GRIDS: &[&str] = &[
    "amazons",
    "blockbusting",
    "clobber",
    "col",
    "domineering",
    "elephants-and-rhinos",
    "nogo",
    "regio",
    "snort",
    "toads-and-frogs",
];

const STRIPS: &[&str] = &["blockbusting", "elephants-and-rhinos", "toads-and-frogs"];

/// Does something with two games of any width.
macro_rules! with_two {
    ($a:expr, $b:expr, $x:ident, $y:ident => $work:expr) => {
        with_game!($a, $x => with_game!($b, $y => $work))
    };
}

fn letters(name: &str) -> Vec<char> {
    let alphabet = gb_games::info(name).unwrap().alphabet;
    alphabet.iter().filter(|(_, meaning)| !meaning.starts_with('(')).map(|&(letter, _)| letter).collect()
}

/// The board with a number.
fn board(letters: &[char], rows: usize, cols: usize, mut number: u64) -> String {
    let mut text = String::new();
    for cell in 0..rows * cols {
        if cell > 0 && cell % cols == 0 {
            text.push('|');
        }
        text.push(letters[(number % letters.len() as u64) as usize]);
        number /= letters.len() as u64;
    }
    text
}

/// All boards of a size have the same options and values in both games.
fn compare_all(name: &str, text: &AnyGame, list: &AnyGame, boards: &[String]) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    with_two!(text, list, text, list => {
        let (mut by_text, mut by_list) = (Plain::new(&**text, &kernel), Plain::new(&**list, &kernel));
        for board in boards {
            let Ok(there) = list.read(board) else { continue };
            let here = text.read(board).unwrap_or_else(|e| panic!("{name} {board}: {e}"));
            same_options(name, board, &**text, &here, &**list, &there);
            let (value, expected) = (by_text.value(&here).unwrap(), by_list.value(&there).unwrap());
            assert_eq!(value, expected, "{name} `{board}` has another value");
        }
    });
}

fn same_options<const N: usize, const M: usize>(
    name: &str,
    board: &str,
    text: &dyn DynGame<N>,
    here: &gb_rules::Key<N>,
    list: &dyn DynGame<M>,
    there: &gb_rules::Key<M>,
) {
    for who in Player::BOTH {
        let (found, expected) = (options(text, here, who), options(list, there, who));
        assert_eq!(found, expected, "{name} `{board}`: the options of {who}");
    }
}

#[test]
fn all_small_boards_have_the_same_options_and_values() {
    let most: u64 = if long() { 600_000 } else { 10_000 };
    let mut random = Random::new(8, 0);
    for name in GRIDS {
        let (text, letters) = (game(name, &[]), letters(name));
        let mut compared = 0;
        for rows in 1..=4 {
            for cols in 1..=12 / rows {
                let cells = (rows * cols) as u32;
                let count = |letters: &[char]| (letters.len() as u64).saturating_pow(cells);
                // Where four letters are too many, boards without holes are gone through, and some with holes.
                let (whole, some) = match letters[0] {
                    '#' if count(&letters) > most => (&letters[1..], most / 10),
                    _ => (&letters[..], 0),
                };
                if count(whole) > most || (rows > 1 && STRIPS.contains(name) && cells > 6) {
                    continue;
                }
                let boards = (0..count(whole)).map(|number| board(whole, rows, cols, number));
                let holes = (0..some).map(|_| board(&letters, rows, cols, random.next()));
                let boards: Vec<String> = boards.chain(holes).collect();
                let size = format!("{rows}x{cols}");
                let list = gb_games::open(name, &size).unwrap();
                compare_all(name, &text.open(Variant::Plain, &size), &list, &boards);
                compared += boards.len();
            }
        }
        println!("{name}: {compared} boards");
        assert!(compared > 1_000, "{name}: {compared}");
    }
}

#[test]
fn large_random_boards_have_the_same_options() {
    let sizes =
        [(1, 16), (3, 5), (4, 4), (5, 5), (3, 9), (8, 8), (2, 12), (9, 9), (10, 11), (1, 40), (1, 100)];
    let count = if long() { 2_000 } else { 150 };
    let mut random = Random::new(7, 0);
    for name in GRIDS {
        let (text, letters) = (game(name, &[]), letters(name));
        for (rows, cols) in sizes {
            if rows > 1 && STRIPS.contains(name) {
                continue;
            }
            // Amazons have thousands of moves.
            let count = if *name == "amazons" && rows * cols > 30 { 3 } else { count };
            let size = format!("{rows}x{cols}");
            let (text, list) = (text.open(Variant::Plain, &size), gb_games::open(name, &size).unwrap());
            for _ in 0..count {
                let cells: Vec<String> = (0..rows)
                    .map(|_| (0..cols).map(|_| letters[random.below(letters.len())]).collect())
                    .collect();
                let board = cells.join("|");
                with_two!(&text, &list, text, list => {
                    let Ok(there) = list.read(&board) else { continue };
                    let here = text.read(&board).unwrap();
                    same_options(name, &board, &**text, &here, &**list, &there);
                });
            }
        }
    }
}

/// Games of heaps, with parameters and positions.
const HEAPS: &[(&str, &[&str], &[&str])] = &[
    ("nim", &[], &["0", "7", "3,5", "2,3,4", "12"]),
    ("kayles", &[], &["9", "5,3", "12", "4,4,1"]),
    ("dawsons-kayles", &[], &["9", "5,3", "12,2"]),
    ("octal", &["0.137"], &["8", "5,3", "13"]),
    ("octal", &["4.7"], &["6", "3,2"]),
    ("octal", &["0.6"], &["12", "7,3"]),
    ("subtraction", &["1", "3", "4"], &["14,9", "11"]),
    ("subtraction", &["2", "5"], &["14,9", "3,1"]),
    ("cutcake", &[], &["3x3", "2x3,1x4", "2x6", "1x1", "1x12", "3x4"]),
    ("maundy-cake", &[], &["4x4", "2x3,1x4", "3x4", "1x12", "2x6"]),
];

#[test]
fn pictures_have_the_same_options_and_values() {
    let (text, list) =
        (game("hackenbush", &[]).open(Variant::Plain, "1"), gb_games::game("hackenbush").unwrap());
    let pictures = [
        "0-1B,0-2B,1-2R,2-3G,1-3R",
        "0-1R,3-2G,2-4B,2-3R,3-1R,1-3G",
        "0-1G,1-2B,1-3R,3-3G",
        "0-1B,1-2R,2-3B,0-4G,4-5R,4-6B",
        "0-1B,0-1R,0-0G,1-2G,1-2B",
    ];
    for start in pictures {
        let mut boards = vec![start.to_string()];
        let mut next = 0;
        while next < boards.len() {
            let here = list.read(&boards[next]).unwrap();
            for after in Player::BOTH.into_iter().flat_map(|who| here.options(who)) {
                if !boards.contains(&after) {
                    boards.push(after);
                }
            }
            next += 1;
        }
        compare_all("hackenbush", &text, &list, &boards);
    }
}

#[test]
fn heaps_have_the_same_options_and_values() {
    for (name, parameters, positions) in HEAPS {
        let full = if parameters.is_empty() {
            name.to_string()
        } else {
            format!("{name}({})", parameters.join(","))
        };
        let (text, list) = (game(name, parameters), gb_games::game(&full).unwrap());
        let text = text.open(Variant::Plain, "1");
        // All that can be reached, not only these.
        let mut boards: Vec<String> = positions.iter().map(|p| p.to_string()).collect();
        let mut next = 0;
        while next < boards.len() && boards.len() < 1_000 {
            let here = list.read(&boards[next]).unwrap();
            for after in Player::BOTH.into_iter().flat_map(|who| here.options(who)) {
                if !boards.contains(&after) {
                    boards.push(after);
                }
            }
            next += 1;
        }
        compare_all(name, &text, &list, &boards);
    }
}
