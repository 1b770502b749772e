//! The one interface behind which the rules of every game stand: [`DynGame`].
//!
//! The engine asks once for each node: what do the moves of a player leave ([`DynGame::expand`]), which normal forms have these
//! parts ([`DynGame::normalise_all`]), how does a random game end ([`DynGame::random_walk`]). Inside such a call a game runs its
//! own typed code; outside of it there are only keys. So the engine is compiled once, whatever the number of games.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{Alphabet, BoardError, Codes, Plain, Random, Scene, Size, Spot, gesture_text};
use gb_value::{Dyadic, Halt, Kernel, Player, Value};
use smallvec::SmallVec;

use crate::key::{Coding, Direct, Interned, Key, MoveCode, MoveKey};
use crate::{BoundFeatures, Bridge, GridTraits, ImpartialForm, Info, Rules, Sign, StaticResult, Tabulated};

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

/// A game that is played on at random: where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Left's points less Right's.
    pub points: i64,
    /// Who moves next.
    pub who: Player,
    /// How many moves were made.
    pub moves: u32,
}

/// How long a random game goes on.
pub struct WalkLimits<'a> {
    /// So many moves at least, and
    pub most: u32,
    /// as long as there are more moves than this to choose from,
    pub few: u32,
    /// but never longer than this: then it is drawn.
    pub longest: u32,
    /// Asked where there are many moves to choose from: whether time is up.
    pub is_late: &'a mut dyn FnMut(u32) -> bool,
}

/// From so many moves on a single step may take longer than there is time.
const MANY_CHOICES: u32 = 1_000;

/// Parts with so many moves are large, whichever of them has more. To count the moves of every option of a heap of 65,535 would
/// take half a minute.
const MANY_MOVES: u32 = 250;

/// Told about moves until it breaks.
pub type EmitMove<'a> = dyn FnMut(MoveKey) -> ControlFlow<()> + 'a;

