#!/usr/bin/env python3
"""Feeds hostile lines to the program, and looks whether each gets its answer within its limits.

    cargo build --release && scripts/hostile.py [--lines 100000] [--seed 1] [--only calc]

Lines are good inputs of every game (also of games as text, whose texts are damaged too) and every command that were damaged: cut, doubled, nested deeply, with huge numbers, with letters
and bytes that belong nowhere. They go through standard input, one at a time, to processes that live for a few lines or for many, so
that what one line leaves behind is there for the next. Looked at are

- the end of a process: exit codes 0 to 3, no signal;
- the answers: one for every line that is not empty or a comment, of valid JSON where JSON was asked for;
- the time: 10 % + 100 ms over the limit, and some slack, since other programs run as well. A line that is late is asked again, alone, and
  counts if it is late every time, and its processor time is over the limit too: on a busy machine the clock alone says little;
- the memory: 10 % + 20 MB over the limit. Pages of the program itself are not counted: the system can drop them at any time.

Prints every violation and a line of counts. Exits 1 if there was a violation. The same seed gives the same lines.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import select
import subprocess
import sys
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent
# What Rust takes for white space; Python's strip() takes more.
SPACE = " \t\n\r\x0b\x0c\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

BOARDS = {
    "chess": ["8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1", "8/8/8/8/8/8/Pp6/8 b - - 0 1", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - e3 0 1"],
    "pawns": ["8/ppp5/8/PPP5/8/8/8/8", "8/8/8/8/8/8/Pp6/8", "QqPp4/8/8/8/8/8/8/8"],
    "cutcake": ["4x7", "100x100", "2x3,5x4"],
    "maundy-cake": ["6x12", "60x60", "4x4,2x9"],
    "hackenbush": ["BRG,RB", "0-1R,3-2G,2-4B,2-3R,3-1R,1-3G,3-2R", "0-1B,1-2B,2-0B", "4x4"],
    "snort": ["...|...|...", "4x4", "0-1,1-2,2-0;.lr", "3;.x."],
    "col": ["...|...|...", "4x4", "0-1,1-2,2-0;.lr", "5;....."],
    "toads-and-frogs": ["ttt..fff", "tt..ff|t.f", "1x8"],
    "regio": ["....|....", ".#.", "4x4", "1x256"],
}
HEAPS = ["3,5,7", "5,3", "12", "65535", "1000000", "1,1,1,1,1", "40,41,42"]
GRIDS = ["4x4", "3x5", "8x8", "1x12", "...|...|...", "xo.|.ox", "x.o|.x.|o..", "xoxo|oxox|xoxo", "#..|.x.|..o"]
NAMES = ["impartial({})", "negative({})", "misere({})", "misere(impartial({}))", "impartial(negative({}))", "{}()", "{}(1)", "octal(0.{})", "go", "octal(0.77)", "octal(4.7)", "octal(0.07)",
         "subtraction(1,3,4)", "subtraction(0)", "subtraction(99999999999999999999)", "octal(0.9)", "octal(.)", "octal()"]
VALUES = ["0", "1/2", "-3/4", "*", "*2", "^", "v", "^^*", "1^3*2", "{1|-1}", "{2,*|{0|-1}}", "2|0||-1", "+-1", "Tiny(2)", "^<2>", "^[3]", "on", "off", "dud",
          "over", "under", "upon", "a{0|a}", "tis", "tisn", "+-{2|1}", "{3|{1|-2}}", "{0||0|-2}", "Miny(1)", "{^^|3,*1000}", "hi", "half"]
OPERATORS = ["+", "-", "<", ">", "<=", ">=", "=", "!=", "||", "<|", "|>", ",", "|", ":=", ".", "&", "*", "/"]
NUMBERS = ["0", "-1", "1", "2", "7", "64", "65535", "65536", "99999", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
           "18446744073709551616", "999999999999999999999999", "-9223372036854775809", "1/3", "1/1024", "1/4294967296", "3.5", "1e9", "0x10", "00007", "+5"]
JUNK = ["\x00", "\x01", "\x07", "\x1b[31m", "\x7f", "\t", "\r", "\x0b", "\x85", "\u00a0", "\u200b", "\u202e", "\ufeff", "é", "ß", "İ", "ﬀ", "漢字", "😀", "👨‍👩‍👧",
        "\u0301", "\U0010ffff", "\ufffd", "½", "↑", "⋆", "±", "٣", "Ⅷ", "'", '"', "\\", "`", "$(true)", "%s%n", "{}", "</script>", "--help", "-", "--", "../..", "/dev/zero", "NaN", "inf"]
GTP = ["boardsize 9", "boardsize 19", "boardsize 6 8", "boardsize 99999x99999", "boardsize -1", "clear_board", "komi 6.5", "komi nan", "play b c3", "play w a1-b1", "play b pass",
       "play black Z99", "genmove b", "genmove w", "undo", "showboard", "list_commands", "known_command play", "name", "version", "protocol_version",
       "time_left b 10 0", "time_left w -1 -1", "time_settings 0 1 1", "time_settings 0 0 0", "gamebench-moves b", "gamebench-position xo.|.ox", "fixed_handicap 9",
       "set_free_handicap a1 a1", "place_free_handicap 500", "final_score", "final_status_list dead", "loadsgf nothing.sgf", "loadsgf .", "reg_genmove b", "gogui-analyze_commands",
       "printsgf", "7 name", "99999999999999999999 name", "quit now please"]


def functions():
    """The names of the calculator's functions, from its source."""
    source = (PROJECT / "crates/gb-engine/src/calc/functions.rs").read_text()
    return sorted({part.split('"')[0] for part in source.split('name: "')[1:]} | {"mean", "cool", "heat", "norton", "followers", "up", "nim"})


