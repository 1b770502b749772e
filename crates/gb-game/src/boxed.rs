//! Games that have forgotten their type and still are [`Rules`].
//!
//! Everything that is generic over the rules is compiled once for each game. For the kinds of boards that are searched
//! most that is worth it; [`Boxed`] stands for all others (variants, graphs, very large boards) and for sums of different
//! games (see [`mixed`](crate::mixed)), at the price of an allocation for each board.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{BoardError, Codes, Scene, Size, Spot};
use gb_value::{Dyadic, Kernel, Player, Stop, Value};

use crate::{Chances, GridTraits, Info, Rules, Sign, Verdict};

/// A game of any type.
#[derive(Clone)]
pub struct Boxed(Arc<dyn Game>);

/// A board of any type. It must only be used with the game that it belongs to.
#[derive(Clone)]
pub struct BoxedBoard(Arc<dyn Board>);

/// A move: what becomes of the board, and what the game says of the move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BoxedMove {
    after: BoxedBoard,
    /// Its place among the moves of the player.
    place: usize,
    points: i64,
    promise: i32,
}

impl Boxed {
    /// Forgets the type of a game.
    pub fn new<R: Rules>(rules: R) -> Boxed {
        Boxed(Arc::new(rules))
    }
}

impl fmt::Debug for Boxed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Boxed").field(&self.0.info().name).finish()
    }
}

impl BoxedBoard {
    /// Forgets the type of a board.
    pub fn new<B: Eq + Hash + fmt::Debug + Send + Sync + 'static>(board: B) -> BoxedBoard {
        BoxedBoard(Arc::new(Held(board)))
    }

    /// The board with its type.
    ///
    /// # Panics
    /// If the board is of another type, so belongs to another game.
    fn typed<R: Rules>(&self) -> &R::Board {
        match self.0.as_any().downcast_ref::<Held<R::Board>>() {
            Some(held) => &held.0,
            None => panic!("a board of one game was used with the rules of another"),
        }
    }
}

trait Board: Send + Sync + fmt::Debug {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Board) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
}

#[derive(Debug)]
struct Held<B>(B);

impl<B: Eq + Hash + fmt::Debug + Send + Sync + 'static> Board for Held<B> {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn equals(&self, other: &dyn Board) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| other.0 == self.0)
    }
    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.0.hash(&mut state);
    }
}

impl PartialEq for BoxedBoard {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.0.as_ref())
    }
}

impl Eq for BoxedBoard {}

