#!/usr/bin/env bash
# Makes packages of all crates that are meant for a registry, in the order in which they depend on each other, and builds each from its package alone, against
# the packages of those before it: what `cargo publish --workspace` would send. Nothing leaves this machine. With --no-verify nothing is built.
set -euo pipefail
cd "$(dirname "$0")/.."
# gb-py is published as a wheel and gb-wasm as a folder of files: their manifests say so.
cargo package --workspace --exclude gb-py --exclude gb-wasm --locked --quiet "$@"
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
ls "${CARGO_TARGET_DIR:-target}"/package/*-"$version".crate
