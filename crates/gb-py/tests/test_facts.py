"""The facts of testdata/, through the Python package."""

from __future__ import annotations

import csv
import pathlib

import pytest

import gamebench
from gamebench import Value, game

FACTS = pathlib.Path(__file__).parents[3] / "testdata" / "facts"


def rows(path: str) -> list[dict[str, str]]:
    with open(FACTS / path, encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def check(value: Value, row: dict[str, str]) -> None:
    assert value == Value(row["value"]), row
    if not row["mean"].startswith("o"):
        assert value.mean() == Value(row["mean"]), row
        assert value.temp() == Value(row["temp"]), row
    assert value.outcome() == row["outcome"], row
    assert value.left_stop() == Value(row["lstop"]) and value.rstop() == Value(row["rstop"]), row


def test_expressions():
    for row in rows("values/expressions.tsv"):
        check(Value(row["expr"]), row)


def test_order():
    for row in rows("values/order.tsv"):
        a, b = Value(row["a"]), Value(row["b"])
        relation = "=" if a == b else "<" if a < b else ">" if a > b else "||"
        assert relation == row["rel"], row
        assert a.confused_with(b) == (relation == "||")


def test_reduced_forms_and_atomic_weights():
    for row in rows("values/reduced_canonical_forms.tsv"):
        assert Value(row["value"]).rcf() == Value(row["rcf"]), row
    for row in rows("values/atomic_weights.tsv"):
        assert Value(row["value"]).aw() == Value(row["atomic_weight"]), row


SMALL = ["clobber", "domineering", "col", "snort", "nim", "konane", "nogo", "toads_and_frogs", "amazons"]


@pytest.mark.parametrize("name", SMALL)
def test_games(name: str):
    for row in rows(f"games/{name}.tsv"):
        if "value" not in row or len(row["position"]) > 20:
            continue
        position = game(row["game"])(row["position"])
        if "mean" in row:
            check(position.value(), row)
        else:
            assert position.value() == Value(row["value"]), row


def test_every_game_has_a_position_with_moves():
    for name in gamebench.games():
        try:
            rules = game(name)
        except gamebench.GameError as error:
            # Some games need parameters; the message shows how to give them.
            rules = game(str(error).split("`")[1])
        position = rules(rules.example)
        assert position.moves("left") or position.moves("right"), name
        assert "<svg" in position.svg()
