#!/usr/bin/env python3
"""Checks certificates of games that can repeat or be won everywhere at once: python3 checker/whole.py FILE. Plain Python, nothing imported from us.

Boards of these games are not taken apart and have no values: a line is about one board, with a 0 where others have a value. To believe a
certificate, believe the rules of two games below, and that a player who can answer for ever does not lose. Nothing is searched.
"""
import re
import sys

class Refused(Exception): """A line does not follow from the others."""
def need(true, why):
    if not true: raise Refused(why)

class FoxAndGeese:  # Left moves a goose x one cell diagonally down, Right the fox o diagonally anywhere. A fox above all geese has won.
    def cells(self, text):
        return {(i, j): c for i, row in enumerate(text.split("|")) for j, c in enumerate(row)}
    def won(self, text):  # Who has won everywhere: 0, 1, or None.
        rows = {c: [at[0] for at, d in self.cells(text).items() if d == c] for c in "xo"}
        return 1 if all(row > rows["o"][0] for row in rows["x"]) else None
    def moves(self, text, who):
        cells, found = self.cells(text), set()
        ways = [(i, j) for i in ((1,) if who == 0 else (1, -1)) for j in (1, -1)]
        for at in [at for at, c in cells.items() if c == "xo"[who] and self.won(text) is None]:
            for to in [(at[0] + i, at[1] + j) for i, j in ways]:
                if cells.get(to) == ".":
                    after = {**cells, at: ".", to: "xo"[who]}
                    rows = [[c for (i, _), c in sorted(after.items()) if i == row] for row in range(text.count("|") + 1)]
                    found.add("|".join("".join(row) for row in rows))
        return found

