"""One move of a turn drawn at random: every legal one has exactly the same chance.

Two ways of looking: `chances` walks the tree of the draw whole and is exact; the frequencies of
real streams are compared by a chi-square bound. The seed is fixed; over seeds, a right draw would
exceed the bound once in a hundred thousand tests (Wilson-Hilferty, z = 4.265).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import exp, factorial, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludeme import State, load
from ludeme.machine import Stream
from ludeme.machine.random import GAMMA, key, mix

from .draws import chances, drawn, mean_width, turn_of
from .small import fault_of, start, texts

REST = (
    "piece stone\neach site has lit\ngame has tally = 0 from 0..9\nstart\n  put White stone on b1"
)
ROW = "square(5, 1)"
EACH = 100
"""How often each move is drawn on average."""

TURNS = {
    "one choice": ("turn", "choose x from empty", 4),
    "dependent choices": ("turn", "choose x from board\nchoose y from neighbours(x)", 8),
    "three dependent choices": (
        'turn as "{x}-{y}/{z}"',
        "choose x from empty\nchoose y from neighbours(x)\nchoose z from neighbours(y) and empty",
        10,
    ),
    "a set of two": ("turn", "choose 2 xs from board", 10),
    "a set of one or two": (
        'turn joined by ", "',
        'choose 1..2 xs from empty\nfor each x in xs\n  as "put {x}"\nput stone on xs',
        10,
    ),
    "a set of any size": ("turn", "choose 0..3 xs from board", 26),
    "a choice and a set": (
        'turn as "{x}: {ys}"', "choose x from board\nchoose 2 ys from board and not {x}", 30
    ),
    "one of": (
        "turn",
        "one of\n  - put\n      choose x from empty\n  - pair\n      choose 2 xs from empty\n"
        "  - rest\n      pass",
        11,
    ),
    "nested bullets": (
        "turn",
        'one of\n  - put\n      choose x from empty\n      one of\n        - high as "high {x}"\n'
        '            mark x lit\n        - low as "low {x}"\n            unmark x lit\n'
        "  - rest\n      pass",
        9,
    ),
    "if with choices inside": (
        "turn",
        'choose x from board\nif x in empty\n  choose y from neighbours(x)\n  as "{x}-{y}"\n'
        'else\n  as "{x} stays"',
        7,
    ),
    "otherwise that is shut": (
        "turn", "one of\n  - put\n      choose x from empty\n  otherwise rest\n      pass", 4
    ),
    "otherwise that is open": (
        "turn",
        "one of\n  - take\n      choose x from mine\n  otherwise put\n      choose x from empty",
        4,
    ),
    "otherwise open after draws that fail": (
        "turn",
        "one of\n  - take\n      choose x from empty\n      require x = b1\n"
        "  otherwise put\n      choose x from empty",
        4,
    ),
    "otherwise behind a choice": (
        "turn",
        'choose x from board\none of\n  - up as "up {x}"\n      require x in empty\n'
        '  otherwise down as "down {x}"\n      mark x lit',
        5,
    ),
    "where": ("turn", "choose x from board where no (neighbours(x) and occupied)", 3),
    "require after effects": (
        "turn",
        "choose x from empty\nchoose y from empty\nput stone on x\n"
        "require y in empty and some (neighbours(y) and mine)",
        4,
    ),
    "a requirement that few meet": (
        "turn", "choose x from board\nchoose y from board\nrequire x = a1 and y = e1", 1
    ),
    "a requirement that only two of many meet": (
        'turn as "{x} {y} {z}"',
        "choose x from board\nchoose y from board\nchoose z from board\n"
        "require x = y and y = z and x in {a1, e1}",
        2,
    ),
    "a chain while possible": (
        'turn joined by "-"',
        'choose x from {a1}\nlet here = x\nas "{x}"\nrepeat 1..3 times while possible\n'
        "  choose y from neighbours(here) and not lit\n  mark y lit\n  set here to y\n"
        '  as "{y}"',
        2,
    ),
    "a chain that may stop": (
        'turn joined by "-"',
        'choose x from {a1}\nlet here = x\nas "{x}"\nrepeat 0..2 times or stop\n'
        '  choose y from neighbours(here)\n  set here to y\n  as "{y}"',
        4,
    ),
    "require most": ("turn", "choose x from board\nrequire most count(neighbours(x))", 3),
    "one by one with choices": (
        'turn joined by " "',
        'one by one x in {a1, b1}\n  choose y from neighbours(x)\n  as "{y}"',
        2,
    ),
    "moves that print alike": (
        'turn as "{pair}"',
        "choose x from board\nchoose y from board\nrequire x != y\nlet pair = {x, y}",
        10,
    ),
    "numbers": ('turn as "{n} on {x}"', "choose n from 1..3\nchoose x from empty", 12),
    "players": ('turn as "{p} {x}"', "choose p from players\nchoose x from pieces(p) or {a1}", 3),
    "directions": ('turn as "{x} {d}"', "choose x from board\nchoose d from compass", 40),
    "a bounded second choice": (
        'turn as "{x}-{y}"', "choose x from board\nchoose y from step(x) and empty", 6
    ),
    "a slide from few": (
        'turn as "{n} {x}-{y}"',
        "choose n from 2..2\nchoose x from occupied\nchoose y from slide(x, over empty)",
        4,
    ),
    "a slide from many": (
        'turn as "{n} {x}-{y}"',
        "choose n from 2..2\nchoose x from board\nchoose y from slide(x, over empty)",
        10,
    ),
    "a slide behind one choice": (
        'turn as "{x}-{y}"', "choose x from board\nchoose y from slide(x, over empty)", 10
    ),
    "a slide behind effects, and a requirement": (
        'turn as "{w} {x}-{y}"',
        "choose w from {a1, c1}\nchoose x from empty\nput stone on x\n"
        "choose y from slide(x, over empty)\nmark y lit\nrequire w not in lit",
        10,
    ),
    "a slide from many or few": (
        "turn",
        'one of\n  - many as "{n} {x}-{y}"\n      choose n from 2..2\n      choose x from board\n'
        "      choose y from slide(x, over empty)\n"
        '  - few as "{n} {x}:{y}"\n      choose n from 2..2\n      choose x from occupied\n'
        "      choose y from slide(x, over empty)",
        14,
    ),
}  # fmt: skip


def state_of(case: tuple[str, str, int]) -> State:
    """The state in which the turn of a case is to be taken."""
    head, turn, _ = case
    return start(turn, head, REST, board=ROW)


def most(degrees: int, z: float = 4.265) -> float:
    """What a chi-square of so many degrees of freedom exceeds once in a hundred thousand times."""
    part = 2 / (9 * degrees)
    return degrees * (1 - part + z * sqrt(part)) ** 3


@pytest.mark.parametrize("degrees", [2, 4, 10, 40])
def test_the_bound_is_exceeded_once_in_a_hundred_thousand_times(degrees: int) -> None:
    """For even degrees the chance is a sum of Poisson terms; the bound has it or less, nearly."""
    half = most(degrees) / 2
    chance = exp(-half) * sum(half**k / factorial(k) for k in range(degrees // 2))
    assert 0.4e-5 < chance < 1.6e-5


@pytest.mark.parametrize("case", TURNS.values(), ids=TURNS)
def test_every_move_has_the_same_chance(case: tuple[str, str, int]) -> None:
    """Exactly: every number of the draw leads to a move, each move by equally many numbers."""
    state = state_of(case)
    moves = texts(state)
    assert len(moves) == len(set(moves)) == case[2], moves
    assert chances(state) == dict.fromkeys(moves, Fraction(1, len(moves)))
    assert state.perft(1) == case[2]


@pytest.mark.parametrize("case", TURNS.values(), ids=TURNS)
def test_the_estimate_of_the_width_is_unbiased(case: tuple[str, str, int]) -> None:
    """Its exact mean over all draws is the number of moves."""
    assert mean_width(state_of(case)) == case[2]


@pytest.mark.parametrize("case", TURNS.values(), ids=TURNS)
def test_drawn_frequencies_fit_the_list(case: tuple[str, str, int]) -> None:
    """Real streams draw each listed move about equally often, and nothing else."""
    state = state_of(case)
    machine, moves = state.game.machine, texts(state)
    draws = EACH * len(moves)
    stream = Stream(20240229, 5, 0)
    found = Counter(
        machine.text(state.cells, machine.draw(state.cells, 0, stream)[0]) for _ in range(draws)
    )
    assert set(found) <= set(moves)
    if len(moves) > 1:
        assert sum((found[text] - EACH) ** 2 / EACH for text in moves) < most(len(moves) - 1)


def test_a_crooked_draw_would_be_noticed() -> None:
    """A draw that prefers one move of four by a half is far beyond the bound."""
    counts = [150, 84, 83, 83]
    assert sum(counts) == 4 * EACH
    assert sum((count - EACH) ** 2 / EACH for count in counts) > most(3)


GAMES = [
    ("constello", {}, "", 405),
    ("constello", {}, "place c2 | place e1", 26 + 26 * 25 // 2 + 26),
    ("astralesce", {"order": 3}, "", 42),
    ("constellation", {"order": 3}, "", 33),
    ("constructo", {}, "pattern lens; ring c3", 24),
    ("consta", {"size": 4}, "b2", 120),
    ("consta", {"size": 3}, "b2; a1 c1", 6 * 5 // 2 + 6),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "after", "count"), GAMES)
def test_moves_of_the_games_have_the_same_chance(
    name: str, options: dict[str, object], after: str, count: int
) -> None:
    """The same in positions of the shipped games, exactly."""
    state = load(name, **options).start()
    for decision in after.split("; ") if after else []:
        state = state.play(decision)
    player = state.game.players.index(state.to_move[0])
    moves = texts(state, state.to_move[0])
    found = chances(state, player)
    assert found == dict.fromkeys(moves, Fraction(1, len(moves)))
    assert mean_width(state, player) == len(moves)
    assert len(moves) == count


@pytest.mark.parametrize(
    ("case", "number", "bound"), [("a slide from few", 3, 4), ("a slide from many", 4, 20)]
)
def test_a_last_choice_is_weighed_by_its_bound_behind_many(
    case: str, number: int, bound: int
) -> None:
    """Five sites times the four that lie on the rays of each; from one site its own four."""
    assert drawn(state_of(TURNS[case]), [number])[2] == [bound]


def test_too_many_places_are_listed() -> None:
    """Beyond 4,096 places the moves are listed at once, and the width is their number."""
    state = start(
        "choose x from board\nchoose y from board\nchoose z from {a1}\nmark z lit",
        'turn as "{x} {y} {z}"',
        "piece stone\neach site has lit",
        board="square(9, 8)",
    )
    text, width, bounds = drawn(state, [5])
    assert turn_of(state).forms is not None
    assert (text, width, bounds) == ("a1 f1 a1", 72**2, [72**2])


def test_a_turn_without_moves_draws_nothing() -> None:
    """The player is stuck, which is a fault where nothing else is said."""
    state = start("choose x from mine", "turn", "piece stone")
    turn = turn_of(state)
    assert turn.draw(state.cells, 0, Stream(1, 1, 0)) is None
    error = fault_of(lambda: state.game.machine.draw(state.cells, 0, Stream(1, 1, 0)))
    assert error.diagnostic.code == "stuck"


def test_a_draw_leaves_the_state_alone() -> None:
    """Neither the state nor what is drawn next from it changes."""
    state = state_of(TURNS["require after effects"])
    machine, before = state.game.machine, repr(state.cells)
    first = [machine.text(state.cells, machine.draw(state.cells, 0, Stream(3, 4, 0))[0])] * 3
    for text in first:
        assert machine.text(state.cells, machine.draw(state.cells, 0, Stream(3, 4, 0))[0]) == text
    assert repr(state.cells) == before


# ---- streams


def test_the_finaliser_is_that_of_splitmix() -> None:
    """The first numbers of SplitMix64 from 1234567, as Vigna's program prints them."""
    state, found = 1234567, []
    for _ in range(3):
        state = (state + GAMMA) & (2**64 - 1)
        found.append(mix(state))
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_a_stream_counts_on_from_its_key() -> None:
    """Number i is the finaliser of the key plus i times gamma."""
    stream, begin = Stream(9, 8, 1), key(9, 8, 1)
    for i in range(1, 20):
        assert stream.next() == mix((begin + i * GAMMA) % 2**64)


