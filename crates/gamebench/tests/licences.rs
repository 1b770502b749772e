//! Everything that is shipped may be used freely: licences as in deny.toml.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Whether a licence expression is satisfied by allowed licences. `/` is an old way to write OR.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    plain
        .split(" AND ")
        .all(|choice| choice.split(" OR ").any(|name| allowed.iter().any(|licence| licence == name.trim())))
}

#[test]
fn dependencies_have_the_licences_that_are_allowed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let deny: toml::Table =
        fs::read_to_string(root.join("deny.toml")).expect("deny.toml").parse().expect("TOML");
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
    let run = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(&root)
        .output()
        .expect("cargo");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    for package in packages {
        let (name, licence) =
            (package["name"].as_str().unwrap_or(""), package["license"].as_str().unwrap_or(""));
        assert!(is_allowed(licence, &allowed) || exceptions.contains(&name), "{name}: {licence}");
    }
    assert!(packages.len() > 100);
    assert!(!is_allowed("GPL-3.0-only", &allowed) && !is_allowed("MIT AND GPL-3.0-only", &allowed));
}
