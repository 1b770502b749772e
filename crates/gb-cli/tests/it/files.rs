//! Files that commands write and read: links, pipes, devices, folders, and what never ends.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::gamebench;

/// Every command that writes a file, with how what it writes begins.
fn writers(file: &str) -> Vec<(Vec<&str>, &'static str)> {
    vec![
        (vec!["thermograph", "{2|-1}", "--svg", file], "<svg"),
        (vec!["heuristic", "regio", "..", "--svg", file], "<svg"),
        (vec!["play", "clobber", "1x4", "--left", "random", "--right", "random", "--save", file], "(;FF[4]"),
        (vec!["analyze", "go", ".XO.|XXOO|.XO.|XXOO", "--sgf", file], "(;FF[4]"),
    ]
}

fn fifo(path: &Path) -> bool {
    Command::new("mkfifo").arg(path).status().is_ok_and(|status| status.success())
}

#[test]
fn links_stay_links_and_devices_stay_devices() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text = |name: &str| at(name).to_str().unwrap().to_owned();
    fs::create_dir(at("elsewhere")).unwrap();
    symlink("elsewhere/file", at("link")).unwrap();
    for (command, beginning) in writers(&text("link")) {
        for old in [false, true] {
            match old {
                true => fs::write(at("elsewhere/file"), "old contents, which are longer than what is new")
                    .unwrap(),
                false => _ = fs::remove_file(at("elsewhere/file")),
            }
            let ran = gamebench(&command, "");
            assert_eq!(ran.code, Some(0), "{command:?}: {}", ran.err);
            assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink(), "{command:?}");
            let written = fs::read_to_string(at("elsewhere/file")).unwrap();
            assert!(
                written.contains(beginning) && !written.contains("old contents"),
                "{command:?}: {written}"
            );
        }
    }
    for (command, _) in writers("/dev/null") {
        assert_eq!(gamebench(&command, "").code, Some(0), "{command:?}");
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device(), "{command:?}");
    }
    for (command, beginning) in writers("/dev/stdout") {
        let ran = gamebench(&command, "");
        assert!(ran.code == Some(0) && ran.out.contains(beginning), "{command:?}: {}", ran.out);
    }
    if fifo(&at("pipe")) {
        for (command, beginning) in writers(&text("pipe")) {
            let pipe = at("pipe");
            let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
            let ran = gamebench(&command, "");
            assert_eq!(ran.code, Some(0), "{command:?}: {}", ran.err);
            assert!(reader.join().unwrap().contains(beginning), "{command:?}");
            assert!(fs::metadata(at("pipe")).unwrap().file_type().is_fifo());
        }
    }
    for (command, _) in writers(&text("elsewhere")) {
        assert_eq!(gamebench(&command, "").code, Some(1), "a folder is no file: {command:?}");
    }
    if Path::new("/dev/full").exists() {
        for (command, _) in writers("/dev/full") {
            assert_eq!(gamebench(&command, "").code, Some(1), "a full disk: {command:?}");
        }
    }
    let left: Vec<_> = fs::read_dir(at("elsewhere")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["file"]);
}

#[test]
fn what_lies_in_the_folder_of_tables_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().to_str().unwrap();
    assert_eq!(gamebench(&["db", "build", "clobber", "2x2", "--db", db], "").code, Some(0));
    fs::create_dir(folder.path().join("folder.gbtable")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket.gbtable")).unwrap();
    symlink("/dev/zero", folder.path().join("device.gbtable")).unwrap();
    let pipes = usize::from(fifo(&folder.path().join("pipe.gbtable")));
    for command in [
        &["db", "info"][..],
        &["db", "query", "clobber", "xo"],
        &["db", "stats"],
        &["value", "clobber", "xo"],
        &["db", "build", "clobber", "2x2"],
    ] {
        let ran = gamebench(&[command, &["--db", db]].concat(), "");
        assert_eq!(ran.code, Some(0), "{command:?}: {}", ran.err);
        let warnings = if command[1] == "build" { 0 } else { 3 + pipes };
        assert_eq!(ran.err.matches("no ordinary file").count(), warnings, "{command:?}: {}", ran.err);
    }
    let ran = gamebench(&["db", "verify", "--db", db], "");
    assert_eq!(ran.code, Some(1), "something that has the name of a table is none");
    assert_eq!(ran.out.matches("no ordinary file").count(), 3 + pipes, "{}", ran.out);
}

