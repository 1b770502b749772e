//! Sorting that is compiled once. The sorts of the standard library are some kilobytes for every type and every order, and were a third of
//! the code of a crate that is compiled for several widths of keys; here a type costs two short loops.

use std::cmp::Ordering;

/// Lists that are not longer are sorted where they are.
const SHORT: usize = 20;

/// Sorts by an order; what is equal stays as it was.
///
/// ```
/// let mut words = ["move", "sum", "stop", "up"];
/// gb_board::sort_by(&mut words, |a, b| a.len().cmp(&b.len()));
/// assert_eq!(words, ["up", "sum", "move", "stop"]);
/// ```
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if items.len() > SHORT {
        let numbers = sorted_numbers(items.len(), &mut |a, b| compare(&items[a], &items[b]));
        return arrange(items, numbers);
    }
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && compare(&items[at], &items[at - 1]) == Ordering::Less {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Sorts by keys, the least first; what has equal keys stays as it was.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// The numbers below a count in their order, equal ones as they were.
fn sorted_numbers(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    numbers.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
    numbers
}

/// Puts the item with the number `from[i]` to place `i`.
fn arrange<T>(items: &mut [T], mut from: Vec<usize>) {
    for start in 0..items.len() {
        // Along a cycle of the permutation; what is in its place is a cycle of one.
        let mut at = start;
        loop {
            let next = std::mem::replace(&mut from[at], at);
            if next == start {
                break;
            }
            items.swap(at, next);
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut random = Random::new(1, 0);
        for length in (0..60).chain([500, 3000]) {
            for range in [1, 3, 20, 5000] {
                let list: Vec<(usize, usize)> =
                    (0..length).map(|i| (random.index(range) as usize, i)).collect();
                let (mut mine, mut theirs) = (list.clone(), list);
                sort_by_key(&mut mine, |item| std::cmp::Reverse(item.0));
                theirs.sort_by_key(|item| std::cmp::Reverse(item.0));
                assert_eq!(mine, theirs);
            }
        }
    }
}
