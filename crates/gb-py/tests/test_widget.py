"""The board for notebooks: what it says to the page, and the page in a real browser."""

from __future__ import annotations

import http.server
import json
import pathlib
import shutil
import subprocess
import threading

import pytest

anywidget = pytest.importorskip("anywidget")

import gamebench
from gamebench import PythonGame, game
from gamebench.widget import Board


def heard(board, **message):
    board._heard(board, message, [])


def test_moves_values_and_undo():
    board = Board(game("domineering")("..#.|..#."))
    assert board.view["facts"]["value"] == "{2|0}" and board.view["facts"]["winning"] == ["a1-a2", "b1-b2"]
    assert [spots for spots in board.view["boards"][0]["parts"]] == [["a1", "b1", "a2", "b2"], ["d1", "d2"]]
    assert {"move": "a1-a2", "gesture": ["a1", "a2"]} in board.view["boards"][0]["moves"]
    heard(board, do="play", move="a1-a2")
    assert board.position.text == "#.#.|#.#." and board.who == "right" and board.view["facts"]["value"] == "2"
    assert board.line == [("left", "a1-a2")]
    heard(board, do="play", move="z9")
    assert "no move" in board.view["sentence"]
    heard(board, do="undo")
    assert board.position.text == "..#.|..#." and board.who == "left" and board.line == []
    heard(board, do="answer")
    assert board.line[0][1] in ("a1-a2", "b1-b2") and board.position.value() >= 0
    heard(board, do="show")
    assert board.view["facts"] == {}
    json.dumps(board.view)


def test_every_game_and_sums_are_drawn():
    for name in gamebench.games():
        try:
            rules = game(name)
        except gamebench.GameError as error:
            rules = game(str(error).split("`")[1])
        board = Board(rules(rules.example), show=False)
        assert board.view["boards"][0]["items"], name
        json.dumps(board.view)

    class Nim:
        def options(self, heap, player):
            return range(heap)

    total = Board(game("clobber")("xo") + PythonGame(Nim())(2) + "^")
    assert len(total.view["boards"]) == 3
    heard(total, do="play", move="3: 0")
    assert total.position.value() == (game("clobber")("xo") + PythonGame(Nim())(2)).value()
    assert total.view["facts"]["winning"] == total.position.winning_moves("right")


def test_a_page_without_widgets_shows_a_picture():
    data = Board(game("clobber")("xo"))._repr_mimebundle_()
    data = data[0] if isinstance(data, tuple) else data
    assert "<svg" in data["text/html"]


PAGE = """<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="widget.css"><div id="el"></div>
<script type="module">
import widget from "./widget.js";
let view = JSON.parse(await (await fetch("view")).text());
const listeners = [];
const model = {
  get: () => view,
  on: (_, listener) => listeners.push(listener),
  off: () => {},
  async send(message) {
    view = JSON.parse(await (await fetch("say", { method: "POST", body: JSON.stringify(message) })).text());
    listeners.forEach((listener) => listener());
    next();
  },
};
widget.render({ model, el: document.getElementById("el") });
const clicks = CLICKS;
function next() {
  const seen = document.querySelector("td.value")?.textContent;
  document.body.dataset.values = (document.body.dataset.values ?? "") + seen + ";";
  while (clicks.length > 0) {
    const before = document.querySelectorAll(".chosen").length;
    const target = document.querySelector(clicks.shift());
    target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    // The first click of a move chooses, the last one makes it.
    if (document.querySelectorAll(".chosen").length === before) return;
  }
  document.body.dataset.done = "yes";
}
next();
</script>"""


@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed")
def test_clicks_in_a_browser_play_and_change_the_value(tmp_path):
    board = Board(game("domineering")("..#.|..#.") + game("clobber")("xo") + "^")
    folder = pathlib.Path(gamebench.__file__).parent
    clicks = ['[data-spot="a1"]', '[data-spot="a2"]', "button.undo", "button.answer"]

    class Page(http.server.BaseHTTPRequestHandler):
        def answer(self, text, kind):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(text.encode())

        def do_GET(self):
            name = self.path.strip("/")
            if name in ("widget.js", "widget.css"):
                kind = "text/javascript" if name.endswith("js") else "text/css"
                self.answer((folder / name).read_text(encoding="utf-8"), kind)
            elif name == "view":
                self.answer(json.dumps(board.view), "application/json")
            else:
                self.answer(PAGE.replace("CLICKS", json.dumps(clicks)), "text/html")

        def do_POST(self):
            heard(board, **json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.answer(json.dumps(board.view), "application/json")

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
        command += ["--virtual-time-budget=20000", "--window-size=900,700"]
        command += ["--dump-dom", f"http://127.0.0.1:{server.server_port}/"]
        seen = subprocess.run(command, capture_output=True, text=True, timeout=120)
    finally:
        server.shutdown()
    assert 'data-done="yes"' in seen.stdout, seen.stdout[-2000:] + seen.stderr[-2000:]
    start = game("domineering")("..#.|..#.") + game("clobber")("xo") + "^"
    after = start.play("left", "1: a1-a2")
    values = [start.value(), after.value(), start.value(), board.position.value()]
    assert f'data-values="{"".join(value.unicode() + ";" for value in values)}"' in seen.stdout
    assert len(board.line) == 1 and "has no move" not in seen.stdout
    assert seen.stdout.count('style="fill:') == 6, "the cells of parts are coloured"
