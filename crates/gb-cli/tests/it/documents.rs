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
    // Databases that the documents build; those of whoever runs the tests have nothing to do with them.
    let data = tempfile::tempdir().expect("a folder");
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
                run.args(["-c", command])
                    .current_dir(&root)
                    .env("PATH", &path)
                    .env("XDG_DATA_HOME", data.path());
                let run = run.output().expect("sh");
                let printed = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
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
