//! A plain evaluator of positions, and a reader of the values in the fact files.

use std::collections::HashMap;
use std::ops::ControlFlow;

use gb_rules::{DynGame, Key, Player, Sign};
use gb_value::{Dyadic, Halt, Kernel, NumberUpStar, Value};

/// Values of positions, each part searched once; with or without the theorems of the game.
pub(crate) struct Plain<'a, const N: usize> {
    rules: &'a dyn DynGame<N>,
    kernel: &'a Kernel<'a>,
    with_theorems: bool,
    table: HashMap<Key<N>, Value>,
}

impl<'a, const N: usize> Plain<'a, N> {
    pub(crate) fn new(rules: &'a dyn DynGame<N>, kernel: &'a Kernel<'a>, with_theorems: bool) -> Self {
        Plain { rules, kernel, with_theorems, table: HashMap::new() }
    }

    pub(crate) fn value(&mut self, at: &Key<N>) -> Result<Value, Halt> {
        let mut parts = vec![];
        self.rules.parts(at, &mut parts);
        let mut sum = self.kernel.integer(0);
        for part in parts {
            let (normal, sign) = self.rules.normalise(&part);
            let value = self.part(normal)?;
            let value = if sign == Sign::Plus { value } else { self.kernel.neg(value)? };
            sum = self.kernel.add(sum, value)?;
        }
        Ok(sum)
    }

    fn part(&mut self, at: Key<N>) -> Result<Value, Halt> {
        if let Some(&value) = self.table.get(&at) {
            return Ok(value);
        }
        if self.with_theorems
            && let Some(value) = self.rules.known(&at, self.kernel)?
        {
            return Ok(value);
        }
        let mut options = [vec![], vec![]];
        for (side, who) in Player::BOTH.into_iter().enumerate() {
            let mut after = vec![];
            let _ = self.rules.moves(&at, who, &mut |mv| {
                after.push(self.rules.play(&at, who, mv));
                ControlFlow::Continue(())
            });
            for (board, points) in after {
                let value = self.value(&board)?;
                options[side].push(self.kernel.add(value, self.kernel.integer(points))?);
            }
        }
        let value = self.kernel.from_options(&options[0], &options[1])?;
        self.table.insert(at, value);
        Ok(value)
    }
}

/// Reads the notation of the fact files: `-3/4^*2`, `{a,b|c}`.
pub(crate) fn read_value(text: &str, kernel: &Kernel<'_>) -> Value {
    let mut rest = text;
    let value = braces(&mut rest, kernel);
    assert!(rest.is_empty(), "cannot read `{text}` from `{rest}`");
    value
}

fn braces(rest: &mut &str, kernel: &Kernel<'_>) -> Value {
    let Some(inside) = rest.strip_prefix('{') else { return number_up_star(rest, kernel) };
    *rest = inside;
    let mut sides = [vec![], vec![]];
    for (side, end) in ['|', '}'].into_iter().enumerate() {
        while !rest.starts_with(end) {
            sides[side].push(braces(rest, kernel));
            *rest = rest.strip_prefix(',').unwrap_or(rest);
        }
        *rest = &rest[1..];
    }
    kernel.from_options(&sides[0], &sides[1]).unwrap()
}

fn number_up_star(rest: &mut &str, kernel: &Kernel<'_>) -> Value {
    let digits = |rest: &mut &str| -> Option<i64> {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[..length].parse().ok();
        *rest = &rest[length..];
        number
    };
    let negative = rest.starts_with('-');
    *rest = rest.strip_prefix('-').unwrap_or(rest);
    let mut number = Dyadic::integer(0);
    if let Some(n) = digits(rest) {
        let n = if negative { -n } else { n };
        number = Dyadic::integer(n);
        if let Some(after) = rest.strip_prefix('/') {
            *rest = after;
            number = Dyadic::new(n, digits(rest).unwrap().ilog2());
        }
    }
    let mut ups = 0;
    for (letter, sign) in [('^', 1), ('v', -1)] {
        let count = rest.chars().take_while(|&c| c == letter).count();
        *rest = &rest[count..];
        if count > 0 {
            ups = sign * if count == 1 { digits(rest).unwrap_or(1) } else { count as i64 };
        }
    }
    let mut star = 0;
    if let Some(after) = rest.strip_prefix('*') {
        *rest = after;
        star = digits(rest).map_or(1, |n| n as u32);
    }
    kernel.number_up_star(&NumberUpStar { number, ups, star })
}
