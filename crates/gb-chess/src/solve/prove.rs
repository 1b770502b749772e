//! What a position is worth on the whole board, and how it is won.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use cozy_chess::{Board, Move};
use gb_board::Xorshift;
use gb_games::games::chess::ChessBoard;
use gb_rules::Player;
use gb_value::{Budget, Halt};
use serde::Serialize;

use super::book::Book;
use super::cache::CacheError;
use super::cell::{OPEN, SURE};
use super::duel::Duels;
use super::line::Guide;
use super::search::Search;
use super::spot::{Known, after, known, moves};
use super::squares::{self, Squares};
use super::structure::Side;
use crate::shallow::{full_board, move_text, shallow_search};

/// How a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// White wins.
    White,
    /// Nobody wins.
    Draw,
    /// Black wins.
    Black,
}

impl Ending {
    /// In words: `White wins`, `a draw`.
    pub fn text(self) -> &'static str {
        match self {
            Ending::White => "White wins",
            Ending::Draw => "a draw",
            Ending::Black => "Black wins",
        }
    }

    /// The ending in which this player wins.
    pub fn won_by(player: Player) -> Ending {
        match player {
            Player::Left => Ending::White,
            Player::Right => Ending::Black,
        }
    }
}

/// A legal move of the player to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// In long algebraic notation.
    pub text: String,
    /// How the game ends after it, if that is proved.
    pub ending: Option<Ending>,
}

/// What is proved about a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Proof {
    /// How the game ends with best play, if that is proved.
    pub ending: Option<Ending>,
    /// White is proved not to win, and Black is proved not to win.
    pub excluded: [bool; 2],
    /// How the game would end if it were the other player's turn, if that is proved.
    pub turned: Option<Ending>,
    /// Where nothing is proved: what it looks like, if it looks like anything.
    pub guess: Option<Ending>,
    /// The estimate of a short search in hundredths of a pawn, for White, on which the guess rests.
    pub estimate: i32,
    /// All legal moves.
    pub moves: Vec<Choice>,
    /// Best play as far as it is proved, every move legal.
    pub line: Vec<String>,
    /// White or Black loses a move on the way: the kings come back to where they were, and it is the other's turn.
    pub triangulation: bool,
    /// Corresponding squares of the kings.
    pub squares: Option<Squares>,
    /// How many layers (all placements of kings and at most one piece around pawns that stand still) were solved.
    pub layers: usize,
    /// Why the search ended, if it was not finished.
    pub stopped: Option<String>,
    /// Trouble with tables on disk.
    pub troubles: Vec<String>,
}

/// Tables that serve all positions: two kings and a piece each. They are made when they are first needed.
pub struct Tables {
    pub(super) duels: Duels,
}

impl Tables {
    /// Kept in a folder, if one is given, and else only in memory.
    pub fn new(folder: Option<&Path>) -> Tables {
        Tables { duels: Duels::new(folder) }
    }

    /// Where programs keep such tables for a user: `GAMEBENCH_CACHE`, or `gamebench/chess` in the user's folder for caches.
    pub fn folder_of_user() -> Option<PathBuf> {
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || named("HOME").map(|home| home.join(".cache"));
        named("GAMEBENCH_CACHE")
            .or_else(|| Some(named("XDG_CACHE_HOME").or_else(home)?.join("gamebench")))
            .map(|folder| folder.join("chess"))
    }

    /// What went wrong with files since it was last asked.
    pub fn troubles(&self) -> Vec<CacheError> {
        self.duels.troubles()
    }
}

/// The short search that makes the guess: positions, and half-moves.
const SHALLOW_NODES: u64 = 150_000;
const SHALLOW_DEPTH: u32 = 16;
/// From this lead on, in hundredths of a pawn, a win is guessed,
const CLEAR: i32 = 200;
/// and up to this one a draw.
const EVEN: i32 = 25;
/// From this lead on a win is tried first,
const LEAD: i32 = 100;
/// and this many times as long as the opposite.
const PATIENCE: u64 = 8;
/// How much is done for a move of which nothing is known yet.
const LOOK: u64 = 200;
/// Memory for layers, where the budget sets no limit.
const BYTES: u64 = 3 << 29;

/// Tries to prove how a position ends, on two threads, until the budget is spent.
///
/// Fifty moves without a pawn move are no draw here.
pub fn prove(at: &ChessBoard, tables: &Tables, budget: &Budget) -> Proof {
    Workshop::new(at, tables, budget).map_or_else(|| over(at), |workshop| workshop.proof())
}

/// A pawn has been promoted already: there is nothing to be searched.
fn over(at: &ChessBoard) -> Proof {
    let guess = at.promoted().map(Ending::won_by);
    Proof {
        ending: None,
        excluded: [false; 2],
        turned: None,
        guess,
        estimate: 0,
        moves: vec![],
        line: vec![],
        triangulation: false,
        squares: None,
        layers: 0,
        stopped: None,
        troubles: vec![],
    }
}

/// Everything that was found out about a position and what can follow from it.
pub(crate) struct Workshop<'a> {
    book: Book<'a>,
    board: Board,
    /// The same with the other player to move, if that is legal.
    turned: Option<Board>,
    tables: &'a Tables,
    estimate: i32,
    stopped: Option<Halt>,
}

