//! The central trait: [`Rules`].

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BoardError, Codes, Scene, Size, Spot, gesture_text};
use gb_value::{Dyadic, Kernel, Player, Stop, Value};
use smallvec::SmallVec;

use crate::chances::{Chances, Verdict};
use crate::key::MoveCode;

/// Whether a normal form stands for a position itself or for its negative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// The normal form has the value of the position.
    Plus,
    /// The normal form has the negative of the value of the position.
    Minus,
}

impl std::ops::Neg for Sign {
    type Output = Sign;

    fn neg(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }
}

/// What a front end shows about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The name with its parameters, as typed: `clobber`, `octal(0.77)`.
    pub name: String,
    /// The name as a headline: `Clobber`.
    pub title: &'static str,
    /// The rules in about two sentences.
    pub rules: &'static str,
    /// The letters of the board text and what they mean, e.g. `x` -> `Left's stone`.
    pub alphabet: &'static [(char, &'static str)],
    /// A position worth looking at.
    pub example: &'static str,
    /// Both players have the same moves from every position.
    pub impartial: bool,
    /// Play may come back to a position.
    pub loopy: bool,
}

/// What tables of all boards of a rectangle need to know about a game on grids whose positions are texts of letters, one a
/// cell. The first letter, code 0, is what lies around the board: blank rows and columns beside a position change nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridTraits {
    /// What each letter weighs: every move makes the sum of the weights smaller.
    pub weights: &'static [u8],
    /// Whether turning a board upside down, or left to right, keeps its value.
    pub mirrors: bool,
    /// What becomes of the value when rows become columns, if anything can be said.
    pub transpose: Option<Sign>,
    /// The codes after the players have changed places, which negates the value. Code 0 stays, and so do the weights.
    pub swap: Option<&'static [u8]>,
}

/// A place where a part may fall apart: if `end` and `longer_end` have the same value, then the part has the value of
/// `end` plus `rest`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bridge<B> {
    /// What is on one side of the bridge.
    pub end: B,
    /// The same with the bridge.
    pub longer_end: B,
    /// The bridge with what is on its other side.
    pub rest: B,
}

