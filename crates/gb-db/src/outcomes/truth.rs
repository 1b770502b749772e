//! Truth tables: a bit for every assignment of some variables, 64 of them in a word.
//!
//! Bit `i` of a table is about the assignment in which variable `v` is bit `v` of `i`. The lowest six variables say where in its word a
//! bit is, the others in which word. A table of fewer than six variables fills its word again and again, as if it had six and did not
//! depend on the last ones: so that nothing here needs to ask how long a table is.

/// Variables within a word.
pub(super) const INNER: usize = 6;
/// The bits of a word where each of these variables is 1.
const SET: [u64; INNER] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// Words of a table of so many variables.
pub(super) const fn words(variables: usize) -> usize {
    1 << variables.saturating_sub(INNER)
}

/// Takes the assignments in which a variable is `from`, gives it the value `to`, and adds them to a table of the same variables.
pub(super) fn or_moved(into: &mut [u64], table: &[u64], variable: usize, from: bool, to: bool) {
    if variable < INNER {
        let (shift, ones) = (1 << variable, SET[variable]);
        match (from, to) {
            (true, false) => zip(into, table, |word| (word >> shift) & !ones),
            (false, true) => zip(into, table, |word| (word << shift) & ones),
            (true, true) => zip(into, table, |word| word & ones),
            (false, false) => zip(into, table, |word| word & !ones),
        }
        return;
    }
    let half = 1 << (variable - INNER);
    for (into, table) in into.chunks_exact_mut(2 * half).zip(table.chunks_exact(2 * half)) {
        let into = &mut into[usize::from(to) * half..][..half];
        zip(into, &table[usize::from(from) * half..][..half], |word| word);
    }
}

#[inline]
fn zip(into: &mut [u64], table: &[u64], of: impl Fn(u64) -> u64) {
    for (into, &word) in into.iter_mut().zip(table) {
        *into |= of(word);
    }
}

/// The lower half of a word with room for one more variable, which is 0.
#[inline]
fn spread(word: u64, variable: usize) -> u64 {
    let mut word = word & !SET[INNER - 1];
    for other in (variable..INNER - 1).rev() {
        word = (word | word << (1 << other)) & !SET[other];
    }
    word
}

/// What becomes of a table that gets a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum New {
    /// It says nothing where the variable is 0.
    One,
    /// It says nothing where the variable is 1.
    Zero,
    /// It does not depend on the variable.
    Either,
}

/// Adds a table to one that has one variable more, in this place.
pub(super) fn or_wider(into: &mut [u64], table: &[u64], variable: usize, new: New) {
    let (zero, one) = (new != New::One, new != New::Zero);
    if variable < INNER {
        let place = |word: u64| {
            let word = spread(word, variable);
            let ones = if one { word << (1 << variable) } else { 0 };
            if zero { word | ones } else { ones }
        };
        if into.len() == table.len() {
            into[0] |= place(table[0]);
            return;
        }
        for (into, &word) in into.chunks_exact_mut(2).zip(table) {
            into[0] |= place(word);
            into[1] |= place(word >> 32);
        }
        return;
    }
    let half = 1 << (variable - INNER);
    for (into, table) in into.chunks_exact_mut(2 * half).zip(table.chunks_exact(half)) {
        let (low, high) = into.split_at_mut(half);
        if zero {
            zip(low, table, |word| word);
        }
        if one {
            zip(high, table, |word| word);
        }
    }
}

/// The word of the table of a variable itself: where it is 1.
#[inline]
pub(super) fn variable_word(variable: usize, word: usize) -> u64 {
    match variable.checked_sub(INNER) {
        None => SET[variable],
        Some(outer) => 0u64.wrapping_sub((word >> outer & 1) as u64),
    }
}

/// The half of a table in which a variable has a value, as a table of the other variables.
pub(super) fn cofactor(table: &[u64], variable: usize, value: bool, into: &mut Vec<u64>) {
    into.clear();
    if variable < INNER {
        let half = |word: u64| {
            let mut word = (if value { word >> (1 << variable) } else { word }) & !SET[variable];
            for other in variable..INNER - 1 {
                word = (word | word >> (1 << other)) & !SET[other + 1];
            }
            word
        };
        match table {
            &[word] => into.push(half(word) | half(word) << 32),
            table => into.extend(table.chunks_exact(2).map(|two| half(two[0]) | half(two[1]) << 32)),
        }
        return;
    }
    let half = 1 << (variable - INNER);
    for both in table.chunks_exact(2 * half) {
        into.extend_from_slice(&both[usize::from(value) * half..][..half]);
    }
}

