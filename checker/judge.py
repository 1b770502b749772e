#!/usr/bin/env python3
"""Proves random boards and compares what is proved with plain play: python3 checker/judge.py GAMEBENCH COUNT

Boards are taken from random play. `gamebench prove` has to say who wins, `gamebench check` and the checkers in Python have to accept it, and a search of
all moves without any table of values, parts or symmetries (boards that come back are decided last) has to say the same.
"""
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check
import whole

sys.setrecursionlimit(100_000)
STARTS = [("domineering", "....|....|...."), ("cram", "....|...."), ("clobber", "xoxo|oxox|xoxo"), ("nogo", "...|...|..."),
          ("snort", "...|..."), ("col", "...|..."), ("nim", "3,4,2"), ("kayles", "9,4"),
          ("fox-and-geese", "x.x.|....|....|.o.."), ("pawns", "3/ppp/3/3/PPP/3")]


def winners(rule, start, won):
    """Who wins every board that play comes to from this one, by either first player; None if nobody does."""
    boards, open_ = {start}, [start]
    moves = {}
    while open_:
        board = open_.pop()
        moves[board] = [sorted(rule.moves(board, who)) for who in (0, 1)]
        for after in moves[board][0] + moves[board][1]:
            if after not in boards:
                boards.add(after)
                open_.append(after)
    found = {(board, who): won(board) for board in boards for who in (0, 1)}
    changed = True
    while changed:
        changed = False
        for (board, who), winner in found.items():
            if winner is None:
                after = [found[next_, 1 - who] for next_ in moves[board][who]]
                verdict = who if who in after else 1 - who if all(w == 1 - who for w in after) else None
                if verdict is not None:
                    found[board, who], changed = verdict, True
    return found


def main():
    bench, count, rng, compared = sys.argv[1], int(sys.argv[2]), random.Random(24), 0
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/proof"
        for name, start in STARTS:
            checker = whole if name in ("fox-and-geese", "pawns") else check
            rule = {"fox-and-geese": whole.FoxAndGeese, "pawns": whole.Pawns}[name]() if checker is whole else check.rules(name)
            won = rule.won if checker is whole else lambda board: None
            everything = winners(rule, start, won)
            boards = sorted({board for board, _ in everything if won(board) is None})
            for board in [start] + [rng.choice(boards) for _ in range(count // len(STARTS))]:
                sum_ = f"{name} {board.replace('_', ' ')}"
                subprocess.run([bench, "prove", sum_, "--outcome", "--out", path], check=True, capture_output=True)
                subprocess.run([bench, "check", path], check=True, capture_output=True)
                claims = checker.check(open(path, encoding="utf-8", newline="\n"))
                for who, claim in enumerate(claims):
                    kind, player = claim.split(" ")[:2]
                    assert player == ("left", "right")[who], claim
                    verdict = {"wins": who, "loses": 1 - who, "draws": None}[kind]
                    assert verdict == everything[board, who], (sum_, claim)
                compared += 1
    print(f"{compared} boards: all proved, accepted by both, and as plain play says")


if __name__ == "__main__":
    main()