class _Given(Stream):
    """A stream of given 64-bit numbers."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(0, 0, 0)
        self.left = list(numbers)

    def next(self) -> int:
        """The next given number."""
        return self.left.pop(0)


@given(bound=st.integers(1, 2**64 - 1), data=st.data())
@settings(deadline=None, derandomize=True)
def test_below_takes_equally_many_numbers_for_each_result(bound: int, data: st.DataObject) -> None:
    """Of the 2**64 numbers exactly 2**64 // bound give each result; the others are drawn again."""
    result = data.draw(st.integers(0, bound - 1))
    surplus = 2**64 % bound
    lowest = -((-(result * 2**64 + surplus)) // bound)
    highest = ((result + 1) * 2**64 - 1) // bound
    assert highest - lowest + 1 == 2**64 // bound
    assert _Given(lowest).below(bound) == result
    assert _Given(highest).below(bound) == result
    if lowest and (lowest - 1) * bound >= result * 2**64:
        again = _Given(lowest - 1, highest)
        assert again.below(bound) == result
        assert again.left == []


@given(extra=st.integers(0, 2**70))
@settings(deadline=None, derandomize=True)
def test_below_of_great_bounds(extra: int) -> None:
    """Beyond 64 bits several numbers make one, evenly; what is left over is drawn again."""
    bound = 2**64 + extra
    words = (bound.bit_length() + 63) // 64
    limit = 2 ** (64 * words) // bound * bound

    def parts(value: int) -> list[int]:
        return [value >> 64 * i & (2**64 - 1) for i in reversed(range(words))]

    assert _Given(*parts(bound - 1)).below(bound) == bound - 1
    assert _Given(*parts(limit - 1)).below(bound) == bound - 1
    if limit < 2 ** (64 * words):
        assert _Given(*parts(limit), *parts(7)).below(bound) == 7
