//! All files of known results about values.

use std::collections::BTreeSet;
use std::path::Path;

use gb_value::{Budget, Dyadic, Kernel, Outcome, Player, Store, Value};

use Player::{Left, Right};

use crate::read;

/// The rows of a fact file without its heading.
fn rows(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/values").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let rows: Vec<Vec<String>> =
        text.lines().skip(1).map(|line| line.split('\t').map(String::from).collect()).collect();
    assert!(rows.len() > 40, "{name} has only {} rows", rows.len());
    rows
}

fn with_kernel(work: impl FnOnce(&Kernel<'_>)) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    work(&store.kernel(&budget));
}

fn read_list(kernel: &Kernel<'_>, text: &str) -> BTreeSet<Value> {
    text.split(" ; ").filter(|t| !t.is_empty() && *t != "-").map(|t| read(kernel, t)).collect()
}

fn number(text: &str) -> Dyadic {
    text.parse().unwrap()
}

#[test]
fn expressions() {
    with_kernel(|kernel| {
        for row in rows("expressions.tsv") {
            let value = read(kernel, &row[0]);
            assert_eq!(value, read(kernel, &row[1]), "{row:?}");
            assert_eq!(kernel.mean(value), Ok(number(&row[2])), "{row:?}");
            assert_eq!(kernel.temperature(value), Ok(number(&row[3])), "{row:?}");
            assert_eq!(kernel.play_stop(value, Left).unwrap().to_string(), row[4], "{row:?}");
            assert_eq!(kernel.play_stop(value, Right).unwrap().to_string(), row[5], "{row:?}");
            assert_eq!(kernel.outcome(value).unwrap().to_string(), row[6], "{row:?}");
            assert_eq!(kernel.birthday(value).unwrap().to_string(), row[7], "{row:?}");
            assert_eq!(kernel.subpositions(value).unwrap().to_string(), row[8], "{row:?}");
        }
    });
}

#[test]
fn order() {
    with_kernel(|kernel| {
        for row in rows("order.tsv") {
            let relation = match kernel.compare(read(kernel, &row[0]), read(kernel, &row[1])).unwrap() {
                Some(std::cmp::Ordering::Less) => "<",
                Some(std::cmp::Ordering::Greater) => ">",
                Some(std::cmp::Ordering::Equal) => "=",
                None => "||",
            };
            assert_eq!(relation, row[2], "{row:?}");
        }
    });
}

#[test]
fn operations() {
    with_kernel(|kernel| {
        for row in rows("operations.tsv") {
            let texts: Vec<&str> = row[1].split(';').collect();
            let args: Vec<Value> = texts.iter().map(|t| read(kernel, t)).collect();
            let result = match row[0].as_str() {
                "cool" => kernel.cool(args[0], &number(texts[1])),
                "freeze" => kernel.freeze(args[0]),
                "chill" => kernel.chill(args[0]),
                "heat" => kernel.heat(args[0], args[1]),
                "overheat" => kernel.overheat(args[0], args[1], args[2]),
                "norton" => kernel.norton(args[0], args[1]),
                "ordsum" => kernel.ordinal_sum(args[0], args[1]),
                "conway" => kernel.conway(args[0], args[1]),
                other => panic!("the operation {other} is not known here"),
            };
            assert_eq!(result, Ok(read(kernel, &row[2])), "{row:?}");
        }
    });
}

#[test]
fn thermographs() {
    with_kernel(|kernel| {
        for row in rows("thermographs.tsv") {
            let graph = kernel.thermograph(read(kernel, &row[0])).unwrap();
            assert_eq!(*graph.mean(), number(&row[1]), "{row:?}");
            assert_eq!(graph.temperature(), number(&row[2]), "{row:?}");
            assert_eq!(graph.left_wall().to_string(), row[3], "{row:?}");
            assert_eq!(graph.right_wall().to_string(), row[4], "{row:?}");
        }
    });
}

#[test]
fn reduced_canonical_forms() {
    with_kernel(|kernel| {
        for row in rows("reduced_canonical_forms.tsv") {
            assert_eq!(kernel.reduced(read(kernel, &row[0])), Ok(read(kernel, &row[1])), "{row:?}");
        }
    });
}

#[test]
fn atomic_weights() {
    with_kernel(|kernel| {
        for row in rows("atomic_weights.tsv") {
            let value = read(kernel, &row[0]);
            assert_eq!(kernel.atomic_weight(value), Ok(read(kernel, &row[1])), "{row:?}");
            assert_eq!(kernel.remote_star(value).unwrap().to_string(), row[2], "{row:?}");
        }
    });
}

#[test]
fn incentives() {
    with_kernel(|kernel| {
        for row in rows("incentives.tsv") {
            let value = read(kernel, &row[0]);
            let set = |list: Vec<Value>| BTreeSet::from_iter(list);
            assert_eq!(set(kernel.incentives(value, Left).unwrap()), read_list(kernel, &row[1]), "{row:?}");
            assert_eq!(set(kernel.incentives(value, Right).unwrap()), read_list(kernel, &row[2]), "{row:?}");
            assert_eq!(set(kernel.all_incentives(value).unwrap()), read_list(kernel, &row[3]), "{row:?}");
        }
    });
}

/// The moves `index:option` of a sum after which `holds` is true of the sum.
fn moves(
    kernel: &Kernel<'_>,
    parts: &[Value],
    player: Player,
    holds: impl Fn(Value) -> bool,
) -> BTreeSet<(usize, Value)> {
    let mut found = BTreeSet::new();
    for (i, &part) in parts.iter().enumerate() {
        for option in kernel.options(part, player) {
            let mut after = parts.to_vec();
            after[i] = option;
            if holds(kernel.sum(&after).unwrap()) {
                found.insert((i, option));
            }
        }
    }
    found
}

fn read_moves(kernel: &Kernel<'_>, text: &str) -> BTreeSet<(usize, Value)> {
    text.split(' ')
        .filter(|t| *t != "-" && !t.is_empty())
        .map(|t| {
            let (index, option) = t.split_once(':').unwrap();
            (index.parse().unwrap(), read(kernel, option))
        })
        .collect()
}

#[test]
fn sums() {
    with_kernel(|kernel| {
        for row in rows("sums.tsv") {
            let parts: Vec<Value> = row[0].split(" + ").map(|t| read(kernel, t)).collect();
            let sum = kernel.sum(&parts).unwrap();
            assert_eq!(sum, read(kernel, &row[1]), "{row:?}");
            assert_eq!(kernel.mean(sum), Ok(number(&row[2])), "{row:?}");
            assert_eq!(kernel.temperature(sum), Ok(number(&row[3])), "{row:?}");
            assert_eq!(kernel.play_stop(sum, Left).unwrap().to_string(), row[4], "{row:?}");
            assert_eq!(kernel.play_stop(sum, Right).unwrap().to_string(), row[5], "{row:?}");
            assert_eq!(kernel.outcome(sum).unwrap().to_string(), row[6], "{row:?}");
            for (player, wins, column) in [(Left, Outcome::L, 7), (Right, Outcome::R, 8)] {
                let winning = moves(kernel, &parts, player, |after| {
                    let outcome = kernel.outcome(after).unwrap();
                    outcome == wins || outcome == Outcome::P
                });
                assert_eq!(winning, read_moves(kernel, &row[column]), "{row:?}");
            }
            for (player, column) in [(Left, 9), (Right, 10)] {
                let best = kernel.play_stop(sum, player).unwrap();
                if kernel.is_number(sum) {
                    // Play has stopped before it began.
                    assert_eq!(row[column], "-", "{row:?}");
                    continue;
                }
                let optimal = moves(kernel, &parts, player, |after| {
                    kernel.play_stop(after, player.opponent()).unwrap() == best
                });
                assert_eq!(optimal, read_moves(kernel, &row[column]), "{row:?}");
            }
        }
    });
}
