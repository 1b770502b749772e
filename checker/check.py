#!/usr/bin/env python3
"""Checks certificates of the Game Bench: python3 checker/check.py FILE. Plain Python, nothing imported from the bench.

docs/proofs.md says what a certificate is. To believe one, believe this file: the rules of eight games, how their boards fall apart,
which turns and reflections change nothing, how values are compared and added, and that who has no answer left loses. Nothing is searched.
"""
import re
import sys

sys.setrecursionlimit(100_000)
class Refused(Exception): """A line does not follow from those before it."""
def need(true, why):
    if not true: raise Refused(why)
# Values. A value is a number: the place of its canonical form, the options of Left and of Right, in a list.
FORMS, PLACES, LE, SUMS, NIMBERS = [], {}, {}, {}, []
def le(g, h):  # Whether g <= h: no option of Left in g is >= h, and none of Right in h is <= g. Games are values, or pairs of options.
    if (g, h) not in LE:
        left, right = (FORMS[g] if isinstance(g, int) else g)[0], (FORMS[h] if isinstance(h, int) else h)[1]
        LE[g, h] = not any(le(h, x) for x in left) and not any(le(x, g) for x in right)
    return LE[g, h]
def game(left, right):  # The canonical form of {left|right}: reversible options are replaced, then dominated ones left out.
    sides, again = (set(left), set(right)), True
    while again:
        again = False
        for who in (0, 1):
            for option in list(sides[who]):
                whole = (tuple(sides[0]), tuple(sides[1]))
                through = [x for x in FORMS[option][1 - who] if (le(whole, x) if who else le(x, whole))]
                if through:
                    sides[who].remove(option)
                    sides[who].update(FORMS[through[0]][who])
                    again = True
    left = tuple(sorted(x for x in sides[0] if not any(y != x and le(x, y) for y in sides[0])))
    right = tuple(sorted(x for x in sides[1] if not any(y != x and le(y, x) for y in sides[1])))
    if (left, right) not in PLACES:
        PLACES[left, right] = len(FORMS)
        FORMS.append((left, right))
    return PLACES[left, right]
ZERO = game((), ())
def add(g, h):
    if (g, h) not in SUMS:
        SUMS[g, h] = SUMS[h, g] = game(*([add(x, h) for x in FORMS[g][who]] + [add(g, x) for x in FORMS[h][who]] for who in (0, 1)))
    return SUMS[g, h]
