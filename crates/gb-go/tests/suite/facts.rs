//! The known results of facts/go.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gb_go::{Analysis, Effort, Game, Kind, KoRule, Pruning, Scoring, Settings, analyse, sgf};
use gb_value::{Budget, Dyadic, Kernel, Store};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/go")
}

pub fn load(name: &str) -> Game {
    let text = fs::read_to_string(folder().join(format!("{name}.sgf"))).expect("a fact file");
    sgf::read(&text, KoRule::Simple, None).expect("a good record")
}

/// The rows of the index, by column names.
pub fn rows() -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(folder().join("index.tsv")).expect("the index");
    let mut lines = text.lines().map(|line| line.split('\t').map(String::from).collect::<Vec<_>>());
    let head = lines.next().expect("a head line");
    lines.map(|row| head.iter().cloned().zip(row).collect()).collect()
}

fn settings(scoring: Scoring, pruning: Pruning) -> Settings {
    Settings { scoring, pruning, ..Settings::default() }
}

fn run(kernel: &Kernel<'_>, name: &str, scoring: Scoring, pruning: Pruning) -> Analysis {
    analyse(kernel, &load(name), &settings(scoring, pruning))
}

fn check_rows(pruning: Pruning) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let mut analyses: BTreeMap<(String, u8), Analysis> = BTreeMap::new();
    let modes = [
        (Scoring::Territory, "value_territory_dame_star"),
        (Scoring::TerritoryNeutralZero, "value_territory_dame_0"),
        (Scoring::Area, "value_area"),
    ];
    let mut checked = 0;
    for row in rows() {
        let file = row["file"].clone();
        for (index, (scoring, column)) in modes.into_iter().enumerate() {
            let analysis = analyses
                .entry((file.clone(), index as u8))
                .or_insert_with(|| run(&kernel, &file, scoring, pruning));
            let area = analysis.areas.iter().find(|area| area.letter == row["area"]).expect("the area");
            let game = load(&file);
            assert_eq!(game.board.names(&area.points), row["points_gtp"], "{file} {}", area.letter);
            let value = area.value(&kernel, scoring).unwrap().expect("a value");
            let want = kernel.read(&row[column]).unwrap();
            assert_eq!(value, want, "{file} {} {column}: {}", area.letter, row[column]);
            if index == 0 {
                let facts = area.facts.as_ref().unwrap();
                assert_eq!(facts.mean.to_string(), row["mean"]);
                assert_eq!(facts.temperature.to_string(), row["temperature"]);
                assert_eq!(facts.chilled, kernel.read(&row["chilled"]).unwrap());
                assert_eq!(
                    facts.stops.clone().map(|s| s.to_string()),
                    [row["LS"].clone(), row["RS"].clone()]
                );
            }
            checked += 1;
        }
    }
    assert!(checked >= 100, "{checked}");
}

#[test]
fn every_area_has_its_value() {
    check_rows(Pruning::ALL);
}

#[test]
fn every_area_has_its_value_without_pruning() {
    check_rows(Pruning::NONE);
}

#[test]
fn whole_boards() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    for (name, areas, points, left, right) in
        [("c9_equiv_9x9", 6, 20, "6", "5"), ("c11_equiv_19x19", 29, 89, "-5", "-7")]
    {
        for scoring in [Scoring::Territory, Scoring::TerritoryNeutralZero] {
            let analysis = run(&kernel, name, scoring, Pruning::ALL);
            assert_eq!(analysis.areas.len(), areas);
            assert_eq!(analysis.areas.iter().map(|a| a.points.len()).sum::<usize>(), points);
            let score = analysis.score.expect("all areas have values").map(|x| x.to_string());
            assert_eq!(score, [left, right], "{name}");
        }
    }
}

