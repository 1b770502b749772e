//! What shells, manuals and people who look for a fault are told.

use std::fs;

use crate::gamebench;

#[test]
fn shells_and_manuals_know_every_command() {
    let help = gamebench(&["--help"], "").out;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 12 && commands.contains(&"analyze"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = gamebench(&["completions", shell], "").out;
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    assert_eq!(gamebench(&["completions", "nonsense"], "").code, Some(2));

    let page = gamebench(&["man"], "").out;
    assert!(page.contains(".TH gamebench 1") && page.contains("thermograph"), "{page}");
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    assert_eq!(gamebench(&["man", "--dir", pages.to_str().expect("UTF-8")], "").code, Some(0));
    for command in &commands {
        let page = fs::read_to_string(pages.join(format!("gamebench-{command}.1"))).expect("a page");
        assert!(page.contains(".SH"), "{command}");
    }
    let taken = folder.path().join("file");
    fs::write(&taken, "").expect("a file");
    let ran = gamebench(&["man", "--dir", taken.to_str().expect("UTF-8")], "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error: making the folder "), "{}", ran.err);
}

#[test]
fn the_doctor_finds_what_is_there_and_what_is_broken() {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, db) = (folder.path().join("games"), folder.path().join("db"));
    fs::create_dir_all(&games).expect("a folder");
    let text = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    let doctor = || gamebench(&["doctor", "--games", &text(&games), "--db", &text(&db)], "");
    let ran = doctor();
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("databases: none"), "{}", ran.out);

    assert_eq!(gamebench(&["db", "build", "clobber", "2x2", "--db", &text(&db)], "").code, Some(0));
    let outcomes = ["db", "build", "clobber", "2x3", "--store", "outcome", "--db", &text(&db)];
    assert_eq!(gamebench(&outcomes, "").code, Some(0));
    let ran = doctor();
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert_eq!(ran.out.matches("clobber, ").count(), 2, "{}", ran.out);

    let table = fs::read_dir(&db).expect("a folder").flatten().map(|entry| entry.path());
    let table =
        table.into_iter().find(|path| path.extension().is_some_and(|e| e == "gbtable")).expect("a table");
    fs::write(&table, b"damaged").expect("a file");
    fs::write(games.join("broken.game"), "nonsense").expect("a file");
    let ran = doctor();
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert_eq!(ran.out.matches("problem: ").count(), 2, "{}", ran.out);
    let ran = gamebench(&["doctor", "--json", "--games", &text(&games), "--db", &text(&db)], "");
    let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(found["problems"].as_array().map(Vec::len), Some(2), "{found}");
}

/// Colours are for terminals, and for those who ask for them; what is written is the same.
#[test]
fn colours_on_demand() {
    let board = ["analyze", "clobber", "xo.|.ox"];
    let run = |arguments: &[&str]| gamebench(arguments, "").out;
    let without_times =
        |text: &str| text.lines().filter(|line| !line.ends_with(" s")).collect::<Vec<_>>().join("\n");
    let plain = run(&board);
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert_eq!(without_times(&run(&[&board[..], &["--color", "never"]].concat())), without_times(&plain));
    let coloured = run(&[&board[..], &["--color", "always"]].concat());
    assert!(coloured.contains("\u{1b}[1m\u{1b}[34mx\u{1b}[0m"), "Left's pieces are blue: {coloured}");
    let mut pieces = coloured.split('\u{1b}');
    let mut seen = pieces.next().unwrap_or_default().to_owned();
    seen.extend(pieces.map(|piece| piece.split_once('m').expect("the end of a code").1));
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&without_times(&seen)), lines(&without_times(&plain)));
}
