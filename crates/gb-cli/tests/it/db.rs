//! `gamebench db`, and the other commands with databases.

use std::fs;
use std::path::Path;

use crate::gamebench;

/// Runs a command with a folder of databases, and gives what it printed.
fn with(folder: &Path, arguments: &[&str]) -> String {
    let folder = folder.display().to_string();
    let all: Vec<&str> = arguments.iter().copied().chain(["--db", &folder]).collect();
    let ran = gamebench(&all, "");
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
    assert_eq!(ran.err, "");
    ran.out
}

fn json(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

#[test]
fn tables_are_built_listed_asked_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(with(path, &["db", "info"]).contains("no tables"));
    let built = with(path, &["db", "build", "clobber", "2x3", "--parts", "3"]);
    assert!(built.starts_with("clobber all boards 2x3, built: 729 boards, "), "{built}");
    assert!(built.contains("\nclobber all parts up to 3 cells, built: "), "{built}");
    assert!(with(path, &["db", "build", "clobber", "2x3"]).contains("is there"));
    let built = &json(&with(path, &["db", "build", "domineering", "--up-to", "4", "--json"]))[..];
    assert_eq!((built.len(), built[1]["boards"].as_u64()), (2, Some(16)));
    let info = json(&with(path, &["db", "info", "--json"]));
    assert_eq!(info.len(), 4);
    assert!(info.iter().any(|table| table["scope"] == "all boards 2x3" && table["values"] == table["facts"]));

    // Boards, boards turned, sums of parts in the tables.
    for (position, value) in
        [("xox|oxo", "0"), ("xo|ox|xo", "0"), ("xo..xo...ox", "*"), ("...", "0"), ("xxo", "^")]
    {
        let answer = &json(&with(path, &["db", "query", "clobber", position, "--json"]))[0];
        let searched = &json(&gamebench(&["value", "clobber", position, "--no-db", "--json"], "").out)[0];
        assert_eq!(answer["value"], searched["value"], "{position}");
        assert_eq!(answer["value"], value, "{position}");
        assert_eq!(answer["temperature"], searched["temperature"]);
    }
    let verified = with(path, &["db", "verify", "--sample", "100"]);
    assert_eq!(verified.lines().count(), 4);
    assert!(verified.lines().all(|line| line.contains("all checksums are right")), "{verified}");
    let stats = with(path, &["db", "stats", "clobber", "--sizes"]);
    assert!(stats.contains("multiples") || stats.contains("ups and star"), "{stats}");
    assert!(stats.contains("2x3"), "{stats}");
    let csv = with(path, &["db", "stats", "--csv"]);
    assert!(csv.starts_with("table,list,name,boards,distinct,example\n"), "{csv}");
    assert!(csv.contains("clobber-2x3.gbtable,total,exact,729,"), "{csv}");
    assert_eq!(json(&with(path, &["db", "stats", "--json", "--sizes"])).len(), 4);
    for (limit, says) in [
        (["--nodes", "3"], "clobber all boards 2x3: stopped: the limit of nodes"),
        (["--memory", "1k"], "--memory allows 1 kB"),
    ] {
        let ran = gamebench(
            &["db", "stats", "clobber", "--db", &path.display().to_string(), limit[0], limit[1]],
            "",
        );
        assert!(ran.code == Some(3) && ran.err.contains(says), "{:?}: {}", ran.code, ran.err);
    }
}

