#!/usr/bin/env bash
# Runs every fuzz target for some seconds, beginning with its corpus, and says what was found:
#
#     scripts/fuzz.sh [SECONDS [TARGET...]]
#
# New inputs that reach new code are kept in fuzz/target/found, for the next run; what fails goes to fuzz/artifacts, with the
# command that shows it again. Needs no nightly compiler. An input may take ten seconds and the process two gigabytes: whatever
# takes more has ignored its limits.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${1:-60}
shift || true

cargo fuzz --version >/dev/null 2>&1 || cargo install --locked --version 0.13.2 cargo-fuzz
export RUSTC_BOOTSTRAP=1
targets=("$@")
if [ ${#targets[@]} = 0 ]; then mapfile -t targets < <(cargo fuzz list); fi

# There is one file of unsafe code in the project, so a sanitizer would find nothing and only take time.
build=(--sanitizer none --target-dir "${CARGO_TARGET_DIR:-target}/fuzz")
cargo fuzz build "${build[@]}"

failed=()
for target in "${targets[@]}"; do
  found="target/found/$target"
  mkdir -p "$found"
  log="target/found/$target.log"
  if cargo fuzz run "${build[@]}" "$target" "$found" "corpus/$target" -- \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$target: nothing found in $runs runs"
  else
    failed+=("$target")
    echo "$target: FAILED (see fuzz/$log)"
    grep -E -A3 'panicked at|ERROR: libFuzzer|SUMMARY|Test unit written|artifacts/' "$log" | head -20 || true
  fi
done

if [ ${#failed[@]} != 0 ]; then
  echo "found something in: ${failed[*]}"
  echo "cargo fuzz tmin TARGET FILE makes an input small; add it to fuzz/corpus/TARGET and as a test where it belongs"
  exit 1
fi
