//! The calculator of the page. The page keeps the variables and sends them along, so that nothing stays here.

use gb_engine::Engine;
use gb_engine::analysis_json::ValueFacts;
use gb_engine::calc::{Answer, CalcError, Calculator, Datum};
use gb_engine::picture::thermograph;
use gb_value::clock::Instant;
use gb_value::text::{Script, Style};
use gb_value::{Budget, Kernel, Player, Value};
use serde::Serialize;
use serde_json::Value as Json_;

use crate::error::ApiError;
use crate::positions::{self, Board};
use crate::task::Line;

/// The answer, as `gamebench calc --json` gives it, and pictures.
#[derive(Serialize)]
pub struct Calculated {
    expression: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    variable: Option<String>,
    value: Json_,
    /// The value for the eye: `↑`, `±1`, `2|0||-1`.
    typeset: Option<String>,
    #[serde(flatten)]
    facts: Option<ValueFacts>,
    /// The thermograph as SVG.
    thermograph: Option<String>,
    /// The options, and theirs.
    tree: Option<Tree>,
    /// The position, if the line was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Board>,
    nodes: u64,
    seconds: f64,
}

/// A game with its options.
#[derive(Serialize)]
struct Tree {
    value: String,
    left: Vec<Tree>,
    right: Vec<Tree>,
    /// Whether there are options that are not drawn.
    more: bool,
}

/// On a page, less is more.
const MAX_TEXT: usize = 4_000;
const MAX_NAME: usize = 24;
const MAX_DEPTH: usize = 3;
const MAX_NODES: usize = 60;

/// Carries out a line.
pub(crate) fn run(line: &Line, budget: &Budget) -> Result<Calculated, ApiError> {
    let (engine, start) = (Engine::new(1), Instant::now());
    let mut calculator = Calculator::new(&engine.store);
    for (name, value) in &line.variables {
        let given = calculator.run(&format!("{name} := {value}"), budget);
        given.map_err(|error| ApiError::input(format!("the variable {name} is lost: {error}")))?;
    }
    let explain = |error: CalcError| ApiError::input(error.explain(&line.line));
    let (mut board, mut facts, mut by_score) = (None, None, false);
    let answer = match calculator.run(&line.line, budget) {
        Ok(answer) => answer,
        // What the calculator does not understand may be a position.
        Err(error) => match positions::find(&engine, &line.line, budget)? {
            None => return Err(explain(error)),
            Some(found) => {
                (board, facts, by_score) = (Some(found.board), found.facts, found.by_score);
                match found.variable {
                    Some(name) => Answer::Assigned(name, found.datum),
                    None => Answer::Datum(found.datum),
                }
            }
        },
    };
    let style = Style { max_len: MAX_TEXT, ..Style::default() };
    let show = |datum: &Datum| calculator.show(datum, &style, budget).map(|shown| shown.text);
    let mut done = Calculated {
        expression: line.line.clone(),
        variable: None,
        value: Json_::Null,
        typeset: None,
        facts,
        thermograph: None,
        tree: None,
        board,
        nodes: 0,
        seconds: 0.0,
    };
    match &answer {
        Answer::Nothing => {}
        Answer::Help(text) => done.value = text.clone().into(),
        Answer::Datum(datum) | Answer::Assigned(_, datum) => {
            if let Answer::Assigned(name, _) = &answer {
                done.variable = Some(name.clone());
            }
            done.value = match datum {
                Datum::Truth(truth) => (*truth).into(),
                Datum::List(items) => items.iter().map(|item| show(item).ok()).collect(),
                other => show(other).map_err(explain)?.into(),
            };
            let kernel = engine.store.kernel(budget);
            match datum {
                Datum::Value(value) => done.draw(&kernel, *value, by_score),
                Datum::Thermograph(graph) => {
                    done.thermograph = Some(thermograph::svg(&[(line.line.trim(), graph)]));
                }
                _ => {}
            }
        }
    }
    done.nodes = budget.nodes();
    done.seconds = start.elapsed().as_secs_f64();
    Ok(done)
}

impl Calculated {
    fn draw(&mut self, kernel: &Kernel<'_>, value: Value, by_score: bool) {
        self.facts = Some(ValueFacts::with_stops(value, by_score, kernel));
        let style = Style { script: Script::Unicode, slashes: true, max_len: MAX_TEXT, ..Style::default() };
        self.typeset = kernel.show(value, &style).ok().map(|shown| shown.text);
        let name = short(kernel, value, 60);
        self.thermograph = kernel.thermograph(value).ok().map(|graph| thermograph::svg(&[(&name, &graph)]));
        let mut room = MAX_NODES;
        self.tree = Some(tree(kernel, value, MAX_DEPTH, &mut room));
    }
}

fn short(kernel: &Kernel<'_>, value: Value, length: usize) -> String {
    let style = Style { script: Script::Unicode, slashes: true, max_len: length, ..Style::default() };
    kernel.show(value, &style).map_or_else(|_| "?".into(), |shown| shown.text)
}

fn tree(kernel: &Kernel<'_>, value: Value, depth: usize, room: &mut usize) -> Tree {
    let mut node = Tree { value: short(kernel, value, MAX_NAME), left: vec![], right: vec![], more: false };
    // Numbers are what everybody knows; on and off have themselves as options.
    let stop = kernel.is_number(value) || !kernel.is_short(value);
    for player in Player::BOTH {
        for option in kernel.options(value, player) {
            if depth == 0 || *room == 0 || stop {
                node.more = !stop;
                break;
            }
            *room -= 1;
            let child = tree(kernel, option, depth - 1, room);
            match player {
                Player::Left => node.left.push(child),
                Player::Right => node.right.push(child),
            }
        }
    }
    node
}
