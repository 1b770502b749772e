//! Printing: `over`, `{on|0}`, `a{0|{a|*}}`.
//!
//! A position that is met again inside its own braces gets a letter; anything else met again is written again,
//! since a letter is known only inside the braces it stands before. That can be long, hence the limit.

use super::graph::heights;
use super::{LoopyGame, NodeId, Sides};
use crate::text::{Script, Shown, Style, cut};

/// Letters for loops. `v` is missing: it reads as down.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuwxyz";

/// How a caller prints positions from which all play ends; `None` leaves them to the braces.
pub type ShowShort<'a> = &'a dyn Fn(&LoopyGame, NodeId) -> Option<String>;

enum Piece {
    Text(String),
    /// Opening brace of this pair of braces, with a letter if it is needed.
    Open(usize),
    /// A way back to an enclosing pair of braces.
    Back(usize),
}

enum Task {
    Node(u32),
    Text(&'static str),
    Close(u32),
}

impl LoopyGame {
    /// The game as text, cut where it is longer than the style allows. Short positions are printed by `short`; on, off,
    /// over, under, upon, upon* and their negatives by name where the graph is exactly theirs. Options that have such
    /// texts come first, in the order of these.
    pub fn show(&self, short: ShowShort, style: &Style) -> Shown {
        let ends = heights(&self.nodes);
        let text = |v: u32| {
            let short = if ends[v as usize].is_some() { short(self, NodeId(v)) } else { None };
            short.or_else(|| self.name_at(v, style.script))
        };
        self.show_with(&text, style)
    }

    /// The game as text, those positions excepted for which `name` has one.
    pub(crate) fn show_with(&self, name: &dyn Fn(u32) -> Option<String>, style: &Style) -> Shown {
        let (open, close) = if style.script == Script::Latex { ("\\{", "\\}") } else { ("{", "}") };
        let mut texts: Vec<Option<Option<String>>> = vec![None; self.nodes.len()];
        let mut text_of = |v: u32| texts[v as usize].get_or_insert_with(|| name(v)).clone();
        let mut open_at: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut lettered: Vec<bool> = Vec::new();
        let mut pieces = Vec::new();
        let mut length = 0;
        let mut tasks = vec![Task::Node(self.root)];
        while let Some(task) = tasks.pop()
            && length <= style.max_len
        {
            let piece = match task {
                Task::Text(text) => Piece::Text(text.to_string()),
                Task::Close(v) => {
                    open_at[v as usize] = None;
                    Piece::Text(close.to_string())
                }
                Task::Node(v) => {
                    if let Some(braces) = open_at[v as usize] {
                        lettered[braces] = true;
                        Piece::Back(braces)
                    } else if let Some(text) = text_of(v) {
                        Piece::Text(text)
                    } else {
                        let braces = lettered.len();
                        lettered.push(false);
                        open_at[v as usize] = Some(braces);
                        tasks.push(Task::Close(v));
                        let node = &self.nodes[v as usize];
                        push_options(&mut tasks, &node.right, &mut text_of);
                        tasks.push(Task::Text("|"));
                        push_options(&mut tasks, &node.left, &mut text_of);
                        Piece::Open(braces)
                    }
                }
            };
            length += match &piece {
                Piece::Text(text) => text.len(),
                Piece::Open(_) | Piece::Back(_) => 1,
            };
            pieces.push(piece);
        }
        let mut used = 0;
        let letters: Vec<String> = lettered
            .iter()
            .map(|&needed| {
                let letter = if needed { letter(used) } else { String::new() };
                used += usize::from(needed);
                letter
            })
            .collect();
        let mut text = String::with_capacity(length);
        for piece in &pieces {
            match piece {
                Piece::Text(t) => text.push_str(t),
                Piece::Open(braces) => {
                    text.push_str(&letters[*braces]);
                    text.push_str(open);
                }
                Piece::Back(braces) => text.push_str(&letters[*braces]),
            }
        }
        cut(text, style)
    }

    /// The name of the position if its part of the graph is exactly the definition of a named game.
    fn name_at(&self, v: u32, script: Script) -> Option<String> {
        let node = |v: u32| &self.nodes[v as usize];
        let zero = |v: u32| node(v).edges() == 0;
        let all_zero = |options: &[u32]| options.len() == 1 && zero(options[0]);
        let star = |v: u32| all_zero(&node(v).left) && all_zero(&node(v).right);
        let loops = |options: &[u32]| options == [v];
        let loops_or_zero =
            |options: &[u32]| options.len() == 2 && options.contains(&v) && options.iter().any(|&o| zero(o));
        let (left, right) = (&node(v).left[..], &node(v).right[..]);
        let (minus, word, star_behind) = match (left, right) {
            ([], []) => ("", "0", ""),
            (_, []) if loops(left) => ("", "on", ""),
            ([], _) if loops(right) => ("", "off", ""),
            _ if loops(left) && loops(right) => ("", "dud", ""),
            _ if all_zero(left) && loops(right) => ("", "over", ""),
            _ if loops(left) && all_zero(right) => ("", "under", ""),
            (_, &[r]) if loops(left) && star(r) => ("", "upon", ""),
            (&[l], _) if star(l) && loops(right) => ("-", "upon", ""),
            _ if loops_or_zero(left) && all_zero(right) => ("", "upon", "*"),
            _ if all_zero(left) && loops_or_zero(right) => ("-", "upon", "*"),
            _ if star(v) => ("", "", "*"),
            _ => return None,
        };
        let word = if word.len() > 1 { script.name(word) } else { word.to_owned() };
        Some(format!("{minus}{word}{star_behind}"))
    }
}

fn push_options(tasks: &mut Vec<Task>, options: &[u32], text_of: &mut impl FnMut(u32) -> Option<String>) {
    let mut options: Vec<(bool, Option<String>, u32)> =
        options.iter().map(|&v| (text_of(v), v)).map(|(text, v)| (text.is_none(), text, v)).collect();
    options.sort();
    for (i, &(_, _, option)) in options.iter().enumerate().rev() {
        tasks.push(Task::Node(option));
        if i > 0 {
            tasks.push(Task::Text(","));
        }
    }
}

fn letter(i: usize) -> String {
    let mut name = char::from(LETTERS[i % LETTERS.len()]).to_string();
    if i >= LETTERS.len() {
        name.push_str(&(i / LETTERS.len()).to_string());
    }
    name
}

impl Sides {
    /// The value as text: a stopper as itself, `dud`, or `onside & offside`.
    pub fn show(&self, short: ShowShort, style: &Style) -> Shown {
        let onside = self.onside().game().show(short, style);
        if self.as_stopper().is_some() || onside.cut {
            return onside;
        }
        let offside = self.offside().game().show(short, style);
        match (&onside.text[..], &offside.text[..]) {
            ("on", "off") => Shown { text: "dud".to_owned(), cut: false },
            (onside, offside) => cut(format!("{onside} & {offside}"), style),
        }
    }
}
