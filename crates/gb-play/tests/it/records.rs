//! Records of games, and matches.

use gb_games::games::clobber::Clobber;
use gb_games::games::regio::Regio;
use gb_play::matches::{Contest, Sprt, Tally};
use gb_play::{Limits, PlayerCatalog};
use gb_record::{GameRecord, GameStatus};
use gb_rules::{Player as Side, direct};
use gb_value::Cancel;

use crate::Home;

#[test]
fn a_record_knows_whose_turn_it_is_and_how_it_ended() {
    let home = Home::new(direct::<3, _>(Clobber::<u64>::default()));
    let mut record = GameRecord::new(home.open("clobber", "xox").unwrap(), Side::Left);
    assert_eq!(record.status(), GameStatus::ToMove(Side::Left));
    let error = record.play(Side::Left, "b1-a1").unwrap_err().to_string();
    assert!(error.starts_with("Left has no move `b1-a1` here; did you mean"), "{error}");
    record.play(Side::Left, " A1-B1 ").unwrap();
    assert_eq!(record.status(), GameStatus::Won(Side::Left));
    let sgf = record.to_sgf(["a]b", "mcts"]);
    assert!(sgf.contains("PB[a\\]b]") && sgf.contains("RE[B+]") && sgf.contains(";B[a1-b1]"), "{sgf}");
    assert!(sgf.contains("GAME[clobber]POS[xox]PL[B]"), "{sgf}");
    assert!(record.undo() && !record.undo());
    record.resign(Side::Left);
    assert_eq!(record.status(), GameStatus::Won(Side::Right));
    assert!(record.to_sgf(["", ""]).contains("RE[W+R]"));
}

/// Before all front ends had one format.
#[test]
fn records_of_the_first_format_are_opened() {
    let home = Home::new(direct::<3, _>(Clobber::<u64>::default()));
    let text = "(;FF[4]CA[UTF-8]AP[gamebench\\:0.1.0]GN[clobber]PB[you]PW[mcts+all]PL[B]C[start\\: xox|...]RE[B+]\n;B[a1-b1])\n";
    let record = GameRecord::from_sgf(text, &|game, position| home.open(game, position)).unwrap();
    assert_eq!(record.moves().collect::<Vec<_>>(), [(Side::Left, "a1-b1")]);
    assert_eq!((record.start().show(), record.status()), ("xox|...".into(), GameStatus::Won(Side::Left)));
    // What was written by others is no such record, and nor is one without a position.
    for other in [text.replace("gamebench", "others"), text.replace("start", "begin")] {
        assert!(
            GameRecord::from_sgf(&other, &|game, position| home.open(game, position)).is_err(),
            "{other}"
        );
    }
}

#[test]
fn where_points_decide_who_cannot_move_passes() {
    let home = Home::new(direct::<3, _>(Regio::<gb_board::BitGrid<u64, 2>>::default()));
    let mut record = GameRecord::new(home.open("regio", "..").unwrap(), Side::Left);
    while let GameStatus::ToMove(who) = record.status() {
        let mv = record.position().moves(who, 1)[0].text.clone();
        record.play(who, &mv).unwrap();
    }
    assert_eq!(record.status(), GameStatus::Won(Side::Left));
}

fn contest(players: [&str; 2], games: u64) -> Contest {
    Contest {
        game: "clobber".into(),
        starts: vec!["4x5".into()],
        random_moves: 2,
        players: players.map(|spec| spec.parse().unwrap()),
        limits: Limits::nodes(100),
        games,
        seed: 1,
        at_a_time: 2,
        sprt: None,
        done: vec![],
    }
}

#[test]
fn the_better_player_wins_matches() {
    let home = Home::new(direct::<3, _>(Clobber::<u64>::default()));
    for strong in ["mcts+all", "ab+all"] {
        let played = contest([strong, "random"], 40).run(&home, &Cancel::default(), &|_| {}).unwrap();
        let tally = Tally::of(played.iter().map(|game| &game.record));
        let (won, drawn, lost) = tally.all();
        assert!(won >= 34 && drawn == 0 && won + lost == 40, "{}", tally.table([strong, "random"]));
        assert_eq!(tally.games[0].iter().sum::<u64>(), 20, "both colours");
    }
}

#[test]
fn matches_go_on_where_they_stopped_and_stop_when_decided() {
    let home = Home::new(direct::<3, _>(Clobber::<u64>::default()));
    let all = contest(["ab", "random"], 10);
    let played = all.run(&home, &Cancel::default(), &|_| {}).unwrap();
    let done = played[..4].iter().map(|game| game.record.pairing).collect();
    assert_eq!(Contest { done, ..all.clone() }.pairings().len(), 6);
    let sprt = Sprt::read("50:90").ok();
    let long = Contest { games: 400, sprt, ..contest(["mcts+all", "random"], 400) };
    let played = long.run(&home, &Cancel::default(), &|_| {}).unwrap();
    assert!(played.len() < 60, "{} games", played.len());
    let wrong = Contest { starts: vec!["xq".into()], ..all };
    assert!(wrong.run(&home, &Cancel::default(), &|_| {}).unwrap_err().to_string().contains("found `q`"));
}

#[test]
fn the_same_seed_gives_the_same_games_when_nodes_are_counted() {
    let play = |seed: u64| {
        let mut games = vec![];
        for players in [["mcts+all", "mcts"], ["ab+all", "mcts+endgame+solved"]] {
            let contest = Contest { seed, at_a_time: 1, ..contest(players, 4) };
            // In a catalog of its own: what players know depends on what was valued before.
            let home = Home::new(direct::<3, _>(Clobber::<u64>::default()));
            let mut played = contest.run(&home, &Cancel::default(), &|_| {}).unwrap();
            played.sort_by(|a, b| a.sgf.cmp(&b.sgf));
            games.extend(played.into_iter().map(|game| (game.sgf, game.solved_at)));
        }
        games
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}