class Lines:
    """Makes lines: good ones, and damaged ones."""

    def __init__(self, seed, games):
        self.random, self.games, self.functions = random.Random(seed), games, functions()
        self.texts = [path.read_text() for path in sorted((PROJECT / "games").glob("*.game"))]

    def value(self, depth=3):
        r = self.random
        kind = r.randrange(9) if depth else r.randrange(2)
        if kind < 2:
            return r.choice(VALUES if r.random() < 0.75 else NUMBERS)
        if kind == 2:
            return "*" + r.choice(NUMBERS)
        if kind == 3:
            return "^" + r.choice(NUMBERS) + r.choice(["", "*", "*3"])
        inner = lambda: self.value(depth - 1)
        if kind == 4:
            return "{%s|%s}" % (",".join(inner() for _ in range(r.randrange(3))), ",".join(inner() for _ in range(r.randrange(3))))
        if kind == 5:
            return "%s(%s)" % (r.choice(self.functions), ",".join(inner() for _ in range(r.randrange(1, 3))))
        if kind == 6:
            return "[%s]" % ",".join(inner() for _ in range(r.randrange(4)))
        return inner() + r.choice(OPERATORS[:4] if kind == 7 else OPERATORS) + inner()

    def game(self):
        r = self.random
        name = r.choice(self.games)
        name = {"octal": "octal(0.77)", "subtraction": "subtraction(1,3,4)"}.get(name, name)
        return r.choice(NAMES).format(name) if r.random() < 0.15 else name

    def game_text(self):
        """A game as text, whole or damaged: in a line of it, or all over."""
        r = self.random
        lines = r.choice(self.texts).splitlines()
        for _ in range(r.choice([0, 1, 1, 2])):
            at = r.randrange(len(lines))
            if r.random() < 0.2:
                lines[at] = r.choice(r.choice(self.texts).splitlines())
            elif r.random() < 0.2:
                lines = self.damaged("\n".join(lines))[:200_000].splitlines() or [""]
            else:
                lines[at] = self.damaged(lines[at])[:200_000]
        return "\n".join(lines)

    def board(self, game):
        r = self.random
        base = game.split("(")[0]
        if r.random() < 0.1:
            return "%sx%s" % (r.choice(NUMBERS), r.choice(NUMBERS))
        if base in ("nim", "kayles", "dawsons-kayles", "octal", "subtraction"):
            return r.choice(HEAPS) if r.random() < 0.6 else ",".join(r.choice(NUMBERS) for _ in range(r.randrange(1, 4)))
        if r.random() < 0.4 or base not in BOARDS:
            letters = r.choice(["xo.", "xo.#", ".#", "xo.lr", "tf.", "xog", "BRG", ".", "PpQqKk8/1"])
            rows, cols = r.choice([(1, 8), (3, 3), (4, 4), (2, 9), (8, 8), (11, 11), (1, 64), (1, 65), (1, 129), (16, 16), (20, 3)])
            made = "|".join("".join(r.choice(letters) for _ in range(cols)) for _ in range(rows))
            return made if r.random() < 0.6 else r.choice(GRIDS)
        return r.choice(BOARDS[base])

    def good(self, question, game):
        r = self.random
        if question == "calc":
            text = self.value()
            return r.choice(["x", "y", "help", "on", "mean"]) + " := " + text if r.random() < 0.1 else r.choice([text] * 9 + ["help " + r.choice(self.functions), "x+y"])
        if question == "gtp":
            line = r.choice(GTP)
            return line + " " + r.choice(NUMBERS) if r.random() < 0.2 else line
        if question in ("value", "outcome"):
            return self.board(game)
        if question == "thermograph" and r.random() < 0.5:
            return self.value()
        name = self.game()
        line = name + " " + self.board(name)
        while r.random() < 0.25:
            name = self.game()
            line += r.choice([" + ", " - ", "+", " + + "]) + r.choice([self.value(1), name + " " + self.board(name)])
        return line

    def damaged(self, line):
        r = self.random
        at = r.randrange(len(line) + 1)
        kind = r.randrange(15)
        if kind == 0:
            return line[:at]
        if kind == 1:
            return line[at:]
        if kind == 2:
            return line + line
        if kind == 3:
            return line[:at] + r.choice(JUNK) + line[at:]
        if kind == 4:
            return line[:at] + r.choice(NUMBERS) + line[at:]
        if kind == 5:
            left, right = r.choice(["{}", "()", "[]", "<>", "}{", "(|", "{|"])
            many = r.choice([1, 3, 50, 3000])
            return left * many + line + right * r.choice([many, many, many - 1, 0])
        if kind == 6:
            return line[:at] + line[at:at + 1] * r.choice([2, 40, 300, 20000]) + line[at + 1:]
        if kind == 7:
            return line[:at] + line[at + 1:]
        if kind == 8:
            return (line + r.choice(["+", "|", ",", " + ", "/", " "])) * r.choice([3, 40, 400]) + line
        if kind == 9:
            return "".join(r.sample(line, len(line)))
        if kind == 10:
            return line.swapcase()
        if kind == 11:
            return "".join(r.choice(NUMBERS) if c.isdigit() and r.random() < 0.7 else c for c in line)
        if kind == 12:
            return r.choice(["", " ", "#", "# " + line, "|", "||", ",", ";", "0-", "(", "-", "+", "()", "{|}", "{|", "(;GM[1])", "(;GAME[nim]POS[3])", line + "#", "x"])
        if kind == 13:
            return "".join(chr(r.choice([r.randrange(128), r.randrange(0x300), r.randrange(0xd800), r.randrange(0x10000, 0x110000)])) for _ in range(r.randrange(30)))
        return line[:at] + r.choice(OPERATORS) + line[at:]

    def line(self, question, game):
        r = self.random
        line = self.good(question, game)
        for _ in range(r.choice([0, 0, 1, 1, 1, 2, 3])):
            line = self.damaged(line)[:200_000]
        data = line.replace("\n", " ").encode("utf-8", "replace")
        if r.random() < 0.02:
            at = r.randrange(len(data) + 1)
            data = data[:at] + bytes(r.randrange(256) for _ in range(r.randrange(1, 4))).replace(b"\n", b"\xff") + data[at:]
        # A line that is nothing but a dash asks for a record from standard input, which is the next lines.
        return data