class Pawns:
    """Chess pawns alone. Who promotes has won. The right to take en passant on a square that was passed lapses with the next move in the same chunk."""
    def read(self, text):  # Pawns by file and rank from 0, 0 for White and 1 for Black; the squares that were passed; files and ranks.
        field, *passed = text.split("_")
        rows = [re.sub(r"\d", lambda digit: "." * int(digit[0]), row) for row in field.split("/")][::-1]
        pawns = {(x, y): int(c in "pq") for y, row in enumerate(rows) for x, c in enumerate(row) if c != "."}
        return pawns, {(ord(name[0]) - 97, int(name[1:]) - 1) for name in passed}, len(rows[0]), len(rows)
    def show(self, pawns, passed, files, ranks):
        letter = lambda x, y: ("Qq" if y == (ranks - 1, 0)[pawns[x, y]] else "Pp")[pawns[x, y]] if (x, y) in pawns else "."
        gap = lambda run: "9" * (len(run[0]) // 9) + str(len(run[0]) % 9 or "")
        rows = [re.sub(r"\.+", gap, "".join(letter(x, y) for x in range(files))) for y in range(ranks)]
        return "_".join(["/".join(rows[::-1])] + [chr(97 + x) + str(y + 1) for x, y in sorted(passed, key=lambda at: at[::-1])])
    def won(self, text):
        pawns, _, _, ranks = self.read(text)
        return next((who for who in (0, 1) if any(y == (ranks - 1, 0)[who] for (_, y), c in pawns.items() if c == who)), None)
    def passer(self, pawns, at):  # The pawn that has passed a square.
        return (at[0], at[1] + 1) if pawns.get((at[0], at[1] + 1)) == 0 else (at[0], at[1] - 1)
    def chunk(self, pawns, passed, at):  # The pawns that the one on this square may ever have to do with.
        stands = {self.passer(pawns, square): square[1] for square in passed}
        chunks = [({p}, p[0], p[0], [None, None]) for p in pawns]
        for members, _, _, ends in chunks:  # The lowest White pawn and the highest Black one. Who can be taken en passant stands where he has passed.
            ends[pawns[min(members)]] = stands.get(min(members), min(members)[1])
        def meet(a, b):
            near, overlap = a[1] <= b[2] + 1 and b[1] <= a[2] + 1, a[1] <= b[2] and b[1] <= a[2]
            unpassed = any(u[3][0] is not None and v[3][1] is not None and u[3][0] < v[3][1] for u, v in ((a, b), (b, a)))
            return near and (unpassed or overlap and any(a[3][c] is not None and b[3][c] is not None for c in (0, 1)))
        pair = True
        while pair:
            pair = next(((a, b) for a in chunks for b in chunks if a is not b and meet(a, b)), None)
            if pair:
                a, b = pair
                ends = [pick([e for e in (a[3][c], b[3][c]) if e is not None], default=None) for c, pick in ((0, min), (1, max))]
                chunks = [c for c in chunks if c is not a and c is not b] + [(a[0] | b[0], min(a[1], b[1]), max(a[2], b[2]), ends)]
        return next(members for members, _, _, _ in chunks if at in members)
    def moves(self, text, who):
        (pawns, passed, files, ranks), found = self.read(text), set()
        step, home = (1, 1) if who == 0 else (-1, ranks - 2)
        for x, y in [at for at, c in pawns.items() if c == who and self.won(text) is None]:
            free = (x, y + step) not in pawns
            targets = [(x, y + step)] if free else []
            targets += [(x, y + 2 * step)] if free and y == home and (x, y + 2 * step) not in pawns else []
            targets += [at for at in ((x - 1, y + step), (x + 1, y + step)) if pawns.get(at) == 1 - who or
                        at in passed and pawns[self.passer(pawns, at)] != who]
            for to in targets:
                after = {at: c for at, c in pawns.items() if at != (x, y)}
                if to in passed and to[0] != x and pawns[self.passer(pawns, to)] != who:
                    del after[self.passer(pawns, to)]
                after[to] = who
                mine = self.chunk(pawns, passed, (x, y)) if passed else set()
                rights = {at for at in passed if self.passer(pawns, at) not in mine}
                if abs(to[1] - y) == 2 and any(after.get((to[0] + i, to[1])) == 1 - who for i in (1, -1)):
                    rights.add((x, y + step))
                found.add(self.show(after, rights, files, ranks))
        return found

def changed(text, change):  # A text after a change: the places of letters, each with its new letter, or `~` and all of it.
    if change[:1] == "~": return change[1:]
    letters = list(text)
    for at, letter in re.findall(r"(\d+)(\D)", change):
        letters[int(at)] = letter
    return "".join(letters)

class Checker:
    def __init__(self):
        self.game, self.lost, self.not_won, self.needed, self.claims = None, set(), set(), set(), []
    def loses(self, who, board):  # Whether who moves first is known to lose: it is decided, nobody can move, or a line says it.
        won = self.game.won(board)
        stuck = won is None and not self.game.moves(board, 0) and not self.game.moves(board, 1)
        return won == 1 - who or stuck or won is None and (who, board) in self.lost
    def answer(self, who, board, word, draw):
        """`who` has moved and left this board: the word is a move of the opponent after which `who` loses or is said not to win, or `=`: it is won."""
        if word == "=":
            return need(self.game.won(board) == 1 - who, "`=` stands where nobody has won")
        after = changed(board, word)
        need(after in self.game.moves(board, 1 - who), f"{word} is no move")
        if not self.loses(who, after):
            need(draw and self.game.won(after) is None, f"after `{word}` it is not known that the player loses")
            self.needed.add((who, after))
    def lose(self, kind, board, value, answers):
        who, words = int(kind[-1] == "R"), answers.split()
        need(value == "0" and " " not in board and self.game.won(board) is None, "expected one board that nobody has won")
        for after in sorted(self.game.moves(board, who)):
            self.answer(who, after, words.pop(0), kind[0] == "D")
        need(not words, "there are more answers than moves")
        (self.not_won if kind[0] == "D" else self.lost).add((who, board))
    def claim(self, kind, rest):
        who, fields = ["left", "right"].index(rest.split(" ")[0]), rest.split(" ", 1)[1].split(" ; ")
        need(kind in ("loses", "wins", "draws") and fields[1] == "0", "this is nothing to claim")
        if kind == "loses":
            need(self.loses(who, fields[0]), "the claim does not follow")
        else:  # A move is an answer to one that was not made.
            need(fields[2][:2] == "0@", "expected a move")
            self.answer(1 - who, fields[0], fields[2][2:], kind == "draws")
            if kind == "draws": self.needed.add((who, fields[0]))
        self.claims.append(f"{kind} {rest}")
def check(lines):
    """The claims of a certificate, if all of it follows."""
    checker, count = Checker(), 0
    for count, line in enumerate(lines, 1):
        try:
            kind, _, rest = line.rstrip("\n").partition(" ")
            if kind == "end":
                need(rest.split(" ")[0] == str(count - 1), "lines are missing")
                need(checker.needed <= checker.not_won, "a board is not said not to be won")
                return checker.claims
            if count == 1:
                need(line == "gamebench-proof 2\n", "this is no certificate of version 2, and others are not known here")
            elif kind == "game":
                need(checker.game is None, "there is one game")
                checker.game = {"fox-and-geese": FoxAndGeese, "pawns": Pawns}[rest.split(" ")[0]]()
            elif kind in ("L", "R", "DL", "DR"):
                checker.lose(kind, *rest.split(" ; "))
            else:
                need(kind == "claim", f"`{kind}` is no kind of line")
                checker.claim(*rest.split(" ", 1))
        except (Refused, ValueError, IndexError, KeyError, TypeError, AttributeError, StopIteration) as error:
            raise Refused(f"line {count}: {error}") from None
    raise Refused(f"line {count + 1}: the last line is missing")

if __name__ == "__main__":
    try:
        print("\n".join("proved: " + claim for claim in check(open(sys.argv[1], encoding="utf-8", newline="\n"))))
    except Refused as error:
        sys.exit(f"refused: {error}")
