//! Records of Go: the main line of an SGF record played through by the rules, and a line of play written down.
//!
//! What SGF is like is known to `gb_record` alone; this module knows what its points and moves do on a board.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use gb_record::{Origin, Raw, RawNode, error_at, go};
use gb_value::Player::{self, Left, Right};

use crate::board::{Board, Point};
use crate::game::{Game, KoRule, Move};

/// Why a text is no record of a Go game. Lines and columns count from 1.
pub type SgfError = gb_record::RecordError;

fn stone_name(player: Player) -> &'static str {
    if player == Left { "black" } else { "white" }
}

/// Builds a game from nodes.
struct Builder<'t> {
    text: &'t str,
    game: Game,
    turn_is_given: bool,
}

impl Builder<'_> {
    fn error(&self, at: usize, message: impl Into<String>) -> SgfError {
        error_at(self.text, at, message)
    }

    fn set_up(&mut self, node: &RawNode) -> Result<(), SgfError> {
        let size = self.game.board.size();
        let stones = go::set_up(node, size).map_err(|error| error.at(self.text, node))?;
        let Some(last) = stones.last().map(|placed| placed.value) else { return Ok(()) };
        for placed in stones {
            let point = self.game.board.point(placed.col, placed.row);
            self.game.board.set(point, placed.stone.map(|black| if black { Left } else { Right }));
        }
        let board = &self.game.board;
        // Each block is looked at once: a record may set up its board a hundred thousand times.
        let mut seen = BTreeSet::new();
        for point in board.points() {
            let Some(player) = board.at(point).filter(|_| !seen.contains(&point)) else { continue };
            let block = board.block(point);
            seen.extend(block.stones);
            if block.liberties.is_empty() {
                let (name, colour) = (board.name(point), stone_name(player));
                let message = format!("after the set-up the {colour} stone on {name} has no liberty");
                return Err(self.error(node.place_of(last.0, last.1), message));
            }
        }
        // What was on the board before a set-up has no bearing on kos after it.
        let mut game = Game::new(board.clone(), self.game.to_play, self.game.rule());
        game.prisoners = self.game.prisoners;
        self.game = game;
        Ok(())
    }

    /// What SGF has no words for: a ko that may not be taken back now, and prisoners.
    fn set_up_more(&mut self, node: &RawNode) -> Result<(), SgfError> {
        let Some(raw) = node.get("POS") else { return Ok(()) };
        if raw.value().contains('(') {
            return Err(self.error(node.place_of("POS", 0), "a record in a record: expected rows of a board"));
        }
        let said = crate::bench::read(raw.value())
            .map_err(|error| self.error(node.place_of("POS", 0), error.to_string()))?;
        if said.board != self.game.board {
            return Err(self.error(node.place_of("POS", 0), "POS says another position than the stones"));
        }
        let mut game = Game::new(said.board.clone(), said.to_play, self.game.rule());
        if let Some(point) = said.ko() {
            game = game.with_ko(point);
        }
        game.prisoners = said.prisoners;
        self.game = game;
        Ok(())
    }

    /// The move of a node that one of the two properties for moves has.
    fn move_in(&self, node: &RawNode, name: &str) -> Result<Option<Move>, SgfError> {
        let Some(raw) = node.get(name) else { return Ok(None) };
        let (value, size) = (raw.value(), self.game.board.size());
        match go::point(value, size) {
            Some((row, col)) => Ok(Some(Move::Stone(self.game.board.point(col, row)))),
            None if go::is_pass(value) => Ok(Some(Move::Pass)),
            None => {
                let message = format!("`{value}` is no point of a board with {size} lines");
                Err(self.error(node.place_of(name, 0), message))
            }
        }
    }

    fn node(&mut self, node: &RawNode) -> Result<(), SgfError> {
        self.set_up(node)?;
        self.set_up_more(node)?;
        for (name, player) in [("B", Left), ("W", Right)] {
            let Some(mv) = self.move_in(node, name)? else { continue };
            let at = node.place_of(name, 0);
            let told = match mv {
                Move::Stone(point) => self.game.board.name(point),
                Move::Pass => "pass".into(),
            };
            if let Err(illegal) = self.game.play(player, mv) {
                let message = format!("{} on {told} is illegal: {illegal}", stone_name(player));
                return Err(self.error(at, message));
            }
            self.turn_is_given = true;
        }
        if let Some(raw) = node.get("PL") {
            let Some(black) = gb_record::is_black(raw) else {
                let message = format!("PL is `{}`, expected `B` or `W`", raw.value());
                return Err(self.error(node.place_of("PL", 0), message));
            };
            self.game.to_play = if black { Left } else { Right };
            self.turn_is_given = true;
        }
        Ok(())
    }
}

