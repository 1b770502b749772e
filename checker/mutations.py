#!/usr/bin/env python3
"""Changes certificates and lets the two checkers in Python read them: python3 checker/mutations.py TIMES FILE...

A changed certificate is refused, or what it claims of the same boards was claimed before (the change was harmless: a fact that nobody needs was left
out, another reply is as good). Anything else is printed, and the exit code is 1.
"""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check
import whole


class Meaning(check.Checker):
    """Claims values by what they are and not by their names, which a change may give to something else."""
    def claim(self, kind, rest):
        super().claim(kind, rest)
        if kind == "value":
            boards, value, total = rest.split(" ; ")
            self.claims[-1] = f"value {boards} ; {[value for value, _ in self.worth(value)]} ; {self.value(total)[0]}"


check.Checker = Meaning


def mutated(lines, rng):
    """A changed copy: a line left out, two exchanged, a word or a letter replaced."""
    lines = list(lines)
    at = rng.randrange(2, len(lines))
    words = lines[at].split(" ")
    way = rng.randrange(5)
    if way == 0:
        del lines[at]
    elif way == 1:
        other = rng.randrange(2, len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif way == 2:
        words[rng.randrange(len(words))] = rng.choice(rng.choice(lines[2:]).split(" "))
        lines[at] = " ".join(words)
    elif way == 3:
        del words[rng.randrange(len(words))]
        lines[at] = " ".join(words)
    else:
        word = rng.randrange(len(words))
        if words[word]:
            place = rng.randrange(len(words[word]))
            words[word] = words[word][:place] + rng.choice(".#xo0123456789*|=LRVED@~>:") + words[word][place + 1:]
        lines[at] = " ".join(words)
    return lines


def said(claims, boards):
    """What is claimed of these boards, whichever move it wins by."""
    found = set()
    for claim in claims:
        fields = claim.split(" ; ")
        if any(word in boards for word in fields[0].split(" ")):
            found.add(" ; ".join(fields[:2] if claim.startswith(("wins", "draws")) else fields))
    return found


def main():
    times, rng, wrong = int(sys.argv[1]), random.Random(24), 0
    for path in sys.argv[2:]:
        lines = open(path, encoding="utf-8").read().splitlines()[:-1]
        checker = whole if lines[1].split(" ")[1] in ("fox-and-geese", "pawns") else check
        read = lambda lines: checker.check(line + "\n" for line in [*lines, f"end {len(lines)} 0"])
        claims = read(lines)
        boards = {word for claim in claims for word in claim.split(" ; ")[0].split(" ")[1:]} - {"left", "right"}
        refused = harmless = 0
        for _ in range(times):
            changed = mutated(lines, rng)
            if changed == lines:
                continue
            try:
                found = read(changed)
            except (check.Refused, whole.Refused):
                refused += 1
                continue
            if said(found, boards) <= said(claims, boards):
                harmless += 1
            else:
                wrong += 1
                print("\n".join(changed), "\nwrongly accepted:", found)
        print(f"{path}: {refused} refused, {harmless} harmless")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
