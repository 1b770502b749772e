//! Every claim of a game, on every small board, against values found without any of them.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use gb_value::{Halt, Kernel, Value};

use super::moves;
use crate::{Bridge, DynGame, Inspection, Key, MoveKey, Player, Sign, StaticResult};

/// Bands are cut at all sets of so many places.
const MOST_CUTS: usize = 6;

/// Checks what a game claims about these boards: how they fall apart, normal forms, known values, bounds and winners by
/// inspection. The values to compare with come from the moves alone. Variants of a game are games of their own, and have to be
/// checked as such.
///
/// [`check`](super::check) plays a few lines from chosen positions and shares nothing with the kernel; this goes through
/// all boards it is given, and needs the kernel to be fast enough for thousands of them. Boards of games that can repeat
/// have no such values, so there is nothing to check.
///
/// # Errors
/// A sentence about the first false claim.
pub fn check_claims<const N: usize>(
    game: &dyn DynGame<N>,
    boards: &[Key<N>],
    kernel: &Kernel<'_>,
) -> Result<usize, ClaimError> {
    Claims::new(game, kernel).check(boards)
}

/// Checks that boards are alike: of each pair the second has the value of the first, or its negative. The values come from the moves alone.
///
/// # Errors
/// A sentence about the first pair that is not.
pub fn check_alike<const N: usize>(
    game: &dyn DynGame<N>,
    pairs: &[(Key<N>, Key<N>, Sign)],
    kernel: &Kernel<'_>,
) -> Result<usize, ClaimError> {
    let mut claims = Claims::new(game, kernel);
    if game.info().loopy {
        return Ok(0);
    }
    for (one, other, sign) in pairs {
        let mut value = claims.value(one)?;
        if *sign == Sign::Minus {
            value = kernel.neg(value)?;
        }
        let found = claims.value(other)?;
        claims.is(found, value, one, || {
            let what = if *sign == Sign::Plus { "the same value" } else { "the negative of its value" };
            format!("`{}` does not have {what}", game.show(other))
        })?;
    }
    Ok(pairs.len())
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
    Stopped(#[from] Halt),
}

/// Values of boards from their moves alone.
struct Claims<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    kernel: &'a Kernel<'a>,
    values: HashMap<Key<N>, Value>,
}

impl<'a, const N: usize> Claims<'a, N> {
    fn new(game: &'a dyn DynGame<N>, kernel: &'a Kernel<'a>) -> Self {
        Claims { game, kernel, values: HashMap::new() }
    }

    fn check(&mut self, boards: &[Key<N>]) -> Result<usize, ClaimError> {
        if self.game.info().loopy {
            return Ok(0);
        }
        for board in boards {
            self.board(board)?;
        }
        Ok(boards.len())
    }

    fn value(&mut self, at: &Key<N>) -> Result<Value, Halt> {
        match self.game.global_win(at) {
            Some(Player::Left) => return Ok(Value::ON),
            Some(Player::Right) => return Ok(Value::OFF),
            None => {}
        }
        if let Some(&value) = self.values.get(at) {
            return Ok(value);
        }
        let mut sides: [Vec<Value>; 2] = Default::default();
        for who in Player::BOTH {
            for mv in moves(self.game, at, who) {
                let value = self.option(at, who, mv)?;
                sides[who as usize].push(value);
            }
        }
        let value = self.kernel.from_options(&sides[0], &sides[1])?;
        self.values.insert(*at, value);
        Ok(value)
    }

    fn option(&mut self, at: &Key<N>, who: Player, mv: MoveKey) -> Result<Value, Halt> {
        let (after, points) = self.game.play(at, who, mv);
        let points = self.kernel.integer(points);
        let value = self.value(&after)?;
        self.kernel.add(value, points)
    }

    fn sum(&mut self, boards: &[Key<N>]) -> Result<Value, Halt> {
        let values: Result<Vec<Value>, Halt> = boards.iter().map(|board| self.value(board)).collect();
        self.kernel.sum(&values?)
    }

