#!/usr/bin/env bash
# Builds the page without a server and tests it: in Node.js against the program, and in a real browser.
# Where there is no compiler for WebAssembly, no Node.js or no browser, it says what is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-target}"
site="$(mkdir -p "$target" && cd "$target" && pwd)/bench-site"

scripts/build-site.sh "$site" || {
  [ $? = 3 ] || exit 1
  echo "The page without a server is not tested: it was not built." >&2
  exit 0
}

bytes=$(cat "$site"/* | wc -c)
if [ "$bytes" -gt 3145728 ]; then
  echo "The page without a server has $bytes bytes: at most 3 MB were promised." >&2
  exit 1
fi

if command -v node >/dev/null; then
  cargo build --release --quiet
  node crates/gb-wasm/tests/compare.mjs "$site" "$target/release/gamebench"
else
  echo "Node.js is missing: the engine is not compared with the program." >&2
fi

if command -v chromedriver >/dev/null; then
  # Two tests of the trainer want proofs in a few seconds that take the program two threads, and tables that it keeps in files.
  GAMEBENCH_SITE="$site" GAMEBENCH_BROWSER=1 cargo test --quiet --package gb-web --test it browser -- \
    --skip a_mistake_is_answered --skip corresponding_squares
else
  echo "chromedriver is missing: the page without a server is not tested in a browser (apt-get install chromium chromium-driver)." >&2
fi
