"""Ten things that somebody who is new to the package does first."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
from fractions import Fraction

import pytest

import gamebench
from gamebench import Databases, PythonGame, Value, game


def test_1_a_table_of_all_values_of_clobber_on_a_row():
    clobber = game("clobber")
    seen = {n: {board.value() for board in clobber.positions(f"1x{n}")} for n in range(1, 7)}
    assert seen[1] == {Value(0)} and seen[2] == {Value(0), Value("*")}
    assert len(seen[6]) > len(seen[5]) > len(seen[4]) > len(seen[3])
    rows = gamebench.table(board for n in (1, 2, 3) for board in clobber.positions(f"1x{n}"))
    assert len(rows) == 3 + 9 + 27 and rows.counts()[Value(0)] == sum(1 for row in rows if row["value"] == 0)


def test_2_distributions_with_pandas_and_matplotlib():
    pandas = pytest.importorskip("pandas")
    numpy, matplotlib = pytest.importorskip("numpy"), pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    boards = game("domineering").table("2x3")
    frame = boards.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["mean"].dtype == float
    assert frame.groupby("outcome").size().sum() == len(frame) == 2**6
    assert frame["value"].value_counts()[Value(0)] == boards.counts()[Value(0)]
    counts, _, _ = pyplot.hist(frame["temperature"])
    assert counts.sum() == len(frame)
    assert pyplot.hist(boards.to_numpy()["mean"])[0].sum() == len(frame)
    # Means are exact, and are drawn nevertheless.
    assert all(isinstance(mean, Fraction) for mean in boards["mean"]) and boards["mean"] == [b.mean() for b in boards["position"]]
    heights, edges, _ = pyplot.hist(boards["mean"], bins=5)
    assert heights.sum() == len(frame) and (edges[0], edges[-1]) == (min(boards["mean"]), max(boards["mean"]))
    assert pyplot.hist([boards["mean"], boards["temperature"]])[0].shape[0] == 2
    pyplot.boxplot([boards["mean"], boards["temperature"]])
    loopy = gamebench.Table([{"mean": Fraction(1, 2)}, {"mean": None}])
    assert loopy["mean"].to_numpy()[0] == 0.5 and numpy.isnan(numpy.asarray(loopy["mean"])[1])
    assert frame.groupby("outcome")["mean"].mean()["L"] > frame["mean"].mean() > frame.groupby("outcome")["mean"].mean()["R"]
    pyplot.plot(boards["mean"], boards["temperature"])
    axes = gamebench.overlay("{3|{1|-2}}", game("domineering")("2x3"), "1/2")
    assert len(axes.lines) == 6 and axes.xaxis_inverted() and len(axes.get_legend().get_texts()) == 3
    assert Value("{2|-1}").thermograph().plot(pyplot.figure().add_subplot()).get_ylabel() == "temperature"
    pyplot.close("all")


class PartizanSubtraction:
    """Left takes 1 or 3 from a heap, Right 2 or 3."""

    def options(self, heap, player):
        return [heap - take for take in ((1, 3) if player == "left" else (2, 3)) if take <= heap]


class Chomp:
    """Rows of chocolate; who takes the last corner has lost, so it is not taken."""

    impartial = True

    def options(self, rows, player):
        for row, length in enumerate(rows):
            for left in range(length):
                if row or left:
                    yield tuple(x for x in (*rows[:row], *(min(x, left) for x in rows[row:])) if x)


def test_3_games_of_ones_own():
    subtraction = PythonGame(PartizanSubtraction(), check=True)
    found = [str(value) for value in subtraction.values(range(7))]
    naive = [Value(0)]
    for heap in range(1, 7):
        naive.append(
            Value.of_options(
                [naive[heap - take] for take in (1, 3) if take <= heap],
                [naive[heap - take] for take in (2, 3) if take <= heap],
            )
        )
    assert found == [str(value) for value in naive] and found[:2] == ["0", "1"]
    chomp = PythonGame(Chomp())
    assert chomp((1,)).outcome() == "P"
    assert all(chomp((n,) * m).outcome() == "N" for n in range(1, 4) for m in range(1, 4) if n * m > 1)
    assert chomp((4, 1, 1, 1)).outcome() == "P" and chomp((4, 4)).winning_moves("left") == ["(4, 3)"]


def test_4_a_graph_game_on_graphs_of_networkx():
    networkx = pytest.importorskip("networkx")

    class NodeKayles:
        """Takes a node and all its neighbours; what does not hang together is a sum."""

        impartial = True

        def __init__(self, graph):
            self.graph = graph

        def options(self, nodes, player):
            return [nodes - {node, *self.graph[node]} for node in nodes]

        def parts(self, nodes):
            return map(frozenset, networkx.connected_components(self.graph.subgraph(nodes)))

    for n in range(1, 12):
        path = networkx.path_graph(n)
        value = PythonGame(NodeKayles(path), check=n == 6).value(frozenset(path))
        # On a path it is the octal game 0.137.
        assert value == game("octal(0.137)")(str(n)).value(), n
    assert PythonGame(NodeKayles(networkx.petersen_graph())).outcome(frozenset(range(10))) in ("N", "P")


def test_5_playing_by_hand():
    total = game("domineering")("..|..") + game("clobber")("xox") + PythonGame(PartizanSubtraction())(5)
    who = "left"
    for _ in range(40):
        moves = total.moves(who)
        if not moves:
            break
        total = total.play(who, total.choose(who)["move"])
        who = "right" if who == "left" else "left"
    assert not total.moves(who)
    with pytest.raises(gamebench.GameError, match="no summand"):
        total.play("left", "z9")


def test_6_all_boards_hotter_than_1():
    hot = game("domineering").table("3x3").filter(lambda row: row["temperature"] > 1)
    assert hot and all(row["value"].temperature() > 1 for row in hot)
    hottest = max(hot, key=lambda row: row["temperature"])
    assert hottest["temperature"] == hottest["position"].temperature() > Fraction(1)


def _value(position):
    return str(position.value())


def test_7_multiprocessing():
    nim = PythonGame(PartizanSubtraction())
    positions = [*game("clobber").positions("1x4")][:20] + [nim(4), -nim(5)] + [nim(3) + game("nim")("3") - "^"]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(_value, positions) == [_value(position) for position in positions]


def test_8_a_long_search_with_progress_and_ctrl_c():
    told = []
    boards = [*game("domineering").positions("4x4")]
    found = gamebench.values(boards, progress=lambda done, total: told.append((done, total)))
    assert len(found) == 2**16 and told == sorted(told) and told[-1][0] == told[-1][1] > 0
    script = (
        "import gamebench, sys\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    gamebench.game('domineering')('9x9').value(progress=lambda nodes, total: print('nodes', nodes, flush=True))\n"
        "except KeyboardInterrupt:\n"
        "    print('ended')\n"
    )
    run = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    seen = []
    for line in run.stdout:
        seen.append(line.split()[0])
        if seen[-1] == "nodes" and seen.count("nodes") == 2:
            os.kill(run.pid, signal.SIGINT)
    assert run.wait(30) == 0 and seen[0] == "ready" and seen[-1] == "ended" and seen.count("nodes") >= 2


def test_9_save_and_load(tmp_path):
    board = game("clobber")("xo.|.ox")
    text = gamebench.Game("game steps\nboard strip\ncells x piece, . empty\nleft: x. -> .x")("x..")
    nim = PythonGame(PartizanSubtraction())
    things = [
        board,
        -board,
        text,
        board + text - "^",
        board.value(),
        Value("over"),
        board.thermograph(),
        board.analyze(),
        game("clobber"),
        game("clobber").table("1x2"),
        gamebench.wilson(3, 4),
        gamebench.match("ab", "random", "clobber", "2x2", games=2, nodes=10),
        gamebench.Negative((1, 2)),
    ]
    for thing in things:
        again = pickle.loads(pickle.dumps(thing))
        assert again == thing or str(again) == str(thing) or again.rows == thing.rows, thing
    again = pickle.loads(pickle.dumps([nim(4), nim(5) + board]))
    assert again[0].value() == nim(4).value() and again[1].value() == (nim(5) + board).value()
    assert again[0].state == 4 and isinstance(again[0].play("left", "3").state, int)
    for value in [Value("{1|-1}"), Value("^^*3"), Value(2**80), Value("tiny(2)"), Value("upon")]:
        assert Value.from_json(value.to_json()) == value


def test_10_a_database_and_a_match(tmp_path):
    databases = Databases(tmp_path)
    databases.build("clobber", "2x3", progress=False)
    board = game("clobber")("xox|oxo")
    assert databases.query(board)["value"] == board.value()

    def perfect(position, who):
        """Wins where that can be."""
        return (position.winning_moves(who) or position.moves(who))[0]

    result = gamebench.match(perfect, "random", "clobber", "3x4", games=20, random_moves=2, nodes=1)
    assert result["games"] == 20 == result["won"] + result["drawn"] + result["lost"] == len(result["table"])
    low, high = result["interval"]
    assert 0 <= low < result["share"] < high <= 1 and result["won"] > result["lost"]
    assert {row["left"] for row in result["table"]} == {"A", "B"}
    named = gamebench.match("ab", "random", "clobber", "3x3", games=4, nodes=50)
    assert len(named["table"]) == 4 and sum(row["winner"] == "A" for row in named["table"]) == named["won"]
    own = gamebench.match("ab", perfect, PythonGame(PartizanSubtraction()), 9, games=2, nodes=50)
    assert own["games"] == 2
    with pytest.raises(gamebench.GameError, match="wrong plays `x`"):

        def wrong(position, who):
            return "x"

        gamebench.match(wrong, "random", "clobber", "2x2", games=2)
