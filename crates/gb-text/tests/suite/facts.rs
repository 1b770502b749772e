//! Values from papers and tables, in testdata/text/facts.tsv with their sources.

use gb_rules::{Variant, with_game};
use gb_value::{Budget, Store};

use crate::plain::Plain;
use crate::{gallery, game};

#[test]
fn values_are_those_of_the_sources() {
    let table = std::fs::read_to_string(gallery().join("../testdata/text/facts.tsv")).unwrap();
    let mut checked = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [name, position, value, source] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let open = game(name, &[]).open(Variant::Plain, position);
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let expected = kernel.read(value).unwrap();
        with_game!(&open, game => {
            let at = game.read(position).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(Plain::new(&**game, &kernel).value(&at).unwrap(), expected, "{name} {position}: {source}");
        });
        checked += 1;
    }
    assert!(checked > 80, "{checked}");
}
