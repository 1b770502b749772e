//! What a move was worth, and the best answer to it: for learners.
//!
//! First comes what is proved on the whole board, before the move and after it. Where the move was made in a chunk of pawns, the
//! values say what it gave away; they explain, and where nothing is proved they say so.

use cozy_chess::{Board, Move, Piece};
use gb_games::games::chess::{ChessBoard, Step};
use gb_rules::Player;
use gb_value::clock::Instant;
use gb_value::text::Style;
use gb_value::{Budget, Store, Value};
use serde::Serialize;

use crate::analysis::{Analysis, ChessError, Request, analyse};
use crate::names::player_name;
use crate::report::{stake, told};
use crate::shallow::{move_text, shallow_search};
use crate::solve::{Ending, Tables, Workshop, after, moves};

/// How a move is judged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// It is proved that nothing was given away.
    Good,
    /// It is proved that something was given away.
    Mistake,
    /// By the values nothing was given away, but that is not proved.
    SeemsGood,
    /// By the values something was given away, but that is not proved.
    SeemsMistake,
    /// Nothing is known.
    Unknown,
}

/// What a move in a chunk does by the values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Given {
    /// The chunk of the move.
    pub chunk: String,
    /// The sum of all chunks before the move.
    pub before: String,
    /// What the move leaves.
    pub leaves: String,
    /// A move that wins by the values, and what it leaves.
    pub best: Option<(String, String)>,
    /// What the best move leaves more than this one, seen by the player who moved; nothing if the values have no difference.
    pub lost: Option<String>,
}

/// The battle of tempi after a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tempi {
    /// The other side has no move of a free pawn left and has to give way.
    Won,
    /// It goes on.
    Open,
}

/// The best answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reply {
    /// The move.
    pub text: String,
    /// Why it is the best.
    pub why: String,
}

/// What a move was worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Judgement {
    /// The move.
    pub text: String,
    /// In a word.
    pub grade: Grade,
    /// How the game ends with best play before the move, if that is proved.
    pub before: Option<Ending>,
    /// The same after the move.
    pub after: Option<Ending>,
    /// Moves that are proved to keep what there was before.
    pub better: Vec<String>,
    /// What the values say.
    pub values: Option<Given>,
    /// What there is to say, in sentences.
    pub sentences: Vec<String>,
    /// The best answer, unless the game is over.
    pub reply: Option<Reply>,
    /// Best play from the answer on, as far as it is proved.
    pub line: Vec<String>,
    /// The battle of tempi.
    pub tempi: Tempi,
    /// The game is over after the move, or after the answer: how it ends, if that is known.
    pub over: Option<Over>,
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Over {
    /// Who made the last move.
    pub by: &'static str,
    /// How it ends, if that is proved.
    pub ending: Option<Ending>,
    /// In a sentence.
    pub text: String,
}

/// Not more moves are named as better.
const MOST_BETTER: usize = 4;
/// For an answer where nothing is known: positions of a short search for each move, and half-moves.
const SHORT_NODES: u64 = 15_000;
const SHORT_DEPTH: u32 = 8;

/// Judges a move of the player to move, and answers it.
///
/// # Errors
/// If it is not legal, or the game is over.
pub fn judge(at: &ChessBoard, text: &str, tables: &Tables, budget: &Budget) -> Result<Judgement, ChessError> {
    let step = find_step(at, text)?;
    // The values take little of the time as a rule. Of the rest, half for the position before the move, and most of what is left
    // for the one after it; the answer may need some.
    let found = analyse(&Request { board: *at, bound: None }, &share(budget, 0.3)).ok();
    let first = share(budget, 0.5);
    let Some(workshop) = Workshop::with_share(at, tables, budget, &first) else {
        return Err(ChessError::Move(text.trim().to_owned(), "none: the game is over".into()));
    };
    Ok(Lesson { at, step, next: at.after(step), workshop: &workshop, found, budget }.judge())
}

/// A part of the time that is left.
fn share(budget: &Budget, part: f64) -> Budget {
    match budget.deadline() {
        Some(end) => budget.part_of_time(end.saturating_duration_since(Instant::now()).mul_f64(part)),
        None => budget.part(u64::MAX),
    }
}

/// Without the signs for check and mate.
fn plain(text: &str) -> &str {
    text.trim().trim_end_matches(['+', '#'])
}

fn find_step(at: &ChessBoard, text: &str) -> Result<Step, ChessError> {
    let legal = at.legal_moves();
    let found = legal.iter().find(|step| plain(&at.step_text(**step)) == plain(text)).copied();
    found.ok_or_else(|| {
        let other = legal.first().map_or("none".to_owned(), |step| at.step_text(*step));
        ChessError::Move(text.trim().to_owned(), other)
    })
}

