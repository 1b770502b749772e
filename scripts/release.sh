#!/usr/bin/env bash
# Makes a release: scripts/release.sh 0.2.0
#
# Checks that the changelog has a section for the version, writes version and date where they stand, runs all tests, builds the
# packages, the wheel and the crates, and only then commits and tags. Nothing leaves this machine: pushing and publishing are done by hand.
# With --tested the tests are not run again: for a commit that has just passed them.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "$1" >&2; exit 1; }
version=${1:-}
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ && "${2:---tested}" = --tested ]] || fail "usage: scripts/release.sh MAJOR.MINOR.PATCH [--tested]"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed: git status"
[ -z "$(git tag --list "v$version")" ] || fail "there is a version $version already: git show v$version"
grep -q "^## $version, not yet released$" CHANGELOG.md || fail "CHANGELOG.md: expected a section '## $version, not yet released'"
old=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
today=$(date +%Y-%m-%d)

# If anything below fails or is interrupted, the tree is as it was.
trap 'git checkout --quiet -- . ; echo "no release was made" >&2' EXIT
sed -i "s/^## $version, not yet released$/## $version, $today/" CHANGELOG.md
sed -i "s/^version = \"$old\"/version = \"$version\"/; s/\(path = \"crates[^}]*version = \)\"$old\"/\1\"$version\"/" Cargo.toml
sed -i "s/^version: .*/version: $version/; s/^date-released: .*/date-released: $today/" CITATION.cff
# This workspace and those beside it.
for manifest in Cargo.toml fuzz/Cargo.toml bench/*/Cargo.toml; do
  cargo update --workspace --quiet --manifest-path "$manifest"
done

[ "${2:-}" = --tested ] || scripts/test.sh
scripts/package.sh
scripts/check-wheel.sh
scripts/package-crates.sh --allow-dirty
git commit --quiet --all --message "Release $version"
git tag --annotate "v$version" --message "The Game Bench $version"
trap - EXIT
target=${CARGO_TARGET_DIR:-target}
echo "made v$version; its packages and crates are in $target/package, its wheel in $target/wheels. Next: git push origin main v$version, cargo publish --workspace --exclude gb-py --exclude gb-wasm"
