//! From the text of a game to its [tree](GameText).

mod heap;
mod moves;

use std::cell::Cell;

use gb_board::Look;

use crate::cursor::{Cursor, in_word, listed};
use crate::error::{Place, TextError};
use crate::tree::{
    Action, BoardKind, Claim, ClaimKind, GameText, Ground, Legal, Letter, LetterSet, MoveRule, Parameter,
    Play, Start, name_with,
};

/// How long a text may be.
pub const MAX_TEXT: usize = 20_000;
/// How many lines it may have.
const MAX_LINES: usize = 400;
/// How many letters a board may have.
pub const MAX_LETTERS: usize = 15;
/// How many moves may be written.
const MAX_MOVES: usize = 64;
/// How many parameters a game may have.
const MAX_PARAMETERS: usize = 8;
/// How many numbers may be given for a list.
const MAX_LIST: usize = 64;

/// Characters that mean something in patterns.
const RESERVED: &str = "[]{}()/;,*?~|:\"'<>";

const KEYWORDS: &[&str] = &[
    "game", "title", "rules", "board", "cells", "left", "right", "both", "legal", "start", "example",
    "claim", "play", "look",
];

/// The lines of a text with their keywords.
struct Line<'a> {
    keyword: &'a str,
    at: Place,
    cursor: Cursor<'a>,
}

/// What the moves of a text refer to.
pub(crate) struct Names<'a> {
    board: BoardKind,
    cells: &'a [Letter],
    /// The names of the numbers of a heap.
    numbers: Vec<String>,
    parameters: &'a [Parameter],
    /// Which of the parameters have been asked for, as bits.
    used: Cell<u32>,
}

/// Reads the text of a game. `given` are its parameters; where there are none, the defaults of the text count.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn parse(text: &str, given: &[String]) -> Result<GameText, TextError> {
    if text.len() > MAX_TEXT {
        return Err(TextError::TooLarge {
            found: format!("a text of {} bytes", text.len()),
            limit: format!("at most {MAX_TEXT} bytes"),
        });
    }
    let lines = lines(text)?;
    let (name, mut parameters) = match lines.first() {
        Some(line) if line.keyword == "game" => head(line.cursor.clone(), given)?,
        Some(line) => {
            let found = format!("`{}`", line.keyword);
            let expected = "the first line, such as `game clobber`".into();
            return Err(TextError::Syntax { at: line.at, found, expected });
        }
        None => return Err(TextError::Missing { line: "game", expected: "`game` and a name" }),
    };
    if let Some(line) = lines[1..].iter().find(|line| line.keyword == "game") {
        return Err(TextError::meaning(line.at, "a text has one line `game`, its first"));
    }
    let once = |keyword: &'static str| -> Result<Option<Cursor<'_>>, TextError> {
        let mut found = lines.iter().filter(|line| line.keyword == keyword);
        let first = found.next();
        match found.next() {
            Some(second) => {
                Err(TextError::meaning(second.at, format!("there are two lines `{keyword}`, expected one")))
            }
            None => Ok(first.map(|line| line.cursor.clone())),
        }
    };
    let (board, numbers) = match once("board")? {
        Some(cursor) => board(cursor)?,
        None => {
            return Err(TextError::Missing {
                line: "board",
                expected: "`board grid`, `board strip`, `board hex`, `board heap`, `board graph` or `board edges`",
            });
        }
    };
    let cells = match (once("cells")?, board) {
        (Some(cursor), BoardKind::Heap(_)) => {
            return Err(TextError::meaning(cursor.place(), "heaps have no letters, so no line `cells`"));
        }
        (None, BoardKind::Heap(_)) => vec![],
        (Some(cursor), _) => cells(cursor)?,
        (None, _) => {
            return Err(TextError::Missing {
                line: "cells",
                expected: "the letters and their meanings, as in `cells . empty, x Left, o Right`",
            });
        }
    };
    let names = Names { board, cells: &cells, numbers, parameters: &parameters, used: Cell::new(0) };
    let (mut moves, mut legal, mut claims) = (vec![], vec![], vec![]);
    for line in &lines {
        let cursor = line.cursor.clone();
        match line.keyword {
            "left" | "right" | "both" => moves::line(&names, line.keyword, cursor, &mut moves)?,
            "legal" => legal_line(&names, cursor, &mut legal)?,
            "claim" => claim_line(&names, cursor, &mut claims)?,
            _ => {}
        }
        if moves.len() > MAX_MOVES {
            return Err(TextError::meaning(line.at, format!("more than {MAX_MOVES} moves are too many")));
        }
    }
    if moves.is_empty() {
        return Err(TextError::Missing {
            line: "both:",
            expected: "the moves of `left:`, `right:` or `both:`",
        });
    }
    let start = once("start")?.map(|cursor| start(&names, cursor)).transpose()?;
    let used = names.used.get();
    parameters.iter_mut().enumerate().for_each(|(index, p)| p.used = used >> index & 1 == 1);
    let play = match once("play")? {
        Some(cursor) => play(cursor, &moves, &claims)?,
        None => Play::default(),
    };
    let look = match once("look")? {
        Some(cursor) if !matches!(board, BoardKind::Grid | BoardKind::Strip) => {
            return Err(TextError::meaning(cursor.place(), "only grids and strips have several looks"));
        }
        Some(cursor) => look(cursor)?,
        None => Look::default(),
    };
    let example = once("example")?.map(|mut cursor| {
        cursor.skip_spaces();
        (cursor.place(), cursor.all().to_string())
    });
    let title = match once("title")? {
        Some(mut cursor) => cursor.all().to_string(),
        None => headline(&name),
    };
    let words: Vec<&str> =
        lines.iter().filter(|l| l.keyword == "rules").map(|l| l.cursor.clone().all()).collect();
    let rules = if words.is_empty() { in_short(&lines) } else { words.join(" ") };
    Ok(GameText {
        name,
        parameters,
        title,
        rules,
        example,
        board,
        cells,
        moves,
        legal,
        start,
        claims,
        play,
        look,
    })
}

