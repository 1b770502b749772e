"""Positions of all kinds of games, sums and values answer the same questions, and agree with each other."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

import gamebench
from gamebench import GameError, Negative, PythonGame, Sum, Value, game
from rules_in_python import Clobber


class SignedClobber(Clobber):
    """A board stands for the one in which the players have changed places."""

    def normalise(self, board):
        swapped = tuple(row.translate(str.maketrans("xo", "ox")) for row in board)
        return board if board <= swapped else Negative(swapped)


TEXT = """game pushes
board strip
cells x piece, o piece, . empty
left: x. -> .x
right: .o -> o."""

PYTHON = PythonGame(Clobber())


def kinds():
    yield game("clobber")("xox.|.oxo")
    yield gamebench.Game(TEXT)("x..o.x.o")
    yield PYTHON(("xox.", ".oxo"))
    yield PythonGame(SignedClobber())(("xox.", ".oxo"))
    yield game("domineering")("..#.|....")
    yield game("nim")("5")
    yield game("clobber")("xo.|.ox") + game("domineering")("..|..") + "^*"
    yield PYTHON(("xox",)) + game("clobber")("xo") - Value("^")
    yield Value("{3|{1|-2}}")


@pytest.mark.parametrize("position", list(kinds()), ids=str)
def test_every_question(position):
    value = position.value()
    assert isinstance(value, Value)
    assert position.outcome() == value.outcome()
    assert position.mean() == value.mean() and isinstance(position.mean() + Fraction(0), Fraction)
    assert position.temperature() == value.temperature()
    assert position.thermograph() == value.thermograph()
    # The value follows from the options.
    lefts, rights = ([option.value() for option in position.options(who)] for who in ("left", "right"))
    assert Value.of_options(lefts, rights) == value
    for who in ("left", "right"):
        wins = (lambda left: left >= 0) if who == "left" else (lambda left: left <= 0)
        winning = {move for move in position.moves(who) if wins(position.play(who, move).value())}
        assert set(position.winning_moves(who)) <= winning
        assert bool(position.winning_moves(who)) == bool(winning)
        assert {str(position.play(who, move)) for move in position.moves(who)} == {str(o) for o in position.options(who)}
    parts = position.parts()
    assert sum((part.value() for part in parts), Value(0)) == value
    assert position.analyze().to_dict()["sum"]["value"] == str(value)
    again = pickle.loads(pickle.dumps(position))
    assert again.value() == value and again.moves("left") == position.moves("left")
    if not isinstance(position, Value):
        chosen = position.choose("left", nodes=50) if not isinstance(position, Sum) else position.choose("left")
        assert str(position.play("left", chosen["move"])).lstrip("-") == chosen["position"]


@pytest.mark.parametrize("position", list(kinds()), ids=str)
def test_arithmetic(position):
    value = position.value()
    assert (-position).value() == -value and --position == position
    assert (-position).outcome() == (-value).outcome()
    assert (-position).thermograph() == (-value).thermograph() == -position.thermograph()
    assert (position - position).value() == 0 and (position - position).outcome() == "P"
    assert (3 * position).value() == 3 * value == (position * 3).value()
    assert (-2 * position).value() == -2 * value and (0 * position).value() == 0
    assert (position + "^").value() == value + "^" and ("^" + position).value() == value + "^"
    assert (Value("^") - position).value() == Value("^") - value
    assert (1 - position).value() == 1 - value and (position - 1).value() == value - 1
    if not any(isinstance(term, Value) for term in getattr(position, "terms", [position])):
        assert (-position).moves("left") == position.moves("right")
    again = pickle.loads(pickle.dumps(position))
    # The rules of a game in Python are an object, of which there are two now.
    in_python = any("PythonGame" in repr(term) for term in getattr(position, "terms", [position]))
    assert (again == position) != in_python
    assert in_python or hash(again) == hash(position)
    assert {position: 1}[position] == 1 and position != position + 1


def test_games_in_python_agree_with_the_list():
    signed, theirs = PythonGame(SignedClobber(), check=True), game("clobber")
    for board in theirs.positions("2x3"):
        rows = tuple(board.text.split("|"))
        assert PYTHON(rows).value() == signed(rows).value() == board.value(), rows
        assert PYTHON(rows).outcome() == board.outcome()
    assert len(signed) < len(PYTHON)
    assert PYTHON(("xo",)).winning_moves("left") == [".x"]
    for player in ("mcts", "ab+all", "random", "hotstrat"):
        chosen = PYTHON(("xoxo", "oxox")).choose("left", player, nodes=100)
        assert chosen["move"] in PYTHON(("xoxo", "oxox")).moves("left"), player


def test_the_negative_of_a_variant_answers_all_questions():
    board = game("impartial(clobber)")("xoxo")
    assert (-board).value() == board.value() and (-board).outcome() == board.outcome() == "N"
    assert (-board).winning_moves("left") == board.winning_moves("right") != []
    assert (board - board).outcome() == "P" and (board - board).winning_moves("left") == []
    assert (-board).analyze().to_dict()["sum"]["value"] == str(board.value())


class ClaimedClobber(Clobber):
    symmetries = "all"
    swap = "xo"
    empty = "."


def test_claims_of_boards_need_no_methods():
    claimed, theirs = PythonGame(ClaimedClobber()), game("clobber")
    assert claimed.check(("xoxo", "oxox")) > 100
    for board in theirs.positions("2x4"):
        rows = tuple(board.text.split("|"))
        assert claimed.value(rows) == board.value(), rows
    assert claimed(("xo.x", "...o")).parts() == [claimed(("xo",)), claimed(("x", "o"))]

    # All images of a board have one normal form: about the others the rules are not asked.
    asked = []

    class Recorded(ClaimedClobber):
        def options(self, board, player):
            asked.append((board, player))
            return super().options(board, player)

    recorded, board = PythonGame(Recorded()), ("xox", "oox")
    value, once = recorded.value(board), len(asked)
    for image in (board, tuple(map("".join, zip(*board)))):
        for upright in (image, image[::-1]):
            for seen in (upright, tuple(row[::-1] for row in upright)):
                swapped = tuple(row.translate(str.maketrans("xo", "ox")) for row in seen)
                assert recorded.value(seen) == value == -recorded.value(swapped)
    assert once > 0 and len(asked) == once
    assert claimed.value(("", "")) == 0 == claimed.value(("..", ".."))

    class Wrong(Clobber):
        """In Clobber the players must change places as well."""

        swap = "x."

    with pytest.raises(GameError, match="normal form"):
        PythonGame(Wrong(), check=True)(("xox", "oxo"))
    for name, wrong in (("symmetries", "turns"), ("swap", "x"), ("empty", "..")):
        with pytest.raises(GameError, match=f"{name} = .*expected"):
            PythonGame(type("Rules", (Clobber,), {name: wrong})())


def test_wrong_claims_are_found():
    class WrongParts(Clobber):
        def parts(self, board):
            return [(row,) for row in board]

    with pytest.raises(GameError, match="parts"):
        PythonGame(WrongParts(), check=True)(("xo", "ox"))
    assert PythonGame(WrongParts(), check=True)(("xo",)).value() == Value("*")

    class WrongForm(Clobber):
        def normalise(self, board):
            return tuple(row.translate(str.maketrans("xo", "ox")) for row in board)

    with pytest.raises(GameError, match="normal form") as error:
        PythonGame(WrongForm(), check=True)(("xox", "ooo"))
    assert "`.xo|oo.`" in str(error.value)
    assert PythonGame(SignedClobber(), check=True).check(("xox", "ox.")) > 10


def test_games_in_python_may_be_loopy():
    class Walk:
        """A piece walks on a circle as long as somebody likes; Left alone can leave it."""

        def options(self, at, player):
            if at == "out":
                return []
            return [(at + 1) % 3] + (["out"] if player == "left" and at == 0 else [])

    walk = PythonGame(Walk())
    assert walk(0).value().is_loopy() and walk(1).outcome() in ("D", "N-hat", "P-hat", "L")

    class On:
        def options(self, at, player):
            return [at] if player == "left" else []

    assert PythonGame(On())("here").value() == Value("on") and PythonGame(On())("here").outcome() == "L"
    assert (PythonGame(On())("here") + 5).value() == Value("on")
    assert PythonGame(On(), check=True).check("here") == 0


def test_values_and_texts_numbers_and_infinities():
    with pytest.warns(UserWarning, match="never equal to a text"):
        assert not Value("*") == "*"
    with pytest.raises(TypeError):
        assert Value("*") < "1"
    assert Value(3) == 3 and Value("1/2") == 0.5 and Value("1/2") == Fraction(1, 2) and Value(3) != 4
    infinity = float("inf")
    for text in ["0", "^", "1000", "{1000|-1000}"]:
        assert -infinity < Value(text) < infinity and Value(text) != infinity
    assert Value("on") == infinity and hash(Value("on")) == hash(infinity) and float(Value("off")) == -infinity
    assert Value(0) != float("nan") and not Value(0) == Fraction(1, 3)
    equal = [Value("{1|-1}"), Value("+-1"), Value("{1,0|-1}")]
    assert len(set(equal)) == 1
    assert isinstance(Value("1/2").mean(), Fraction) and isinstance(Value("^").birthday(), int)
    assert Value("*5").nimber() == 5 and Value(0).nimber() == 0 and Value("*").is_nimber()
    with pytest.raises(GameError, match="no nimber"):
        Value("^").nimber()


def test_methods_have_names_signatures_and_documentation():
    import inspect

    from gamebench import _value

    for name, member in vars(Value).items():
        if not name.startswith("_"):
            assert getattr(Value, name).__doc__, name
            assert inspect.signature(member) is not None
    for short, full in _value.ALIASES.items():
        assert getattr(Value, short) is getattr(Value, full)
    with pytest.raises(AttributeError):
        Value("1").temprature()


def test_a_known_board_needs_no_search_and_no_thread():
    import timeit

    board = game("clobber")("xoxo|oxox")
    board.value()
    # In a build without optimisation on a busy machine; docs/python.md has the figures that matter.
    assert min(timeit.repeat(board.value, number=1000, repeat=5)) / 1000 < 20e-6


def test_positions_of_a_size():
    assert [board.text for board in game("nim").positions("3")] == ["0", "1", "2", "3"]
    assert len([*game("domineering").positions("2x2")]) == 16
    assert all(board.game == "clobber" for board in game("clobber").positions("1x2"))
    with pytest.raises(GameError, match="size"):
        game("nim").positions("2x2")
    with pytest.raises(gamebench.LimitReached):
        gamebench.values([game("domineering")("6x6")], nodes=100)


def test_databases_taken_into_use_are_used_by_positions_that_were_there_before(tmp_path):
    databases = gamebench.Databases(tmp_path)
    databases.build("clobber", "3x3", progress=False)
    # What other tests have found is forgotten.
    gamebench.use_databases(None)
    board = game("clobber")("xox|oxo|x.x")
    with pytest.raises(gamebench.LimitReached):
        game("clobber")("xox|oxo|xo.").value(nodes=1)
    databases.use()
    try:
        assert board.value(nodes=5) == databases.query(board)["value"]
    finally:
        gamebench.use_databases(None)
    assert board.value() == game("clobber")("xox|oxo|x.x").value()


def test_tables_for_other_libraries():
    boards = game("domineering").table("2x2")
    assert len(boards[:3]) == 3 and boards[0]["position"].text == boards["position"][0].text
    assert [row["mean"] for row in boards.sort("mean")] == sorted(boards["mean"])
    loopy = gamebench.table([Value("over"), Value("on"), Value("{1|-1}")])
    assert loopy["temperature"] == [None, None, 1]
    numpy = pytest.importorskip("numpy")
    array = boards.to_numpy()
    assert array["temperature"].dtype == float and array["value"][0] == str(boards[0]["value"])
    assert numpy.isnan(loopy.to_numpy()["mean"]).tolist() == [True, True, False]
    arrow = pytest.importorskip("pyarrow")
    assert isinstance(boards.to_arrow(), arrow.Table) and boards.to_arrow().num_rows == 16
    assert "<td>$" in boards._repr_html_()


def test_trees_of_options():
    tree = gamebench.option_tree(game("domineering")("..|.."), 3)
    assert len(tree.nodes) == 6 and not tree.cut and tree._repr_svg_().count("<rect") == 6
    assert tree.dot().count("->") == len(tree.edges) and gamebench.option_tree("*200", 1, most=50).cut
    networkx = pytest.importorskip("networkx")
    graph = tree.to_networkx()
    assert networkx.is_directed_acyclic_graph(graph) and graph.number_of_edges() == len(tree.edges)
    sums = gamebench.option_tree(game("clobber")("xo") + game("nim")("1"), 2)
    assert sums.nodes[0].value() == 0 and len(sums.nodes) > 3
