//! The one interface behind which the rules of every game stand: [`DynGame`].
//!
//! The engine asks once for each node: what do the moves of a player leave ([`DynGame::expand`]), which normal forms have these
//! parts ([`DynGame::normalise_all`]), how does a random game end ([`DynGame::random_walk`]). Inside such a call a game runs its
//! own typed code; outside of it there are only keys. So the engine is compiled once, whatever the number of games.

mod coded;
mod defaults;
mod walk;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{BoardError, Codes, Random, Scene, Size, Spot};
use gb_value::{Dyadic, Halt, Kernel, Player, Value};

pub use self::coded::{Coded, direct, interned};
pub use self::walk::{Walk, WalkLimits};
use crate::key::{Key, MoveKey};
use crate::{BoundFeatures, Bridge, GridTraits, Info, Sign, StaticResult, Tabulated};

/// A game whose positions are keys of `N` words.
pub type Game<const N: usize> = Arc<dyn DynGame<N>>;

/// What the moves of a position leave. The buffers are reused from node to node.
#[derive(Clone, Debug, Default)]
pub struct Expansion<const N: usize> {
    /// The options.
    pub options: Vec<ExpandedOption>,
    /// The parts of all options, as they were cut from the board.
    pub parts: Vec<Key<N>>,
}

/// What one move leaves: points, and the sum of some parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpandedOption {
    /// Who moves.
    pub player: Player,
    /// The points of the move for Left, or what else is an integer of what is left.
    pub points: i64,
    /// Where its parts begin in [`Expansion::parts`].
    pub first_part: u32,
    /// And where they end.
    pub end_of_parts: u32,
}

impl<const N: usize> Expansion<N> {
    /// Empties the buffers.
    pub fn clear(&mut self) {
        self.options.clear();
        self.parts.clear();
    }

    /// The parts that an option leaves.
    pub fn parts_of(&self, option: &ExpandedOption) -> &[Key<N>] {
        &self.parts[option.first_part as usize..option.end_of_parts as usize]
    }
}

/// A part on its way to its normal form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Normal<const N: usize> {
    /// The part, then its normal form.
    pub key: Key<N>,
    /// What the normal form has to do with the part.
    pub sign: Sign,
    /// Anything the caller wants to remember.
    pub tag: u32,
}

/// A part of a board in normal form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece<const N: usize> {
    /// The normal form.
    pub key: Key<N>,
    /// What it has to do with the part.
    pub sign: Sign,
    /// How large it is (see [`Heuristics::size`](crate::Heuristics::size)).
    pub size: usize,
}

/// A board after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Successor<const N: usize> {
    /// The board.
    pub after: Key<N>,
    /// The points of the move for Left.
    pub points: i64,
    /// How promising the move looks (see [`Heuristics::order_score`](crate::Heuristics::order_score)).
    pub order_score: i32,
    /// What inspection says of the sum after the move, if that was asked for.
    pub result: StaticResult,
}

/// The sum in which a board is inspected after a move.
#[derive(Clone, Copy, Debug)]
pub struct Inspection<'a> {
    /// What inspection sees of the other parts.
    pub others: &'a BoundFeatures,
    /// Whether the board stands in the sum itself, or its negative.
    pub sign: Sign,
    /// Integers around everything else, before the move.
    pub rest: (i64, i64),
    /// Who moves next.
    pub first: Player,
    /// Moves may be left out that win only if another move, which is not left out, wins as well.
    pub to_win: bool,
}

/// Told about moves until it breaks.
pub type EmitMove<'a> = dyn FnMut(MoveKey) -> ControlFlow<()> + 'a;

/// [`Rules`](crate::Rules) without types. Every position is a key, every move a number; they must only be given to the game they came from.
pub trait DynGame<const N: usize>: Send + Sync {
    /// Name, title, rules, alphabet, example.
    fn info(&self) -> Info;
    /// Both players have the same moves from every position.
    fn is_impartial(&self) -> bool;
    /// Whether a position has the same key in every process (see [`Coding::LASTING`](crate::Coding::LASTING)).
    fn has_lasting_keys(&self) -> bool;
    /// Reads a position.
    fn read(&self, text: &str) -> Result<Key<N>, BoardError>;
    /// Writes a position.
    fn show(&self, at: &Key<N>) -> String;
    /// The usual starting position of a size.
    fn start(&self, size: Size) -> Result<Key<N>, BoardError>;
    /// What to draw.
    fn scene(&self, at: &Key<N>) -> Scene;
    /// Whose turn it is, if the position says so.
    fn to_play(&self, at: &Key<N>) -> Option<Player>;

