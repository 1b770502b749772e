//! SGF, the format of Go records (Smart Game Format FF\[4\]): the main line is read, and a line of play is written.
//!
//! Read by hand and not by a crate, because an error has to say where it is.

use std::fmt::Write;

use gb_value::Player::{self, Left, Right};

use crate::board::{Board, MAX_SIZE, MIN_SIZE, Point};
use crate::game::{Game, KoRule, Move};

/// Why a text is no record of a Go game. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SgfError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What is wrong there, and what was expected.
    pub message: String,
}

/// One property of a node: `AB[aa][bb]`.
struct Property<'a> {
    name: &'a str,
    /// Each value with the byte where it begins.
    values: Vec<(String, usize)>,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, at: usize, message: impl Into<String>) -> SgfError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        SgfError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// What stands at the reading head, for messages.
    fn found(&self) -> String {
        match self.text[self.at..].chars().next() {
            Some(c) => format!("`{c}`"),
            None => "the end of the text".into(),
        }
    }

    /// The next node of the main line, or `None` at its end.
    fn node(&mut self) -> Result<Option<Vec<Property<'a>>>, SgfError> {
        loop {
            match self.peek() {
                Some(b';') => {
                    self.at += 1;
                    return self.properties().map(Some);
                }
                // The first variation is the main line.
                Some(b'(') => self.at += 1,
                Some(b')') => return Ok(None),
                _ => {
                    return Err(
                        self.error(self.at, format!("found {}, expected `;`, `(` or `)`", self.found()))
                    );
                }
            }
        }
    }

    fn properties(&mut self) -> Result<Vec<Property<'a>>, SgfError> {
        let mut properties = vec![];
        while self.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            let start = self.at;
            self.at += self.text.as_bytes()[start..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
            let name = &self.text[start..self.at];
            let mut values = vec![];
            while self.peek() == Some(b'[') {
                self.at += 1;
                let start = self.at;
                values.push((self.value(start)?, start));
            }
            if values.is_empty() {
                return Err(self.error(self.at, format!("found {}, expected `[` after {name}", self.found())));
            }
            properties.push(Property { name, values });
        }
        Ok(properties)
    }

    fn value(&mut self, start: usize) -> Result<String, SgfError> {
        let mut value = String::new();
        let mut letters = self.text[start..].char_indices();
        while let Some((i, c)) = letters.next() {
            match c {
                ']' => {
                    self.at = start + i + 1;
                    return Ok(value);
                }
                '\\' => value.extend(letters.next().map(|(_, c)| c)),
                c => value.push(c),
            }
        }
        Err(self.error(start, "this value is never closed: expected `]`"))
    }
}

fn stone_name(player: Player) -> &'static str {
    if player == Left { "black" } else { "white" }
}

/// Builds a game from nodes.
struct Builder<'r, 'a> {
    reader: &'r Reader<'a>,
    game: Game,
    turn_is_given: bool,
}

impl Builder<'_, '_> {
    fn point(&self, value: &str, at: usize) -> Result<Point, SgfError> {
        let size = self.game.board.size();
        let coordinate = |b: u8| (b.is_ascii_lowercase()).then(|| (b - b'a') as usize).filter(|&i| i < size);
        match value.as_bytes() {
            &[x, y] => match (coordinate(x), coordinate(y)) {
                (Some(x), Some(y)) => Ok(self.game.board.point(x, y)),
                _ => {
                    Err(self.reader.error(at, format!("`{value}` is no point of a board with {size} lines")))
                }
            },
            _ => Err(self
                .reader
                .error(at, format!("`{value}` is no point: expected two letters such as `cd`"))),
        }
    }

    /// A list of points, in which `aa:cc` stands for a rectangle.
    fn points(&self, property: &Property<'_>) -> Result<Vec<(Point, usize)>, SgfError> {
        let mut points = vec![];
        for (value, at) in &property.values {
            let (from, to) = value.split_once(':').unwrap_or((value, value));
            let (from, to) = (self.point(from, *at)?, self.point(to, *at)?);
            let ((x0, y0), (x1, y1)) = (self.game.board.place(from), self.game.board.place(to));
            for y in y0..=y1 {
                points.extend((x0..=x1).map(|x| (self.game.board.point(x, y), *at)));
            }
        }
        Ok(points)
    }

