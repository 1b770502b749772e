//! Every example of docs/language.md is run: a line `> input`, and under it what the calculator answers.

use std::path::Path;

use gb_engine::calc::Calculator;
use gb_value::Store;

use crate::answer;

#[test]
fn the_examples_of_the_language_are_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/language.md");
    let text = std::fs::read_to_string(path).expect("docs/language.md");
    let store = Store::new();
    let mut calculator = Calculator::new(&store);
    let mut examples = 0;
    let mut wrong = String::new();
    let mut fenced = false;
    let mut asked: Option<(String, String)> = None;
    for line in text.lines().chain(["```"]) {
        let question = line.strip_prefix("> ").filter(|_| fenced);
        let answered = line.starts_with("```") || question.is_some();
        if let Some((question, expected)) = asked.take_if(|_| answered) {
            let got = answer(&mut calculator, &question).unwrap_or_else(|error| error);
            if got.trim_end() != expected.trim_end() {
                wrong.push_str(&format!("> {question}\n{got}\n    instead of\n{expected}"));
            }
            examples += 1;
        }
        if line.starts_with("```") {
            fenced = !fenced;
        } else if let Some(question) = question {
            asked = Some((question.to_owned(), String::new()));
        } else if let Some((_, expected)) = &mut asked {
            expected.push_str(line);
            expected.push('\n');
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(examples > 60, "only {examples} examples were found");
}
