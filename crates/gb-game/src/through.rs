//! A [`Game`] as [`Rules`], for searches that are not yet written for keys.

use std::ops::ControlFlow;

use gb_board::{BoardError, Codes, Scene, Size, Spot};
use gb_value::{Dyadic, Kernel, Player, Stop, Value};

use crate::{Bridge, Chances, Game, GridTraits, Info, Key, MoveCode, MoveKey, Rules, Sign, Verdict};

impl MoveCode for MoveKey {
    fn code(&self) -> u64 {
        self.0
    }
    fn of_code(code: u64) -> Self {
        MoveKey(code)
    }
}

impl<const N: usize> Rules for Game<N> {
    type Board = Key<N>;
    type Move = MoveKey;

    fn info(&self) -> Info {
        (**self).info()
    }
    fn read(&self, text: &str) -> Result<Key<N>, BoardError> {
        (**self).read(text)
    }
    fn show(&self, at: &Key<N>) -> String {
        (**self).show(at)
    }
    fn moves(
        &self,
        at: &Key<N>,
        who: Player,
        emit: &mut impl FnMut(MoveKey) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        (**self).moves(at, who, emit)
    }
    fn play(&self, at: &mut Key<N>, who: Player, mv: &MoveKey) {
        *at = (**self).play(at, who, *mv).0;
    }
    fn gesture(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> Vec<Spot> {
        (**self).gesture(at, who, *mv)
    }
    fn scene(&self, at: &Key<N>) -> Scene {
        (**self).scene(at)
    }
    fn start(&self, size: Size) -> Result<Key<N>, BoardError> {
        (**self).start(size)
    }
    fn move_text(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> String {
        (**self).move_text(at, who, *mv)
    }
    fn points(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> i64 {
        (**self).play(at, who, *mv).1
    }
    fn ends_in_score(&self) -> bool {
        (**self).ends_in_score()
    }
    fn to_play(&self, at: &Key<N>) -> Option<Player> {
        (**self).to_play(at)
    }
    fn estimate(&self, at: &Key<N>) -> Option<Dyadic> {
        (**self).estimate(at)
    }
    fn parts(&self, at: &Key<N>, emit: &mut impl FnMut(Key<N>)) {
        let mut parts = vec![];
        (**self).parts(at, &mut parts);
        parts.into_iter().for_each(emit);
    }
    fn parts_after(&self, at: &Key<N>, who: Player, mv: &MoveKey, emit: &mut impl FnMut(Key<N>)) -> i64 {
        let mut parts = vec![];
        let points = (**self).parts_after(at, who, *mv, &mut parts);
        parts.into_iter().for_each(emit);
        points
    }
    fn bridges(&self, part: &Key<N>, emit: &mut impl FnMut(Bridge<Key<N>>)) {
        let mut bridges = vec![];
        (**self).bridges(part, &mut bridges);
        bridges.into_iter().for_each(emit);
    }
    fn regions(&self, at: &Key<N>, emit: &mut impl FnMut(Key<N>, Vec<Spot>)) {
        for (part, spots) in (**self).regions(at) {
            emit(part, spots);
        }
    }
    fn normalise(&self, at: Key<N>) -> (Key<N>, Sign) {
        (**self).normalise(&at)
    }
    fn known(&self, at: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        (**self).known(at, kernel)
    }
    fn bounds(&self, at: &Key<N>) -> (Option<i64>, Option<i64>) {
        (**self).bounds(at)
    }
    fn chances(&self, at: &Key<N>) -> Chances {
        (**self).chances(at)
    }
    fn verdict(&self, chances: &Chances, rest: (i64, i64), first: Player) -> Verdict {
        (**self).verdict(chances, rest, first)
    }
    fn count_moves(&self, at: &Key<N>, who: Player) -> u32 {
        (**self).count_moves(at, who)
    }
    fn size(&self, at: &Key<N>) -> usize {
        (**self).size(at)
    }
    fn has_global_wins(&self) -> bool {
        (**self).has_global_wins()
    }
    fn global_win(&self, at: &Key<N>) -> Option<Player> {
        (**self).global_win(at)
    }
    fn lean(&self, at: &Key<N>) -> i32 {
        (**self).lean(at)
    }
    fn grid(&self) -> Option<GridTraits> {
        (**self).grid()
    }
    fn codes(&self, at: &Key<N>) -> Option<Codes> {
        (**self).codes(at)
    }
    fn of_codes(&self, codes: &Codes) -> Result<Key<N>, BoardError> {
        (**self).of_codes(codes)
    }
    fn promise(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> i32 {
        (**self).promise(at, who, *mv)
    }
    fn habit(&self, at: &Key<N>, who: Player, mv: &MoveKey) -> Option<i32> {
        (**self).habit(at, who, *mv)
    }
}
