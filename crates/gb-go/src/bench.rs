//! Go as front ends see games: texts, gestures and scenes.
//!
//! A position is written in rows, and after them what else counts: `XO.|..O|.X. white ko C3 prisoners 2-1`.

use std::fmt;

use gb_board::{BoardError, Item, Look, Scene, Size, Spot};
use gb_game::erased::{self, Choice, Made, MoveError, Position};
use gb_game::{Info, Player};

use crate::board::{Board, MAX_SIZE, MIN_SIZE, Point};
use crate::game::{Game, KoRule, Move};
use crate::sgf;

/// The name of the game.
pub const NAME: &str = "go";

/// Six endgame areas between safe stones, White to play.
const EXAMPLE: &str =
    "OOOOOOOOO|O.OOO.OO.|OO.O.OOO.|OO.O.OOO.|OXXXXX.XX|O...X...X|OXXXXXXXX|OXXXXXX.X|O......X. white";

/// The game of Go on a square board.
#[derive(Clone, Copy, Default, Debug)]
pub struct Go;

/// What the game is about.
pub fn info() -> Info {
    Info {
        name: NAME.into(),
        title: "Go endgames",
        rules: "Black (Left) and White (Right) place stones on crossings; stones without free neighbours are taken. \
                Who has more territory and prisoners at the end wins.",
        alphabet: &[('.', "an empty point"), ('X', "Black's stone (Left)"), ('O', "White's stone (Right)")],
        example: EXAMPLE,
        impartial: false,
        loopy: true,
    }
}

/// Reads a position: rows with what else counts, or a whole record, of which the end of the main line counts.
///
/// # Errors
/// A sentence that says what is wrong, and where.
pub fn read(text: &str) -> Result<Game, BoardError> {
    let wrong = |sentence: String| BoardError::Senseless(sentence);
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('(') {
        return sgf::read(text, KoRule::Simple, None).map_err(|error| wrong(error.to_string()));
    }
    let is_row = |word: &&str| word.chars().all(|c| "xXoO.|".contains(c));
    let words: Vec<&str> = text.split_whitespace().collect();
    let rows = words.iter().take_while(|word| is_row(word)).count();
    if rows == 0 {
        // The rows say best themselves what is wrong with them.
        Board::read(text).map_err(|error| wrong(error.to_string()))?;
    }
    let board = Board::read(&words[..rows].join("\n")).map_err(|error| wrong(error.to_string()))?;
    let breathless = board.points().find(|&p| board.at(p).is_some() && board.block(p).liberties.is_empty());
    if let Some(point) = breathless {
        return Err(wrong(format!("the stone on {} has no liberty", board.name(point))));
    }
    let mut game = Game::new(board, Player::Left, KoRule::Simple);
    let mut rest = words[rows..].iter();
    while let Some(&word) = rest.next() {
        match word {
            "black" => game.to_play = Player::Left,
            "white" => game.to_play = Player::Right,
            "ko" => {
                let name = rest.next().copied().unwrap_or("");
                let point = game.board.point_of(name).map_err(|error| wrong(error.to_string()))?;
                game = game.with_ko(point);
            }
            "prisoners" => {
                let pair = rest.next().copied().unwrap_or("");
                let numbers =
                    pair.split_once('-').and_then(|(b, w)| Some([b.parse().ok()?, w.parse().ok()?]));
                game.prisoners = numbers.ok_or_else(|| {
                    wrong(format!("found `{pair}`, expected prisoners of Black and White such as `2-1`"))
                })?;
            }
            _ => {
                return Err(wrong(format!(
                    "found `{word}` after the rows, expected `black`, `white`, `ko C3` or `prisoners 2-1`"
                )));
            }
        }
    }
    Ok(game)
}

/// Writes a position so that [`read`] gives it back.
pub fn show(game: &Game) -> String {
    let mut text = game.board.to_string().trim().replace('\n', "|");
    if game.to_play == Player::Right {
        text += " white";
    }
    if let Some(point) = game.ko() {
        text += &format!(" ko {}", game.board.name(point));
    }
    if game.prisoners != [0, 0] {
        text += &format!(" prisoners {}-{}", game.prisoners[0], game.prisoners[1]);
    }
    text
}

/// Where a point is in the scene.
pub fn spot(board: &Board, point: Point) -> Spot {
    let (col, row) = board.place(point);
    Spot::Cell { row: row as u32, col: col as u32 }
}

impl erased::Game for Go {
    fn info(&self) -> Info {
        info()
    }
    fn read(&self, text: &str) -> Result<Box<dyn Position>, BoardError> {
        Ok(Box::new(Placed(read(text)?)))
    }
    fn start(&self, size: Size) -> Result<Box<dyn Position>, BoardError> {
        let rows = match size {
            Size::Grid(rows, cols) if rows == cols => rows,
            Size::Length(rows) => rows,
            Size::Grid(rows, cols) => {
                return Err(BoardError::Senseless(format!("{rows}x{cols} is no square: Go boards are")));
            }
        };
        if !(MIN_SIZE..=MAX_SIZE).contains(&rows) {
            return Err(BoardError::TooLarge {
                found: format!("a board of {rows}x{rows}"),
                limit: format!("expected {MIN_SIZE} to {MAX_SIZE} lines"),
            });
        }
        Ok(Box::new(Placed(Game::new(Board::new(rows), Player::Left, KoRule::Simple))))
    }
}

