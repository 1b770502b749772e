#!/usr/bin/env python3
"""Who wins: random and graded positions of the games, answers checked by a second search, nodes and processor time by game.

    cargo build --release -p gb-cli
    scripts/outcome-suite.py target/release/gamebench                       the table for one program
    scripts/outcome-suite.py OLD target/release/gamebench --seed 7          old and new, in turn, on the same positions
    scripts/outcome-suite.py target/release/gamebench --check               every winner found a second time

The positions are random boards of each game, from small to large, the same for the same seed. Time is processor time of the
whole command less that of an empty one. A second search is one with a small table (which forgets, and goes other ways), and
the exact value where that is found within the time; all of them have to agree, and so do two programs. What is not decided within
`--time` counts with that time.
"""

import argparse
import json
import random
import resource
import subprocess
import sys

# Game, letters with how often each is drawn, and rows x columns from small to large. Rows are separated by bars; the games on single rows get
# several of them where that makes a sum.
GRIDS = {
    "amazons": [(".", 12), ("x", 1), ("o", 1), ("#", 5)],
    "blockbusting": [(".", 6), ("x", 1), ("o", 1)],
    "clobber": [("x", 5), ("o", 5), (".", 2)],
    "col": [(".", 8), ("x", 1), ("o", 1)],
    "cram": [(".", 6), ("#", 1)],
    "domineering": [(".", 6), ("#", 1)],
    "elephants-and-rhinos": [(".", 5), ("x", 2), ("o", 2)],
    "fission": [(".", 10), ("x", 1), ("#", 2)],
    "konane": [("x", 4), ("o", 4), (".", 4)],
    "nogo": [(".", 8), ("x", 1), ("o", 1)],
    "snort": [(".", 6), ("x", 1), ("o", 1)],
    "toads-and-frogs": [(".", 3), ("t", 2), ("f", 2)],
    "toppling-dominoes": [("x", 4), ("o", 4), ("g", 1)],
}
SIZES = {
    "amazons": [(3, 3), (3, 4), (4, 4), (4, 5)],
    "blockbusting": [(1, 10), (2, 10), (3, 10), (4, 12)],
    "clobber": [(3, 4), (4, 4), (4, 5), (5, 5)],
    "col": [(3, 4), (4, 4), (4, 5), (5, 5)],
    "cram": [(4, 5), (5, 5), (5, 6), (5, 7)],
    "domineering": [(5, 5), (6, 6), (7, 7), (7, 8)],
    "elephants-and-rhinos": [(2, 20), (2, 30), (3, 32), (4, 32)],
    "fission": [(5, 6), (6, 6), (7, 7), (7, 8)],
    "konane": [(4, 5), (5, 6), (6, 6), (7, 7)],
    "nogo": [(3, 3), (3, 4), (3, 5), (4, 4)],
    "snort": [(3, 4), (4, 4), (4, 5), (5, 5)],
    "toads-and-frogs": [(3, 9), (4, 10), (5, 12), (6, 14)],
    "toppling-dominoes": [(2, 12), (3, 10), (3, 12), (4, 12)],
}
# Positions without chance, which are hard for their size.
FIXED = [
    ("amazons", "x..o|....|....|o..x"),
    ("clobber", "4x5"),
    ("clobber", "1x36"),
    ("domineering", "6x8"),
    ("domineering", "7x7"),
    ("fission", "..x...|......|....#.|....x.|......|......"),
    ("nogo", "4x4"),
    ("nogo", "1x16"),
    ("col", "4x5"),
    ("snort", "4x5"),
    ("cram", "5x6"),
    ("kayles", "31,17,9"),
    ("hackenbush", "0-1B,1-2R,2-3B,0-3R,1-4G,4-5B,0-6R,6-7B,3-8R,8-9B,2-9G"),
]


def positions(seed, count, names):
    """All positions: (game, text)."""
    found = []
    for name, letters in GRIDS.items():
        # Each game draws its own numbers, so that leaving one out changes nothing for the others.
        draw = random.Random(f"{seed} {name}")
        for rows, cols in SIZES[name]:
            for _ in range(count):
                board = [draw.choices([l for l, _ in letters], [w for _, w in letters], k=cols) for _ in range(rows)]
                found.append((name, "|".join("".join(row) for row in board)))
    return [(name, text) for name, text in found + FIXED if not names or name in names]


def run(program, command, game, position, limits):
    """What a command says as JSON, and the processor time it took."""
    call = [program, command, game, position, "--json", "--no-db", *limits]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        return json.loads(done.stdout), seconds
    except json.JSONDecodeError:
        sys.exit(f"{' '.join(call)}: {done.stderr or done.stdout or done.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="+", help="one program, or the old and the new one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5, help="random positions of each game and size")
    parser.add_argument("--game", action="append", help="only these games")
    parser.add_argument("--time", type=float, default=10, help="seconds for each position")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="find every winner a second time")
    parser.add_argument("--slowest", type=int, default=0, help="show so many of the slowest positions of the last program")
    args = parser.parse_args()
    limits = ["--time", str(args.time), "--threads", str(args.threads)]
    start = [min(run(p, "outcome", "clobber", "xo", limits)[1] for _ in range(5)) for p in args.program]
    all_positions = positions(args.seed, args.count, args.game)
    tally, slow, wrong, checked = {}, [], 0, 0
    for game, text in all_positions:
        rows = tally.setdefault(game, [[0, 0, 0.0] for _ in args.program])
        outcomes = []
        for program, row, empty in zip(args.program, rows, start):
            answer, seconds = run(program, "outcome", game, text, limits)
            seconds = max(0.0, seconds - empty)
            row[0] += answer["outcome"] is not None
            row[1] += answer["nodes"]
            row[2] += seconds
            outcomes.append(answer["outcome"])
        slow.append((seconds, answer["nodes"], game, text))
        if args.check:
            program = args.program[-1]
            outcomes.append(run(program, "outcome", game, text, [*limits, "--memory", "20"])[0]["outcome"])
            outcomes.append(run(program, "value", game, text, limits)[0].get("outcome"))
            checked += sum(outcome is not None for outcome in outcomes) > 1
        if len(set(outcomes) - {None}) > 1:
            wrong += 1
            print(f"DIFFERENT ANSWERS for {game} {text}: {outcomes}")
    print(f"{len(all_positions)} positions, seed {args.seed}" + (f", {checked} winners checked" if args.check else ""))
    head = "".join(f"{'solved':>9} {'nodes':>12} {'seconds':>9}" for _ in args.program)
    print(f"{'game':<22}{head}{'  times as fast' if len(args.program) == 2 else ''}")
    for game, rows in sorted(tally.items()):
        line = "".join(f"{solved:>9} {nodes:>12} {seconds:>9.3f}" for solved, nodes, seconds in rows)
        ratio = f"{rows[0][2] / max(rows[1][2], 1e-4):>15.2f}" if len(rows) == 2 else ""
        print(f"{game:<22}{line}{ratio}")
    for seconds, nodes, game, text in sorted(slow, reverse=True)[: args.slowest]:
        print(f"{seconds:9.3f} s {nodes:>10} nodes  {game} {text}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