/// Takes comments away and finds the keywords.
fn lines(text: &str) -> Result<Vec<Line<'_>>, TextError> {
    let mut lines = vec![];
    for (index, line) in text.lines().enumerate() {
        if index >= MAX_LINES {
            return Err(TextError::TooLarge {
                found: "a text of more lines".into(),
                limit: format!("at most {MAX_LINES}"),
            });
        }
        let comment = line
            .match_indices("//")
            .find(|&(at, _)| line[..at].is_empty() || line[..at].ends_with(|c: char| c.is_whitespace()));
        let line = comment.map_or(line, |(at, _)| &line[..at]);
        let mut cursor = Cursor::new(index + 1, line);
        if cursor.at_end() {
            continue;
        }
        let (at, before) = (cursor.place(), cursor.clone());
        let keyword = cursor.word().filter(|word| KEYWORDS.contains(word));
        let keyword = keyword
            .ok_or_else(|| before.expected(format!("a line that begins with {}", listed(KEYWORDS))))?;
        if ["left", "right", "both", "legal"].contains(&keyword) {
            cursor.need(":", "`:`")?;
        } else {
            cursor.take(":");
        }
        lines.push(Line { keyword, at, cursor });
    }
    Ok(lines)
}

/// `clobber`, or `take(k = 3)`, or `subtraction(s... = 1 3 4)`.
fn head(mut cursor: Cursor<'_>, given: &[String]) -> Result<(String, Vec<Parameter>), TextError> {
    cursor.skip_spaces();
    let before = cursor.clone();
    let name = cursor.word().ok_or_else(|| before.expected("the name of the game, such as `clobber`"))?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(plain) || name.len() > 40 {
        return Err(before
            .expected("a name of at most 40 small letters, digits and dashes, such as `toads-and-frogs`"));
    }
    let mut parameters: Vec<Parameter> = vec![];
    if cursor.take("(") {
        loop {
            cursor.skip_spaces();
            let (place, before) = (cursor.place(), cursor.clone());
            let parameter = cursor.word().ok_or_else(|| before.expected("the name of a parameter"))?;
            let is_list = cursor.take("...");
            cursor
                .need("=", "`=` and what the parameter is if nothing is given, as in `game take(k = 3)`")?;
            let mut values = vec![];
            loop {
                cursor.skip_spaces();
                let value: String =
                    cursor.rest().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
                if value.is_empty() {
                    break;
                }
                value.chars().for_each(|_| _ = cursor.next());
                values.push(value);
            }
            if values.is_empty() || (!is_list && values.len() > 1) || values.len() > MAX_LIST {
                return Err(cursor.expected(if is_list {
                    "numbers such as `1 3 4`"
                } else {
                    "a number such as `3`"
                }));
            }
            if parameters.iter().any(|known| known.name == parameter) || parameters.len() >= MAX_PARAMETERS {
                return Err(TextError::meaning(
                    place,
                    format!("`{parameter}` is one parameter too many, or there twice"),
                ));
            }
            let ends = is_list || cursor.take(")");
            parameters.push(Parameter {
                at: place,
                name: parameter.to_string(),
                is_list,
                values,
                used: false,
            });
            if ends {
                if is_list {
                    cursor.need(")", "`)` after a list, which is the last parameter")?;
                }
                break;
            }
            cursor.need(",", "`,` or `)`")?;
        }
    }
    if !cursor.at_end() {
        return Err(cursor.expected("the end of the line"));
    }
    fill(name, &mut parameters, given)?;
    Ok((name.to_string(), parameters))
}

