"""What a user of the package meets."""

from __future__ import annotations

import doctest
import pickle
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction

import pytest

import gamebench
from gamebench import GameError, LimitReached, PythonGame, Value, game
from rules_in_python import Clobber


def test_arithmetic():
    up, star = Value("^"), Value("*")
    assert up + star == Value("^*") and star + star == 0
    assert 1 + up == Value("1^") and up - up == 0 and -up == Value("v") and 3 * up == Value("^3") == up * 3
    assert Value(Fraction(3, 4)) == Value("3/4") and Value(0.25) == Value("1/4")
    assert Value(2**100) - 2**100 == 0
    assert int(Value("{0|}")) == 1 and Value("3/4").fraction() == Fraction(3, 4) and float(Value("1/2")) == 0.5
    assert Value.of_options([1], [-1]) == Value("+-1")


def test_values_are_keys_and_can_be_stored():
    table = {Value("{1|-1}"): "hot", Value("3"): "three"}
    assert table[Value("+-1")] == "hot" and table[3] == "three"
    for number in [0, 1, -1, -2, 7, 2**61, -(2**200), 0.5, -0.375, Fraction(-7, 2**70), Fraction(2**90 + 1, 4)]:
        assert Value(number) == number and hash(Value(number)) == hash(number), number
    for text in ["{1|-1}", "^^*2", "over", "{2,{3|1}|-5}", "on"]:
        assert pickle.loads(pickle.dumps(Value(text))) == Value(text)
    position = game("clobber")("xo.|.ox")
    assert pickle.loads(pickle.dumps(position)) == position


def test_positions_of_texts_are_known_in_other_processes():
    steps = gamebench.Game("game steps\nboard strip\ncells x piece, . empty\nleft: x. -> .x")
    stored = pickle.dumps(steps("x..."))
    script = f"import pickle; print(pickle.loads({stored!r}).value())"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "3"


def test_every_function_of_the_calculator_is_a_method():
    for name, parameters, _, _ in gamebench._gamebench.functions():
        if parameters.startswith("G"):
            assert callable(getattr(Value, name)), name
            assert getattr(Value, name).__doc__


def test_examples_of_the_classes():
    for name in ["Value", "Game", "PythonGame", "Sum"]:
        text = getattr(gamebench, name).__doc__
        test = doctest.DocTestParser().get_doctest(text, {"game": game}, name, None, 0)
        assert test.examples and doctest.DocTestRunner().run(test).failed == 0, name


def test_loops():
    assert str(Value("over")) == "over" and Value("a{0|a}") == Value("over") and Value("over") > 0
    assert str(Value("on") + Value("off")) == "dud"


def test_texts():
    value = Value("{2|-1}")
    assert repr(value) == "Value('{2|-1}')" and value._repr_latex_() == "$\\{2|-1\\}$"
    assert Value("^*").unicode() == "↑⋆"
    graph = value.thermograph()
    assert graph.mean == Fraction(1, 2) and graph.temperature == 1.5 and "<svg" in graph._repr_svg_()


def test_positions():
    board = game("domineering")("..#.|..#.")
    assert [part.text for part in board.parts()] == ["..|..", ".|."]
    assert board.value() == Value("{2|0}") and board.outcome() == "N"
    assert board.winning_moves("left") == ["a1-a2", "b1-b2"]
    after = board.play("left", "a1-a2")
    assert after.text == "#.#.|#.#." and after.value() == 2
    assert {str(option) for option in board.options("right")} == {"###.|..#.", "..#.|###."}
    assert board.thermograph().mean == 1


def test_sums_of_different_games():
    total = game("clobber")("xo.|.ox") + game("domineering")("..|..") + "^*"
    assert total.value() == Value("{1^*|-1^*}")
    assert total.winning_moves("left") == ["2: a1-a2", "2: b1-b2"]
    found = total.analyze().to_dict()
    assert found["sum"]["value"] == "{1^*|-1^*}" and len(found["terms"]) == 3
    assert "<td>+-1</td>" in total.analyze()._repr_html_()


def test_players():
    board = game("clobber")("xo.|.xo")
    for spec in ["mcts", "mcts+all", "ab+all", "random"]:
        chosen = board.choose("left", spec, nodes=200)
        assert chosen["move"] in board.moves("left")
        assert chosen["position"] == board.play("left", chosen["move"]).text
    with pytest.raises(GameError, match="player"):
        board.choose("left", "abc")
    with pytest.raises(GameError, match="time"):
        board.choose("left", "ab", time=0)
    result = gamebench.match("ab", "random", "clobber", "3x4", games=6, nodes=300)
    assert result["games"] == 6 == result["won"] + result["drawn"] + result["lost"] and result["won"] >= 3
    assert len(result["records"]) == 6 and "(;" in result["records"][0]


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (lambda: Value("{1|"), "expected"),
        (lambda: Value("1/3"), "1/3"),
        (lambda: game("clober"), "did you mean `clobber`"),
        (lambda: game("clobber")("xz"), "z"),
        (lambda: game("domineering")("..|..").play("left", "z9"), "no move"),
        (lambda: game("domineering")("..|..").moves("middle"), "player"),
        (lambda: Value("{1|-1}").cool("*"), "number"),
        (lambda: int(Value("^")), "integer"),
    ],
)
def test_errors_are_sentences(work, words):
    with pytest.raises(GameError, match=words):
        work()


