//! Facts as bytes. The options of a value are given by the numbers of facts that come before it.

use std::sync::Arc;

use gb_value::{Halt, Kernel, NumberUpStar, Outcome, Player, Thermograph, Value};

use crate::fact::{Fact, Facts, Partial};
use crate::small::AllSmall;

/// A number, ups and a star.
const CLOSED: u8 = 0;
/// Options.
const OPTIONS: u8 = 1;
const ON: u8 = 2;
const OFF: u8 = 3;
/// Outcome and thermograph.
const PARTIAL: u8 = 4;
/// Outcome, thermograph, atomic weight, and outcomes of sums with nimbers.
const ALL_SMALL: u8 = 5;

/// Why bytes are no record.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Wrong,
    Halt(Halt),
}

impl From<Halt> for Unreadable {
    fn from(stop: Halt) -> Self {
        Unreadable::Halt(stop)
    }
}

pub(crate) fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Ascending numbers as differences.
pub(crate) fn put_ascending(out: &mut Vec<u8>, numbers: &[u64]) {
    put(out, numbers.len() as u64);
    let mut last = 0;
    for &n in numbers {
        put(out, n - last);
        last = n;
    }
}

/// Bytes that are being read.
pub(crate) struct Cursor<'b>(pub(crate) &'b [u8]);

impl<'b> Cursor<'b> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            n |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = usize::try_from(self.number()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    pub(crate) fn ascending(&mut self) -> Option<Vec<u64>> {
        let count = usize::try_from(self.number()?).ok()?;
        // Every number takes at least a byte, so a wrong count cannot ask for much memory.
        if count > self.0.len() {
            return None;
        }
        let mut last = 0u64;
        (0..count)
            .map(|_| {
                last = last.checked_add(self.number()?)?;
                Some(last)
            })
            .collect()
    }
}

/// Writes a fact; `renumber` gives the numbers under which the options will be found.
pub(crate) fn write(
    out: &mut Vec<u8>,
    fact: &Fact,
    facts: &Facts,
    kernel: &Kernel<'_>,
    renumber: &impl Fn(u32) -> u32,
) {
    match fact {
        Fact::Partial(Partial { outcome, thermograph, small }) => {
            out.push(if small.is_some() { ALL_SMALL } else { PARTIAL });
            out.push(*outcome as u8);
            put_text(out, &thermograph.compact());
            if let Some(AllSmall { atomic_weight, with_nimbers }) = small {
                put(out, u64::from(renumber(facts.known_number(*atomic_weight))));
                put(out, with_nimbers.len() as u64);
                out.extend(with_nimbers.iter().map(|&outcome| outcome as u8));
            }
        }
        Fact::Exact(value) => {
            if write_without_options(out, *value, kernel) {
                return;
            }
            let numbers = Player::BOTH.map(|player| {
                let numbers = facts.option_numbers(*value, player, kernel);
                let mut numbers: Vec<u64> = numbers.into_iter().map(|n| renumber(n).into()).collect();
                numbers.sort_unstable();
                numbers
            });
            write_options(out, &[&numbers[0], &numbers[1]]);
        }
    }
}

/// Writes a value for which no options have to be written down. Returns whether it is one.
pub(crate) fn write_without_options(out: &mut Vec<u8>, value: Value, kernel: &Kernel<'_>) -> bool {
    match value {
        Value::ON => out.push(ON),
        Value::OFF => out.push(OFF),
        value => match kernel.as_number_up_star(value) {
            Some(parts) => write_closed(out, &parts),
            None => return false,
        },
    }
    true
}

/// Writes the value that is a number, ups and a star.
fn write_closed(out: &mut Vec<u8>, NumberUpStar { number, ups, star }: &NumberUpStar) {
    out.push(CLOSED);
    put_text(out, &number.to_string());
    put(out, ((ups << 1) ^ (ups >> 63)) as u64);
    put(out, u64::from(*star));
}

/// Writes a value by the ascending numbers of its options, Left's and Right's.
pub(crate) fn write_options(out: &mut Vec<u8>, numbers: &[&[u64]; 2]) {
    out.push(OPTIONS);
    numbers.iter().for_each(|numbers| put_ascending(out, numbers));
}

/// A record whose options have not been looked at yet.
pub(crate) enum Raw {
    Ready(Fact),
    Options([Vec<u64>; 2]),
    /// All but the atomic weight, and the number of that.
    AllSmall(Partial, Arc<[Outcome]>, u64),
}

impl Raw {
    /// Whether this is a value.
    pub(crate) fn is_value(&self) -> bool {
        matches!(self, Raw::Ready(Fact::Exact(_)) | Raw::Options(_))
    }

    /// The numbers of the facts that have to be known first.
    pub(crate) fn needed(&self) -> impl Iterator<Item = u64> {
        let (options, weight) = match self {
            Raw::Ready(_) => (None, None),
            Raw::Options(lists) => (Some(lists), None),
            Raw::AllSmall(.., weight) => (None, Some(*weight)),
        };
        options.into_iter().flatten().flatten().copied().chain(weight)
    }

