//! What a game may know beyond its rules: capabilities, each a trait of its own that a game opts into.
//!
//! A game says in its [`Rules`](crate::Rules) which of them it has, with [`has!`](crate::has). Whatever wraps a game has to forward
//! them on purpose: a claim that was made for one game says nothing about another.

use std::ops::ControlFlow;

use gb_board::{BoardError, Codes, Spot};
use gb_value::{Dyadic, Halt, Kernel, Player, Value};

use crate::features::{BoundFeatures, StaticResult};
use crate::{Bridge, GridTraits, Inspection, StoneMove, Tabulated};

/// What is known about values without search. Everything here has to be proved.
pub trait Theorems<B, M>: Send + Sync {
    /// The value of a single part by a theorem, where that is cheaper than search.
    #[inline]
    fn known(&self, _at: &B, _kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        Ok(None)
    }
    /// Integers `lo <= G <= hi` that bound the value of a position by inspection (missing: unbounded).
    #[inline]
    fn bounds(&self, _at: &B) -> (Option<i64>, Option<i64>) {
        (None, None)
    }
    /// What inspection counts for either player on a board. By default the [`bounds`](Theorems::bounds); a game that
    /// counts something else also has to say what the counts mean, in [`static_result`](Theorems::static_result).
    #[inline]
    fn features(&self, at: &B) -> BoundFeatures {
        BoundFeatures::of_bounds(self.bounds(at))
    }
    /// What the features of a sum of boards say, when `first` moves first and there is also a rest between two integers.
    /// Used by the search for outcomes only.
    #[inline]
    fn static_result(&self, features: &BoundFeatures, rest: (i64, i64), first: Player) -> StaticResult {
        features.by_bounds(rest, first)
    }
    /// Calls `emit` for every move of `who` in the order of [`Rules::moves`](crate::Rules::moves), with the board after it and what
    /// [`static_result`](Theorems::static_result) says of the sum in which it stands, until that breaks. For games that need not count
    /// everything on every board to know that; moves earn no points in them. Where a winner takes long to see, an evaluation may be given
    /// instead, and moves that need not be tried may be left out if the inspection is [`to_win`](Inspection::to_win). `None`, before anything is emitted: there is no faster way.
    #[inline]
    fn inspect_moves(
        &self,
        _at: &B,
        _who: Player,
        _inspection: &Inspection<'_>,
        _emit: &mut dyn FnMut(M, B, StaticResult) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        None
    }
    /// Whether `who` has a move on this board after which [`static_result`](Theorems::static_result) says that `who` wins, where that is seen
    /// quickly; false says nothing. The `hint` is whatever the game wants to remember from boards that differ by one move of the
    /// opponent, which are often won by the same move; 0 on the first of them.
    #[inline]
    fn wins_on_sight(&self, _at: &B, _who: Player, _inspection: &Inspection<'_>, _hint: &mut u64) -> bool {
        false
    }
    /// What a move in a single part leaves: the option is the returned number plus the sum of the emitted parts. For games that
    /// are faster where they see that nothing falls apart, or that some of it is a number; `None`, before anything is
    /// emitted: nothing is known, so that the move is made and the board taken apart.
    #[inline]
    fn parts_after(&self, _part: &B, _who: Player, _mv: &M, _emit: &mut dyn FnMut(B)) -> Option<i64> {
        None
    }
    /// Emits the board cut down to every so many neighbouring lines, from the first ones on, where a game knows a way to cut its boards along lines so that `who` loses
    /// moves and the opponent none: the sum of the bands into which the lines are cut is no better for `who` than the board. False, before anything is emitted: there is no such
    /// way in this game. At least one band is emitted, of all lines if there are no more.
    #[inline]
    fn bands(&self, _at: &B, _who: Player, _width: u32, _emit: &mut dyn FnMut(B)) -> bool {
        false
    }
    /// Ways to take a part apart that depend on values.
    #[inline]
    fn bridges(&self, _part: &B, _emit: &mut dyn FnMut(Bridge<B>)) {}
}

