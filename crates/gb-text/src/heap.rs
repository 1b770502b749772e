//! Games of heaps, each a few numbers.
//!
//! A heap becomes other heaps. Every heap is a part of its own: a move changes one heap, and looks at no other. Every heap that a
//! move leaves comes before the heap it was in the order of the dictionary (the first number that differs is less), so play ends:
//! such orders have no infinite descent, and neither have finite collections of heaps in which one is replaced by
//! finitely many smaller ones.

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{BoardError, Item, Scene, Size, Spot, read_heaps};
use gb_rules::{
    AnyGame, Capabilities, ImpartialForm, Info, MoveCode, Notation, Player, Rules, Sign, Variant,
};
use smallvec::{SmallVec, smallvec};

use crate::error::{Place, TextError};
use crate::kept;
use crate::tree::{
    Action, BoardKind, Comparison, Expression, GameText, HeapAction, HeapRule, Operation, Range, Relation,
};

/// The largest number of a heap: moves keep what was chosen in 16 bits.
const MAX_HEAP: u32 = u16::MAX as u32;
/// The most numbers a heap has.
const NUMBERS: usize = 3;
/// The greatest number of a heap where a move chooses two numbers: all pairs are tried.
const MOST_OF_PAIRS: u32 = 1_000;
/// How many heaps a move may leave.
const MOST_HEAPS: i64 = 1_000;
/// Up to this number all heaps are tried when a game is read.
const TRIED: u32 = 9;

/// A heap; numbers that the game does not have are 0.
type Heap = [u32; NUMBERS];
/// A position.
type Heaps = SmallVec<[Heap; 3]>;

/// A game of heaps, ready to be played.
#[derive(Debug)]
pub(crate) struct HeapProgram {
    info: Info,
    numbers: usize,
    actions: Vec<(Place, [bool; 2], HeapAction)>,
    most: u32,
}

/// The rules of a game of heaps.
#[derive(Clone)]
pub(crate) struct TextHeaps(Arc<HeapProgram>);

/// A move: the heap, what is done to it, and the numbers that were chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct HeapMove {
    heap: u16,
    action: u8,
    chosen: [u16; 2],
}

impl MoveCode for HeapMove {
    fn code(&self) -> u64 {
        let [one, other] = self.chosen.map(u64::from);
        u64::from(self.heap) << 40 | u64::from(self.action) << 32 | one << 16 | other
    }
    fn of_code(code: u64) -> HeapMove {
        HeapMove {
            heap: (code >> 40) as u16,
            action: (code >> 32) as u8,
            chosen: [(code >> 16) as u16, code as u16],
        }
    }
}

/// Makes a game of a text, and tries small heaps.
pub(crate) fn compile(game: &GameText, name: String) -> Result<HeapProgram, TextError> {
    let BoardKind::Heap(numbers) = game.board else { unreachable!("a game of heaps") };
    let mut actions = vec![];
    for rule in &game.moves {
        let Action::Heap(action) = &rule.action else { continue };
        let players = match rule.who {
            Some(Player::Left) => [true, false],
            Some(Player::Right) => [false, true],
            None => [true, true],
        };
        if matches!(action, HeapAction::Code(_)) && numbers != 1 {
            return Err(TextError::meaning(rule.at, "codes are for heaps of one number"));
        }
        actions.push((rule.at, players, action.clone()));
    }
    if actions.len() > usize::from(u8::MAX) {
        return Err(TextError::TooLarge {
            found: format!("{} ways to move", actions.len()),
            limit: format!("at most {}", u8::MAX),
        });
    }
    let pairs = actions.iter().any(|(.., action)| match action {
        HeapAction::Becomes(rule) => rule.choices.len() > 1,
        HeapAction::Code(_) => false,
    });
    let example = match &game.example {
        Some((_, example)) => example.clone(),
        None => vec!["5"; numbers].join("x"),
    };
    let program = HeapProgram {
        info: Info {
            impartial: actions.iter().all(|(_, players, _)| *players == [true, true]),
            ..kept::info(game, name, &example, &[])
        },
        numbers,
        actions,
        most: if pairs { MOST_OF_PAIRS } else { MAX_HEAP },
    };
    let program = Arc::new(program);
    try_small(&TextHeaps(program.clone()))?;
    Ok(Arc::try_unwrap(program).unwrap_or_else(|_| unreachable!("nobody else has it")))
}

