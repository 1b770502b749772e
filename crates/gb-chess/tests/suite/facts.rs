//! Whole boards of testdata/facts/chess/endgames.tsv.
use gb_chess::{Request, analyse};
use gb_value::Budget;

#[test]
fn look() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/chess/endgames.tsv");
    for line in std::fs::read_to_string(path).unwrap().lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        if row[4] != "whole" { continue; }
        let a = analyse(&Request::new(row[2]).unwrap(), &Budget::unlimited()).unwrap();
        println!("=== {} {} expected {}\n{}", row[0], row[1], row[5], a.text(None));
    }
}
