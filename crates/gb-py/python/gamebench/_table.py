"""Many positions at once: their values, and tables of what is known about them."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Iterator, Union

from . import _gamebench
from ._gamebench import Game, Position, Value
from .progress import Progress

COLUMNS = ("position", "value", "outcome", "mean", "temperature")


def values(positions: Iterable[Any], *, progress: Progress = None, **limits: Any) -> list[Value]:
    """The values of many positions, in one piece of work.

    >>> from gamebench import game
    >>> values([game("clobber")("xo"), game("clobber")("xoxo")])
    [Value('*'), Value('+-{*,^}')]
    """
    listed = list(positions)
    if all(isinstance(position, Position) for position in listed):
        return _gamebench.values(listed, progress, **limits)
    return [position.value(**limits) for position in listed]


def table(positions: Iterable[Any], *, progress: Progress = None, **limits: Any) -> "Table":
    """A table of positions with their values, outcomes, means and temperatures.

    >>> from gamebench import game
    >>> hot = table(game("clobber").positions("1x4")).filter(lambda row: row["temperature"] > 0)
    >>> len(hot)
    0
    """
    listed = list(positions)
    found = values(listed, progress=progress, **limits)
    return Table([_row(position, value) for position, value in zip(listed, found)])


def _row(position: Any, value: Value) -> dict[str, Any]:
    row: dict[str, Any] = {"position": position, "value": value, "outcome": value.outcome()}
    short = not value.is_loopy()
    try:
        row["mean"], row["temperature"] = (value.mean(), value.temperature()) if short else (None, None)
    except _gamebench.GameError:
        # With on or off in it a value has no mean.
        row["mean"] = row["temperature"] = None
    return row


NUMBERS = ("mean", "temperature")


class Column(list[Any]):
    """Means or temperatures, as exact as they are. NumPy and matplotlib, which cannot count with fractions, get floats of it, and NaN where there
    is none: ``pyplot.hist(table["mean"])``.

    >>> from gamebench import game
    >>> game("domineering").table("1x2")["mean"]
    [Fraction(0, 1), Fraction(0, 1), Fraction(0, 1), Fraction(-1, 1)]
    """

    def to_numpy(self) -> Any:
        """An array of floats."""
        return self.__array__()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        floats = numpy.array([numpy.nan if entry is None else float(entry) for entry in self], float)
        return floats if dtype is None else floats.astype(dtype)


class Table:
    """Rows of what is known about positions. It is a list of dictionaries that can be filtered and sorted, and becomes a table of pandas, of
    Arrow or of NumPy where those are installed."""

    def __init__(self, rows: Iterable[dict[str, Any]]):
        self.rows = list(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, at: Union[int, slice, str]) -> Any:
        """A row by its number, rows by a slice, or a column by its name."""
        if isinstance(at, str):
            return (Column if at in NUMBERS else list)(row[at] for row in self.rows)
        return Table(self.rows[at]) if isinstance(at, slice) else self.rows[at]

    def __repr__(self) -> str:
        return f"Table({len(self)} rows: {', '.join(self.columns)})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.rows[0]) if self.rows else COLUMNS

    def filter(self, wanted: Callable[[dict[str, Any]], Any]) -> "Table":
        """The rows for which a function says yes."""
        return Table(row for row in self.rows if wanted(row))

    def sort(self, key: Union[str, Callable[[dict[str, Any]], Any]], *, reverse: bool = False) -> "Table":
        """The rows in order of a column, or of what a function makes of them."""
        order = key if callable(key) else lambda row: row[key]
        return Table(sorted(self.rows, key=order, reverse=reverse))

    def counts(self, column: str = "value") -> dict[Any, int]:
        """How often each entry of a column occurs, the most frequent first."""
        from collections import Counter

        return dict(Counter(self[column]).most_common())

    def to_pandas(self) -> Any:
        """A DataFrame of pandas. Means and temperatures are floats there; positions and values stay what they are."""
        import pandas

        frame = pandas.DataFrame(self.rows, columns=list(self.columns))
        for column in NUMBERS:
            if column in frame:
                frame[column] = frame[column].astype(float)
        return frame

    def to_arrow(self) -> Any:
        """A table of Arrow, with positions and values as texts."""
        import pyarrow

        return pyarrow.table({name: [_plain(row[name]) for row in self.rows] for name in self.columns})

    def to_numpy(self) -> Any:
        """A structured array of NumPy, with positions and values as texts."""
        import numpy

        arrays = {
            name: self[name].to_numpy() if name in NUMBERS else numpy.array([_plain(entry) for entry in self[name]])
            for name in self.columns
        }
        whole = numpy.empty(len(self), dtype=[(name, array.dtype) for name, array in arrays.items()])
        for name, array in arrays.items():
            whole[name] = array
        return whole

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(row[name])}</td>" for name in self.columns) + "</tr>" for row in self.rows[:50]
        )
        more = f"<p>and {len(self) - 50} more</p>" if len(self) > 50 else ""
        return f"<table><tr>{head}</tr>{body}</table>{more}"


def _plain(entry: Any) -> Any:
    """An entry for libraries that know nothing of games."""
    from fractions import Fraction

    if isinstance(entry, Fraction):
        return float(entry)
    return entry if entry is None or isinstance(entry, (int, float, str)) else str(entry)


def _cell(entry: Any) -> str:
    from html import escape

    if isinstance(entry, Value):
        return f"${escape(entry.latex())}$"
    return escape("" if entry is None else str(entry))


def _game_values(self: Game, positions: Iterable[Union[str, Position]], **limits: Any) -> list[Value]:
    """The values of many positions, given as texts or as positions.

    >>> from gamebench import game
    >>> game("clobber").values(["xo", "xoxo", "xoxoxo"])
    [Value('*'), Value('+-{*,^}'), Value('0')]
    """
    return values((self(text) if isinstance(text, str) else text for text in positions), **limits)


def _game_table(self: Game, size: str, *, progress: Progress = None, **limits: Any) -> Table:
    """A table of all positions of a size: see ``gamebench.table``."""
    return table(self.positions(size), progress=progress, **limits)


def attach() -> None:
    """Games get what concerns many of their positions."""
    Game.values = _game_values  # type: ignore[attr-defined]
    Game.table = _game_table  # type: ignore[attr-defined]
