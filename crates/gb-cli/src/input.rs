//! Many inputs, one a line.

use std::io::BufRead;

use crate::errors::{Failure, Worst};
use crate::output::{self, JsonError};

/// A longer line is refused before it fills the memory.
const MAX_LINE: u64 = 1 << 26;
/// Of a line that is too long so much more is skipped; after that nothing is read any more, since it may never end.
const MAX_SKIPPED: u64 = 1 << 30;

/// What is said about a line after which nothing is read any more.
const ENDLESS: &str = "the line does not end: nothing more is read";

/// The next line without its end; `None` at the end of the input. A line that cannot be read is a sentence.
pub fn next_line(input: &mut impl BufRead) -> Option<Result<String, String>> {
    let mut bytes = vec![];
    let mut limited = std::io::Read::take(&mut *input, MAX_LINE);
    match limited.read_until(b'\n', &mut bytes) {
        Ok(0) => return None,
        Ok(_) if bytes.len() as u64 == MAX_LINE => {
            // The rest of this line is no line of its own.
            let mut rest = std::io::Read::take(&mut *input, MAX_SKIPPED);
            return match rest.skip_until(b'\n') {
                Ok(skipped) if skipped as u64 == MAX_SKIPPED => Some(Err(ENDLESS.into())),
                _ => Some(Err(format!("the line is longer than {MAX_LINE} bytes"))),
            };
        }
        Ok(_) => {}
        Err(error) => return Some(Err(format!("reading the input: {error}"))),
    }
    while bytes.last().is_some_and(|b| matches!(b, b'\n' | b'\r')) {
        bytes.pop();
    }
    Some(
        String::from_utf8(bytes).map_err(|error| {
            format!("byte {} of the line is not UTF-8", error.utf8_error().valid_up_to() + 1)
        }),
    )
}

/// Whether nothing more is to be read after this line.
pub fn is_endless(line: &Result<String, String>) -> bool {
    line.as_ref().is_err_and(|sentence| sentence == ENDLESS)
}

/// Runs `work` on one input, or with `-` on each line of standard input: a bad line gets an error line of its own, and
/// the rest go on.
pub fn for_each_input(
    argument: &str,
    json: bool,
    mut work: impl FnMut(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if argument != "-" {
        return match work(argument) {
            Err(Failure::Input(sentence)) if json => {
                output::json(&JsonError { error: &sentence, input: argument, column: None })?;
                Err(Failure::BadInput)
            }
            Err(Failure::Limit(sentence)) if json => {
                output::json(&JsonError { error: &sentence, input: argument, column: None })?;
                Err(Failure::Halted)
            }
            done => done,
        };
    }
    let mut input = std::io::stdin().lock();
    let (mut worst, mut number) = (Worst::default(), 0);
    while let Some(line) = next_line(&mut input) {
        number += 1;
        let (sentence, limit) = match &line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => match work(line.trim()) {
                Ok(()) => continue,
                Err(Failure::Halted) => {
                    worst.note(true);
                    continue;
                }
                // A line that makes no sense is a bad line, and the rest go on.
                Err(Failure::Input(sentence) | Failure::Usage(sentence)) => (sentence, false),
                Err(Failure::Limit(sentence)) => (sentence, true),
                Err(other) => return Err(other),
            },
            Err(sentence) => (sentence.clone(), false),
        };
        worst.note(limit);
        if json {
            output::json(&JsonError {
                error: &sentence,
                input: line.as_deref().unwrap_or(""),
                column: None,
            })?;
        } else {
            output::line(&format!("error: line {number}: {sentence}"))?;
        }
        if is_endless(&line) {
            break;
        }
    }
    worst.result()
}