#[test]
fn questions_use_databases_and_warn_of_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    with(path, &["db", "build", "clobber", "3x3"]);
    let text = path.display().to_string();
    let nodes = |extra: &[&str]| {
        let arguments = ["value", "clobber", "xox|oxo|xox", "--json", "--threads", "1"];
        let ran = gamebench(&[&arguments[..], extra].concat(), "");
        let answer = json(&ran.out).remove(0);
        (answer["value"].as_str().unwrap().to_owned(), answer["nodes"].as_u64().unwrap(), ran.err)
    };
    let (value, without, _) = nodes(&["--no-db"]);
    let (same, with_table, silent) = nodes(&["--db", &text]);
    assert_eq!((&same, silent.as_str()), (&value, ""));
    assert!(with_table < without, "{with_table} < {without}");
    for command in ["analyze", "outcome", "thermograph"] {
        let arguments = [command, "clobber", "xox|oxo|xox.", "--json"];
        let figures = |ran: crate::Ran| {
            let mut answer = json(&ran.out).remove(0);
            for figure in ["nodes", "seconds"] {
                answer.as_object_mut().unwrap().remove(figure);
            }
            answer
        };
        let plain = figures(gamebench(&[&arguments[..], &["--no-db"]].concat(), ""));
        assert_eq!(figures(gamebench(&[&arguments[..], &["--db", &text]].concat(), "")), plain, "{command}");
    }

    // A wrong byte in every block of the data: reported, not believed.
    let table = path.join("clobber-3x3.gbtable");
    let mut bytes = fs::read(&table).unwrap();
    let end_of_data = bytes.len() - 200;
    bytes[5000..end_of_data].iter_mut().step_by(4096).for_each(|byte| *byte ^= 16);
    fs::remove_file(&table).unwrap();
    fs::write(&table, bytes).unwrap();
    let (still, _, warning) = nodes(&["--db", &text]);
    assert_eq!(still, value);
    assert!(warning.starts_with("warning: ") && warning.contains("build it again"), "{warning}");
    assert_eq!(warning.lines().count(), 1);
    let ran = gamebench(&["db", "verify", "--db", &text], "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("damaged (the checksum of block 0 is wrong)"), "{}", ran.out);
    // Building replaces it.
    with(path, &["db", "build", "clobber", "3x3"]);
    assert_eq!(nodes(&["--db", &text]).2, "");
}

#[test]
fn what_makes_no_sense_gets_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().display().to_string();
    let fails = |arguments: &[&str], code: i32| {
        let ran = gamebench(&[arguments, &["--db", &text]].concat(), "");
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.out);
        ran.err + &ran.out
    };
    assert!(fails(&["db", "build", "nim", "3"], 1).contains("nim has no databases"));
    assert!(fails(&["db", "build", "clober", "3"], 1).contains("clobber"));
    assert!(fails(&["db", "build", "clobber", "9x9"], 1).contains("too many boards"));
    assert!(fails(&["db", "build", "clobber", "huge"], 2).contains("8x8"));
    assert!(fails(&["db", "build", "clobber"], 2).contains("--up-to"));
    assert!(fails(&["db", "query", "clobber", "xo"], 1).contains("no table in"));
    assert!(fails(&["db", "query", "clobber", "xq"], 1).contains("found `q`"));
    assert!(fails(&["db", "stats"], 1).contains("there are no such tables"));
    let ran = gamebench(&["db", "query", "clobber", "-", "--json", "--db", &text], "xo\nxq\n");
    assert_eq!((ran.code, json(&ran.out).len()), (Some(1), 2));
}

