#!/usr/bin/env python3
"""Makes a corpus of Go games: GNU Go against itself, at several levels, each game played to two passes.

    scripts/go-corpus.py OUT --games 9:160,13:90,19:50 [--seed 1] [--gnugo /usr/games/gnugo]

Every record says how GNU Go counts its end (RE, Japanese rules, komi 0) and which stones it holds to be dead (in C).
A game whose file exists already is not played again, and the same seed gives the same games.
"""

import argparse
import pathlib
import subprocess

LEVELS = {9: [1, 5, 8, 10], 13: [1, 4, 8], 19: [1, 3, 5]}
LETTERS = "ABCDEFGHJKLMNOPQRST"


class Engine:
    def __init__(self, program, size, level, seed):
        self.process = subprocess.Popen(
            [program, "--mode", "gtp", "--japanese-rules", "--never-resign", "--level", str(level),
             "--seed", str(seed), "--boardsize", str(size)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def say(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(command)
            if not line.strip():
                if lines:
                    break
                continue
            lines.append(line.strip())
        answer = " ".join(lines)
        if not answer.startswith("="):
            raise ValueError(f"{command}: {answer}")
        return answer[1:].strip()


def point(vertex, size):
    if vertex.upper() == "PASS":
        return ""
    column, row = LETTERS.index(vertex[0].upper()), int(vertex[1:])
    return chr(97 + column) + chr(97 + size - row)


def play(program, size, level, seed):
    engine = Engine(program, size, level, seed)
    engine.say("komi 0")
    moves, passes = [], 0
    for turn in range(3 * size * size):
        vertex = engine.say("genmove " + ("black" if turn % 2 == 0 else "white"))
        moves.append(f";{'BW'[turn % 2]}[{point(vertex, size)}]")
        passes = passes + 1 if vertex.upper() == "PASS" else 0
        if passes == 2:
            break
    score, dead = engine.say("final_score"), engine.say("final_status_list dead")
    engine.say("quit")
    engine.process.wait()
    head = f"(;GM[1]FF[4]SZ[{size}]KM[0]RU[Japanese]RE[{score}]PB[GNU Go level {level}]PW[GNU Go level {level}]"
    return f"{head}C[seed {seed}; dead: {dead}]\n" + "".join(moves) + ")\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--games", default="9:160,13:90,19:50")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gnugo", default="/usr/games/gnugo")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for part in options.games.split(","):
        size, count = (int(number) for number in part.split(":"))
        for index in range(count):
            level = LEVELS[size][index % len(LEVELS[size])]
            path = options.out / f"{size:02}-{index:03}-level{level}.sgf"
            if path.exists():
                continue
            text = play(options.gnugo, size, level, options.seed + index)
            path.with_suffix(".tmp").write_text(text)
            path.with_suffix(".tmp").rename(path)
            print(path, flush=True)


if __name__ == "__main__":
    main()
