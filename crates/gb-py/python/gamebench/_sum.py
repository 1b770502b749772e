"""Sums of positions and values, which are positions themselves."""

from __future__ import annotations

from collections import Counter
from typing import Any, Callable, Iterable, Union

from . import _gamebench
from ._gamebench import Analysis, GameError, LimitReached, Position, PythonGame, Thermograph, Value
from ._value import _side

Term = Union[Position, Value]


class Sum:
    """A sum of positions and values. It answers the same questions as a position; its moves say in which summand they are made.

    >>> from gamebench import game
    >>> total = game("clobber")("xo.|.ox") + game("domineering")("..|..") + "^*"
    >>> total.winning_moves("left")
    ['2: a1-a2', '2: b1-b2']
    >>> total.play("left", "2: a1-a2").value()
    Value('1^*')
    """

    def __init__(self, terms: Iterable[Any]):
        self.terms: tuple[Term, ...] = tuple(_terms(terms))

    def __add__(self, other: Any) -> "Sum":
        try:
            return Sum([*self.terms, other])
        except TypeError:
            return NotImplemented

    def __radd__(self, other: Any) -> "Sum":
        try:
            return Sum([other, *self.terms])
        except TypeError:
            return NotImplemented

    def __sub__(self, other: Any) -> "Sum":
        try:
            return self + -Sum([other])
        except TypeError:
            return NotImplemented

    def __rsub__(self, other: Any) -> "Sum":
        return other + -self

    def __neg__(self) -> "Sum":
        return Sum([-term for term in self.terms])

    def __pos__(self) -> "Sum":
        return self

    def __mul__(self, times: int) -> "Sum":
        if not isinstance(times, int):
            return NotImplemented
        return Sum((self if times > 0 else -self).terms * abs(times))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        """Whether the summands are the same, in any order. For the same value compare values."""
        return Counter(self.terms) == Counter(other.terms) if isinstance(other, Sum) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(Counter(self.terms).items()))

    def __len__(self) -> int:
        return len(self.terms)

    def __str__(self) -> str:
        return " + ".join(map(_text, self.terms)) or "0"

    def __repr__(self) -> str:
        return f"Sum({str(self)!r})"

    def _repr_html_(self) -> str:
        return " + ".join(
            f'<span style="display:inline-block;vertical-align:middle">{_picture(term)}</span>' for term in self.terms
        )

    def svg(self) -> str:
        """The summands that are boards as SVG, one after the other."""
        return "\n".join(term.svg() for term in self.terms if isinstance(term, Position))

    def moves(self, who: str) -> list[str]:
        """The moves of a player: the number of a summand, and a move there."""
        return [f"{at}: {move}" for at, term in enumerate(self.terms, 1) for move in term.moves(who)]

    def play(self, who: str, move: str) -> "Sum":
        """The sum after a move such as "2: a1-a2"; the number may be left out where one summand alone has the move."""
        number, colon, text = move.partition(": ")
        if colon and number.strip().isdigit() and 1 <= int(number) <= len(self.terms):
            at = int(number) - 1
            return self._with(at, self.terms[at].play(who, text))
        found = []
        for at, term in enumerate(self.terms):
            try:
                found.append(self._with(at, term.play(who, move)))
            except GameError:
                continue
        if len(found) != 1:
            reason = "no summand has it" if not found else "several summands have it"
            raise GameError(f"`{move}`: {reason}; expected the number of a summand first, such as `1: {move}`")
        return found[0]

    def _with(self, at: int, term: Term) -> "Sum":
        return Sum([*self.terms[:at], term, *self.terms[at + 1 :]])

    def options(self, who: str) -> list["Sum"]:
        """What a player can move to, each once."""
        after = [self._with(at, option) for at, term in enumerate(self.terms) for option in term.options(who)]
        return list(dict.fromkeys(after))

    def parts(self) -> list[Term]:
        """The independent parts of all summands."""
        return [part for term in self.terms for part in term.parts()]

    def value(self, **limits: Any) -> Value:
        """The exact value."""
        total = Value(0)
        for term in self.terms:
            total = total + term.value(**limits)
        return total

    def outcome(self, **limits: Any) -> str:
        """Who wins: "L", "R", "N" (who begins) or "P" (who does not). Found without values unless they help."""
        if any(isinstance(term, Value) and term.is_loopy() for term in self.terms):
            return self.value(**limits).outcome(**limits)
        return _gamebench.outcome_of_sum(list(self.terms), **limits)

    def thermograph(self, **limits: Any) -> Thermograph:
        """The thermograph."""
        return self.value(**limits).thermograph(**limits)

    def mean(self, **limits: Any) -> Any:
        """The mean value, which is the sum of those of the summands."""
        return sum(term.mean(**limits) for term in self.terms)

    def temperature(self, **limits: Any) -> Any:
        """The temperature: how much a move matters."""
        return self.thermograph(**limits).temperature

    def analyze(self, **limits: Any) -> Analysis:
        """Parts, values, the sum, who wins, every winning move and why."""
        return _gamebench.analyze_sum(list(self.terms), **limits)

    def prove(self, file: Any, goal: str = "value", **limits: Any) -> list[str]:
        """Writes a certificate to a file and returns what is proved."""
        return _gamebench.prove(str(self), file, goal, **limits)

    def winning_moves(self, who: str, **limits: Any) -> list[str]:
        """The winning first moves of a player, each with the number of its summand."""
        found = self.analyze(**limits).to_dict()
        if found["stopped"]:
            raise LimitReached(found["stopped"])
        return [f"{move['term'] + 1}: {move['move'] or move['to']}" for move in found["winning"][_side(who)]]

    def choose(self, who: str, player: str = "exact", **limits: Any) -> dict[str, Any]:
        """A move. "exact" plays a winning one, or if there is none one in the hottest part; other players and strategies are those of
        Position.choose."""
        if player != "exact":
            return PythonGame(_Rules())(self.terms).choose(who, player, **limits)
        moves = self.moves(who)
        if not moves:
            raise GameError(f"{_side(who).capitalize()} has no move at all here")
        winning = self.winning_moves(who, **limits)
        best = winning[0] if winning else max(moves, key=lambda move: self._heat(move))
        after = self.play(who, best)
        winner = _side(who) if winning else ("right" if _side(who) == "left" else "left")
        return {"move": best, "position": str(after), "winner": winner}

    def _heat(self, move: str) -> Any:
        return self.terms[int(move.partition(":")[0]) - 1].value().temperature()


