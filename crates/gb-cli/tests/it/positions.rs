//! Commands about positions: games, value, outcome, analyze, thermograph.

use serde_json::Value;

use crate::gamebench;

fn json(arguments: &[&str], input: &str) -> Vec<Value> {
    let ran = gamebench(arguments, input);
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
}

#[test]
fn every_game_has_rules_and_an_example_that_works() {
    let games = json(&["games", "--json"], "");
    assert!(games.len() >= 20);
    for game in &games {
        let info = gamebench(&["games", game["name"].as_str().unwrap()], "").out;
        let example = info.lines().last().unwrap();
        let (_, call) = example.split_once("gamebench analyze ").expect("an example");
        let (name, position) = call.split_once(' ').expect("a game and a position");
        let ran = gamebench(&["outcome", name, position.trim_matches('\''), "--time", "2s"], "");
        // A whole endgame of chess takes longer.
        let expected = if name == "chess" { [0, 3] } else { [0, 0] };
        assert!(expected.map(Some).contains(&ran.code), "{call}: {}", ran.err);
    }
}

#[test]
fn values_have_the_documented_fields() {
    let records = json(&["value", "domineering", "-", "--json"], "..|..\n...|...\n\n..|.\n");
    assert_eq!(records.len(), 3);
    let square = &records[0];
    assert_eq!(square["value"], "+-1");
    assert_eq!(square["outcome"], "N");
    assert_eq!(square["mean"], "0");
    assert_eq!(square["temperature"], "1");
    assert_eq!((&square["left_stop"], &square["right_stop"]), (&"1".into(), &"-1".into()));
    assert!(square["nodes"].is_u64() && square["seconds"].is_f64());
    assert_eq!(records[1]["mean"], "3/4");
    assert!(records[2]["error"].as_str().unwrap().contains("row 2 has 1 cells"));
    assert_eq!(gamebench(&["value", "domineering", "-"], "..|.\n").code, Some(1));
    let plain = json(&["value", "domineering", "..|..", "--json", "--plain"], "");
    assert_eq!(plain[0]["value"], "{1|-1}");
}

#[test]
fn bad_positions_get_a_sentence() {
    let sentence = |arguments: &[&str]| {
        let ran = gamebench(arguments, "");
        assert_eq!(ran.code, Some(1), "{arguments:?}");
        ran.err
    };
    assert!(sentence(&["value", "clober", "xo"]).contains("did you mean `clobber`"));
    assert!(sentence(&["value", "clobber", "xo|x"]).contains("row 2 has 1 cells"));
    assert!(sentence(&["value", "clobber", "xq"]).contains("column 2: found `q`"));
    assert!(sentence(&["value", "octal", "5"]).contains("octal(0.77)"));
    assert!(sentence(&["value", "domineering", ""]).contains("empty"));
    assert!(sentence(&["value", "domineering", "40x40"]).contains("too large"));
    assert!(sentence(&["analyze", "clobber xo + "]).contains("both sides of `+`"));
    assert!(sentence(&["analyze", "clobber xo + {1|"]).contains("expected"));
    assert_eq!(gamebench(&["value", "clobber"], "").code, Some(2));
}

#[test]
fn a_budget_ends_with_what_is_known() {
    let record = &json(&["value", "domineering", "8x8", "--json", "--time", "1s"], "")[0];
    assert!(record["value"].is_null());
    assert!(record["stopped"].as_str().unwrap().contains("time"));
    let bounds = &record["bounds"];
    assert!(bounds[0].as_i64().unwrap() <= 0 && bounds[1].as_i64().unwrap() >= 0, "{bounds}");
    let few = &json(&["value", "clobber", "5x5", "--json", "--nodes", "1000", "--threads", "1"], "")[0];
    assert!(few["stopped"].as_str().unwrap().contains("nodes"));
    let text = gamebench(&["analyze", "domineering", "8x8", "--time", "1s"], "");
    assert_eq!(text.code, Some(3));
    assert!(text.out.contains("Not finished"), "{}", text.out);
}

