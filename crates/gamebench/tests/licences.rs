//! Everything that is shipped may be used freely: licences as in deny.toml.

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