    fn board(&mut self, at: &Key<N>) -> Result<(), ClaimError> {
        let value = self.value(at)?;
        self.inspection(at, value)?;
        self.bands(at, value)?;
        let mut parts = vec![];
        self.game.parts(at, &mut parts);
        let regions = self.game.regions(at).into_iter().map(|(part, _)| part).collect();
        // Where a player can win everywhere, parts are independent only as long as nobody threatens to.
        if !self.game.has_global_wins() {
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

    fn part(&mut self, part: &Key<N>) -> Result<(), ClaimError> {
        let value = self.value(part)?;
        let (normal, sign) = self.game.normalise(part);
        let of_normal = match (self.value(&normal)?, sign) {
            (of_normal, Sign::Plus) => of_normal,
            (of_normal, Sign::Minus) => self.kernel.neg(of_normal)?,
        };
        self.is(of_normal, value, part, || {
            format!("its normal form `{}` ({sign:?}) has another value", self.game.show(&normal))
        })?;
        for board in [part, &normal] {
            if let Some(known) = self.game.known(board, self.kernel)? {
                let value = self.value(board)?;
                self.is(known, value, board, || "the known value is wrong".into())?;
            }
        }
        if self.game.has_global_wins() {
            return Ok(());
        }
        for who in Player::BOTH {
            for mv in moves(self.game, part, who) {
                let mut left = vec![];
                let number = self.game.parts_after(part, who, mv, &mut left);
                let (left, option) = (self.sum(&left)?, self.option(part, who, mv)?);
                let left = self.kernel.add(left, self.kernel.integer(number))?;
                self.is(left, option, part, || {
                    let text = self.game.move_text(part, who, mv);
                    format!("the parts after {text} of {who} do not add up")
                })?;
            }
        }
        let mut bridges = vec![];
        self.game.bridges(part, &mut bridges);
        for Bridge { end, longer_end, rest } in bridges {
            if self.value(&end)? == self.value(&longer_end)? {
                let sum = self.sum(&[end, rest])?;
                self.is(sum, value, part, || {
                    let [end, rest] = [&end, &rest].map(|board| self.game.show(board));
                    format!("it is not the sum of what a bridge joins, `{end}` and `{rest}`")
                })?;
            }
        }
        Ok(())
    }

    /// However the lines are cut into bands, their sum is no better for the player.
    fn bands(&mut self, at: &Key<N>, value: Value) -> Result<(), ClaimError> {
        for who in Player::BOTH {
            let (mut all, mut narrow) = (vec![], vec![]);
            if !self.game.bands(at, who, 1, &mut narrow) {
                continue;
            }
            let lines = narrow.len();
            for width in 1..=lines {
                let mut bands = vec![];
                self.game.bands(at, who, width as u32, &mut bands);
                if bands.len() != lines + 1 - width {
                    return Err(
                        self.wrong(at, format!("{lines} lines have {} bands of {width}", bands.len()))
                    );
                }
                all.push(bands);
            }
            for cuts in 0..1u32 << (lines - 1).min(MOST_CUTS) {
                let (mut sum, mut from) = (Value::ZERO, 0);
                for to in 1..=lines {
                    if to == lines || cuts >> (to - 1) & 1 == 1 {
                        let band = self.value(&all[to - from - 1][from])?;
                        (sum, from) = (self.kernel.add(sum, band)?, to);
                    }
                }
                let (low, high) = if who == Player::Left { (sum, value) } else { (value, sum) };
                if !self.kernel.le(low, high)? {
                    return Err(self.wrong(at, format!("bands cut at {cuts:b} are better for {who}")));
                }
            }
        }
        Ok(())
    }

    /// Bounds and winners that are claimed without search.
    fn inspection(&self, at: &Key<N>, value: Value) -> Result<(), ClaimError> {
        let (low, high) = self.game.bounds(at);
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
        let features = self.game.features(at);
        for (first, rest) in
            Player::BOTH.into_iter().flat_map(|first| (-2..=2).map(move |rest| (first, rest)))
        {
            let StaticResult::Winner(claim) = self.game.static_result(&features, (rest, rest), first) else {
                continue;
            };
            let sum = self.kernel.add(value, self.kernel.integer(rest))?;
            let loses = match first {
                Player::Left => self.kernel.le(sum, Value::ZERO)?,
                Player::Right => self.kernel.le(Value::ZERO, sum)?,
            };
            if (claim == first) == loses {
                return Err(self.wrong(at, format!("{claim} does not win it + {rest} when {first} begins")));
            }
            self.inspection_of_moves(at, first, rest)?;
        }
        Ok(())
    }

    /// What is said of all moves at once is what is said of the boards they leave, beside the board itself and an integer; but a winner
    /// that takes long to see need not be named.
    fn inspection_of_moves(&self, at: &Key<N>, first: Player, rest: i64) -> Result<(), ClaimError> {
        let (game, others) = (self.game, self.game.features(at));
        for (who, sign) in
            Player::BOTH.into_iter().flat_map(|who| [Sign::Plus, Sign::Minus].map(|sign| (who, sign)))
        {
            let inspection = Inspection { others: &others, sign, rest: (rest, rest), first, to_win: false };
            let (mut said, mut plain) = (vec![], vec![]);
            let _ = game.successors(at, who, Some(&inspection), false, &mut |next| {
                said.push((next.after, next.points, next.result));
                ControlFlow::Continue(())
            });
            let _ = game.options(at, who, &mut |after, points| {
                let (features, earned) = match sign {
                    Sign::Plus => (game.features(&after), points),
                    Sign::Minus => (game.features(&after).turned(), -points),
                };
                let rest = (rest + earned, rest + earned);
                plain.push((after, points, game.static_result(&others.plus(features), rest, first)));
                ControlFlow::Continue(())
            });
            let agree = |(said, plain): (&(Key<N>, i64, StaticResult), &(Key<N>, i64, StaticResult))| {
                let unseen = matches!((said.2, plain.2), (StaticResult::Eval(_), StaticResult::Winner(_)));
                (said.0, said.1) == (plain.0, plain.1) && (unseen || said.2 == plain.2)
            };
            if said.len() != plain.len() || !said.iter().zip(&plain).all(agree) {
                let claim =
                    format!("moves of {who} are inspected in another way ({sign:?}, {first} begins, {rest})");
                return Err(self.wrong(at, claim));
            }
        }
        Ok(())
    }

    fn is(
        &self,
        claimed: Value,
        value: Value,
        at: &Key<N>,
        claim: impl FnOnce() -> String,
    ) -> Result<(), ClaimError> {
        if claimed == value { Ok(()) } else { Err(self.wrong(at, claim())) }
    }

    fn wrong(&self, at: &Key<N>, claim: String) -> ClaimError {
        ClaimError::False { game: self.game.info().name, board: self.game.show(at), claim }
    }
}

/// All boards of `rows` by `cols` letters that the game reads. Letters whose meaning stands in brackets are left out: they
/// only occur in parts.
pub fn boards_of_letters<const N: usize>(game: &dyn DynGame<N>, rows: usize, cols: usize) -> Vec<Key<N>> {
    let alphabet = game.info().alphabet;
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
            game.read(&text).ok()
        })
        .collect()
}

/// All boards that can be reached from these, at most `limit` of them.
pub fn boards_below<const N: usize>(game: &dyn DynGame<N>, starts: &[Key<N>], limit: usize) -> Vec<Key<N>> {
    let mut found: HashSet<Key<N>> = HashSet::new();
    let mut boards: Vec<Key<N>> = vec![];
    let mut queue: Vec<Key<N>> = starts.to_vec();
    while let Some(board) = queue.pop() {
        if boards.len() == limit || !found.insert(board) {
            continue;
        }
        for who in Player::BOTH {
            let _ = game.moves(&board, who, &mut |mv| {
                queue.push(game.play(&board, who, mv).0);
                ControlFlow::Continue(())
            });
        }
        boards.push(board);
    }
    boards
}