def test_memory_is_what_a_question_adds():
    """What earlier questions have left does not count against later ones: nobody could get rid of it."""
    clobber = game("clobber")
    with pytest.raises(LimitReached):
        clobber("5x6").value(memory=40_000_000)
    assert str(game("domineering")("3x4").value(memory=20_000_000)) == str(game("domineering")("3x4").value())


def test_limits():
    with pytest.raises(LimitReached):
        game("domineering")("8x8").value(time=0.2)
    with pytest.raises(LimitReached):
        game("domineering")("6x6").value(nodes=1000)


def test_ctrl_c_ends_a_search():
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        game("domineering")("9x9").value()
    assert time.monotonic() - start < 30


def test_other_threads_run_while_the_engine_works():
    ticks = []

    def tick():
        for _ in range(20):
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(LimitReached):
        game("domineering")("8x8").value(time=0.5)
    thread.join()
    assert len(ticks) == 20


def test_a_game_written_in_python():
    mine, theirs = PythonGame(Clobber()), game("clobber")
    for code in range(0, 3**9, 7):
        cells = "".join("xo."[code // 3**i % 3] for i in range(9))
        board = (cells[:3], cells[3:6], cells[6:])
        assert mine.value(board) == theirs("|".join(board)).value(), board
    board = ("xox", "oxo", "xox")
    assert mine.outcome(board) == theirs("xox|oxo|xox").outcome()
    assert mine.thermograph(board) == theirs("xox|oxo|xox").thermograph()


def test_python_is_asked_once_for_each_position():
    class Counting(Clobber):
        asked: list = []

        def options(self, board, player):
            self.asked.append((board, player))
            return super().options(board, player)

    rules = Counting()
    mine = PythonGame(rules)
    mine.value(("xoxo",))
    mine.outcome(("xoxo",))
    mine.value(("xoxo",))
    assert len(rules.asked) == len(set(rules.asked))


def test_python_is_asked_about_many_positions_in_one_call():
    class Batched(Clobber):
        calls = 0

        def parts(self, board):
            raise AssertionError("asked one by one")

        def normalise(self, board):
            raise AssertionError("asked one by one")

        def many_options(self, boards, player):
            self.calls += 1
            return [list(Clobber.options(self, board, player)) for board in boards]

        def many_parts(self, boards):
            # A board without a pair of enemies side by side is over.
            return [[board] if any(True for _ in Clobber.options(self, board, "left")) else [] for board in boards]

        def many_normal_forms(self, boards):
            return [min(board, board[::-1]) for board in boards]

    class Single(Clobber):
        calls = 0

        def options(self, board, player):
            self.calls += 1
            return super().options(board, player)

    # The position itself is asked about alone.
    class Start(Batched):
        def parts(self, board):
            return [board]

        def normalise(self, board):
            return board

    batched, single = Start(), Single()
    board = ("xox", "oxo", "xox")
    value = PythonGame(batched).value(board)
    assert value == PythonGame(single).value(board) == game("clobber")("xox|oxo|xox").value()
    assert batched.calls * 5 < single.calls

    class Short(Start):
        def many_options(self, boards, player):
            return []

    with pytest.raises(GameError, match="asked about 1 positions and answered about 0"):
        PythonGame(Short()).value(board)


def test_errors_in_python_games_surface():
    class Broken:
        def options(self, position, player):
            if position == 3:
                raise ZeroDivisionError("in the rules")
            return range(position)

    broken = PythonGame(Broken())
    with pytest.raises(ZeroDivisionError, match="in the rules"):
        broken.value(5)
    assert broken.value(2) == Value("*2")
    with pytest.raises(ZeroDivisionError):
        broken.value(5)
    with pytest.raises(GameError, match="options"):
        PythonGame(object())
    with pytest.raises(TypeError):
        broken.value([])


def test_parts_and_normal_forms_in_python():
    class Kayles:
        def options(self, row, player):
            for take in (1, 2):
                for left in range(row - take + 1):
                    yield (left, row - take - left)

    class Parted:
        def options(self, heaps, player):
            (heap,) = heaps
            return [tuple(sorted(h for h in rest if h)) for rest in Kayles().options(heap, player)]

        def parts(self, heaps):
            return [(heap,) for heap in heaps]

        def normalise(self, heaps):
            return tuple(sorted(heaps))

    kayles = PythonGame(Parted())
    for n in range(1, 12):
        assert kayles.value((n,)) == game("kayles")(str(n)).value(), n


def test_certificates_are_written_and_checked(tmp_path):
    file = tmp_path / "cram.proof"
    assert game("cram")("3x4").prove(file, "nimber") == ["....|....|.... has the value *"]
    assert gamebench.check(file) == ["....|....|.... has the value *"]
    total = game("clobber")("xo.|.ox") + game("domineering")("..|..") + "^*"
    proved = total.prove(file, "outcome")
    assert len(proved) == 2 and gamebench.check(file) == proved
    file.write_text(file.read_text().replace("claim wins left", "claim wins right"))
    with pytest.raises(gamebench.GameError, match="does not|no move|not known|checksum"):
        gamebench.check(file)
    with pytest.raises(gamebench.GameError, match="that is not true"):
        gamebench.prove("domineering 1x2", file, ">= 0")
    with pytest.raises(gamebench.GameError, match="nothing that can be proved"):
        game("nim")("3").prove(file, "values")
    with pytest.raises(gamebench.LimitReached):
        game("clobber")("6x6").prove(file, "outcome", nodes=100)