/// A move with everything around it.
struct Lesson<'a, 'b> {
    at: &'a ChessBoard,
    step: Step,
    next: ChessBoard,
    workshop: &'a Workshop<'b>,
    /// The values before the move.
    found: Option<Analysis>,
    budget: &'a Budget,
}

impl Lesson<'_, '_> {
    fn mover(&self) -> Player {
        self.at.to_move()
    }

    fn judge(&self) -> Judgement {
        let mv = self.full_move();
        let (start, next) = (self.workshop.board().clone(), after(self.workshop.board(), mv));
        let found = self.found.as_ref();
        let then = found.and_then(|found| self.values_after(found));
        self.workshop.search_also(&next, &share(self.budget, 0.7));
        // What is left, for the position before it, if that was not enough.
        self.workshop.search_also(&start, &share(self.budget, 0.8));
        let (before, later) = (self.workshop.ending_of(&start), self.workshop.ending_of(&next));
        // Whoever wins after his own move did so before; he may have had more otherwise.
        let before = before.or(later.filter(|ending| *ending == Ending::won_by(self.mover())));
        let text = move_text(&start, mv);
        let values = found.zip(then.as_ref()).map(|(found, then)| self.given(found, then));
        let tempi = then.as_ref().map_or(Tempi::Open, |then| self.tempi(then));
        let grade = self.grade(before, later, found, then.as_ref());
        let better = match grade {
            Grade::Mistake => self.keeping(before),
            _ => vec![],
        };
        let mut over = self.over(&next, mv);
        let reply = if over.is_none() { self.reply(&next, then.as_ref()) } else { None };
        let mut line = vec![];
        let mut sentences = self.sentences(&text, grade, before, later, &better);
        sentences.extend(values.as_ref().and_then(|given| self.value_sentence(&text, given, grade)));
        if values.is_none() {
            sentences.extend(found.and_then(|found| self.king_sentence(&text, found, later)));
        }
        if tempi == Tempi::Won {
            sentences.push(format!(
                "{} has no move of a free pawn left and has to give way.",
                player_name(self.mover().opponent())
            ));
        }
        let mut answer = None;
        if let Some((reply, why)) = reply {
            let there = after(&next, reply);
            over = self.over(&there, reply);
            line.push(move_text(&next, reply));
            line.extend(self.workshop.line_of(&there));
            if grade == Grade::Mistake {
                sentences.extend(self.zugzwang_sentence(&move_text(&next, reply), &there));
            }
            // As the game of kings and pawns writes it.
            let step = Step { from: reply.from as u8, to: reply.to as u8 };
            answer = Some(Reply { text: self.next.step_text(step), why });
        }
        Judgement {
            text,
            grade,
            before,
            after: later,
            better,
            values,
            sentences,
            reply: answer,
            line,
            tempi,
            over,
        }
    }

    fn full_move(&self) -> Move {
        let board = self.workshop.board();
        let fits = |mv: &Move| {
            mv.from as u8 == self.step.from
                && mv.to as u8 == self.step.to
                && matches!(mv.promotion, None | Some(Piece::Queen))
        };
        moves(board).into_iter().find(fits).expect("both know the same rules")
    }

    /// The moves that keep what is proved.
    fn keeping(&self, before: Option<Ending>) -> Vec<String> {
        let board = self.workshop.board();
        let keeps = |mv: &Move| before.is_some() && self.workshop.ending_of(&after(board, *mv)) == before;
        let list = moves(board).into_iter().filter(keeps);
        // Whoever can promote to a queen need not think of a knight.
        let list = list.filter(|mv| matches!(mv.promotion, None | Some(Piece::Queen)));
        list.take(MOST_BETTER).map(|mv| move_text(board, mv)).collect()
    }

    /// The values after a move in a chunk, with the same pawns bound as before.
    fn values_after(&self, found: &Analysis) -> Option<Analysis> {
        let moved = |set: &u64| set >> self.step.from & 1 == 1;
        if self.next.promoted().is_some() || !found.chunk_sets.iter().any(moved) {
            return None;
        }
        let pawns = self.next.pawns(Player::Left) | self.next.pawns(Player::Right);
        // A bound pawn may have been taken.
        let bound = found.complex.set & pawns & !(1 << self.step.to);
        analyse(&Request { board: self.next, bound: Some(bound) }, &share(self.budget, 0.3)).ok()
    }

