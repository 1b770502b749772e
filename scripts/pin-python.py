#!/usr/bin/env python3
"""Pins what the tests of the Python package install: with newer versions in target/python,

    rm -r target/python && python3 -m venv target/python
    target/python/bin/python -m pip install -r crates/gb-py/tests/requirements.in
    target/python/bin/python scripts/pin-python.py

writes the version and the licence of everything that is installed there into crates/gb-py/tests/requirements.txt."""

import importlib.metadata
import pathlib

FILE = pathlib.Path(__file__).parents[1] / "crates/gb-py/tests/requirements.txt"
HEAD = """\
# What the tests of the Python package install, in exact versions, with the licence each declares. Written by scripts/pin-python.py from
# requirements.in, which has what the tests ask for themselves. For Python 3.11 and later; nothing of it is part of the package.
"""
# Words of metadata for what has a shorter name.
NAMES = {
    "MIT License": "MIT",
    "BSD License": "BSD",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


def licence(distribution):
    """What a package declares: as an expression, as a classifier, or in words of its own."""
    about = distribution.metadata
    classifiers = [c.split(" :: ")[-1] for c in about.get_all("Classifier", []) if c.startswith("License :: ")]
    said = about.get("License-Expression") or " AND ".join(classifiers) or (about.get("License") or "unknown").splitlines()[0]
    return NAMES.get(said, said)


def main():
    installed = {d.metadata["Name"].lower(): d for d in importlib.metadata.distributions()}
    tools = {"pip", "setuptools", "wheel"}
    lines = [f"{d.metadata['Name']}=={d.version}  # {licence(d)}\n" for name, d in sorted(installed.items()) if name not in tools]
    FILE.write_text(HEAD + "".join(lines))


if __name__ == "__main__":
    main()
