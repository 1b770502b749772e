"""A user's code, whose types mypy and pyright check against the stubs."""

from fractions import Fraction
from typing import Optional, Union

from gamebench import Databases, Game, Negative, Position, PythonGame, Sum, Table, Value, game, match, table, values

total: Value = 2 * (Value("1/2") + 3) - "^"
better: bool = total > 0 and total == 3 and total < float("inf")
outcome: str = game("clobber")("xo.|.ox").outcome(time=1.0)
both: Sum = game("clobber")("xo.|.ox") + "^*"
winning: list[str] = both.winning_moves("left", nodes=10_000)
difference: Sum = both - game("clobber")("xo") - 2 * game("clobber")("xo")
mixed: Sum = Value("^") + game("clobber")("xo")
negative: Position = -game("clobber")("xo")
mean: Fraction = game("domineering")("4x4").thermograph().mean
temperatures: list[Fraction] = [both.temperature(), negative.temperature(), total.temperature(), total.temp()]
weight: Value = Value("^").atomic_weight()
days: int = total.birthday()
played: object = match("ab", "random", "clobber", "3x3", games=2, nodes=10)["won"]
better_strategy: object = match("hotstrat", "greedy", parts=4, games=2)["score"]
found: list[Value] = values(game("clobber").positions("2x2"))
hot: Table = table(game("clobber").positions("2x2")).filter(lambda row: row["temperature"] > 0)
means: list[Fraction] = hot["mean"]
steps: Game = Game("game steps\nboard strip\ncells x piece, . empty\nleft: x. -> .x")


def first(position: Position, who: str) -> str:
    return position.moves(who)[0]


interval: tuple[float, float] = match(first, "random", "clobber", "3x3", games=2)["interval"]


def files(folder: str) -> list[object]:
    tables = Databases(folder).build("clobber", "2x2", threads=2, progress=False, memory=10**9)
    return [table["file"] for table in tables]


def known(folder: str, position: Position) -> tuple[Optional[Value], str]:
    tables = Databases(folder)
    entry = tables.query(position)
    return tables.value(position), entry["outcome"] if entry else ""


class Nim:
    impartial = True

    def options(self, position: int, player: str) -> range:
        return range(position)

    def normalise(self, position: int) -> Union[int, Negative]:
        return position if position % 2 == 0 else Negative(position)


value: Value = PythonGame(Nim()).value(3)
heap: Position = PythonGame(Nim(), check=False)(3)
