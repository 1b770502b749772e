//! Typed rules behind [`DynGame`].

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{Alphabet, BoardError, Codes, Plain, Random, Scene, Size, Spot, gesture_text};
use gb_value::{Dyadic, Halt, Kernel, Player, Value};

use super::defaults::WithDefaults;
use super::walk::random_walk;
use super::{
    DynGame, EmitMove, ExpandedOption, Expansion, Game, Inspection, Normal, Piece, Successor, Walk,
    WalkLimits,
};
use crate::key::{Coding, Direct, Interned, Key, MoveCode, MoveKey};
use crate::{BoundFeatures, Bridge, GridTraits, ImpartialForm, Info, Rules, Sign, StaticResult, Tabulated};

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
fn text_of<R: Rules>(rules: &R, at: &R::Board, who: Player, mv: &R::Move) -> String {
    let own = rules.capabilities().notation.and_then(|notation| notation.move_text(at, who, mv));
    own.unwrap_or_else(|| gesture_text(&rules.gesture(at, who, mv)))
}

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
    /// The parts of a board as the impartial variant has them.
    fn each_impartial_part(&self, board: &R::Board, emit: &mut dyn FnMut(R::Board)) {
        match self.rules.capabilities().impartial_form {
            ImpartialForm::Nothing => emit(board.clone()),
            ImpartialForm::Same => self.rules.each_part(board, emit),
            ImpartialForm::SameRegions => self.rules.each_region(board, &mut |part, _| emit(part)),
            ImpartialForm::Own(form) => form.parts(board, emit),
        }
    }

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
        let notation = self.rules.capabilities().notation?;
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
        let notation = self.rules.capabilities().notation?;
        notation.why_illegal(&self.coding.board(at), who, text)
    }
    fn gesture(&self, at: &Key<N>, who: Player, mv: MoveKey) -> Vec<Spot> {
        self.rules.gesture(&self.coding.board(at), who, &R::Move::of_code(mv.0))
    }
    fn order_score(&self, at: &Key<N>, who: Player, mv: MoveKey) -> i32 {
        self.rules.order_score(&self.coding.board(at), who, &R::Move::of_code(mv.0))
    }
    fn move_prior(&self, at: &Key<N>, who: Player, mv: MoveKey) -> Option<i32> {
        let heuristics = self.rules.capabilities().heuristics?;
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
        if let (Some(inspection), Some(theorems)) = (inspection, rules.capabilities().theorems)
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
        let theorems = self.rules.capabilities().theorems;
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
        match self.rules.capabilities().impartial_form {
            ImpartialForm::Nothing => emit(at.into_owned(), vec![]),
            ImpartialForm::Same | ImpartialForm::SameRegions => self.rules.each_region(&at, &mut emit),
            ImpartialForm::Own(form) => form.regions(&at, &mut emit),
        }
        regions
    }
    fn impartial_parts(&self, at: &Key<N>, emit: &mut dyn FnMut(&Key<N>)) {
        match self.rules.capabilities().impartial_form {
            ImpartialForm::Nothing => emit(at),
            _ => self.each_impartial_part(&self.coding.board(at), &mut |part| emit(&self.coding.key(&part))),
        }
    }
    fn impartial_expand(
        &self,
        at: &Key<N>,
        who: Player,
        kernel: &Kernel<'_>,
        out: &mut Expansion<N>,
    ) -> Result<(), Halt> {
        let (rules, coding) = (&self.rules, &self.coding);
        let Expansion { options, parts } = out;
        let at = &*coding.board(at);
        let mut result = Ok(());
        let _ = rules.each_move(at, who, &mut |mv| {
            result = kernel.work(1);
            if result.is_err() {
                return ControlFlow::Break(());
            }
            let first_part = parts.len() as u32;
            self.each_impartial_part(&self.after(at, who, &mv), &mut |part| parts.push(coding.key(&part)));
            let (points, end_of_parts) = (rules.points(at, who, &mv), parts.len() as u32);
            options.push(ExpandedOption { player: who, points, first_part, end_of_parts });
            ControlFlow::Continue(())
        });
        result
    }
    fn impartial_normalise(&self, at: &Key<N>) -> Key<N> {
        let at = self.coding.board(at).into_owned();
        let normal = match self.rules.capabilities().impartial_form {
            ImpartialForm::Nothing => at,
            // Exchanging the players changes nothing, whatever the sign says.
            ImpartialForm::Same | ImpartialForm::SameRegions => self.rules.normalise(at).0,
            ImpartialForm::Own(form) => form.normalise(at),
        };
        self.coding.key(&normal)
    }
    fn bands(&self, at: &Key<N>, who: Player, width: u32, out: &mut Vec<Key<N>>) -> bool {
        let Some(theorems) = self.rules.capabilities().theorems else { return false };
        let mut emit = |board| out.push(self.coding.key(&board));
        theorems.bands(&self.coding.board(at), who, width, &mut emit)
    }
    fn bridges(&self, part: &Key<N>, out: &mut Vec<Bridge<Key<N>>>) {
        let key = |board: &R::Board| self.coding.key(board);
        let Some(theorems) = self.rules.capabilities().theorems else { return };
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
        self.rules.capabilities().misere
    }
    fn counts_points(&self) -> bool {
        self.rules.capabilities().scoring.is_some()
    }
    fn ends_in_score(&self) -> bool {
        self.rules.ends_in_score()
    }
    fn estimate(&self, at: &Key<N>) -> Option<Dyadic> {
        let scoring = self.rules.capabilities().scoring?;
        scoring.estimate(&self.coding.board(at))
    }
    fn has_global_wins(&self) -> bool {
        self.rules.has_global_wins()
    }
    fn global_win(&self, at: &Key<N>) -> Option<Player> {
        let wins = self.rules.capabilities().global_wins?;
        wins.global_win(&self.coding.board(at))
    }

    fn grid(&self) -> Option<GridTraits> {
        Some(self.rules.capabilities().tabulation?.grid())
    }
    fn tabulated(&self) -> Option<Tabulated> {
        self.rules.capabilities().tabulation?.tabulated()
    }
    fn codes(&self, at: &Key<N>) -> Option<Codes> {
        let tabulation = self.rules.capabilities().tabulation?;
        let at = self.coding.board(at);
        let by_text = || Codes::read(&self.rules.show(&at), &Alphabet(self.rules.info().alphabet));
        tabulation.codes(&at).or_else(by_text)
    }
    fn of_codes(&self, codes: &Codes) -> Result<Key<N>, BoardError> {
        let direct = self.rules.capabilities().tabulation.and_then(|tabulation| tabulation.of_codes(codes));
        let by_text = || self.rules.read(&codes.show(&Alphabet(self.rules.info().alphabet)));
        Ok(self.coding.key(&direct.unwrap_or_else(by_text)?))
    }
}
