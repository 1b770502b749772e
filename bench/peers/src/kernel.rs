//! Values: sums, comparisons, thermographs.

use std::str::FromStr;

use cgt::short::partizan::canonical_form::CanonicalForm;
use gb_value::{Budget, Kernel, Store, Value};

use crate::{least_time, row};

const HOT_GAMES: [&str; 10] = [
    "{1|-1}",
    "{2|-1/2}",
    "{3|{1|-2}}",
    "{{4|1}|-1}",
    "{5|{2|*}}",
    "{{3|0}|{-1|-3}}",
    "{{7|5}|{4|1}}",
    "{6|{3|{1|-5}}}",
    "{{2|{1|0}}|-3}",
    "{{5|{4|1}}|{0|-6}}",
];

/// The same value in our store.
fn ours(kernel: &Kernel<'_>, game: &CanonicalForm) -> Value {
    if let Some(nus) = game.to_nus() {
        let text = nus.number().to_string();
        let number = kernel.number(&text.parse().expect("a dyadic number"));
        let ups = kernel.ups(nus.up_multiple().into());
        let star = kernel.nimber(nus.nimber().value());
        return kernel.add(kernel.add(number, ups).unwrap(), star).unwrap();
    }
    let lefts: Vec<Value> = game.left_moves().map(|g| ours(kernel, &g)).collect();
    let rights: Vec<Value> = game.right_moves().map(|g| ours(kernel, &g)).collect();
    kernel.from_options(&lefts, &rights).unwrap()
}

pub fn run() {
    hot_sum();
}

fn hot_sum() {
    let games: Vec<CanonicalForm> = HOT_GAMES.iter().map(|g| CanonicalForm::from_str(g).unwrap()).collect();
    let sum = |games: &[CanonicalForm]| games.iter().fold(CanonicalForm::new_integer(0), |a, b| a + b);
    let (peer, total) = least_time(if std::env::var("FAST").is_ok() {1} else {2}, || sum(&games));
    let budget = Budget::unlimited();
    let setup = || {
        let store = Store::new();
        let values: Vec<Value> = {
            let kernel = store.kernel(&budget);
            games.iter().map(|g| ours(&kernel, g)).collect()
        };
        (store, values)
    };
    let mut best = f64::INFINITY;
    for _ in 0..if std::env::var("FAST").is_ok() {300} else {5} {
        let (store, values) = setup();
        let kernel = store.kernel(&budget);
        let (time, _) = least_time(1, || values.iter().fold(Value::ZERO, |a, &b| kernel.add(a, b).unwrap()));
        best = best.min(time);
        if best == time {
            let all = values.iter().fold(Value::ZERO, |a, &b| kernel.add(a, b).unwrap());
            assert_eq!(all, ours(&kernel, &total));
            println!("values {} bytes/value {:.1} all bytes {}", store.len(), store.bytes_of_values() as f64 / store.len() as f64, store.bytes());
        }
    }
    row("sum of ten hot games", peer, best);
}
