"""Writes the examples of a document as a program, for programs that check types: examples.py docs/python.md > program.py"""

import doctest
import pathlib
import sys

if __name__ == "__main__":
    for file in sys.argv[1:]:
        for example in doctest.DocTestParser().get_examples(pathlib.Path(file).read_text(encoding="utf-8")):
            # What raises on purpose is left out.
            if example.exc_msg is None:
                print(example.source, end="")
