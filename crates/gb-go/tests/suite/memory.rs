//! Results that outlive a question.

use std::path::Path;

use gb_board::Xorshift;
use gb_go::{
    Analysis, Board, Effort, Game, KoRule, Memory, MemoryError, Safety, Scoring, Settings, analyse, sgf,
};
use gb_value::text::Style;
use gb_value::{Budget, Player, Store};

use crate::judge::walled;

/// An analysis in a store of its own, and the nodes that its areas took.
fn analysed(board: &Board, scoring: Scoring, memory: Option<&Memory>) -> (Vec<String>, u64) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let game = Game::new(board.clone(), Player::Left, KoRule::Simple);
    let settings = Settings { scoring, memory: memory.cloned(), ..Settings::default() };
    let analysis: Analysis = analyse(&kernel, &game, &settings);
    let nodes = analysis.nodes();
    // Values of different stores are compared by what is printed.
    let text = |value| kernel.show(value, &Style::default()).unwrap().text;
    let mut said = vec![format!("{:?} {:?}", analysis.score, analysis.bounds)];
    for area in &analysis.areas {
        said.push(match &area.facts {
            Ok(facts) => {
                let moves = facts.moves.iter().flatten();
                let moves: Vec<String> = moves.map(|mv| format!("{} {}", mv.point, text(mv.to))).collect();
                format!("{} {:?} {moves:?}", text(facts.value), facts.unrated)
            }
            Err(failure) => gb_go::failure_text(&kernel, failure),
        });
    }
    (said, nodes)
}

/// Boards are answered as without memory, and the second time with fewer nodes.
#[test]
fn what_was_found_is_found_again_without_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let mut random = Xorshift(0x5EED_0041);
    let boards: Vec<Board> = (0..12)
        .map(|_| {
            let points = 4 + random.below(4);
            walled(&mut random, points)
        })
        .filter(|board| board.without_liberty().is_none())
        .collect();
    for scoring in Scoring::ALL {
        let plain: Vec<(Vec<String>, u64)> = boards.iter().map(|b| analysed(b, scoring, None)).collect();
        let memory = Memory::open(&path).unwrap();
        for (board, (said, _)) in boards.iter().zip(&plain) {
            assert_eq!(&analysed(board, scoring, Some(&memory)).0, said, "{scoring:?}\n{board}");
        }
        memory.save(&path).unwrap();
        let memory = Memory::open(&path).unwrap();
        assert!(memory.len() > 10);
        let (mut before, mut after) = (0, 0);
        for (board, (said, nodes)) in boards.iter().zip(&plain) {
            let (again, fewer) = analysed(board, scoring, Some(&memory));
            assert_eq!(&again, said, "{scoring:?}\n{board}");
            before += nodes;
            after += fewer;
        }
        assert!(4 * after < before, "{scoring:?}: {after} nodes instead of {before}");
    }
}

/// The proofs of a finished game are not searched again, whichever way the board is turned and whoever is who.
#[test]
fn territories_are_kept_without_another_search() {
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/games/go/09-015-level10.sgf"),
    )
    .unwrap();
    let board = sgf::read(&text, KoRule::Simple, None).unwrap().board;
    let mut turned = Board::new(9);
    for point in board.points() {
        let (x, y) = board.place(point);
        turned.set(turned.point(8 - y, x), board.at(point).map(Player::opponent));
    }
    let memory = Memory::default();
    let effort = Effort { search_nodes: 6_000, ..Effort::default() };
    let budget = Budget::unlimited();
    let plain = Safety::remembering(&board, &effort, &budget, Some(&memory));
    let first = budget.nodes();
    assert!(!memory.is_empty());
    for (board, back) in [(&board, false), (&turned, true)] {
        let budget = Budget::unlimited();
        let safety = Safety::remembering(board, &effort, &budget, Some(&memory));
        assert!(budget.nodes() < first, "{} nodes after {first}", budget.nodes());
        for point in board.points() {
            let (x, y) = board.place(point);
            let (there, sign) = if back { (board.point(y, 8 - x), true) } else { (point, false) };
            let owner = plain.owner(there).map(|owner| if sign { owner.opponent() } else { owner });
            assert!(owner.is_none() || safety.owner(point) == owner, "{}", board.name(point));
        }
    }
}

#[test]
fn damaged_files_are_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let memory = Memory::open(&path).unwrap();
    let board = Board::read("OOOOOOO|O.OOO.O|OOOOOOO|XXX.XXX|X.X.XXX|XXX.X.X|XXXXXXX").unwrap();
    analysed(&board, Scoring::Territory, Some(&memory));
    memory.save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert!(Memory::open(&path).unwrap().len() >= 3);
    for place in 0..bytes.len() {
        for bit in [0, 3, 6] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            std::fs::write(&path, &damaged).unwrap();
            let error = Memory::open(&path).expect_err("a flipped bit");
            let sentence = error.to_string();
            match error {
                MemoryError::Foreign { .. } => {
                    assert!(sentence.contains("expected `gamebench go results 1`"))
                }
                MemoryError::Damaged { .. } => assert!(sentence.contains("is damaged"), "{sentence}"),
                MemoryError::Unreadable { .. } => panic!("{sentence}"),
            }
        }
    }
    for length in 0..bytes.len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        assert!(Memory::open(&path).is_err(), "{length} bytes");
    }
    // Lines that do not fit, under a right checksum.
    for line in ["o 7|", "p 1/2 0", "a territory 0004 0 5", "a nothing 0004 0 0", "k 1.g", "x", ""] {
        let text = format!("gamebench go results 1\np 0 0 0\n{line}\n");
        std::fs::write(&path, format!("{text}checksum {}\n", blake3::hash(text.as_bytes()))).unwrap();
        let sentence = Memory::open(&path).expect_err("a wrong line").to_string();
        assert!(sentence.ends_with("is damaged: line 3 cannot be understood"), "{line}: {sentence}");
    }
    std::fs::write(&path, "gamebench go results 2\n").unwrap();
    assert!(
        Memory::open(&path).unwrap_err().to_string().contains("the first line is `gamebench go results 2`")
    );
    assert!(matches!(Memory::open(folder.path()), Err(MemoryError::Unreadable { .. })));
}
