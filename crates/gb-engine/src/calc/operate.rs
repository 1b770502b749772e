//! Operators and functions on data, for those who do not write expressions.

use std::cmp::Ordering::{self, Equal, Greater, Less};
use std::sync::Arc;

use gb_value::text::{Operator, Span};
use gb_value::{Halt, Kernel, Value};

use crate::calc::arguments::Arguments;
use crate::calc::datum::Datum;
use crate::calc::error::CalcError;
use crate::calc::functions::{self, Function};
use crate::calc::loopy::Loopy;

/// Calls a function of the calculator by its name.
///
/// # Errors
/// A sentence if there is no such function, or it cannot be called with these arguments. So for all operations.
pub fn call(kernel: &Kernel<'_>, name: &str, data: &[Datum]) -> Result<Datum, CalcError> {
    let spans = vec![Span::new(0, 0); data.len()];
    run(kernel, find(name)?, data, &spans, "")
}

/// The function with this name.
pub(crate) fn find(name: &str) -> Result<&'static Function, CalcError> {
    functions::find(name).ok_or_else(|| {
        let hint = functions::similar(name, functions::FUNCTIONS.iter().map(|f| f.name));
        CalcError::general(format!("there is no function `{name}`{hint}"))
    })
}

/// Calls a function with arguments that stand at these places of a line.
pub(crate) fn run(
    kernel: &Kernel<'_>,
    function: &Function,
    data: &[Datum],
    spans: &[Span],
    line: &str,
) -> Result<Datum, CalcError> {
    let (least, most) = function.arity();
    if data.len() < least || data.len() > most {
        return Err(CalcError::general(format!(
            "`{}` takes {}, found {}",
            function.signature(),
            count(least, most),
            data.len()
        )));
    }
    (function.run)(&Arguments { kernel, data, spans, line })
}

fn count(least: usize, most: usize) -> String {
    match (least, most) {
        (1, 1) => "one argument".into(),
        (2, 2) => "two arguments".into(),
        (3, 3) => "three arguments".into(),
        (least, usize::MAX) => format!("at least {least} argument{}", if least == 1 { "" } else { "s" }),
        (least, most) => format!("{least} to {most} arguments"),
    }
}

/// A game as a game with loops.
pub(crate) fn as_loopy(datum: &Datum) -> Result<Arc<Loopy>, CalcError> {
    match datum {
        Datum::Value(value) => Ok(Arc::new(Loopy::of_value(*value))),
        Datum::Loopy(loopy) => Ok(loopy.clone()),
        other => Err(CalcError::general(format!("expected a game, found {}", other.what()))),
    }
}

/// The game with these options.
pub fn game(kernel: &Kernel<'_>, lefts: &[Datum], rights: &[Datum]) -> Result<Datum, CalcError> {
    let values = |list: &[Datum]| -> Option<Vec<Value>> {
        list.iter().map(|d| if let Datum::Value(value) = d { Some(*value) } else { None }).collect()
    };
    if let (Some(lefts), Some(rights)) = (values(lefts), values(rights)) {
        return Ok(Datum::Value(kernel.from_options(&lefts, &rights)?));
    }
    Loopy::of_options(kernel, lefts, rights)
}

/// `-datum`.
pub fn neg(kernel: &Kernel<'_>, datum: &Datum) -> Result<Datum, CalcError> {
    match datum {
        Datum::Value(value) => Ok(Datum::Value(kernel.neg(*value)?)),
        Datum::Loopy(loopy) => loopy.negate(kernel),
        other => Err(CalcError::general(format!("expected a game, found {}", other.what()))),
    }
}

/// `a + b`: in the kernel if it can hold the sum, otherwise on graphs.
pub fn add(kernel: &Kernel<'_>, a: &Datum, b: &Datum) -> Result<Datum, CalcError> {
    if let (Datum::Value(a), Datum::Value(b)) = (a, b) {
        match kernel.add(*a, *b) {
            Err(Halt::Loopy) => {}
            sum => return Ok(Datum::Value(sum?)),
        }
    }
    as_loopy(a)?.plus(&*as_loopy(b)?, kernel)
}

/// How two games compare: `None` when they are confused with each other.
pub fn compare(kernel: &Kernel<'_>, a: &Datum, b: &Datum) -> Result<Option<Ordering>, CalcError> {
    match (a, b) {
        (Datum::Value(a), Datum::Value(b)) => Ok(kernel.compare(*a, *b)?),
        _ => as_loopy(a)?.compare(&*as_loopy(b)?, kernel),
    }
}

/// Any operator between two data.
pub(crate) fn binary(
    kernel: &Kernel<'_>,
    operator: Operator,
    a: &Datum,
    b: &Datum,
) -> Result<Datum, CalcError> {
    match operator {
        Operator::Add => return add(kernel, a, b),
        Operator::Sub => return add(kernel, a, &neg(kernel, b)?),
        Operator::Sides => {
            return Loopy::of_two_sides(kernel, &*as_loopy(a)?, &*as_loopy(b)?);
        }
        _ => {}
    }
    let order = match (a, b) {
        (Datum::Value(_) | Datum::Loopy(_), Datum::Value(_) | Datum::Loopy(_)) => compare(kernel, a, b)?,
        _ => return same(kernel, operator, a, b),
    };
    Ok(Datum::Truth(match operator {
        Operator::Less => order == Some(Less),
        Operator::LessEqual => matches!(order, Some(Less | Equal)),
        Operator::Greater => order == Some(Greater),
        Operator::GreaterEqual => matches!(order, Some(Greater | Equal)),
        Operator::Equal => order == Some(Equal),
        Operator::NotEqual => order != Some(Equal),
        Operator::Confused => order.is_none(),
        Operator::LessOrConfused => matches!(order, Some(Less) | None),
        Operator::GreaterOrConfused => matches!(order, Some(Greater) | None),
        Operator::Add | Operator::Sub | Operator::Sides => unreachable!("handled above"),
    }))
}

/// `=` and `!=` between things that are no games.
fn same(kernel: &Kernel<'_>, operator: Operator, a: &Datum, b: &Datum) -> Result<Datum, CalcError> {
    let same = match (a, b) {
        (Datum::Truth(a), Datum::Truth(b)) => a == b,
        (Datum::Word(a), Datum::Word(b)) => a == b,
        (Datum::Thermograph(a), Datum::Thermograph(b)) => a == b,
        (Datum::List(a), Datum::List(b)) => {
            let mut same = a.len() == b.len();
            for (a, b) in a.iter().zip(b) {
                same = same && matches!(binary(kernel, Operator::Equal, a, b)?, Datum::Truth(true));
            }
            same
        }
        _ => return Err(CalcError::general(format!("{} cannot be compared with {}", a.what(), b.what()))),
    };
    match operator {
        Operator::Equal => Ok(Datum::Truth(same)),
        Operator::NotEqual => Ok(Datum::Truth(!same)),
        _ => Err(CalcError::general(format!("{} has no order, it can only be equal (`=`) or not", a.what()))),
    }
}
