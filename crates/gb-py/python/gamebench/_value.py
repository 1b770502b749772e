"""The methods of Value that are functions of the calculator, under their full names. The calculator's short names are aliases."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Callable, Optional, Union

from . import _gamebench
from ._gamebench import GameError, Thermograph, Value

Number = Union[Fraction, float]

ALIASES = {
    "temp": "temperature",
    "lstop": "left_stop",
    "rstop": "right_stop",
    "left": "left_options",
    "right": "right_options",
    "aw": "atomic_weight",
    "atomicweight": "atomic_weight",
    "rcf": "reduced",
    "nsub": "subposition_count",
    "treesize": "tree_size",
    "infinitesimal": "is_infinitesimal",
    "allsmall": "is_all_small",
    "lincentives": "left_incentives",
    "rincentives": "right_incentives",
    "remote": "remote_star",
    "norton": "norton_product",
    "conway": "conway_product",
    "ordsum": "ordinal_sum",
    "conj": "conjunctive_sum",
    "sel": "selective_sum",
    "pm": "plus_minus",
}


def _call(name: str, *args: object, **limits: Any) -> Any:
    return _gamebench.call(name, *args, **limits)


def _number(value: Value) -> Number:
    """A value that is a number, or on or off, as a number of Python."""
    if value.is_number():
        return value.fraction()
    return float(value)


class Methods:
    """What Value gets besides its arithmetic."""

    def mean(self, **limits: Any) -> Fraction:
        """The mean value: the mast of the thermograph.

        >>> Value("{3|{1|-2}}").mean()
        Fraction(5, 4)
        """
        return _call("mean", self, **limits).fraction()

    def temperature(self, **limits: Any) -> Fraction:
        """The temperature, where the mast of the thermograph begins: how much a move matters.

        >>> Value("{3|{1|-2}}").temperature()
        Fraction(7, 4)
        """
        return _call("temp", self, **limits).fraction()

    def left_stop(self, **limits: Any) -> Number:
        """The number that is reached when Left begins; an infinity where play does not stop.

        >>> Value("{1|-1}").left_stop()
        Fraction(1, 1)
        """
        return _number(_call("lstop", self, **limits))

    def right_stop(self, **limits: Any) -> Number:
        """The number that is reached when Right begins; an infinity where play does not stop."""
        return _number(_call("rstop", self, **limits))

    def outcome(self, **limits: Any) -> str:
        """Who wins: "L", "R", "N" (who begins), "P" (who does not), or with draws "D", "N-hat", "N-check", "P-hat", "P-check"."""
        return _call("outcome", self, **limits)

    def thermograph(self, **limits: Any) -> Thermograph:
        """The thermograph: both walls, with exact corners."""
        return _call("thermograph", self, **limits)

    def left_options(self, **limits: Any) -> list[Value]:
        """Left's options in canonical form.

        >>> Value("{1,*|-1}").left_options()
        [Value('1')]
        """
        return _call("left", self, **limits)

    def right_options(self, **limits: Any) -> list[Value]:
        """Right's options in canonical form."""
        return _call("right", self, **limits)

    def options(self, who: Optional[str] = None, **limits: Any) -> list[Value]:
        """The options of a player in canonical form; of both, Left's first, if no player is named.

        >>> Value("^").options()
        [Value('0'), Value('*')]
        >>> Value("^").options("right")
        [Value('*')]
        """
        return _call("options" if who is None else _side(who), self, **limits)

    def followers(self, **limits: Any) -> list[Value]:
        """All positions that can be reached, the game itself first."""
        return _call("followers", self, **limits)

    def birthday(self, **limits: Any) -> int:
        """The depth of the canonical form.

        >>> Value("1/2").birthday()
        2
        """
        return int(_call("birthday", self, **limits))

    def subposition_count(self, **limits: Any) -> int:
        """How many positions the canonical form has, the game itself and 0 included."""
        return int(_call("nsub", self, **limits))

    def tree_size(self, **limits: Any) -> int:
        """How many nodes the canonical form has, written out as a tree."""
        return int(_call("treesize", self, **limits))

    def kind(self, **limits: Any) -> str:
        """What it is: integer, number, nimber, switch, all-small, and so on."""
        return _call("kind", self, **limits)

    def is_number(self) -> bool:
        """Whether it is a number.

        >>> Value("3/4").is_number(), Value("3/4^").is_number()
        (True, False)
        """
        return self.kind() in ("integer", "number")

    def is_integer(self) -> bool:
        """Whether it is an integer."""
        return self.kind() == "integer"

    def is_nimber(self) -> bool:
        """Whether it is a nimber, 0 included.

        >>> Value("*3").is_nimber(), Value("^").is_nimber()
        (True, False)
        """
        return self.kind() == "nimber" or self == 0

    def nimber(self) -> int:
        """The n for which it is *n.

        >>> Value("*3").nimber()
        3
        """
        text = self.plain()
        if not self.is_nimber():
            raise GameError(f"`{text}` is no nimber")
        return 0 if text == "0" else int(text[1:] or 1)

    def is_loopy(self) -> bool:
        """Whether play can go on for ever in it.

        >>> Value("over").is_loopy(), Value("^").is_loopy()
        (True, False)
        """
        return self.kind() == "loopy"

    def is_infinitesimal(self) -> bool:
        """Whether it lies between all negative and all positive numbers."""
        return _call("infinitesimal", self)

    def is_all_small(self) -> bool:
        """Whether in every position of it both players can move or neither."""
        return _call("allsmall", self)

    def is_hot(self) -> bool:
        """Whether moving is worth something: whether the temperature is above zero.

        >>> Value("{1|-1}").is_hot(), Value("*").is_hot()
        (True, False)
        """
        return self.temperature() > 0

    def cool(self, t: Any, **limits: Any) -> Value:
        """Cooled by the number t.

        >>> Value("{2|-2}").cool(1)
        Value('+-1')
        """
        return _call("cool", self, t, **limits)

    def freeze(self, **limits: Any) -> Value:
        """Cooled by its temperature."""
        return _call("freeze", self, **limits)

    def chill(self, **limits: Any) -> Value:
        """Cooled by 1."""
        return _call("chill", self, **limits)

    def heat(self, t: Any, **limits: Any) -> Value:
        """Heated by the game t."""
        return _call("heat", self, t, **limits)

    def overheat(self, s: Any, t: Any, **limits: Any) -> Value:
        """Overheated from s to t."""
        return _call("overheat", self, s, t, **limits)

    def warm(self, **limits: Any) -> Value:
        """Warmed: overheated from 1* to 1, the inverse of chilling for many games."""
        return _call("warm", self, **limits)

    def incentives(self, **limits: Any) -> list[Value]:
        """The incentives of both players that are not dominated."""
        return _call("incentives", self, **limits)

    def left_incentives(self, **limits: Any) -> list[Value]:
        """Left's incentives that are not dominated: what she gains by a move."""
        return _call("lincentives", self, **limits)

    def right_incentives(self, **limits: Any) -> list[Value]:
        """Right's incentives that are not dominated: what he gains by a move."""
        return _call("rincentives", self, **limits)

    def reduced(self, **limits: Any) -> Value:
        """The reduced canonical form: the simplest game that differs by an infinitesimal.

        >>> Value("{1*|v}").reduced()
        Value('{1|0}')
        """
        return _call("rcf", self, **limits)

    def atomic_weight(self, **limits: Any) -> Value:
        """The atomic weight of an all-small game.

        >>> Value("^^*").atomic_weight()
        Value('2')
        """
        return _call("aw", self, **limits)

    def remote_star(self, **limits: Any) -> int:
        """The n of the least nimber *n that is remote from an all-small game."""
        return int(_call("remote", self, **limits))

    def companion(self, **limits: Any) -> Value:
        """The companion of an all-small game."""
        return _call("companion", self, **limits)

    def norton_product(self, unit: Any, **limits: Any) -> Value:
        """The Norton product by a unit above zero."""
        return _call("norton", self, unit, **limits)

    def conway_product(self, other: Any, **limits: Any) -> Value:
        """The Conway product of the canonical forms; of nimbers, the nim product.

        >>> Value("*2").conway_product("*3")
        Value('*')
        """
        return _call("conway", self, other, **limits)

    def ordinal_sum(self, other: Any, **limits: Any) -> Value:
        """The ordinal sum, in which a move in the first game ends the other."""
        return _call("ordsum", self, other, **limits)

    def conjunctive_sum(self, other: Any, **limits: Any) -> Value:
        """The conjunctive sum: a move is a move in both."""
        return _call("conj", self, other, **limits)

    def selective_sum(self, other: Any, **limits: Any) -> Value:
        """The selective sum: a move is a move in one or in both."""
        return _call("sel", self, other, **limits)

    def tiny(self, **limits: Any) -> Value:
        """Tiny of it, {0||0|-G}."""
        return _call("tiny", self, **limits)

    def miny(self, **limits: Any) -> Value:
        """Miny of it, {G|0||0}, the negative of tiny."""
        return _call("miny", self, **limits)

    def plus_minus(self, *others: Any, **limits: Any) -> Value:
        """The game in which Left moves to it (or one of the others) and Right to a negative of one.

        >>> Value(2).plus_minus()
        Value('+-2')
        """
        return _call("pm", self, *others, **limits)

    def sum(self, *others: Any, **limits: Any) -> Value:
        """The sum with other games."""
        return _call("sum", self, *others, **limits)

    def canonical(self) -> Value:
        """It itself: every game is kept in canonical form."""
        return _call("canonical", self)

    def onside(self, **limits: Any) -> Value:
        """What it equals if infinite play is a win for Left."""
        return _call("onside", self, **limits)

    def offside(self, **limits: Any) -> Value:
        """What it equals if infinite play is a win for Right."""
        return _call("offside", self, **limits)

    def degree(self, **limits: Any) -> Value:
        """The degree of loopiness of a stopper, the onside of G - G."""
        return _call("degree", self, **limits)

    def to_json(self) -> dict[str, str]:
        """As plain data, for files that other programs read; from_json reads it again.

        >>> Value("{1|-1}").to_json()
        {'game': '{1|-1}'}
        """
        return {"game": self.plain()}

    @staticmethod
    def from_json(data: dict[str, str]) -> Value:
        """Reads what to_json wrote.

        >>> Value.from_json({"game": "{1|-1}"})
        Value('+-1')
        """
        return Value(data["game"])

    # A value is a position as well: its moves are its options.
    def value(self, **limits: Any) -> Value:
        """It itself, as a position has a value."""
        return self

    def moves(self, who: str) -> list[str]:
        """The options of a player as texts."""
        return [str(option) for option in self.options(who)]

    def play(self, who: str, move: str) -> Value:
        """The option of a player that has this text.

        >>> Value("{3|{1|-2}}").play("right", "{1|-2}")
        Value('{1|-2}')
        """
        wanted = Value(move)
        if wanted in self.options(who):
            return wanted
        raise GameError(f"{_side(who).capitalize()} has no move to `{move}` in `{self}`")

    def parts(self) -> list[Value]:
        """It itself: a value is not taken apart."""
        return [self]

    def winning_moves(self, who: str, **limits: Any) -> list[str]:
        """The options of a player that win, as texts."""
        side = _side(who)
        wins = (lambda left: left >= 0) if side == "left" else (lambda left: left <= 0)
        return [str(option) for option in self.options(who) if wins(option)]

    def analyze(self, **limits: Any) -> Any:
        """What is known about it, as for a sum."""
        return _gamebench.analyze_sum([self], **limits)


def _side(who: str) -> str:
    side = {"left": "left", "l": "left", "right": "right", "r": "right"}.get(who.lower())
    if side is None:
        raise GameError(f"`{who}` is no player: expected 'left' or 'right'")
    return side


def attach() -> None:
    """Gives Value its methods."""
    own: dict[str, Callable[..., Any]] = {
        name: member for name, member in vars(Methods).items() if not name.startswith("_")
    }
    for name, member in own.items():
        function = member.__func__ if isinstance(member, staticmethod) else member
        function.__qualname__ = f"Value.{name}"
        setattr(Value, name, member)
    for short, full in ALIASES.items():
        setattr(Value, short, own[full])

