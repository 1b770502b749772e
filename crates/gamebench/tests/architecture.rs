//! Which crate may depend on which: the path of the data, read from the manifests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each crate with everything of ours that it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("gb-memory", &[]),
    ("gb-value", &["gb-memory"]),
    ("gb-board", &[]),
    // What a game is: no search.
    ("gb-rules", &["gb-board", "gb-value"]),
    // Games as text: the language and its interpreter. They name no game and see no search.
    ("gb-text", &["gb-rules", "gb-board", "gb-value"]),
    // Games never see search; some of them are texts.
    ("gb-games", &["gb-text", "gb-rules", "gb-board", "gb-value"]),
    // Search never names a game.
    ("gb-search", &["gb-rules", "gb-board", "gb-value", "gb-memory"]),
    // Records, and the session that walks through one: positions, and no values.
    ("gb-record", &["gb-rules", "gb-board"]),
    ("gb-play", &["gb-record", "gb-search", "gb-rules", "gb-board", "gb-value"]),
    ("gb-db", &["gb-search", "gb-rules", "gb-board", "gb-value"]),
    // Certificates name no game: what is proved is asked of the search, and what is checked of the rules alone.
    ("gb-proof", &["gb-search", "gb-rules", "gb-board", "gb-value"]),
    // Go brings its own decomposition and local search (safe walls, leaf rules by proof, kos); it shares alpha-beta.
    ("gb-go", &["gb-search", "gb-record", "gb-rules", "gb-board", "gb-value"]),
    // The analyst of chess: it needs the game, which may not see search, and search, which may not name a game.
    ("gb-chess", &["gb-search", "gb-games", "gb-rules", "gb-board", "gb-value"]),
    // Text in, typed answers out.
    (
        "gb-engine",
        &[
            "gb-play",
            "gb-search",
            "gb-db",
            "gb-proof",
            "gb-record",
            "gb-games",
            "gb-text",
            "gb-rules",
            "gb-board",
            "gb-value",
        ],
    ),
    ("gb-cli", FRONT_END),
    ("gb-web", FRONT_END),
    ("gb-py", FRONT_END),
    ("gb-wasm", FRONT_END),
    (
        "gamebench",
        &[
            "gb-value",
            "gb-board",
            "gb-rules",
            "gb-games",
            "gb-text",
            "gb-search",
            "gb-play",
            "gb-db",
            "gb-proof",
            "gb-record",
            "gb-engine",
        ],
    ),
];

/// A front end uses the engine, and the analysts that are no part of it.
const FRONT_END: &[&str] = &[
    "gb-value",
    "gb-board",
    "gb-rules",
    "gb-games",
    "gb-text",
    "gb-search",
    "gb-play",
    "gb-db",
    "gb-proof",
    "gb-record",
    "gb-engine",
    "gb-web",
    "gb-chess",
    "gb-go",
    "gb-memory",
];

/// The folders of the crates: beside them stands what all of them tell a registry.
fn folders_in(crates: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(crates).expect("crates/ can be read");
    entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir())
}

fn manifest(dir: &Path) -> toml::Table {
    let text = fs::read_to_string(dir.join("Cargo.toml")).expect("every crate has a manifest");
    text.parse().expect("a manifest is TOML")
}

#[test]
fn crates_depend_only_on_what_comes_before_them() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/");
    let mut seen = 0;
    for dir in folders_in(crates) {
        let folder = dir.file_name().and_then(|n| n.to_str()).expect("a plain name").to_owned();
        let manifest = manifest(&dir);
        assert_eq!(
            manifest["package"]["name"].as_str(),
            Some(folder.as_str()),
            "folder and crate have one name"
        );
        let (_, allowed) = ALLOWED.iter().find(|(name, _)| *name == folder).unwrap_or_else(|| {
            panic!("{folder} is not in the table of this test: say what it may depend on")
        });
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        for dependency in
            manifest.get("dependencies").and_then(|d| d.as_table()).into_iter().flat_map(|t| t.keys())
        {
            let ours = dependency.starts_with("gb-") || dependency == "gamebench";
            assert!(
                !ours || allowed.contains(dependency.as_str()),
                "{folder} must not depend on {dependency}"
            );
        }
        seen += 1;
    }
    assert!(seen >= 6, "the crates were found");
}

/// `unsafe` is forbidden everywhere but in three files, which say why it is sound there.
#[test]
fn unsafe_code_is_in_three_files() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/");
    let mut folders: Vec<_> = vec![crates.to_owned()];
    let mut found = vec![];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("UTF-8");
                // Written in two pieces, so that this file is none of them.
                if text.contains(concat!("allow(unsafe", "_code)")) {
                    found.push(path);
                }
            }
        }
    }
    found.sort();
    let allowed = ["gb-memory/src/lib.rs", "gb-memory/src/prefetch.rs", "gb-wasm/src/lib.rs"];
    assert_eq!(found, allowed.map(|file| crates.join(file)));
    for dir in folders_in(crates) {
        let manifest = manifest(&dir);
        let lints = &manifest["lints"];
        let of_workspace = lints.get("workspace").and_then(|w| w.as_bool()) == Some(true);
        let own = lints.get("rust").and_then(|r| r.get("unsafe_code")).and_then(|l| l.as_str());
        let is_exception = ["gb-memory", "gb-wasm"].iter().any(|name| dir.ends_with(name));
        assert!(of_workspace || own == Some("deny") && is_exception, "{}", dir.display());
    }
}
