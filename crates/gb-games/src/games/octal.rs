//! Octal games: tokens are taken from a heap, and what remains may be left as one heap or as two, as a code says.
//!
//! The digit d_k of the code `d_0.d_1 d_2 ..` says what may happen when k tokens are taken from a heap: 1 if nothing may
//! remain, plus 2 if one heap may remain, plus 4 if two heaps may. So `octal(0.77)` is Kayles: take one or two pins from a
//! row, anywhere (Guy and Smith, The G-values of various games, 1956).
//!
//! ```
//! use gb_rules::Player::Left;
//! let row = gb_games::game("octal(0.77)").unwrap().read("3").unwrap();
//! assert_eq!(row.options(Left), ["2", "1,1", "1"]);
//! ```

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_rules::{Arguments, Info, MoveCode, NameError, Player, Rules, Sampling, Sign, Theorems};
use gb_value::{Halt, Kernel, Value};

use crate::shared::heaps::{self, Heaps};
use crate::shared::nim_sequence::{HeapOptions, NimSequence, Seen};

/// The rules of an octal game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Octal {
    name: String,
    title: &'static str,
    rules: &'static str,
    digits: Arc<[u8]>,
    pub(crate) nimbers: NimSequence,
}

const EXAMPLE: &str = "octal(0.77)";

impl Octal {
    /// How a heap may be taken from: how many tokens, in how many ways without splitting the rest (0 or 1), and in how many
    /// with splitting it.
    fn ways(&self, size: u32) -> impl Iterator<Item = (u32, u32, u32)> {
        (0..=size).zip(self.digits.iter()).map(move |(take, &digit)| {
            let left = size - take;
            let whole = (digit & 1 != 0 && left == 0) || (digit & 2 != 0 && left > 0);
            (take, u32::from(whole), if digit & 4 != 0 { left / 2 } else { 0 })
        })
    }

    /// The game of a code such as `0.77`.
    pub fn new(code: &str) -> Option<Octal> {
        let (zero, rest) = code.split_once('.')?;
        let zero = if zero.is_empty() { "0" } else { zero };
        if zero.len() != 1 || rest.is_empty() || rest.len() > 64 {
            return None;
        }
        let digits: Option<Arc<[u8]>> =
            zero.chars().chain(rest.chars()).map(|c| c.to_digit(8).map(|digit| digit as u8)).collect();
        // Taking nothing is only a move if it splits the heap.
        let digits = digits.filter(|digits| digits[0] & 3 == 0)?;
        Some(Octal {
            name: format!("octal({zero}.{rest})"),
            title: "Octal game",
            rules: "A player takes k tokens from a heap and leaves nothing, one heap or two heaps, as the digit k of the \
                    code allows (1, 2, 4 added up). Who cannot move loses.",
            digits,
            nimbers: NimSequence::default(),
        })
    }
}

/// An octal game by name.
pub(crate) fn octal(arguments: &Arguments) -> Result<Octal, NameError> {
    let code = arguments.one("a code", EXAMPLE)?;
    Octal::new(code).ok_or_else(|| {
        let problem = format!("needs a code of octal digits that begins with `0.` or `4.`, not `{code}`");
        arguments.error(problem, EXAMPLE)
    })
}

/// Kayles, `octal(0.77)`.
pub(crate) fn kayles(arguments: &Arguments) -> Result<Octal, NameError> {
    let rules = "A player knocks down one pin or two neighbouring pins of a row. Who cannot move loses.";
    arguments.none().map(|()| named("0.77", "kayles", "Kayles", rules))
}

/// Dawson's Kayles, `octal(0.07)`.
pub(crate) fn dawsons_kayles(arguments: &Arguments) -> Result<Octal, NameError> {
    let rules = "A player knocks down two neighbouring pins of a row. Who cannot move loses.";
    arguments.none().map(|()| named("0.07", "dawsons-kayles", "Dawson's Kayles", rules))
}

fn named(code: &str, name: &str, title: &'static str, rules: &'static str) -> Octal {
    let digits = code.bytes().filter(|digit| *digit != b'.').map(|digit| digit - b'0').collect();
    Octal { name: name.to_string(), title, rules, digits, nimbers: NimSequence::default() }
}

/// Take `take` tokens from `heap` and leave `rest` on one side, no more than on the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Take {
    heap: u32,
    take: u32,
    rest: u32,
}

