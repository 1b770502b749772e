//! `gamebench calc`: the calculator.

mod interactive;

use std::io::{IsTerminal, StdinLock};
use std::time::{Duration, Instant};

use clap::Args;
use gb_engine::analysis_json::ValueFacts;
use gb_engine::calc::{Answer, CalcError, Calculator, Datum};
use gb_value::text::Style;
use gb_value::{Budget, Halt, Store};
use serde::Serialize;

use crate::errors::{Failure, Worst, is_limit};
use crate::input::{is_endless, next_line};
use crate::limits::{Interrupts, Limits};
use crate::output::{self, Format, JsonError};

/// Nobody waits longer for a calculator without having asked to.
pub const DEFAULT_TIME: Duration = Duration::from_secs(30);
const DEFAULT_LENGTH: usize = 1_000_000;
/// On a screen, less is more.
const INTERACTIVE_LENGTH: usize = 4_000;
/// Variables are carried over into a new store as texts, if these are not longer than this share of the memory: they are held
/// beside the store that they come from.
const SHARE_CARRIED: u64 = 16;

/// The calculator: values, comparisons, functions, variables (`help` inside it tells more)
#[derive(Args)]
pub struct Calc {
    /// An expression such as '{1|-1}+^'; `-` reads lines from standard input; interactive without
    #[arg(allow_hyphen_values = true)]
    expression: Option<String>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    format: Format,
}

/// Where lines come from.
enum Lines {
    One(Option<String>),
    Stdin(StdinLock<'static>),
    Interactive(Box<interactive::Prompt>),
}

impl Lines {
    fn next(&mut self, calculator: &Calculator<'_>) -> Option<Result<String, String>> {
        match self {
            Lines::One(line) => line.take().map(Ok),
            Lines::Stdin(input) => next_line(input),
            Lines::Interactive(prompt) => prompt.next(calculator),
        }
    }
}

impl Calc {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let lines = match self.expression.as_deref() {
            Some("-") => Lines::Stdin(std::io::stdin().lock()),
            Some(line) => Lines::One(Some(line.to_owned())),
            None if std::io::stdin().is_terminal() && !self.format.json => {
                Lines::Interactive(Box::new(interactive::Prompt::open()?))
            }
            None => Lines::Stdin(std::io::stdin().lock()),
        };
        let length = if matches!(lines, Lines::Interactive(_)) { INTERACTIVE_LENGTH } else { DEFAULT_LENGTH };
        let style = self.format.style(length);
        let interrupts = Interrupts::new();
        Session { command: &self, lines, style, interrupts, line_number: 0, worst: Worst::default() }.run()
    }
}

struct Session<'a> {
    command: &'a Calc,
    lines: Lines,
    style: Style,
    interrupts: Interrupts,
    line_number: usize,
    worst: Worst,
}