/// Points are counted.
pub trait Scoring<B, M>: Send + Sync {
    /// The points that a move earns for Left (negative: for Right): the option is this number plus the value of the board
    /// after the move.
    fn points(&self, at: &B, who: Player, mv: &M) -> i64;
    /// Whether the game is over when nobody can move, and who has more points wins. Otherwise who cannot move loses, and
    /// points count as moves to spare.
    #[inline]
    fn ends_in_score(&self) -> bool {
        false
    }
    /// A guess at the value of a position that is not searched to its end, without the points earned on the way there.
    fn estimate(&self, _at: &B) -> Option<Dyadic> {
        None
    }
}

/// A player can win everywhere, whatever else is on the bench: games with global threats. Such games are not taken apart during a
/// search: where both players threaten to win, the sum of the parts has no value.
pub trait GlobalWins<B>: Send + Sync {
    /// The player who has won everywhere. Nobody moves after that.
    fn global_win(&self, at: &B) -> Option<Player>;
}

/// All boards of a size can be numbered, for databases: a game on grids of letters, in which play never repeats, no points are
/// counted and nobody wins everywhere.
pub trait Tabulation<B>: Send + Sync {
    /// How boards of letters are ordered by the moves, and which of them have the same value.
    fn grid(&self) -> GridTraits;
    /// The codes of a position, the places of its letters in the alphabet, where that is faster than by its text.
    #[inline]
    fn codes(&self, _at: &B) -> Option<Codes> {
        None
    }
    /// The position with these codes, where that is faster than by its text.
    #[inline]
    fn of_codes(&self, _codes: &Codes) -> Option<Result<B, BoardError>> {
        None
    }
    /// All moves of Left, if there are two colours of stones and each move is a pattern of them. Those of Right are the same with
    /// the colours exchanged.
    fn stone_moves(&self) -> Option<Vec<StoneMove>> {
        None
    }
    /// The form of the game for tables of outcomes, if it has one.
    fn tabulated(&self) -> Option<Tabulated> {
        self.stone_moves().map(Tabulated::Going)
    }
}

/// What looks good: for the order of moves and for searches that end before the game does. Nothing here changes an answer.
pub trait Heuristics<B, M>: Send + Sync {
    /// How promising a move looks, greater is better; the search for outcomes tries moves in this order.
    #[inline]
    fn order_score(&self, _at: &B, _who: Player, _mv: &M) -> i32 {
        0
    }
    /// How likely a strong player makes a move, compared with others: sixteen times the natural logarithm, give or take what
    /// is the same for all moves of a position. Players try likelier moves first and more often.
    #[inline]
    fn move_prior(&self, _at: &B, _who: Player, _mv: &M) -> Option<i32> {
        None
    }
    /// How much better Left stands: a static evaluation. `None`: as many moves more as Left has.
    #[inline]
    fn static_eval(&self, _at: &B) -> Option<i32> {
        None
    }
    /// How large a single part is, for those who value small parts exactly and search large ones only for the winner.
    /// A part of size 10 should be valued in a few microseconds once its options are. `None`: twice the number of moves.
    #[inline]
    fn size(&self, _at: &B) -> Option<usize> {
        None
    }
}