    fn given(&self, found: &Analysis, then: &Analysis) -> Given {
        let chunk = found.chunk_sets.iter().position(|set| set >> self.step.from & 1 == 1);
        let chunk = chunk.map_or(String::new(), |index| found.chunks[index].name.clone());
        let winning = &found.winning[self.mover() as usize];
        let own = plain(&self.at.step_text(self.step)).to_owned();
        let mut best = winning.first();
        let mut lost = None;
        for other in winning.iter().filter(|other| plain(&other.text) != own) {
            match difference(&other.leaves, &then.sum, self.mover()) {
                // A move that wins by more than this one, or wins where this one does not.
                Some(more) if lost.is_none() && more != "0" => (best, lost) = (Some(other), Some(more)),
                _ => {}
            }
        }
        if lost.is_none() && best.is_some_and(|best| plain(&best.text) == own) {
            lost = Some("0".into());
        }
        Given {
            chunk,
            before: found.sum.clone(),
            leaves: then.sum.clone(),
            best: best.map(|best| (best.text.clone(), best.leaves.clone())),
            lost,
        }
    }

    /// Whoever is to move has no free pawn to move, and loses the battle of tempi.
    fn tempi(&self, then: &Analysis) -> Tempi {
        let waiting = self.mover().opponent();
        let free = then.chunk_sets.iter().fold(0, |all, set| all | set);
        let can_move = self.next.legal_moves().iter().any(|step| free >> step.from & 1 == 1);
        let lost = then.winners[waiting as usize] != player_name(waiting);
        if lost && !can_move { Tempi::Won } else { Tempi::Open }
    }

    fn grade(
        &self,
        before: Option<Ending>,
        later: Option<Ending>,
        found: Option<&Analysis>,
        then: Option<&Analysis>,
    ) -> Grade {
        let worth = |ending: Ending| match ending {
            Ending::Draw => 0,
            _ if ending == Ending::won_by(self.mover()) => 1,
            _ => -1,
        };
        if let (Some(before), Some(later)) = (before, later) {
            return if worth(later) < worth(before) { Grade::Mistake } else { Grade::Good };
        }
        // Where the board has spoken, the values do not praise what loses or draws.
        if later.is_some() {
            return Grade::Unknown;
        }
        let (Some(found), Some(then)) = (found, then) else { return Grade::Unknown };
        let own = player_name(self.mover());
        let had = found.winners[self.mover() as usize] == own;
        let has = then.winners[self.mover().opponent() as usize] == own;
        match (had, has) {
            (true, false) => Grade::SeemsMistake,
            _ => Grade::SeemsGood,
        }
    }

    fn sentences(
        &self,
        text: &str,
        grade: Grade,
        before: Option<Ending>,
        later: Option<Ending>,
        better: &[String],
    ) -> Vec<String> {
        let own = Ending::won_by(self.mover());
        let thing = |ending: Ending| match ending {
            Ending::Draw => "the draw",
            _ if ending == own => "the win",
            _ => "nothing, since everything loses",
        };
        let mut list = vec![];
        match (grade, before, later) {
            (Grade::Mistake, Some(before), Some(later)) => {
                let what = if before == own && later != Ending::Draw {
                    "the win, and the game with it"
                } else {
                    thing(before)
                };
                list.push(format!(
                    "{text} gives away {what}: before it was {}, now it is {} (both proved).",
                    told(before),
                    told(later)
                ));
                let joined = better.join(", ");
                match better.len() {
                    0 => {}
                    1 => list.push(format!("{joined} would have kept it.")),
                    MOST_BETTER => list.push(format!("{joined} and perhaps others would have kept it.")),
                    _ => list.push(format!("{joined} would have kept it.")),
                }
            }
            (Grade::Good, Some(before), _) => {
                list.push(format!("{text} keeps {}: {} (proved).", thing(before), told(before)));
            }
            (_, None, Some(later)) => list.push(format!(
                "After {text} it is {} (proved). Whether anything was better is not proved.",
                told(later)
            )),
            (_, Some(before), None) => {
                list.push(format!(
                    "Before {text} it was {} (proved). What it is now is not proved.",
                    told(before)
                ));
            }
            _ => list.push(format!("What {text} does on the whole board is not proved.")),
        }
        list
    }

    /// "By the values: ..."
    fn value_sentence(&self, text: &str, given: &Given, grade: Grade) -> Option<String> {
        let Given { before, leaves, best, lost, .. } = given;
        let own = plain(text);
        let proved = matches!(grade, Grade::Good | Grade::Mistake);
        let hedge = if proved { "" } else { " That rests on the values alone." };
        let better = best.as_ref().filter(|(best, _)| plain(best) != own);
        Some(match (better, lost.as_deref()) {
            (Some((best, kept)), Some(lost)) => format!(
                "By the values: the chunks were worth {before}; {best} leaves {kept}, {text} leaves {leaves}. Given away: \
                 {lost}.{hedge}"
            ),
            (Some((best, kept)), None) => format!(
                "By the values: the chunks were worth {before}; {best} leaves {kept}, {text} leaves {leaves}, which is no \
                 worse.{hedge}"
            ),
            (None, _) => {
                format!("By the values: the chunks were worth {before}, and {text} leaves {leaves}.{hedge}")
            }
        })
    }

