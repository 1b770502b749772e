"""A user's code, whose types mypy checks against the stubs."""

from gamebench import Databases, PythonGame, Value, game, match

total: Value = 2 * (Value("1/2") + 3) - "^"
better: bool = total > 0
outcome: str = game("clobber")("xo.|.ox").outcome(time=1.0)
winning: list[str] = (game("clobber")("xo.|.ox") + "^*").winning_moves("left", nodes=10_000)
mean: Value = game("domineering")("4x4").thermograph().mean
played: object = match("ab", "random", "clobber", "3x3", games=2, nodes=10)["won"]
better_strategy: object = match("hotstrat", "greedy", parts=4, games=2)["score"]


def files(folder: str) -> list[object]:
    tables = Databases(folder).build("clobber", "2x2", threads=2, progress=False, memory=10**9)
    return [table["file"] for table in tables]


class Nim:
    def options(self, position: int, player: str) -> range:
        return range(position)


value: Value = PythonGame(Nim()).value(3)
