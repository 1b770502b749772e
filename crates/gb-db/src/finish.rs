//! The finished file. The order of the facts in it depends on nothing but what they are, so that the file is byte for
//! byte the same however many threads, shards and interruptions there were.

use std::path::Path;

use gb_value::{Kernel, NumberUpStar, Player, Value};

use crate::error::StoreError;
use crate::fact::{Fact, Facts};
use crate::file::{Fields, Writer};
use crate::record;

/// Facts per entry of the index of the values section.
pub(crate) const STRIDE: usize = 16;

/// The final number of every fact: values without stored options first, ordered as numbers, ups and stars; then values
/// whose options are among those before, level by level, each level ordered by the numbers of the options; then what is
/// less than a value.
pub(crate) fn final_numbers(facts: &Facts, kernel: &Kernel<'_>) -> Vec<u32> {
    let count = facts.len() as u32;
    let mut levels: Vec<u32> = Vec::with_capacity(count as usize);
    let mut options: Vec<[Box<[u32]>; 2]> = Vec::with_capacity(count as usize);
    for number in 0..count {
        let lists = match facts.get(number).value() {
            Some(value) => Player::BOTH.map(|p| facts.option_numbers(value, p, kernel).into_boxed_slice()),
            None => Default::default(),
        };
        let level = lists.iter().flat_map(|list| list.iter()).map(|&n| levels[n as usize] + 1).max();
        levels.push(match facts.get(number) {
            Fact::Partial(_) => u32::MAX,
            Fact::Exact(_) => level.unwrap_or(0),
        });
        options.push(lists);
    }
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_unstable_by_key(|&n| levels[n as usize]);
    let mut renumber = vec![0u32; count as usize];
    let mut done = 0;
    for level in order.chunk_by_mut(|&a, &b| levels[a as usize] == levels[b as usize]) {
        match levels[level[0] as usize] {
            0 => level.sort_by_cached_key(|&n| facts.get(n).value().map(|value| closed_key(value, kernel))),
            u32::MAX => level.sort_by_cached_key(|&n| partial_key(facts.get(n), facts, &renumber)),
            _ => {
                for &n in level.iter() {
                    for list in &mut options[n as usize] {
                        list.iter_mut().for_each(|option| *option = renumber[*option as usize]);
                        list.sort_unstable();
                    }
                }
                level.sort_unstable_by(|&a, &b| options[a as usize].cmp(&options[b as usize]));
            }
        }
        for &n in level.iter() {
            renumber[n as usize] = done;
            done += 1;
        }
    }
    renumber
}

/// Sorts `off`, numbers-up-star, `on`.
pub(crate) fn closed_key(value: Value, kernel: &Kernel<'_>) -> (i8, gb_value::Dyadic, i64, u32) {
    let zero = gb_value::Dyadic::from(0);
    match value {
        Value::OFF => (-1, zero, 0, 0),
        Value::ON => (1, zero, 0, 0),
        value => match kernel.as_number_up_star(value) {
            Some(NumberUpStar { number, ups, star }) => (0, number, ups, star),
            None => (2, zero, 0, 0),
        },
    }
}

/// Sorts by outcome, thermograph, and what is known about all-small games.
fn partial_key(fact: &Fact, facts: &Facts, renumber: &[u32]) -> (u8, String, Option<(u32, Vec<u8>)>) {
    match fact {
        Fact::Partial(partial) => {
            let small = partial.small.as_ref().map(|small| {
                let weight = renumber[facts.known_number(small.atomic_weight) as usize];
                (weight, small.with_nimbers.iter().map(|&outcome| outcome as u8).collect())
            });
            (partial.outcome as u8, partial.thermograph.compact(), small)
        }
        Fact::Exact(_) => (0, String::new(), None),
    }
}

/// Writes the boards with the final numbers of their facts, of which there are so many.
pub(crate) type WriteBoards<'a> = dyn FnMut(&mut Writer, usize, &[u32]) -> Result<(), StoreError> + 'a;

/// Writes the table.
pub(crate) fn write_table(
    path: &Path,
    game: &str,
    (mut fields, max_values): (Fields, u64),
    write_boards: &mut WriteBoards<'_>,
    facts: &Facts,
    kernel: &Kernel<'_>,
) -> Result<(), StoreError> {
    let renumber = final_numbers(facts, kernel);
    let count = renumber.len();
    let mut by_number = vec![0u32; count];
    for (n, &number) in renumber.iter().enumerate() {
        by_number[number as usize] = n as u32;
    }
    let exact = by_number.iter().filter(|&&n| facts.get(n).value().is_some()).count();
    for (key, value) in [
        ("game", game.to_string()),
        ("facts", count.to_string()),
        ("values", exact.to_string()),
        ("bits", crate::dense::bits_for(count).to_string()),
        ("max-values", max_values.to_string()),
    ] {
        fields.insert(key.into(), value);
    }
    let mut out = Writer::create(path, fields)?;
    write_boards(&mut out, count, &renumber)?;
    let mut places: Vec<u8> = vec![];
    let mut length = 0;
    out.section("facts")?;
    let mut bytes = vec![];
    for (number, &n) in by_number.iter().enumerate() {
        if number % STRIDE == 0 {
            places.extend((length as u64).to_le_bytes());
        }
        bytes.clear();
        record::write(&mut bytes, facts.get(n), facts, kernel, &|option| renumber[option as usize]);
        length += bytes.len();
        out.write(&bytes)?;
    }
    out.end_section("facts")?;
    out.section("places")?;
    out.write(&places)?;
    out.end_section("places")?;
    out.finish()
}