impl MoveCode for Take {
    /// The heap, then 8 bits of what is taken, since codes have no more digits, then 32 bits of what is left.
    fn code(&self) -> u64 {
        u64::from(self.heap) << 40 | u64::from(self.take) << 32 | u64::from(self.rest)
    }
    fn of_code(code: u64) -> Take {
        Take { heap: (code >> 40) as u32, take: (code >> 32) as u32 & 0xff, rest: code as u32 }
    }
}

impl Rules for Octal {
    type Board = Heaps;
    type Move = Take;

    fn info(&self) -> Info {
        Info {
            name: self.name.clone(),
            title: self.title,
            rules: self.rules,
            alphabet: &[],
            example: "5,3",
            impartial: true,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<Heaps, BoardError> {
        heaps::read(text)
    }
    fn show(&self, at: &Heaps) -> String {
        heaps::show(at)
    }
    fn start(&self, size: Size) -> Result<Heaps, BoardError> {
        heaps::start(size)
    }
    fn moves(
        &self,
        at: &Heaps,
        _who: Player,
        emit: &mut impl FnMut(Take) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (heap, &size) in at.iter().enumerate() {
            let heap = heap as u32;
            for (take, &digit) in (0..=size).zip(self.digits.iter()) {
                let left = size - take;
                if (digit & 1 != 0 && left == 0) || (digit & 2 != 0 && left > 0) {
                    emit(Take { heap, take, rest: 0 })?;
                }
                if digit & 4 != 0 {
                    for rest in 1..=left / 2 {
                        emit(Take { heap, take, rest })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Heaps, _who: Player, &Take { heap, take, rest }: &Take) {
        let heap = heap as usize;
        at[heap] -= take + rest;
        if rest > 0 {
            at.insert(heap, rest);
        }
    }
    /// The first and the last token that is taken; or, if none is, the tokens on both sides of the cut, upper first.
    fn gesture(&self, _at: &Heaps, _who: Player, &Take { heap, take, rest }: &Take) -> Vec<Spot> {
        let token = |index| Spot::Token { heap, index };
        if take == 0 { vec![token(rest), token(rest - 1)] } else { vec![token(rest), token(rest + take - 1)] }
    }
    fn scene(&self, at: &Heaps) -> Scene {
        Scene::heaps(at)
    }

    fn parts(&self, at: &Heaps, emit: &mut impl FnMut(Heaps)) {
        heaps::parts(at, emit);
    }
    fn regions(&self, at: &Heaps, emit: &mut impl FnMut(Heaps, Vec<Spot>)) {
        heaps::regions(at, emit);
    }
    fn normalise(&self, mut at: Heaps) -> (Heaps, Sign) {
        at.sort_unstable();
        (at, Sign::Plus)
    }
    gb_rules::has!(theorems, sampling, same_when_impartial);
}

impl HeapOptions for Octal {
    fn mark_single(&self, smaller: &[u32], seen: &mut Seen) {
        for (take, &digit) in (0..=smaller.len()).zip(self.digits.iter()) {
            let left = smaller.len() - take;
            if (digit & 1 != 0 && left == 0) || (digit & 2 != 0 && left > 0) {
                seen.mark(smaller[left]);
            }
        }
    }
    fn splitting_takes(&self) -> impl Iterator<Item = usize> {
        self.digits.iter().enumerate().filter(|(_, digit)| **digit & 4 != 0).map(|(take, _)| take)
    }
    fn longest_take(&self) -> usize {
        self.digits.len()
    }
}

impl Theorems<Heaps, Take> for Octal {
    /// By the sequence of nimbers of all heaps: what a heap becomes is smaller, and the nimber of two heaps is that of their sum.
    fn known(&self, at: &Heaps, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        let mut sum = 0;
        for &size in at {
            sum ^= self.nimbers.nimber(size, kernel, self)?;
        }
        Ok(Some(kernel.nimber(sum)))
    }
}

impl Sampling<Heaps, Take> for Octal {
    fn count_moves(&self, at: &Heaps, _who: Player) -> u32 {
        at.iter().map(|&size| self.ways(size).map(|(_, whole, splits)| whole + splits).sum::<u32>()).sum()
    }
    fn random_move(&self, at: &Heaps, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<Take> {
        let count = self.count_moves(at, who);
        let mut n = if count == 0 { return None } else { below(count) };
        for (heap, &size) in at.iter().enumerate() {
            for (take, whole, splits) in self.ways(size) {
                if n < whole + splits {
                    let rest = if n < whole { 0 } else { n - whole + 1 };
                    return Some(Take { heap: heap as u32, take, rest });
                }
                n -= whole + splits;
            }
        }
        None
    }
}
