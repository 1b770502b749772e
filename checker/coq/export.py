#!/usr/bin/env python3
"""Writes what the bench says of small games as theorems for Coq: Facts.v, about the definitions of Bench.v.

    checker/coq/export.py [--binary target/release/gamebench] [--seed 1] [--count 100] > Facts.v

Values born by day 3 are compared (equal, at least, not at least), and small boards of four games get their values. The facts are
the bench's; that they are true is for Coq to find out. `--wrong` spoils one of them.
"""

import argparse
import fractions
import itertools
import json
import random
import re
import subprocess

DAY1 = ["0", "1", "-1", "*"]


def bench(binary, arguments, lines):
    run = subprocess.run([binary, *arguments, "-", "--json", "--plain", "--length", "100000"], input="\n".join(lines), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def number(value):
    """A number as a game: the simplest one between its options."""
    value = fractions.Fraction(value)
    if value.denominator == 1:
        return f"(int ({value}))"
    step = fractions.Fraction(1, value.denominator)
    return f"(Game [{number(value - step)}] [{number(value + step)}])"


ATOM = re.compile(r"(?P<number>-?\d+(?:/\d+)?)?(?P<ups>\^+\d*|v+\d*)?(?P<star>\*\d*)?")


def atom(text):
    """A number, ups and a star, written together: 1/2^^*3."""
    match = ATOM.fullmatch(text)
    assert match and text, text
    terms = []
    if match["number"]:
        terms.append(number(match["number"]))
    if match["ups"]:
        signs = match["ups"].rstrip("0123456789")
        count = int(match["ups"][len(signs):] or len(signs))
        terms += ["up" if signs[0] == "^" else "(neg up)"] * count
    if match["star"]:
        terms.append(f"(star {match['star'][1:] or 1})")
    term = terms[0]
    for other in terms[1:]:
        term = f"(add {term} {other})"
    return term


def split(text, separator):
    """Splits where no brace is open."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if letter == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def game(text):
    """The text of a value, with braces, as a term of Coq."""
    text = text.strip()
    if not text.startswith("{"):
        return atom(text)
    sides = split(text[1:-1], "|")
    assert len(sides) == 2, text
    lists = [[game(option) for option in split(side, ",") if option.strip()] for side in sides]
    return f"(Game [{'; '.join(lists[0])}] [{'; '.join(lists[1])}])"


def boards(letters, rows, cols):
    for cells in itertools.product(letters, repeat=rows * cols):
        yield "|".join("".join(cells[row * cols:(row + 1) * cols]) for row in range(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/gamebench")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100, help="facts of each kind")
    parser.add_argument("--wrong", action="store_true", help="spoil one fact")
    options = parser.parse_args()
    dice = random.Random(options.seed)

    # All values born by day 2, as the bench reduces them.
    sides = [",".join(side) for size in range(len(DAY1) + 1) for side in itertools.combinations(DAY1, size)]
    day2 = sorted({answer["value"] for answer in bench(options.binary, ["calc"], [f"{{{left}|{right}}}" for left in sides for right in sides])})
    assert len(day2) == 22, len(day2)
    forms = []
    for _ in range(options.count):
        left, right = (",".join(dice.sample(day2, dice.randint(0, 3))) for _ in range(2))
        forms.append(f"{{{left}|{right}}}")
    values = [answer["value"] for answer in bench(options.binary, ["calc"], forms)]

    facts = []
    for form, value in zip(forms, values):
        facts.append((f"equal {game(form)} {game(value)}", "equal_by_computing"))
    pairs = [(dice.choice(values), dice.choice(values)) for _ in range(options.count)]
    answers = bench(options.binary, ["calc"], [f"{first} >= {second}" for first, second in pairs])
    for (first, second), answer in zip(pairs, answers):
        first, second = game(first), game(second)
        if answer["value"] in (True, "true"):
            facts.append((f"at_least {first} {second}", "at_least_by_computing"))
        else:
            facts.append((f"Wins Right (add {first} (neg {second}))", "not_at_least_by_computing"))
    for name, letters in [("domineering", ".#"), ("clobber", "xo."), ("snort", ".xo"), ("col", ".xo")]:
        # Where every cell is a move, more cells are too many for play without memory.
        sizes = {"domineering": [(2, 3), (1, 5), (3, 3)], "clobber": [(2, 2), (1, 4), (1, 5)]}.get(name, [(1, 3), (2, 2), (1, 4)])
        texts = [text for rows, cols in sizes for text in boards(letters, rows, cols)]
        # What cannot come up in play is refused: snort and col have no neighbours of the wrong colours.
        texts = dice.sample(texts, min(len(texts), options.count))
        for text, answer in zip(texts, bench(options.binary, ["value", name], texts)):
            if "value" not in answer:
                continue
            rows = "; ".join(f'"{row}"' for row in text.split("|"))
            facts.append((f"has_value {name} {len(text)} [{rows}] {game(answer['value'])}", "value_by_computing"))

    if options.wrong:
        facts = [(f"equal {game(values[0])} (add {game(values[0])} up)", "equal_by_computing")]
    print(f"(* {len(facts)} facts of the bench, seed {options.seed}. *)")
    print("Require Import Bench List ZArith String.\nImport ListNotations.\nOpen Scope Z_scope.\nOpen Scope string_scope.\n")
    print("Definition up : game := Game [int 0] [star 1].\n")
    for at, (statement, rule) in enumerate(facts):
        print(f"Theorem fact{at} : {statement}.\nProof. apply {rule}. vm_compute. reflexivity. Qed.")
    print("\nPrint Assumptions fact0.")


main()
