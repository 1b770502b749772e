#!/usr/bin/env bash
# Lets Coq check facts of the bench (export.py), and looks whether it refuses a wrong one. Needs Debian's `coq`.
#   checker/coq/check.sh [BINARY] [COUNT] [SEED]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
binary=$(realpath "${1:-$here/../../target/release/gamebench}")
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
cp "$here/Bench.v" "$room"
cd "$room"
python3 "$here/export.py" --binary "$binary" --count "${2:-100}" --seed "${3:-1}" > Facts.v
python3 "$here/export.py" --binary "$binary" --count 5 --wrong > Wrong.v
coqc Bench.v
coqc -Q . "" Facts.v
if coqc -Q . "" Wrong.v > /dev/null 2>&1; then
  echo "Coq has accepted a wrong fact" >&2
  exit 1
fi
head -1 Facts.v
