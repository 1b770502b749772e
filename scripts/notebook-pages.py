#!/usr/bin/env python3
"""A preprocessor of mdBook (book.toml): makes pages of the notebooks that SUMMARY.md names.

Code, what it shows, and pictures stand one below the other; answers to exercises are folded. Only what Python itself brings is used."""

import base64
import html
import json
import re
import sys

KINDS = [("image/svg+xml", "svg+xml"), ("image/png", "png")]


def joined(text):
    return text if isinstance(text, str) else "".join(text)


def picture(data):
    """The picture of an output as an element, or None. As an image of its own, so that its styles do not touch the page."""
    for kind, name in KINDS:
        if kind in data:
            text = joined(data[kind])
            encoded = text.strip() if name == "png" else base64.b64encode(text.encode()).decode()
            told = html.escape(joined(data.get("text/plain", "")), quote=True)
            return f'<img style="max-height: 24em" alt="{told}" src="data:image/{name};base64,{encoded}">'
    return None


def shown(output):
    """What a cell shows, as Markdown."""
    if output["output_type"] == "stream":
        return f"```text\n{joined(output['text']).rstrip()}\n```"
    data = output["data"]
    return picture(data) or f"```text\n{joined(data['text/plain'])}\n```"


def page(notebook):
    """A notebook as Markdown."""
    pieces, is_open = [], False
    for cell in notebook["cells"]:
        source = joined(cell["source"])
        if cell["cell_type"] == "markdown":
            answer = re.match(r"### (Answer \d+)\s*", source)
            if is_open and source.startswith("#"):
                pieces.append("</details>")
                is_open = False
            if answer:
                pieces.append(f"<details><summary>{answer[1]}</summary>")
                source, is_open = source[answer.end() :], True
            # Links between notebooks lead to their pages.
            pieces.append(re.sub(r"\]\(([\w./-]+)\.ipynb\)", r"](\1.html)", source))
        else:
            pieces.append(f"```python\n{source}\n```")
            pieces.extend(shown(output) for output in cell["outputs"])
    if is_open:
        pieces.append("</details>")
    return "\n\n".join(pieces) + "\n"


def replace(items):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter is None:
            continue
        if (chapter.get("path") or "").endswith(".ipynb"):
            chapter["content"] = page(json.loads(chapter["content"]))
        else:
            chapter["content"] = re.sub(r"\]\((course/[\w-]+)\.ipynb\)", r"](\1.html)", chapter["content"])
        replace(chapter["sub_items"])


def main():
    if sys.argv[1:2] == ["supports"]:
        sys.exit(0 if sys.argv[2:] == ["html"] else 1)
    _, book = json.load(sys.stdin)
    replace(book.get("items") or book.get("sections"))
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