/// Leaves nothing of a table where a variable has not this value.
pub(super) fn keep(table: &mut [u64], variable: usize, value: bool) {
    if variable < INNER {
        let kept = if value { SET[variable] } else { !SET[variable] };
        table.iter_mut().for_each(|word| *word &= kept);
        return;
    }
    let half = 1 << (variable - INNER);
    for both in table.chunks_exact_mut(2 * half) {
        both[usize::from(!value) * half..][..half].fill(0);
    }
}

/// The table of the opposite about the opposite: bit `i` is the negation of the bit of `table` where every variable is turned round.
pub(super) fn dual(table: &[u64], into: &mut Vec<u64>) {
    into.clear();
    into.extend(table.iter().rev().map(|word| !word.reverse_bits()));
}

/// Renames variables: variable `i` of the result is variable `old[i]` of `table`, which is spoilt on the way.
pub(super) fn permute(table: &mut [u64], old: &[u8], into: &mut Vec<u64>) {
    let mut old: [u8; 32] = std::array::from_fn(|i| old.get(i).map_or(i as u8, |&v| v));
    let variables = INNER + table.len().ilog2() as usize;
    // First every word gets the six variables that it has to have.
    for new in 0..INNER {
        if usize::from(old[new]) >= INNER {
            let spare = (0..INNER as u8).find(|v| !old[..INNER].contains(v));
            let Some(inner) = spare else { break };
            let outer = old[new];
            exchange(table, usize::from(inner), usize::from(outer));
            for v in &mut old[..variables] {
                *v = match *v {
                    v if v == inner => outer,
                    v if v == outer => inner,
                    v => v,
                };
            }
        }
    }
    // Then they are put in order within the words.
    for new in 0..INNER {
        let at = usize::from(old[new]);
        if at != new {
            exchange_inner(table, at, new);
            for v in &mut old[..INNER] {
                *v = match usize::from(*v) {
                    v if v == new => at as u8,
                    v if v == at => new as u8,
                    v => v as u8,
                };
            }
        }
    }
    // Then the words.
    into.clear();
    let outer = &old[INNER..variables];
    if outer.iter().enumerate().all(|(i, &v)| usize::from(v) == i + INNER) {
        into.extend_from_slice(table);
        return;
    }
    let low_bits = outer.len() / 2;
    let sums = |outer: &[u8]| {
        let mut sums = vec![0u32];
        for &v in outer {
            let add = 1 << (usize::from(v) - INNER);
            sums.extend_from_within(..);
            let middle = sums.len() / 2;
            sums[middle..].iter_mut().for_each(|sum| *sum += add);
        }
        sums
    };
    let (low, high) = (sums(&outer[..low_bits]), sums(&outer[low_bits..]));
    for &high in &high {
        into.extend(low.iter().map(|&low| table[(high + low) as usize]));
    }
}

/// Exchanges a variable within words with one between them.
fn exchange(table: &mut [u64], inner: usize, outer: usize) {
    let (shift, ones, half) = (1 << inner, SET[inner], 1 << (outer - INNER));
    for both in table.chunks_exact_mut(2 * half) {
        let (low, high) = both.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            let (a, b) = (*low, *high);
            *low = (a & !ones) | ((b & !ones) << shift);
            *high = ((a & ones) >> shift) | (b & ones);
        }
    }
}

