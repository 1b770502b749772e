//! The store under limits and under several threads.

use std::time::Duration;

use gb_value::text::Style;
use gb_value::{Budget, Cancel, Halt, Kernel, Player, Store, Value};

pub(crate) const HOT_GAMES: [&str; 10] = [
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

fn values(kernel: &Kernel<'_>) -> Vec<Value> {
    HOT_GAMES.iter().map(|text| kernel.read(text).unwrap()).collect()
}

fn hot_sum(kernel: &Kernel<'_>) -> Result<Value, Halt> {
    values(kernel).into_iter().try_fold(Value::ZERO, |sum, value| kernel.add(sum, value))
}

#[test]
fn running_out_of_nodes_leaves_the_store_usable() {
    let (store, unlimited) = (Store::new(), Budget::unlimited());
    for nodes in [1, 10, 100, 1000, 2000] {
        let budget = Budget::unlimited().with_nodes(nodes);
        let kernel = store.kernel(&budget);
        let games = values(&store.kernel(&unlimited));
        let sum = games.into_iter().try_fold(Value::ZERO, |sum, value| kernel.add(sum, value));
        assert_eq!(sum, Err(Halt::Nodes), "{nodes} nodes are not enough");
    }
    let after = hot_sum(&store.kernel(&unlimited)).unwrap();
    let fresh = Store::new();
    let expected = hot_sum(&fresh.kernel(&unlimited)).unwrap();
    let text = |store: &Store, value| store.kernel(&unlimited).show(value, &Style::default()).unwrap().text;
    assert_eq!(text(&store, after), text(&fresh, expected), "interrupted work leaves nothing wrong behind");
}

#[test]
fn time_memory_and_cancelling_are_obeyed() {
    let store = Store::new();
    let hot = |budget: &Budget| {
        let kernel = store.kernel(budget);
        let game = kernel.read("{5|{2|*||-3},{7/2|{1|-9}}}")?;
        Ok::<_, gb_value::text::ReadError>((0..40).try_fold(game, |sum, _| kernel.add(sum, game)))
    };
    let cancel = Cancel::default();
    cancel.cancel();
    assert_eq!(hot(&Budget::unlimited().with_cancel(cancel)).unwrap(), Err(Halt::Cancelled));
    assert_eq!(hot(&Budget::unlimited().with_time(Duration::ZERO)).unwrap(), Err(Halt::Time));
    assert_eq!(hot(&Budget::unlimited().with_bytes(store.bytes())).unwrap(), Err(Halt::Bytes));
}

#[test]
fn two_threads_find_what_one_finds() {
    let (shared, budget) = (Store::new(), Budget::unlimited());
    let texts = |store: &Store, order: &[usize]| -> Vec<String> {
        let kernel = store.kernel(&budget);
        let games = values(&kernel);
        let mut shown = vec![String::new(); order.len()];
        for &i in order {
            let j = (i * 7 + 3) % games.len();
            let sum =
                kernel.sum(&[games[i], games[j], kernel.neg(games[(i + 1) % games.len()]).unwrap()]).unwrap();
            shown[i] = kernel.show(sum, &Style::default()).unwrap().text;
        }
        shown
    };
    let forwards: Vec<usize> = (0..10).collect();
    let backwards: Vec<usize> = (0..10).rev().collect();
    let alone = texts(&Store::new(), &forwards);
    let (one, other) = std::thread::scope(|scope| {
        let helper = scope.spawn(|| texts(&shared, &backwards));
        (texts(&shared, &forwards), helper.join().unwrap())
    });
    assert_eq!(one, alone);
    assert_eq!(other, alone);
}

#[test]
fn a_value_takes_less_than_a_hundred_bytes() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let sum = hot_sum(&store.kernel(&budget)).unwrap();
    assert_eq!(store.kernel(&budget).tree_nodes(sum).unwrap().to_string(), "359706");
    assert!(store.bytes_of_values() < 100 * store.len() as u64);
}

#[test]
fn huge_integers_cost_nothing() {
    let (store, budget) = (Store::new(), Budget::unlimited().with_nodes(1000));
    let kernel = store.kernel(&budget);
    let value = kernel.read("{100002|4||0|-100000}").unwrap();
    assert_eq!(kernel.mean(value).unwrap().to_string(), "3/2");
    assert_eq!(kernel.temperature(value).unwrap().to_string(), "100003/2");
    let vast = kernel.read("170141183460469231731687303715884105728").unwrap();
    let twice = kernel.add(vast, vast).unwrap();
    assert_eq!(
        kernel.show(twice, &Style::default()).unwrap().text,
        "340282366920938463463374607431768211456"
    );
}

/// Who keeps something about values beside the store finds each in a place of its own, the shortest and the widest too.
#[test]
fn stored_values_have_places_of_their_own() {
    let (store, unlimited) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&unlimited);
    let mut open = vec![hot_sum(&kernel).unwrap(), Value::ON, Value::OFF];
    // Too large to be their own names, side by side.
    open.extend((0..100).map(|n| kernel.integer((1 << 40) + n)));
    let mut values = std::collections::HashSet::new();
    while let Some(value) = open.pop() {
        if value.packed_bits().is_none() && values.insert(value) && !kernel.is_number(value) {
            open.extend(Player::BOTH.into_iter().flat_map(|player| kernel.options(value, player)));
        }
        assert_eq!(value.place().is_none(), value.packed_bits().is_some());
    }
    let places: std::collections::HashSet<usize> = values.iter().filter_map(|value| value.place()).collect();
    assert!(values.len() > 500, "{} values", values.len());
    assert_eq!(places.len(), values.len());
    assert!(places.iter().all(|&place| place < Value::PLACES));
}
