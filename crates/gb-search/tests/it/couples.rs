//! Nimbers by couples against the mex rule, and against the sequences that heap games know.

use gb_board::Random;
use gb_rules::conformance::boards_below;
use gb_rules::{Game, Key, with_game};
use gb_search::question::{Nimber, is_zero, nimber_of};
use gb_search::{SearchContext, Table, search};
use gb_value::{Budget, Halt, Store};

/// Boards that play from some start comes to, asked in a random order, from tables that fill on the way and from empty ones.
fn agree<const N: usize>(game: Game<N>, start: &str, most: usize) -> usize {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let alone = SearchContext::new(&store, &budget);
    let three = SearchContext::new(&store, &budget).with_threads(3);
    let (plain, nimbers, excluded) = (Table::new(), Table::new(), Table::new());
    let name = format!("{} {start}", game.info().name);
    let mut boards: Vec<Key<N>> = boards_below(&*game, &[game.read(start).unwrap()], 4_000);
    let mut random = Random::new(23, 1);
    let count = boards.len().min(most);
    for i in 0..count {
        let chosen = i + random.index((boards.len() - i) as u32) as usize;
        boards.swap(i, chosen);
        let (at, text) = (boards[i], game.show(&boards[i]));
        let by_mex = search(&*game, &Nimber, &plain, &at, &alone).unwrap();
        assert_eq!(is_zero(&*game, &nimbers, &excluded, &at, &alone), Ok(by_mex == 0), "{name}: {text}");
        assert_eq!(nimber_of(&*game, &nimbers, &excluded, &at, &alone), Ok(by_mex), "{name}: {text}");
        let (nimbers, excluded) = (Table::new(), Table::new());
        assert_eq!(nimber_of(&*game, &nimbers, &excluded, &at, &three), Ok(by_mex), "{name}: {text}");
        let (nimbers, excluded) = (Table::new(), Table::new());
        assert_eq!(is_zero(&*game, &nimbers, &excluded, &at, &three), Ok(by_mex == 0), "{name}: {text}");
    }
    count
}

#[test]
fn couples_and_the_mex_rule_agree() {
    let games = [
        ("cram", "...#|....|.#..|...."),
        ("cram", "....|....|....|...."),
        ("impartial(domineering)", "....|.#..|....|..#."),
        ("impartial(clobber)", "xoxo|oxox|xoxo"),
        ("impartial(clobber)", "xox.|.xoo|oxxo"),
        ("impartial(nogo)", "...|...|..."),
        ("impartial(snort)", "...|...|..."),
        ("impartial(col)", "5;0-1,1-2,2-3,3-4,4-0,0-2"),
        ("impartial(konane)", "xoxo|oxox|xo.o|oxox"),
        ("impartial(amazons)", "x..|...|..o"),
        ("impartial(hackenbush)", "0-1B,1-2R,2-3G,1-3R,0-4G,4-5B"),
        ("impartial(toads-and-frogs)", "ttt..fff"),
        ("impartial(cutcake)", "4x5,3x3"),
        ("maundy-cake", "12x10,6x4"),
        ("peg-duotaire", "..xxx|.xx..|xx.x."),
        ("impartial(toppling-dominoes)", "xoxxoxo"),
        ("impartial(blockbusting)", "........"),
    ];
    let mut asked = 0;
    for (name, start) in games {
        asked += with_game!(gb_games::open(name, start).unwrap(), game => agree(game, start, 300));
    }
    assert!(asked > 2_500, "{asked}");
}

#[test]
fn couples_halt_where_play_repeats_and_where_the_budget_ends() {
    let any = gb_games::open("impartial(fox-and-geese)", "x.x.|....|.o..|....").unwrap();
    with_game!(any, game => {
        let at = game.read("x.x.|....|.o..|....").unwrap();
        let (store, budget) = (Store::new(), Budget::unlimited());
        let (nimbers, excluded) = (Table::new(), Table::new());
        let found = nimber_of(&*game, &nimbers, &excluded, &at, &SearchContext::new(&store, &budget));
        assert_eq!(found, Err(Halt::Repetition));
    });
    let any = gb_games::open("cram", "5x6").unwrap();
    with_game!(any, game => {
        let at = game.start(gb_board::Size::read("5x6").unwrap()).unwrap();
        let (nimbers, excluded) = (Table::new(), Table::new());
        for (nodes, expected) in [(50, Err(Halt::Nodes)), (2_000, Err(Halt::Nodes)), (u64::MAX, Ok(2))] {
            let (store, budget) = (Store::new(), Budget::unlimited().with_nodes(nodes));
            let found = nimber_of(&*game, &nimbers, &excluded, &at, &SearchContext::new(&store, &budget));
            assert_eq!(found, expected, "what was found before the end of a budget stays right");
        }
    });
}

/// The time is up while the options of a single heap are looked at: sixty thousand of them, each with as many of its own.
#[test]
fn a_large_heap_is_left_when_time_is_up() {
    with_game!(gb_games::open("impartial(kayles)", "65535").unwrap(), game => {
        let (store, budget) = (Store::new(), Budget::unlimited().with_time(std::time::Duration::from_millis(5)));
        let context = SearchContext::new(&store, &budget);
        let at = game.read("65535").unwrap();
        let found = is_zero(&*game, &Table::new(), &Table::new(), &at, &context);
        assert_eq!(found, Err(Halt::Time));
    });
}

/// A search that has too little memory for all nimbers forgets some of them, and finds the same.
#[test]
fn little_memory_is_enough_for_nimbers() {
    // Other tests, which run at the same time, hold memory of their own.
    let _entered = gb_memory::Account::open().enter();
    for (name, text, expected) in
        [("cram", "5x5", 0), ("cram", "4x6", 0), ("cram", "....#|.....|.....|#....|.....", 2)]
    {
        with_game!(gb_games::open(name, text).unwrap(), game => {
            let at = match gb_board::Size::read(text) {
                Ok(size) => game.start(size).unwrap(),
                Err(_) => game.read(text).unwrap(),
            };
            for threads in [1, 2] {
                for bytes in [1 << 19, 1 << 30] {
                    let (store, nimbers, excluded) = (Store::new(), Table::new(), Table::new());
                    let budget = Budget::unlimited().with_bytes(bytes);
                    let context = SearchContext::new(&store, &budget).with_threads(threads);
                    let found = nimber_of(&*game, &nimbers, &excluded, &at, &context);
                    assert_eq!(found, Ok(expected), "{name} {text} {threads} {bytes}");
                }
            }
        });
    }
}
