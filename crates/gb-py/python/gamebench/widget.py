"""A board to play on in a notebook: click to move, with its parts, its value, the winning moves and the thermograph beside it.

It needs anywidget (``pip install 'gamebench[notebook]'``), and works in JupyterLab, in notebooks of VS Code and wherever else widgets do. In a page
that was made of a notebook it is a picture.
"""

from __future__ import annotations

import pathlib
from typing import Any, Optional

import anywidget
import traitlets

from ._gamebench import GameError, LimitReached, Position, Value
from ._sum import Sum
from ._value import _side

SECONDS = 2.0
"""How long a value is looked for after a move."""


class Board(anywidget.AnyWidget):
    """A position or a sum of positions that is played on by clicks.

    >>> from gamebench import game
    >>> board = Board(game("domineering")("..|.."))
    >>> board.play("a1-a2")
    >>> board.position
    game("domineering")("#.|#.")
    >>> board.undo()
    >>> board.position.text, board.who
    ('..|..', 'left')

    ``position`` and ``who`` are what is on the board and whose turn it is, and ``line`` the moves so far. ``alternate=False`` lets the same
    player go on moving, as one does to study a part. ``time`` are the seconds that a value is looked for.
    """

    _esm = pathlib.Path(__file__).with_name("widget.js")
    _css = pathlib.Path(__file__).with_name("widget.css")
    view = traitlets.Dict().tag(sync=True)
    """What is drawn, as plain data."""

    def __init__(
        self, position: Any, who: str = "left", *, alternate: bool = True, show: bool = True, time: float = SECONDS, **keywords: Any
    ):
        super().__init__(**keywords)
        self.line: list[tuple[str, str]] = []
        self._past: list[tuple[Any, str]] = []
        self._future: list[tuple[str, str]] = []
        self._position = position if isinstance(position, (Position, Sum)) else Sum([position])
        self._who = _side(who)
        self._alternate, self._show, self._time = alternate, show, time
        self._sentence = ""
        self.on_msg(self._heard)
        self._draw()

    @property
    def position(self) -> Any:
        """What is on the board."""
        return self._position

    @property
    def who(self) -> str:
        """Whose turn it is."""
        return self._who

    @who.setter
    def who(self, who: str) -> None:
        self._who = _side(who)
        self._draw()

    def play(self, move: str) -> None:
        """Makes a move."""
        after = self._position.play(self._who, move)
        self._past.append((self._position, self._who))
        self.line.append((self._who, move))
        self._position = after
        if self._alternate:
            self._who = "right" if self._who == "left" else "left"
        self._draw()

    def undo(self) -> None:
        """Takes the last move back."""
        if self._past:
            self._position, self._who = self._past.pop()
            self.line.pop()
            self._draw()

    def answer(self, player: Optional[str] = None) -> None:
        """Lets the bench move: a winning move if there is one, or a named player."""
        settings = {"time": self._time} if player is None or player != "exact" else {}
        names = () if player is None else (player,)
        self.play(self._position.choose(self._who, *names, **settings)["move"])

    def _heard(self, _widget: Any, message: dict[str, Any], _buffers: Any) -> None:
        """What the page says: a move, or a button."""
        self._sentence = ""
        try:
            if message.get("do") == "play":
                self.play(str(message["move"]))
            elif message.get("do") == "undo":
                self.undo()
            elif message.get("do") == "answer":
                self.answer()
            elif message.get("do") == "turn":
                self.who = "right" if self._who == "left" else "left"
            elif message.get("do") == "show":
                self._show = not self._show
                self._draw()
        except (GameError, LimitReached) as error:
            self._sentence = str(error)
            self._draw()

    def _draw(self) -> None:
        terms = self._position.terms if isinstance(self._position, Sum) else (self._position,)
        boards = [_board(term, at, self._who, isinstance(self._position, Sum)) for at, term in enumerate(terms, 1)]
        view: dict[str, Any] = {"boards": boards, "who": self._who, "show": self._show, "sentence": self._sentence}
        view["line"] = [f"{who[0].upper()} {move}" for who, move in self.line]
        view["facts"] = self._facts() if self._show else {}
        self.view = view

    def _facts(self) -> dict[str, Any]:
        """Value, outcome, mean, temperature, thermograph and winning moves, as far as they are found in time."""
        try:
            value = self._position.value(time=self._time)
        except (GameError, LimitReached) as error:
            return {"unknown": str(error)}
        facts: dict[str, Any] = {"value": value.unicode(), "outcome": value.outcome()}
        try:
            facts["mean"], facts["temperature"] = str(value.mean()), str(value.temperature())
            facts["thermograph"] = value.thermograph().svg()
        except GameError:
            # A value with loops has none.
            pass
        try:
            facts["winning"] = self._position.winning_moves(self._who, time=self._time)
        except (GameError, LimitReached) as error:
            facts["winning"], facts["unknown"] = [], str(error)
        return facts

    def _repr_mimebundle_(self, **keywords: Any) -> Any:
        bundle = super()._repr_mimebundle_(**keywords)
        # A page made of the notebook has no widgets: it shows the picture.
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            position = self._position
            data["text/html"] = position._repr_html_() if isinstance(position, Sum) else position.svg()
            data["text/plain"] = repr(position)
        return bundle


def _board(term: Any, number: int, who: str, numbered: bool) -> dict[str, Any]:
    """One summand: what to draw, and which clicks are moves of whose turn it is."""
    prefix = f"{number}: " if numbered else ""
    if isinstance(term, Value):
        moves = [{"move": prefix + move, "gesture": []} for move in term.moves(who)]
        return {"title": term.unicode(), "moves": moves, "value": True}
    scene = term._scene()
    moves = [{"move": prefix + text, "gesture": list(spots)} for text, spots in scene.pop(who)]
    scene.pop("right" if who == "left" else "left")
    return {**scene, "title": term.game, "moves": moves, "text": str(term), "value": False}
