"""Questions to a game written in Python about the objects that are its positions."""

from __future__ import annotations

from typing import Any, Hashable, Iterable

from ._gamebench import PythonGame, Thermograph, Value
from ._table import values


def value(self: PythonGame, position: Hashable, **limits: Any) -> Value:
    """The exact value: ``game(position).value()``."""
    return self(position).value(**limits)


def outcome(self: PythonGame, position: Hashable, **limits: Any) -> str:
    """Who wins: ``game(position).outcome()``."""
    return self(position).outcome(**limits)


def thermograph(self: PythonGame, position: Hashable, **limits: Any) -> Thermograph:
    """The thermograph: ``game(position).thermograph()``."""
    return self(position).thermograph(**limits)


def winning_options(self: PythonGame, position: Hashable, who: str, **limits: Any) -> list[Any]:
    """The options of a player that win, as objects."""
    at = self(position)
    return list(dict.fromkeys(at.play(who, move).state for move in at.winning_moves(who, **limits)))


def many_values(self: PythonGame, positions: Iterable[Hashable], **limits: Any) -> list[Value]:
    """The values of many positions."""
    return values(map(self, positions), **limits)


def attach() -> None:
    """Games get their questions."""
    many_values.__name__ = "values"
    for function in (value, outcome, thermograph, winning_options, many_values):
        function.__qualname__ = f"PythonGame.{function.__name__}"
        setattr(PythonGame, function.__name__, function)