/// Whether every move of small heaps leaves smaller ones.
fn try_small(rules: &TextHeaps) -> Result<(), TextError> {
    let numbers = rules.0.numbers;
    let count = (TRIED as usize + 1).pow(numbers as u32);
    for number in 0..count {
        let mut heap: Heap = [0; NUMBERS];
        let mut rest = number;
        for place in heap.iter_mut().take(numbers) {
            *place = (rest % (TRIED as usize + 1)) as u32;
            rest /= TRIED as usize + 1;
        }
        for (index, (at, ..)) in rules.0.actions.iter().enumerate() {
            let mut larger = None;
            let _ = rules.results(&heap, index, &mut |_, left| {
                larger = left.iter().find(|other| **other >= heap).copied();
                if larger.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if let Some(larger) = larger {
                let (heap, larger) = (rules.show_heap(&heap), rules.show_heap(&larger));
                return Err(TextError::meaning(
                    *at,
                    format!(
                        "a move of the heap `{heap}` leaves `{larger}`, so that play might not end: expected that the first number that changes gets less"
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// Opens a game of heaps.
pub(crate) fn open(program: &Arc<HeapProgram>, variant: Variant) -> AnyGame {
    AnyGame::interned(variant, TextHeaps(program.clone()))
}

/// The numbers of a heap and those that were chosen.
struct Values<'a> {
    heap: &'a [u32],
    chosen: [i64; 2],
}

impl Values<'_> {
    fn of(&self, expression: &Expression) -> Option<i64> {
        match expression {
            Expression::Number(number) => Some(*number),
            Expression::Variable(index) => match self.heap.get(*index) {
                Some(&number) => Some(number.into()),
                None => self.chosen.get(index - self.heap.len()).copied(),
            },
            Expression::Of(parts) => {
                let (one, other) = (self.of(&parts.0)?, self.of(&parts.2)?);
                match parts.1 {
                    Operation::Plus => one.checked_add(other),
                    Operation::Minus => one.checked_sub(other),
                    Operation::Times => one.checked_mul(other),
                    Operation::Over => (other != 0).then(|| one.div_euclid(other)),
                    Operation::Mod => (other > 0).then(|| one.rem_euclid(other)),
                    Operation::Min => Some(one.min(other)),
                    Operation::Max => Some(one.max(other)),
                }
            }
        }
    }

    fn holds(&self, Comparison(one, relation, other): &Comparison) -> bool {
        let (Some(one), Some(other)) = (self.of(one), self.of(other)) else { return false };
        match relation {
            Relation::Equal => one == other,
            Relation::Unequal => one != other,
            Relation::Less => one < other,
            Relation::AtMost => one <= other,
            Relation::Divides => one != 0 && other % one == 0,
        }
    }
}

impl TextHeaps {
    fn show_heap(&self, heap: &Heap) -> String {
        heap[..self.0.numbers].iter().map(u32::to_string).collect::<Vec<_>>().join("x")
    }

    /// Calls `emit` with the numbers chosen and the heaps left, for every way to do something to a heap.
    fn results(
        &self,
        heap: &Heap,
        action: usize,
        emit: &mut dyn FnMut([u16; 2], Heaps) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &self.0.actions[action].2 {
            HeapAction::Code(digits) => by_code(heap[0], digits, emit),
            HeapAction::Becomes(rule) => self.choose(rule, heap, [0; 2], 0, emit),
        }
    }

    fn choose(
        &self,
        rule: &HeapRule,
        heap: &Heap,
        chosen: [i64; 2],
        index: usize,
        emit: &mut dyn FnMut([u16; 2], Heaps) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let values = Values { heap: &heap[..self.0.numbers], chosen };
        let most = i64::from(self.0.most);
        let Some(range) = rule.choices.get(index) else {
            return match self.left(rule, &values) {
                Some(left) => emit(chosen.map(|number| number as u16), left),
                None => ControlFlow::Continue(()),
            };
        };
        let mut with = |number: i64| {
            let mut chosen = chosen;
            chosen[index] = number;
            self.choose(rule, heap, chosen, index + 1, emit)
        };
        match range {
            Range::OneOf(numbers) => {
                numbers.iter().filter(|n| (0..=most).contains(*n)).try_for_each(|&number| with(number))
            }
            Range::Between(low, high) => match (values.of(low), values.of(high)) {
                (Some(low), Some(high)) => (low.max(0)..=high.min(most)).try_for_each(with),
                _ => ControlFlow::Continue(()),
            },
        }
    }

    /// The heaps that are left, if the conditions hold and all numbers are possible.
    fn left(&self, rule: &HeapRule, values: &Values<'_>) -> Option<Heaps> {
        if !rule.conditions.iter().all(|condition| values.holds(condition)) {
            return None;
        }
        let mut left = Heaps::new();
        for (times, numbers) in &rule.heaps {
            let mut heap: Heap = [0; NUMBERS];
            for (place, number) in heap.iter_mut().zip(numbers) {
                *place = u32::try_from(values.of(number)?).ok().filter(|n| *n <= MAX_HEAP)?;
            }
            let times = values.of(times).filter(|times| (0..=MOST_HEAPS).contains(times))?;
            (0..times).for_each(|_| left.push(heap));
        }
        // Nothing is a heap of nothing, so that positions never lose their heaps.
        if left.is_empty() {
            left.push([0; NUMBERS]);
        }
        Some(left)
    }

    /// What a move leaves of its heap.
    fn after(&self, heap: &Heap, mv: &HeapMove) -> Heaps {
        match &self.0.actions[usize::from(mv.action)].2 {
            HeapAction::Code(_) => {
                let (take, rest) = (u32::from(mv.chosen[0]), u32::from(mv.chosen[1]));
                let other = [heap[0] - take - rest, 0, 0];
                if rest > 0 { smallvec![[rest, 0, 0], other] } else { smallvec![other] }
            }
            HeapAction::Becomes(rule) => {
                let chosen = mv.chosen.map(i64::from);
                let values = Values { heap: &heap[..self.0.numbers], chosen };
                self.left(rule, &values).unwrap_or_else(|| smallvec![*heap])
            }
        }
    }
}

/// The moves of an octal code: take k tokens and leave nothing, one heap or two, as digit k allows.
fn by_code(
    size: u32,
    digits: &[u8],
    emit: &mut dyn FnMut([u16; 2], Heaps) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for (take, &digit) in (0..=size).zip(digits) {
        let left = size - take;
        if (digit & 1 != 0 && left == 0) || (digit & 2 != 0 && left > 0) {
            emit([take as u16, 0], smallvec![[left, 0, 0]])?;
        }
        if digit & 4 != 0 {
            for rest in 1..=left / 2 {
                emit([take as u16, rest as u16], smallvec![[rest, 0, 0], [left - rest, 0, 0]])?;
            }
        }
    }
    ControlFlow::Continue(())
}

impl Rules for TextHeaps {
    type Board = Heaps;
    type Move = HeapMove;

    fn info(&self) -> Info {
        self.0.info.clone()
    }
    fn read(&self, text: &str) -> Result<Heaps, BoardError> {
        let program = &self.0;
        let mut heaps = Heaps::new();
        if program.numbers == 1 {
            heaps.extend(read_heaps(text)?.into_iter().map(|size| [size, 0, 0]));
        } else {
            let example = vec!["3"; program.numbers].join("x");
            let mut at = 0;
            for word in text.split(',') {
                let numbers: Option<Vec<u32>> =
                    word.trim().split('x').map(|n| n.trim().parse().ok()).collect();
                let numbers = numbers.filter(|numbers| numbers.len() == program.numbers);
                let numbers = numbers.ok_or_else(|| {
                    BoardError::syntax(
                        text,
                        at,
                        format!("a heap of {} numbers such as `{example}`", program.numbers),
                    )
                })?;
                let mut heap = [0; NUMBERS];
                heap[..program.numbers].copy_from_slice(&numbers);
                heaps.push(heap);
                at += word.len() + 1;
            }
        }
        if let Some(large) = heaps.iter().flatten().find(|number| **number > program.most) {
            return Err(BoardError::TooLarge {
                found: format!("a heap of {large}"),
                limit: format!("at most {} in this game", program.most),
            });
        }
        if heaps.len() as i64 > MOST_HEAPS {
            return Err(BoardError::TooLarge {
                found: format!("a position of {} heaps", heaps.len()),
                limit: format!("at most {MOST_HEAPS} heaps"),
            });
        }
        Ok(heaps)
    }
    fn show(&self, at: &Heaps) -> String {
        at.iter().map(|heap| self.show_heap(heap)).collect::<Vec<_>>().join(",")
    }
    fn start(&self, size: Size) -> Result<Heaps, BoardError> {
        let (rows, cols) = size.grid();
        match (self.0.numbers, size) {
            (1, size) => self.read(&size.length()?.to_string()),
            (2, Size::Grid(..)) => self.read(&format!("{rows}x{cols}")),
            _ => Err(BoardError::Invalid(format!(
                "{} has no usual starting position: give a position such as `{}`",
                self.0.info.title, self.0.info.example
            ))),
        }
    }
    fn moves(
        &self,
        at: &Heaps,
        who: Player,
        emit: &mut impl FnMut(HeapMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let actions: SmallVec<[usize; 8]> =
            (0..self.0.actions.len()).filter(|&index| self.0.actions[index].1[who as usize]).collect();
        for (index, heap) in at.iter().enumerate() {
            // Different ways may leave the same, which is one move. Where there is only one way to choose, they do not.
            let mut seen: Vec<Heaps> = vec![];
            let alike = actions.len() > 1 || self.0.most == MOST_OF_PAIRS;
            for &action in &actions {
                self.results(heap, action, &mut |chosen, left| {
                    // What does not get smaller is no move (see above).
                    if left.iter().any(|other| other >= heap) {
                        return ControlFlow::Continue(());
                    }
                    if alike {
                        let mut sorted = left;
                        sorted.sort_unstable();
                        if seen.contains(&sorted) {
                            return ControlFlow::Continue(());
                        }
                        seen.push(sorted);
                    }
                    emit(HeapMove { heap: index as u16, action: action as u8, chosen })
                })?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Heaps, _who: Player, mv: &HeapMove) {
        let index = usize::from(mv.heap);
        let left = self.after(&at[index], mv);
        at.remove(index);
        at.insert_many(index, left);
    }
    /// How high what is left of the heap reaches: the token above each new heap.
    fn gesture(&self, at: &Heaps, _who: Player, mv: &HeapMove) -> Vec<Spot> {
        let index = usize::from(mv.heap);
        if self.0.numbers > 1 {
            return vec![];
        }
        let token = |size: u32| Spot::Token { heap: index as u32, index: size };
        let mut left: Vec<u32> = self.after(&at[index], mv).iter().map(|heap| heap[0]).collect();
        left.sort_unstable_by(|a, b| b.cmp(a));
        // One heap: also the topmost token, so that no gesture begins with another.
        if left.len() == 1 && self.leaves_several() {
            left.push(at[index][0] - 1);
        }
        left.into_iter().map(token).collect()
    }
    fn scene(&self, at: &Heaps) -> Scene {
        if self.0.numbers == 1 {
            return Scene::heaps(&at.iter().map(|heap| heap[0]).collect::<Vec<_>>());
        }
        let squares: u64 = at.iter().map(|heap| u64::from(heap[0]) * u64::from(heap[1].max(1))).sum();
        if squares > Scene::MOST_TOKENS {
            return Scene::default();
        }
        let (mut items, mut left) = (vec![], 0);
        for &[rows, cols, _] in at {
            for row in 0..rows {
                for col in left..left + cols {
                    items.push(Item::square(Spot::Cell { row, col }, col as i32, row as i32, '.'));
                }
            }
            left += cols + 1;
        }
        Scene::new(items)
    }
    fn parts(&self, at: &Heaps, emit: &mut impl FnMut(Heaps)) {
        at.iter().filter(|heap| heap.iter().any(|n| *n > 0)).for_each(|&heap| emit(smallvec![heap]));
    }
    fn regions(&self, at: &Heaps, emit: &mut impl FnMut(Heaps, Vec<Spot>)) {
        let total: u64 = at.iter().map(|heap| u64::from(heap[0])).sum();
        let drawn = self.0.numbers == 1 && total <= Scene::MOST_TOKENS;
        for (index, &heap) in at.iter().enumerate().filter(|(_, heap)| heap.iter().any(|n| *n > 0)) {
            let tokens = if drawn { 0..heap[0] } else { 0..0 };
            let spots = tokens.map(|token| Spot::Token { heap: index as u32, index: token });
            emit(smallvec![heap], spots.collect());
        }
    }
    fn normalise(&self, mut at: Heaps) -> (Heaps, Sign) {
        at.sort_unstable();
        (at, Sign::Plus)
    }
    fn capabilities(&self) -> Capabilities<'_, Heaps, HeapMove> {
        Capabilities {
            notation: (self.0.numbers > 1).then_some(self as _),
            impartial_form: ImpartialForm::Same,
            ..Capabilities::default()
        }
    }
}

impl TextHeaps {
    /// Whether a move may leave more than one heap.
    fn leaves_several(&self) -> bool {
        self.0.actions.iter().any(|(.., action)| match action {
            HeapAction::Code(digits) => digits.iter().any(|digit| digit & 4 != 0),
            HeapAction::Becomes(rule) => rule.heaps.len() != 1 || rule.heaps[0].0 != Expression::Number(1),
        })
    }
}

/// Heaps of several numbers: `4x7=4x3,4x4`, with the number of the heap where there are several.
impl Notation<Heaps, HeapMove> for TextHeaps {
    fn move_text(&self, at: &Heaps, _who: Player, mv: &HeapMove) -> Option<String> {
        let index = usize::from(mv.heap);
        let left: Vec<String> = self.after(&at[index], mv).iter().map(|heap| self.show_heap(heap)).collect();
        let heap = gb_board::column_name(u32::from(mv.heap));
        Some(format!("{heap}:{}={}", self.show_heap(&at[index]), left.join(",")))
    }
}
