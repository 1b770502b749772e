//! Facts and shards as bytes: the records of a journal, and what processes send each other.
//!
//! A record begins with the number of facts that its reader has to know already, and goes on numbering from there.

use std::collections::BTreeSet;
use std::ops::Range;

use gb_value::Kernel;

use crate::build::Shard;
use crate::error::StoreError;
use crate::fact::Facts;
use crate::record::{self, Cursor, Unreadable, put};

/// Reads facts and shards. The `before` facts that came before have here the numbers that `known` says. Returns the
/// numbers here of the facts that were read, and the shards with numbers as they are here.
pub(crate) fn read_record(
    bytes: &[u8],
    before: u32,
    known: &dyn Fn(u32) -> u32,
    facts: &Facts,
    kernel: &Kernel<'_>,
) -> Result<(Vec<u32>, Vec<Shard>), StoreError> {
    let wrong = || StoreError::Foreign("it cannot be read".to_string());
    let unreadable = |error| match error {
        Unreadable::Halt(stop) => StoreError::from(stop),
        Unreadable::Wrong => wrong(),
    };
    let mut cursor = Cursor(bytes);
    let (first, count) = (cursor.number().ok_or_else(wrong)?, cursor.number().ok_or_else(wrong)?);
    if first != u64::from(before) {
        return Err(StoreError::Foreign(format!("it goes on from {first} facts, but there are {before}")));
    }
    let mut numbers: Vec<u32> = vec![];
    let here = |numbers: &[u32], n: u64| match n.checked_sub(before.into()) {
        None => Some(known(n as u32)),
        Some(place) => numbers.get(usize::try_from(place).ok()?).copied(),
    };
    for _ in 0..count {
        let raw = record::read(&mut cursor, kernel).map_err(unreadable)?;
        let value = |n: u64| facts.get(here(&numbers, n)?).value();
        let fact = raw.fact(value, kernel).map_err(unreadable)?;
        numbers.push(facts.number(&fact, kernel));
    }
    let mut next = || cursor.number().ok_or_else(wrong);
    let mut shards = vec![];
    for _ in 0..next()? {
        let (layer, exact, start, end, count) = (next()?, next()?, next()?, next()?, next()?);
        let translate = |n: u64| here(&numbers, n).ok_or_else(wrong);
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(translate(next()?)?);
        }
        shards.push(Shard { layer: layer as usize, range: start..end, exact: exact == 1, numbers: list });
    }
    Ok((numbers, shards))
}

/// All facts in a range of numbers, and shards.
pub(crate) fn write_record(
    facts: &Facts,
    range: Range<u32>,
    shards: &[Shard],
    kernel: &Kernel<'_>,
) -> Vec<u8> {
    let mut out = vec![];
    put(&mut out, u64::from(range.start));
    put(&mut out, range.len() as u64);
    for number in range {
        record::write(&mut out, facts.get(number), facts, kernel, &|n| n);
    }
    put(&mut out, shards.len() as u64);
    shards.iter().for_each(|shard| write_numbers(&mut out, shard, &|n| n));
    out
}

/// A shard with the facts that it needs and that are not among the `before` facts of its reader, whose numbers there
/// `known` says.
pub(crate) fn write_shard(
    facts: &Facts,
    shard: &Shard,
    before: u32,
    known: &dyn Fn(u32) -> Option<u32>,
    kernel: &Kernel<'_>,
) -> Vec<u8> {
    let mut stack = shard.numbers.clone();
    stack.sort_unstable();
    stack.dedup();
    let mut needed = BTreeSet::new();
    while let Some(number) = stack.pop() {
        if known(number).is_some() || !needed.insert(number) {
            continue;
        }
        stack.extend(facts.needed(facts.get(number), kernel));
    }
    // In ascending order, so that options come before what has them.
    let new: Vec<u32> = needed.into_iter().collect();
    let there = |number: u32| {
        known(number).unwrap_or_else(|| before + new.partition_point(|&other| other < number) as u32)
    };
    let mut out = vec![];
    put(&mut out, u64::from(before));
    put(&mut out, new.len() as u64);
    for &number in &new {
        record::write(&mut out, facts.get(number), facts, kernel, &there);
    }
    put(&mut out, 1);
    write_numbers(&mut out, shard, &there);
    out
}

fn write_numbers(out: &mut Vec<u8>, shard: &Shard, renumber: &dyn Fn(u32) -> u32) {
    let Shard { layer, range, exact, numbers } = shard;
    let head = [*layer as u64, u64::from(*exact), range.start, range.end, numbers.len() as u64];
    head.iter().for_each(|&n| put(out, n));
    numbers.iter().for_each(|&n| put(out, u64::from(renumber(n))));
}
