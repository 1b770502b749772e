#!/usr/bin/env bash
# Installs the Python package from this clone into a fresh environment, as a user would, and uses it there. With
# optimisation that takes some minutes, so that it is not part of scripts/test.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/environment"
"$folder/environment/bin/python" -m pip install --quiet --disable-pip-version-check ./crates/gb-py

# Elsewhere, so that nothing of the clone is imported.
cd "$folder"
"$folder/environment/bin/python" - <<'PYTHON'
import importlib.metadata
import pathlib
import sys

import gamebench

assert pathlib.Path(gamebench.__file__).is_relative_to(sys.prefix), gamebench.__file__
needed = [line for line in importlib.metadata.requires("gamebench") or [] if "extra ==" not in line]
assert needed == [], needed
board = gamebench.game("clobber")("xo.|.ox")
assert (board + "^*").value() == gamebench.Value("^*") and "<svg" in board.svg()
assert gamebench.match("ab", "random", "clobber", "3x3", games=2, nodes=50)["games"] == 2
assert gamebench.Databases("db").build("clobber", "2x3")[0]["boards"] == 3**6
try:
    import gamebench.dask
except ModuleNotFoundError as error:
    assert error.name == "distributed", error
names = {file.name for file in importlib.metadata.files("gamebench")}
assert {"py.typed", "__init__.pyi", "dask.py", "widget.py", "widget.js", "widget.css"} <= names, names
print(f"gamebench {gamebench.__version__} is installed and works without any other package")
PYTHON