impl<'a> Workshop<'a> {
    /// Searches; `None` if the position is over.
    pub(crate) fn new(at: &ChessBoard, tables: &'a Tables, budget: &'a Budget) -> Option<Workshop<'a>> {
        Workshop::with_share(at, tables, budget, budget)
    }

    /// The same with a share of the budget, for whoever searches other positions afterwards.
    pub(crate) fn with_share(
        at: &ChessBoard,
        tables: &'a Tables,
        whole: &'a Budget,
        budget: &Budget,
    ) -> Option<Workshop<'a>> {
        let board = full_board(at)?;
        let estimate = shallow_search(at, SHALLOW_DEPTH, &budget.part(SHALLOW_NODES));
        let turned = board.null_move();
        let mut workshop = Workshop {
            book: Book::new(&tables.duels, whole),
            board,
            turned,
            tables,
            estimate,
            stopped: None,
        };
        // What is left when this is settled is for the same position with the other player to move, and for single moves.
        workshop.stopped = workshop.search(&workshop.board, budget);
        if let (Some(turned), None) = (&workshop.turned, workshop.stopped) {
            workshop.search(turned, budget);
        }
        if workshop.stopped.is_none() {
            workshop.look_at_moves(budget);
        }
        Some(workshop)
    }

    /// Tries a little to find out about the moves of which nothing is known yet.
    fn look_at_moves(&self, budget: &Budget) {
        let (done, bytes) = (AtomicBool::new(false), budget.max_bytes().min(BYTES));
        let mut search =
            Search { book: &self.book, budget, bytes, random: Xorshift(0x10ca1), done: &done, last: None };
        for mv in moves(&self.board) {
            let next = after(&self.board, mv);
            for who in Side::BOTH {
                let state = known(&self.book, &next);
                if !state.is_settled() && state.is_promising(who) && search.work(&next, who, LOOK).is_err() {
                    return;
                }
            }
        }
    }

    fn search(&self, board: &Board, budget: &Budget) -> Option<Halt> {
        let (first, second, patience) = match self.estimate {
            lead if lead >= LEAD => (Side::White, Side::White, PATIENCE),
            lead if lead <= -LEAD => (Side::Black, Side::Black, PATIENCE),
            _ => (Side::White, Side::Black, 1),
        };
        let done = AtomicBool::new(false);
        let run = |first: Side, seed: u64| {
            let mut search = Search {
                book: &self.book,
                budget,
                bytes: budget.max_bytes().min(BYTES),
                random: Xorshift(seed),
                done: &done,
                last: None,
            };
            search.run(board, first, patience)
        };
        let results = std::thread::scope(|scope| {
            // Where there are no threads, one search looks at both sides in turn.
            let other = std::thread::Builder::new().spawn_scoped(scope, || run(second, 0xb1ac));
            let here = run(first, 0x5eed);
            [here, other.map_or(Ok(()), |other| other.join().unwrap_or(Ok(())))]
        });
        if known(&self.book, board).is_settled() {
            return None;
        }
        results.into_iter().find_map(Result::err)
    }

    #[cfg(test)]
    pub(super) fn book(&self) -> &Book<'a> {
        &self.book
    }

    /// The position.
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// Searches another position, usually one that follows from the first, with all that is known already.
    pub(crate) fn search_also(&self, board: &Board, budget: &Budget) {
        if !known(&self.book, board).is_settled() {
            self.search(board, budget);
        }
    }

    /// How a position ends, if that is proved.
    pub(crate) fn ending_of(&self, board: &Board) -> Option<Ending> {
        ending(&known(&self.book, board))
    }

    /// The best move, if the result is proved.
    pub(crate) fn best(&self, board: &Board) -> Option<Move> {
        Guide::new(&self.book).best(board)
    }

    /// Best play as far as it is proved.
    pub(crate) fn line_of(&self, board: &Board) -> Vec<String> {
        Guide::new(&self.book).line(board).0
    }

    /// The corresponding squares around a position.
    pub(crate) fn squares_of(&self, board: &Board) -> Option<Squares> {
        squares::find(&self.book, board)
    }

    fn state(&self) -> Known {
        known(&self.book, &self.board)
    }

    fn proof(&self) -> Proof {
        let state = self.state();
        let mover = if self.board.side_to_move() == cozy_chess::Color::White { 1 } else { -1 };
        let mut list: Vec<Choice> = moves(&self.board)
            .into_iter()
            .map(|mv| Choice {
                text: move_text(&self.board, mv),
                ending: ending(&known(&self.book, &after(&self.board, mv))),
            })
            .collect();
        let worth = |option: &Choice| match option.ending {
            Some(Ending::White) => -mover,
            Some(Ending::Black) => mover,
            Some(Ending::Draw) | None => 0,
        };
        list.sort_by_key(worth);
        let guess = match self.estimate {
            lead if lead >= CLEAR && state.wins[0][OPEN] => Some(Ending::White),
            lead if lead <= -CLEAR && state.wins[1][OPEN] => Some(Ending::Black),
            lead if lead.abs() <= EVEN => Some(Ending::Draw),
            _ => None,
        };
        let (line, triangulation) = Guide::new(&self.book).line(&self.board);
        Proof {
            ending: ending(&state),
            turned: self.turned.as_ref().and_then(|board| ending(&known(&self.book, board))),
            excluded: [!state.wins[0][OPEN], !state.wins[1][OPEN]],
            guess: ending(&state).or(guess),
            estimate: self.estimate,
            moves: list,
            line,
            triangulation,
            squares: squares::find(&self.book, &self.board),
            layers: self.book.counts().0,
            stopped: self.stopped.map(|stop| stop.to_string()),
            troubles: self.tables.troubles().iter().map(ToString::to_string).collect(),
        }
    }
}

/// What is proved.
pub(super) fn ending(state: &Known) -> Option<Ending> {
    let [white, black] = state.wins;
    match () {
        () if white[SURE] => Some(Ending::White),
        () if black[SURE] => Some(Ending::Black),
        () if !white[OPEN] && !black[OPEN] => Some(Ending::Draw),
        () => None,
    }
}