    /// The fact, given the values with the numbers that are [`needed`](Raw::needed).
    pub(crate) fn fact(
        self,
        value: impl Fn(u64) -> Option<Value>,
        kernel: &Kernel<'_>,
    ) -> Result<Fact, Unreadable> {
        match self {
            Raw::Ready(fact) => Ok(fact),
            Raw::Options(lists) => {
                let values = |list: &Vec<u64>| list.iter().map(|&n| value(n)).collect::<Option<Vec<_>>>();
                match (values(&lists[0]), values(&lists[1])) {
                    (Some(lefts), Some(rights)) => Ok(Fact::Exact(rebuild(&[lefts, rights], kernel)?)),
                    _ => Err(Unreadable::Wrong),
                }
            }
            Raw::AllSmall(partial, with_nimbers, weight) => {
                let atomic_weight = value(weight).ok_or(Unreadable::Wrong)?;
                let small = Some(AllSmall { atomic_weight, with_nimbers });
                Ok(Fact::Partial(Partial { small, ..partial }))
            }
        }
    }
}

/// Reads one record.
pub(crate) fn read(bytes: &mut Cursor<'_>, kernel: &Kernel<'_>) -> Result<Raw, Unreadable> {
    let raw = (|| {
        Some(match bytes.take(1)?[0] {
            CLOSED => {
                let number = bytes.text()?.parse().ok()?;
                let (ups, star) = (bytes.number()?, u32::try_from(bytes.number()?).ok()?);
                let ups = (ups >> 1) as i64 ^ -((ups & 1) as i64);
                Raw::Ready(Fact::Exact(kernel.number_up_star(&NumberUpStar { number, ups, star })))
            }
            OPTIONS => Raw::Options([bytes.ascending()?, bytes.ascending()?]),
            ON => Raw::Ready(Fact::Exact(Value::ON)),
            OFF => Raw::Ready(Fact::Exact(Value::OFF)),
            kind @ (PARTIAL | ALL_SMALL) => {
                let outcome = outcome(bytes.take(1)?[0])?;
                let thermograph = Thermograph::of_compact(bytes.text()?)?.into();
                let partial = Partial { outcome, thermograph, small: None };
                if kind == PARTIAL {
                    return Some(Raw::Ready(Fact::Partial(partial)));
                }
                let (weight, count) = (bytes.number()?, usize::try_from(bytes.number()?).ok()?);
                let with_nimbers: Option<Arc<[Outcome]>> =
                    bytes.take(count)?.iter().map(|&byte| self::outcome(byte)).collect();
                Raw::AllSmall(partial, with_nimbers.filter(|outcomes| !outcomes.is_empty())?, weight)
            }
            _ => return None,
        })
    })();
    raw.ok_or(Unreadable::Wrong)
}

fn outcome(byte: u8) -> Option<Outcome> {
    [Outcome::L, Outcome::R, Outcome::N, Outcome::P].get(usize::from(byte)).copied()
}

/// Passes over one record.
pub(crate) fn skip(bytes: &mut Cursor<'_>) -> Option<()> {
    match bytes.take(1)?[0] {
        CLOSED => {
            bytes.text()?;
            bytes.number()?;
            bytes.number()?;
        }
        OPTIONS => {
            for _ in Player::BOTH {
                for _ in 0..bytes.number()? {
                    bytes.number()?;
                }
            }
        }
        ON | OFF => {}
        kind @ (PARTIAL | ALL_SMALL) => {
            bytes.take(1)?;
            bytes.text()?;
            if kind == ALL_SMALL {
                bytes.number()?;
                let count = usize::try_from(bytes.number()?).ok()?;
                bytes.take(count)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// The value with these options. They are simplified again, so that whatever was written, the result is a sound value;
/// and it must be what was written, with exactly these options.
fn rebuild(options: &[Vec<Value>; 2], kernel: &Kernel<'_>) -> Result<Value, Unreadable> {
    let value = kernel.from_options(&options[0], &options[1])?;
    let counts = Player::BOTH.map(|player| kernel.options(value, player).len());
    if counts != [options[0].len(), options[1].len()] {
        return Err(Unreadable::Wrong);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        let mut out = vec![];
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        numbers.iter().for_each(|&n| put(&mut out, n));
        let mut cursor = Cursor(&out);
        numbers.iter().for_each(|&n| assert_eq!(cursor.number(), Some(n)));
        assert_eq!(cursor.number(), None);
        let mut out = vec![];
        put_ascending(&mut out, &[3, 3, 900]);
        assert_eq!(Cursor(&out).ascending(), Some(vec![3, 3, 900]));
        assert_eq!(Cursor(&[200, 1]).ascending(), None, "a count that cannot be");
    }
}
