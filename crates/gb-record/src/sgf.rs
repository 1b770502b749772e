//! SGF as a tree of named properties.
//!
//! Read by hand and not by a crate, because an error has to say where it is, and because nothing may recurse on what
//! somebody sends.

use std::collections::HashMap;
use std::fmt::Write;

/// Why a text is no record. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct RecordError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What is wrong there, and what was expected.
    pub message: String,
}

/// A property as it is written: `AB[aa][bb]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Raw {
    /// The name.
    pub name: String,
    /// The values, without escapes.
    pub values: Vec<String>,
}

impl Raw {
    /// A property with one value.
    pub fn new(name: &str, value: impl Into<String>) -> Raw {
        Raw { name: name.into(), values: vec![value.into()] }
    }

    /// The first value.
    pub fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }
}

/// A node as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawNode {
    /// The place of the parent in the list; only the first node has none.
    pub parent: Option<usize>,
    /// The properties.
    pub properties: Vec<Raw>,
    /// Where it begins in the text, for messages.
    pub place: usize,
    /// Where the values of each property begin.
    pub places: Vec<Vec<usize>>,
}

impl RawNode {
    /// The first property of this name.
    pub fn get(&self, name: &str) -> Option<&Raw> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Where a value of a property begins in the text; the beginning of the node if there is none.
    pub fn place_of(&self, name: &str, value: usize) -> usize {
        let property = self.properties.iter().position(|property| property.name == name);
        let place = property.and_then(|i| self.places.get(i)?.get(value).copied());
        place.unwrap_or(self.place)
    }
}

/// What is wrong with a value of a node.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct PropertyError {
    /// The property.
    pub property: &'static str,
    /// Which of its values.
    pub value: usize,
    /// What is wrong.
    pub message: String,
}

impl PropertyError {
    /// The same with its place in the text of the record.
    pub fn at(self, text: &str, node: &RawNode) -> RecordError {
        error_at(text, node.place_of(self.property, self.value), self.message)
    }
}

/// Line and column of a byte.
pub fn error_at(text: &str, at: usize, message: impl Into<String>) -> RecordError {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    RecordError {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message: message.into(),
    }
}

/// Reads the first game of a collection: nodes in the order of the text, so that parents come first.
///
/// # Errors
/// If the text is no SGF, or has more than `max_nodes` nodes.
pub fn read(text: &str, max_nodes: usize) -> Result<Vec<RawNode>, RecordError> {
    let (mut nodes, mut open): (Vec<RawNode>, Vec<Option<usize>>) = (vec![], vec![]);
    let (mut at, mut current) = (0, None);
    let found = |at: usize| match text[at..].chars().next() {
        Some(c) => format!("`{c}`"),
        None => "the end of the text".into(),
    };
    // Programs put all sorts of things before the record.
    at += text.find('(').ok_or_else(|| {
        error_at(text, 0, format!("found {}, expected `(` at the beginning of a record", found(0)))
    })?;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        match text.as_bytes().get(at) {
            Some(b'(') => {
                open.push(current);
                at += 1;
            }
            Some(b')') => {
                current = open.pop().unwrap_or(None);
                at += 1;
                if open.is_empty() {
                    break;
                }
            }
            Some(b';') => {
                if nodes.len() >= max_nodes {
                    return Err(error_at(text, at, format!("the record has more than {max_nodes} nodes")));
                }
                if current.is_none() && !nodes.is_empty() {
                    return Err(error_at(text, at, "a second beginning: expected `)`"));
                }
                let place = at;
                at += 1;
                let (properties, places) = properties(text, &mut at)?;
                nodes.push(RawNode { parent: current, properties, place, places });
                current = Some(nodes.len() - 1);
            }
            _ => return Err(error_at(text, at, format!("found {}, expected `;`, `(` or `)`", found(at)))),
        }
    }
    if nodes.is_empty() {
        return Err(error_at(text, 0, "the record has no nodes: expected `(;...)`"));
    }
    Ok(nodes)
}

/// The nodes from the first to the last of the main line: of several variations the first goes on.
pub fn main_line(nodes: &[RawNode]) -> impl Iterator<Item = &RawNode> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let node = nodes.get(next)?;
        // Nodes are in the order of the text, so that the first child follows its parent.
        let child = next + 1;
        next = if nodes.get(child).is_some_and(|n| n.parent == Some(next)) { child } else { nodes.len() };
        Some(node)
    })
}

/// The properties of a node, and where their values begin.
fn properties(text: &str, at: &mut usize) -> Result<(Vec<Raw>, Vec<Vec<usize>>), RecordError> {
    let mut properties: Vec<Raw> = vec![];
    let mut all_places: Vec<Vec<usize>> = vec![];
    // A megabyte has room for so many names that to look through them all each time would take minutes.
    let mut known: HashMap<String, usize> = HashMap::new();
    let skip = |at: &mut usize| *at += text[*at..].len() - text[*at..].trim_start().len();
    loop {
        skip(at);
        let length = text[*at..].bytes().take_while(u8::is_ascii_alphabetic).count();
        if length == 0 {
            return Ok((properties, all_places));
        }
        // In old records names have small letters that do not count.
        let name: String = text[*at..*at + length].chars().filter(char::is_ascii_uppercase).collect();
        if name.is_empty() {
            let found = &text[*at..*at + length];
            return Err(error_at(text, *at, format!("found `{found}`, expected a name in capital letters")));
        }
        *at += length;
        let (mut values, mut places) = (vec![], vec![]);
        skip(at);
        while text[*at..].starts_with('[') {
            *at += 1;
            places.push(*at);
            values.push(value(text, at)?);
            skip(at);
        }
        if values.is_empty() {
            return Err(error_at(text, *at, format!("expected `[` after {name}")));
        }
        match known.get(&name) {
            Some(&same) => {
                properties[same].values.append(&mut values);
                all_places[same].append(&mut places);
            }
            None => {
                known.insert(name.clone(), properties.len());
                properties.push(Raw { name, values });
                all_places.push(places);
            }
        }
    }
}