    fn set_up(&mut self, properties: &[Property<'_>]) -> Result<(), SgfError> {
        let mut placed: Vec<Point> = vec![];
        let before = self.game.board.clone();
        for property in properties {
            let stone = match property.name {
                "AB" => Some(Left),
                "AW" => Some(Right),
                "AE" => None,
                _ => continue,
            };
            for (point, at) in self.points(property)? {
                if placed.contains(&point) {
                    let name = before.name(point);
                    return Err(self.reader.error(at, format!("{name} is set up twice in one node")));
                }
                placed.push(point);
                self.game.board.set(point, stone);
            }
        }
        if placed.is_empty() {
            return Ok(());
        }
        let board = &self.game.board;
        for point in board.points() {
            if let Some(player) = board.at(point)
                && board.block(point).liberties.is_empty()
            {
                let (name, colour) = (board.name(point), stone_name(player));
                let message = format!("after the set-up the {colour} stone on {name} has no liberty");
                return Err(self.reader.error(self.reader.at, message));
            }
        }
        // What was on the board before a set-up has no bearing on kos after it.
        let mut game = Game::new(board.clone(), self.game.to_play, self.game.rule());
        game.prisoners = self.game.prisoners;
        self.game = game;
        Ok(())
    }

    fn node(&mut self, properties: &[Property<'_>]) -> Result<(), SgfError> {
        self.set_up(properties)?;
        for property in properties {
            let player = match property.name {
                "B" => Left,
                "W" => Right,
                _ => continue,
            };
            let (value, at) = &property.values[0];
            let size = self.game.board.size();
            let mv = match value.as_str() {
                "" => Move::Pass,
                "tt" if size <= MAX_SIZE => Move::Pass,
                _ => Move::Stone(self.point(value, *at)?),
            };
            let told = match mv {
                Move::Stone(point) => self.game.board.name(point),
                Move::Pass => "pass".into(),
            };
            self.game.play(player, mv).map_err(|illegal| {
                self.reader.error(*at, format!("{} on {told} is illegal: {illegal}", stone_name(player)))
            })?;
            self.turn_is_given = true;
        }
        for property in properties.iter().filter(|p| p.name == "PL") {
            let (value, at) = &property.values[0];
            self.game.to_play = match value.trim() {
                "B" | "b" | "black" | "1" => Left,
                "W" | "w" | "white" | "2" => Right,
                _ => return Err(self.reader.error(*at, format!("PL is `{value}`, expected `B` or `W`"))),
            };
            self.turn_is_given = true;
        }
        Ok(())
    }
}

/// Reads the first game of a text and follows its main line to the end, or until before a move, counted from 1.
///
/// # Errors
/// If the text is no SGF, no Go, or a move in it is illegal.
pub fn read(text: &str, rule: KoRule, before_move: Option<usize>) -> Result<Game, SgfError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { text, at: 0 };
    if reader.peek() != Some(b'(') {
        return Err(
            reader.error(reader.at, format!("found {}, expected `(` at the beginning", reader.found()))
        );
    }
    let Some(root) = reader.node()? else { return Err(reader.error(reader.at, "a game without nodes")) };
    let single =
        |name: &str| root.iter().find(|p| p.name == name).map(|p| (p.values[0].0.trim(), p.values[0].1));
    if let Some((kind, at)) = single("GM").filter(|(kind, _)| *kind != "1") {
        return Err(reader.error(at, format!("GM is {kind}, expected 1: this is no game of Go")));
    }
    let size = match single("SZ") {
        None => MAX_SIZE,
        Some((value, at)) => {
            value.parse().ok().filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size)).ok_or_else(|| {
                reader.error(at, format!("the size is `{value}`, expected {MIN_SIZE} to {MAX_SIZE}"))
            })?
        }
    };
    let handicap = single("HA").and_then(|(value, _)| value.parse::<u32>().ok()).unwrap_or(0);
    let mut game = Game::new(Board::new(size), Left, rule);
    let mut turn_is_given = false;
    let mut node = root;
    let mut moves = 0;
    loop {
        if let Some(next) = node.iter().find(|p| ["B", "W"].contains(&p.name)) {
            moves += 1;
            if before_move == Some(moves) {
                game.to_play = if next.name == "B" { Left } else { Right };
                return Ok(game);
            }
        }
        let mut builder = Builder { reader: &reader, game, turn_is_given };
        builder.node(&node)?;
        (game, turn_is_given) = (builder.game, builder.turn_is_given);
        match reader.node()? {
            Some(next) => node = next,
            None => break,
        }
    }
    if !turn_is_given && handicap >= 2 {
        game.to_play = Right;
    }
    Ok(game)
}

