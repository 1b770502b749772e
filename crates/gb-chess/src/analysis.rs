//! From a FEN to who wins, by which moves, and why.

use gb_board::{BoardError, Word};
use gb_games::games::chess::{Chess, ChessBoard, square_name};
use gb_games::games::pawns::{PawnBoard, Pawns};
use gb_rules::{Coded, Coding, Direct, GlobalWins, Notation, Player, Rules};
use gb_search::SearchContext;
use gb_search::question::{ThreatSearch, ThreatTable};
use gb_search::sum::{Component, Move};
use gb_value::text::Style;
use gb_value::{Budget, Halt, Kernel, Outcome, Store, Value};
use serde::Serialize;

use crate::complex::Complex;
use crate::kings::{reachable, squares, touched};
use crate::line;
use crate::names::{chunk_names, player_name};

/// What is wrong with a request, or why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChessError {
    /// The FEN is wrong.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The pawns named as bound are wrong.
    #[error("{0}")]
    Bound(String),
    /// Not a move that the player to move has.
    #[error("`{0}` is no legal move here: expected one such as `{1}`")]
    Move(String, String),
    /// The budget ran out.
    #[error(transparent)]
    Halt(#[from] Halt),
}

/// The FEN in a text such as `chess 8/8/8/4k3/4Pp2/5K2/8/8 w - - 0 1`; `None` if the text is about something else.
pub fn fen_of(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix(&Chess.info().name)?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim())
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position.
    pub board: ChessBoard,
    /// The pawns bound to the kings, as squares, if an expert names them.
    pub bound: Option<u64>,
}

impl Request {
    /// A position whose bound pawns are to be found.
    pub fn new(fen: &str) -> Result<Request, ChessError> {
        Ok(Request { board: Chess.read(fen)?, bound: None })
    }

    /// With bound pawns named by an expert: `e4,f4`, or nothing at all.
    pub fn with_bound(mut self, squares: &str) -> Result<Request, ChessError> {
        let mut set = 0u64;
        for word in squares.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let square = (0..64u8).find(|&square| square_name(square) == word).ok_or_else(|| {
                ChessError::Bound(format!("`{word}` is no square: expected pawns such as `e4,f4`"))
            })?;
            if !matches!(self.board.letter(square), Some('P' | 'p')) {
                return Err(ChessError::Bound(format!(
                    "there is no pawn on {word} that could be bound to the kings"
                )));
            }
            set |= 1 << square;
        }
        self.bound = Some(set);
        Ok(self)
    }
}

/// One chunk of pawns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chunk {
    /// `queenside`, `h-file`.
    pub name: String,
    /// The pawns, White's first.
    pub pawns: Vec<String>,
    /// The chunk as a position of the game `pawns`.
    pub position: String,
    /// Its value.
    pub value: String,
    /// How many nodes the search took.
    pub nodes: u64,
    /// The longest line searched.
    pub depth: usize,
    /// Its pawns that a king attacks, defends or blocks where it stands, or meets on their way: then the chunk is not
    /// independent of the kings, and its value is a guess.
    pub touched: Vec<String>,
    /// In how many moves a king of the other side, if it leaves its place, comes to stand beside one of its pawns before it
    /// could be promoted; `None` if no king comes in time.
    pub reach: Option<u8>,
}

/// A winning first move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Winning {
    /// In long algebraic notation.
    pub text: String,
    /// The chunk it is made in.
    pub chunk: String,
    /// What that chunk becomes.
    pub to: String,
    /// What the whole sum becomes.
    pub leaves: String,
    /// Why it wins, in a sentence.
    pub reason: String,
}

/// Everything that was found out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Analysis {
    /// The position.
    pub fen: String,
    /// The kings and the pawns bound to them.
    pub complex: Complex,
    /// The other pawns.
    pub chunks: Vec<Chunk>,
    /// The value of all chunks together.
    pub sum: String,
    /// A remark where the values of the chunks could not be added, and they were searched together.
    pub together: Option<String>,
    /// `L`, `R`, `N` or `P`, with White as Left.
    pub outcome: String,
    /// Who wins with White to move, and with Black to move.
    pub winners: [&'static str; 2],
    /// The first moves of White, and of Black, that win by the values and are legal on the board.
    pub winning: [Vec<Winning>; 2],
    /// Moves that win by the values and are not legal on the board: a king stands in the way, or is in check.
    pub illegal: [Vec<String>; 2],
    /// Pawns of chunks that a king attacks, defends or blocks, or meets on their way: for them the values are a guess.
    pub touched: Vec<String>,
    /// Pawns of chunks that a king of the other side, if it leaves its place, can stand beside before they could be promoted.
    pub reachable: Vec<String>,
    /// A line of pawn moves to the end, with the side to move of the FEN.
    pub main_line: Vec<String>,
    /// How the line ends.
    pub ending: String,
    /// Nodes of all searches in chunks.
    pub nodes: u64,
    #[serde(skip)]
    pub(crate) board: ChessBoard,
    #[serde(skip)]
    pub(crate) chunk_sets: Vec<u64>,
}

