//! Players of whole games: play, match, gtp.

use serde_json::Value;

use crate::gamebench;

#[test]
fn a_game_in_the_terminal_with_all_its_commands() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    let save = format!("save {}\n", file.display());
    let input = format!(
        "help\nmoves\nboard\nhint\nundo\na1-c1\n\na1-b1\nundo\na1-b1\nsave\n{save}save /nowhere/x.sgf\nresign\n"
    );
    let ran = gamebench(&["play", "clobber", "2x3", "--right", "ab", "--nodes", "1k"], &input);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for expected in [
        "  a b c\n1 x o x\n2 o x o",
        "takes your last move back",
        "a1-b1 ",
        "there is no move to take back",
        "Left has no move `a1-c1` here; did you mean",
        "the position is solved: ",
        "Right plays ",
        "save needs the name of a file",
        "saved in ",
        "not saved: /nowhere/x.sgf",
    ] {
        assert!(ran.out.contains(expected), "`{expected}` is not in\n{}", ran.out);
    }
    let sgf = std::fs::read_to_string(&file).unwrap();
    assert!(
        sgf.starts_with("(;FF[4]") && sgf.contains("GAME[clobber]") && sgf.contains(";B[a1-b1]"),
        "{sgf}"
    );
}

#[test]
fn an_end_of_input_saves_the_game() {
    let ran = gamebench(&["play", "domineering", "4x4", "--nodes", "50"], "a1-a2\n");
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("the input has ended in the middle of the game"), "{}", ran.out);
    assert!(ran.out.contains(";B[a1-a2]"), "{}", ran.out);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    let path = file.to_str().unwrap();
    let ran = gamebench(&["play", "domineering", "4x4", "--nodes", "50", "--save", path], "a1-a2\n");
    assert!(ran.out.contains("saved in"), "{}", ran.out);
    assert!(std::fs::read_to_string(&file).unwrap().contains(";B[a1-a2]"));
}

#[test]
fn players_play_each_other_and_the_solved_one_wins() {
    let arguments =
        ["play", "clobber", "3x4", "--left", "ab+all", "--right", "random", "--nodes", "5k", "--json"];
    let ran = gamebench(&arguments, "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let end = lines.last().unwrap();
    assert!(end["winner"].is_string() && end["moves"].is_u64(), "{end}");
    assert!(lines.iter().any(|line| line["move"].is_string() && line["by"] == "Left"));
}

#[test]
fn wrong_ways_to_play_get_a_sentence() {
    let failed = |arguments: &[&str], code: i32| {
        let ran = gamebench(arguments, "");
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        ran.err
    };
    assert!(failed(&["play", "clober"], 1).contains("did you mean `clobber`"));
    assert!(failed(&["play", "clobber", "40x40"], 1).contains("too large"));
    assert!(failed(&["play", "clobber", "--time", "0"], 2).contains("a time limit of zero"));
    assert!(failed(&["play", "clobber", "--nodes", "0"], 2).contains("at least one"));
    assert!(failed(&["play", "clobber", "--right", "mtcs"], 2).contains("did you mean `mcts`"));
    let misspelt = failed(&["play", "clobber", "--right", "mcts+priorz"], 2);
    assert!(misspelt.contains("did you mean `priors`?") && !misspelt.contains("you` play"), "{misspelt}");
    let start = ["--game", "clobber", "--from", "3x3"];
    let matched = |players: [&str; 2], more: &[&str]| {
        let arguments: Vec<&str> =
            ["match"].iter().chain(&players).chain(&start).chain(more).copied().collect();
        failed(&arguments, 2)
    };
    assert!(matched(["mcts", "hotstrat"], &[]).contains("a match needs two of one kind"));
    assert!(matched(["mcts", "ab+x"], &[]).contains("there is no knowledge called `x`"));
    assert!(matched(["mcts", "ab"], &["--time", "0"]).contains("a limit of zero"));
    assert!(matched(["mcts", "ab"], &["--sprt", "60:50"]).contains("the lower one first"));
    assert!(failed(&["gtp", "--game", "clobber", "--time", "0"], 2).contains("a time limit of zero"));
}

#[test]
fn games_without_boards_of_8x8_start_from_their_example() {
    for (game, start) in [("nim", "3,5,7"), ("misere(kayles)", "5,3"), ("hackenbush", "BRG,RB")] {
        let ran = gamebench(&["play", game, "--right", "random"], "quit\n");
        assert!(ran.code == Some(0) && ran.out.starts_with(start), "{game}: {}{}", ran.out, ran.err);
        let ran = gamebench(&["gtp", "--game", game, "--player", "random"], "showboard\ngenmove b\nquit\n");
        assert!(ran.code == Some(0) && ran.out.contains(start), "{game}: {}{}", ran.out, ran.err);
        let ran = gamebench(&["match", "random", "random", "--game", game, "--openings", "1"], "");
        assert!(ran.code == Some(0) && ran.out.contains("2 games"), "{game}: {}{}", ran.out, ran.err);
    }
    let ran = gamebench(&["match", "random", "random", "--game", "clobber", "--openings", "1"], "");
    assert!(ran.code == Some(0) && ran.out.contains("2 games"), "{}{}", ran.out, ran.err);
}

#[test]
fn misere_play_over_the_protocol_ends_with_a_player_who_is_stuck() {
    let input = "genmove b\n".to_string() + &"genmove w\ngenmove b\n".repeat(4) + "showboard\nquit\n";
    let ran = gamebench(&["gtp", "--game", "misere(kayles)", "--from", "5", "--time", "50ms"], &input);
    assert!(ran.code == Some(0) && ran.out.contains("= stuck"), "{}{}", ran.out, ran.err);
}

#[test]
fn players_look_parts_up_in_databases() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let players = ["match", "mcts+all", "random", "--game", "clobber", "--from", "3x3", "--nodes", "50"];
    let ran = gamebench(&[&players[..], &["--openings", "1", "--db", path]].concat(), "");
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("there are no databases in this folder"), "{}", ran.err);
    assert_eq!(gamebench(&["db", "build", "clobber", "2x3", "--db", path], "").code, Some(0));
    let ran = gamebench(&[&players[..], &["--openings", "1", "--db", path]].concat(), "");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("2 games"), "{}", ran.out);
    let ran = gamebench(&["gtp", "--game", "clobber", "--from", "2x3", "--db", path], "genmove x\nquit\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = gamebench(&["play", "clobber", "2x3", "--left", "ab", "--nodes", "9", "--db", path], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = gamebench(&["match", "optimal", "greedy", "--sums", "--db", path], "");
    assert!(ran.code == Some(2) && ran.err.contains("use no databases"), "{}", ran.err);
}

