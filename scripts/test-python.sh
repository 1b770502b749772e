#!/usr/bin/env bash
# Builds the Python package in an environment of its own under target/, and runs its tests. Called by scripts/test.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! python3 -c 'import venv, ensurepip' >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends python3 python3-venv >/dev/null
  else
    echo "The tests of the Python package need Python 3.10 or later with venv: apt-get install python3 python3-venv" >&2
    exit 1
  fi
fi

environment="$PWD/target/python"
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check -r crates/gb-py/tests/requirements.txt

# Without optimisation: the other tests have compiled nearly all of it already.
(cd crates/gb-py && VIRTUAL_ENV="$environment" "$environment/bin/maturin" develop --quiet)
"$environment/bin/python" -m pytest --quiet --doctest-glob='*.md' --doctest-modules \
  crates/gb-py/tests crates/gb-py/python/gamebench/__init__.py docs/python.md
"$environment/bin/python" -m mypy --strict crates/gb-py/tests/typed.py
