//! The texts of `help`.

use gb_value::text::Span;

use crate::calc::error::CalcError;
use crate::calc::functions::{FUNCTIONS, find, similar};

const OVERVIEW: &str = "\
Games      0  -3/4  *  *2  ^  v  ^^*  1^3*2  {1|-1}  {2,*|{0|-1}}  2|0||-1  +-1  Tiny(2)  ^<2>  ^[3]
           on off dud over under upon, and loops such as a{0|a}
Sums       G + H, G - H, -G; `-1^` is (-1)+^ but `a-1^` is a-(1+^)
Compare    < > <= >= = != || (confused)  <| (less or confused)  |> (greater or confused)
Variables  g := {1|-1}
Lists      [1, *, ^]
Functions  (`help mean` tells more about one)
";

/// The answer to `help` followed by a topic.
pub(crate) fn help(topic: &str, line: &str) -> Result<String, CalcError> {
    let topic = topic.trim_matches([' ', '(', ')']);
    if topic.is_empty() {
        let width = FUNCTIONS.iter().map(|f| f.signature().len()).max().unwrap_or(0);
        let mut text = OVERVIEW.to_owned();
        for function in FUNCTIONS {
            text.push_str(&format!("  {:width$}  {}\n", function.signature(), function.help));
        }
        return Ok(text);
    }
    let Some(function) = find(topic) else {
        let at = line.find(topic).unwrap_or(0);
        let hint = similar(topic, FUNCTIONS.iter().map(|f| f.name));
        let message = format!("there is no function `{topic}`{hint}; `help` lists them all");
        return Err(CalcError::at(Span::new(at, at + topic.len()), message));
    };
    let also = match function.aliases {
        [] => String::new(),
        names => format!("also called {}\n", names.join(", ")),
    };
    Ok(format!("{}\n{}\n{also}example: {}\n", function.signature(), function.help, function.example))
}
