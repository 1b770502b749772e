//! Who wins although moves are forbidden.
//!
//! Some games know how to cut a board into bands so that one player loses moves and the other none ([`gb_rules::Theorems::bands`]). A player
//! who wins the sum of the bands wins. Bands are narrow, so that the same come up again and again, and each is valued once; their thermographs decide most of the
//! time. (M. Lachmann, C. Moore and I. Rapaport, Who wins Domineering on rectangular boards?, 2002, decide whole rectangles by cutting them with one
//! hand tied. Here every position of the search is cut.)

use gb_rules::{Key, Player, Sign};
use gb_value::{Budget, Halt, Value};
use smallvec::SmallVec;

use super::super::key::{SumKey, key_of};
use super::super::sum::{Component, State, What, as_whom};
use super::heat::winner;
use super::{Heat, Searcher};
use crate::question::ExactValue;
use crate::search::{SearchContext, search};

/// How many lines the widest bands have at first, and if that does not decide. Bands of four lines would save three quarters of the nodes that are left; but there are too many
/// of them, and to value them takes ten times as long.
const WIDEST: [usize; 2] = [NARROW, 3];
/// Bands of so many lines are valued in no time.
const NARROW: usize = 2;
/// Nodes that the value of one band may take.
const NODES: u64 = 2_000;

/// A board that is cut.
#[derive(Clone, Copy)]
struct Cut<const N: usize> {
    board: Key<N>,
    sign: Sign,
    /// How wide the widest bands are that were looked at,
    widest: usize,
    /// and where the keys of the bands of each width begin.
    keys: [usize; WIDEST[1]],
    lines: usize,
}

/// What is reused from node to node.
#[derive(Default)]
pub(super) struct Scratch<const N: usize> {
    bands: Vec<Key<N>>,
    keys: Vec<SumKey>,
}

impl<const N: usize> Searcher<'_, N> {
    /// Whether the player to move wins, if one of the players wins even without some of the moves.
    pub(super) fn by_bands(&mut self, state: &State<N>, to_move: Player) -> Result<Option<bool>, Halt> {
        let is_board = |part: &Component<N>| matches!(part.what, What::Board(..));
        if !self.settings.bands || !state.parts.iter().any(is_board) || !self.local.bands.are_worth_it() {
            return Ok(None);
        }
        let Some(rest) = self.heats_of_rest(state)? else { return Ok(None) };
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.keys.clear();
        let found = self.by_bands_beside(&rest, state, to_move, &mut scratch);
        self.scratch = scratch;
        if let Ok(found) = found {
            self.local.bands.note(found.is_some());
        }
        found
    }

    fn by_bands_beside(
        &mut self,
        rest: &[Heat],
        state: &State<N>,
        to_move: Player,
        scratch: &mut Scratch<N>,
    ) -> Result<Option<bool>, Halt> {
        let cuts: SmallVec<[Cut<N>; 2]> = state
            .parts
            .iter()
            .filter_map(|part| match part.what {
                What::Board(board, sign) => {
                    Some(Cut { board, sign, widest: 0, keys: [0; WIDEST[1]], lines: 0 })
                }
                What::Value(_) => None,
            })
            .collect();
        let mut cuts = [cuts.clone(), cuts];
        for widest in WIDEST {
            for who in Player::BOTH {
                let mut heats: SmallVec<[Heat; 8]> = SmallVec::from_slice(rest);
                let mut known = true;
                for cut in &mut cuts[who as usize] {
                    let player = as_whom(who, cut.sign);
                    known = self.cut(cut, player, widest, scratch)?
                        && self.best_bands(cut, player, &scratch.keys, &mut heats);
                    if !known {
                        break;
                    }
                }
                if known && winner(&heats, to_move) == Some(who) {
                    return Ok(Some(who == to_move));
                }
            }
        }
        Ok(None)
    }

    /// Finds the bands up to this width, and values those that are new. False if the game has none.
    fn cut(
        &mut self,
        cut: &mut Cut<N>,
        who: Player,
        widest: usize,
        scratch: &mut Scratch<N>,
    ) -> Result<bool, Halt> {
        // One band of all lines is the widest of all.
        while cut.widest < widest && (cut.widest == 0 || cut.widest < cut.lines) {
            scratch.bands.clear();
            if !self.game.bands(&cut.board, who, cut.widest as u32 + 1, &mut scratch.bands) {
                self.local.bands.are_missing();
                return Ok(false);
            }
            if cut.widest == 0 {
                cut.lines = scratch.bands.len();
            }
            cut.keys[cut.widest] = scratch.keys.len();
            cut.widest += 1;
            for band in &scratch.bands {
                let key = key_of(band);
                self.look_at(band, key, cut.widest > NARROW)?;
                scratch.keys.push(key);
            }
        }
        Ok(true)
    }

    /// Finds the thermograph of a band, unless it was looked for before.
    fn look_at(&mut self, band: &Key<N>, key: SumKey, is_wide: bool) -> Result<(), Halt> {
        if self.local.bands.knows(key)
            || self.many_values
            || !self.local.bands.may_be_valued(is_wide, self.nodes_before + self.nodes)
        {
            return Ok(());
        }
        let budget = self.kernel.budget().part(NODES);
        let value = self.value_of_band(band, &budget);
        self.kernel.budget().spend(budget.nodes(), 0)?;
        let heat = match value {
            Ok(value) => self.heat(value)?,
            Err(Halt::Nodes | Halt::TooLarge(_) | Halt::Repetition) => None,
            Err(halt) => return Err(halt),
        };
        self.local.bands.set(key, heat, budget.nodes());
        Ok(())
    }

    fn value_of_band(&mut self, band: &Key<N>, budget: &Budget) -> Result<Value, Halt> {
        let store = self.kernel.store();
        let (kernel, context) = (store.kernel(budget), SearchContext::new(store, budget));
        let mut pieces = std::mem::take(&mut self.pieces);
        self.game.pieces(band, &mut pieces);
        let value = pieces.iter().try_fold(Value::ZERO, |sum, piece| {
            let value = search(self.game, &ExactValue, self.values, &piece.key, &context)?;
            kernel.add(sum, if piece.sign == Sign::Plus { value } else { kernel.neg(value)? })
        });
        pieces.clear();
        self.pieces = pieces;
        value
    }

    /// Appends the thermographs of those bands whose means are the best for a player in all. False if some lines are in no band that is known.
    fn best_bands(
        &self,
        cut: &Cut<N>,
        who: Player,
        keys: &[SumKey],
        heats: &mut SmallVec<[Heat; 8]>,
    ) -> bool {
        let heat = |width: usize, from: usize| self.local.bands.heat(keys[cut.keys[width - 1] + from]);
        // For the lines up to each: the best mean of their bands, and how wide the last of them is.
        let mut best: SmallVec<[Option<(i64, usize)>; 12]> = SmallVec::from_elem(None, cut.lines + 1);
        best[0] = Some((0, 0));
        for to in 1..=cut.lines {
            for width in 1..=to.min(cut.widest) {
                let from = to - width;
                if let (Some((before, _)), Some(heat)) = (best[from], heat(width, from)) {
                    let mean = before + if who == Player::Left { heat.mean } else { -heat.mean };
                    if best[to].is_none_or(|(most, _)| mean > most) {
                        best[to] = Some((mean, width));
                    }
                }
            }
        }
        let mut to = cut.lines;
        while let Some((_, width)) = best[to] {
            if to == 0 {
                return true;
            }
            to -= width;
            let Some(heat) = heat(width, to) else { return false };
            heats.push(if cut.sign == Sign::Plus { *heat } else { heat.negative() });
        }
        false
    }
}
