"""Combinatorial games taken apart, valued exactly and played perfectly.

>>> from gamebench import Value, game
>>> Value("{3|{1|-2}}").mean()
Value('5/4')
>>> game("domineering")("4x4").outcome()
'N'
"""

from __future__ import annotations

from . import _gamebench
from ._gamebench import (
    Analysis,
    Databases,
    Game,
    GameError,
    LimitReached,
    Position,
    PythonGame,
    Thermograph,
    Value,
    __version__,
    analyze,
    check,
    games,
    prove,
    use_databases,
)
from ._match import Match as _Match

__all__ = [
    "Analysis",
    "Databases",
    "Game",
    "GameError",
    "LimitReached",
    "Position",
    "PythonGame",
    "Sum",
    "Thermograph",
    "Value",
    "__version__",
    "analyze",
    "calc",
    "check",
    "functions",
    "game",
    "games",
    "match",
    "position",
    "prove",
    "strategies",
    "use_databases",
]


def game(name: str) -> Game:
    """The game with this name, such as "clobber" or "octal(0.77)"."""
    return Game(name)


def position(name: str, text: str, source: str | None = None) -> Position:
    """A position of a game; ``source`` is the text of the game, if it was read from one."""
    if source is not None:
        Game(source)
    return Game(name)(text)


def calc(expression: str) -> Value:
    """The game that an expression of the calculator's language stands for."""
    return Value(expression)


def functions() -> dict[str, str]:
    """The functions of the calculator, each with what it does."""
    return {f"{name}({parameters})": text for name, parameters, text, _ in _gamebench.functions()}


class Sum:
    """A sum of positions and values.

    >>> (game("clobber")("xo.|.ox") + game("domineering")("..|..") + "^*").winning_moves("left")
    ['a1-a2', 'b1-b2']
    """

    def __init__(self, terms: list[object]):
        self.terms = list(terms)

    def __add__(self, other: object) -> "Sum":
        return Sum(self.terms + (other.terms if isinstance(other, Sum) else [other]))

    def __radd__(self, other: object) -> "Sum":
        return Sum([other] + self.terms)

    def __str__(self) -> str:
        def text(term: object) -> str:
            if isinstance(term, Position):
                return f"{term.game} {term.text}"
            return Value(term).plain()

        return " + ".join(map(text, self.terms))

    def __repr__(self) -> str:
        return f"Sum({str(self)!r})"

    def analyze(self, **limits: object) -> Analysis:
        """Parts, values, the sum, who wins, every winning move and why."""
        return analyze(str(self), **limits)

    def prove(self, file: object, goal: str = "value", **limits: object) -> list[str]:
        """Writes a certificate to a file and returns what is proved."""
        return prove(str(self), file, goal, **limits)

    def value(self, **limits: object) -> Value:
        """The exact value."""
        total = Value(0)
        for term in self.terms:
            total = total + (term.value(**limits) if isinstance(term, Position) else Value(term))
        return total

    def winning_moves(self, who: str, **limits: object) -> list[str]:
        """The winning first moves of a player, as texts."""
        found = self.analyze(**limits).to_dict()
        if found["stopped"]:
            raise LimitReached(found["stopped"])
        side = "left" if who.lower().startswith("l") else "right"
        return [move["move"] or move["to"] for move in found["winning"][side]]


def _html(self: Analysis) -> str:
    """The parts and the winning moves as tables, for notebooks."""
    from html import escape

    found = self.to_dict()

    def table(head: list[str], rows: list[list[object]]) -> str:
        def row(cells: list[object], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

        return "<table>" + row(list(head), "th") + "".join(row(cells, "td") for cells in rows) + "</table>"

    def facts(known: dict | None) -> list[object]:
        known = known or {}
        names = ("value", "mean", "temperature", "outcome")
        return ["?" if known.get(name) is None else known[name] for name in names]

    rows: list[list[object]] = []
    for term in found["terms"]:
        if "parts" in term:
            rows += [[term["game"], part["position"], *facts(part.get("facts"))] for part in term["parts"]]
        else:
            rows.append(["", term["text"], *facts(term["facts"])])
    rows.append(["sum", "", *facts(found["sum"])])
    html = table(["game", "part", "value", "mean", "temperature", "outcome"], rows)
    for side in ("left", "right"):
        moves = [[move["move"] or "", move["to"], move["leaves"]] for move in found["winning"][side]]
        if moves:
            html += f"<p>{side.capitalize()} first wins with</p>" + table(["move", "makes it", "and leaves"], moves)
    return html + (f"<p>{escape(found['stopped'])}</p>" if found["stopped"] else "")


def strategies() -> dict[str, str]:
    """The strategies for sums, each with what it does."""
    return dict(_gamebench.strategies())


def _choose(self: Position, who: str, player: str = "mcts+all", **limits: object) -> dict:
    """A move by a player such as "mcts+all", "ab" or "random", or by a strategy for sums such as "hotstrat", within limits
    for the move: time (seconds) or nodes."""
    return _gamebench.choose(self.game, self.text, who, player, **limits)


def match(
    a: str,
    b: str,
    game: str | None = None,
    start: str | list[str] | None = None,
    *,
    games: int = 20,
    threads: int = 1,
    progress=None,
    **settings: object,
) -> dict:
    """A match between two players of whole games, or between two strategies for sums.

    Players: every opening is played with both colours. The answer says how often A won, drew and lost, and its share of the
    points with a 95 % interval.

    >>> match("ab", "random", "clobber", "3x3", games=4, nodes=200)["won"] >= 2
    True

    Strategies: they play positions of a game (``start``), grids that are cut into parts at random (``grid="9x9", parts=(4, 9)``), or,
    without a game, random sums of as many hot values as ``parts`` says. The answer says also how A did in the place of B.

    >>> match("optimal", "greedy", parts=6, games=8)["lost"] <= 4
    True
    """
    whole = _Match(a, b, game, start, **settings)
    return whole.sum_up(whole.play(0, games, threads, progress))


def _attach_functions() -> None:
    """Every function of the calculator whose first argument is a game becomes a method of Value."""
    for name, parameters, text, example in _gamebench.functions():
        if parameters.split(",")[0] not in ("G", "G, ..."):
            continue

        def method(self, *args, _name=name, **limits):
            return _gamebench.call(_name, self, *args, **limits)

        method.__name__ = method.__qualname__ = name
        method.__doc__ = f"{text[0].upper()}{text[1:]}.\n\nIn the calculator: ``{example}``."
        if not hasattr(Value, name):
            setattr(Value, name, method)


def _add(self: Position, other: object) -> Sum:
    return Sum([self]) + other


_attach_functions()
Analysis._repr_html_ = _html
Position.__add__ = _add
Position.choose = _choose
Position.__radd__ = lambda self, other: Sum([other, self])
