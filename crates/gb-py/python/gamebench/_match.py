"""A match: who plays what. The games can be played here or elsewhere, and are summed up in the end."""

from __future__ import annotations

import math
import random
from typing import Any, Callable, Optional, Union

from . import _gamebench
from ._gamebench import GameError, Position, PythonGame
from ._sum import Sum
from .progress import Progress, bar

Player = Union[str, Callable[[Any, str], str]]
"""A player by its name, or a function of a position and of who moves, "left" or "right", that returns a move as text."""

Line = tuple[str, Optional[str]]
"""The record of a game as a line, and the game as SGF where whole games are played."""


class Match:
    def __init__(
        self,
        a: str,
        b: str,
        game: Optional[str] = None,
        start: Union[str, list[str], None] = None,
        *,
        random_moves: int = 0,
        grid: Optional[str] = None,
        parts: Union[int, tuple[int, int]] = 4,
        spread: int = 10,
        both_begin: bool = False,
        seed: int = 1,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        entries: int = 1 << 20,
    ):
        self.names = (a, b)
        self.rules: dict[str, Any] = {
            "game": game,
            "starts": [start] if isinstance(start, str) else list(start or ()),
            "random_moves": random_moves,
            "grid": grid,
            "parts": (parts, parts) if isinstance(parts, int) else tuple(parts),
            "spread": spread,
            "both_begin": both_begin,
            "seed": seed,
            "time": time,
            "nodes": nodes,
            "entries": entries,
        }

    def play(self, first: int, games: int, threads: int, progress: Progress) -> list[Line]:
        """Plays the games from number ``first`` on, up to ``games``."""
        return _gamebench.play_games(self.names, self.rules, (first, games), threads, progress)

    def sum_up(self, played: list[Line]) -> dict[str, Any]:
        result = _gamebench.sum_up(self.names[0], [record for record, _ in played])
        if any(sgf for _, sgf in played):
            result["records"] = [sgf for _, sgf in played]
        return _with_interval(result)


class Played(dict):  # type: ignore[type-arg]
    """What came out of a match, as a dictionary; ``result["table"]`` has a row for each game."""

    def to_pandas(self) -> Any:
        """The games as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self["table"])

    def _repr_html_(self) -> str:
        from html import escape

        low, high = self.get("interval", (None, None))
        rows = [(name, self[name]) for name in ("games", "won", "drawn", "lost", "share", "score") if name in self]
        if low is not None:
            rows.append(("95 %", f"{low:.3f} to {high:.3f}"))
        cells = "".join(f"<tr><th>{escape(str(a))}</th><td>{escape(str(b))}</td></tr>" for a, b in rows)
        return f"<table>{cells}</table>"


def wilson(won: float, games: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """Wilson's interval for a share: between which shares the true one lies, with 95 % confidence unless z says otherwise.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    if games == 0:
        return (0.0, 1.0)
    share, square = won / games, z * z / games
    middle = (share + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(share * (1 - share) / games + square / 4 / games)
    # At the ends the two are equal but for rounding.
    return (0.0 if won == 0 else max(0.0, middle - half), 1.0 if won == games else min(1.0, middle + half))


def _with_interval(result: dict[str, Any]) -> Played:
    if "share" in result:
        result["interval"] = wilson(result["won"] + result["drawn"] / 2, result["games"])
    return Played(result)


def play_by_hand(
    players: tuple[Player, Player],
    game: Any,
    starts: list[Any],
    games: int,
    random_moves: int,
    seed: int,
    progress: Progress,
    limits: dict[str, Any],
) -> Played:
    """A match in which functions play, or a game is written in Python. Every opening is played with both colours."""
    if not starts:
        raise GameError("players of whole games need a position or size to start from")
    rows, shown = [], bar(progress, "match")
    for number in range(games):
        left = number % 2
        position = _opening(game, starts, number // 2, random_moves, seed)
        winner, moves = _one_game(position, (players[left], players[1 - left]), limits)
        winner_name = "AB"[left if winner == "left" else 1 - left] if winner else ""
        rows.append((number // 2, "AB"[left], winner_name, moves))
        if shown:
            shown(number + 1, games)
    if shown:
        shown.close()
    won, lost = (sum(row[2] == name for row in rows) for name in "AB")
    drawn = games - won - lost
    share = (won + drawn / 2) / games if games else 0.0
    low, high = wilson(won + drawn / 2, games)
    table = [dict(zip(("opening", "left", "winner", "moves"), row)) for row in rows]
    result = {"games": games, "won": won, "drawn": drawn, "lost": lost, "share": share, "error": (high - low) / 2}
    return _with_interval({**result, "table": table})


def _opening(game: Any, starts: list[Any], number: int, random_moves: int, seed: int) -> Any:
    start, chance = starts[number % len(starts)], random.Random(f"{seed} {number}")
    position = start if isinstance(start, (Position, Sum)) else game(start)
    for ply in range(random_moves):
        moves = position.moves(("left", "right")[ply % 2])
        if not moves:
            break
        position = position.play(("left", "right")[ply % 2], chance.choice(moves))
    return position


LONGEST = 1_000
"""Games that may go on for ever are drawn after so many moves."""


def _winner(position: Any, who: str) -> Optional[str]:
    """Who has won when a player is to move; None while the game goes on."""
    if isinstance(position, Position):
        return position._winner(who)
    return None if position.moves(who) else ("right" if who == "left" else "left")


def _one_game(position: Any, players: tuple[Player, Player], limits: dict[str, Any]) -> tuple[Optional[str], int]:
    sides = ("left", "right")
    for ply in range(LONGEST):
        who, player = sides[ply % 2], players[ply % 2]
        if winner := _winner(position, who):
            return winner, ply
        if callable(player):
            move = player(position, who)
            if move not in position.moves(who):
                name = getattr(player, "__name__", repr(player))
                raise GameError(f"{name} plays `{move}` for {who} in `{position}`, which is no move there")
        else:
            move = position.choose(who, player, **limits)["move"]
        position = position.play(who, move)
    return None, LONGEST


def by_hand(players: tuple[Player, Player], game: Any, starts: list[Any]) -> bool:
    """Whether a match is played move by move in Python."""
    needs = any(callable(player) for player in players) or isinstance(game, PythonGame)
    return needs or any(isinstance(start, (Position, Sum)) for start in starts)