    /// Calls `emit` for every move of `who`, until it breaks.
    fn moves(&self, at: &Key<N>, who: Player, emit: &mut EmitMove<'_>) -> ControlFlow<()>;
    /// The position after a move, and the points of the move for Left.
    fn play(&self, at: &Key<N>, who: Player, mv: MoveKey) -> (Key<N>, i64);
    /// The text of a move.
    fn move_text(&self, at: &Key<N>, who: Player, mv: MoveKey) -> String;
    /// Why a text is no move of a player here, if the game says.
    fn why_illegal(&self, at: &Key<N>, who: Player, text: &str) -> Option<String>;
    /// What to point at to make a move.
    fn gesture(&self, at: &Key<N>, who: Player, mv: MoveKey) -> Vec<Spot>;
    /// How promising a move looks.
    fn order_score(&self, at: &Key<N>, who: Player, mv: MoveKey) -> i32;
    /// How likely a strong player makes a move.
    fn move_prior(&self, at: &Key<N>, who: Player, mv: MoveKey) -> Option<i32>;
    /// How many moves a player has.
    fn count_moves(&self, at: &Key<N>, who: Player) -> u32;
    /// One of the moves of a player, each as likely as any other; `below` gives a random number below its argument.
    fn random_move(&self, at: &Key<N>, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<MoveKey>;
    /// Plays on at random. Left's result (1, 0 or -1) if the game ends before the limits do.
    fn random_walk(
        &self,
        at: &mut Key<N>,
        walk: &mut Walk,
        random: &mut Random,
        limits: &mut WalkLimits<'_>,
    ) -> Option<i8>;

    /// Appends what every move of `who` leaves. Where a player can win everywhere, boards are not taken apart.
    ///
    /// # Errors
    /// If the budget runs out on the way.
    fn expand(
        &self,
        at: &Key<N>,
        who: Player,
        kernel: &Kernel<'_>,
        out: &mut Expansion<N>,
    ) -> Result<(), Halt>;
    /// As [`expand`](DynGame::expand) for one move: the number, and the parts are appended.
    fn parts_after(&self, at: &Key<N>, who: Player, mv: MoveKey, out: &mut Vec<Key<N>>) -> i64;
    /// Calls `emit` with the board after each move of `who`, and the points of the move for Left, until it breaks.
    fn options(
        &self,
        at: &Key<N>,
        who: Player,
        emit: &mut dyn FnMut(Key<N>, i64) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    /// As [`options`](DynGame::options), with how promising each move looks, if somebody puts them in order, and what inspection says of
    /// the sum after it.
    fn successors(
        &self,
        at: &Key<N>,
        who: Player,
        inspection: Option<&Inspection<'_>>,
        ordered: bool,
        emit: &mut dyn FnMut(&Successor<N>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    /// Whether a player has a move that wins by inspection (see [`Theorems::wins_on_sight`](crate::Theorems::wins_on_sight)).
    fn wins_on_sight(&self, at: &Key<N>, who: Player, inspection: &Inspection<'_>, hint: &mut u64) -> bool;
    /// Takes a position apart: appends the parts.
    fn parts(&self, at: &Key<N>, out: &mut Vec<Key<N>>);
    /// Takes a position apart: appends the normal forms of the parts.
    fn pieces(&self, at: &Key<N>, out: &mut Vec<Piece<N>>);
    /// The parts with the spots they take up on the board.
    fn regions(&self, at: &Key<N>) -> Vec<(Key<N>, Vec<Spot>)>;
    /// The normal form of a part.
    fn normalise(&self, at: &Key<N>) -> (Key<N>, Sign);
    /// The normal forms of many parts.
    fn normalise_all(&self, parts: &mut [Normal<N>]);
    /// As [`regions`](DynGame::regions), for the impartial variant of the game.
    fn impartial_regions(&self, at: &Key<N>) -> Vec<(Key<N>, Vec<Spot>)>;
    /// Calls `emit` with the parts of [`impartial_regions`](DynGame::impartial_regions); those without moves may be left out.
    fn impartial_parts(&self, at: &Key<N>, emit: &mut dyn FnMut(&Key<N>));
    /// As [`expand`](DynGame::expand), with the parts of [`impartial_parts`](DynGame::impartial_parts).
    ///
    /// # Errors
    /// If the budget runs out on the way.
    fn impartial_expand(
        &self,
        at: &Key<N>,
        who: Player,
        kernel: &Kernel<'_>,
        out: &mut Expansion<N>,
    ) -> Result<(), Halt>;
    /// As [`normalise`](DynGame::normalise), for the impartial variant of the game.
    fn impartial_normalise(&self, at: &Key<N>) -> Key<N>;
    /// Appends the board cut down to every so many neighbouring lines, if there is a way that hinders `who` alone (see
    /// [`Theorems::bands`](crate::Theorems::bands)).
    fn bands(&self, at: &Key<N>, who: Player, width: u32, out: &mut Vec<Key<N>>) -> bool;
    /// Ways to take a part apart that depend on values.
    fn bridges(&self, part: &Key<N>, out: &mut Vec<Bridge<Key<N>>>);

    /// The value of a part by a theorem.
    fn known(&self, at: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt>;
    /// Integers around the value, by inspection.
    fn bounds(&self, at: &Key<N>) -> (Option<i64>, Option<i64>);
    /// What inspection counts for either player.
    fn features(&self, at: &Key<N>) -> BoundFeatures;
    /// What the features of a sum say.
    fn static_result(&self, features: &BoundFeatures, rest: (i64, i64), first: Player) -> StaticResult;
    /// How large a part is.
    fn size(&self, at: &Key<N>) -> usize;
    /// How much better Left stands: a static evaluation.
    fn static_eval(&self, at: &Key<N>) -> i32;

    /// Whether who cannot move wins.
    fn is_misere(&self) -> bool;
    /// Whether points are counted, be it that they decide or that they are moves to spare.
    fn counts_points(&self) -> bool;
    /// Whether points decide, and not who moves last.
    fn ends_in_score(&self) -> bool;
    /// A guess at the value of a position that is not searched to its end.
    fn estimate(&self, at: &Key<N>) -> Option<Dyadic>;
    /// Whether a player can ever win everywhere.
    fn has_global_wins(&self) -> bool;
    /// The player who has won everywhere.
    fn global_win(&self, at: &Key<N>) -> Option<Player>;

    /// How boards of letters are ordered and which have the same value, for tables of all boards of a size.
    fn grid(&self) -> Option<GridTraits>;
    /// The form of the game for tables of outcomes.
    fn tabulated(&self) -> Option<Tabulated>;
    /// The codes of a board.
    fn codes(&self, at: &Key<N>) -> Option<Codes>;
    /// The board with these codes.
    fn of_codes(&self, codes: &Codes) -> Result<Key<N>, BoardError>;
}

impl<const N: usize> fmt::Debug for dyn DynGame<N> + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.info().name).finish()
    }
}
