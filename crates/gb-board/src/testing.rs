//! For the tests of the bench: facts that are known to be right, from `testdata/facts` of the repository.

use std::path::Path;

/// The rows of a file of facts, such as `games/clobber.tsv`, with its heading as the first.
///
/// # Panics
/// If there is no such file.
pub fn table(file: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// The rows of a file of facts without its heading.
///
/// # Panics
/// If there is no such file.
pub fn facts(file: &str) -> Vec<Vec<String>> {
    table(file).split_off(1)
}