class Process:
    """The program, asked line by line."""

    def __init__(self, binary, folder, arguments, question):
        self.question, self.arguments = question, arguments
        self.complaints = open(os.path.join(folder, "complaints"), "w+b")
        self.child = subprocess.Popen([binary, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.complaints, cwd=folder)
        os.set_blocking(self.child.stdin.fileno(), False)
        self.held, self.pages = b"", 0

    def most(self):
        """The most memory it had beside its own pages, in megabytes."""
        try:
            with open(f"/proc/{self.child.pid}/status") as status:
                said = dict(line.split(":", 1) for line in status)
        except OSError:
            return 0.0
        # A process that has ended says nothing any more.
        most, pages = (int(said.get(name, "0").split()[0]) for name in ("VmHWM", "RssFile"))
        # The system may take pages of the program away that were there when it had the most memory.
        self.pages = max(self.pages, pages)
        return (most - self.pages) / 1024

    def work(self):
        """The seconds of processor time it has taken, all threads together."""
        try:
            with open(f"/proc/{self.child.pid}/stat") as stat:
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def expects(self, data):
        """How many answers a line gets."""
        try:
            text = data.decode().strip(SPACE)
        except UnicodeDecodeError:
            return 1
        if self.question == "gtp":
            words = "".join(" " if c == "\t" else c for c in data.decode().split("#")[0] if c == "\t" or not (ord(c) < 32 or 127 <= ord(c) < 160))
            words = [w for w in words.translate({ord(c): " " for c in SPACE}).split(" ") if w]
            return 1 if words else 0
        return 0 if not text or self.question == "calc" and text.startswith("#") else 1

    def complete(self):
        return b"\n\n" in self.held if self.question == "gtp" else b"\n" in self.held

    def ask(self, data, patience):
        """The answer, or None if there is none, and the seconds it took."""
        begun, rest = time.monotonic(), data + b"\n"
        end, out, before = begun + patience, self.child.stdout.fileno(), self.work()
        expected = self.expects(data)
        while rest or expected and not self.complete():
            left = end - time.monotonic()
            # On a busy machine a process may have got nothing of the time that went by.
            if left <= 0 and self.work() - before < patience / 20:
                end += patience
                left = patience
            if left <= 0 or time.monotonic() - begun > 30 * patience:
                return None, time.monotonic() - begun
            readable, writable, _ = select.select([out], [self.child.stdin.fileno()] if rest else [], [], left)
            if writable:
                try:
                    rest = rest[os.write(self.child.stdin.fileno(), rest):]
                except BrokenPipeError:
                    rest = b""
            if readable:
                more = os.read(out, 1 << 20)
                if not more:
                    return (self.held or None) if not expected else None, time.monotonic() - begun
                self.held += more
        took = time.monotonic() - begun
        if not expected:
            return b"", took
        end_of_answer = b"\n\n" if self.question == "gtp" else b"\n"
        answer, _, self.held = self.held.partition(end_of_answer)
        return answer, took

    def end(self):
        """Ends the input, and says how the process ended and what it still said."""
        try:
            self.child.stdin.close()
        except BrokenPipeError:
            pass
        try:
            rest = self.held + self.child.stdout.read()
            code = self.child.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.child.kill()
            rest, code = b"", "no end"
            self.child.wait()
        self.child.stdout.close()
        self.complaints.seek(0)
        said = self.complaints.read()[-2000:].decode(errors="replace")
        self.complaints.close()
        return code, rest, said

    def kill(self):
        self.child.kill()
        self.child.wait()
        self.child.stdout.close()
        self.complaints.close()


class Hunt:
    def __init__(self, options, games):
        self.options, self.lines = options, Lines(options.seed, games)
        self.binary = str(pathlib.Path(options.binary).resolve())
        self.counts, self.violations, self.longest, self.largest = collections.Counter(), 0, (0.0, ""), (0.0, "")
        self.reading = 0.0
        self.folder = tempfile.TemporaryDirectory(prefix="hostile-")

    def command(self, question):
        limits = ["--time", f"{self.options.time}ms", "--memory", f"{self.options.memory}M", "--json"]
        r = self.lines.random
        self.reading = 0.0
        if question == "calc":
            return ["calc", "-", *limits], None
        if question in ("value", "outcome"):
            game = self.lines.game()
            if r.random() < 0.2:
                game = "./hostile.game"
                text = self.lines.game_text()
                (pathlib.Path(self.folder.name) / game).write_bytes(text.encode("utf-8", "replace"))
                # What a text claims is compared with small boards when it is read, for five seconds at most, before any question is asked.
                self.reading = 5.5 if "claim" in text else 0.0
            return [question, game, "-", "--threads", r.choice("12"), "--no-db", *limits], game
        if question == "gtp":
            if r.random() < 0.5:
                return ["gtp", "--quiet"], None
            game = r.choice(["clobber", "domineering", "amazons", "konane", "nogo", "snort", "nim", "hackenbush"])
            start = {"nim": "3,5,7", "hackenbush": "BRG,RB"}.get(game, "4x4")
            player = r.choice(["random", "mcts+all", "ab"])
            return ["gtp", "--game", game, "--from", start, "--player", player, "--time", f"{self.options.time}ms"], None
        threads = ["--threads", r.choice("12")] if question == "analyze" else []
        return [question, "-", "--no-db", *threads, *limits], None

    def violation(self, what, arguments, data, more=""):
        self.violations += 1
        shown = repr(data if len(data) < 300 else data[:200] + b"..." + data[-60:])
        print(f"{what}: gamebench {' '.join(arguments)} < {shown} {more}".rstrip(), flush=True)
        if self.options.keep:
            pathlib.Path(self.options.keep).mkdir(parents=True, exist_ok=True)
            kept = pathlib.Path(self.options.keep) / f"{self.options.seed}-{self.violations}"
            kept.write_bytes(" ".join(arguments).encode() + b"\n" + data + b"\n")
            if "./hostile.game" in arguments:
                kept.with_suffix(".game").write_bytes((pathlib.Path(self.folder.name) / "hostile.game").read_bytes())

    def limit(self, question):
        # A board of Go is analysed within limits of the program's own.
        own = 15.0 if question == "gtp" else 0.0
        return own + self.reading + self.options.time / 1000 * 1.1 + 0.1 + self.options.slack / 1000

    def is_late_again(self, question, arguments, data):
        """Whether a line is late whenever it is asked, and by its own work."""
        threads = int(arguments[arguments.index("--threads") + 1]) if "--threads" in arguments else 1 if question == "calc" else os.cpu_count()
        for _ in range(3):
            process = Process(self.binary, self.folder.name, arguments, question)
            before = process.work()
            answer, took = process.ask(data, self.patience(question))
            work = process.work() - before
            process.kill()
            if answer is not None and (took <= self.limit(question) or work <= threads * self.limit(question)):
                return False
        return True

    def patience(self, question):
        """The seconds after which no answer is expected any more."""
        return 20 * self.limit(question)

    def batch(self, question, count):
        arguments, game = self.command(question)
        process = Process(self.binary, self.folder.name, arguments, question)
        cap = self.options.memory * 1.048576 * 1.1 + 20
        large, longest = False, 0
        said = []
        for _ in range(count):
            data = self.lines.line(question, game)
            said.append(data)
            self.counts[question] += 1
            answer, took = process.ask(data, self.patience(question))
            if took > self.longest[0]:
                self.longest = (took, question)
            if answer is None:
                try:
                    # What has closed its output is about to end.
                    code = process.child.wait(timeout=0 if took >= self.patience(question) else 30)
                except subprocess.TimeoutExpired:
                    code = None
                late = code is None
                if question == "gtp" and code == 0 or question in ("value", "outcome") and code in (1, 2):
                    # `quit` ends a session; a wrong name of a game ends the command.
                    self.check_end(process, arguments, data)
                    return
                if late:
                    process.kill()
                    # A conversation depends on all that was said before.
                    before = f"after {said[-20:-1]}" if question == "gtp" else ""
                    self.violation(f"no answer within {took:.1f} s", arguments, data, before)
                else:
                    code, _, said = process.end()
                    self.violation(f"ended with {code}", arguments, data, said)
                return
            if took > self.limit(question) and self.is_late_again(question, arguments, data):
                self.violation(f"late: {took:.2f} s", arguments, data)
            if answer and question != "gtp":
                try:
                    if "panic" in json.loads(answer).get("error", ""):
                        self.violation("an error inside", arguments, data, answer[:300].decode())
                except ValueError:
                    self.violation("no JSON", arguments, data, repr(answer[:200]))
            elif answer and answer[:1] not in b"=?":
                self.violation("no answer of the protocol", arguments, data, repr(answer[:200]))
            most = process.most()
            # The lines themselves and their answers are held as well, and the most memory is that of any line so far.
            longest = max(longest, len(data) + len(answer))
            most -= longest * 4 / 2**20
            if most > self.largest[0]:
                self.largest = (most, question)
            if most > cap and not large and question != "gtp":
                large = True
                # What was taken for earlier lines may be held, or given back a little later.
                self.violation(f"large: {most:.0f} MB", arguments, data, f"after {said[-6:-1]}")
        self.check_end(process, arguments, b"(end)")

    def check_end(self, process, arguments, data):
        code, rest, said = process.end()
        if code not in (0, 1, 2, 3):
            self.violation(f"ended with {code}", arguments, data, said)
        elif "panicked" in said:
            self.violation("a panic", arguments, data, said)
        elif rest.strip(b"\n="):
            self.violation("more answers than lines", arguments, data, repr(rest[:200]))

    def run(self):
        questions = [self.options.only] if self.options.only else ["calc", "calc", "value", "outcome", "analyze", "thermograph", "gtp"]
        begun, done, told = time.monotonic(), 0, 0
        try:
            while done < self.options.lines and time.monotonic() - begun < self.options.seconds:
                question = self.lines.random.choice(questions)
                count = min(self.options.batch or self.lines.random.choice([1, 20, 20, 100, 400]), self.options.lines - done)
                before = sum(self.counts.values())
                self.batch(question, count)
                done += sum(self.counts.values()) - before
                if time.monotonic() - begun > told + 60:
                    told = time.monotonic() - begun
                    print(f"{done} lines after {told:.0f} s, {self.violations} violations", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            # The counts so far are worth having; the line that was cut off is not counted.
            pass
        counted = ", ".join(f"{name} {count}" for name, count in sorted(self.counts.items()))
        print(f"{done} lines ({counted}) in {time.monotonic() - begun:.0f} s, seed {self.options.seed}: {self.violations} violations; "
              f"longest {self.longest[0]:.2f} s ({self.longest[1]}), most memory {self.largest[0]:.0f} MB ({self.largest[1]})")
        return 1 if self.violations else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", type=int, default=2_000)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this time, however many lines are left")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", type=int, default=100, help="milliseconds for each line")
    parser.add_argument("--memory", type=int, default=50, help="megabytes for each line")
    parser.add_argument("--batch", type=int, help="lines of each process, instead of a number drawn by lot: what a long life leaves behind")
    parser.add_argument("--slack", type=int, default=200, help="milliseconds beyond the limit that other programs may take")
    parser.add_argument("--only", choices=["calc", "value", "outcome", "analyze", "thermograph", "gtp"])
    parser.add_argument("--keep", help="write lines that broke something into this folder")
    parser.add_argument("--binary", default=PROJECT / "target/release/gamebench")
    options = parser.parse_args()
    listed = subprocess.run([options.binary, "games", "--json"], capture_output=True, text=True, check=True).stdout
    return Hunt(options, [json.loads(line)["name"] for line in listed.splitlines()]).run()


if __name__ == "__main__":
    sys.exit(main())