impl Analysis {
    /// Who should win, with the side to move of the FEN.
    pub fn claim(&self) -> Player {
        let name = self.winners[self.board.to_move() as usize];
        if name == player_name(Player::Left) { Player::Left } else { Player::Right }
    }
}

/// A sum of chunks with everything that can be moved to.
pub(crate) struct Sum {
    pub(crate) boards: Vec<PawnBoard>,
    pub(crate) names: Vec<String>,
    pub(crate) components: Vec<Component>,
    pub(crate) counts: Vec<(u64, usize)>,
    pub(crate) analysis: gb_search::sum::Analysis,
    /// The values of the chunks could not be added.
    pub(crate) together: bool,
}

/// How many words the key of a board of pawns has.
const PAWN_WORDS: usize = 9;

/// The searches share what they find.
pub(crate) struct PawnSearch<'a> {
    pub(crate) kernel: Kernel<'a>,
    game: Coded<Pawns, Direct>,
    table: ThreatTable<PAWN_WORDS>,
    context: SearchContext<'a>,
}

impl<'a> PawnSearch<'a> {
    fn new(store: &'a Store, budget: &'a Budget) -> PawnSearch<'a> {
        PawnSearch {
            kernel: store.kernel(budget),
            game: Coded::new(Pawns, Direct),
            table: ThreatTable::new(),
            context: SearchContext::new(store, budget),
        }
    }

    pub(crate) fn text(&self, value: Value) -> String {
        match self.kernel.show(value, &Style::default()) {
            Ok(shown) => shown.text,
            Err(halt) => format!("(not printed: {halt})"),
        }
    }

    /// The value of some pawns, with nodes and depth of the search.
    fn value(&self, board: &PawnBoard) -> Result<(Value, (u64, usize)), Halt> {
        let mut search = ThreatSearch::new(&self.game, &self.table, &self.context);
        let value = search.position(&Direct.key(board))?.value;
        Ok((value, (search.nodes(), search.depth())))
    }

    fn component(&self, label: &str, board: &PawnBoard) -> Result<(Component, (u64, usize)), Halt> {
        let (value, counts) = self.value(board)?;
        let mut moves: [Vec<Move>; 2] = Default::default();
        for who in Player::BOTH {
            for (text, next) in pawn_moves(board, who) {
                moves[who as usize].push(Move { label: text, to: self.value(&next)?.0 });
            }
        }
        Ok((Component { label: label.to_string(), value, moves }, counts))
    }

    /// The sum of the chunks of some pawns. Where White wins by threats in one chunk and Black in another, the values
    /// have no sum, and all pawns are searched together.
    pub(crate) fn sum(&self, pawns: &PawnBoard) -> Result<Sum, Halt> {
        let boards = if Pawns.global_win(pawns).is_some() { vec![*pawns] } else { pawns.chunks() };
        match self.sum_of(boards) {
            Err(Halt::Loopy) => Ok(Sum { together: true, ..self.sum_of(vec![*pawns])? }),
            other => other,
        }
    }

    fn sum_of(&self, boards: Vec<PawnBoard>) -> Result<Sum, Halt> {
        let names = chunk_names(&boards);
        let (mut components, mut counts) = (vec![], vec![]);
        for (board, name) in boards.iter().zip(&names) {
            let (component, count) = self.component(name, board)?;
            components.push(component);
            counts.push(count);
        }
        let analysis = gb_search::sum::analyse(&self.kernel, &components)?;
        Ok(Sum { boards, names, components, counts, analysis, together: false })
    }
}

/// The moves of a player with their texts and the boards after them.
pub(crate) fn pawn_moves(board: &PawnBoard, who: Player) -> Vec<(String, PawnBoard)> {
    let mut moves = vec![];
    let _ = Pawns.moves(board, who, &mut |mv| {
        let mut next = *board;
        Pawns.play(&mut next, who, &mv);
        moves.push((Pawns.move_text(board, who, &mv).unwrap_or_default(), next));
        std::ops::ControlFlow::Continue(())
    });
    moves
}

