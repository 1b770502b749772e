//! The commands shown in README.md and in docs/ print what the documents say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Time and work differ from run to run.
fn without_figures(text: &str) -> String {
    let is_figure = |line: &str| {
        let line = line.trim();
        line.ends_with(" s")
            && (line.contains("nodes") || line.contains(" bytes, ") || line.contains(" lines, "))
    };
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim_end)
        .map(|line| if is_figure(line) { "(nodes, time)" } else { line })
        .collect();
    lines.join("\n").trim().to_owned()
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md")];
    for entry in fs::read_dir(root.join("docs")).expect("docs/") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "md") {
            files.push(path);
        }
    }
    files
}

#[test]
fn documents_show_what_commands_print() {
    let binary = Path::new(env!("CARGO_BIN_EXE_gamebench"));
    let path =
        format!("{}:{}", binary.parent().expect("a folder").display(), std::env::var("PATH").expect("PATH"));
    // Databases that the documents build, and files that they write: those of whoever runs the tests, and of the last run, have nothing to
    // do with them.
    let data = tempfile::tempdir().expect("a folder");
    let own = format!("{}/", data.path().display());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut commands = 0;
    for file in documents() {
        let text = fs::read_to_string(&file).expect("a document");
        for block in text.split("```console\n").skip(1) {
            let block = block.split("```").next().expect("an end");
            for example in block
                .split("$ ")
                .filter(|e| ["gamebench ", "python3 checker/", "printf "].iter().any(|c| e.starts_with(c)))
            {
                let (command, expected) = example.split_once('\n').expect("a line");
                let mut run = Command::new("sh");
                // As from the folder of the project, where the games are.
                run.args(["-c", &command.replace("/tmp/", &own)])
                    .current_dir(&root)
                    .env("PATH", &path)
                    .env("XDG_DATA_HOME", data.path());
                let run = run.output().expect("sh");
                let printed = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
                let printed = printed.replace(&own, "/tmp/");
                assert_eq!(
                    without_figures(&printed),
                    without_figures(expected),
                    "{}: {command}",
                    file.display()
                );
                commands += 1;
            }
        }
    }
    assert!(commands >= 5, "the documents have examples");
}

/// The headings of a document as the anchors that links name.
fn anchors(text: &str) -> Vec<String> {
    let mut in_code = false;
    let headings = text.lines().filter(|line| {
        in_code ^= line.starts_with("```");
        !in_code && line.starts_with('#')
    });
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// Links from one document to another lead somewhere, and every document is in the table of contents of the site.
#[test]
fn links_lead_somewhere() {
    let contents = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/SUMMARY.md"))
        .expect("a file");
    let mut links = 0;
    for file in documents() {
        let text = fs::read_to_string(&file).expect("a document");
        let name = file.file_name().and_then(|name| name.to_str()).expect("UTF-8");
        if !["README.md", "SUMMARY.md"].contains(&name) {
            assert!(contents.contains(&format!("({name})")), "{name} is not in docs/SUMMARY.md");
        }
        for link in text.split("](").skip(1) {
            let target = link.split([')', ' ']).next().expect("an end");
            if target.contains("://") || target.is_empty() || target.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let linked =
                if path.is_empty() { file.clone() } else { file.parent().expect("a folder").join(path) };
            assert!(linked.exists(), "{}: {target}", file.display());
            if !anchor.is_empty() {
                let linked = fs::read_to_string(&linked).expect("a document");
                assert!(anchors(&linked).iter().any(|a| a == anchor), "{}: {target}", file.display());
            }
            links += 1;
        }
    }
    assert!(links > 50, "{links}");
}