impl Hash for BoxedBoard {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl fmt::Debug for BoxedBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What [`Rules`] are without types.
trait Game: Send + Sync {
    fn info(&self) -> Info;
    fn read(&self, text: &str) -> Result<BoxedBoard, BoardError>;
    fn show(&self, at: &BoxedBoard) -> String;
    fn moves(&self, at: &BoxedBoard, who: Player, emit: &mut Emit<'_>) -> ControlFlow<()>;
    fn gesture(&self, at: &BoxedBoard, who: Player, place: usize) -> Vec<Spot>;
    fn move_text(&self, at: &BoxedBoard, who: Player, place: usize) -> String;
    fn scene(&self, at: &BoxedBoard) -> Scene;
    fn start(&self, size: Size) -> Result<BoxedBoard, BoardError>;
    fn ends_in_score(&self) -> bool;
    fn to_play(&self, at: &BoxedBoard) -> Option<Player>;
    fn estimate(&self, at: &BoxedBoard) -> Option<Dyadic>;
    fn parts(&self, at: &BoxedBoard, emit: &mut dyn FnMut(BoxedBoard));
    fn regions(&self, at: &BoxedBoard, emit: &mut dyn FnMut(BoxedBoard, Vec<Spot>));
    fn normalise(&self, at: BoxedBoard) -> (BoxedBoard, Sign);
    fn known(&self, at: &BoxedBoard, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop>;
    fn bounds(&self, at: &BoxedBoard) -> (Option<i64>, Option<i64>);
    fn chances(&self, at: &BoxedBoard) -> Chances;
    fn verdict(&self, chances: &Chances, rest: (i64, i64), first: Player) -> Verdict;
    fn count_moves(&self, at: &BoxedBoard, who: Player) -> u32;
    fn move_at(&self, at: &BoxedBoard, who: Player, place: usize) -> BoxedMove;
    fn lean(&self, at: &BoxedBoard) -> i32;
    fn size(&self, at: &BoxedBoard) -> usize;
    fn has_global_wins(&self) -> bool;
    fn global_win(&self, at: &BoxedBoard) -> Option<Player>;
    fn grid(&self) -> Option<GridTraits>;
    fn codes(&self, at: &BoxedBoard) -> Option<Codes>;
    fn of_codes(&self, codes: &Codes) -> Result<BoxedBoard, BoardError>;
}

type Emit<'a> = dyn FnMut(BoxedMove) -> ControlFlow<()> + 'a;

/// The move at this place among the moves of a player: a [`BoxedMove`] was one of them.
///
/// # Panics
/// If the move was made for another board.
fn move_at<R: Rules>(rules: &R, at: &R::Board, who: Player, place: usize) -> R::Move {
    let (mut left, mut found) = (place, None);
    let _ = rules.moves(at, who, &mut |mv| {
        if left == 0 {
            found = Some(mv);
            return ControlFlow::Break(());
        }
        left -= 1;
        ControlFlow::Continue(())
    });
    found.expect("a move belongs to the board it was made for")
}

/// Makes a move, and keeps what comes of it.
fn boxed_move<R: Rules>(rules: &R, board: &R::Board, who: Player, mv: &R::Move, place: usize) -> BoxedMove {
    let mut after = board.clone();
    rules.play(&mut after, who, mv);
    let (points, promise) = (rules.points(board, who, mv), rules.promise(board, who, mv));
    BoxedMove { after: BoxedBoard::new(after), place, points, promise }
}

impl<R: Rules> Game for R {
    fn info(&self) -> Info {
        Rules::info(self)
    }
    fn read(&self, text: &str) -> Result<BoxedBoard, BoardError> {
        Rules::read(self, text).map(BoxedBoard::new)
    }
    fn show(&self, at: &BoxedBoard) -> String {
        Rules::show(self, at.typed::<R>())
    }
    fn moves(&self, at: &BoxedBoard, who: Player, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let (board, mut place) = (at.typed::<R>(), 0);
        Rules::moves(self, board, who, &mut |mv| {
            place += 1;
            emit(boxed_move(self, board, who, &mv, place - 1))
        })
    }
    fn gesture(&self, at: &BoxedBoard, who: Player, place: usize) -> Vec<Spot> {
        let at = at.typed::<R>();
        Rules::gesture(self, at, who, &move_at(self, at, who, place))
    }
    fn move_text(&self, at: &BoxedBoard, who: Player, place: usize) -> String {
        let at = at.typed::<R>();
        Rules::move_text(self, at, who, &move_at(self, at, who, place))
    }
    fn scene(&self, at: &BoxedBoard) -> Scene {
        Rules::scene(self, at.typed::<R>())
    }
    fn start(&self, size: Size) -> Result<BoxedBoard, BoardError> {
        Rules::start(self, size).map(BoxedBoard::new)
    }
    fn ends_in_score(&self) -> bool {
        Rules::ends_in_score(self)
    }
    fn to_play(&self, at: &BoxedBoard) -> Option<Player> {
        Rules::to_play(self, at.typed::<R>())
    }
    fn estimate(&self, at: &BoxedBoard) -> Option<Dyadic> {
        Rules::estimate(self, at.typed::<R>())
    }
    fn parts(&self, at: &BoxedBoard, emit: &mut dyn FnMut(BoxedBoard)) {
        Rules::parts(self, at.typed::<R>(), &mut |part| emit(BoxedBoard::new(part)));
    }
    fn regions(&self, at: &BoxedBoard, emit: &mut dyn FnMut(BoxedBoard, Vec<Spot>)) {
        Rules::regions(self, at.typed::<R>(), &mut |part, spots| emit(BoxedBoard::new(part), spots));
    }
    fn normalise(&self, at: BoxedBoard) -> (BoxedBoard, Sign) {
        let (normal, sign) = Rules::normalise(self, at.typed::<R>().clone());
        (BoxedBoard::new(normal), sign)
    }
    fn known(&self, at: &BoxedBoard, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        Rules::known(self, at.typed::<R>(), kernel)
    }
    fn bounds(&self, at: &BoxedBoard) -> (Option<i64>, Option<i64>) {
        Rules::bounds(self, at.typed::<R>())
    }
    fn chances(&self, at: &BoxedBoard) -> Chances {
        Rules::chances(self, at.typed::<R>())
    }
    fn verdict(&self, chances: &Chances, rest: (i64, i64), first: Player) -> Verdict {
        Rules::verdict(self, chances, rest, first)
    }
    fn count_moves(&self, at: &BoxedBoard, who: Player) -> u32 {
        Rules::count_moves(self, at.typed::<R>(), who)
    }
    fn move_at(&self, at: &BoxedBoard, who: Player, place: usize) -> BoxedMove {
        let board = at.typed::<R>();
        boxed_move(self, board, who, &move_at(self, board, who, place), place)
    }
    fn lean(&self, at: &BoxedBoard) -> i32 {
        Rules::lean(self, at.typed::<R>())
    }
    fn size(&self, at: &BoxedBoard) -> usize {
        Rules::size(self, at.typed::<R>())
    }
    fn has_global_wins(&self) -> bool {
        Rules::has_global_wins(self)
    }
    fn global_win(&self, at: &BoxedBoard) -> Option<Player> {
        Rules::global_win(self, at.typed::<R>())
    }
    fn grid(&self) -> Option<GridTraits> {
        Rules::grid(self)
    }
    fn codes(&self, at: &BoxedBoard) -> Option<Codes> {
        Rules::codes(self, at.typed::<R>())
    }
    fn of_codes(&self, codes: &Codes) -> Result<BoxedBoard, BoardError> {
        Rules::of_codes(self, codes).map(BoxedBoard::new)
    }
}

impl Rules for Boxed {
    type Board = BoxedBoard;
    type Move = BoxedMove;

    fn info(&self) -> Info {
        self.0.info()
    }
    fn read(&self, text: &str) -> Result<BoxedBoard, BoardError> {
        self.0.read(text)
    }
    fn show(&self, at: &BoxedBoard) -> String {
        self.0.show(at)
    }
    fn moves(
        &self,
        at: &BoxedBoard,
        who: Player,
        emit: &mut impl FnMut(BoxedMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.moves(at, who, emit)
    }
    fn play(&self, at: &mut BoxedBoard, _who: Player, mv: &BoxedMove) {
        *at = mv.after.clone();
    }
    fn gesture(&self, at: &BoxedBoard, who: Player, mv: &BoxedMove) -> Vec<Spot> {
        self.0.gesture(at, who, mv.place)
    }
    fn scene(&self, at: &BoxedBoard) -> Scene {
        self.0.scene(at)
    }
    fn start(&self, size: Size) -> Result<BoxedBoard, BoardError> {
        self.0.start(size)
    }
    fn move_text(&self, at: &BoxedBoard, who: Player, mv: &BoxedMove) -> String {
        self.0.move_text(at, who, mv.place)
    }
    fn points(&self, _at: &BoxedBoard, _who: Player, mv: &BoxedMove) -> i64 {
        mv.points
    }
    fn ends_in_score(&self) -> bool {
        self.0.ends_in_score()
    }
    fn to_play(&self, at: &BoxedBoard) -> Option<Player> {
        self.0.to_play(at)
    }
    fn estimate(&self, at: &BoxedBoard) -> Option<Dyadic> {
        self.0.estimate(at)
    }
    fn parts(&self, at: &BoxedBoard, emit: &mut impl FnMut(BoxedBoard)) {
        self.0.parts(at, emit);
    }
    fn regions(&self, at: &BoxedBoard, emit: &mut impl FnMut(BoxedBoard, Vec<Spot>)) {
        self.0.regions(at, emit);
    }
    fn normalise(&self, at: BoxedBoard) -> (BoxedBoard, Sign) {
        self.0.normalise(at)
    }
    fn known(&self, at: &BoxedBoard, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        self.0.known(at, kernel)
    }
    fn bounds(&self, at: &BoxedBoard) -> (Option<i64>, Option<i64>) {
        self.0.bounds(at)
    }
    fn chances(&self, at: &BoxedBoard) -> Chances {
        self.0.chances(at)
    }
    fn verdict(&self, chances: &Chances, rest: (i64, i64), first: Player) -> Verdict {
        self.0.verdict(chances, rest, first)
    }
    fn count_moves(&self, at: &BoxedBoard, who: Player) -> u32 {
        self.0.count_moves(at, who)
    }
    fn random_move(
        &self,
        at: &BoxedBoard,
        who: Player,
        below: &mut impl FnMut(u32) -> u32,
    ) -> Option<BoxedMove> {
        let count = self.0.count_moves(at, who);
        (count > 0).then(|| self.0.move_at(at, who, below(count) as usize))
    }
    fn lean(&self, at: &BoxedBoard) -> i32 {
        self.0.lean(at)
    }
    fn size(&self, at: &BoxedBoard) -> usize {
        self.0.size(at)
    }
    fn has_global_wins(&self) -> bool {
        self.0.has_global_wins()
    }
    fn global_win(&self, at: &BoxedBoard) -> Option<Player> {
        self.0.global_win(at)
    }
    fn promise(&self, _at: &BoxedBoard, _who: Player, mv: &BoxedMove) -> i32 {
        mv.promise
    }
    fn grid(&self) -> Option<GridTraits> {
        self.0.grid()
    }
    fn codes(&self, at: &BoxedBoard) -> Option<Codes> {
        self.0.codes(at)
    }
    fn of_codes(&self, codes: &Codes) -> Result<BoxedBoard, BoardError> {
        self.0.of_codes(codes)
    }
}