/// Analyses a position as a sum of its chunks of pawns.
///
/// # Errors
/// When the budget runs out.
pub fn analyse(request: &Request, budget: &Budget) -> Result<Analysis, ChessError> {
    let at = &request.board;
    let complex = match request.bound {
        Some(set) => Complex::examine(at, set, true, budget)?,
        None => Complex::find(at, budget)?,
    };
    let free = (at.pawns(Player::Left) | at.pawns(Player::Right)) & !complex.set;
    let store = Store::new();
    let search = PawnSearch::new(&store, budget);
    let pawns = at.pawn_board(free);
    let sum = search.sum(&pawns)?;
    let outcome = sum.analysis.outcome;
    let winners = [
        player_name(if matches!(outcome, Outcome::L | Outcome::N) { Player::Left } else { Player::Right }),
        player_name(if matches!(outcome, Outcome::R | Outcome::N) { Player::Right } else { Player::Left }),
    ];
    let [white, black] = Player::BOTH.map(|who| winning_moves(&search, &sum, at, who));
    let (winning, illegal) = ([white.0, black.0], [white.1, black.1]);
    let (main_line, ending) = line::main_line(&search, at, &pawns)?;
    let together = sum.together.then(|| {
        "White threatens to win in one chunk and Black in another; on and off meet in the sum (on + off = dud), so the \
         values cannot be added, and all chunks were searched together as one."
            .to_string()
    });
    let chunk = |index: usize| Chunk {
        name: sum.names[index].clone(),
        pawns: pawn_names(&sum.boards[index]),
        position: Pawns.show(&sum.boards[index]),
        value: search.text(sum.components[index].value),
        nodes: sum.counts[index].0,
        depth: sum.counts[index].1,
        touched: names(touched(at, squares(&sum.boards[index]))),
        reach: reachable(at, squares(&sum.boards[index])).0,
    };
    Ok(Analysis {
        fen: Chess.show(at),
        complex,
        chunks: (0..sum.boards.len()).map(chunk).collect(),
        sum: search.text(sum.analysis.total),
        together,
        outcome: outcome.to_string(),
        winners,
        winning,
        illegal,
        touched: names(touched(at, free)),
        reachable: names(reachable(at, free).1),
        main_line,
        ending,
        nodes: sum.counts.iter().map(|count| count.0).sum(),
        board: *at,
        chunk_sets: sum.boards.iter().map(squares).collect(),
    })
}

fn pawn_names(board: &PawnBoard) -> Vec<String> {
    let of = |who| board.squares(who).map(|(file, rank)| square_name((8 * rank + file) as u8));
    Player::BOTH.into_iter().flat_map(of).collect()
}

fn names(set: u64) -> Vec<String> {
    set.cells().map(|square| square_name(square as u8)).collect()
}

/// The moves that win by the values: the legal ones, and the others.
fn winning_moves(
    search: &PawnSearch<'_>,
    sum: &Sum,
    at: &ChessBoard,
    who: Player,
) -> (Vec<Winning>, Vec<String>) {
    let (mut list, mut illegal) = (vec![], vec![]);
    let board = at.with_move(who);
    for winning in &sum.analysis.winning[who as usize] {
        let component = &sum.components[winning.at.component];
        let mv = &component.moves_of(who)[winning.at.index];
        let Some(text) = legal_text(&board, &mv.label) else {
            illegal.push(mv.label.clone());
            continue;
        };
        list.push(Winning {
            text,
            chunk: sum.names[winning.at.component].clone(),
            to: search.text(mv.to),
            leaves: search.text(winning.leaves),
            reason: reason(search, sum, who, winning, &mv.label, mv.to),
        });
    }
    (list, illegal)
}

/// A move of the game of pawns as it is written on the board, with `+` for check; `None` if it is not legal there.
pub(crate) fn legal_text(at: &ChessBoard, label: &str) -> Option<String> {
    let plain = |text: &str| text.trim_end_matches('+').to_string();
    at.legal_moves().into_iter().map(|step| at.step_text(step)).find(|text| plain(text) == plain(label))
}

/// "after h3-h4 the kingside is v, the queenside ^, together 0: Black is in zugzwang".
fn reason(
    search: &PawnSearch<'_>,
    sum: &Sum,
    who: Player,
    winning: &gb_search::sum::WinningMove,
    text: &str,
    to: Value,
) -> String {
    let (own, other) = (player_name(who), player_name(who.opponent()));
    let (sure, threat) =
        if who == Player::Left { (Value::ON, Player::Left) } else { (Value::OFF, Player::Right) };
    if winning.leaves == sure {
        return format!("after {text} {own} cannot be stopped from promoting a pawn");
    }
    let mut values = vec![format!("the {} is {}", sum.names[winning.at.component], search.text(to))];
    for (index, component) in sum.components.iter().enumerate() {
        if index != winning.at.component {
            values.push(format!("the {} {}", sum.names[index], search.text(component.value)));
        }
    }
    let mut sentence = format!("after {text} {}", values.join(", "));
    if sum.components.len() > 1 {
        sentence += &format!(", together {}", search.text(winning.leaves));
    }
    let threatens = search.kernel.options(winning.leaves, threat).any(|option| option == sure);
    sentence += &if winning.leaves == Value::ZERO {
        format!(": {other} is in zugzwang")
    } else if threatens {
        format!(": {own} threatens to promote, and wins whatever {other} answers")
    } else {
        format!(": {own} wins whoever moves next")
    };
    sentence
}
