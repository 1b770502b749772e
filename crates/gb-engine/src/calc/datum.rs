//! What an expression can be worth.

use std::sync::Arc;

use gb_value::text::{Script, Shown, Style};
use gb_value::{Kernel, Thermograph, Value};

use crate::calc::error::CalcError;
use crate::calc::loopy::Loopy;

/// What an expression is worth.
#[derive(Clone, Debug)]
pub enum Datum {
    /// A game; numbers are games.
    Value(Value),
    /// A game with loops other than on and off.
    Loopy(Arc<Loopy>),
    /// The answer to a comparison.
    Truth(bool),
    /// A word, such as an outcome.
    Word(String),
    /// Several games.
    List(Vec<Datum>),
    /// A thermograph.
    Thermograph(Arc<Thermograph>),
}

impl Datum {
    /// What it is, in a sentence that says what was found instead.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Datum::Value(_) => "a game",
            Datum::Loopy(_) => "a game with loops",
            Datum::Truth(_) => "a truth value",
            Datum::Word(_) => "a word",
            Datum::List(_) => "a list",
            Datum::Thermograph(_) => "a thermograph",
        }
    }

    pub(crate) fn show(&self, kernel: &Kernel<'_>, style: &Style) -> Result<Shown, CalcError> {
        Ok(match self {
            Datum::Value(value) => kernel.show(*value, style)?,
            Datum::Loopy(loopy) => loopy.show(kernel, style),
            Datum::Truth(truth) => whole(truth.to_string()),
            Datum::Word(word) => whole(word.clone()),
            Datum::Thermograph(graph) => {
                whole(format!("left {}, right {}", graph.left_wall(), graph.right_wall()))
            }
            Datum::List(items) => show_list(items, kernel, style)?,
        })
    }
}

fn whole(text: String) -> Shown {
    Shown { text, cut: false }
}

fn show_list(items: &[Datum], kernel: &Kernel<'_>, style: &Style) -> Result<Shown, CalcError> {
    let mut text = String::from("[");
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push_str(", ");
        }
        let room = style.max_len.saturating_sub(text.len() + 1);
        let shown = item.show(kernel, &Style { max_len: room, ..*style })?;
        let no_room = shown.cut && shown.text.len() > room;
        if !no_room {
            text.push_str(&shown.text);
        }
        if shown.cut || text.len() + 1 > style.max_len {
            if no_room {
                text.push_str(if style.script == Script::Unicode { "…" } else { "..." });
            }
            return Ok(Shown { text, cut: true });
        }
    }
    text.push(']');
    Ok(whole(text))
}
