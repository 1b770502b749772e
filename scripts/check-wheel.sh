#!/usr/bin/env bash
# Installs the wheel of the Python package into an empty environment, as a user would, and uses it there: the wheel that is named, or else one that
# scripts/build-wheel.sh makes. With optimisation that takes some minutes, so that it is not part of scripts/test.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
wheel="$(realpath "${1:-$(scripts/build-wheel.sh)}")"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/environment"
# Without an index: it must not need anything.
"$folder/environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "$wheel"

# Elsewhere, so that nothing of the clone is imported.
cd "$folder"
"$folder/environment/bin/python" - "$wheel" <<'PYTHON'
import importlib.metadata
import pathlib
import re
import sys

import gamebench

wheel = pathlib.Path(sys.argv[1]).name
assert "-cp310-abi3-" in wheel, wheel
if sys.platform == "linux":
    assert re.search(r"-manylinux(2014|_2_17)_", wheel), wheel
assert pathlib.Path(gamebench.__file__).is_relative_to(sys.prefix), gamebench.__file__

about = importlib.metadata.metadata("gamebench")
needed = [line for line in importlib.metadata.requires("gamebench") or [] if "extra ==" not in line]
assert needed == [], needed
assert set(about.get_all("Provides-Extra")) == {"dask", "notebook"}, about.get_all("Provides-Extra")
assert about["Requires-Python"] == ">=3.10" and about["License-Expression"] == "MIT OR Apache-2.0", about.items()
assert {"Programming Language :: Python :: 3 :: Only", "Typing :: Typed"} <= set(about.get_all("Classifier"))
assert about["Description-Content-Type"].startswith("text/markdown")
names = {file.name for file in importlib.metadata.files("gamebench")}
assert {"py.typed", "__init__.pyi", "dask.py", "widget.py", "widget.js", "widget.css"} <= names, names
assert {"LICENSE-MIT", "LICENSE-APACHE"} <= names, names

# What the page of the package in the registry says is so.
readme = about.get_payload() or about["Description"]
code = re.search(r"```python\n(.*?)```", readme, re.S).group(1)
known, checked = {}, 0
for line in code.splitlines():
    said = re.match(r"(.*\S)\s+# (.*[\])'])$", line)
    if said:
        assert repr(eval(said[1], known)) == said[2], line
        checked += 1
    elif not line.startswith("board.widget"):
        exec(line, known)
assert checked >= 3, code

board = gamebench.game("clobber")("xo.|.ox")
assert (board + "^*").value() == gamebench.Value("^*") and "<svg" in board.svg()
assert gamebench.match("ab", "random", "clobber", "3x3", games=2, nodes=50)["games"] == 2
databases = gamebench.Databases("db")
assert databases.build("clobber", "2x3")[0]["boards"] == 3**6 and databases.value(board) == board.value()
try:
    import gamebench.dask
except ModuleNotFoundError as error:
    assert error.name == "distributed", error
print(f"{wheel} is installed and works without any other package")
PYTHON