def _terms(terms: Iterable[Any]) -> Iterable[Term]:
    for term in terms:
        if isinstance(term, Sum):
            yield from term.terms
        elif isinstance(term, (Position, Value)):
            yield term
        else:
            yield Value(term)


def _text(term: Term) -> str:
    return term.plain() if isinstance(term, Value) else f"{term.game} {term.text}"


def _picture(term: Term) -> str:
    return f"${term.latex()}$" if isinstance(term, Value) else term.svg()


class _Rules:
    """Sums as a game, for players of whole games."""

    def options(self, terms: tuple[Term, ...], player: str) -> list[tuple[Term, ...]]:
        return [option.terms for option in Sum(terms).options(player)]

    def parts(self, terms: tuple[Term, ...]) -> list[tuple[Term, ...]]:
        return [(part,) for part in Sum(terms).parts()]

    def show(self, terms: tuple[Term, ...]) -> str:
        return str(Sum(terms))

    def move_text(self, terms: tuple[Term, ...], player: str, option: tuple[Term, ...]) -> str:
        whole = Sum(terms)
        return next(move for move in whole.moves(player) if whole.play(player, move).terms == option)


def _binary(operation: Callable[[Sum, Any], Any]) -> Callable[[Position, Any], Any]:
    def method(self: Position, other: Any) -> Any:
        return operation(Sum([self]), other)

    return method


def attach() -> None:
    """Positions are added, subtracted and multiplied as their sums are."""
    for name in ("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__"):
        setattr(Position, name, _binary(getattr(Sum, name)))
