#!/usr/bin/env bash
# Builds the Python package and runs its tests in an environment of its own under target/. With --build it only builds, with --built it only
# tests: scripts/test.sh does other things between the two.
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

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
# The same selection as `cargo test --workspace`: with another one the features of dependencies differ, and everything is
# compiled again.
[ "${1:-}" = --built ] || cargo build --workspace --lib --tests --quiet
[ "${1:-}" != --build ] || exit 0

environment="$target/python"
case "$(uname)" in
  Darwin) programs=bin library=lib_gamebench.dylib extension=abi3.so ;;
  MINGW* | MSYS*) programs=Scripts library=_gamebench.dll extension=pyd ;;
  *) programs=bin library=lib_gamebench.so extension=abi3.so ;;
esac
[ -x "$environment/$programs/python" ] || python3 -m venv "$environment"
python="$environment/$programs/python"
# In exact versions, which need Python 3.11; an older one gets the newest that it can use.
requirements=crates/gb-py/tests/requirements.txt
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || requirements="${requirements%.txt}.in"
"$python" -m pip install --quiet --disable-pip-version-check -r "$requirements"

# The package is put together here as maturin would do it, without optimisation.
package="$target/python-package"
rm -rf "$package" && cp -r crates/gb-py/python "$package"
cp "$target/debug/$library" "$package/gamebench/_gamebench.$extension"

export PYTHONPATH="$package" MYPYPATH="$package"
"$python" -m pytest --quiet --doctest-glob='*.md' --doctest-modules \
  crates/gb-py/tests "$package/gamebench" docs/python.md
# What users write, and the examples of the document, have types that checkers accept.
examples="$target/python-examples.py"
"$python" crates/gb-py/tests/examples.py docs/python.md > "$examples"
"$python" -m mypy --strict --cache-dir "$target/mypy" crates/gb-py/tests/typed.py "$examples"
# pyright brings a program that it downloads when it is first run.
if "$environment/$programs/pyright" --version >/dev/null 2>&1; then
  "$environment/$programs/pyright" --level error --pythonpath "$python" crates/gb-py/tests/typed.py "$examples"
else
  echo "pyright could not be downloaded: its check was left out" >&2
fi
