#!/usr/bin/env python3
"""What databases save: `gamebench value` and `gamebench analyze` with tables and without, as a user calls them.

    cargo build --release -p gb-cli
    target/release/gamebench db build --db DIR clobber --up-to 16
    target/release/gamebench db build --db DIR domineering --parts 15
    bench/databases.py target/release/gamebench DIR

Processor time of the whole command, start and opening of the files included; the least of several runs, with and without in
turn. The answers have to be the same.
"""

import resource
import subprocess
import sys

# Boards whose parts are in the tables, then boards that are larger than any table: there the tables hold what search
# comes down to.
BOARDS = [
    ("all parts are tabulated", "clobber", "xoxo|oxox|xoxo|oxox"),
    ("all parts are tabulated", "clobber", "xo..xoxo|ox..oxox|xoxo.oxo|.xox.xox"),
    ("all parts are tabulated", "clobber", "xoxo.oxox|oxox.xoxo|xoxo.oxox|.........|xoxo.oxox|oxox.xoxo|xoxo.oxox"),
    ("all parts are tabulated", "domineering", "....#....|....#....|....#....|#########|...#.....|...#.....|...#....."),
    ("larger than the tables", "clobber", "xoxoxo|oxoxox|xoxoxo"),
    ("larger than the tables", "clobber", "xoxoxoxoxo|oxoxoxoxox"),
    ("larger than the tables", "clobber", "xoxoxoxoxoxoxoxoxoxo"),
    ("larger than the tables", "domineering", "4x6"),
    ("larger than the tables", "domineering", "5x5"),
]
RUNS = 3


def answer(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{' '.join(command)}: {done.stderr or done.returncode}")
    # Nodes and time differ.
    said = [line for line in done.stdout.splitlines() if "nodes" not in line]
    return said, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    program, folder = sys.argv[1:]
    print("| boards | command | position | without | with | times as fast |\n|---|---|---|---:|---:|---:|")
    for kind, game, position in BOARDS:
        for command in ("value", "analyze"):
            ask = [program, command, game, position, "--time", "600"]
            least = {}
            for _ in range(RUNS):
                said = {}
                for name, options in (("without", ["--no-db"]), ("with", ["--db", folder])):
                    said[name], time = answer(ask + options)
                    least[name] = min(time, least.get(name, time))
                if said["with"] != said["without"]:
                    sys.exit(f"{command} {game} {position}: the answers differ")
            text = position.replace("|", "\\|")
            ratio = least["without"] / least["with"]
            print(f"| {kind} | {command} | {game} `{text}` | {least['without']:.3f} s | {least['with']:.3f} s | {ratio:.1f} |", flush=True)


if __name__ == "__main__":
    main()
