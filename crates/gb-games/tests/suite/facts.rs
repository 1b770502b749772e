//! Known-right values of positions, from testdata/facts/games.

use std::fs;
use std::path::Path;

use gb_game::{GameName, GameVisitor, Rules};
use gb_value::{Budget, Store};

use crate::values::{Plain, read_value};

/// Checks the value of one position, with and without the theorems of the game.
struct Check<'a> {
    position: &'a str,
    value: &'a str,
}

impl GameVisitor for Check<'_> {
    type Out = ();

    fn visit<R: Rules>(self, rules: R) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let name = rules.info().name;
        let board = rules.read(self.position).unwrap_or_else(|e| panic!("{name} {}: {e}", self.position));
        let expected = read_value(self.value, &kernel);
        for with_theorems in [true, false] {
            let value = Plain::new(&rules, &kernel, with_theorems).value(&board).unwrap();
            assert_eq!(value, expected, "{name} {} (theorems: {with_theorems})", self.position);
        }
        let zero = kernel.integer(0);
        let (low, high) = rules.bounds(&board);
        if let Some(low) = low {
            assert!(kernel.le(kernel.integer(low), expected).unwrap(), "{name} {} >= {low}", self.position);
        }
        if let Some(high) = high {
            assert!(kernel.le(expected, kernel.integer(high)).unwrap(), "{name} {} <= {high}", self.position);
        }
        use gb_game::Player::{Left, Right};
        // Left wins moving second if G >= 0, moving first unless G <= 0.
        let (not_below, not_above) = (kernel.le(zero, expected).unwrap(), kernel.le(expected, zero).unwrap());
        for (first, winner) in
            [(Right, if not_below { Left } else { Right }), (Left, if not_above { Right } else { Left })]
        {
            if let Some(claim) = rules.winner(&board, first) {
                assert_eq!(claim, winner, "{name} {}, {first} begins", self.position);
            }
        }
    }
}

#[test]
fn values_of_positions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/games");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        if !lines.next().unwrap().starts_with("game\tposition\tvalue\t") {
            continue;
        }
        for line in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let name = GameName::read(fields[0]).unwrap();
            if !gb_games::NAMES.contains(&name.base.as_str()) {
                continue;
            }
            let check = Check { position: fields[1], value: fields[2] };
            gb_games::visit(&name, fields[1], check).unwrap();
            count += 1;
        }
    }
    assert!(count > 700, "only {count} facts were found");
}
