//! Runs the corpus of the fuzz targets (`fuzz/corpus`): what was found once stays found, without cargo-fuzz.

#[path = "../../../fuzz/src/targets.rs"]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn the_corpus_of_every_target_passes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, target) in targets::ALL {
        let mut inputs: Vec<_> = fs::read_dir(corpus.join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .map(|entry| entry.expect("an entry").path())
            .collect();
        inputs.sort();
        assert!(!inputs.is_empty(), "{name} has a corpus");
        for input in inputs {
            // A test that panics shows what was printed, so the last line names the input.
            println!("{}", input.display());
            target(&fs::read(&input).expect("a file"));
        }
    }
}

#[test]
fn every_target_is_a_target_of_cargo_fuzz() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let mut files: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let mut names: Vec<String> = targets::ALL.iter().map(|(name, _)| (*name).to_owned()).collect();
    names.sort();
    assert_eq!(files, names);
}
