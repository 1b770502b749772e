//! The fact files about values, through the calculator language.

use gb_board::testing::facts;
use gb_engine::calc::Calculator;
use gb_value::Store;

use crate::answer;

/// Says that an expression is true.
fn holds(calculator: &mut Calculator<'_>, expression: &str) {
    match answer(calculator, expression) {
        Ok(truth) => assert_eq!(truth, "true", "{expression}"),
        Err(error) => panic!("{expression}: {error}"),
    }
}

#[test]
fn expressions() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    for row in facts("values/expressions.tsv") {
        let [expr, value, mean, temp, lstop, rstop, outcome, birthday, nsub] = &row[..] else {
            panic!("{row:?}")
        };
        answer(&mut c, &format!("g := {expr}")).unwrap_or_else(|e| panic!("{e}"));
        for (function, expected) in [
            ("canonical", value),
            ("mean", mean),
            ("temp", temp),
            ("lstop", lstop),
            ("rstop", rstop),
            ("birthday", birthday),
            ("nsub", nsub),
        ] {
            holds(&mut c, &format!("{function}(g) = {expected}"));
        }
        assert_eq!(answer(&mut c, "outcome(g)").as_ref(), Ok(outcome), "{expr}");
    }
}

#[test]
fn order() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    for row in facts("values/order.tsv") {
        let [a, b, relation] = &row[..] else { panic!("{row:?}") };
        holds(&mut c, &format!("{a} {relation} {b}"));
        for other in ["<", ">", "=", "||"].iter().filter(|r| *r != relation) {
            let expression = format!("{a} {other} {b}");
            assert_eq!(answer(&mut c, &expression).as_deref(), Ok("false"), "{expression}");
        }
        let at_most = matches!(relation.as_str(), "<" | "=");
        assert_eq!(answer(&mut c, &format!("{a} <= {b}")), Ok(at_most.to_string()));
        assert_eq!(answer(&mut c, &format!("{a} |> {b}")), Ok((!at_most).to_string()));
    }
}

#[test]
fn sums() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    for row in facts("values/sums.tsv") {
        let [components, sum, mean, temp, lstop, rstop, outcome, ..] = &row[..] else { panic!("{row:?}") };
        answer(&mut c, &format!("g := {components}")).unwrap_or_else(|e| panic!("{e}"));
        let list = components.replace(" + ", ", ");
        holds(&mut c, &format!("g = sum([{list}])"));
        for (function, expected) in
            [("canonical", sum), ("mean", mean), ("temp", temp), ("lstop", lstop), ("rstop", rstop)]
        {
            holds(&mut c, &format!("{function}(g) = {expected}"));
        }
        assert_eq!(answer(&mut c, "outcome(g)").as_ref(), Ok(outcome), "{components}");
    }
}

#[test]
fn operations() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    for row in facts("values/operations.tsv") {
        let [operation, arguments, result] = &row[..] else { panic!("{row:?}") };
        holds(&mut c, &format!("{operation}({}) = {result}", arguments.replace(';', ", ")));
    }
}

/// The file speaks of some games by name, and of outcomes in words.
#[test]
fn loopy() {
    let store = Store::new();
    let mut c = Calculator::new(&store);
    answer(&mut c, "cycA := a{0|{a|0}}").unwrap();
    answer(&mut c, "cycB := b{{0|b}|0}").unwrap();
    let mut definitions = 0;
    let letters = |ending: &str| match ending {
        "win,win" => "L".to_owned(),
        "loss,loss" => "R".to_owned(),
        "win,loss" => "N".to_owned(),
        "loss,win" => "P".to_owned(),
        "draw,draw" => "D".to_owned(),
        "win,draw" => "N-hat".to_owned(),
        "draw,loss" => "N-check".to_owned(),
        "draw,win" => "P-hat".to_owned(),
        "loss,draw" => "P-check".to_owned(),
        other => other.to_owned(),
    };
    for row in facts("values/loopy.tsv") {
        let [lhs, relation, rhs, ..] = &row[..] else { panic!("{row:?}") };
        if relation == ":=" {
            // Definitions with a loop are written with the name before the braces; others say what a name is.
            definitions += 1;
            let text = match lhs.as_str() {
                "tis" => "tis = a{{|a}|}".to_owned(),
                "tisn" => "tisn = a{|{a|}}".to_owned(),
                "cycB" => "cycB = {cycA|0}".to_owned(),
                name if rhs.contains(name) => {
                    format!("{name} = {}", rhs.replacen('{', &format!("{name}{{"), 1))
                }
                name => format!("{name} = {rhs}"),
            };
            holds(&mut c, &text);
        } else if let Some((game, _)) = lhs.split_once(" outcome") {
            let answer = answer(&mut c, &format!("outcome({game})"));
            assert_eq!(answer, Ok(letters(rhs)), "{lhs}");
        } else if let Some((game, definition)) = lhs.split_once('=') {
            holds(&mut c, &format!("{game} = {definition}"));
            holds(&mut c, &format!("{game} {relation} {rhs}"));
        } else {
            holds(&mut c, &format!("{lhs} {relation} {rhs}"));
        }
    }
    assert_eq!(definitions, 6);
}
