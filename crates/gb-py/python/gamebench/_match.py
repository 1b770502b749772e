"""A match: who plays what. The games can be played here or elsewhere, and are summed up in the end."""

from __future__ import annotations

from typing import Any, Optional, Union

from . import _gamebench
from .progress import Progress

Played = tuple[str, Optional[str]]
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

    def play(self, first: int, games: int, threads: int, progress: Progress) -> list[Played]:
        """Plays the games from number ``first`` on, up to ``games``."""
        return _gamebench.play_games(self.names, self.rules, (first, games), threads, progress)

    def sum_up(self, played: list[Played]) -> dict[str, Any]:
        result = _gamebench.sum_up(self.names[0], [record for record, _ in played])
        if any(sgf for _, sgf in played):
            result["records"] = [sgf for _, sgf in played]
        return result
