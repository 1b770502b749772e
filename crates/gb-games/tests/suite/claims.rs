//! What the games of the list and their variants claim, on all small boards.

use gb_rules::conformance::{ClaimError, boards_below, boards_of_letters, check_claims};
use gb_rules::{Game, with_game};
use gb_value::{Budget, Store};

/// Boards of as many letters as keep their number below this.
const MOST_BOARDS: usize = 20_000;
/// Boards that can be reached from positions that are no grids of letters.
const MOST_REACHED: usize = 1_500;

/// Positions of games whose texts are no grids of letters, or whose small grids show too little.
const OTHERS: &[(&str, &[&str])] = &[
    ("chess", &[]),
    ("col", &["6;0-1,1-2,2-3,3-4,4-0,4-5", "5;0-1,0-2,0-3,0-4"]),
    ("cutcake", &["3x3", "2x3,1x3", "2x4"]),
    ("dawsons-kayles", &["9", "5,3"]),
    ("fox-and-geese", &[]),
    (
        "hackenbush",
        &["BRGBR,GGRB", "0-1B,0-2B,1-2R,2-3G,1-3R", "0-1R,3-2G,2-4B,2-3R,3-1R,1-3G", "0-1G,1-2B,1-3R,3-3G"],
    ),
    ("kayles", &["8", "5,3"]),
    ("maundy-cake", &["4x4", "2x3,1x4", "3x6"]),
    ("nim", &["2,3,4"]),
    ("octal(0.137)", &["8", "5,3"]),
    ("octal(4.7)", &["6", "3,2"]),
    ("pawns", &["2/p1/1p/2/P1/1P/2", "2/p1/Pp/2/2/2 a3", "3/p1p/3/P1P/3"]),
    ("regio", &["5;0-1,1-2,2-3,3-4,4-0", "6;0-1,0-2,0-3,3-4,3-5"]),
    ("snort", &["6;0-1,1-2,2-3,3-4,4-0,4-5", "5;0-1,0-2,0-3,0-4"]),
    ("subtraction(1,3,4)", &["14,9"]),
];

#[derive(Clone, Copy)]
enum Boards<'a> {
    Letters(usize, usize),
    Below(&'a str),
}

struct Claims<'a>(Boards<'a>);

impl Claims<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) -> Result<usize, ClaimError> {
        let boards = match self.0 {
            Boards::Letters(rows, cols) => boards_of_letters(&*rules, rows, cols),
            Boards::Below(text) => boards_below(&*rules, &[rules.read(text).unwrap()], MOST_REACHED),
        };
        let (store, budget) = (Store::new(), Budget::unlimited());
        check_claims(&*rules, &boards, &store.kernel(&budget))
    }
}

/// Checks the game and its variants, of which each is a game of its own.
fn visit(name: &str, text: &str, boards: Boards<'_>) -> usize {
    let names = [name.to_owned(), format!("impartial({name})"), format!("negative({name})")];
    let check = |name: &String| {
        let game = gb_games::open(name, text).unwrap();
        with_game!(game, game => Claims(boards).visit(game)).unwrap_or_else(|error| panic!("{error}"))
    };
    names.iter().map(check).sum()
}

#[test]
fn what_games_and_their_variants_claim_is_true_on_all_small_boards() {
    for name in gb_games::NAMES {
        let others = OTHERS.iter().filter(|(game, _)| game.split('(').next() == Some(name));
        let mut checked = 0;
        for (game, texts) in others.clone() {
            checked += texts.iter().map(|text| visit(game, text, Boards::Below(text))).sum::<usize>();
        }
        let alphabet = gb_games::info(name).unwrap().alphabet;
        let letters = alphabet.iter().filter(|(_, meaning)| !meaning.starts_with('(')).count();
        for (rows, cols) in [(1, 5), (1, 7), (1, 9), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4), (4, 3)] {
            if letters > 0
                && letters.checked_pow((rows * cols) as u32).is_some_and(|count| count <= MOST_BOARDS)
            {
                checked += visit(name, &format!("{rows}x{cols}"), Boards::Letters(rows, cols));
            }
        }
        if checked == 0 && others.count() == 0 {
            let example = gb_games::info(name).unwrap().example;
            visit(name, example, Boards::Below(example));
        }
    }
}