impl Session<'_> {
    /// All lines. When the memory of a store is used up, or most of it, its variables move to a new one.
    fn run(mut self) -> Result<(), Failure> {
        let mut variables: Vec<(String, String)> = vec![];
        loop {
            // What the last store held is free now, and the new one may get other memory.
            gb_memory::give_back();
            let store = Store::new();
            let mut calculator = Calculator::new(&store);
            for (name, text) in variables.drain(..) {
                let budget = self.command.limits.budget(Some(DEFAULT_TIME));
                if let Err(error) = calculator.run(&format!("{name} := {text}"), &budget) {
                    eprintln!("the variable {name} is lost: {error}");
                }
            }
            let held = || gb_memory::Account::current().bytes();
            // Where the variables alone take that much, a new store would not help.
            let most = (self.command.limits.bytes() / 4 * 3).max(2 * held());
            loop {
                let Some(line) = self.lines.next(&calculator) else {
                    let interactive = matches!(self.lines, Lines::Interactive(_));
                    return if interactive { Ok(()) } else { self.worst.result() };
                };
                self.line_number += 1;
                let is_last = is_endless(&line);
                let halt = self.line(&mut calculator, line)?;
                if is_last {
                    return self.worst.result();
                }
                if halt == Some(Halt::Bytes) || held() > most {
                    variables = self.texts(&calculator);
                    break;
                }
            }
        }
    }

    /// One line, and the limit that ended it if one did.
    fn line(
        &mut self,
        calculator: &mut Calculator<'_>,
        line: Result<String, String>,
    ) -> Result<Option<Halt>, Failure> {
        let line = match line {
            Ok(line) => line,
            Err(sentence) => {
                let error = CalcError { span: None, message: sentence, stop: None };
                self.error(&error, "")?;
                return Ok(None);
            }
        };
        let (budget, start) = (self.command.limits.budget(Some(DEFAULT_TIME)), Instant::now());
        // An interrupt ends the line, not the session.
        let budget = budget.with_cancel(self.interrupts.fresh());
        let shown = calculator.run(&line, &budget).and_then(|answer| {
            let text = match &answer {
                Answer::Nothing => None,
                Answer::Help(text) => Some(text.clone()),
                Answer::Datum(datum) | Answer::Assigned(_, datum) => {
                    Some(calculator.show(datum, &self.style, &budget)?.text)
                }
            };
            Ok((answer, text))
        });
        match shown {
            Ok((_, None)) => {}
            Ok((answer, Some(text))) if self.command.format.json => {
                let mut object = JsonAnswer::new(calculator, &line, &answer, text, &self.style, &budget);
                object.nodes = budget.nodes();
                object.seconds = start.elapsed().as_secs_f64();
                output::json(&object)?;
            }
            Ok((_, Some(text))) => output::line(&text)?,
            Err(error) => {
                self.error(&error, &line)?;
                return Ok(error.stop);
            }
        }
        Ok(None)
    }

    /// The variables as texts, as far as there is room for them.
    fn texts(&self, calculator: &Calculator<'_>) -> Vec<(String, String)> {
        let mut room = (self.command.limits.bytes() / SHARE_CARRIED) as usize;
        let mut texts = vec![];
        for (name, datum) in calculator.variables() {
            let style = Style { max_len: room, ..Style::plain() };
            // The store is as large as it may be: only time can be a limit here.
            let budget = Budget::unlimited().with_time(self.command.limits.time.unwrap_or(DEFAULT_TIME));
            match calculator.show(datum, &style, &budget) {
                Ok(shown) if !shown.cut => {
                    room -= shown.text.len().min(room);
                    texts.push((name.to_owned(), shown.text));
                }
                _ => eprintln!("the variable {name} is lost: it is too large to be kept"),
            }
        }
        texts
    }

    fn error(&mut self, error: &CalcError, line: &str) -> Result<(), Failure> {
        self.worst.note(error.stop.is_some_and(is_limit));
        let column = error.span.map(|span| line[..span.start.min(line.len())].chars().count() + 1);
        if self.command.format.json {
            output::json(&JsonError { error: &error.message, input: line, column })?;
            return Ok(());
        }
        match self.lines {
            // One line of output for each line of input.
            Lines::Stdin(_) => {
                let column = column.map(|c| format!(", column {c}")).unwrap_or_default();
                output::line(&format!("error: line {}{column}: {}", self.line_number, error.message))?;
            }
            Lines::One(_) => eprintln!("{}", error.explain(line)),
            Lines::Interactive(_) => output::line(&error.explain(line))?,
        }
        Ok(())
    }
}

/// An answer as JSON. Exact numbers are strings.
#[derive(Serialize)]
struct JsonAnswer<'a> {
    expression: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variable: Option<String>,
    value: serde_json::Value,
    #[serde(flatten)]
    facts: Option<ValueFacts>,
    nodes: u64,
    seconds: f64,
}

impl<'a> JsonAnswer<'a> {
    fn new(
        calculator: &Calculator<'_>,
        expression: &'a str,
        answer: &Answer,
        text: String,
        style: &Style,
        budget: &Budget,
    ) -> JsonAnswer<'a> {
        let variable = if let Answer::Assigned(name, _) = answer { Some(name.clone()) } else { None };
        let (mut value, mut facts) = (serde_json::Value::String(text), None);
        if let Answer::Datum(datum) | Answer::Assigned(_, datum) = answer {
            match datum {
                Datum::Truth(truth) => value = (*truth).into(),
                Datum::List(items) => {
                    let show = |item| calculator.show(item, style, budget).map(|shown| shown.text).ok();
                    value = items.iter().map(show).collect();
                }
                Datum::Value(game) => {
                    facts = Some(ValueFacts::with_stops(*game, false, &calculator.store().kernel(budget)));
                }
                Datum::Loopy(_) | Datum::Word(_) | Datum::Thermograph(_) => {}
            }
        }
        JsonAnswer { expression, variable, value, facts, nodes: 0, seconds: 0.0 }
    }
}
