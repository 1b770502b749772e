//! Everything that is shipped may be used freely, with licences as in deny.toml, and crates that are meant to be published could be.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether a licence expression is satisfied by allowed licences. `/` is an old way to write OR.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    plain
        .split(" AND ")
        .all(|choice| choice.split(" OR ").any(|name| allowed.iter().any(|licence| licence == name.trim())))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What cargo knows about the workspace and all that it depends on.
fn metadata() -> serde_json::Value {
    let run = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).expect("JSON")
}

/// The names of the crates that are part of something shipped: those that members of the workspace need for more than their tests.
fn shipped(metadata: &serde_json::Value) -> BTreeSet<&str> {
    let text = |value: &'_ serde_json::Value| value.as_str().expect("text").to_owned();
    let list = |value: &'_ serde_json::Value| value.as_array().expect("a list").clone();
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let is_shipped =
            |dep: &serde_json::Value| list(&dep["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev");
        let deps =
            list(&node["deps"]).iter().filter(|dep| is_shipped(dep)).map(|dep| text(&dep["pkg"])).collect();
        needs.insert(text(&node["id"]), deps);
    }
    let mut open: Vec<String> = list(&metadata["workspace_members"]).iter().map(text).collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id.clone()) {
            open.extend(needs[&id].iter().cloned());
        }
    }
    let packages = metadata["packages"].as_array().expect("packages");
    let inside = packages.iter().filter(|package| reached.contains(package["id"].as_str().expect("an id")));
    inside.map(|package| package["name"].as_str().expect("a name")).collect()
}

#[test]
fn dependencies_have_the_licences_that_are_allowed() {
    let deny: toml::Table =
        fs::read_to_string(root().join("deny.toml")).expect("deny.toml").parse().expect("TOML");
    let strings = |value: &toml::Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
    };
    let allowed = strings(&deny["licenses"]["allow"]);
    let exceptions: Vec<&str> = deny["licenses"]["exceptions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|e| e["crate"].as_str())
        .collect();
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    for package in packages {
        let (name, licence) =
            (package["name"].as_str().unwrap_or(""), package["license"].as_str().unwrap_or(""));
        assert!(is_allowed(licence, &allowed) || exceptions.contains(&name), "{name}: {licence}");
    }
    assert!(packages.len() > 100);
    let shipped = shipped(&metadata);
    assert!(shipped.contains("axum") && !shipped.contains("fantoccini"), "{shipped:?}");
    for name in exceptions {
        assert!(!shipped.contains(name), "{name} is for tests only");
    }
    assert!(!is_allowed("GPL-3.0-only", &allowed) && !is_allowed("MIT AND GPL-3.0-only", &allowed));
}

/// Whatever is meant to be published has what a registry asks for, and depends on nothing that is not published.
#[test]
fn crates_could_be_published() {
    let metadata = metadata();
    let list = |value: &'_ serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let members = list(&metadata["workspace_members"]);
    let packages = list(&metadata["packages"]);
    let own: Vec<_> = packages.iter().filter(|package| members.contains(&package["id"])).collect();
    // `publish = false` is an empty list of registries.
    let is_published = |name: &serde_json::Value| {
        own.iter().any(|package| package["name"] == *name && package["publish"].is_null())
    };
    let published: Vec<_> = own.iter().filter(|package| is_published(&package["name"])).collect();
    assert_eq!(published.len() + 2, own.len(), "all but gb-py and gb-wasm");
    for package in published {
        let name = &package["name"];
        for field in ["description", "license", "readme", "rust_version"] {
            assert!(package[field].as_str().is_some_and(|text| !text.is_empty()), "{name}: {field}");
        }
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let readme = manifest.with_file_name(package["readme"].as_str().expect("a path"));
        assert!(readme.exists(), "{name}: {}", readme.display());
        let keywords = list(&package["keywords"]);
        assert!((1..=5).contains(&keywords.len()) && !list(&package["categories"]).is_empty(), "{name}");
        assert!(keywords.iter().all(|word| word.as_str().is_some_and(|word| word.len() <= 20)), "{name}");
        for dependency in list(&package["dependencies"]) {
            // What only tests need is left out of a package if it has no version.
            if dependency["path"].is_string() && dependency["kind"] != "dev" {
                let needed = &dependency["name"];
                assert!(is_published(needed), "{name} needs {needed}, which is not published");
                assert_ne!(dependency["req"], "*", "{name} needs {needed} without a version");
            }
        }
    }
}
