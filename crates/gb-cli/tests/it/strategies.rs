//! `match` between strategies for sums, and `deepen`.

use serde_json::Value;

use crate::gamebench;

fn json(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn refused(arguments: &[&str], code: i32, sentence: &str) {
    let ran = gamebench(arguments, "");
    assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
    assert!(ran.err.contains(sentence), "{arguments:?}: {}", ran.err);
}

#[test]
fn a_match_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("regio.csv");
    let csv = csv.to_str().unwrap();
    let run = |starts: &str, more: &[&str]| {
        let mut arguments =
            vec!["match", "greedy-hotstrat:2", "alpha-beta:2", "--game", "regio", "--grid", "5x5"];
        arguments.extend(["--parts", "2-3", "--openings", starts]);
        arguments.extend(more);
        let ran = gamebench(&arguments, "");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    };
    let first = json(&run("2", &["--csv", csv, "--json"]));
    assert_eq!(first.len(), 5, "four games and a summary");
    let lines = |path: &str| std::fs::read_to_string(path).unwrap().lines().count();
    assert_eq!(lines(csv), 5, "a heading and four games");
    let more = json(&run("3", &["--csv", csv, "--json"]));
    assert_eq!((more.len(), lines(csv)), (3, 7), "two more games and a summary of all");
    let summary = &more[2];
    assert_eq!((&summary["a"], &summary["games"]), (&"greedy-hotstrat:2".into(), &6.into()));
    // All at once it is the same.
    let whole = json(&run("3", &["--json"]));
    for field in ["won", "drawn", "lost", "better", "equal", "worse", "a_in_place_of_b", "nodes"] {
        assert_eq!(whole[6][field], summary[field], "{field}");
    }
    let text = run("3", &[]);
    assert!(text.contains("A in the place of B scores"), "{text}");
}

#[test]
fn sums_of_values_can_be_played() {
    let arguments = ["match", "hotstrat", "optimal", "--sums", "--parts", "2", "--openings", "3", "--json"];
    let lines = json(&gamebench(&arguments, "").out);
    assert_eq!(lines[6]["games"], 6);
    assert!(lines[6]["score"]["mean"].as_f64().unwrap() <= 0.0, "nobody beats optimal play on both sides");
}

#[test]
fn bad_matches_get_a_sentence() {
    let sums = |a: &'static str, b: &'static str| ["match", a, b, "--sums", "--openings", "1"];
    refused(&sums("hotstart", "optimal"), 2, "did you mean `hotstrat`?");
    refused(&sums("alpha-beta:0", "optimal"), 2, "`0` is no depth for alpha-beta");
    refused(&sums("optimal:3", "hotstrat"), 2, "optimal takes no depth");
    let misfit = ["match", "thermal-alpha-beta:2", "optimal", "--game", "clobber", "--position", "xo"];
    refused(&misfit, 2, "thermal-alpha-beta does not fit clobber: it plays for points");
}

#[test]
fn deeper_and_deeper() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("depths.svg");
    let arguments = ["heuristic", "regio", "..|..|..|..", "--depth", "4", "--svg", svg.to_str().unwrap()];
    let ran = gamebench(&arguments, "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("depth 1: +-4"), "{}", ran.out);
    assert!(ran.out.contains("depth 4: "), "{}", ran.out);
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("depth 4"), "{picture}");
    let lines = json(&gamebench(&["heuristic", "regio", "...#..", "--json"], "").out);
    assert_eq!(lines.last().unwrap()["exact"], true);
    assert!(lines.iter().any(|line| line["part"] == ".."), "{lines:?}");
}

#[test]
fn bad_positions_to_deepen_get_a_sentence() {
    refused(&["heuristic", "regio", "..", "--depth", "0"], 1, "depth");
    refused(&["heuristic", "regio", "3;0-7"], 1, "7");
    refused(&["heuristic", "regio", "3;1-1"], 1, "itself");
    refused(&["heuristic", "clobber", "xo"], 1, "clobber");
}