#[test]
fn what_never_ends_is_refused() {
    for source in ["/dev/zero", "/dev/urandom"].into_iter().filter(|path| Path::new(path).exists()) {
        let ran = gamebench(&["analyze", "go", source], "");
        assert_eq!(ran.code, Some(1));
        assert!(ran.err.contains("longer than 16777216 bytes"), "{}", ran.err);
        let ran = gamebench(&["play", "--open", source], "");
        assert!(ran.code == Some(1) && ran.err.contains("longer than"), "{}", ran.err);
    }
    let long = format!("(;GM[1]C[{}])", "x".repeat(17 << 20));
    let ran = gamebench(&["analyze", "go", "-"], &long);
    assert!(ran.code == Some(1) && ran.err.contains("standard input: longer than"), "{}", ran.err);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.sgf");
    fs::write(&file, long).unwrap();
    let load = format!("loadsgf {}\nquit\n", file.display());
    for command in [&["gtp"][..], &["gtp", "--game", "clobber"]] {
        let ran = gamebench(command, &load);
        assert!(ran.out.starts_with("? cannot load file: longer than"), "{}", ran.out);
    }
    let ran = gamebench(&["analyze", "go", folder.path().to_str().unwrap()], "");
    assert_eq!(ran.code, Some(1), "a folder");
}

#[test]
fn a_search_goes_on_where_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved");
    let file = file.to_str().unwrap();
    let ask = |game: &str, position: &str, more: &[&str]| {
        gamebench(
            &[&["outcome", game, position, "--json", "--threads", "1", "--save", file], more].concat(),
            "",
        )
    };
    let first = ask("clobber", "4x5", &["--nodes", "3000"]);
    assert_eq!(first.code, Some(3), "{}", first.err);
    assert!(first.out.contains("\"outcome\":null"), "{}", first.out);
    let nodes = |ran: &crate::Ran| {
        let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        (json["outcome"].as_str().unwrap().to_owned(), json["nodes"].as_u64().unwrap())
    };
    let resumed = nodes(&ask("clobber", "4x5", &[]));
    let (plain, all) =
        nodes(&gamebench(&["outcome", "clobber", "4x5", "--json", "--threads", "1", "--no-db"], ""));
    assert_eq!(resumed.0, plain);
    assert!(resumed.1 < all, "{} of {all}", resumed.1);
    // Who wins the board turned round is known as well; what is left is a try whether it has a simple value.
    let (_, turned) = nodes(&ask("clobber", "5x4", &[]));
    assert!(turned < all / 20, "{turned} of {all}");
    // Another game, a file that is none, and what has no such files.
    for (game, position, sentence) in [
        ("domineering", "4x4", "a search of clobber, and not of domineering"),
        ("regio", "3x3", "cannot be saved"),
        ("clobber", "-", "one position"),
    ] {
        let refused = ask(game, position, &[]);
        assert!(
            refused.err.contains(sentence) || refused.out.contains(sentence),
            "{}{}",
            refused.out,
            refused.err
        );
        assert_ne!(refused.code, Some(0));
    }
    std::fs::write(file, "xo.|.ox").unwrap();
    let refused = ask("clobber", "4x4", &[]);
    assert!(
        refused.out.contains("no saved search") || refused.err.contains("no saved search"),
        "{}{}",
        refused.out,
        refused.err
    );
    assert_eq!(std::fs::read_to_string(file).unwrap(), "xo.|.ox", "what is not ours is left alone");
}