#[test]
fn partitions_do_not_depend_on_the_effort() {
    for name in ["c9_equiv_9x9", "c11_equiv_19x19"] {
        let game = load(name);
        let plain = gb_go::Safety::of(&game.board, &Effort::BENSON);
        let full = gb_go::Safety::of(&game.board, &Effort::default());
        for point in game.board.points() {
            assert_eq!(plain.owner(point), full.owner(point), "{name} {}", game.board.name(point));
        }
    }
}

/// An empty corridor of n points chills to n - 2 + 2^(1-n), and costs 2n - 1 nodes.
#[test]
fn corridors() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    for n in 2..=5u32 {
        let analysis = run(&kernel, &format!("unit_corr{n}"), Scoring::Territory, Pruning::ALL);
        let facts = analysis.areas[0].facts.as_ref().unwrap();
        let part = Dyadic::new(1, n - 1);
        assert_eq!(facts.chilled, kernel.number(&(Dyadic::from(n as i64 - 2) + &part)));
        assert_eq!(facts.temperature, Dyadic::ONE - part);
        assert_eq!(facts.nodes, 2 * n as u64 - 1);
    }
}

/// The same for longer corridors, which are drawn here.
#[test]
fn long_corridors() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    for n in 2..=12usize {
        // Black's corridor along the third line, open to White's wall on the right.
        let mut board = gb_go::Board::new(19);
        for point in board.points() {
            let (x, y) = board.place(point);
            let is_corridor = y == 2 && (17 - n..17).contains(&x);
            let is_eye = (y == 0 && (x == 0 || x == 2)) || (x == 18 && (y == 0 || y == 4));
            let stone = if x >= 17 { gb_value::Player::Right } else { gb_value::Player::Left };
            board.set(point, (!is_corridor && !is_eye).then_some(stone));
        }
        let game = Game::new(board, gb_value::Player::Left, KoRule::Simple);
        let analysis = analyse(&kernel, &game, &Settings::default());
        assert_eq!(analysis.areas.len(), 1);
        let facts = analysis.areas[0].facts.as_ref().unwrap();
        let part = Dyadic::new(1, n as u32 - 1);
        assert_eq!(facts.chilled, kernel.number(&(Dyadic::from(n as i64 - 2) + &part)), "{n} points");
        assert_eq!(facts.temperature, Dyadic::ONE - part);
    }
}

/// The Go examples of the slides: a gote worth two points a move, and White's sente.
#[test]
fn gote_and_sente() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let expected = [
        ("unit_gote_4_0", "4|0", "2", "2", Kind::Gote),
        ("unit_sente_9_8_0", "9||8|0", "8", "1", Kind::Sente(gb_value::Player::Right)),
    ];
    for (name, value, mean, temperature, kind) in expected {
        let analysis = run(&kernel, name, Scoring::Territory, Pruning::ALL);
        let facts = analysis.areas[0].facts.as_ref().unwrap();
        assert_eq!(facts.value, kernel.read(value).unwrap());
        assert_eq!([facts.mean.to_string(), facts.temperature.to_string()], [mean, temperature]);
        assert_eq!(facts.kind, kind);
    }
}

/// Best play ends, every move of it is legal, and the result is the one predicted.
#[test]
fn lines_of_best_play_reach_the_predicted_score() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let settings = Settings::default();
    for name in ["c9_equiv_9x9", "c11_equiv_19x19", "unit_sente_9_8_0"] {
        for first in gb_value::Player::BOTH {
            let mut game = load(name);
            game.to_play = first;
            let analysis = analyse(&kernel, &game, &settings);
            let predicted = analysis.score.clone().unwrap()[first as usize].clone();
            let line = gb_go::optimal_line(&kernel, &game.board, &analysis, first, &settings).unwrap();
            for mv in &line {
                game.play(mv.player, mv.mv).expect("a legal move");
            }
            let end = analyse(&kernel, &game, &settings);
            assert!(end.areas.is_empty(), "{name}");
            assert_eq!(Dyadic::from(end.constant), predicted, "{name}");
        }
    }
}
