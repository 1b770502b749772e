#!/usr/bin/env python3
"""Measures how well limits of time and memory are kept: every game, a large board, every question.

    cargo build --release && scripts/measure-limits.py [--time 1] [--memory 100] [--game NAME]

With --players, how long players take for a move instead; with --page, how long searches of the page take, and how soon an engine is
free after those who asked have hung up.

Prints a line for each run that goes more than 10 % + 100 ms over its time or more than 10 % + 20 MB over its memory, and the
worst run of every question. Exits 1 if any run does, or ends otherwise than it should.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent
BINARY = PROJECT / "target/release/gamebench"

GRID = ["8x16", "11x11", "1x128", "6x10"]
HEAP = ["1000000", "65535", "3000,2999,2998", "40,41,42,43"]
BOARDS = {
    "chess": ["4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", "8/p4k2/8/4pp2/4P3/6K1/P7/8 w - - 0 1"],
    "cutcake": ["100x100", "99x101,37x64"],
    "maundy-cake": ["96x100", "60x60,48x72"],
    "fox-and-geese": ["8x8", "8x16", ".x.x.x.x|........|........|o......."],
    "hackenbush": [",".join(f"{i}-{i + 1}{'BRG'[i % 3]}" for i in range(40)) + ",0-9B,3-17R,8-30G", "BRG" * 300],
    "pawns": ["8/pppppppp/8/8/8/8/PPPPPPPP/8"],
    "dawsons-kayles": HEAP,
    "kayles": HEAP,
    "nim": HEAP,
    "octal(0.77)": HEAP,
    "octal(4.7)": HEAP,
    "subtraction(1,3,4)": HEAP,
    "regio": ["16x16", "8x8", "1x256"],
    "toads-and-frogs": ["1x64", "4x30"],
    "elephants-and-rhinos": ["1x64", "4x30"],
}
QUESTIONS = {
    "value": lambda game, board: ["value", game, board],
    "outcome": lambda game, board: ["outcome", game, board],
    "analyze": lambda game, board: ["analyze", f"{game} {board}"],
    "thermograph": lambda game, board: ["thermograph", f"{game} {board}"],
    "heuristic": lambda game, board: ["heuristic", game, board],
}


def run(arguments, seconds):
    """The wall time, the most memory, and how it ended."""
    begun = time.monotonic()
    process = subprocess.Popen([str(BINARY), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        said, _ = process.communicate(timeout=30 * seconds + 30)
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
    # communicate() has waited already: what the child took is the most of all children, so each runs in a fork of its own.
    return time.monotonic() - begun, process.returncode, said.decode(errors="replace")


def measured(arguments, seconds):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        wall, code, said = run(arguments, seconds)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        with os.fdopen(write, "w") as pipe:
            pipe.write(f"{wall}\t{most}\t{code}\t{said[-300:]}")
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        wall, most, code, said = pipe.read().split("\t", 3)
    os.waitpid(child, 0)
    return float(wall), float(most), int(code), said


def players(options, games):
    """How long a player takes for the first move of a large board."""
    worst = (0, "")
    for game in games:
        for board in BOARDS.get(game, GRID)[:2]:
            for player in ("mcts+all", "ab+all", "random"):
                program = [str(BINARY), "gtp", "--game", game, "--from", board, "--player", player, "--time", f"{options.time}s"]
                process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                process.stdin.write("name\n")
                process.stdin.flush()
                ready = process.stdout.readline()
                process.stdout.readline()
                begun = time.monotonic()
                said, _ = process.communicate("genmove b\nquit\n", timeout=120)
                wall = time.monotonic() - begun
                if wall > worst[0]:
                    worst = (wall, f"{player}, {game} {board[:40]}")
                if not ready or wall > options.time * 1.1 + 0.1:
                    print(f"{player} {game} {board[:50]}: {wall:.2f} s: {said.strip()[:60]}", flush=True)
    print(f"\ntime for a move: {options.time} s; longest {worst[0]:.2f} s ({worst[1]})")


def page(options):
    """Searches of the page: their time, and when engines are free again after everybody hung up."""
    import http.client
    import urllib.parse

    server = subprocess.Popen([str(BINARY), "app", "--json", "--port", "0"], stdout=subprocess.PIPE, text=True)
    address = urllib.parse.urlparse(json.loads(server.stdout.readline())["address"])

    def ask(method, path, body=None):
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
        headers = {"Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        return connection, connection.getresponse()

    def status():
        return json.loads(ask("GET", "/api/status")[1].read())

    def search(game, board, seconds):
        session = json.loads(ask("POST", "/api/sessions", {"game": game, "position": board})[1].read())["session"]
        return ask("POST", f"/api/sessions/{session}/analysis", {"seconds": seconds})

    try:
        for game, board in (("amazons", "8x8"), ("kayles", "2400"), ("regio", "6x6"), ("fox-and-geese", "8x8"), ("clobber", "8x8")):
            begun = time.monotonic()
            search(game, board, options.time)[1].read()
            print(f"page: {game} {board}: {time.monotonic() - begun:.2f} s of {options.time} s")
        waiting = [search("amazons", "8x8", 600) for _ in range(4)]
        time.sleep(1)
        busy, begun = status(), time.monotonic()
        for connection, answer in waiting:
            answer.close()
            connection.close()
        while status()["busy"] and time.monotonic() - begun < 60:
            time.sleep(0.005)
        print(f"page: {busy['busy']} of {busy['engines']} engines busy with 4 searches, free {time.monotonic() - begun:.3f} s after all hung up")
    finally:
        server.terminate()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--time", type=float, default=1.0, help="seconds for each question")
    parser.add_argument("--memory", type=int, default=100, help="megabytes for each question")
    parser.add_argument("--game", help="this game only")
    parser.add_argument("--players", action="store_true", help="measure moves of players")
    parser.add_argument("--page", action="store_true", help="measure searches of the page")
    options = parser.parse_args()
    if options.page:
        return page(options)
    names = subprocess.run([BINARY, "games", "--json"], capture_output=True, text=True, check=True).stdout
    games = [json.loads(line)["name"] for line in names.splitlines() if line]
    games = sorted({*games, *BOARDS} - {"octal", "subtraction"})
    games = [game for game in games if options.game in (None, game)]
    if options.players:
        return players(options, games)
    worst, broken = {}, 0
    for game in games:
        for board in BOARDS.get(game, GRID):
            for name, question in QUESTIONS.items():
                if name == "heuristic" and game != "regio":
                    continue
                arguments = question(game, board) + ["--time", f"{options.time}s", "--memory", f"{options.memory}M"]
                wall, most, code, said = measured(arguments, options.time)
                late = wall - options.time * 1.1 - 0.1
                large = most - options.memory * 1.048576 * 1.1 - 20
                ended = code in (0, 1, 3)
                for kind, over in (("time", wall), ("memory", most)):
                    key = (name, kind)
                    if over > worst.get(key, (0, ""))[0]:
                        worst[key] = (over, f"{game} {board[:40]}")
                if late > 0 or large > 0 or not ended:
                    broken += 1
                    last = said.strip().splitlines()[-1] if said.strip() else ""
                    print(f"{name:12} {game} {board[:50]}: {wall:.2f} s, {most:.0f} MB, exit {code}: {last[:100]}", flush=True)
    print(f"\nlimits: {options.time} s, {options.memory} MB; runs over them: {broken}")
    print("| question | longest | on | most memory | on |\n|---|---|---|---|---|")
    for name in QUESTIONS:
        if (name, "time") in worst:
            (wall, at), (most, there) = worst[(name, "time")], worst[(name, "memory")]
            print(f"| {name} | {wall:.2f} s | {at} | {most:.0f} MB | {there} |")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
