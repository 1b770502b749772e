//! Every claim of a game, on every small board, against values found without any of them.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use gb_value::{Kernel, Stop, Value};

use super::moves;
use crate::variant::{Impartial, Negative};
use crate::{Bridge, Player, Rules, Sign, Verdict};

/// Checks what a game and its variants (impartial, negative) claim about these boards: how they fall apart, normal forms,
/// known values, bounds and winners by inspection. The values to compare with come from the moves alone.
///
/// [`check`](super::check) plays a few lines from chosen positions and shares nothing with the kernel; this goes through
/// all boards it is given, and needs the kernel to be fast enough for thousands of them. Boards of games that can repeat
/// have no such values, so there is nothing to check.
///
/// # Errors
/// A sentence about the first false claim.
pub fn check_claims<R: Rules>(
    rules: &R,
    boards: &[R::Board],
    kernel: &Kernel<'_>,
) -> Result<usize, ClaimError> {
    let mut checked = Claims::new(rules, kernel).check(boards)?;
    checked += Claims::new(&Impartial(rules.clone()), kernel).check(boards)?;
    checked += Claims::new(&Negative(rules.clone()), kernel).check(boards)?;
    Ok(checked)
}

/// Why [`check_claims`] failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClaimError {
    /// A claim is false.
    #[error("{game} `{board}`: {claim}")]
    False {
        /// The name of the game or of its variant.
        game: String,
        /// The board.
        board: String,
        /// What is not so.
        claim: String,
    },
    /// The boards are too large for the budget.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// Values of boards from their moves alone.
struct Claims<'a, R: Rules> {
    rules: &'a R,
    kernel: &'a Kernel<'a>,
    values: HashMap<R::Board, Value>,
}

impl<'a, R: Rules> Claims<'a, R> {
    fn new(rules: &'a R, kernel: &'a Kernel<'a>) -> Self {
        Claims { rules, kernel, values: HashMap::new() }
    }

    fn check(&mut self, boards: &[R::Board]) -> Result<usize, ClaimError> {
        if self.rules.info().loopy {
            return Ok(0);
        }
        for board in boards {
            self.board(board)?;
        }
        Ok(boards.len())
    }

    fn value(&mut self, at: &R::Board) -> Result<Value, Stop> {
        match self.rules.global_win(at) {
            Some(Player::Left) => return Ok(Value::ON),
            Some(Player::Right) => return Ok(Value::OFF),
            None => {}
        }
        if let Some(&value) = self.values.get(at) {
            return Ok(value);
        }
        let mut sides: [Vec<Value>; 2] = Default::default();
        for who in Player::BOTH {
            for mv in moves(self.rules, at, who) {
                let value = self.option(at, who, &mv)?;
                sides[who as usize].push(value);
            }
        }
        let value = self.kernel.from_options(&sides[0], &sides[1])?;
        self.values.insert(at.clone(), value);
        Ok(value)
    }

    fn option(&mut self, at: &R::Board, who: Player, mv: &R::Move) -> Result<Value, Stop> {
        let mut after = at.clone();
        self.rules.play(&mut after, who, mv);
        let points = self.kernel.integer(self.rules.points(at, who, mv));
        let value = self.value(&after)?;
        self.kernel.add(value, points)
    }

    fn sum(&mut self, boards: &[R::Board]) -> Result<Value, Stop> {
        let values: Result<Vec<Value>, Stop> = boards.iter().map(|board| self.value(board)).collect();
        self.kernel.sum(&values?)
    }

    fn board(&mut self, at: &R::Board) -> Result<(), ClaimError> {
        let value = self.value(at)?;
        self.inspection(at, value)?;
        let (mut parts, mut regions) = (vec![], vec![]);
        self.rules.parts(at, &mut |part| parts.push(part));
        self.rules.regions(at, &mut |part, _| regions.push(part));
        // Where a player can win everywhere, parts are independent only as long as nobody threatens to.
        if !self.rules.has_global_wins() {
            for (boards, name) in [(&parts, "parts"), (&regions, "regions")] {
                let sum = self.sum(boards)?;
                self.is(sum, value, at, || format!("it is not the sum of its {name}"))?;
            }
        }
        for part in &parts {
            self.part(part)?;
        }
        Ok(())
    }

