//! One binary for all integration tests, so that they link once.

mod bad_input;
mod databases;
mod explanations;
mod facts;
mod language;
mod saved;

use gb_engine::calc::{Answer, Calculator};
use gb_value::Budget;
use gb_value::text::Style;

/// The answer to a line as text, or the error with its caret.
pub fn answer(calculator: &mut Calculator<'_>, line: &str) -> Result<String, String> {
    // A limit, so that a mistake ends in an error and not in a test that hangs.
    let budget = Budget::unlimited().with_nodes(50_000_000);
    let explain = |error: gb_engine::calc::CalcError| error.explain(line);
    match calculator.run(line, &budget).map_err(explain)? {
        Answer::Nothing => Ok(String::new()),
        Answer::Help(text) => Ok(text),
        Answer::Datum(datum) | Answer::Assigned(_, datum) => {
            Ok(calculator.show(&datum, &Style::default(), &budget).map_err(explain)?.text)
        }
    }
}
