//! The engine as front ends use it: games, positions, players and strategies by name.

use std::time::Duration;

use gb_engine::{Engine, game_and_position, summands};
use gb_play::Limits;
use gb_rules::Player;
use gb_search::sum::{Examined, Summand};
use gb_value::{Budget, Halt};

#[test]
fn a_move_for_somebody_who_knows_only_texts() {
    let engine = Engine::new(1);
    let limits = Limits::nodes(200);
    for spec in ["mcts", "mcts+all", "ab", "ab+all", "random"] {
        let chosen = engine.choose("clobber", "xo.|.xo", Player::Left, spec, &limits).unwrap();
        assert!(["a1-b1", "b2-c2", "b2-b1"].contains(&chosen.mv.as_str()), "{chosen:?}");
    }
    let chosen = engine.choose("domineering", "2x2", Player::Right, "ab", &limits).unwrap();
    assert_eq!((chosen.winner, chosen.after.matches('.').count()), (Some(Player::Right), 2));
    let error = |game: &str, position: &str, spec: &str| {
        engine.choose(game, position, Player::Left, spec, &limits).unwrap_err()
    };
    assert!(error("clober", "xo", "ab").to_string().contains("did you mean `clobber`"));
    assert!(error("clobber", "xq", "ab").to_string().contains("column 2: found `q`"));
    assert!(error("clobber", "xx", "ab").to_string().contains("Left has no move"));
    assert!(error("clobber", "xo", "abc").to_string().contains("there is no player `abc`"));
}

#[test]
fn strategies_find_moves_on_the_board() {
    let engine = Engine::new(1);
    let advise = |game: &str, position: &str, plan: &str| {
        let plan = plan.parse().unwrap();
        engine.advise(game, position, Player::Left, plan, 1 << 10, &Budget::unlimited())
    };
    // The square is hotter than the row of three, where Left has no move at all.
    for plan in ["hotstrat", "sentestrat", "thermostrat", "greedy", "greedy-hotstrat", "optimal"] {
        let advice = advise("domineering", "..#...|..####", plan).unwrap();
        assert!(["a1-a2", "b1-b2"].contains(&advice.mv.as_str()), "{plan}: {advice:?}");
        assert!(["#.#...|#.####", ".##...|.#####"].contains(&advice.after.as_str()), "{plan}: {advice:?}");
    }
    assert!(advise("domineering", "2x2", "hotstrat").is_ok());
    // Parts that are their own negatives, reached through a part that was turned.
    for position in ["..|..|..", "...|...", "..#|...|...", "...|..#|...|.#."] {
        assert!(advise("domineering", position, "hotstrat").is_ok(), "{position}");
    }
    // A square beside a free move, of which a move in the square makes two.
    for plan in ["hotstrat", "sentestrat", "thermostrat", "greedy", "greedy-hotstrat", "optimal"] {
        for (position, good) in
            [("..#.|..#.", ["a1-a2", "b1-b2"]), ("..##|..#.|###.|..##", ["a1-a2", "b1-b2"])]
        {
            let advice = advise("domineering", position, plan).unwrap();
            assert!(good.contains(&advice.mv.as_str()), "{plan}: {advice:?}");
        }
    }
    assert!(advise("domineering", "...", "hotstrat").unwrap_err().to_string().contains("Left has no move"));
    assert!(advise("dominering", "..", "hotstrat").unwrap_err().to_string().contains("did you mean"));
}

#[test]
fn sums_split_at_spaced_plus_signs_outside_brackets() {
    assert_eq!(summands("clobber xo + ^*"), ["clobber xo", "^*"]);
    assert_eq!(summands("{1 + 1|0} + 2+3"), ["{1 + 1|0}", "2+3"]);
    assert_eq!(summands("nim 3,5"), ["nim 3,5"]);
    assert_eq!(summands("a +  + b"), ["a", "", "b"]);
}

#[test]
fn who_wins_sums_of_positions_and_values() {
    let engine = Engine::new(2);
    let outcome = |game: &str, position: &str| {
        let answer = engine.winners(game, position, &Budget::unlimited());
        answer.map(|answer| answer.winners.unwrap().outcome().unwrap().to_string())
    };
    for (game, position, expected) in [
        ("clobber", "xo + clobber xo", "P"),
        ("clobber", "xo + ^", "N"),
        ("clobber", "xo + nim 1 + ^", "L"),
        ("domineering", "..|.. + 1", "N"),
        ("domineering", "..|.. + {2|2}", "L"),
        ("^", "+ clobber xo + *", "L"),
        ("domineering", "4x4 + domineering 4x4", "P"),
        ("negative(domineering)", "4x5 + domineering 4x5", "P"),
    ] {
        assert_eq!(outcome(game, position).unwrap(), expected, "{game} {position}");
    }
    let error = |position: &str| outcome("clobber", position).unwrap_err().to_string();
    assert!(error("xo + ").contains("on both sides of `+`"));
    assert!(error("xo + clober xo").contains("did you mean `clobber`"));
    assert!(error("xo + regio ..").contains("ends in a score"), "{}", error("xo + regio .."));
    assert!(error("xo + clobber xq").contains("found `q`"));
}

#[test]
fn positions_are_told_from_values() {
    assert_eq!(game_and_position("clobber xo.|.ox"), Some(("clobber", "xo.|.ox")));
    assert_eq!(game_and_position("octal(0.77) 5"), Some(("octal(0.77)", "5")));
    assert_eq!(game_and_position("impartial(nogo) ..."), Some(("impartial(nogo)", "...")));
    assert_eq!(game_and_position("clober xo"), Some(("clober", "xo")));
    assert_eq!(game_and_position("over + under"), None);
    assert_eq!(game_and_position("{1|-1}"), None);
    assert_eq!(game_and_position("mean({1|-1})"), None);
}

#[test]
fn summands_for_which_nothing_is_left_are_only_read() {
    let engine = Engine::new(1);
    let spent = || Budget::unlimited().with_time(Duration::ZERO);
    let analyze = |text: &str| engine.analyze(text, &spent(), &spent, &|_, _, _| {});
    let text = "octal(0.77) 65535 + regio ...|... + clobber xo.|.ox";
    let report = analyze(text).unwrap().report;
    assert_eq!(report.analysis.as_ref().err(), Some(&Halt::Time));
    let positions: Vec<&Examined> = report
        .summands
        .iter()
        .map(|summand| match summand {
            Summand::Position(examined) => examined,
            _ => panic!("all are positions"),
        })
        .collect();
    assert_eq!(
        positions.iter().map(|e| e.position.as_str()).collect::<Vec<_>>(),
        ["65535", "...|...", "xo.|.ox"]
    );
    for examined in positions {
        assert!(examined.scene.items.is_empty() && examined.moves.iter().all(Vec::is_empty));
        assert_eq!(examined.stopped(), Some(Halt::Time));
        assert_eq!(examined.scores.is_some(), examined.game == "regio");
    }
    // A summand that is no position is still an error.
    assert!(analyze(&format!("{text} + clobber xq")).is_err());
}

#[test]
fn a_nimber_with_more_options_than_time_is_no_reason_to_be_late() {
    let engine = Engine::new(1);
    let budget = Budget::unlimited().with_nodes(100).with_bytes(1);
    let spent = || Budget::unlimited().with_time(Duration::ZERO);
    let report =
        engine.analyze("*4000000000", &budget, &spent, &|_, _, _| {}).map(|analysed| analysed.report);
    assert!(report.map_or(true, |report| report.analysis.is_err()));
}
