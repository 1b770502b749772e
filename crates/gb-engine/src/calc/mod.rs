//! The calculator language: expressions over values, with variables, functions and lists.
//!
//! ```
//! use gb_engine::calc::{Answer, Calculator};
//! use gb_value::{Budget, Store, text::Style};
//!
//! let store = Store::new();
//! let mut calculator = Calculator::new(&store);
//! let budget = Budget::unlimited();
//! calculator.run("g := {1|-1} + ^", &budget)?;
//! let Answer::Datum(mean) = calculator.run("mean(g)", &budget)? else { panic!() };
//! assert_eq!(calculator.show(&mean, &Style::default(), &budget)?.text, "0");
//! # Ok::<(), gb_engine::calc::CalcError>(())
//! ```

mod arguments;
mod datum;
mod error;
mod evaluate;
mod functions;
mod help;
mod loopy;
pub mod operate;

use std::collections::BTreeMap;

use gb_value::text::{Shown, Statement, Style};
use gb_value::{Budget, Store};

pub use datum::Datum;
pub use error::CalcError;
pub use functions::{FUNCTIONS, Function};
pub use loopy::Loopy;

use evaluate::Evaluator;

/// What a line of input gave.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The line was empty or a comment.
    Nothing,
    /// The line was an expression.
    Datum(Datum),
    /// The line gave a variable a value.
    Assigned(String, Datum),
    /// The line asked for help.
    Help(String),
}

/// Names that mean something by themselves, so that no variable can have them.
const CONSTANTS: &[&str] =
    &["on", "off", "dud", "over", "under", "upon", "hi", "lo", "tis", "tisn", "true", "false", "help"];

/// A calculator: a store to compute in, and variables.
pub struct Calculator<'s> {
    store: &'s Store,
    variables: BTreeMap<String, Datum>,
}

impl<'s> Calculator<'s> {
    /// A calculator without variables that computes in `store`.
    pub fn new(store: &'s Store) -> Calculator<'s> {
        Calculator { store, variables: BTreeMap::new() }
    }

    /// The store it computes in.
    pub fn store(&self) -> &'s Store {
        self.store
    }

    /// Carries out one line. After an error everything is as it was before, whatever the error.
    pub fn run(&mut self, line: &str, budget: &Budget) -> Result<Answer, CalcError> {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            return Ok(Answer::Nothing);
        }
        if let Some(topic) =
            trimmed.strip_prefix("help").filter(|t| t.is_empty() || t.starts_with([' ', '(']))
        {
            return help::help(topic, line).map(Answer::Help);
        }
        let statement = Statement::parse(line)?;
        if let Some((name, span)) = &statement.variable
            && (CONSTANTS.contains(&name.as_str()) || functions::find(name).is_some())
        {
            let what =
                if functions::find(name).is_some() { "a function" } else { "a name with a fixed meaning" };
            return Err(CalcError::at(
                *span,
                format!("`{name}` is {what}; choose another name for the variable"),
            ));
        }
        let datum = Evaluator::new(self.store, &self.variables, budget, &statement.expression, line).run()?;
        Ok(match statement.variable {
            Some((name, _)) => {
                self.variables.insert(name.clone(), datum.clone());
                Answer::Assigned(name, datum)
            }
            None => Answer::Datum(datum),
        })
    }

    /// The text of a result.
    pub fn show(&self, datum: &Datum, style: &Style, budget: &Budget) -> Result<Shown, CalcError> {
        datum.show(&self.store.kernel(budget), style)
    }

    /// The variables and their values, in the order of their names.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Datum)> {
        self.variables.iter().map(|(name, datum)| (name.as_str(), datum))
    }

    /// Everything that can be written instead of the beginning of a name: functions, constants and variables.
    pub fn completions(&self, beginning: &str) -> Vec<String> {
        let functions = FUNCTIONS.iter().map(|f| format!("{}(", f.name));
        let constants = CONSTANTS.iter().map(|&c| c.to_owned());
        let mut found: Vec<String> = functions
            .chain(constants)
            .chain(self.variables.keys().cloned())
            .filter(|name| name.starts_with(beginning))
            .collect();
        found.sort();
        found
    }
}
