"""What Python costs: Clobber written in Python against the built-in game on all 3x3 boards, and calls of value arithmetic.

    pip install ./crates/gb-py && python bench/python/clobber.py

Times are those of the processor, the least of several rounds, because other programs may run beside.
"""

from __future__ import annotations

import itertools
import random
import sys
import tempfile
import time
from pathlib import Path

from gamebench import Databases, Negative, PythonGame, Value, game

sys.path.append(str(Path(__file__).parents[2] / "crates/gb-py/tests"))
from rules_in_python import Clobber  # noqa: E402 (the game that the tests play)


class Fast(Clobber):
    """Claims what the bench can work out by itself."""

    symmetries, swap, empty = "all", "xo", "."


class Apart(Clobber):
    """Says by methods of its own which parts a board has, and which boards are the same turned or mirrored, or negatives."""

    def parts(self, board):
        cells = {(r, c): cell for r, row in enumerate(board) for c, cell in enumerate(row) if cell != "."}
        while cells:
            (start, _), part, ahead = next(iter(cells.items())), {}, []
            ahead.append(start)
            while ahead:
                r, c = ahead.pop()
                if (cell := cells.pop((r, c), None)) is not None:
                    part[r, c] = cell
                    ahead += ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))
            if len(set(part.values())) == 2:
                rows, cols = {r for r, _ in part}, {c for _, c in part}
                yield tuple(
                    "".join(part.get((r, c), ".") for c in range(min(cols), max(cols) + 1))
                    for r in range(min(rows), max(rows) + 1)
                )

    def normalise(self, board):
        same, other = least(board), least(tuple(row.translate(SWAPPED) for row in board))
        return same if same <= other else Negative(other)


SWAPPED = str.maketrans("xo", "ox")


def least(board):
    """The least of the eight images of a board."""
    turned = tuple(map("".join, zip(*board)))
    mirrored = (tuple(row[::-1] for row in image) for image in (board, turned))
    return min(way for image in (board, turned, *mirrored) for way in (image, image[::-1]))


def recorded(rules):
    """The rules, with a list of the calls that are made of them."""
    calls = []

    def method(name):
        def call(self, *arguments):
            calls.append((name, arguments))
            return getattr(super(kind, self), name)(*arguments)

        return call

    names = [name for name in ("options", "parts", "normalise") if hasattr(rules, name)]
    kind = type("Recorded", (rules,), {name: method(name) for name in names})
    return kind(), calls


def consume(answer):
    """All of what a method returns, generators included."""
    return (answer.position,) if isinstance(answer, Negative) else tuple(answer)


def seconds(work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def boards(rows: int, cols: int):
    for cells in map("".join, itertools.product("xo.", repeat=rows * cols)):
        yield tuple(cells[i * cols : (i + 1) * cols] for i in range(rows))


def compare() -> None:
    """Both are asked the same questions one by one, each from empty tables."""
    all_boards = list(boards(3, 3))
    mine, theirs, values = PythonGame(Clobber()), game("clobber"), {}

    def built_in() -> None:
        for board in all_boards:
            values[board] = theirs("|".join(board)).value()

    def in_python() -> None:
        for board in all_boards:
            assert mine.value(board) == values[board], board

    native, python = seconds(built_in), seconds(in_python)
    print(f"all {len(all_boards)} boards of 3x3, one call each: built in {native:.2f} s, in Python {python:.2f} s")
    print(f"  {python / native:.1f} times slower, the same values; {len(mine)} positions were met")


def alone() -> None:
    """Larger boards, from empty tables, and what the calls of Python cost by themselves."""
    for rows in (3, 4):
        alone_on(tuple(("xoxo", "oxox")[row % 2] for row in range(rows)))


def alone_on(board) -> None:
    native = seconds(lambda: game("clobber")("|".join(board)).value())
    for kind in (Fast, Apart) if len(board) > 3 else (Clobber, Fast, Apart):
        mine = PythonGame(kind())
        python = seconds(lambda: mine.value(board))
        rules, calls = recorded(kind)
        PythonGame(rules).value(board)
        plain = kind()

        def repeat() -> None:
            for name, arguments in calls:
                consume(getattr(plain, name)(*arguments))

        numbers = {}

        def find() -> None:
            for name, arguments in calls:
                for answer in consume(getattr(plain, name)(*arguments)):
                    if answer not in numbers:
                        numbers[answer] = len(numbers)

        own, found = seconds(repeat), seconds(find)
        print(
            f"{'|'.join(board)} alone, {kind.__name__}: built in {1000 * native:.1f} ms, in Python {1000 * python:.0f} ms, "
            f"of which its own code takes {1000 * own:.0f} ms in {len(calls)} calls ({1000 * found:.0f} ms if each answer is looked for in a "
            f"dictionary as well); {len(mine)} positions"
        )


def look_ups() -> None:
    """All boards of a table in random order: looked up, and asked as new positions whose values are known."""
    clobber = game("clobber")
    texts = ["|".join(board) for board in boards(3, 3)]
    random.Random(1).shuffle(texts)
    with tempfile.TemporaryDirectory() as folder:
        databases = Databases(folder)
        databases.build("clobber", "3x3", progress=False)
        positions = [clobber(text) for text in texts]
        calls = {
            "databases.value": lambda: [databases.value(position) for position in positions],
            'databases.query["value"]': lambda: [databases.query(position)["value"] for position in positions],
            "dict(databases.query)": lambda: [dict(databases.query(position)) for position in positions],
            "position.value": lambda: [position.value() for position in positions],
        }
        for name, call in calls.items():
            # From the second round on the positions themselves know their values.
            spent = seconds(call) if name == "position.value" else min(seconds(call) for _ in range(3))
            print(f"{name:24} {1e6 * spent / len(positions):5.2f} microseconds a board")


def arithmetic() -> None:
    up, switch, hot, half = Value("^"), Value("{1|-1}"), Value("{3|{1|-2}}"), Value("1/2")
    calls = {
        "^ + 1/2": lambda: up + half,
        "{1|-1} + {3||1|-2}": lambda: switch + hot,
        "-{3||1|-2}": lambda: -hot,
        "{3||1|-2} - ^": lambda: hot - up,
        "^ + 1": lambda: up + 1,
        "^ > 0": lambda: up > 0,
        "{1|-1} == {3||1|-2}": lambda: switch == hot,
        "hash({3||1|-2})": lambda: hash(hot),
        "hash(1/2)": lambda: hash(half),
    }
    count = 100_000

    def repeat(call) -> None:
        for _ in range(count):
            call()

    empty = min(seconds(lambda: repeat(lambda: None)) for _ in range(5))
    for name, call in calls.items():
        spent = min(seconds(lambda: repeat(call)) for _ in range(5)) - empty
        print(f"{name:24} {1e6 * spent / count:5.2f} microseconds")


if __name__ == "__main__":
    alone()
    compare()
    look_ups()
    arithmetic()
