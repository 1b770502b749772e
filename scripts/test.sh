#!/usr/bin/env bash
# Installs what the tests need and runs all of them: formatting, lints, unit, integration and documentation tests.
set -euo pipefail
cd "$(dirname "$0")/.."

for component in rustfmt clippy; do
  cargo "${component/rustfmt/fmt}" --version >/dev/null 2>&1 || rustup component add "$component"
done

# The Go tests play a few games against GNU Go, and those of chess ask Stockfish. Without them, the tests say that they were skipped.
for rival in gnugo stockfish; do
  if command -v "$rival" >/dev/null || [ -x "/usr/games/$rival" ]; then continue; fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update -qq && apt-get install -y -qq "$rival"; } >/dev/null 2>&1 || true
  elif command -v sudo >/dev/null && command -v apt-get >/dev/null; then
    { sudo -n apt-get update -qq && sudo -n apt-get install -y -qq "$rival"; } >/dev/null 2>&1 || true
  fi
  command -v "$rival" >/dev/null || [ -x "/usr/games/$rival" ] ||
    echo "$rival is not installed: tests against it are skipped (apt-get install $rival)" >&2
done

# The browser tests drive a real browser.
if ! command -v chromedriver >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium chromium-driver fonts-dejavu-core >/dev/null
  else
    echo "The browser tests need chromium and its driver: apt-get install chromium chromium-driver (or set SKIP_BROWSER=1)." >&2
    [ -n "${SKIP_BROWSER:-}" ] || exit 1
  fi
fi
if [ -z "${SKIP_BROWSER:-}" ]; then export GAMEBENCH_BROWSER=1; fi

# What is built here is built once: in one piece, without notes for the next time and without lines for a debugger it is less work for the
# compiler, and the tests run faster. `cargo test` by hand keeps its own.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_CODEGEN_UNITS=1 CARGO_PROFILE_DEV_DEBUG=0

# All of it takes about ten minutes: what is being done, and when it began.
step() { echo "== after $SECONDS s: $1" >&2; }

cargo fmt --all --check
# Examples are compiled by clippy; to link them as well would take another minute.
tests=(--workspace --lib --bins --tests --quiet)
step "compile the tests"
cargo test "${tests[@]}" --no-run
scripts/test-python.sh --build

# What only compiles goes on beside the tests, which often wait or have work for one thread. They come first, since some look at the clock.
# The tests of Python follow the lints: they wait for downloads, while the tests of the page wait for a browser.
beside() {
  # Until the tests have begun: before that they ask cargo what there is to do, and it does one thing at a time.
  sleep 5
  # The page is plain JavaScript; its types are checked by TypeScript, which is used for nothing else.
  if command -v npm >/dev/null 2>&1; then
    nice -n 10 scripts/check-types.sh
  else
    echo "npm is missing: the types of the page are not checked" >&2
  fi
  step "lints, beside the tests"
  nice -n 10 cargo clippy --workspace --all-targets --quiet -- -D warnings
  step "the Python package, beside the tests"
  scripts/test-python.sh --built &
  local python=$!
  # Broken links in the documentation of the library.
  step "documentation of the library, beside the tests"
  RUSTDOCFLAGS="-D warnings" nice -n 10 cargo doc --workspace --no-deps --quiet
  nice -n 10 cargo test --workspace --doc --quiet
  wait "$python"
  step "all beside the tests is done"
}
beside &
beside=$!
trap 'kill "$beside" 2>/dev/null || true' EXIT
step "the tests"
cargo test "${tests[@]}" -- --skip browser::
# These wait for a browser most of the time, so that there may be more of them than cores.
step "the page in a browser"
cargo test --workspace --test it --quiet -- browser:: --test-threads 3
step "wait for what goes on beside the tests"
wait "$beside"
trap - EXIT
step "hostile lines"
# A few hostile lines: more of them with scripts/hostile.py --lines. It waits for several pipes at once, which Windows cannot.
[[ "$(uname)" =~ ^(MINGW|MSYS) ]] || python3 scripts/hostile.py --lines 1000 --slack 1000 --binary "${CARGO_TARGET_DIR:-target}/debug/gamebench"
step "all passed"
