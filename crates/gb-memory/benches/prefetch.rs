//! Random reads of a table that is larger than the processor's own memory, with other work between asking and reading: by plain
//! loads that are begun early, and by [`prefetch`].

use std::hint::black_box;
use std::time::Instant;

use gb_memory::prefetch;

/// Words of the table: 256 MB.
const WORDS: usize = 1 << 25;
/// Reads that are begun together, as a search looks at a few moves.
const TOGETHER: usize = 4;
const ROUNDS: usize = 500_000;

/// A pseudo-random number from another.
fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ x >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// What is done between asking and reading: some thousand instructions, each of which waits for the one before.
fn other_work(seed: u64) -> u64 {
    (0..200).fold(seed, |x, _| mixed(x))
}

fn measure(name: &str, table: &[u64], begin: impl Fn(&u64) -> u64) {
    let (start, mut sum) = (Instant::now(), 0);
    for round in 0..ROUNDS {
        let places: [usize; TOGETHER] =
            std::array::from_fn(|i| mixed((round * TOGETHER + i) as u64) as usize % WORDS);
        for place in places {
            sum ^= begin(&table[place]);
            sum ^= other_work(sum);
        }
        sum = places.iter().fold(sum, |sum, place| sum ^ table[*place]);
    }
    black_box(sum);
    println!("{name:<8} {:6.0} ns a read", start.elapsed().as_nanos() as f64 / (ROUNDS * TOGETHER) as f64);
}

fn main() {
    let table: Vec<u64> = (0..WORDS as u64).collect();
    for _ in 0..2 {
        measure("nothing", &table, |_| 0);
        measure("load", &table, |word| *word);
        measure("prefetch", &table, |word| {
            prefetch(word);
            0
        });
    }
}
