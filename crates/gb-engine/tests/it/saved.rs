//! Searches that are put aside and gone on with by somebody else.

use std::io::Cursor;

use gb_board::Random;
use gb_engine::{Engine, EngineError, LongSearch};
use gb_search::SavedError;
use gb_value::{Budget, Halt};

/// The outcome by as many engines as it takes, each of which searches a little, writes down what it has found and is gone; and how many there were.
fn by_relay(game: &str, position: &str, threads: usize, nodes: u64) -> (String, usize) {
    let mut saved: Option<Vec<u8>> = None;
    for runs in 1.. {
        let engine = Engine::new(threads);
        // More each time: what is not finished within a run is begun again in the next.
        let budget = Budget::unlimited().with_nodes(nodes * runs as u64);
        let mut search = engine.long_search(game, position, &budget).unwrap();
        if let Some(saved) = &saved {
            search.load(&mut Cursor::new(saved), &budget).unwrap();
        }
        match search.go_on(None, &budget).outcome() {
            Ok(outcome) => return (outcome.to_string(), runs),
            Err(stop) => assert_eq!(stop, Halt::Nodes, "{game} {position}"),
        }
        assert!(runs < 100, "{game} {position} does not come to an end");
        let mut bytes = vec![];
        search.save(&mut bytes).unwrap();
        saved = Some(bytes);
    }
    unreachable!("the numbers do not end")
}

fn at_once(game: &str, position: &str) -> String {
    let answer = Engine::new(1).winners(game, position, &Budget::unlimited()).unwrap();
    answer.winners.unwrap().outcome().unwrap().to_string()
}

#[test]
fn a_relay_of_engines_finds_what_one_finds() {
    let mut longest = 0;
    for (game, position) in [
        ("clobber", "4x5"),
        ("domineering", "6x7"),
        ("nogo", "3x4"),
        ("amazons", "x...|....|...o"),
        ("snort", "4x4"),
        ("elephants-and-rhinos", "1x12"),
        ("cram", "4x5"),
    ] {
        for threads in [1, 2] {
            let (outcome, runs) = by_relay(game, position, threads, 500);
            assert_eq!(outcome, at_once(game, position), "{game} {position}");
            longest = longest.max(runs);
        }
    }
    assert!(longest > 3, "nothing was put aside: {longest}");
}

#[test]
fn random_boards_in_small_pieces() {
    let mut random = Random::new(7, 0);
    let mut relays = 0;
    for _ in 0..60 {
        let (rows, cols) = (2 + random.below(3), 4 + random.below(3));
        let row = |random: &mut Random| {
            (0..cols).map(|_| ['x', 'o', 'x', 'o', '.'][random.below(5)]).collect::<String>()
        };
        let position = (0..rows).map(|_| row(&mut random)).collect::<Vec<_>>().join("|");
        let (outcome, runs) = by_relay("clobber", &position, 1, 150);
        assert_eq!(outcome, at_once("clobber", &position), "{position}");
        relays += usize::from(runs > 1);
    }
    assert!(relays > 5, "{relays}");
}

fn saved_by(search: &LongSearch<'_>) -> Vec<u8> {
    let mut bytes = vec![];
    search.save(&mut bytes).unwrap();
    bytes
}

#[test]
fn what_does_not_fit_is_refused() {
    let (engine, budget) = (Engine::new(1), Budget::unlimited());
    let mut search = engine.long_search("clobber", "4x4", &budget).unwrap();
    search.go_on(None, &budget);
    let bytes = saved_by(&search);
    let load = |game: &str, bytes: &[u8]| {
        let engine = Engine::new(1);
        let mut search = engine.long_search(game, "4x4", &budget).unwrap();
        let loaded = search.load(&mut Cursor::new(bytes), &budget);
        // Nothing of what was refused is there.
        assert!(loaded.is_ok() || saved_by(&search).len() < 200);
        loaded
    };
    assert!(load("clobber", &bytes).unwrap() > 100);
    assert!(matches!(load("domineering", &bytes), Err(SavedError::Other { .. })));
    assert!(matches!(load("clobber", b""), Err(SavedError::NotSaved)));
    assert!(matches!(
        load("clobber", b"(;GM[1]SZ[9]) and more, so that it is not too short for a file"),
        Err(SavedError::NotSaved)
    ));
    let mut random = Random::new(3, 0);
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        match random.below(3) {
            0 => {
                let at = random.below(damaged.len());
                damaged[at] ^= 1 << random.below(8);
            }
            1 => damaged.truncate(random.below(bytes.len())),
            _ => damaged.push(random.below(256) as u8),
        }
        assert!(matches!(load("clobber", &damaged), Err(SavedError::Damaged | SavedError::NotSaved)));
    }
}

#[test]
fn searches_that_cannot_be_saved_say_why() {
    let (engine, budget) = (Engine::new(1), Budget::unlimited());
    for (game, position) in
        [("regio", "3x3"), ("fox-and-geese", "8x8"), ("hackenbush", "BRG"), ("clobber", "xo + nim 3")]
    {
        let refused = engine.long_search(game, position, &budget).err().expect(game);
        assert!(matches!(refused, EngineError::CannotBeSaved(_)), "{game}: {refused}");
    }
}
