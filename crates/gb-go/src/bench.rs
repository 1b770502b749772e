//! Go as front ends see games: texts, gestures and scenes.
//!
//! A position is written in rows, and after them what else counts: `XO.|..O|.X. white ko C3 prisoners 2-1`.

use std::ops::ControlFlow;

use gb_board::{BoardError, Item, Look, Scene, Size, Spot};
use gb_rules::{AnyGame, Info, MoveCode, Notation, Player, Rules, Scoring, Variant};

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
    let wrong = |sentence: String| BoardError::Invalid(sentence);
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

/// A position as the bench sees it: what its text says, and nothing of how it came about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Placed {
    board: Board,
    to_play: Player,
    prisoners: [u32; 2],
    ko: Option<Point>,
}

impl Placed {
    fn of(game: &Game) -> Placed {
        Placed { board: game.board.clone(), to_play: game.to_play, prisoners: game.prisoners, ko: game.ko() }
    }

    fn game(&self) -> Game {
        let mut game = Game::new(self.board.clone(), self.to_play, KoRule::Simple);
        game.prisoners = self.prisoners;
        match self.ko {
            Some(point) => game.with_ko(point),
            None => game,
        }
    }
}

/// A move as a number: 0 is a pass, and stones count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbered(u16);

impl MoveCode for Numbered {
    fn code(&self) -> u64 {
        self.0.into()
    }
    fn of_code(code: u64) -> Numbered {
        Numbered(code as u16)
    }
}

impl Numbered {
    fn of(board: &Board, mv: Move) -> Numbered {
        match mv {
            Move::Pass => Numbered(0),
            Move::Stone(point) => Numbered(1 + board.points().position(|p| p == point).unwrap_or(0) as u16),
        }
    }

    fn on(self, board: &Board) -> Move {
        match usize::from(self.0).checked_sub(1).and_then(|number| board.points().nth(number)) {
            Some(point) => Move::Stone(point),
            None => Move::Pass,
        }
    }
}

impl Rules for Go {
    type Board = Placed;
    type Move = Numbered;

    fn info(&self) -> Info {
        info()
    }
    fn read(&self, text: &str) -> Result<Placed, BoardError> {
        read(text).map(|game| Placed::of(&game))
    }
    fn show(&self, at: &Placed) -> String {
        show(&at.game())
    }
    fn start(&self, size: Size) -> Result<Placed, BoardError> {
        let rows = match size {
            Size::Grid(rows, cols) if rows == cols => rows,
            Size::Length(rows) => rows,
            Size::Grid(rows, cols) => {
                return Err(BoardError::Invalid(format!("{rows}x{cols} is no square: Go boards are")));
            }
        };
        if !(MIN_SIZE..=MAX_SIZE).contains(&rows) {
            return Err(BoardError::TooLarge {
                found: format!("a board of {rows}x{rows}"),
                limit: format!("expected {MIN_SIZE} to {MAX_SIZE} lines"),
            });
        }
        Ok(Placed::of(&Game::new(Board::new(rows), Player::Left, KoRule::Simple)))
    }
    fn moves(
        &self,
        at: &Placed,
        who: Player,
        emit: &mut impl FnMut(Numbered) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let game = at.game();
        for mv in at.board.points().map(Move::Stone).chain([Move::Pass]) {
            if game.clone().play(who, mv).is_ok() {
                emit(Numbered::of(&at.board, mv))?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Placed, who: Player, mv: &Numbered) {
        let mut game = at.game();
        if game.play(who, mv.on(&at.board)).is_ok() {
            *at = Placed::of(&game);
        }
    }
    fn gesture(&self, at: &Placed, _who: Player, mv: &Numbered) -> Vec<Spot> {
        match mv.on(&at.board) {
            Move::Stone(point) => vec![spot(&at.board, point)],
            Move::Pass => vec![],
        }
    }
    fn scene(&self, at: &Placed) -> Scene {
        let board = &at.board;
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
    gb_rules::has!(scoring, notation);
}

/// Points are counted at the end.
impl Scoring<Placed, Numbered> for Go {
    fn points(&self, _at: &Placed, _who: Player, _mv: &Numbered) -> i64 {
        0
    }
    fn ends_in_score(&self) -> bool {
        true
    }
}

impl Notation<Placed, Numbered> for Go {
    fn move_text(&self, at: &Placed, _who: Player, mv: &Numbered) -> Option<String> {
        Some(match mv.on(&at.board) {
            Move::Stone(point) => at.board.name(point),
            Move::Pass => "pass".into(),
        })
    }
    fn to_play(&self, at: &Placed) -> Option<Player> {
        Some(at.to_play)
    }
    fn why_illegal(&self, at: &Placed, who: Player, text: &str) -> Option<String> {
        let point = match at.board.point_of(text) {
            Ok(point) => point,
            Err(error) => return Some(error.to_string()),
        };
        at.game().play(who, Move::Stone(point)).err().map(|error| error.to_string())
    }
}

/// Go for the bench.
pub fn game() -> AnyGame {
    AnyGame::interned(Variant::Plain, Go)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ko_and_prisoners_survive_the_text() {
        let start = game().read(".XO.|X.XO|.XO.|.... white").unwrap();
        let taken = start.play(Player::Right, "b3").unwrap();
        assert_eq!(taken.show(), ".XO.|XO.O|.XO.|.... ko C3 prisoners 0-1");
        let again = game().read(&taken.show()).unwrap();
        assert_eq!(again.show(), taken.show());
        assert!(again.play(Player::Left, "C3").unwrap_err().to_string().contains("ko"));
        assert!(!again.moves(Player::Left, 99).iter().any(|choice| choice.text == "C3"));
        let passed = again.play(Player::Left, "pass").unwrap();
        assert_eq!((passed.to_play(), passed.show().contains("ko")), (Some(Player::Right), false));
    }

    #[test]
    fn the_example_and_sizes_are_read_and_errors_say_what_is_wrong() {
        assert!(game().read(EXAMPLE).unwrap().moves(Player::Left, 500).len() > 3);
        assert_eq!(game().start(Size::Length(9)).unwrap().moves(Player::Left, 500).len(), 82);
        assert!(game().start(Size::Grid(3, 4)).unwrap_err().to_string().contains("no square"));
        assert!(game().start(Size::Length(40)).unwrap_err().to_string().contains("2 to 19"));
        for (text, part) in [
            ("X.|.?", "row 2, column 2"),
            ("X.|.. purple", "found `purple`"),
            ("X.|.. prisoners two", "such as `2-1`"),
            ("X.|.. ko Z9", "no point"),
            ("XO|OO", "no liberty"),
            ("", "0 rows"),
        ] {
            let error = game().read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert_eq!(game().read("(;SZ[3];B[aa])").unwrap().show(), "X..|...|... white");
    }
}