/// What stands between brackets; the reading head is behind the first.
fn value(text: &str, at: &mut usize) -> Result<String, RecordError> {
    let mut value = String::new();
    let mut letters = text[*at..].char_indices().peekable();
    while let Some((i, c)) = letters.next() {
        match c {
            ']' => {
                *at += i + 1;
                return Ok(value);
            }
            '\\' => match letters.next() {
                // An escaped end of a line is no end of a line.
                Some((_, '\r')) => _ = letters.next_if(|&(_, c)| c == '\n'),
                Some((_, '\n')) | None => {}
                Some((_, c)) => value.push(c),
            },
            '\r' => {}
            c => value.push(c),
        }
    }
    Err(error_at(text, *at, "this value is never closed: expected `]`"))
}

/// Writes nodes given in the order of a walk, parents before children and variations one after the other.
pub fn write(nodes: &[(Option<usize>, Vec<Raw>)]) -> String {
    let mut children = vec![vec![]; nodes.len()];
    for (index, (parent, _)) in nodes.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(index);
        }
    }
    enum Todo {
        Node(usize),
        Variation(usize),
        Close,
    }
    let mut text = String::from("(");
    let mut todo = vec![Todo::Node(0)];
    while let Some(next) = todo.pop() {
        match next {
            Todo::Close => text.push(')'),
            Todo::Variation(index) => {
                text.push_str("\n(");
                todo.push(Todo::Close);
                todo.push(Todo::Node(index));
            }
            Todo::Node(index) => {
                if index > 0 && !text.ends_with('(') {
                    text.push('\n');
                }
                text.push(';');
                for Raw { name, values } in &nodes[index].1 {
                    text.push_str(name);
                    for value in values {
                        let _ = write!(text, "[{}]", value.replace('\\', "\\\\").replace(']', "\\]"));
                    }
                }
                match children[index].as_slice() {
                    &[only] => todo.push(Todo::Node(only)),
                    several => todo.extend(several.iter().rev().map(|&child| Todo::Variation(child))),
                }
            }
        }
    }
    text.push_str(")\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_come_back_as_they_were() {
        let text = "junk (;FF[4]C[a \\] b \\\\ c](;B[aa];W[bb](;B[cc])(;B[dd]C[x]))(;B[ee])) more";
        let nodes = read(text, 100).unwrap();
        let parents: Vec<_> = nodes.iter().map(|n| n.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(2), Some(2), Some(0)]);
        assert_eq!(nodes[0].get("C").unwrap().value(), "a ] b \\ c");
        let plain: Vec<_> = nodes.iter().map(|n| (n.parent, n.properties.clone())).collect();
        let again = read(&write(&plain), 100).unwrap();
        assert_eq!(again.into_iter().map(|n| (n.parent, n.properties)).collect::<Vec<_>>(), plain);
    }

    #[test]
    fn errors_say_where_and_what() {
        let error = |text: &str| read(text, 3).unwrap_err().to_string();
        assert_eq!(error("hello"), "line 1, column 1: found `h`, expected `(` at the beginning of a record");
        assert_eq!(error("(;B[aa"), "line 1, column 5: this value is never closed: expected `]`");
        assert_eq!(error("(;B aa)"), "line 1, column 5: expected `[` after B");
        assert_eq!(
            error("(;B[aa]\n"),
            "line 2, column 1: found the end of the text, expected `;`, `(` or `)`"
        );
        assert_eq!(error("(;;;;)"), "line 1, column 5: the record has more than 3 nodes");
        assert_eq!(error("()"), "line 1, column 1: the record has no nodes: expected `(;...)`");
        assert!(error("((;)(;))").contains("a second beginning"));
    }

    #[test]
    fn what_was_written_can_be_read() {
        // A name without capitals was kept as no name at all, and written as such.
        assert_eq!(
            read("(;abc[x])", 3).unwrap_err().to_string(),
            "line 1, column 3: found `abc`, expected a name in capital letters"
        );
        // An escaped end of a line of two characters left one of them, which was lost when it was read again.
        for (text, value) in [("(;C[a\\\r\nb])", "ab"), ("(;C[a\\\rb])", "ab"), ("(;C[a\r\nb])", "a\nb")] {
            let nodes = read(text, 3).unwrap();
            assert_eq!(nodes[0].get("C").unwrap().value(), value, "{text:?}");
        }
    }

    #[test]
    fn many_names_are_no_problem() {
        let letter = |n: usize| char::from(b'A' + (n % 26) as u8);
        let name =
            |n: usize| String::from_iter([letter(n), letter(n / 26), letter(n / 676), letter(n / 17_576)]);
        let text: String = (0..200_000).map(|n| name(n) + "[]").collect();
        assert_eq!(read(&format!("(;{text}A[1]A[2])"), 3).unwrap()[0].properties.len(), 200_001);
    }

    #[test]
    fn depth_is_no_problem() {
        let deep = format!("{}{}", "(;B[a]".repeat(50_000), ")".repeat(50_000));
        let nodes = read(&deep, 100_000).unwrap();
        assert_eq!(nodes.len(), 50_000);
        let plain: Vec<_> = nodes.into_iter().map(|n| (n.parent, n.properties)).collect();
        assert_eq!(read(&write(&plain), 100_000).unwrap().len(), 50_000);
    }
}