    fn part(&mut self, part: &R::Board) -> Result<(), ClaimError> {
        let value = self.value(part)?;
        let (normal, sign) = self.rules.normalise(part.clone());
        let of_normal = match (self.value(&normal)?, sign) {
            (of_normal, Sign::Plus) => of_normal,
            (of_normal, Sign::Minus) => self.kernel.neg(of_normal)?,
        };
        self.is(of_normal, value, part, || {
            format!("its normal form `{}` ({sign:?}) has another value", self.rules.show(&normal))
        })?;
        for board in [part, &normal] {
            if let Some(known) = self.rules.known(board, self.kernel)? {
                let value = self.value(board)?;
                self.is(known, value, board, || "the known value is wrong".into())?;
            }
        }
        if self.rules.has_global_wins() {
            return Ok(());
        }
        for who in Player::BOTH {
            for mv in moves(self.rules, part, who) {
                let mut left = vec![];
                let number = self.rules.parts_after(part, who, &mv, &mut |piece| left.push(piece));
                let (left, option) = (self.sum(&left)?, self.option(part, who, &mv)?);
                let left = self.kernel.add(left, self.kernel.integer(number))?;
                self.is(left, option, part, || {
                    let text = self.rules.move_text(part, who, &mv);
                    format!("the parts after {text} of {who} do not add up")
                })?;
            }
        }
        let mut bridges = vec![];
        self.rules.bridges(part, &mut |bridge| bridges.push(bridge));
        for Bridge { end, longer_end, rest } in bridges {
            if self.value(&end)? == self.value(&longer_end)? {
                let sum = self.sum(&[end.clone(), rest.clone()])?;
                self.is(sum, value, part, || {
                    let [end, rest] = [&end, &rest].map(|board| self.rules.show(board));
                    format!("it is not the sum of what a bridge joins, `{end}` and `{rest}`")
                })?;
            }
        }
        Ok(())
    }

    /// Bounds and winners that are claimed without search.
    fn inspection(&self, at: &R::Board, value: Value) -> Result<(), ClaimError> {
        let (low, high) = self.rules.bounds(at);
        if let Some(low) = low
            && !self.kernel.le(self.kernel.integer(low), value)?
        {
            return Err(self.wrong(at, format!("it is not at least {low}")));
        }
        if let Some(high) = high
            && !self.kernel.le(value, self.kernel.integer(high))?
        {
            return Err(self.wrong(at, format!("it is not at most {high}")));
        }
        let chances = self.rules.chances(at);
        for (first, rest) in
            Player::BOTH.into_iter().flat_map(|first| (-2..=2).map(move |rest| (first, rest)))
        {
            let Verdict::Winner(claim) = self.rules.verdict(&chances, (rest, rest), first) else { continue };
            let sum = self.kernel.add(value, self.kernel.integer(rest))?;
            let loses = match first {
                Player::Left => self.kernel.le(sum, Value::ZERO)?,
                Player::Right => self.kernel.le(Value::ZERO, sum)?,
            };
            if (claim == first) == loses {
                return Err(self.wrong(at, format!("{claim} does not win it + {rest} when {first} begins")));
            }
        }
        Ok(())
    }

    fn is(
        &self,
        claimed: Value,
        value: Value,
        at: &R::Board,
        claim: impl FnOnce() -> String,
    ) -> Result<(), ClaimError> {
        if claimed == value { Ok(()) } else { Err(self.wrong(at, claim())) }
    }

    fn wrong(&self, at: &R::Board, claim: String) -> ClaimError {
        ClaimError::False { game: self.rules.info().name, board: self.rules.show(at), claim }
    }
}

/// All boards of `rows` by `cols` letters that the game reads. Letters whose meaning stands in brackets are left out: they
/// only occur in parts.
pub fn boards_of_letters<R: Rules>(rules: &R, rows: usize, cols: usize) -> Vec<R::Board> {
    let alphabet = rules.info().alphabet;
    let letters: Vec<char> =
        alphabet.iter().filter(|(_, meaning)| !meaning.starts_with('(')).map(|&(letter, _)| letter).collect();
    let count = letters.len().checked_pow((rows * cols) as u32).unwrap_or(usize::MAX);
    (0..count)
        .filter_map(|mut number| {
            let mut text = String::new();
            for cell in 0..rows * cols {
                if cell > 0 && cell % cols == 0 {
                    text.push('|');
                }
                text.push(letters[number % letters.len()]);
                number /= letters.len();
            }
            rules.read(&text).ok()
        })
        .collect()
}

/// All boards that can be reached from these, at most `limit` of them.
pub fn boards_below<R: Rules>(rules: &R, starts: &[R::Board], limit: usize) -> Vec<R::Board> {
    let mut found: HashSet<R::Board> = HashSet::new();
    let mut boards: Vec<R::Board> = vec![];
    let mut queue: Vec<R::Board> = starts.to_vec();
    while let Some(board) = queue.pop() {
        if boards.len() == limit || !found.insert(board.clone()) {
            continue;
        }
        for who in Player::BOTH {
            let _ = rules.moves(&board, who, &mut |mv| {
                let mut after = board.clone();
                rules.play(&mut after, who, &mv);
                queue.push(after);
                ControlFlow::Continue(())
            });
        }
        boards.push(board);
    }
    boards
}
