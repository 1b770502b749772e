//! Bad input gets a sentence, and the session goes on.

use gb_engine::calc::{Answer, Calculator, FUNCTIONS};
use gb_value::text::Style;
use gb_value::{Budget, Halt, Store};
use proptest::prelude::*;

use crate::answer;

/// Nimbers with thousands of millions of options: to list those took all memory, and to go through them asked no clock.
#[test]
fn the_options_of_the_largest_nimbers_are_not_all_gone_through() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    for line in ["{*4294967295|under}", "2|0||-1-*4294967295", "*4294967295<{^^|3,*1000}"] {
        let budget =
            Budget::unlimited().with_time(std::time::Duration::from_millis(100)).with_bytes(50 << 20);
        let error = c.run(line, &budget).expect_err(line);
        assert!(error.stop.is_some() || error.message.contains("too large"), "{line}: {error}");
    }
}

#[test]
fn each_of_these_gets_a_clear_answer() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    for (line, expected) in [
        ("{1|", "{1|\n   ^\nexpected a game or the `}` that closes the `{` of column 1, found the end"),
        (
            "1/3",
            "1/3\n^^^\nthe denominator 3 is not a power of two: finite games have only numbers such as 1/2, 3/4 or 5/8",
        ),
        ("maen(1)", "maen(1)\n^^^^\nthere is no function `maen` (did you mean `mean`?)"),
        ("cool(1)", "cool(1)\n^^^^^^^\n`cool(G, t)` takes two arguments, found 1"),
        ("mean", "mean\n^^^^\n`mean` is a function: write `mean(G)`"),
        ("x", "x\n^\nthere is no variable `x`; give it a value with `x := ...`"),
        ("mean := 1", "mean := 1\n^^^^\n`mean` is a function; choose another name for the variable"),
        ("on := 1", "on := 1\n^^\n`on` is a name with a fixed meaning; choose another name for the variable"),
        ("1 + (0 < 1)", "1 + (0 < 1)\n^^^^^^^^^^^\nexpected a game, found a truth value"),
        (
            "cool(1, *)",
            "cool(1, *)\n        ^\nexpected a number such as 2 or 3/4, found a game that is none",
        ),
        (
            "mean(on)",
            "mean(on)\n^^^^^^^^\nthe thermograph is defined for games that end, but on or off occurs in this one",
        ),
        ("mean(over)", "mean(over)\n     ^^^^\nexpected a game without loops, found a game with loops"),
        ("aw(1)", "aw(1)\n^^^^^\nthe atomic weight is defined for all-small games only"),
        ("a{0|a+1}", "a{0|a+1}\n    ^\nthe name of a loop can only be an option in braces, as in `a{0|a}`"),
        ("[[1]]", "[[1]]\n ^^^\na list cannot hold another list"),
        ("0 & 1", "0 & 1\n^^^^^\nthe onside, before `&`, must be at least the offside, after it"),
        ("help foo", "help foo\n     ^^^\nthere is no function `foo`; `help` lists them all"),
        (
            "times(10^9, {1|-1})",
            "times(10^9, {1|-1})\n      ^^^^\nexpected a whole number (`10^9` means a number and ups; powers are written out)",
        ),
    ] {
        let error = answer(&mut c, line).expect_err(line);
        assert!(error.starts_with(expected), "{line}:\n{error}\ninstead of\n{expected}");
    }
    for (line, expected) in [
        ("*-1", "-1*"),
        ("{on|on}+off", "dud"),
        ("times(1000000000, {1|-1})", "0"),
        ("times(1000000001, {1|-1})", "+-1"),
        ("times(-1000000000, ^*)", "v1000000000"),
        ("times(1000000000, over)", "over"),
        ("times(3, on) + off", "dud"),
    ] {
        assert_eq!(answer(&mut c, line).as_deref(), Ok(expected), "{line}");
    }
}