#[test]
fn outcomes_agree_with_values() {
    for (game, position) in
        [("clobber", "xoxo|oxox|xoxo"), ("nogo", "..|..|.."), ("kayles", "9,4"), ("amazons", "x..|..o")]
    {
        let value = &json(&["value", game, position, "--json"], "")[0];
        let outcome = &json(&["outcome", game, position, "--json"], "")[0];
        assert_eq!(value["outcome"], outcome["outcome"], "{game} {position}");
    }
}

#[test]
fn sums_of_different_games_are_analysed() {
    let report = &json(&["analyze", "--json", "clobber xo.|.ox + domineering ..|.. + ^*"], "")[0];
    assert_eq!(report["sum"]["value"], "{1^*|-1^*}");
    let moves = report["winning"]["left"].as_array().unwrap();
    assert_eq!(moves.len(), 2);
    assert_eq!(moves[0]["move"], "a1-a2");
    assert_eq!(moves[0]["leaves"], "1^*");
    let nothing = gamebench(&["analyze", "nim", "3,5,6"], "");
    assert!(nothing.out.contains("Whoever begins loses."), "{}", nothing.out);
}

#[test]
fn thermographs_of_positions_need_no_canonical_form() {
    let of_position = &json(&["thermograph", "domineering", "...|...", "--json"], "")[0];
    let of_value = &json(&["thermograph", "{2|-1/2}", "--json"], "")[0];
    for field in ["mean", "temperature", "left_wall", "right_wall"] {
        assert_eq!(of_position[field], of_value[field]);
    }
}

/// One player beginning is half of the question, with the same answer.
#[test]
fn one_beginner_has_the_answer_of_both() {
    for (game, position) in [
        ("clobber", "xoxo|oxox|xo.x"),
        ("domineering", "....|.#..|...."),
        ("cram", "3x4"),
        ("regio", ".#."),
        ("fox-and-geese", "x.o|.x.|x.."),
        ("clobber", "xoxo + domineering 3x3 + ^"),
    ] {
        let json = |arguments: &[&str]| -> serde_json::Value {
            let ran = gamebench(&[&["outcome", game, position, "--json"], arguments].concat(), "");
            serde_json::from_str(&ran.out).expect("JSON")
        };
        let both = json(&[]);
        for (first, field, other) in
            [("left", "left_first", "right_first"), ("right", "right_first", "left_first")]
        {
            let one = json(&["--first", first]);
            assert_eq!(one[field], both[field], "{game} {position}");
            assert!(one[field].is_string() && one[other].is_null() && one["outcome"].is_null(), "{one}");
        }
    }
    let ran = gamebench(&["outcome", "clobber", "xo", "--first", "left"], "");
    assert!(ran.out.contains("Left first: Left wins") && !ran.out.contains("Right first"), "{}", ran.out);
    assert_eq!(gamebench(&["outcome", "clobber", "xo", "--first", "nobody"], "").code, Some(2));
}

/// The limit of memory is for one input: what earlier ones have left behind takes nothing away from later ones.
#[test]
fn earlier_inputs_leave_memory_for_later_ones() {
    let (mut random, mut lines) = (gb_board::Random::new(18, 12), String::new());
    for _ in 0..60 {
        let row = |random: &mut gb_board::Random| -> String {
            (0..5).map(|_| char::from(b".....xo"[random.index(7) as usize])).collect()
        };
        let rows: Vec<String> = (0..4).map(|_| row(&mut random)).collect();
        lines.push_str(&format!("{}\n", rows.join("|")));
    }
    let limits = ["--json", "--memory", "10M", "--nodes", "20k"];
    let ran = gamebench(&[&["value", "snort", "-"], &limits[..]].concat(), &lines);
    assert_eq!(ran.out.lines().count(), 60);
    assert!(!ran.out.contains("the memory limit was reached"), "{}", ran.out);
}