    /// A king or a bound pawn has moved: the kings' complex gives way.
    fn king_sentence(&self, text: &str, found: &Analysis, later: Option<Ending>) -> Option<String> {
        let free = found.chunk_sets.iter().any(|&set| set != 0);
        if !found.complex.zugzwang || !free || later.is_some() {
            return None;
        }
        Some(format!(
            "{text} gives way in what seems to be a mutual zugzwang, where having to move makes a difference of {}. The chunks \
             are still worth {}.",
            stake(&found.complex.costs[self.mover() as usize]),
            found.sum
        ))
    }

    /// What makes the answer work, if it is a matter of whose turn it is.
    fn zugzwang_sentence(&self, reply: &str, there: &Board) -> Option<String> {
        let squares = self.workshop.squares_of(there).filter(|squares| squares.now)?;
        let name = squares.name.map_or(String::new(), |name| format!(" ({name})"));
        Some(format!(
            "After {reply} the kings stand on corresponding squares{name}, and it is {}'s turn.",
            player_name(self.mover())
        ))
    }

    /// The best answer: by what is proved, then by the values, then by a short search.
    fn reply(&self, next: &Board, then: Option<&Analysis>) -> Option<(Move, String)> {
        let replier = player_name(self.next.to_move());
        if let Some(mv) = self.workshop.best(next) {
            // The board of the session knows promotions to a queen only.
            let queen = Move { promotion: mv.promotion.map(|_| Piece::Queen), ..mv };
            let why = match self.workshop.ending_of(next) {
                Some(Ending::Draw) => "it keeps the draw (proved)".to_owned(),
                Some(ending) if ending == Ending::won_by(self.next.to_move()) => {
                    format!("{replier} wins with it (proved)")
                }
                _ => "everything loses, and this resists longest".to_owned(),
            };
            return Some((queen, why));
        }
        let all = moves(next);
        let by_text =
            |text: &str| all.iter().find(|mv| plain(&move_text(next, **mv)) == plain(text)).copied();
        if let Some(then) = then {
            let waiting = self.next.to_move() as usize;
            if let Some(winning) = then.winning[waiting].first()
                && let Some(mv) = by_text(&winning.text)
            {
                return Some((mv, format!("by the values, not proved: {}", winning.reason)));
            }
            if let Some(mv) = then.main_line.first().and_then(|text| by_text(text)) {
                return Some((mv, "by the values it loses later than others; not proved".to_owned()));
            }
        }
        let sign = if self.next.to_move() == Player::Left { 1 } else { -1 };
        let score = |step: &Step| {
            sign * shallow_search(&self.next.after(*step), SHORT_DEPTH, &self.budget.part(SHORT_NODES))
        };
        let step = self.next.legal_moves().into_iter().max_by_key(|step| score(step))?;
        Some((by_text(&self.next.step_text(step))?, "a short search likes it; not proved".to_owned()))
    }

    /// Whether the game is over after a move: a pawn is promoted, somebody cannot move, or nobody has a pawn.
    fn over(&self, board: &Board, last: Move) -> Option<Over> {
        let mover = if board.side_to_move() == cozy_chess::Color::White { "White" } else { "Black" };
        let other = if mover == "White" { "Black" } else { "White" };
        let ending = self.workshop.ending_of(board);
        let over = |ending: Option<Ending>, text: String| Some(Over { by: other, ending, text });
        if moves(board).is_empty() {
            return if board.checkers().is_empty() {
                over(Some(Ending::Draw), format!("{mover} is stalemated: a draw."))
            } else {
                let won = if other == "White" { Ending::White } else { Ending::Black };
                over(Some(won), format!("{mover} is mated: {other} wins."))
            };
        }
        if last.promotion.is_some() {
            return match ending {
                Some(ending) => over(
                    Some(ending),
                    format!("{other} has promoted a pawn, and it is {} (proved).", told(ending)),
                ),
                None => over(None, format!("{other} has promoted a pawn; how it goes on is not proved.")),
            };
        }
        if board.pieces(Piece::Pawn).is_empty() {
            return over(Some(Ending::Draw), "No pawn is left: a draw.".to_owned());
        }
        None
    }
}

/// What a player has more after one move than after another; nothing where that is no value.
fn difference(best: &str, own: &str, who: Player) -> Option<String> {
    let store = Store::new();
    let budget = Budget::unlimited().with_nodes(200_000);
    let kernel = store.kernel(&budget);
    let (best, own) = (kernel.read(best).ok()?, kernel.read(own).ok()?);
    let (more, less) = if who == Player::Left { (best, own) } else { (own, best) };
    let value = kernel.sub(more, less).ok()?;
    // Only what is worth something to the player.
    if kernel.le(value, Value::ZERO).ok()? {
        return None;
    }
    let shown = kernel.show(value, &Style::default()).ok()?;
    (shown.text.len() <= 60).then_some(shown.text)
}
