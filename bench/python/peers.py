"""The package beside a plain solver in Python and, where it is installed, beside cgt-py.

    pip install ./crates/gb-py cgt-py && python bench/python/peers.py

Times are those of the processor, the least of three rounds. Each round is a process of its own, so that nobody remembers anything.
"""

from __future__ import annotations

import functools
import subprocess
import sys
import time


def plain_moves(board, player):
    own, enemy = ("x", "o") if player else ("o", "x")
    rows, cols = len(board), len(board[0])
    for r in range(rows):
        for c in range(cols):
            if board[r][c] == own:
                for i, j in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                    if 0 <= i < rows and 0 <= j < cols and board[i][j] == enemy:
                        after = [list(row) for row in board]
                        after[r][c], after[i][j] = ".", own
                        yield tuple(map("".join, after))


@functools.lru_cache(maxsize=None)
def wins(board, player):
    """Whether who moves wins: a solver as one writes it first."""
    return any(not wins(after, not player) for after in plain_moves(board, player))


CHECKERED = ("xoxo", "oxox", "xoxo", "oxox")


class Clobber:
    symmetries, swap, empty = "all", "xo", "."

    def options(self, board, player):
        return plain_moves(board, player == "left")


def who_wins(rows):
    return "N" if wins(CHECKERED[:rows], True) else "P"


def of_python(rows, question):
    from gamebench import PythonGame

    return str(getattr(PythonGame(Clobber())(CHECKERED[:rows]), question)())


def of_bench(name, text, question):
    from gamebench import game

    return str(getattr(game(name)(text), question)())


def of_peer(rows, cols):
    import cgt_py

    return str(cgt_py.Domineering("|".join(["." * cols] * rows)).canonical_form)


def all_domineering(rows, cols):
    """The values of all boards, one call each."""
    from gamebench import game

    return len({board.value() for board in game("domineering").positions(f"{rows}x{cols}")})


def all_peer(rows, cols):
    import itertools

    import cgt_py

    def text(cells):
        return "|".join("".join(cells[r * cols : (r + 1) * cols]) for r in range(rows))

    boards = itertools.product(".#", repeat=rows * cols)
    return len({str(cgt_py.Domineering(text(cells)).canonical_form) for cells in boards})


def known_board():
    """A call about a board whose value is known, in microseconds: of the same position, and read from its text each time."""
    from gamebench import game

    clobber = game("clobber")
    board, rounds = clobber("xoxo|oxox"), 20_000
    board.value()
    found = []
    for work in (board.value, lambda: clobber("xoxo|oxox").value()):
        start = time.process_time()
        for _ in range(rounds):
            work()
        found.append(f"{(time.process_time() - start) / rounds * 1e6:.2f}")
    return " and ".join(found)


TASKS = {
    "who wins Clobber 3x4, plain Python": lambda: who_wins(3),
    "who wins Clobber 3x4, rules in Python": lambda: of_python(3, "outcome"),
    "who wins Clobber 3x4, the bench": lambda: of_bench("clobber", "3x4", "outcome"),
    "who wins Clobber 4x4, plain Python": lambda: who_wins(4),
    "who wins Clobber 4x4, rules in Python": lambda: of_python(4, "outcome"),
    "who wins Clobber 4x4, the bench": lambda: of_bench("clobber", "4x4", "outcome"),
    "value of Clobber 4x4, rules in Python": lambda: of_python(4, "value"),
    "value of Clobber 4x4, the bench": lambda: of_bench("clobber", "4x4", "value"),
    "value of Domineering 4x4, the bench": lambda: of_bench("domineering", "4x4", "value"),
    "value of Domineering 4x4, cgt-py": lambda: of_peer(4, 4),
    "value of Domineering 4x5, the bench": lambda: of_bench("domineering", "4x5", "value"),
    "value of Domineering 4x5, cgt-py": lambda: of_peer(4, 5),
    "all boards of Domineering 3x4, the bench": lambda: all_domineering(3, 4),
    "all boards of Domineering 3x4, cgt-py": lambda: all_peer(3, 4),
    "microseconds a call of a known board": known_board,
}


def main():
    if len(sys.argv) > 1:
        try:
            # What is imported is not measured.
            import gamebench  # noqa: F401

            if "cgt-py" in sys.argv[1]:
                import cgt_py  # noqa: F401
        except ImportError as error:
            print(f"{error} inf")
            return
        start = time.process_time()
        answer = TASKS[sys.argv[1]]()
        print(f"{answer} {time.process_time() - start}")
        return
    for name in TASKS:
        rounds = []
        for _ in range(3):
            told = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True, check=True).stdout
            answer, seconds = told.rstrip().rsplit(" ", 1)
            rounds.append((float(seconds), answer))
        seconds, answer = min(rounds)
        print(f"{name}: {answer}, {seconds:.4f} s", flush=True)


if __name__ == "__main__":
    main()
