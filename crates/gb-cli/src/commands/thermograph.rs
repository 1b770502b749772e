//! `gamebench thermograph`: the picture of a game's temperature.

use std::path::PathBuf;

use clap::Args;
use gb_engine::calc::{Answer, CalcError, Calculator, Datum};
use gb_engine::picture::thermograph::{self, Drawing};
use gb_value::text::Style;
use gb_value::{Budget, Store, Thermograph as Graph, ValueError};
use serde::Serialize;
use serde_json::json;

use super::calc::DEFAULT_TIME;
use super::go::{self, Counting, Komaster};
use crate::databases::Databases;
use crate::errors::{Failure, Worst, is_limit};
use crate::files;
use crate::input::{is_endless, next_line};
use crate::limits::{Limits, Threads, interrupt};
use crate::output::{self, Format, JsonError};
use crate::progress::with_progress;

/// The thermograph of a game: in the terminal, or as SVG
#[derive(Args)]
pub struct Thermograph {
    /// An expression such as '{3|{1|-2}}', or a game and a position such as domineering '...|...'; `-` reads lines from
    /// standard input
    #[arg(required = true, value_name = "EXPRESSION")]
    words: Vec<String>,
    /// Write the picture as SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Columns of the picture in the terminal
    #[arg(long, default_value_t = 78, value_parser = clap::value_parser!(u16).range(20..=2000))]
    width: u16,
    /// Lines of the picture in the terminal
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16).range(5..=2000))]
    height: u16,
    /// Go: who has the ko threats where a ko decides [default: all three, one after the other]
    #[arg(long, value_enum, help_heading = "Go")]
    komaster: Option<Komaster>,
    /// Go: how points are counted [default: territory]
    #[arg(long, value_enum, help_heading = "Go")]
    scoring: Option<Counting>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    databases: Databases,
    #[command(flatten)]
    format: Format,
}

/// A thermograph as JSON: walls as corner points `value@temperature`, from temperature -1 up.
#[derive(Serialize)]
struct JsonThermograph<'a> {
    expression: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    mean: String,
    temperature: String,
    left_wall: String,
    right_wall: String,
}