/// Puts what was given in the place of the defaults.
fn fill(name: &str, parameters: &mut [Parameter], given: &[String]) -> Result<(), TextError> {
    if given.is_empty() {
        return Ok(());
    }
    let example = name_with(name, parameters);
    let wrong =
        |problem: String| TextError::Parameters { game: name.to_string(), problem, example: example.clone() };
    let has_list = parameters.last().is_some_and(|p| p.is_list);
    let single = parameters.iter().filter(|p| !p.is_list).count();
    if given.len() < single + usize::from(has_list)
        || (!has_list && given.len() > single)
        || given.len() > single + MAX_LIST
    {
        let needs = match (single, has_list) {
            (0, false) => "takes no parameters".to_string(),
            (count, false) => format!("takes {count} parameters"),
            (0, true) => "takes a list of numbers".to_string(),
            (count, true) => format!("takes {count} parameters and a list of numbers"),
        };
        return Err(wrong(format!("{needs}, but {} were given", given.len())));
    }
    if let Some(odd) =
        given.iter().find(|g| g.is_empty() || !g.chars().all(|c| c.is_ascii_alphanumeric() || c == '.'))
    {
        return Err(wrong(format!("takes numbers, not `{odd}`")));
    }
    for (index, parameter) in parameters.iter_mut().enumerate() {
        let given = if parameter.is_list { &given[index..] } else { &given[index..=index] };
        // What the text says is a number, what is given is one too; codes have a point.
        let is_number = |value: &String| value.chars().all(|c| c.is_ascii_digit());
        if parameter.values.iter().all(is_number)
            && let Some(odd) = given.iter().find(|value| !is_number(value))
        {
            let kind = if parameter.is_list { "numbers" } else { "a number" };
            return Err(wrong(format!("takes {kind} for `{}`, not `{odd}`", parameter.name)));
        }
        parameter.values = given.to_vec();
    }
    Ok(())
}

fn board(mut cursor: Cursor<'_>) -> Result<(BoardKind, Vec<String>), TextError> {
    let words = ["grid", "strip", "hex", "heap", "graph", "edges"];
    let kind = cursor.one_of(&words)?;
    let mut numbers = vec![];
    let board = match kind {
        0 => BoardKind::Grid,
        1 => BoardKind::Strip,
        2 => BoardKind::Hex,
        3 => {
            while let Some(name) = cursor.word() {
                if name != "x" {
                    numbers.push(name.to_string());
                }
            }
            if numbers.is_empty() {
                numbers.push("n".into());
            }
            BoardKind::Heap(numbers.len())
        }
        4 => BoardKind::Graph,
        _ => BoardKind::Edges,
    };
    if !cursor.at_end() {
        return Err(cursor.expected("the end of the line"));
    }
    if numbers.len() > 3 {
        return Err(cursor.expected("at most three numbers a heap"));
    }
    Ok((board, numbers))
}

fn cells(mut cursor: Cursor<'_>) -> Result<Vec<Letter>, TextError> {
    let mut cells: Vec<Letter> = vec![];
    loop {
        cursor.skip_spaces();
        let before = cursor.clone();
        let letter = cursor.next().filter(|c| !RESERVED.contains(*c) && !c.is_control());
        let letter =
            letter.ok_or_else(|| before.expected(format!("a letter of the board, none of `{RESERVED}`")))?;
        if cells.iter().any(|known| known.letter == letter) {
            return Err(TextError::meaning(before.place(), format!("the letter `{letter}` is there twice")));
        }
        if !cursor.rest().is_empty() && !cursor.rest().starts_with([' ', '\t', ',']) {
            return Err(cursor.expected("a space after the letter, then its meaning"));
        }
        let rest = cursor.rest();
        let meaning = rest.split(',').next().unwrap_or("").trim();
        while cursor.peek().is_some_and(|c| c != ',') {
            cursor.next();
        }
        let meaning = if meaning.is_empty() { "cell" } else { meaning };
        cells.push(Letter { letter, meaning: meaning.to_string() });
        if cells.len() > MAX_LETTERS {
            return Err(TextError::meaning(
                before.place(),
                format!("more than {MAX_LETTERS} letters are too many"),
            ));
        }
        if !cursor.take(",") {
            break;
        }
    }
    Ok(cells)
}

