"""Databases, strategies and progress bars, through the package."""

from __future__ import annotations

import io
import pathlib
import pickle
import sys
from collections.abc import Mapping

import pytest

import gamebench
from gamebench import Databases, GameError, LimitReached, Value, game, progress
from rules_in_python import Clobber


@pytest.fixture
def databases(tmp_path: pathlib.Path) -> Databases:
    databases = Databases(tmp_path)
    databases.build("clobber", "3x3")
    return databases


def test_tables_are_built_once_and_described(databases: Databases):
    (table,) = databases.tables()
    assert (table["game"], table["scope"], table["boards"], table["values"]) == ("clobber", "all boards 3x3", 3**9, 356)
    before = pathlib.Path(table["file"]).stat().st_mtime_ns
    assert databases.build("clobber", "3x3") == [table]
    assert pathlib.Path(table["file"]).stat().st_mtime_ns == before
    assert [t["scope"] for t in databases.build("domineering", up_to=4)] == ["all boards 1x4", "all boards 2x2"]
    (parts,) = databases.build("domineering", parts=5, threads=2)
    assert parts["scope"] == "all parts up to 5 cells" and len(databases.tables()) == 4


def test_what_tables_say(databases: Databases):
    clobber = game("clobber")
    for text in ["xox|oxo|x.x", "xo.|.ox", "...|.x.|...", "ox"]:
        found = databases.query(clobber(text))
        assert found and found["value"] == clobber(text).value() and found["outcome"] == clobber(text).outcome()
        assert found["thermograph"] == clobber(text).thermograph()
    assert databases.query(clobber("xoxo|oxox|xoxo")) is None
    (less,) = Databases(databases.folder + "/less").build("clobber", "2x3", max_values=3)
    assert less["values"] < less["facts"]
    assert Databases(databases.folder + "/less").query(clobber("xox|oxo"))["value"] is None


def test_look_ups_say_what_searching_finds(databases: Databases):
    """All boards of the table, larger ones that fall apart, and negatives."""
    clobber = game("clobber")
    boards = [*clobber.positions("3x3")]
    assert [databases.value(board) for board in boards] == gamebench.values(boards)
    for board in [*boards[::97], clobber("xox..xo|oxo..ox"), clobber("xo.xo.xo.xo.xo")]:
        for position in (board, -board):
            found = databases.query(position)
            assert found and found["value"] == position.value() == databases.value(position)
            assert found["outcome"] == position.outcome() and found["thermograph"] == position.thermograph()
            assert found["atomic_weight"] == position.value().atomic_weight()
    whole, hot = databases.query(boards[-1]), Databases(databases.folder)
    assert isinstance(whole, Mapping) and list(whole) == ["value", "outcome", "thermograph", "atomic_weight"] == [*whole.keys()]
    assert dict(whole) == whole.to_dict() == whole == pickle.loads(pickle.dumps(whole)) and len(whole) == 4
    assert "value" in whole and "mean" not in whole and whole.get("mean", 3) == 3 and "outcome" in repr(whole)
    with pytest.raises(KeyError):
        whole["mean"]
    hot.build("domineering", "2x2")
    found = hot.query(game("domineering")("2x2"))
    assert found["value"] == Value("{1|-1}") and found["atomic_weight"] is None
    # What another process has built meanwhile is found as well.
    assert databases.value(game("domineering")("2x2")) == Value("{1|-1}")
    assert databases.value(clobber("xoxo|oxox|xoxo")) is None
    with pytest.raises(GameError, match="has no databases"):
        databases.value(game("nim")("3"))
    with pytest.raises(GameError, match="written in Python"):
        databases.query(gamebench.PythonGame(Clobber())(("xo",)))