#[test]
fn matches_can_count_processor_time() {
    let players = ["match", "mcts+all", "ab", "--game", "clobber", "--from", "3x3", "--openings", "1"];
    let ran = gamebench(&[&players[..], &["--time", "5ms", "--processor-time"]].concat(), "");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("2 games"), "{}", ran.out);
}

#[test]
fn matches_report_shares_and_can_be_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, svg) = (folder.path().join("match.csv"), folder.path().join("rates.svg"));
    let run = |starts: &str| {
        let arguments = [
            "match",
            "mcts+all",
            "random",
            "--game",
            "clobber",
            "--from",
            "4x4",
            "--random-moves",
            "2",
            "--nodes",
            "200",
            "--openings",
            starts,
            "--json",
            "--csv",
            csv.to_str().unwrap(),
            "--rates",
            svg.to_str().unwrap(),
        ];
        let ran = gamebench(&arguments, "");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    assert_eq!(run("3").len(), 7);
    let lines = run("4");
    assert_eq!(lines.len(), 3, "two more games and a summary");
    let summary = &lines[2];
    assert_eq!(summary["games"], 8);
    assert!(summary["total"]["share"].as_f64().unwrap() > 0.6, "{summary}");
    assert!(std::fs::read_to_string(&svg).unwrap().contains("mcts+all"));
    let sprt = gamebench(
        &[
            "match",
            "ab",
            "random",
            "--game",
            "clobber",
            "--from",
            "4x4",
            "--nodes",
            "500",
            "--openings",
            "100",
            "--sprt",
            "50:90",
        ],
        "",
    );
    assert!(sprt.out.contains("sequential test of 50:90: high"), "{}", sprt.out);
}

#[test]
fn the_protocol_plays_any_game() {
    let input = "1 name\nboardsize 4\ngenmove black\nplay white z9-z8\nshowboard\nquit\nname\n";
    let arguments = ["gtp", "--game", "clobber", "--from", "3x3", "--player", "ab+solved", "--time", "50ms"];
    let ran = gamebench(&arguments, input);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("=1 Game Bench Clobber (ab+solved)\n\n= \n\n= "), "{}", ran.out);
    assert!(ran.out.contains("? illegal move: Right has no move `z9-z8` here"), "{}", ran.out);
    assert_eq!(ran.out.matches("\n\n").count(), 6, "nothing after quit");
}
