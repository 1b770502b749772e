"""Combinatorial games taken apart, valued exactly and played perfectly.

>>> from gamebench import Value, game
>>> Value("{3|{1|-2}}").mean()
Fraction(5, 4)
>>> game("domineering")("4x4").outcome()
'N'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, Optional, Union

from . import _gamebench, _notebook, _python, _sum, _table, _value
from ._gamebench import (
    Analysis,
    Databases,
    Found,
    Game,
    GameError,
    LimitReached,
    Negative,
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
from ._match import Played as _Played
from ._match import Player
from ._match import by_hand as _by_hand
from ._match import play_by_hand as _play_by_hand
from ._match import wilson
from ._notebook import option_tree, overlay
from ._sum import Sum
from ._table import Column, Table, table, values

__all__ = [
    "Analysis",
    "Column",
    "Databases",
    "Found",
    "Game",
    "GameError",
    "LimitReached",
    "Negative",
    "Player",
    "Position",
    "PythonGame",
    "Sum",
    "Table",
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
    "option_tree",
    "overlay",
    "position",
    "prove",
    "strategies",
    "table",
    "use_databases",
    "values",
    "wilson",
]


def game(name: str) -> Game:
    """The game with this name, such as "clobber" or "octal(0.77)"."""
    return Game(name)


def position(name: str, text: str, source: str | None = None) -> Position:
    """A position of a game; ``source`` is the text of the game, if it was read from one."""
    if source is not None:
        Game(source)
    return Game(name)(text)


def _restore(home: Union[str, PythonGame], state: Any, source: Optional[str], negated: bool) -> Position:
    """A position that was pickled."""
    if source is not None:
        Game(source)
    found = Game(home)(state) if isinstance(home, str) else home(state)
    return -found if negated else found


def calc(expression: str) -> Value:
    """The game that an expression of the calculator's language stands for."""
    return Value(expression)


def functions() -> dict[str, str]:
    """The functions of the calculator, each with what it does."""
    return {f"{name}({parameters})": text for name, parameters, text, _ in _gamebench.functions()}


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


def _choose(
    self: Position,
    who: str,
    player: str = "mcts+all",
    *,
    time: Optional[float] = None,
    nodes: Optional[int] = None,
    threads: int = 1,
) -> dict[str, Any]:
    """A move by a player such as "mcts+all", "ab" or "random", or by a strategy for sums such as "hotstrat", within limits
    for the move: time (seconds) or nodes."""
    return self._choose(who, player, time=time, nodes=nodes, threads=threads)


def match(
    a: Player,
    b: Player,
    game: Union[str, Game, PythonGame, None] = None,
    start: Any = None,
    *,
    games: int = 20,
    threads: int = 1,
    progress: Union[bool, None, Callable[[int, int], object]] = None,
    **settings: Any,
) -> _Played:
    """A match between two players of whole games, or between two strategies for sums.

    Players: every opening is played with both colours. The answer says how often A won, drew and lost, its share of the
    points with a 95 % interval (``interval``, after Wilson), and has a row for each game (``table``).

    >>> match("ab", "random", "clobber", "3x3", games=4, nodes=200)["won"] >= 2
    True

    A player may be a function of a position and of who moves, that returns a move; the game may be written in Python, and the
    start be a position or a sum.

    >>> first = lambda position, who: position.moves(who)[0]
    >>> match(first, "random", "clobber", "3x3", games=2, nodes=10)["games"]
    2

    Strategies: they play positions of a game (``start``), grids that are cut into parts at random (``grid="9x9", parts=(4, 9)``), or,
    without a game, random sums of as many hot values as ``parts`` says. The answer says also how A did in the place of B.

    >>> match("optimal", "greedy", parts=6, games=8)["lost"] <= 4
    True
    """
    starts = list(start) if isinstance(start, (list, tuple)) and not isinstance(game, PythonGame) else [start]
    starts = [one for one in starts if one is not None]
    if _by_hand((a, b), game, starts):
        home = Game(game) if isinstance(game, str) else game
        limits = {name: settings.pop(name) for name in ("time", "nodes") if name in settings}
        random_moves, seed = settings.pop("random_moves", 0), settings.pop("seed", 1)
        if settings:
            raise TypeError(f"unexpected keyword arguments where a function or a game in Python plays: {', '.join(settings)}")
        return _play_by_hand((a, b), home, starts, games, random_moves, seed, progress, limits)
    name = game.name if isinstance(game, Game) else game
    whole = _Match(a, b, name, starts, **settings)
    return whole.sum_up(whole.play(0, games, threads, progress))


_value.attach()
_sum.attach()
_table.attach()
_python.attach()
_notebook.attach()
setattr(Analysis, "_repr_html_", _html)
setattr(Position, "choose", _choose)
Mapping.register(Found)