fn legal_line(names: &Names<'_>, mut cursor: Cursor<'_>, legal: &mut Vec<Legal>) -> Result<(), TextError> {
    loop {
        let mut pair = cursor.clone();
        if pair.take_word("every") && !pair.clone().take_word("group") {
            let (one, other) = (names.letters(&mut pair)?, names.letters(&mut pair)?);
            let step = if pair.take_word("along") {
                // The two have to be neighbours, so that no part holds one without the other.
                let is_near = |(_, (down, right)): &&(&str, (i32, i32))| {
                    down * right == 0 && (names.board != BoardKind::Strip || *down == 0)
                };
                let near: Vec<_> = moves::NAMED.iter().filter(is_near).collect();
                let words: Vec<&str> = near.iter().map(|(name, _)| *name).collect();
                near[pair.one_of(&words)?].1
            } else {
                (0, 1)
            };
            pair.need("touches", "`along` and a direction, or `touches`")?;
            legal.push(Legal::Pairs(one, other, step, names.letters(&mut pair)?));
            cursor = pair;
        } else if cursor.take_word("every") {
            cursor.need("group", "`group of`")?;
            cursor.need("of", "`of`")?;
            let group = names.letters(&mut cursor)?;
            cursor.need("touches", "`touches`")?;
            legal.push(Legal::Touches(group, names.letters(&mut cursor)?));
        } else if cursor.take_word("no") {
            let one = names.letters(&mut cursor)?;
            cursor.need("beside", "`beside`")?;
            legal.push(Legal::Apart(one, names.letters(&mut cursor)?));
        } else {
            return Err(
                cursor.expected("`every group of x touches .`, `every ab touches .` or `no x beside x`")
            );
        }
        if cursor.at_end() {
            return Ok(());
        }
        cursor.need(";", "`;` or the end of the line")?;
    }
}

fn claim_line(names: &Names<'_>, mut cursor: Cursor<'_>, claims: &mut Vec<Claim>) -> Result<(), TextError> {
    cursor.skip_spaces();
    let (at, text) = (cursor.place(), cursor.rest().trim_end().to_string());
    let kind = match cursor.one_of(&["mirrors", "transpose", "swap", "parts", "ends"])? {
        0 => ClaimKind::Mirrors,
        1 => ClaimKind::Transpose,
        2 => ClaimKind::Swap(names.letter(&mut cursor)?, names.letter(&mut cursor)?),
        3 => {
            let letters = names.letters(&mut cursor)?;
            ClaimKind::Parts(letters, cursor.take_word("diagonal"))
        }
        _ => ClaimKind::Ends,
    };
    if !cursor.at_end() {
        return Err(cursor.expected("the end of the line"));
    }
    claims.push(Claim { at, text, kind });
    Ok(())
}

fn start(names: &Names<'_>, mut cursor: Cursor<'_>) -> Result<Start, TextError> {
    let three = |cursor: &mut Cursor<'_>| -> Result<[usize; 3], TextError> {
        Ok([names.letter(cursor)?, names.letter(cursor)?, names.letter(cursor)?])
    };
    let ground = match cursor.one_of(&["fill", "checker", "thirds", "corners", "rows"])? {
        0 => Ground::Fill(names.letter(&mut cursor)?),
        1 => Ground::Checker(names.letter(&mut cursor)?, names.letter(&mut cursor)?),
        2 => Ground::Thirds(three(&mut cursor)?),
        3 => Ground::Corners(three(&mut cursor)?),
        _ => Ground::Rows([names.run(&mut cursor)?, names.run(&mut cursor)?, names.run(&mut cursor)?]),
    };
    let middle = if cursor.take_word("middle") { names.run(&mut cursor)? } else { vec![] };
    if !cursor.at_end() {
        return Err(cursor.expected("`middle` and letters, or the end of the line"));
    }
    Ok(Start { ground, middle })
}

