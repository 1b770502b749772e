"""What the tests install is pinned, and its licences are those that are listed."""

import importlib.metadata
import importlib.util
import pathlib
import re
import sys

import pytest

HERE = pathlib.Path(__file__).parent
PERMISSIVE = {"MIT", "MIT-CMU", "BSD", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "ISC", "Zlib", "CC0-1.0", "Apache-2.0", "PSF-2.0"}
# Used by mypy, which looks at the examples and is part of nothing that is shipped.
OTHERS = {"pathspec": "MPL-2.0"}


def pins():
    lines = [line for line in (HERE / "requirements.txt").read_text().splitlines() if not line.startswith("#")]
    return {found[1].lower(): (found[2], found[3]) for found in (re.fullmatch(r"(\S+)==(\S+)  # (.+)", line) for line in lines)}


def test_licences_are_permissive_or_named():
    for name, (_, licence) in pins().items():
        parts = set(re.split(r" AND | OR ", licence))
        assert parts <= PERMISSIVE or OTHERS.get(name) == licence, (name, licence)


def test_whatever_the_tests_ask_for_is_pinned():
    asked = (HERE / "requirements.in").read_text().split()
    assert asked and set(asked) <= set(pins())


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the exact versions are for Python 3.11 and later")
def test_the_pinned_versions_are_installed():
    file = pathlib.Path(__file__).parents[3] / "scripts/pin-python.py"
    spec = importlib.util.spec_from_file_location("pin_python", file)
    pin_python = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pin_python)
    for name, (version, licence) in pins().items():
        installed = importlib.metadata.distribution(name)
        assert (installed.version, pin_python.licence(installed)) == (version, licence), name