/// Follows the main line of the first game of a text. `meet` is told each move, and the game before it with the mover's turn,
/// and may end it there.
fn walk(
    text: &str,
    rule: KoRule,
    mut meet: impl FnMut(&Game, Move) -> ControlFlow<()>,
) -> Result<Game, SgfError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let nodes = gb_record::read(text, gb_record::MAX_NODES)?;
    let root = &nodes[0];
    let size = match gb_record::origin(root) {
        Ok(Origin::Go { size }) => size,
        Ok(Origin::Named { game, .. }) => {
            let message = format!("this is a record of {game}, expected one of Go");
            return Err(error_at(text, root.place_of("GAME", 0), message));
        }
        Err(error) => return Err(error.at(text, root)),
    };
    let handicap = root.get("HA").and_then(|raw| raw.value().trim().parse::<u32>().ok()).unwrap_or(0);
    let game = Game::new(Board::new(size), Left, rule);
    let mut builder = Builder { text, game, turn_is_given: false };
    for node in gb_record::main_line(&nodes) {
        if let Some(next) = ["B", "W"].into_iter().find(|name| node.get(name).is_some()) {
            let before = builder.game.to_play;
            builder.game.to_play = if next == "B" { Left } else { Right };
            let mv = builder.move_in(node, next)?.unwrap_or(Move::Pass);
            if meet(&builder.game, mv).is_break() {
                return Ok(builder.game);
            }
            builder.game.to_play = before;
        }
        builder.node(node)?;
    }
    if !builder.turn_is_given && handicap >= 2 {
        builder.game.to_play = Right;
    }
    Ok(builder.game)
}

/// Reads the first game of a text and follows its main line to the end, or until before a move, counted from 1.
///
/// # Errors
/// If the text is no SGF, no Go, or a move in it is illegal.
pub fn read(text: &str, rule: KoRule, before_move: Option<usize>) -> Result<Game, SgfError> {
    let mut moves = 0;
    walk(text, rule, |_, _| {
        moves += 1;
        if before_move == Some(moves) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

/// The moves of the main line of the first game of a text, passes included, from one on that is counted from 1: the position
/// before each, who made it, and what it was.
///
/// # Errors
/// If the text is no SGF, no Go, or a move in it is illegal.
pub fn moves(text: &str, rule: KoRule, from: usize) -> Result<Vec<(Game, Player, Move)>, SgfError> {
    let (mut count, mut moves) = (0, vec![]);
    walk(text, rule, |game, mv| {
        count += 1;
        if count >= from {
            moves.push((game.clone(), game.to_play, mv));
        }
        ControlFlow::Continue(())
    })?;
    Ok(moves)
}

/// How many moves, passes included, the main line of the first game of a text has.
///
/// # Errors
/// If the text is no SGF.
pub fn count_moves(text: &str) -> Result<usize, SgfError> {
    let nodes = gb_record::read(text.strip_prefix('\u{feff}').unwrap_or(text), gb_record::MAX_NODES)?;
    let is_move = |node: &RawNode| node.get("B").is_some() || node.get("W").is_some();
    Ok(gb_record::main_line(&nodes).filter(|node| is_move(node)).count())
}

/// A record to be written: a position, what is to be said about it, and a line of play.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The position at the beginning.
    pub game: &'a Game,
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

/// Writes a record.
pub fn write(record: &Record<'_>) -> String {
    let board = &record.game.board;
    let place = |point: Point| {
        let (x, y) = board.place(point);
        go::point_text(y, x)
    };
    let [black, white] = [Left, Right]
        .map(|player| board.points().filter(|&p| board.at(p) == Some(player)).map(place).collect::<Vec<_>>());
    let mut root = go::head(board.size(), black, white, record.game.to_play == Left);
    root.extend(go::more_than_stones(&crate::bench::show(record.game)));
    root.push(Raw::new("KM", record.komi));
    let labels = record.labels.iter().map(|(p, label)| format!("{}:{label}", place(*p))).collect();
    root.push(Raw { name: "LB".into(), values: labels });
    for (name, player) in [("TB", Left), ("TW", Right)] {
        let owned = record.territory.iter().filter(|t| t.1 == player).map(|&(point, _)| place(point));
        root.push(Raw { name: name.into(), values: owned.collect() });
    }
    root.retain(|raw| !raw.values.is_empty());
    if !record.comment.is_empty() {
        root.push(Raw::new("C", record.comment));
    }
    let mut nodes = vec![(None, root)];
    for (player, mv, comment) in record.moves {
        let at = match mv {
            Move::Stone(point) => place(*point),
            Move::Pass => String::new(),
        };
        let mut raws = vec![Raw::new(gb_record::colour(*player == Left), at)];
        if !comment.is_empty() {
            raws.push(Raw::new("C", comment));
        }
        nodes.push((Some(nodes.len() - 1), raws));
    }
    gb_record::write(&nodes)
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
            game: &Game::new(board.clone(), Right, KoRule::Simple),
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
        assert_eq!(
            error(""),
            "line 1, column 1: found the end of the text, expected `(` at the beginning of a record"
        );
        assert_eq!(error("(;SZ[40])"), "line 1, column 6: the size is `40`, expected 2 to 19");
        assert_eq!(
            error("(;GM[2])"),
            "line 1, column 6: GM is 2, and there is no GAME[...]: which game is this?"
        );
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

    /// To look at every stone of a large block in each node took minutes.
    #[test]
    fn a_board_may_be_set_up_many_times() {
        let nodes = ";AB[aa]".repeat(2_000);
        let game = read(&format!("(;GM[1]SZ[19]AB[aa:sr]{nodes})"), KoRule::Simple, None).unwrap();
        assert_eq!(game.board.points().filter(|&point| game.board.at(point).is_some()).count(), 18 * 19);
    }
}