/// Counting moves and taking the n-th is faster than going through all, for games that are played out at random.
pub trait Sampling<B, M>: Send + Sync {
    /// How many moves a player has.
    fn count_moves(&self, at: &B, who: Player) -> u32;
    /// One of the moves of a player, each as likely as any other; `below` gives a random number below its argument, which is
    /// the number of moves.
    fn random_move(&self, at: &B, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<M>;
}

/// How positions and moves are written, where that is more than the letters of a board and the spots of a gesture.
pub trait Notation<B, M>: Send + Sync {
    /// The text of a move; `None`: made from its gesture, as in `a1-b1`.
    fn move_text(&self, _at: &B, _who: Player, _mv: &M) -> Option<String> {
        None
    }
    /// Whose turn it is, if positions say so. The rules themselves never ask: either player may move.
    fn to_play(&self, _at: &B) -> Option<Player> {
        None
    }
    /// Why a text is no move of a player here, as the end of a sentence.
    fn why_illegal(&self, _at: &B, _who: Player, _text: &str) -> Option<String> {
        None
    }
}

/// How a game falls apart, and which positions are alike, if either player may make either player's moves.
pub trait OwnImpartialForm<B>: Send + Sync {
    /// As [`Rules::parts`](crate::Rules::parts).
    fn parts(&self, at: &B, emit: &mut dyn FnMut(B));
    /// As [`Rules::regions`](crate::Rules::regions).
    fn regions(&self, at: &B, emit: &mut dyn FnMut(B, Vec<Spot>));
    /// As [`Rules::normalise`](crate::Rules::normalise).
    fn normalise(&self, at: B) -> B;
}

/// What of a game holds for its impartial variant, `impartial(..)`. What is claimed for one game is never taken over by another,
/// so by default nothing does.
pub enum ImpartialForm<'a, B> {
    /// Nothing falls apart, and every position is its own normal form.
    Nothing,
    /// Parts and normal forms are those of the game itself: they rest on moves alone, and on no value.
    Same,
    /// The same of regions and normal forms. Parts leave out what cancels by its value, which it need not do if either player may make the other's moves.
    SameRegions,
    /// The game has others.
    Own(&'a dyn OwnImpartialForm<B>),
}

/// What a game knows: [`Rules::capabilities`](crate::Rules::capabilities) hands it out, [`has!`](crate::has) fills it in.
pub struct Capabilities<'a, B, M> {
    /// What is known about values without search.
    pub theorems: Option<&'a dyn Theorems<B, M>>,
    /// Points that are counted.
    pub scoring: Option<&'a dyn Scoring<B, M>>,
    /// Wins everywhere at once.
    pub global_wins: Option<&'a dyn GlobalWins<B>>,
    /// How boards are numbered, for databases.
    pub tabulation: Option<&'a dyn Tabulation<B>>,
    /// What looks good.
    pub heuristics: Option<&'a dyn Heuristics<B, M>>,
    /// A faster way to random moves.
    pub sampling: Option<&'a dyn Sampling<B, M>>,
    /// How positions and moves are written.
    pub notation: Option<&'a dyn Notation<B, M>>,
    /// Who cannot move wins. Such a game is one whole: its positions have outcomes, and no values that add up.
    pub misere: bool,
    /// What holds for the impartial variant of the game as well.
    pub impartial_form: ImpartialForm<'a, B>,
}

impl<B, M> Default for Capabilities<'_, B, M> {
    /// Nothing.
    #[inline(always)]
    fn default() -> Self {
        Capabilities {
            theorems: None,
            scoring: None,
            global_wins: None,
            tabulation: None,
            heuristics: None,
            sampling: None,
            notation: None,
            misere: false,
            impartial_form: ImpartialForm::Nothing,
        }
    }
}

/// Inside an `impl` of [`Rules`](crate::Rules): the capabilities that the game has, each a trait that it implements, and
/// `misere`, `same_when_impartial`, `same_regions_when_impartial` or `own_impartial_form`.
///
/// ```ignore
/// gb_rules::has!(theorems, heuristics);
/// ```
#[macro_export]
macro_rules! has {
    ($($capability:ident),* $(,)?) => {
        // A question is asked of one field in the innermost loops: inlined, nothing is left of the others.
        #[inline(always)]
        fn capabilities(&self) -> $crate::Capabilities<'_, Self::Board, Self::Move> {
            let mut has = $crate::Capabilities::default();
            $($crate::has!(@$capability has self);)*
            has
        }
    };
    (@same_when_impartial $has:ident $game:ident) => { $has.impartial_form = $crate::ImpartialForm::Same; };
    (@same_regions_when_impartial $has:ident $game:ident) => {
        $has.impartial_form = $crate::ImpartialForm::SameRegions;
    };
    (@own_impartial_form $has:ident $game:ident) => { $has.impartial_form = $crate::ImpartialForm::Own($game); };
    (@misere $has:ident $game:ident) => { $has.misere = true; };
    (@$capability:ident $has:ident $game:ident) => { $has.$capability = Some($game); };
}