def number(top, bottom):
    if bottom > 1:
        return number(top // 2, bottom // 2) if top % 2 == 0 else game([number(top - 1, bottom)], [number(top + 1, bottom)])
    return ZERO if top == 0 else game([number(top - 1, 1)], []) if top > 0 else game([], [number(top + 1, 1)])
def nimber(n):
    while len(NIMBERS) <= n:
        NIMBERS.append(game(NIMBERS, NIMBERS))
    return NIMBERS[n]
# Boards on grids: a text, or a letter for every cell.
def grid(text):
    return {(i, j): letter for i, row in enumerate(text.split("|")) for j, letter in enumerate(row)}
def text_of(cells, blank="#"):  # The smallest rectangle that holds these cells, as text.
    rows, cols = (range(min(list_), max(list_) + 1) for list_ in zip(*cells))
    return "|".join("".join(cells.get((i, j), blank) for j in cols) for i in rows)
def around(at): return ((at[0] - 1, at[1]), (at[0] + 1, at[1]), (at[0], at[1] - 1), (at[0], at[1] + 1))
def connected(cells, joined=lambda a, b: True):  # The sets of cells that hang together.
    rest, found = set(cells), []
    while rest:
        part, edge = set(), [min(rest)]
        while edge:
            at = edge.pop()
            edge += [n for n in around(at) if at not in part and n in rest and joined(at, n)]
            part.add(at)
        rest -= part
        found.append(part)
    return found
def images(text, turns):  # A text turned and reflected; without quarter turns, where upright and lying are not the same.
    rows = text.split("|")
    flips = [rows, rows[::-1], [row[::-1] for row in rows], [row[::-1] for row in rows[::-1]]]
    flips += [["".join(column) for column in zip(*image)] for image in flips] if turns else []
    return ["|".join(image) for image in flips]
# Games. `moves` are the texts after the moves of Left (0) or Right (1), `parts` what a board falls into.
class Dominoes:  # Domineering: Left places dominoes upright, Right lying. Cram: both place them either way.
    def __init__(self, impartial): self.impartial = self.turns = impartial
    def moves(self, text, who):
        board, ways = grid(text), [(1, 0), (0, 1)] if self.impartial else [(0, 1) if who else (1, 0)]
        places = [(at, (at[0] + i, at[1] + j)) for at in board for i, j in ways]
        return {text_of({**board, a: "#", b: "#"}) for a, b in places if board[a] == board.get(b) == "."}
    def parts(self, text):
        return [text_of(dict.fromkeys(part, ".")) for part in connected(at for at, c in grid(text).items() if c == ".")]
class Clobber:  # A stone moves onto an enemy stone beside it.
    impartial, turns = False, True
    def moves(self, text, who):
        board, own, enemy = grid(text), "xo"[who], "ox"[who]
        return {text_of({**board, at: ".", n: own}) for at in board if board[at] == own for n in around(at) if board.get(n) == enemy}
    def parts(self, text):
        stones = {at: c for at, c in grid(text).items() if c != "."}
        return [text_of({at: stones[at] for at in part}, ".") for part in connected(stones)]
class Colouring:  # Snort: no colour beside the other. Col: none beside itself. `l` and `r` are cells that only Left, or Right, may colour.
    impartial, turns = False, True
    def __init__(self, snort):
        self.snort, self.forbids = snort, {"x": "lr"[snort], "o": "rl"[snort]}
    def open(self, board):  # Who may still colour which cells: Left, Right, or both.
        near = {at: {self.forbids.get(board.get(n)) for n in around(at)} for at in board}
        may = {at: [who for who in {".": "lr", "l": "l", "r": "r"}.get(c, "") if who not in near[at]] for at, c in board.items()}
        return {at: "." if len(who) == 2 else who[0] for at, who in may.items() if who}
    def moves(self, text, who):
        board = grid(text)
        return {text_of({**board, at: "xo"[who]}) for at, may in self.open(board).items() if may in "." + "lr"[who]}
    def parts(self, text):
        may = self.open(grid(text))
        # What only Left may colour means something to what only Right may in Snort, and to what only Left may in Col.
        joined = lambda a, b: "." in may[a] + may[b] or (may[a] != may[b]) == self.snort
        return [text_of({at: may[at] for at in part}) for part in connected(may, joined)]
class NoGo:
    """A stone is placed so that all groups keep a liberty. What neither may fill is empty for good, `+`; stones beside it are safe, `X` and `O`."""
    impartial, turns = False, True
    def places(self, board, who):
        return [at for at, c in board.items() if c == "." and self.alive(board) and self.alive({**board, at: "xo"[who]})]
    def groups(self, board):
        return [group for colour in ("xX", "oO") for group in connected(at for at, c in board.items() if c in colour)]
    def alive(self, board):
        return all(any(board[at] in "XO" or any(board.get(n, "#") in ".+" for n in around(at)) for at in group) for group in self.groups(board))
    def moves(self, text, who):
        board = grid(text)
        return {text_of({**board, at: "xo"[who]}) for at in self.places(board, who)}
    def parts(self, text):
        board = grid(text)
        free = {at for who in (0, 1) for at in self.places(board, who)}
        board.update({at: "+" for at, c in board.items() if c == "." and at not in free})
        for group in self.groups(board):
            if any(board[at] in "XO" or any(board.get(n) == "+" for n in around(at)) for at in group):
                board.update({at: board[at].upper() for at in group})
        found = [part for part in connected(at for at in board if at in free or board[at] in "xo") if part & free]
        rims = [{n for at in part for n in around(at) if board.get(n, "#") in "+XO"} for part in found]
        return [text_of({at: board[at] for at in part | rim}) for part, rim in zip(found, rims)]
class Heaps:  # Nim, or an octal game: the digit of its code for so many tokens says what may be left: nothing (1), a heap (2), two (4).
    impartial, turns = True, False
    def __init__(self, code=None): self.code = code
    def moves(self, text, who):
        heaps, found = [int(n) for n in text.split(",")], set()
        for at, size in enumerate(heaps):
            lefts = [[n] for n in range(size)] if self.code is None else []
            for take, digit in enumerate((self.code or [])[:size + 1]):
                left = size - take
                lefts += [[left]] if digit & 1 and left == 0 or digit & 2 and left > 0 else []
                lefts += [[n, left - n] for n in range(1, left // 2 + 1)] if digit & 4 else []
            found |= {",".join(map(str, heaps[:at] + left + heaps[at + 1:])) for left in lefts}
        return found
    def parts(self, text):
        return [n for n in text.split(",") if n != "0"]
def rules(name):
    if name.startswith("octal(") and name.endswith(")"):
        return Heaps([int(digit) for digit in name[6:-1].replace(".", "", 1)])
    named = {"domineering": Dominoes(False), "cram": Dominoes(True), "clobber": Clobber(), "snort": Colouring(True), "col": Colouring(False),
             "nogo": NoGo(), "nim": Heaps(), "kayles": Heaps([0, 7, 7]), "dawsons-kayles": Heaps([0, 0, 7])}
    need(name in named, f"this checker does not know the rules of {name}")
    return named[name]
def changed(text, change):  # A text after a change: the places of letters, each with its new letter, or `~` and all of it.
    if change[:1] == "~": return change[1:]
    letters = list(text)
    for at, letter in re.findall(r"(\d+)(\D)", change):
        letters[int(at)] = letter
    return "".join(letters)
class Checker:
    def __init__(self):
        self.games, self.names, self.valued, self.lost, self.least, self.claims = {}, [], {}, set(), {}, []
    def rule(self, board):  # The rules of a board, the name before it (where there are several games) and the board itself.
        name, _, plain = board.partition("_") if len(self.games) > 1 else (next(iter(self.games)), "", board)
        need(name in self.games, f"`{name}` is none of the games")
        return self.games[name], board[:len(board) - len(plain)], plain
    def moves(self, board, who):
        rule, name, plain = self.rule(board)
        return sorted(name + after for after in rule.moves(plain, who))
    def parts(self, board):  # The parts that have moves, each as the least of its images.
        rule, name, plain = self.rule(board)
        parts = list(rule.parts(plain))
        for part in parts:
            if name + part not in self.least:
                least = part if isinstance(rule, Heaps) else min(images(part, rule.turns))
                self.least[name + part] = name + least if rule.moves(part, 0) or rule.moves(part, 1) else ""
        return [self.least[name + part] for part in parts if self.least[name + part]]
    def impartial(self): return all(rule.impartial for rule in self.games.values())
    def value(self, text):  # A value, and the options of Left and Right in the order in which certificates have them.
        if text[0] == "#":
            return self.names[int(text[1:])]
        if text[0] == "*":
            return nimber(int(text[1:])), [NIMBERS[:int(text[1:])]] * 2
        top, bottom = (int(n) for n in (text + "/1").split("/")[:2])
        need(bottom > 0 and bottom & (bottom - 1) == 0, f"{text} is no number")
        return number(top, bottom), FORMS[number(top, bottom)]
    def worth(self, text):  # A value and what is less, each with its options.
        value, _, less = text.partition(":")
        return self.value(value), self.value(less or "0")
    def sum(self, boards, value, less):  # The parts of unknown value, and the sum of everything else. Equal parts of impartial games cancel.
        parts = [part for board in boards for part in self.parts(board)]
        for part in parts:
            value = add(value, self.valued.get(part, ZERO))
        unknown = [part for part in parts if part not in self.valued]
        unknown = [part for part in set(unknown) if unknown.count(part) % 2] if self.impartial() else unknown
        return tuple(sorted(unknown)), value, less
    def loses(self, who, total, words=None):
        """Whether who moves first loses: by values, or a fact says it, or the one that the next word, `>`, points to: with no less for that player."""
        parts, value, less = total
        if words and words[-1][0] == ">":
            (more, _), (off, _) = self.worth(words.pop()[1:])
            need(le(more, value) and le(less, off) if who else le(value, more) and le(off, less), "a fact is pointed to that says less")
            value, less = more, off
        if parts:
            return (0 if self.impartial() else who, parts, value, less) in self.lost
        return le(less, value) if who else le(value, less)
    def answer(self, who, words, boards, values, moved):
        """`who` has moved, and this is left: the next word is a move of the opponent after which `who` loses, or `=`: values decide."""
        answer, worth = words.pop(), [value for value, _ in values]
        place, _, change = answer.rpartition("@")
        if answer == "=":
            total = self.sum(boards, *worth)
            return need(not total[0] and not self.loses(1 - who, total), "`=` stands where values do not decide, or decide otherwise")
        if place in ("v", "w"):  # What is one player's in a value is the other's in what is less.
            at = "vw".index(place)
            worth[at] = self.value(change)[0]
            need(worth[at] in values[at][1][who if at else 1 - who], f"{answer} is no move")
        else:
            at = int(place) if place else moved
            after = changed(boards[at], change)
            need(after in self.moves(boards[at], 1 - who), f"{answer} is no move")
            boards = boards[:at] + [after] + boards[at + 1:]
        need(self.loses(who, self.sum(boards, *worth), words), f"after `{answer}` it is not known that the player loses")
    def name(self, name, forms):
        need(name == str(len(self.names)), f"expected the name {len(self.names)}")
        left, right = ([self.value(x)[0] for x in side.split(",") if x] for side in forms.split("|"))
        self.names.append((game(left, right), (left, right)))
    def part(self, board, value, words):
        """The options make the value, or those of known value if every other is shown to be no better than one of these; or all is compared."""
        need(len(self.parts(board)) == 1, "this board is no single part with moves")
        found, all_known, sides, rivals, whose = self.value(value)[0], not words, ([], []), ([], []), (0,) if self.impartial() else (0, 1)
        if words == ["LR"]:
            total = self.sum([board], ZERO, found)
            need(self.loses(0, total) and self.loses(1, total), "it is not known to be that value")
        for who, after in [] if words == ["LR"] else [(who, after) for who in whose for after in self.moves(board, who)]:
            word = "=" if all_known else words.pop()
            unknown, *worth = self.sum([after], ZERO, ZERO if word == "=" else self.value(word)[0])
            (sides if word == "=" else rivals)[who].append(worth[word != "="])
            need(not unknown if word == "=" else self.loses(who, (unknown, *worth), words), f"the value of {after} is not known, or too large")
        compared = all(set(rivals[who]) <= set(sides[who]) for who in (0, 1))
        need(words == ["LR"] or not words and compared and found == game(sides[0], sides[whose[-1]]), "the options make another value")
        self.valued[self.parts(board)[0]] = found
    def lose(self, kind, boards, value, answers):
        need((kind == "E") == self.impartial(), "E is for impartial games, L and R are for others")
        who, boards, words, values = int(kind == "R"), boards.split(), answers.split()[::-1], self.worth(value)
        need(kind != "E" or value == "0" or value[0] == "*" and ":" not in value, "the value has to be a nimber")
        for at, board in enumerate(boards):
            for after in self.moves(board, who) if board not in boards[:at] else []:
                self.answer(who, words, boards[:at] + [after] + boards[at + 1:], values, at)
        for at in (0, 1):
            for option in values[at][1][1 - who if at else who]:
                self.answer(who, words, boards, values[:at] + ((option, FORMS[option]),) + values[at + 1:], None)
        need(not words, "there are more answers than moves")
        unknown, value, less = self.sum(boards, values[0][0], values[1][0])
        if kind == "E" and len(unknown) == 1:
            self.valued[unknown[0]] = value
        else:
            self.lost.add((who, unknown, value, less))
    def claim(self, kind, rest):
        who = 0 if kind == "value" else ["left", "right"].index(rest.split(" ")[0])
        fields = (rest if kind == "value" else rest.split(" ", 1)[1]).split(" ; ")
        boards, values = fields[0].split(), self.worth(fields[1])
        if kind == "wins":
            words = fields[2].split()[::-1]
            self.answer(1 - who, words, boards, values, None)
            need(not words, "more is said than one move")
        else:
            need(kind in ("value", "loses"), f"`{kind}` is nothing to claim")
            total = self.sum(boards, values[0][0], add(values[1][0], self.value(fields[2])[0] if kind == "value" else ZERO))
            need(self.loses(who, total) and (kind == "loses" or self.loses(1, total)), "the claim does not follow")
        self.claims.append(f"{kind} {rest}")
def check(lines):
    """The claims of a certificate, if all of it follows."""
    checker, count = Checker(), 0
    for count, line in enumerate(lines, 1):
        try:
            kind, _, rest = line.rstrip("\n").partition(" ")
            if kind == "end":
                need(rest.split(" ")[0] == str(count - 1), "lines are missing")
                return checker.claims
            if count == 1:
                need(line == "gamebench-proof 2\n", "this is no certificate of version 2, and others are not known here")
            elif kind == "game":
                checker.games[rest.split(" ")[0]] = rules(rest.split(" ")[0])
            elif kind == "N":
                checker.name(*rest.split(" "))
            elif kind == "V":
                checker.part(*rest.split(" ; ")[0].split(" "), rest.split(" ; ")[1].split()[::-1] if " ; " in rest else [])
            elif kind in ("L", "R", "E"):
                checker.lose(kind, *rest.split(" ; "))
            else:
                need(kind == "claim", f"`{kind}` is no kind of line")
                checker.claim(*rest.split(" ", 1))
        except (Refused, ValueError, IndexError, KeyError, TypeError, RecursionError) as error:
            raise Refused(f"line {count}: {error}") from None
    raise Refused(f"line {count + 1}: the last line is missing")

if __name__ == "__main__":
    try:
        print("\n".join("proved: " + claim for claim in check(open(sys.argv[1], encoding="utf-8", newline="\n"))))
    except Refused as error:
        sys.exit(f"refused: {error}")