def test_tables_are_checked_and_counted(databases: Databases):
    (verified,) = databases.verify(sample=50)
    assert verified["searched"] == 50 and verified["wrong"] == [] and verified["error"] is None
    (stats,) = databases.stats("clobber", sizes=True)
    assert sum(row["boards"] for row in stats["outcomes"]) == 3**9 == stats["boards"]
    assert {(size["rows"], size["cols"]) for size in stats["sizes"]} >= {(1, 3), (3, 3)}
    assert databases.stats("domineering") == []
    file = pathlib.Path(stats["file"])
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file.write_bytes(damaged)
    assert "damaged" in databases.verify()[0]["error"]


def test_questions_use_tables(tmp_path: pathlib.Path):
    """With the table, the value of a board in it is found without search."""
    databases, board = Databases(tmp_path), game("clobber")("xoxo|oxox|xoxo")
    with pytest.raises(LimitReached):
        board.value(nodes=10)
    databases.use()
    try:
        # A table that comes while the folder is in use is used.
        databases.build("clobber", "3x4", threads=2)
        value = board.value(nodes=10_000)
    finally:
        gamebench.use_databases(None)
    assert value == board.value()
    file = pathlib.Path(databases.tables()[0]["file"])
    file.write_bytes(b"nothing")
    with pytest.warns(RuntimeWarning, match="clobber-3x4.gbtable"):
        databases.use()
    gamebench.use_databases(None)


def test_mistakes_with_databases_are_sentences(tmp_path: pathlib.Path):
    databases = Databases(tmp_path)
    with pytest.raises(GameError, match="either a size"):
        databases.build("clobber")
    with pytest.raises(GameError, match="nim has no databases"):
        databases.build("nim", "3x3")
    with pytest.raises(LimitReached, match="go on where it stopped"):
        databases.build("clobber", "4x4", time=0.05)
    with pytest.raises(TypeError, match="seconds"):
        databases.build("clobber", "2x2", seconds=3)
    assert databases.tables() == [] and "Databases(" in repr(databases)


def test_strategies_choose_and_play():
    assert "hottest" in gamebench.strategies()["hotstrat"]
    board = game("domineering")("..#...|..####")
    for strategy in ["hotstrat", "sentestrat", "thermostrat", "optimal", "alpha-beta:4"]:
        chosen = board.choose("left", strategy)
        assert chosen["position"] == board.play("left", chosen["move"]).text and chosen["sure"]
    with pytest.raises(GameError, match="depth"):
        board.choose("left", "hotstrat:none")
    result = gamebench.match("optimal", "hotstrat", parts=5, games=6, both_begin=True)
    assert result["games"] == 6 == len(result["records"]) and result["worse"] == 0
    boards = gamebench.match("hotstrat", "sentestrat", "domineering", ["4x4", "..|.."], games=4)
    assert boards["games"] == 4
    assert gamebench.match("hotstrat", "greedy", "domineering", grid="5x5", parts=(2, 4), games=4, seed=3)["games"] == 4
    with pytest.raises(GameError, match="two of one kind"):
        gamebench.match("hotstrat", "mcts", "domineering", "4x4")
    with pytest.raises(GameError, match="start or grid"):
        gamebench.match("hotstrat", "greedy", "domineering")
    with pytest.raises(GameError, match="position or size"):
        gamebench.match("ab", "random", "clobber")


def test_progress_is_told_and_drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path):
    told: list[tuple[int, int]] = []
    Databases(tmp_path).build("clobber", "3x4", progress=lambda done, total: told.append((done, total)))
    assert told and told[-1][0] <= told[-1][1] == 3**12
    assert progress.bar(None, "nobody looks") is None and progress.bar(False, "unwanted") is None
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(progress, "PATIENCE", -1)
    shown = progress.bar(True, "work")
    shown.pause = -1
    shown(0, 8)
    shown(4, 8)
    shown.close()
    written = sys.stderr.getvalue()
    assert "###" in written and "work: 4 of 8" in written and "left" in written


def test_a_function_that_raises_ends_the_work(tmp_path: pathlib.Path):
    def enough(done: int, total: int) -> None:
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        Databases(tmp_path).build("clobber", "4x4", progress=enough)
