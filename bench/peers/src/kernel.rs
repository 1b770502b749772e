//! Values: sums, comparisons, thermographs.

use std::str::FromStr;

use cgt::short::partizan::canonical_form::CanonicalForm;
use cgt::short::partizan::games::domineering::Domineering;
use cgt::short::partizan::partizan_game::PartizanGame;
use cgt::short::partizan::transposition_table::ParallelTranspositionTable;
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
    let total = hot_sum();
    thermographs(&total);
    pair_sums();
}

/// The sum of ten hot games, whose canonical form has 359,706 tree nodes.
fn hot_sum() -> CanonicalForm {
    let games: Vec<CanonicalForm> = HOT_GAMES.iter().map(|g| CanonicalForm::from_str(g).unwrap()).collect();
    let (peer, total) = least_time(2, || games.iter().fold(CanonicalForm::new_integer(0), |a, b| a + b));
    let budget = Budget::unlimited();
    let mut best = f64::INFINITY;
    for _ in 0..9 {
        let store = Store::new();
        let kernel = store.kernel(&budget);
        let values: Vec<Value> = games.iter().map(|g| ours(&kernel, g)).collect();
        let (time, sum) =
            least_time(1, || values.iter().fold(Value::ZERO, |a, &b| kernel.add(a, b).unwrap()));
        best = best.min(time);
        assert_eq!(sum, ours(&kernel, &total), "both found the same value");
    }
    row("sum of ten hot games", peer, best);
    total
}

/// The thermograph of that sum, and of all partial sums.
fn thermographs(total: &CanonicalForm) {
    let (peer, graph) = least_time(9, || total.thermograph());
    let budget = Budget::unlimited();
    let mut best = f64::INFINITY;
    for _ in 0..30 {
        let store = Store::new();
        let kernel = store.kernel(&budget);
        let value = ours(&kernel, total);
        let (time, ours) = least_time(1, || kernel.thermograph(value).unwrap());
        assert_eq!(ours.mean().to_string(), graph.get_mast().to_string());
        best = best.min(time);
    }
    row("thermograph of that sum", peer, best);
}

/// All sums of two of the values of Domineering positions within 3x4 cells.
fn pair_sums() {
    let mut values: Vec<CanonicalForm> = vec![];
    let table = ParallelTranspositionTable::new();
    for cells in 0..1u32 << 12 {
        let letter = |i: u32| if cells >> i & 1 == 1 { '.' } else { '#' };
        let rows: Vec<String> = (0..3).map(|r| (0..4).map(|c| letter(4 * r + c)).collect()).collect();
        let board = <Domineering>::from_str(&rows.join("|")).expect("a board");
        let value = board.canonical_form(&table);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let (peer, _) = least_time(9, || {
        let mut count = 0;
        for a in &values {
            for b in &values {
                count += usize::from((a + b).is_number());
            }
        }
        count
    });
    let budget = Budget::unlimited();
    let mut best = f64::INFINITY;
    for _ in 0..50 {
        let store = Store::new();
        let kernel = store.kernel(&budget);
        let mine: Vec<Value> = values.iter().map(|g| ours(&kernel, g)).collect();
        let (time, _) = least_time(1, || {
            let mut count = 0;
            for &a in &mine {
                for &b in &mine {
                    count += usize::from(kernel.is_number(kernel.add(a, b).unwrap()));
                }
            }
            count
        });
        best = best.min(time);
    }
    row(&format!("pair sums of the {} values of 3x4 boards", values.len()), peer, best);
}