#[test]
fn copies_of_a_hot_game_stop_within_the_budget_and_the_session_goes_on() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    c.run("g := {1|-1}", &Budget::unlimited()).unwrap();
    for (budget, reason) in [
        (Budget::unlimited().with_nodes(100_000), Halt::Nodes),
        (Budget::unlimited().with_bytes(store.bytes() + 100_000), Halt::Bytes),
    ] {
        let error = c.run("g := times(1000000000, {3|{1|-2}})", &budget).unwrap_err();
        assert_eq!(error.stop, Some(reason), "{error}");
    }
    let Answer::Datum(g) = c.run("g", &Budget::unlimited()).unwrap() else { panic!() };
    assert_eq!(c.show(&g, &Style::default(), &Budget::unlimited()).unwrap().text, "+-1");
}

#[test]
fn a_megabyte_and_a_hundred_thousand_levels() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    let deep = |open: &str, close: &str| open.repeat(100_000) + "0" + &close.repeat(100_000);
    for line in [
        "1/2+^*-".repeat(150_000) + "0",
        deep("{", "|}"),
        deep("{|", "}"),
        deep("(", ")"),
        deep("-", ""),
        deep("mean(", ")"),
        deep("[", "]"),
        deep("a{", "|a}"),
        deep("{{1|", "}|-1}"),
        "[".repeat(1_000_000),
        "{".repeat(1_000_000),
        "a{".repeat(500_000),
        "*".repeat(1_000_000),
        "9".repeat(1_000_000),
        "^9".repeat(500_000),
    ] {
        let budget = Budget::unlimited().with_nodes(1_000_000);
        // An answer or a sentence; either is right, hanging or crashing is not.
        match c.run(&line, &budget) {
            Ok(Answer::Datum(datum)) => {
                let style = Style { max_len: 100, ..Style::default() };
                let _ = c.show(&datum, &style, &Budget::unlimited().with_nodes(1_000_000));
            }
            Ok(other) => panic!("{other:?}"),
            Err(error) => assert!(error.explain(&line).len() < 600, "{error}"),
        }
    }
}

#[test]
fn every_function_has_an_example_that_works_and_rejects_wrong_arguments() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    for function in FUNCTIONS {
        answer(&mut c, function.example).unwrap_or_else(|e| panic!("{e}"));
        assert!(function.example.starts_with(function.name), "{}", function.example);
        assert!(answer(&mut c, &format!("help {}", function.name)).unwrap().contains(function.help));
        assert!(answer(&mut c, &format!("{}(1,2,3,4,0<1)", function.name)).is_err(), "{}", function.name);
        for argument in ["on", "dud", "0 < 1", "[]", "[1, 2]", "*", "9999999999999999999999", "over & under"]
        {
            // No panic, whatever it answers.
            let commas = function.parameters.matches(", ").count();
            let arguments = vec![argument; commas + 1].join(", ");
            let _ = answer(&mut c, &format!("{}({arguments})", function.name));
        }
    }
}

proptest! {
    #[test]
    fn nothing_panics(line in "(mean|cool|on|over|a|g|times|:=|[-+*^v{}|,0-9/ ()\\[\\]<>=&_]){0,30}") {
        let store = Store::new();
        let mut c = Calculator::new(&store);
        let budget = Budget::unlimited().with_nodes(100_000);
        match c.run(&line, &budget) {
            Ok(Answer::Datum(datum)) => { let _ = c.show(&datum, &Style::default(), &budget); }
            Ok(_) => {}
            Err(error) => { error.explain(&line); }
        }
    }

    #[test]
    fn loops_are_printed_so_that_they_can_be_read(
        parts in prop::collection::vec(0usize..9, 1..7)
    ) {
        let store = Store::new();
        let mut c = Calculator::new(&store);
        let atoms = ["on", "off", "over", "under", "upon", "-upon", "upon*", "a{0|{a|*}}", "{1|b{b,0|-1}}"];
        let sum: Vec<&str> = parts.iter().map(|&i| atoms[i]).collect();
        // Sums of many loops may be too large; what is printed must be readable.
        if let Ok(text) = answer(&mut c, &sum.join(" + ")) {
            prop_assert_eq!(answer(&mut c, &text), Ok(text.clone()), "{}", text);
        }
    }
}
