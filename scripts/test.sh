#!/usr/bin/env bash
# Installs what the tests need and runs all of them: formatting, lints, unit, integration and documentation tests.
set -euo pipefail
cd "$(dirname "$0")/.."

for component in rustfmt clippy; do
  cargo "${component/rustfmt/fmt}" --version >/dev/null 2>&1 || rustup component add "$component"
done

cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
cargo test --workspace --quiet