#[derive(Clone)]
struct Placed(Game);

impl fmt::Debug for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{NAME} {}", show(&self.0))
    }
}

impl Placed {
    fn after(&self, who: Player, mv: Move) -> Option<Game> {
        let mut game = self.0.clone();
        game.play(who, mv).is_ok().then_some(game)
    }

    fn choice(&self, who: Player, mv: Move) -> Option<Choice> {
        let after = self.after(who, mv)?;
        let (text, gesture) = match mv {
            Move::Stone(point) => (self.0.board.name(point), vec![spot(&self.0.board, point)]),
            Move::Pass => ("pass".into(), vec![]),
        };
        let points = after.prisoner_score() - self.0.prisoner_score();
        Some(Choice { text, gesture, result: show(&after), points })
    }
}

impl Position for Placed {
    fn info(&self) -> Info {
        info()
    }
    fn show(&self) -> String {
        show(&self.0)
    }
    fn scene(&self) -> Scene {
        let board = &self.0.board;
        let items = board.points().map(|point| {
            let (col, row) = board.place(point);
            let letter = match board.at(point) {
                Some(Player::Left) => 'X',
                Some(Player::Right) => 'O',
                None => '.',
            };
            Item::square(spot(board, point), col as i32, row as i32, letter)
        });
        Scene { items: items.collect(), look: Look::Lines }
    }
    fn moves(&self, who: Player, limit: usize) -> Vec<Choice> {
        let stones = self.0.board.points().map(Move::Stone);
        stones.chain([Move::Pass]).filter_map(|mv| self.choice(who, mv)).take(limit).collect()
    }
    fn make(&self, who: Player, text: &str) -> Result<Made, MoveError> {
        let illegal = |hint: String| MoveError::Illegal { who, text: text.trim().to_owned(), hint };
        let mv = if text.trim().eq_ignore_ascii_case("pass") {
            Move::Pass
        } else {
            Move::Stone(self.0.board.point_of(text.trim()).map_err(|error| illegal(error.to_string()))?)
        };
        let mut game = self.0.clone();
        game.play(who, mv).map_err(|error| illegal(error.to_string()))?;
        // Points are counted at the end.
        Ok(Made { after: Box::new(Placed(game)), text: text.trim().to_lowercase(), points: 0 })
    }
    fn parts(&self) -> Vec<(Box<dyn Position>, Vec<Spot>)> {
        vec![(self.copy(), vec![])]
    }
    fn global_win(&self) -> Option<Player> {
        None
    }
    fn to_play(&self) -> Option<Player> {
        Some(self.0.to_play)
    }
    fn ends_in_score(&self) -> bool {
        true
    }
    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gb_game::erased::Game as _;

    #[test]
    fn a_ko_and_prisoners_survive_the_text() {
        let start = Go.read(".XO.|X.XO|.XO.|.... white").unwrap();
        let taken = start.play(Player::Right, "b3").unwrap();
        assert_eq!(taken.show(), ".XO.|XO.O|.XO.|.... ko C3 prisoners 0-1");
        let again = Go.read(&taken.show()).unwrap();
        assert_eq!(again.show(), taken.show());
        assert!(again.play(Player::Left, "C3").unwrap_err().to_string().contains("ko"));
        assert!(!again.moves(Player::Left, 99).iter().any(|choice| choice.text == "C3"));
        let passed = again.play(Player::Left, "pass").unwrap();
        assert_eq!((passed.to_play(), passed.show().contains("ko")), (Some(Player::Right), false));
    }

    #[test]
    fn the_example_and_sizes_are_read_and_errors_say_what_is_wrong() {
        assert!(Go.read(EXAMPLE).unwrap().moves(Player::Left, 500).len() > 3);
        assert_eq!(Go.start(Size::Length(9)).unwrap().moves(Player::Left, 500).len(), 82);
        assert!(Go.start(Size::Grid(3, 4)).unwrap_err().to_string().contains("no square"));
        assert!(Go.start(Size::Length(40)).unwrap_err().to_string().contains("2 to 19"));
        for (text, part) in [
            ("X.|.?", "row 2, column 2"),
            ("X.|.. purple", "found `purple`"),
            ("X.|.. prisoners two", "such as `2-1`"),
            ("X.|.. ko Z9", "no point"),
            ("XO|OO", "no liberty"),
            ("", "0 rows"),
        ] {
            let error = Go.read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert_eq!(Go.read("(;SZ[3];B[aa])").unwrap().show(), "X..|...|... white");
    }
}