/// A record to be written: a position, what is to be said about it, and a line of play.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The position at the beginning.
    pub board: &'a Board,
    /// Whose turn it is.
    pub to_play: Player,
    /// Komi as text.
    pub komi: &'a str,
    /// Letters on points.
    pub labels: &'a [(Point, String)],
    /// Whose points are territory.
    pub territory: &'a [(Point, Player)],
    /// What to say at the beginning.
    pub comment: &'a str,
    /// The moves, each with a comment (which may be empty).
    pub moves: &'a [(Player, Move, String)],
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Writes a record.
pub fn write(record: &Record<'_>) -> String {
    let board = record.board;
    let place = |point: Point| {
        let (x, y) = board.place(point);
        format!("{}{}", (b'a' + x as u8) as char, (b'a' + y as u8) as char)
    };
    let mut text =
        format!("(;FF[4]GM[1]CA[UTF-8]AP[gamebench]SZ[{}]KM[{}]", board.size(), escaped(record.komi));
    for (name, player) in [("AB", Left), ("AW", Right)] {
        let stones: Vec<Point> = board.points().filter(|&p| board.at(p) == Some(player)).collect();
        if !stones.is_empty() {
            text += name;
            stones.iter().for_each(|&p| _ = write!(text, "[{}]", place(p)));
        }
    }
    _ = write!(text, "PL[{}]", if record.to_play == Left { "B" } else { "W" });
    if !record.labels.is_empty() {
        text += "LB";
        record.labels.iter().for_each(|(p, label)| _ = write!(text, "[{}:{}]", place(*p), escaped(label)));
    }
    for (name, player) in [("TB", Left), ("TW", Right)] {
        let points: Vec<Point> =
            record.territory.iter().filter(|t| t.1 == player).map(|&(point, _)| point).collect();
        if !points.is_empty() {
            text += name;
            points.iter().for_each(|&p| _ = write!(text, "[{}]", place(p)));
        }
    }
    if !record.comment.is_empty() {
        _ = write!(text, "\nC[{}]", escaped(record.comment));
    }
    for (player, mv, comment) in record.moves {
        let at = match mv {
            Move::Stone(point) => place(*point),
            Move::Pass => String::new(),
        };
        _ = write!(text, "\n;{}[{at}]", if *player == Left { "B" } else { "W" });
        if !comment.is_empty() {
            _ = write!(text, "C[{}]", escaped(comment));
        }
    }
    text += ")\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text, KoRule::Simple, None).unwrap_err().to_string()
    }

    #[test]
    fn the_main_line_is_followed() {
        let game =
            read("(;SZ[5]AB[aa:cc]AW[ee];AE[bb]\n;W[ad](;B[])(;B[de])) junk", KoRule::Simple, None).unwrap();
        assert_eq!(game.board, Board::read("XXX..|X.X..|XXX..|O....|....O").unwrap());
        assert_eq!(game.to_play, Right);
        assert_eq!(game.last(), Some((Left, Move::Pass)));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let board = Board::read("XX.|.O.|..O").unwrap();
        let text = write(&Record {
            board: &board,
            to_play: Right,
            komi: "0",
            labels: &[(2, "A".into())],
            territory: &[(3, Left)],
            comment: "brackets [and] \\ slashes",
            moves: &[(Right, Move::Stone(2), "a] b".into()), (Left, Move::Pass, String::new())],
        });
        assert!(text.contains("TB[ab]") && text.contains("LB[ca:A]"), "{text}");
        let game = read(&text, KoRule::Simple, None).unwrap();
        assert_eq!(game.board.at(2), Some(Right));
        assert_eq!(game.to_play, Right);
        let start = read(&text, KoRule::Simple, Some(1)).unwrap();
        assert_eq!((start.board, start.to_play), (board, Right));
    }

    #[test]
    fn superko_is_a_rule_of_records_too() {
        // After two passes the ko is taken back, which brings a position back.
        let text = "(;SZ[4]AB[ba][ab][bc][cb]AW[ca][db][cc];W[bb];B[];W[];B[cb])";
        assert!(read(text, KoRule::Simple, None).is_ok());
        let message = read(text, KoRule::Superko, None).unwrap_err().to_string();
        assert!(message.contains("superko: the position was on the board before"), "{message}");
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(error(""), "line 1, column 1: found the end of the text, expected `(` at the beginning");
        assert_eq!(error("(;SZ[40])"), "line 1, column 6: the size is `40`, expected 2 to 19");
        assert_eq!(error("(;GM[2])"), "line 1, column 6: GM is 2, expected 1: this is no game of Go");
        assert_eq!(
            error("(;SZ[9];\nB[aa];W[aa])"),
            "line 2, column 9: white on A9 is illegal: there is a stone already"
        );
        assert_eq!(error("(;SZ[9]AB[aa]AW[aa])"), "line 1, column 17: A9 is set up twice in one node");
        assert_eq!(error("(;SZ[9];B[jj])"), "line 1, column 11: `jj` is no point of a board with 9 lines");
        assert_eq!(
            error("(;SZ[9]C[never closed"),
            "line 1, column 10: this value is never closed: expected `]`"
        );
        assert_eq!(error("(;SZ[9]"), "line 1, column 8: found the end of the text, expected `;`, `(` or `)`");
        assert!(error("(;SZ[2]AW[aa:bb])").contains("has no liberty"));
        assert!(error("(;SZ[3]AB[ba][ab];W[aa])").contains("suicide"));
        assert!(error("(;AB aa)").contains("expected `[` after AB"));
    }
}
