//! Every value in a table is the value of plain search, found by every way there is.

use gb_board::{BitGrid, Codes};
use gb_db::{Fact, Library, Scope, Settings, Table, TabulatedGame, size_stats, stats};
use gb_games::games::{clobber::Clobber, domineering::Domineering, regio::Regio};
use gb_rules::{AnyGame, Game, Variant, direct};
use gb_search::question::{thermograph, thermograph_with};
use gb_search::{Archives, GameTables, SearchContext};
use gb_value::{Budget, Store};

use crate::{build, build_with, game, library};

/// All boards of small rectangles.
#[test]
fn every_board_has_the_value_of_plain_search() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rows, cols) in [
        ("clobber", 3, 3),
        ("clobber", 1, 6),
        ("clobber", 2, 4),
        ("domineering", 3, 4),
        ("domineering", 4, 3),
        ("cram", 3, 3),
        ("col", 1, 4),
        ("snort", 2, 2),
        ("konane", 2, 4),
        ("amazons", 2, 3),
        ("nogo", 1, 4),
    ] {
        let table = Table::open(&build(name, Scope::Boards(rows, cols), folder.path())).unwrap();
        let (store, budget, game) = (Store::new(), Budget::unlimited(), game(name));
        let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
        assert_eq!(table.boards(), (game.letters() as u64).pow((rows * cols) as u32));
        for place in 0..table.boards() {
            let board = table.board(place).unwrap();
            let expected = game.search(&board, &context).unwrap();
            let fact = table.fact_at(place, &kernel).unwrap();
            assert_eq!(fact, Fact::Exact(expected), "{name} {}", game.show(&board));
        }
        assert!(table.bytes() < 4 * table.boards() + 200_000, "{name}: {} bytes", table.bytes());
        // Many at once, with a fresh memory and with a full one, in another order.
        let again = Table::open(table.path()).unwrap();
        let places: Vec<u64> = (0..table.boards()).map(|i| (i * 7919 + 13) % table.boards()).collect();
        for _ in 0..2 {
            let mut found = vec![];
            again.values_at(&places, &kernel, &mut found).unwrap();
            for (&place, found) in places.iter().zip(found) {
                assert_eq!(found, table.value_at(place, &kernel).unwrap(), "{name} {place}");
            }
        }
    }
}

/// All parts of any shape.
#[test]
fn every_part_has_the_value_of_plain_search() {
    let folder = tempfile::tempdir().unwrap();
    // Free polyominoes, and those with two colours.
    for (name, cells, parts) in [("domineering", 7, 1 + 1 + 2 + 5 + 12 + 35 + 108), ("clobber", 4, 0)] {
        let table = Table::open(&build(name, Scope::Parts(cells), folder.path())).unwrap();
        assert!(parts == 0 || table.boards() == parts);
        let (store, budget, game) = (Store::new(), Budget::unlimited(), game(name));
        let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
        for place in 0..table.boards() {
            let board = table.board(place).unwrap();
            let expected = game.search(&board, &context).unwrap();
            assert_eq!(
                table.fact_at(place, &kernel).unwrap(),
                Fact::Exact(expected),
                "{}",
                game.show(&board)
            );
            let (found, _) = table.place(&board, &game.traits()).unwrap().unwrap();
            assert_eq!(found, place);
        }
        assert_eq!(
            table.place(&Codes { rows: 1, cols: 9, cells: vec![1; 9] }, &game.traits()).unwrap(),
            None
        );
    }
}

fn compare<const N: usize>(library: &Library, rules: Game<N>, texts: &[&str]) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let context = SearchContext::new(&store, &budget);
    let archive = library.archive(&rules).expect("tables of this game");
    let archives = Archives { values: archive.clone(), thermographs: archive.clone() };
    let (with, without) = (GameTables::over(archives), GameTables::default());
    for text in texts {
        let at = rules.read(text).unwrap();
        let found = with.value(&*rules, &at, &context).unwrap();
        assert_eq!(found, without.value(&*rules, &at, &context).unwrap(), "{text}");
        let graph = thermograph_with(&*rules, &at, Some(&*archive), &context).unwrap();
        assert_eq!(graph, thermograph(&*rules, &at, &context).unwrap(), "{text}");
    }
    let met = |tables: &GameTables<N>| tables.values.len() + tables.nimbers.len();
    assert!(met(&with) < met(&without), "less is searched: {} and {}", met(&with), met(&without));
}

/// The engine finds parts in tables, in any orientation, and in larger rectangles.
#[test]
fn the_engine_gives_the_same_answers_with_tables() {
    let folder = tempfile::tempdir().unwrap();
    build("clobber", Scope::Boards(3, 4), folder.path());
    build("clobber", Scope::Boards(1, 6), folder.path());
    build("domineering", Scope::Parts(8), folder.path());
    build("cram", Scope::Boards(3, 4), folder.path());
    let (library, reports) = library(folder.path());
    compare(
        &library,
        direct::<3, _>(Clobber::<u64>::default()),
        &[
            "xoxo|oxox|xoxo",
            "x|o|x|x|o|o",
            "xo.|.ox|oxo",
            "xxo.oxo|oxo...x",
            "oxoxxoxx",
            "xo.ox|ox.xo",
            ".|.",
        ],
    );
    compare(
        &library,
        direct::<2, _>(Domineering::<u64>::default()),
        &["....|....", "...|...", "..#.|.##.|....", ".", "..#...|..#..."],
    );
    let AnyGame::W2(cram) = gb_games::open("cram", "4x4").unwrap() else { panic!("two words") };
    compare(&library, cram, &["...|...|...|...", "....|....|....", "..#..|....."]);
    assert!(reports.lock().unwrap().is_empty());
}