/// The rules of a game: the one trait to implement for a new game.
///
/// Required are only the types, [`info`](Rules::info), [`read`](Rules::read), [`show`](Rules::show),
/// [`moves`](Rules::moves) and [`play`](Rules::play). Every other method is a hook with a default that is right but
/// slower, or plainer. Rules are a value, so that they can have parameters (an octal code, a family of boards).
pub trait Rules: Clone + Send + Sync + 'static {
    /// A position: a small plain value without history.
    type Board: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static;
    /// A move: something that is a number.
    type Move: MoveCode + Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// Name, title, rules, alphabet, example.
    fn info(&self) -> Info;
    /// Reads a position.
    fn read(&self, text: &str) -> Result<Self::Board, BoardError>;
    /// Writes a position so that [`read`](Rules::read) gives it back.
    fn show(&self, at: &Self::Board) -> String;
    /// Calls `emit` for every move of `who`, until it breaks.
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    /// Makes a move that [`moves`](Rules::moves) has emitted.
    fn play(&self, at: &mut Self::Board, who: Player, mv: &Self::Move);

    /// The spots of the [`scene`](Rules::scene) that are pointed at, in turn, to make a move. Different moves of a player
    /// have different gestures, and none begins with another. The text of a move is made from it: `a1-b1`. By default
    /// the cells that change, in reading order.
    fn gesture(&self, at: &Self::Board, who: Player, mv: &Self::Move) -> Vec<Spot> {
        let mut after = at.clone();
        self.play(&mut after, who, mv);
        Scene::of_text(&self.show(at)).changes(&Scene::of_text(&self.show(&after)))
    }
    /// What to draw for a position. By default a square for each letter of its text.
    fn scene(&self, at: &Self::Board) -> Scene {
        Scene::of_text(&self.show(at))
    }
    /// The usual starting position of a size; sizes are `8x8` or `12`, and a length stands for a single row.
    fn start(&self, _size: Size) -> Result<Self::Board, BoardError> {
        let Info { title, example, .. } = self.info();
        Err(BoardError::Senseless(format!(
            "{title} has no usual starting position: give a position such as `{example}`"
        )))
    }
    /// The text of a move.
    fn move_text(&self, at: &Self::Board, who: Player, mv: &Self::Move) -> String {
        gesture_text(&self.gesture(at, who, mv))
    }
    /// The points that a move earns for Left (negative: for Right), in games that keep a score: the option is this
    /// number plus the value of the board after the move.
    fn points(&self, _at: &Self::Board, _who: Player, _mv: &Self::Move) -> i64 {
        0
    }
    /// Whether the game is over when nobody can move, and who has more points wins. Otherwise who cannot move loses, and
    /// points count as moves to spare.
    fn ends_in_score(&self) -> bool {
        false
    }
    /// A guess at the value of a position that is not searched to its end, without the points earned on the way there.
    fn estimate(&self, _at: &Self::Board) -> Option<Dyadic> {
        None
    }
    /// Whose turn it is, in games whose positions say so. The rules themselves never ask: either player may move.
    fn to_play(&self, _at: &Self::Board) -> Option<Player> {
        None
    }
    /// Takes a position apart: the sum of the emitted parts has the value of the position. Parts without moves may be
    /// left out, so that nothing is emitted for a finished position.
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        emit(at.clone());
    }
    /// What a move in a single part leaves: the option is the returned number plus the sum of the emitted parts. By default
    /// the move is made and the board taken apart; a game can be faster where it sees that nothing falls apart, or that
    /// some of it is a number.
    #[inline]
    fn parts_after(
        &self,
        part: &Self::Board,
        who: Player,
        mv: &Self::Move,
        emit: &mut impl FnMut(Self::Board),
    ) -> i64 {
        let mut next = part.clone();
        self.play(&mut next, who, mv);
        self.parts(&next, emit);
        self.points(part, who, mv)
    }
    /// Ways to take a part apart that depend on values, by theorems of the game.
    #[inline]
    fn bridges(&self, _part: &Self::Board, _emit: &mut impl FnMut(Bridge<Self::Board>)) {}
    /// As [`parts`](Rules::parts), with the spots that each part takes up on the board, for front ends: where that is
    /// not said (the default), no spots.
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        self.parts(at, &mut |part| emit(part, vec![]));
    }
    /// One representative of all positions with the same value, or its negative, under the symmetries of the game. Only
    /// ever called on single parts.
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        (at, Sign::Plus)
    }
    /// As [`regions`](Rules::regions), for the impartial variant of the game: what either player may do with the moves of
    /// both. What is claimed here for one game is never taken over by another, so by default nothing falls apart; a game
    /// whose `regions` rest on moves alone, and on no value, says [`same_when_impartial!`](crate::same_when_impartial).
    fn impartial_regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        emit(at.clone(), vec![]);
    }
    /// As [`normalise`](Rules::normalise), for the impartial variant. By default every position is its own normal form.
    fn impartial_normalise(&self, at: Self::Board) -> Self::Board {
        at
    }
    /// The value of a single part by a theorem, where that is cheaper than search.
    fn known(&self, _at: &Self::Board, _kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        Ok(None)
    }
    /// Integers `lo <= G <= hi` that bound the value of a position by inspection (missing: unbounded).
    fn bounds(&self, _at: &Self::Board) -> (Option<i64>, Option<i64>) {
        (None, None)
    }
    /// What inspection sees of either player's chances on a board. By default the [`bounds`](Rules::bounds); a game that
    /// counts something else also has to say what the counts mean, in [`verdict`](Rules::verdict).
    fn chances(&self, at: &Self::Board) -> Chances {
        Chances::of_bounds(self.bounds(at))
    }
    /// What the chances of a sum of boards say, when `first` moves first and there is also a rest between two integers.
    /// Used by the search for outcomes only.
    fn verdict(&self, chances: &Chances, rest: (i64, i64), first: Player) -> Verdict {
        chances.by_bounds(rest, first)
    }
    /// How many moves a player has.
    fn count_moves(&self, at: &Self::Board, who: Player) -> u32 {
        let mut count = 0;
        let _ = self.moves(at, who, &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }
    /// One of the moves of a player, each as likely as any other; `below` gives a random number below its argument. For
    /// games that are played out at random: where counting moves and taking the n-th is faster than going through all.
    fn random_move(
        &self,
        at: &Self::Board,
        who: Player,
        below: &mut impl FnMut(u32) -> u32,
    ) -> Option<Self::Move> {
        let mut moves: SmallVec<[Self::Move; 32]> = SmallVec::new();
        let _ = self.moves(at, who, &mut |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        if moves.is_empty() {
            return None;
        }
        let chosen = below(moves.len() as u32) as usize;
        Some(moves.swap_remove(chosen))
    }
    /// How large a single part is, for those who value small parts exactly and search large ones only for the winner.
    /// A part of size 10 should be valued in a few microseconds once its options are. By default twice the number of moves.
    fn size(&self, at: &Self::Board) -> usize {
        let [left, right] = Player::BOTH.map(|who| self.count_moves(at, who) as usize);
        2 * (left + right)
    }
    /// Whether a player can ever win everywhere in this game (see [`global_win`](Rules::global_win)). Such games are not
    /// taken apart during a search: where both players threaten to win, the sum of the parts has no value.
    fn has_global_wins(&self) -> bool {
        false
    }
    /// The player who has won everywhere, whatever else is on the bench: games with global threats. Nobody moves after
    /// that.
    fn global_win(&self, _at: &Self::Board) -> Option<Player> {
        None
    }
    /// How much better Left stands, at a glance: for searches that end before the game does. By default how many more
    /// moves Left has; a game where both always have as many should say something else.
    fn lean(&self, at: &Self::Board) -> i32 {
        self.count_moves(at, Player::Left) as i32 - self.count_moves(at, Player::Right) as i32
    }
    /// For databases of all boards of a size: how boards of letters are ordered by the moves, and which of them have the
    /// same value. `None` where a board is no grid of letters, where play may repeat, and where points are counted or a
    /// player can win everywhere.
    fn grid(&self) -> Option<GridTraits> {
        None
    }
    /// The codes of a position of a game with a [`grid`](Rules::grid): the places of its letters in the alphabet. `None`
    /// if it is no rectangle.
    fn codes(&self, at: &Self::Board) -> Option<Codes> {
        Codes::read(&self.show(at), &Alphabet(self.info().alphabet))
    }
    /// The position with these codes.
    fn of_codes(&self, codes: &Codes) -> Result<Self::Board, BoardError> {
        self.read(&codes.show(&Alphabet(self.info().alphabet)))
    }
    /// How promising a move looks, greater is better; the search for outcomes tries moves in this order.
    fn promise(&self, _at: &Self::Board, _who: Player, _mv: &Self::Move) -> i32 {
        0
    }
    /// How likely a strong player makes a move, compared with others: sixteen times the natural logarithm, give or take what
    /// is the same for all moves of a position. Players try likelier moves first and more often. `None` if nothing is known
    /// of that.
    fn habit(&self, _at: &Self::Board, _who: Player, _mv: &Self::Move) -> Option<i32> {
        None
    }
}