/// Exchanges two variables within words.
fn exchange_inner(table: &mut [u64], one: usize, other: usize) {
    let (low, high) = (one.min(other), one.max(other));
    let (moving, shift) = (SET[low] & !SET[high], (1 << high) - (1 << low));
    let stay = !(moving | moving << shift);
    for word in table {
        *word = (*word & stay) | ((*word & moving) << shift) | ((*word >> shift) & moving);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gb_board::Random;

    /// A random table, and the same as a list of bits.
    fn random(variables: usize, random: &mut Random) -> Vec<u64> {
        let mut table: Vec<u64> = (0..words(variables)).map(|_| random.next()).collect();
        for (other, ones) in SET.iter().enumerate().skip(variables) {
            table[0] = (table[0] & !ones) | (table[0] & !ones) << (1 << other);
        }
        table
    }

    fn bit(table: &[u64], i: usize) -> bool {
        table[i / 64] >> (i % 64) & 1 == 1
    }

    /// Bits that a table of so many variables must have, all of them of every word.
    fn check(table: &[u64], variables: usize, expected: impl Fn(usize) -> bool) {
        assert_eq!(table.len(), words(variables));
        for i in 0..64 * table.len() {
            assert_eq!(bit(table, i), expected(i % (1 << variables)), "bit {i} of {variables} variables");
        }
    }

    #[test]
    fn assignments_are_moved() {
        let mut numbers = Random::new(1, 0);
        for variables in 1..10 {
            for variable in 0..variables {
                for (from, to) in [(false, false), (false, true), (true, false), (true, true)] {
                    let (table, before) = (random(variables, &mut numbers), random(variables, &mut numbers));
                    let mut into = before.clone();
                    or_moved(&mut into, &table, variable, from, to);
                    let v = 1 << variable;
                    check(&into, variables, |i| {
                        let source = if from { i | v } else { i & !v };
                        bit(&before, i) || (i & v != 0) == to && bit(&table, source)
                    });
                }
            }
        }
    }

    #[test]
    fn variables_are_added() {
        let mut numbers = Random::new(2, 0);
        for variables in 0..10 {
            for variable in 0..=variables {
                for new in [New::One, New::Zero, New::Either] {
                    let table = random(variables, &mut numbers);
                    let before = random(variables + 1, &mut numbers);
                    let mut into = before.clone();
                    or_wider(&mut into, &table, variable, new);
                    check(&into, variables + 1, |i| {
                        let without = i & ((1 << variable) - 1) | i >> (variable + 1) << variable;
                        let says = match new {
                            New::One => i >> variable & 1 == 1,
                            New::Zero => i >> variable & 1 == 0,
                            New::Either => true,
                        };
                        bit(&before, i) || says && bit(&table, without)
                    });
                }
            }
        }
    }

    #[test]
    fn tables_are_halved() {
        let mut numbers = Random::new(6, 0);
        for variables in 1..10 {
            for variable in 0..variables {
                for value in [false, true] {
                    let table = random(variables, &mut numbers);
                    let mut into = vec![];
                    cofactor(&table, variable, value, &mut into);
                    check(&into, variables - 1, |i| {
                        let low = i & ((1 << variable) - 1);
                        bit(&table, low | usize::from(value) << variable | i >> variable << (variable + 1))
                    });
                    let mut kept = table.clone();
                    keep(&mut kept, variable, value);
                    check(&kept, variables, |i| bit(&table, i) && (i >> variable & 1 == 1) == value);
                    let words: Vec<u64> =
                        (0..words(variables)).map(|at| variable_word(variable, at)).collect();
                    check(&words, variables, |i| i >> variable & 1 == 1);
                }
            }
        }
    }

    #[test]
    fn variables_are_renamed() {
        let mut numbers = Random::new(3, 0);
        for variables in 0..12usize {
            for _ in 0..40 {
                let mut old: Vec<u8> = (0..variables as u8).collect();
                for i in (1..variables).rev() {
                    old.swap(i, numbers.below(i + 1));
                }
                let table = random(variables, &mut numbers);
                let mut into = vec![];
                permute(&mut table.clone(), &old, &mut into);
                check(&into, variables, |i| {
                    let source = (0..variables).map(|v| (i >> v & 1) << old[v]).sum::<usize>();
                    bit(&table, source)
                });
            }
        }
    }

    #[test]
    fn duals_are_turned_round() {
        let mut numbers = Random::new(4, 0);
        for variables in 0..9 {
            let table = random(variables, &mut numbers);
            let mut into = vec![];
            dual(&table, &mut into);
            let all = (1 << variables) - 1;
            check(&into, variables, |i| !bit(&table, !i & all));
        }
    }
}