#[test]
fn what_is_too_much_is_known_by_outcome_thermograph_and_atomic_weight() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { max_values: 20, ..Settings::default() };
    for (name, rows, cols) in [("clobber", 2, 4), ("clobber", 3, 3), ("domineering", 3, 3)] {
        let path = build_with(name, Scope::Boards(rows, cols), folder.path(), &settings).unwrap().path;
        let table = Table::open(&path).unwrap();
        let (store, budget, game) = (Store::new(), Budget::unlimited(), game(name));
        let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
        let (mut partial, mut weights) = (0, std::collections::HashSet::new());
        for place in 0..table.boards() {
            let board = table.board(place).unwrap();
            let expected = Fact::Exact(game.search(&board, &context).unwrap());
            match table.fact_at(place, &kernel).unwrap() {
                Fact::Partial(found) => {
                    partial += 1;
                    let mut known = expected.partial(&kernel).unwrap();
                    match &found.small {
                        // The board is not all-small as it stands, whatever its value is.
                        None => known.small = None,
                        Some(small) => _ = weights.insert(small.atomic_weight),
                    }
                    assert_eq!(found, known, "{}", game.show(&board));
                    assert!(found.small.is_some() || name != "clobber", "Clobber is all-small");
                }
                exact => assert_eq!(exact, expected),
            }
        }
        assert!(partial > 0 && partial < table.boards() && table.exact() < table.facts());
        assert!(weights.len() > 5 || name != "clobber", "{weights:?}");
        let found = crate::verified(name, &table, 50, 1);
        assert!(found.wrong.is_empty() && found.partial > 0);
        assert_eq!(stats(&table, &game, &kernel, &|_| {}).unwrap().exact, table.boards() - partial);
    }
}

#[test]
fn statistics_agree_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let clobber = game("clobber");
    let table = Table::open(&build("clobber", Scope::Boards(3, 3), folder.path())).unwrap();
    let sizes = size_stats(&table, &clobber, &kernel).unwrap();
    let size = |rows, cols| sizes.iter().find(|s| s.size == (rows, cols)).unwrap();
    // Non-decomposable positions, and the share of multiples of up plus a nimber.
    assert_eq!((size(2, 2).whole, size(2, 3).whole, size(3, 3).whole), (38, 354, 10306));
    let per_mille = |part: u64, whole: u64| (part * 2000 / whole).div_ceil(2);
    assert_eq!(per_mille(size(3, 3).up_stars, size(3, 3).boards), 702);
    assert_eq!(per_mille(size(2, 3).up_stars, size(2, 3).boards), 863);
    assert_eq!(per_mille(size(3, 3).all_up_stars, size(3, 3).boards), 531);
    assert_eq!(per_mille(size(2, 3).all_up_stars, size(2, 3).boards), 827);
    let counted = stats(&table, &clobber, &kernel, &|_| {}).unwrap();
    assert_eq!((counted.boards, counted.exact), (19683, 19683));
    assert_eq!(counted.kinds.iter().map(|k| k.boards).sum::<u64>(), 19683);
    assert_eq!(counted.outcomes.iter().map(|k| k.boards).sum::<u64>(), 19683);
    assert_eq!(counted.small[0].boards, 19683, "Clobber is all-small");
    assert!(crate::verified("clobber", &table, 100, 7).wrong.is_empty());

    let domineering = game("domineering");
    let table = Table::open(&build("domineering", Scope::Parts(8), folder.path())).unwrap();
    let counted = stats(&table, &domineering, &kernel, &|_| {}).unwrap();
    let cells: Vec<u64> = counted.cells.iter().map(|c| c.boards).collect();
    assert_eq!(cells, [1, 1, 2, 5, 12, 35, 108, 369]);
}

#[test]
fn games_and_sizes_that_make_no_sense_get_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let error = |scope| {
        let result = build_with("clobber", scope, folder.path(), &Settings::default());
        result.unwrap_err().to_string()
    };
    assert_eq!(
        error(Scope::Boards(9, 9)),
        "9x9 has too many boards of clobber: at most 4294967296 can be tabulated"
    );
    assert_eq!(error(Scope::Parts(99)), "parts of 99 cells: expected a number from 1 to 21");
    let Err(no_grid) =
        TabulatedGame::new(AnyGame::direct(Variant::Plain, Regio::<BitGrid<u64, 2>>::default()))
    else {
        panic!("points are counted in Regio")
    };
    assert!(no_grid.to_string().starts_with("regio has no databases"), "{no_grid}");
}

#[test]
fn the_rectangles_up_to_a_size_hold_all_smaller_ones() {
    let names = |cells| Scope::boards_up_to(cells).iter().map(|s| s.file_name("g")).collect::<Vec<_>>();
    assert_eq!(names(16), ["g-1x16.gbtable", "g-2x8.gbtable", "g-3x5.gbtable", "g-4x4.gbtable"]);
    assert_eq!(names(12), ["g-1x12.gbtable", "g-2x6.gbtable", "g-3x4.gbtable"]);
    assert_eq!(names(1), ["g-1x1.gbtable"]);
    assert_eq!(names(4), ["g-1x4.gbtable", "g-2x2.gbtable"]);
}