#[test]
fn who_wins_is_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let built = with(path, &["db", "build", "clobber", "3x4", "--store", "outcome"]);
    assert!(built.starts_with("clobber outcomes of all boards 3x4, built: 531,441 boards, "), "{built}");
    assert!(with(path, &["db", "build", "clobber", "3x4", "--store", "outcome"]).contains("is there"));
    // Several parts, a smaller board, one that stands; and one that is too large.
    for (position, nodes) in
        [("xoxo|oxox|xoxo", 0), ("xox.|oxx.|...o", 0), ("xoo", 0), ("xox|oxo|xxo|oox", 0), ("xoxoxoxoxox", 1)]
    {
        let found = &json(&with(path, &["outcome", "clobber", position, "--json"]))[0];
        let searched = &json(&gamebench(&["outcome", "clobber", position, "--no-db", "--json"], "").out)[0];
        assert_eq!(found["outcome"], searched["outcome"], "{position}");
        assert_eq!(found["nodes"].as_u64().unwrap().min(1), nodes, "{position}");
    }
    let asked = &json(&with(path, &["db", "query", "clobber", "xoo|oxx", "--json"]))[0];
    let searched = &json(&gamebench(&["outcome", "clobber", "xoo|oxx", "--no-db", "--json"], "").out)[0];
    assert_eq!(asked["outcome"], searched["outcome"]);
    assert!(with(path, &["db", "query", "clobber", "xoo|oxx"]).contains("  outcome       "));
    // The counts are those of the values.
    let layers = json(&with(path, &["db", "stats", "--json"]))[0]["layers"].clone();
    let sum =
        |name: &str| layers.as_array().unwrap().iter().map(|of| of[name].as_u64().unwrap()).sum::<u64>();
    let info = with(path, &["db", "info"]);
    assert!(info.contains("(L 109,433, R 109,433, N 226,442, P 86,133)"), "{info}");
    let values = tempfile::tempdir().unwrap();
    with(values.path(), &["db", "build", "clobber", "3x4"]);
    let stats = &json(&with(values.path(), &["db", "stats", "--json"]))[0]["outcomes"];
    for (of, name) in [
        ("L", "Left wins"),
        ("R", "Right wins"),
        ("N", "the first player wins"),
        ("P", "the second player wins"),
    ] {
        let count = stats.as_array().unwrap().iter().find(|count| count["name"] == name).unwrap();
        assert_eq!(count["boards"], sum(of), "{name}");
    }
    let csv = with(path, &["db", "stats", "--csv"]);
    assert!(csv.contains("clobber-3x4-outcomes.gbtable,stones-12,P,440,,"), "{csv}");
    assert!(with(path, &["db", "stats"]).contains("     all           531,441 "));
    let verified = with(path, &["db", "verify", "--sample", "200"]);
    assert!(verified.contains("all checksums are right, and so are 200 boards"), "{verified}");

    // Damage ends verification with an error; questions warn and search.
    let file = path.join("clobber-3x4-outcomes.gbtable");
    let mut bytes = fs::read(&file).unwrap();
    let place = bytes.len() * 2 / 3;
    bytes[place] ^= 16;
    fs::remove_file(&file).unwrap();
    fs::write(&file, bytes).unwrap();
    let folder = path.display().to_string();
    let ran = gamebench(&["db", "verify", "--db", &folder], "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("damaged (the checksum of block"), "{}", ran.out);
    assert!(with(path, &["db", "build", "clobber", "3x4", "--store", "outcome"]).contains(", built: "));

    for (arguments, sentence) in [
        (["amazons", "2x2"].as_slice(), "amazons has no tables of outcomes"),
        (&["clobber", "6x6"], "at most 30 are possible"),
        (&["clobber", "5x5", "--memory", "20M"], "the index with the buffers of the threads alone takes"),
        (&["clobber", "--parts", "3"], "it goes with sizes such as 5x5"),
    ] {
        let all: Vec<&str> = ["db", "build"]
            .into_iter()
            .chain(arguments.iter().copied())
            .chain(["--store", "outcome", "--db", &folder])
            .collect();
        let ran = gamebench(&all, "");
        assert_ne!(ran.code, Some(0));
        assert!(ran.err.contains(sentence), "{}", ran.err);
    }
}

/// Tables of a game as text are verified and counted where its file is given: they know its name and the number of its rules only.
#[test]
fn tables_of_a_file_are_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let file = path.join("mine.game");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/king-clobber.game"), &file).unwrap();
    let file = file.display().to_string();
    for what in [&["2x3"][..], &["2x3", "--store", "outcome"], &["--within", "2x3"]] {
        with(path, &[&["db", "build", &file], what].concat());
    }
    let text = with(path, &["db", "verify", &file, "--sample", "20"]);
    assert_eq!(text.matches("all checksums are right, and so are 20 boards").count(), 3, "{text}");
    assert!(with(path, &["db", "stats", &file]).contains("king-clobber~"));
    // Without the file nobody knows the rules.
    let folder = path.display().to_string();
    assert_eq!(gamebench(&["db", "verify", "--db", &folder], "").code, Some(1));
}