/// [`Rules`] without types. Every position is a key, every move a number; they must only be given to the game they came from.
pub trait DynGame<const N: usize>: Send + Sync {
    /// Name, title, rules, alphabet, example.
    fn info(&self) -> Info;
    /// Both players have the same moves from every position.
    fn is_impartial(&self) -> bool;
    /// Whether a position has the same key in every process (see [`Coding::LASTING`]).
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
    /// The parts of [`impartial_regions`](DynGame::impartial_regions).
    fn impartial_parts(&self, at: &Key<N>, out: &mut Vec<Key<N>>);
    /// As [`normalise`](DynGame::normalise), for the impartial variant of the game.
    fn impartial_normalise(&self, at: &Key<N>) -> Key<N>;
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

/// Rules with the way their boards become keys.
pub struct Coded<R, C> {
    rules: R,
    coding: C,
    impartial: bool,
}

impl<R: Rules, C> Coded<R, C> {
    /// The rules with a coding of their boards.
    pub fn new(rules: R, coding: C) -> Self {
        let impartial = rules.info().impartial;
        Coded { rules, coding, impartial }
    }
}

/// A game whose boards are plain data of at most `N` words.
pub fn direct<const N: usize, R: Rules<Board: Plain>>(rules: R) -> Game<N> {
    Arc::new(Coded::new(rules, Direct))
}

/// A game whose boards are no plain data: they are kept, and their numbers are the keys.
pub fn interned<const N: usize, R: Rules>(rules: R) -> Game<N> {
    Arc::new(Coded::new(rules, Interned::default()))
}

/// The text of a move.
pub(crate) fn text_of<R: Rules>(rules: &R, at: &R::Board, who: Player, mv: &R::Move) -> String {
    let own = rules.notation().and_then(|notation| notation.move_text(at, who, mv));
    own.unwrap_or_else(|| gesture_text(&rules.gesture(at, who, mv)))
}

/// The rules with the ordinary way wherever a game has no better one.
trait WithDefaults: Rules {
    #[inline]
    fn points(&self, at: &Self::Board, who: Player, mv: &Self::Move) -> i64 {
        self.scoring().map_or(0, |scoring| scoring.points(at, who, mv))
    }
    #[inline]
    fn ends_in_score(&self) -> bool {
        self.scoring().is_some_and(|scoring| scoring.ends_in_score())
    }
    #[inline]
    fn has_global_wins(&self) -> bool {
        self.global_wins().is_some()
    }
    #[inline]
    fn global_win(&self, at: &Self::Board) -> Option<Player> {
        self.global_wins()?.global_win(at)
    }
    /// [`Rules::parts`], compiled once for each game and not for each caller: how a board is taken apart is most of its code, and
    /// there are few parts to call back for.
    #[inline(never)]
    fn each_part(&self, at: &Self::Board, emit: &mut dyn FnMut(Self::Board)) {
        self.parts(at, &mut |part| emit(part));
    }
    /// [`Rules::regions`], compiled once.
    #[inline(never)]
    fn each_region(&self, at: &Self::Board, emit: &mut dyn FnMut(Self::Board, Vec<Spot>)) {
        self.regions(at, &mut |part, spots| emit(part, spots));
    }
    /// [`Rules::moves`], compiled once, for callers that are not in a hurry.
    #[inline(never)]
    fn each_move(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut dyn FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.moves(at, who, &mut |mv| emit(mv))
    }
    #[inline]
    fn parts_after(
        &self,
        part: &Self::Board,
        who: Player,
        mv: &Self::Move,
        emit: &mut impl FnMut(Self::Board),
    ) -> i64 {
        if let Some(theorems) = self.theorems()
            && let Some(number) = theorems.parts_after(part, who, mv, emit)
        {
            return number;
        }
        let mut next = part.clone();
        self.play(&mut next, who, mv);
        self.each_part(&next, emit);
        self.points(part, who, mv)
    }
    #[inline]
    fn known(&self, at: &Self::Board, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        self.theorems().map_or(Ok(None), |theorems| theorems.known(at, kernel))
    }
    #[inline]
    fn bounds(&self, at: &Self::Board) -> (Option<i64>, Option<i64>) {
        self.theorems().map_or((None, None), |theorems| theorems.bounds(at))
    }
    #[inline]
    fn features(&self, at: &Self::Board) -> BoundFeatures {
        self.theorems().map_or(BoundFeatures::of_bounds((None, None)), |theorems| theorems.features(at))
    }
    #[inline]
    fn static_result(&self, features: &BoundFeatures, rest: (i64, i64), first: Player) -> StaticResult {
        match self.theorems() {
            Some(theorems) => theorems.static_result(features, rest, first),
            None => features.by_bounds(rest, first),
        }
    }
    /// What inspection says of a sum after a move that has left this board and earned these points.
    #[inline]
    fn inspect(&self, after: &Self::Board, points: i64, inspection: &Inspection<'_>) -> StaticResult {
        let &Inspection { others, sign, rest: (low, high), first, .. } = inspection;
        let (features, points) = match sign {
            Sign::Plus => (self.features(after), points),
            Sign::Minus => (self.features(after).turned(), -points),
        };
        let rest = (low.saturating_add(points), high.saturating_add(points));
        self.static_result(&others.plus(features), rest, first)
    }
    #[inline]
    fn order_score(&self, at: &Self::Board, who: Player, mv: &Self::Move) -> i32 {
        self.heuristics().map_or(0, |heuristics| heuristics.order_score(at, who, mv))
    }
    #[inline]
    fn static_eval(&self, at: &Self::Board) -> i32 {
        let eval = self.heuristics().and_then(|heuristics| heuristics.static_eval(at));
        let [left, right] = Player::BOTH;
        eval.unwrap_or_else(|| self.count_moves(at, left) as i32 - self.count_moves(at, right) as i32)
    }
    #[inline]
    fn size(&self, at: &Self::Board) -> usize {
        let size = self.heuristics().and_then(|heuristics| heuristics.size(at));
        size.unwrap_or_else(|| {
            2 * Player::BOTH
                .map(|who| self.count_moves_up_to(at, who, MANY_MOVES) as usize)
                .iter()
                .sum::<usize>()
        })
    }
    #[inline]
    fn count_moves(&self, at: &Self::Board, who: Player) -> u32 {
        self.count_moves_up_to(at, who, u32::MAX)
    }
    /// How many moves a player has, or `most` if there are more than anybody cares about.
    fn count_moves_up_to(&self, at: &Self::Board, who: Player, most: u32) -> u32 {
        if let Some(sampling) = self.sampling() {
            return sampling.count_moves(at, who);
        }
        let mut count = 0;
        let _ = self.moves(at, who, &mut |_| {
            count += 1;
            if count < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        count
    }
    #[inline]
    fn random_move(
        &self,
        at: &Self::Board,
        who: Player,
        below: &mut dyn FnMut(u32) -> u32,
    ) -> Option<Self::Move> {
        if let Some(sampling) = self.sampling() {
            return sampling.random_move(at, who, below);
        }
        let mut moves: SmallVec<[Self::Move; 32]> = SmallVec::new();
        let _ = self.each_move(at, who, &mut |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        if moves.is_empty() {
            return None;
        }
        let chosen = below(moves.len() as u32) as usize;
        Some(moves.swap_remove(chosen))
    }
}

impl<R: Rules> WithDefaults for R {}

impl<R: Rules, C> Coded<R, C> {
    /// The board after a move.
    #[inline]
    fn after(&self, board: &R::Board, who: Player, mv: &R::Move) -> R::Board {
        let mut next = board.clone();
        self.rules.play(&mut next, who, mv);
        next
    }
}

impl<R: Rules, C> Coded<R, C> {
    /// See [`DynGame::parts_after`].
    #[inline]
    fn append_parts<const N: usize>(
        &self,
        at: &R::Board,
        who: Player,
        mv: &R::Move,
        out: &mut Vec<Key<N>>,
    ) -> i64
    where
        C: Coding<R::Board, N>,
    {
        self.rules.parts_after(at, who, mv, &mut |part| out.push(self.coding.key(&part)))
    }
}

impl<const N: usize, R: Rules, C: Coding<R::Board, N>> DynGame<N> for Coded<R, C> {
    fn info(&self) -> Info {
        self.rules.info()
    }
    fn is_impartial(&self) -> bool {
        self.impartial
    }
    fn has_lasting_keys(&self) -> bool {
        C::LASTING
    }
    fn read(&self, text: &str) -> Result<Key<N>, BoardError> {
        Ok(self.coding.key(&self.rules.read(text)?))
    }
    fn show(&self, at: &Key<N>) -> String {
        self.rules.show(&self.coding.board(at))
    }
    fn start(&self, size: Size) -> Result<Key<N>, BoardError> {
        Ok(self.coding.key(&self.rules.start(size)?))
    }
    fn scene(&self, at: &Key<N>) -> Scene {
        self.rules.scene(&self.coding.board(at))
    }
    fn to_play(&self, at: &Key<N>) -> Option<Player> {
        let notation = self.rules.notation()?;
        notation.to_play(&self.coding.board(at))
    }

    fn moves(&self, at: &Key<N>, who: Player, emit: &mut EmitMove<'_>) -> ControlFlow<()> {
        self.rules.each_move(&self.coding.board(at), who, &mut |mv| emit(MoveKey(mv.code())))
    }
    fn play(&self, at: &Key<N>, who: Player, mv: MoveKey) -> (Key<N>, i64) {
        let mv = R::Move::of_code(mv.0);
        let at = self.coding.board(at);
        (self.coding.key(&self.after(&at, who, &mv)), self.rules.points(&at, who, &mv))
    }
    fn move_text(&self, at: &Key<N>, who: Player, mv: MoveKey) -> String {
        let mv = R::Move::of_code(mv.0);
        text_of(&self.rules, &self.coding.board(at), who, &mv)
    }
    fn why_illegal(&self, at: &Key<N>, who: Player, text: &str) -> Option<String> {
        let notation = self.rules.notation()?;
        notation.why_illegal(&self.coding.board(at), who, text)
    }
    fn gesture(&self, at: &Key<N>, who: Player, mv: MoveKey) -> Vec<Spot> {
        self.rules.gesture(&self.coding.board(at), who, &R::Move::of_code(mv.0))
    }
    fn order_score(&self, at: &Key<N>, who: Player, mv: MoveKey) -> i32 {
        self.rules.order_score(&self.coding.board(at), who, &R::Move::of_code(mv.0))
    }
    fn move_prior(&self, at: &Key<N>, who: Player, mv: MoveKey) -> Option<i32> {
        let heuristics = self.rules.heuristics()?;
        heuristics.move_prior(&self.coding.board(at), who, &R::Move::of_code(mv.0))
    }
    fn count_moves(&self, at: &Key<N>, who: Player) -> u32 {
        self.rules.count_moves(&self.coding.board(at), who)
    }
    fn random_move(&self, at: &Key<N>, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<MoveKey> {
        let mv = self.rules.random_move(&self.coding.board(at), who, below)?;
        Some(MoveKey(mv.code()))
    }
    fn random_walk(
        &self,
        at: &mut Key<N>,
        walk: &mut Walk,
        random: &mut Random,
        limits: &mut WalkLimits<'_>,
    ) -> Option<i8> {
        let mut board = self.coding.board(at).into_owned();
        let result = random_walk(&self.rules, &mut board, walk, random, limits);
        // Nobody asks where a finished game ended.
        if result.is_none() {
            *at = self.coding.key(&board);
        }
        result
    }

    fn expand(
        &self,
        at: &Key<N>,
        who: Player,
        kernel: &Kernel<'_>,
        out: &mut Expansion<N>,
    ) -> Result<(), Halt> {
        let (rules, coding) = (&self.rules, &self.coding);
        let whole = rules.has_global_wins();
        let Expansion { options, parts } = out;
        let at = &*coding.board(at);
        let mut result = Ok(());
        let _ = rules.moves(at, who, &mut |mv| {
            result = kernel.work(1);
            if result.is_err() {
                return ControlFlow::Break(());
            }
            let first_part = parts.len() as u32;
            let points = if whole {
                parts.push(coding.key(&self.after(at, who, &mv)));
                rules.points(at, who, &mv)
            } else {
                self.append_parts(at, who, &mv, parts)
            };
            let end_of_parts = parts.len() as u32;
            options.push(ExpandedOption { player: who, points, first_part, end_of_parts });
            ControlFlow::Continue(())
        });
        result
    }
    fn parts_after(&self, at: &Key<N>, who: Player, mv: MoveKey, out: &mut Vec<Key<N>>) -> i64 {
        self.append_parts(&self.coding.board(at), who, &R::Move::of_code(mv.0), out)
    }
    fn successors(
        &self,
        at: &Key<N>,
        who: Player,
        inspection: Option<&Inspection<'_>>,
        ordered: bool,
        emit: &mut dyn FnMut(&Successor<N>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (rules, at) = (&self.rules, &*self.coding.board(at));
        let order_score = |mv: &R::Move| if ordered { rules.order_score(at, who, mv) } else { 0 };
        if let (Some(inspection), Some(theorems)) = (inspection, rules.theorems())
            && let Some(flow) = theorems.inspect_moves(at, who, inspection, &mut |mv, after, result| {
                let order_score = order_score(&mv);
                emit(&Successor { after: self.coding.key(&after), points: 0, order_score, result })
            })
        {
            return flow;
        }
        rules.moves(at, who, &mut |mv| {
            let after = self.after(at, who, &mv);
            let points = rules.points(at, who, &mv);
            let result = match inspection {
                Some(inspection) => rules.inspect(&after, points, inspection),
                None => StaticResult::Eval(0),
            };
            let order_score = order_score(&mv);
            emit(&Successor { after: self.coding.key(&after), points, order_score, result })
        })
    }
    fn wins_on_sight(&self, at: &Key<N>, who: Player, inspection: &Inspection<'_>, hint: &mut u64) -> bool {
        let theorems = self.rules.theorems();
        theorems.is_some_and(|theorems| theorems.wins_on_sight(&self.coding.board(at), who, inspection, hint))
    }
    fn options(
        &self,
        at: &Key<N>,
        who: Player,
        emit: &mut dyn FnMut(Key<N>, i64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let at = &*self.coding.board(at);
        self.rules.moves(at, who, &mut |mv| {
            emit(self.coding.key(&self.after(at, who, &mv)), self.rules.points(at, who, &mv))
        })
    }
    fn parts(&self, at: &Key<N>, out: &mut Vec<Key<N>>) {
        self.rules.each_part(&self.coding.board(at), &mut |part| out.push(self.coding.key(&part)));
    }
    fn pieces(&self, at: &Key<N>, out: &mut Vec<Piece<N>>) {
        let rules = &self.rules;
        // Searches for winners take a board apart at every node: this copy of the code is for them.
        rules.parts(&self.coding.board(at), &mut |part| {
            let (part, sign) = rules.normalise(part);
            out.push(Piece { key: self.coding.key(&part), sign, size: rules.size(&part) });
        });
    }
    fn regions(&self, at: &Key<N>) -> Vec<(Key<N>, Vec<Spot>)> {
        let mut regions = vec![];
        let mut emit = |part: R::Board, spots| regions.push((self.coding.key(&part), spots));
        self.rules.each_region(&self.coding.board(at), &mut emit);
        regions
    }
    fn normalise(&self, at: &Key<N>) -> (Key<N>, Sign) {
        let (normal, sign) = self.rules.normalise(self.coding.board(at).into_owned());
        (self.coding.key(&normal), sign)
    }
    fn normalise_all(&self, parts: &mut [Normal<N>]) {
        for part in parts {
            let (normal, sign) = self.rules.normalise(self.coding.board(&part.key).into_owned());
            (part.key, part.sign) = (self.coding.key(&normal), sign);
        }
    }
    fn impartial_regions(&self, at: &Key<N>) -> Vec<(Key<N>, Vec<Spot>)> {
        let mut regions = vec![];
        let mut emit = |part: R::Board, spots| regions.push((self.coding.key(&part), spots));
        let at = self.coding.board(at);
        match self.rules.impartial_form() {
            ImpartialForm::Nothing => emit(at.into_owned(), vec![]),
            ImpartialForm::Same => self.rules.each_region(&at, &mut emit),
            ImpartialForm::Own(form) => form.regions(&at, &mut emit),
        }
        regions
    }
    fn impartial_parts(&self, at: &Key<N>, out: &mut Vec<Key<N>>) {
        match self.rules.impartial_form() {
            // As regions and not as parts: those may leave out what cancels by its value (single cells of Col).
            ImpartialForm::Same => {
                let mut emit = |part: R::Board, _| out.push(self.coding.key(&part));
                self.rules.each_region(&self.coding.board(at), &mut emit);
            }
            ImpartialForm::Nothing => out.push(*at),
            ImpartialForm::Own(form) => {
                form.parts(&self.coding.board(at), &mut |part| out.push(self.coding.key(&part)));
            }
        }
    }
    fn impartial_normalise(&self, at: &Key<N>) -> Key<N> {
        let at = self.coding.board(at).into_owned();
        let normal = match self.rules.impartial_form() {
            ImpartialForm::Nothing => at,
            // Exchanging the players changes nothing, whatever the sign says.
            ImpartialForm::Same => self.rules.normalise(at).0,
            ImpartialForm::Own(form) => form.normalise(at),
        };
        self.coding.key(&normal)
    }
    fn bridges(&self, part: &Key<N>, out: &mut Vec<Bridge<Key<N>>>) {
        let key = |board: &R::Board| self.coding.key(board);
        let Some(theorems) = self.rules.theorems() else { return };
        theorems.bridges(&self.coding.board(part), &mut |Bridge { end, longer_end, rest }| {
            out.push(Bridge { end: key(&end), longer_end: key(&longer_end), rest: key(&rest) });
        });
    }

    fn known(&self, at: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        self.rules.known(&self.coding.board(at), kernel)
    }
    fn bounds(&self, at: &Key<N>) -> (Option<i64>, Option<i64>) {
        self.rules.bounds(&self.coding.board(at))
    }
    fn features(&self, at: &Key<N>) -> BoundFeatures {
        self.rules.features(&self.coding.board(at))
    }
    fn static_result(&self, features: &BoundFeatures, rest: (i64, i64), first: Player) -> StaticResult {
        self.rules.static_result(features, rest, first)
    }
    fn size(&self, at: &Key<N>) -> usize {
        self.rules.size(&self.coding.board(at))
    }
    fn static_eval(&self, at: &Key<N>) -> i32 {
        self.rules.static_eval(&self.coding.board(at))
    }

    fn is_misere(&self) -> bool {
        self.rules.is_misere()
    }
    fn counts_points(&self) -> bool {
        self.rules.scoring().is_some()
    }
    fn ends_in_score(&self) -> bool {
        self.rules.ends_in_score()
    }
    fn estimate(&self, at: &Key<N>) -> Option<Dyadic> {
        let scoring = self.rules.scoring()?;
        scoring.estimate(&self.coding.board(at))
    }
    fn has_global_wins(&self) -> bool {
        self.rules.has_global_wins()
    }
    fn global_win(&self, at: &Key<N>) -> Option<Player> {
        let wins = self.rules.global_wins()?;
        wins.global_win(&self.coding.board(at))
    }

    fn grid(&self) -> Option<GridTraits> {
        Some(self.rules.tabulation()?.grid())
    }
    fn tabulated(&self) -> Option<Tabulated> {
        self.rules.tabulation()?.tabulated()
    }
    fn codes(&self, at: &Key<N>) -> Option<Codes> {
        let tabulation = self.rules.tabulation()?;
        let at = self.coding.board(at);
        let by_text = || Codes::read(&self.rules.show(&at), &Alphabet(self.rules.info().alphabet));
        tabulation.codes(&at).or_else(by_text)
    }
    fn of_codes(&self, codes: &Codes) -> Result<Key<N>, BoardError> {
        let direct = self.rules.tabulation().and_then(|tabulation| tabulation.of_codes(codes));
        let by_text = || self.rules.read(&codes.show(&Alphabet(self.rules.info().alphabet)));
        Ok(self.coding.key(&direct.unwrap_or_else(by_text)?))
    }
}

/// Random moves on one board: see [`DynGame::random_walk`].
fn random_walk<R: Rules>(
    rules: &R,
    board: &mut R::Board,
    walk: &mut Walk,
    random: &mut Random,
    limits: &mut WalkLimits<'_>,
) -> Option<i8> {
    let won_by = |winner: Player| if winner == Player::Left { 1 } else { -1 };
    let (scores, global_wins) = (rules.ends_in_score(), rules.has_global_wins());
    let mut passed = false;
    let mut choices = u32::MAX;
    while walk.moves < limits.most || choices > limits.few {
        if walk.moves > limits.longest
            || (MANY_CHOICES..u32::MAX).contains(&choices) && (limits.is_late)(choices)
        {
            return Some(0);
        }
        let who = walk.who;
        let mv = rules.random_move(board, who, &mut |bound| {
            choices = bound;
            random.index(bound)
        });
        match mv {
            Some(mv) => {
                walk.points += rules.points(board, who, &mv);
                rules.play(board, who, &mv);
                passed = false;
                if global_wins && let Some(winner) = rules.global_win(board) {
                    return Some(won_by(winner));
                }
            }
            None if scores => {
                if passed {
                    return Some(walk.points.signum() as i8);
                }
                passed = true;
            }
            None => {
                // A player without a move uses up a point.
                let step = i64::from(won_by(who));
                if walk.points * step <= 0 {
                    return Some(won_by(who.opponent()));
                }
                walk.points -= step;
            }
        }
        walk.who = who.opponent();
        walk.moves += 1;
    }
    None
}
