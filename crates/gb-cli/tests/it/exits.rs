//! Exit codes: 0 success, 1 bad input, 2 wrong usage, 3 a limit; one rule for all commands.

use std::fs;

use crate::gamebench;

fn code(arguments: &[&str], input: &str) -> i32 {
    let ran = gamebench(arguments, input);
    ran.code.unwrap_or_else(|| panic!("{arguments:?} was ended by a signal: {}", ran.err))
}

/// Each command with an input that is answered, one that is bad, and limits that are too small for a third.
const COMMANDS: &[(&[&str], &str, &str, &[&str])] = &[
    (&["value", "clobber"], "xo", "xq", &["4x5", "--nodes", "100"]),
    (&["outcome", "domineering"], "3x3", "?", &["9x9", "--nodes", "100"]),
    (&["analyze"], "clobber xo", "clobber xq", &["clobber 5x5", "--nodes", "100"]),
    (&["thermograph", "domineering"], "3x3", "?", &["6x6", "--nodes", "100"]),
    (&["calc"], "1+1", "1+", &["{5|{3|-2}}+{7|^}+{9|{2|-8}}", "--nodes", "1"]),
    (&["heuristic", "regio"], "..", "?", &["5x5", "--nodes", "20"]),
];

#[test]
fn every_command_says_what_became_of_it() {
    for (command, good, bad, limited) in COMMANDS {
        for json in [&[][..], &["--json"]] {
            let run = |rest: &[&str]| code(&[command, rest, json].concat(), "");
            assert_eq!(run(&[good]), 0, "{command:?} {json:?}");
            assert_eq!(run(&[bad]), 1, "{command:?} {json:?}");
            assert_eq!(run(limited), 3, "{command:?} {json:?} {limited:?}");
            assert_eq!(run(&[good, "--no-such-option"]), 2, "{command:?} {json:?}");
        }
    }
    assert_eq!(code(&["value"], ""), 2);
    assert_eq!(code(&["no-such-command"], ""), 2);
}

#[test]
fn of_many_lines_the_worst_counts() {
    let lines = |text: &str| code(&["value", "clobber", "-", "--nodes", "100"], text);
    assert_eq!(lines("xo\nox\n"), 0);
    assert_eq!(lines("xo\n4x5\nox\n"), 3);
    assert_eq!(lines("xo\nxq\nox\n"), 1);
    assert_eq!(lines("4x5\nxq\n4x5\n"), 1);
    let ran = gamebench(&["calc", "-", "--nodes", "1"], "2\n{5|{3|-2}}+{7|^}+{9|{2|-8}}\n3\n");
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 3, "{}", ran.out);
    assert_eq!(code(&["calc", "-", "--nodes", "1"], "{5|{3|-2}}+{7|^}+{9|{2|-8}}\n1+\n"), 1);
    let ran = gamebench(&["thermograph", "-", "--json", "--nodes", "100"], "1\ndomineering 6x6\n2\n");
    assert_eq!((ran.code, ran.out.lines().count()), (Some(3), 3), "{}", ran.out);
}

#[test]
fn what_is_known_is_printed_before_a_limit_ends_it() {
    let ran = gamebench(&["value", "clobber", "4x5", "--nodes", "100", "--json"], "");
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(ran.code, Some(3));
    assert!(answer["value"].is_null() && answer["stopped"].is_string() && answer["bounds"].is_array());
    let help = gamebench(&["--help"], "").out;
    assert!(help.contains("Exit codes:") && help.contains("3  a limit"), "{help}");
}

#[test]
fn databases_have_the_same_codes() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().to_str().unwrap();
    let run = |arguments: &[&str]| code(&[arguments, &["--db", db]].concat(), "");
    assert_eq!(run(&["db", "verify"]), 1, "an empty folder is not verified");
    assert_eq!(run(&["db", "verify", "--json"]), 1);
    assert_eq!(code(&["db", "verify", "--db", "/no/such/folder"], ""), 1);
    assert_eq!(run(&["db", "build", "clobber", "4x4", "--nodes", "1000"]), 3);
    assert_eq!(run(&["db", "build", "clobber", "4x5", "--memory", "200M"]), 3);
    assert_eq!(run(&["db", "build", "clobber", "9x9"]), 1);
    assert_eq!(run(&["db", "build", "clobber"]), 2);
    assert_eq!(run(&["db", "build", "clobber", "3x3"]), 0);
    assert_eq!(run(&["db", "verify"]), 0);
    assert_eq!(run(&["db", "verify", "--nodes", "0"]), 3, "nothing could be searched");
    assert_eq!(run(&["db", "verify", "domineering"]), 1, "there are no such tables");
    // Damage of every kind, in every place.
    let table = folder.path().join("clobber-3x3.gbtable");
    let bytes = fs::read(&table).unwrap();
    let put = |bytes: &[u8]| {
        let _ = fs::remove_file(&table);
        fs::write(&table, bytes).unwrap();
    };
    let places = [0, 8, 12, 20, 300, 3000, 4095, 4096, 9000, bytes.len() / 2, bytes.len() - 1];
    for at in places {
        let mut wrong = bytes.clone();
        wrong[at] ^= 1 << (at % 8);
        put(&wrong);
        assert_eq!(run(&["db", "verify"]), 1, "byte {at}");
    }
    for length in [0, 1, 4095, 4096, 5000, bytes.len() - 1] {
        put(&bytes[..length]);
        assert_eq!(run(&["db", "verify"]), 1, "{length} bytes");
    }
    let ran = gamebench(&["db", "verify", "--json", "--db", db], "");
    let line: serde_json::Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    assert!(line["error"].as_str().unwrap().contains("damaged"), "{line}");
    put(&bytes);
    assert_eq!(run(&["db", "verify"]), 0);
}

/// A nimber has as many options as its number says: more than there is memory for.
#[test]
fn nimbers_with_four_thousand_million_options_end_at_the_limit() {
    let limits = ["--memory", "50M", "--time", "2s"];
    for question in [
        &["analyze", "fox-and-geese 8x8 + *4294967295"][..],
        &["prove", "nim 3 + *4294967295", "--outcome", "--out", "/dev/null"],
        &["prove", "nim 3 + *4294967295", "--at-most", "*7", "--out", "/dev/null"],
    ] {
        assert!([0, 1, 3].contains(&code(&[question, &limits].concat(), "")), "{question:?}");
    }
}