impl Thermograph {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let expression = self.words.join(" ");
        if expression != "-" {
            return self.draw(&expression).map_err(|error| self.complain(error, &expression));
        }
        if self.svg.is_some() {
            return Err(Failure::Usage("--svg writes one picture, but `-` reads many inputs".into()));
        }
        let mut input = std::io::stdin().lock();
        let (mut worst, mut number) = (Worst::default(), 0);
        while let Some(line) = next_line(&mut input) {
            number += 1;
            let error = match &line {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => match self.draw(line) {
                    Ok(()) => continue,
                    Err(Problem::Input(error)) => error,
                    Err(Problem::Other(failure)) => return Err(failure),
                },
                Err(sentence) => CalcError { span: None, message: sentence.clone(), stop: None },
            };
            worst.note(error.stop.is_some_and(is_limit));
            let error = error.to_string();
            if self.format.json {
                let input = line.as_deref().unwrap_or("");
                output::json(&JsonError { error: &error, input, column: None })?;
            } else {
                output::line(&format!("error: line {number}: {error}"))?;
            }
            if is_endless(&line) {
                break;
            }
        }
        worst.result()
    }

    fn complain(&self, problem: Problem, line: &str) -> Failure {
        let said = match &problem {
            Problem::Input(error) if error.stop.is_some_and(is_limit) => Failure::Halted,
            _ => Failure::BadInput,
        };
        match problem {
            Problem::Other(failure) => failure,
            Problem::Input(error) if self.format.json => {
                let column = error.span.map(|span| line[..span.start.min(line.len())].chars().count() + 1);
                match output::json(&JsonError { error: &error.message, input: line, column }) {
                    Ok(()) => said,
                    Err(error) => error.into(),
                }
            }
            Problem::Input(error) => {
                eprintln!("{}", error.explain(line));
                said
            }
        }
    }

    /// The areas of a board of Go.
    fn draw_go(&self, board: &str) -> Result<(), Problem> {
        let budget = self.limits.budget(Some(DEFAULT_TIME)).with_cancel(interrupt());
        let drawn = go::thermographs(board, &budget, self.scoring, self.komaster);
        let graphs = drawn.map_err(|failure| match failure {
            Failure::Input(message) => sentence(&message),
            other => other.into(),
        })?;
        if self.format.json {
            let area = |(name, graph): &(String, Drawing)| json!({ "area": name, "mean": graph.mean, "temperature": graph.temperature });
            output::json(&json!({ "areas": graphs.iter().map(area).collect::<Vec<_>>() }))?;
        }
        if let Some(path) = &self.svg {
            let named: Vec<_> = graphs.iter().map(|(name, graph)| (name.as_str(), graph.clone())).collect();
            files::write(path, thermograph::svg_of(&named).as_bytes())?;
        } else if !self.format.json {
            for (name, graph) in &graphs {
                output::line(&thermograph::text_of(name, graph, self.width.into(), self.height.into()))?;
            }
        }
        Ok(())
    }

    fn draw(&self, expression: &str) -> Result<(), Problem> {
        if let Some(board) = expression.strip_prefix("go ") {
            return self.draw_go(board.trim());
        }
        if self.komaster.is_some() || self.scoring.is_some() {
            return Err(Failure::Usage("--komaster and --scoring are for boards of Go".into()).into());
        }
        let budget = self.limits.budget(Some(DEFAULT_TIME));
        if let Some((game, position)) = gb_engine::game_and_position(expression) {
            let (engine, budget) =
                (self.databases.engine(&Threads { threads: None }), budget.with_cancel(interrupt()));
            let answer = with_progress(&budget, |_| engine.thermograph(game, position, &budget));
            let answer = answer.map_err(|error| sentence(&error.to_string()))?;
            let Some(graph) = answer.thermograph else { return Ok(()) };
            let graph = graph.map_err(stopped)?;
            return self.print(expression, None, &format!("{} {}", answer.game, answer.position), &graph);
        }
        let store = Store::new();
        let mut calculator = Calculator::new(&store);
        let value = match calculator.run(expression, &budget)? {
            Answer::Datum(Datum::Value(value)) | Answer::Assigned(_, Datum::Value(value)) => value,
            _ => return Err(sentence("expected a game without loops")),
        };
        let kernel = store.kernel(&budget);
        let graph = kernel.thermograph(value).map_err(stopped)?;
        let shown = text(&calculator, value, &self.format.style(1_000_000), &budget)?;
        self.print(
            expression,
            Some(shown),
            &text(&calculator, value, &self.format.style(60), &budget)?,
            &graph,
        )
    }

    fn print(
        &self,
        expression: &str,
        value: Option<String>,
        name: &str,
        graph: &Graph,
    ) -> Result<(), Problem> {
        if self.format.json {
            output::json(&JsonThermograph {
                expression,
                value,
                mean: graph.mean().to_string(),
                temperature: graph.temperature().to_string(),
                left_wall: graph.left_wall().to_string(),
                right_wall: graph.right_wall().to_string(),
            })?;
        }
        match &self.svg {
            Some(path) => files::write(path, thermograph::svg(&[(name, graph)]).as_bytes())?,
            None if self.format.json => {}
            None => output::line(&thermograph::text(name, graph, self.width.into(), self.height.into()))?,
        }
        Ok(())
    }
}

fn text(
    calculator: &Calculator<'_>,
    value: gb_value::Value,
    style: &Style,
    budget: &Budget,
) -> Result<String, CalcError> {
    Ok(calculator.show(&Datum::Value(value), style, budget)?.text)
}

/// What can go wrong with one input.
enum Problem {
    Input(CalcError),
    Other(Failure),
}

fn sentence(message: &str) -> Problem {
    Problem::Input(CalcError { span: None, message: message.to_owned(), stop: None })
}

fn stopped(error: ValueError) -> Problem {
    let stop = if let ValueError::Halt(stop) = error { Some(stop) } else { None };
    Problem::Input(CalcError { span: None, message: error.to_string(), stop })
}

impl From<CalcError> for Problem {
    fn from(error: CalcError) -> Self {
        Problem::Input(error)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Problem::Other(failure)
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        Problem::Other(error.into())
    }
}
