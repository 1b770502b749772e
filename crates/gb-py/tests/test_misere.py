"""Misère play, where who cannot move wins: outcomes, winning moves, players and matches, compared with plain search by the moves of positions."""

from __future__ import annotations

import pickle

import pytest

import gamebench
from gamebench import GameError, LimitReached, Position, Value, game, match

OTHER = {"left": "right", "right": "left"}
STEPS = "game steps\nboard strip\nplay misere\ncells x piece, o piece, . empty\nleft: x. -> .x\nright: .o -> o."
SCORED = "game bites\nboard strip\nplay score\ncells . free, x taken\nboth: . -> x scores 1\nstart fill ."


def winning(position: Position, who: str) -> list[str]:
    """The moves after which the other player, to move, does not win. Who cannot move has won, and says that he is stuck."""
    moves = position.moves(who)
    return moves if moves == ["stuck"] else [move for move in moves if not wins(position.play(who, move), OTHER[who])]


def wins(position: Position, who: str) -> bool:
    return bool(winning(position, who))


def outcome(position: Position) -> str:
    return {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}[
        wins(position, "left"), wins(position, "right")
    ]


def positions() -> list[Position]:
    kayles, nim, domineering = game("misere(kayles)"), game("misere(nim)"), game("misere(domineering)")
    return [
        *(kayles(str(n)) for n in range(8)),
        kayles("2,3"),
        nim("1,2,3"),
        nim("1,1"),
        *game("misere(clobber)").positions("1x4"),
        game("misere(clobber)")("xox|oxo"),
        *(domineering(size) for size in ("1x3", "2x2", "2x3", "3x3")),
        game("misere(impartial(clobber))")("xoxo"),
        *(gamebench.Game(STEPS)(strip) for strip in ("x..o", "x.o.x.", "o.x")),
    ]


@pytest.mark.parametrize("position", positions(), ids=str)
def test_outcomes_and_winning_moves_are_those_of_plain_search(position: Position):
    for at in (position, -position):
        assert at.outcome() == outcome(at)
        assert pickle.loads(pickle.dumps(at)).outcome() == outcome(at)
        for who in ("left", "right"):
            assert sorted(at.winning_moves(who)) == sorted(winning(at, who)), who
            if at.moves(who):
                for player in ("ab", "mcts+all"):
                    assert at.choose(who, player, nodes=2000)["move"] in (winning(at, who) or at.moves(who))


def test_what_does_not_exist_is_said():
    four = game("misere(kayles)")("4")
    for ask in (four.value, four.mean, four.thermograph, lambda: gamebench.values([four])):
        # No limit would have helped.
        with pytest.raises(GameError, match="in misère play positions have outcomes only"):
            ask()
    for total in (four + four, four - "*", 2 * four):
        with pytest.raises(GameError, match="misère"):
            total.outcome()
        with pytest.raises(GameError, match="misère"):
            total.winning_moves("left")
    with pytest.raises(LimitReached):
        game("misere(clobber)")("5x6").winning_moves("left", nodes=10)
    assert "Misère play" in str(four.analyze()) and four.analyze().to_dict()["winner"] == {"left_first": "Right", "right_first": "Left"}
    assert game("kayles")("4").value() == Value("*")


def perfect(position: Position, who: str) -> str:
    return (position.winning_moves(who) or position.moves(who))[0]


def test_matches_are_won_by_who_cannot_move():
    # From 3 pins who begins wins, from 4 who does not.
    for start, first_wins in (("3", True), ("4", False)):
        for kayles in ("misere(kayles)", game("misere(kayles)")):
            for played in (
                match(perfect, perfect, kayles, start, games=2, nodes=1),
                match("ab", perfect, kayles, game("misere(kayles)")(start), games=2, nodes=500),
                match("ab", "ab", kayles, start, games=2, nodes=500),
            ):
                assert all((row["winner"] == row["left"]) == first_wins for row in played["table"]), (start, played)
    assert match(perfect, "random", "misere(domineering)", "3x3", games=6, nodes=1)["won"] >= 3
    with pytest.raises(GameError, match="ends in a score"):
        match(perfect, perfect, gamebench.Game(SCORED), "...", games=2)