fn play(mut cursor: Cursor<'_>, moves: &[MoveRule], claims: &[Claim]) -> Result<Play, TextError> {
    cursor.skip_spaces();
    let at = cursor.place();
    let play = match cursor.one_of(&["normal", "misere", "score"])? {
        0 => Play::Normal,
        1 => Play::Misere,
        _ => Play::Score,
    };
    if !cursor.at_end() {
        return Err(cursor.expected("the end of the line"));
    }
    if play == Play::Misere {
        let scores = |rule: &MoveRule| matches!(&rule.action, Action::Rewrite(r) if r.points.each > 0);
        if moves.iter().any(scores) {
            return Err(TextError::meaning(
                at,
                "in misère play who cannot move wins, and no points are counted: expected no `scores`",
            ));
        }
        if let Some(claim) = claims.iter().find(|claim| claim.kind != ClaimKind::Ends) {
            return Err(TextError::meaning(
                claim.at,
                "this is claimed of values, and positions have none in misère play: expected no claim but `claim ends`",
            ));
        }
    }
    Ok(play)
}

/// What the board looks like.
fn look(mut cursor: Cursor<'_>) -> Result<Look, TextError> {
    let look = match cursor.one_of(&["cells", "tiles", "checkered", "lines"])? {
        0 => Look::Cells,
        1 => Look::Tiles,
        2 => Look::Checkered,
        _ => Look::Lines,
    };
    if !cursor.at_end() {
        return Err(cursor.expected("the end of the line"));
    }
    Ok(look)
}

impl Names<'_> {
    fn index(&self, letter: char) -> Option<usize> {
        self.cells.iter().position(|known| known.letter == letter)
    }

    /// The letters of the board, for an error message.
    fn expected(&self) -> String {
        let letters: Vec<String> = self.cells.iter().map(|cell| cell.letter.to_string()).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        format!("a letter of the board: {}", listed(&letters))
    }

    /// A letter of the board.
    fn letter(&self, cursor: &mut Cursor<'_>) -> Result<usize, TextError> {
        cursor.skip_spaces();
        let before = cursor.clone();
        cursor.next().and_then(|c| self.index(c)).ok_or_else(|| before.expected(self.expected()))
    }

    /// Letters up to the next space.
    fn run(&self, cursor: &mut Cursor<'_>) -> Result<Vec<usize>, TextError> {
        let mut letters = vec![self.letter(cursor)?];
        while cursor.peek().is_some_and(|c| !c.is_whitespace()) {
            letters.push(self.letter(cursor)?);
        }
        Ok(letters)
    }

    /// A letter, or several in brackets: `x`, `[xo]`.
    fn letters(&self, cursor: &mut Cursor<'_>) -> Result<LetterSet, TextError> {
        if !cursor.take("[") {
            return Ok(1 << self.letter(cursor)?);
        }
        let mut set = 0;
        while !cursor.take("]") {
            set |= 1 << self.letter(cursor)?;
        }
        if set == 0 {
            return Err(cursor.expected(format!("{}, before `]`", self.expected())));
        }
        Ok(set)
    }

    /// The parameter of this name, which is used from now on.
    fn parameter(&self, name: &str, is_list: bool) -> Option<&Parameter> {
        let index = self.parameters.iter().position(|p| p.name == name && p.is_list == is_list)?;
        self.used.set(self.used.get() | 1 << index);
        Some(&self.parameters[index])
    }

    /// The number that a parameter or digits say.
    fn count(&self, cursor: &mut Cursor<'_>, most: u32) -> Result<u32, TextError> {
        cursor.skip_spaces();
        if cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
            return cursor.number(most, "how often");
        }
        let before = cursor.clone();
        let word = cursor.word();
        let parameter = word.and_then(|name| self.parameter(name, false));
        let value = parameter.and_then(|p| p.values[0].parse::<u32>().ok()).filter(|&n| n <= most);
        value
            .ok_or_else(|| before.expected(format!("a number of at most {most}, or a parameter that is one")))
    }
}

/// A name as a headline: `toads-and-frogs` becomes `Toads And Frogs`.
fn headline(name: &str) -> String {
    let word = |word: &str| -> String {
        let mut chars = word.chars();
        chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
    };
    name.split('-').map(word).collect::<Vec<_>>().join(" ")
}

/// The moves as they are written, for games that say nothing else about their rules.
fn in_short(lines: &[Line<'_>]) -> String {
    let written: Vec<String> = lines
        .iter()
        .filter(|line| ["left", "right", "both", "legal"].contains(&line.keyword))
        .map(|line| format!("{}: {}", line.keyword, line.cursor.clone().all()))
        .collect();
    format!("{}.", written.join("; "))
}

/// Whether a word can be the name of a number.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(in_word)
}
