"""Perft in machine code and by the interpreter: the same numbers and the same faults."""

from __future__ import annotations

from collections import Counter as Tally

import pytest

import ludeme
from ludeme.diagnostics import DescriptionError, DescriptionFault
from ludeme.game import Game, load_text
from ludeme.machine import Cells
from ludeme.native.counter import Counter
from ludeme.native.refusal import NotNative
from ludeme.play.compiling import Compiling, counting
from ludeme.play.perft import divide, perft

from .cases import CASES
from .lockstep import all_streams, fewer_steps
from .programs import BOARDS, description
from .test_agreement import every_setting, label, shown_settings
from .test_cases import QUICK, STEPS

MOST = 1_500
"""About how many decisions the interpreter looks at in a test."""


def at_once(code: Counter) -> Compiling[Counter]:
    """Machine code that pays from the first moment."""
    found: Compiling[Counter] = Compiling(lambda: True, lambda: code)
    found._spent = 10.0
    return found


def states(game: Game, seed: int, every: int) -> list[Cells]:
    """The first state, and every so many states of a random game."""
    machine = game.machine
    cells = machine.start()
    found = [cells]
    streams = all_streams(machine, seed, 0)
    for number in range(1, 10 * every + 1):
        if machine.is_over(cells):
            break
        drawn = [
            machine.draw(cells, p, streams[machine.source(cells, p)])[0]
            for p in machine.deciders(cells)
        ]
        cells = machine.play(cells, drawn)
        if number % every == 0:
            found.append(cells)
    return found


def depth_of(code: Counter, cells: Cells) -> int:
    """How deep the interpreter counts in a second or so."""
    for depth in range(1, 4):
        found = code.perft(cells, depth)
        if found is None or found > MOST:
            return max(1, depth - 1)
    return 3


@pytest.mark.parametrize(("name", "options"), shown_settings(), ids=label)
def test_counts_are_the_same(name: str, options: dict[str, object]) -> None:
    """At the start and later on in a game, as deep as the interpreter gets."""
    compare(name, options)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), every_setting(), ids=label)
def test_counts_are_the_same_with_every_option(name: str, options: dict[str, object]) -> None:
    """The same of every combination of options."""
    compare(name, options)


def compare(name: str, options: dict[str, object]) -> None:
    """Count at several states of a game on both engines."""
    game = ludeme.load(name, **options)
    code = Counter(game.machine)
    for cells in states(game, 5, 7)[:3]:
        depth = depth_of(code, cells)
        for less in range(1, depth + 1):
            assert perft(game.machine, cells, less) == code.perft(cells, less), (less, cells)


def both(game: Game, code: Counter, cells: Cells, depth: int) -> str:
    """Count on both engines, the faults included; what it came to."""
    try:
        expected: object = divide(game.machine, cells, depth)
    except DescriptionFault as error:
        expected = error.diagnostic.code, error.moves
    try:
        actual: object = divide(game.machine, cells, depth, at_once(code))
    except DescriptionFault as error:
        actual = error.diagnostic.code, error.moves
    assert expected == actual, game.sources.texts[game.name]
    if not isinstance(expected, dict):
        return "faulty"
    alone = code.perft(cells, depth)
    assert alone in (None, sum(expected.values()))
    return "counted" if alone is not None else "left to the interpreter"


@pytest.mark.parametrize("name", list(CASES)[1::2])
def test_a_case_counts_the_same(name: str) -> None:
    """Small descriptions by hand, two decisions deep, faults told alike."""
    count_case(name)


@pytest.mark.soak
@pytest.mark.parametrize("name", list(CASES)[::2])
def test_every_other_case_counts_the_same(name: str) -> None:
    """The same of those whose moves are compared in the short run."""
    count_case(name)


def count_case(name: str) -> None:
    """Count it from its start."""
    game = load_text(CASES[name])
    try:
        start = game.machine.start()
    except DescriptionFault:
        return
    if not game.machine.is_over(start):
        both(game, Counter(game.machine, keep=False), start, 2)


def compare_random(numbers: range, size: str) -> Tally[str]:
    """Count in random descriptions; what it came to."""
    met: Tally[str] = Tally()
    with fewer_steps(STEPS):
        for number in numbers:
            try:
                game = load_text(description(number, size))
                start = game.machine.start()
                code = Counter(game.machine, keep=False)
                if game.machine.is_over(start) or depth_of(code, start) < 2:
                    continue
            except (DescriptionError, DescriptionFault, NotNative):
                continue
            met[both(game, code, start, 2)] += 1
    return met


@pytest.mark.parametrize("size", BOARDS)
def test_random_descriptions_count_the_same(size: str) -> None:
    """Whatever passes the checker is counted alike, or goes wrong alike."""
    compare_random(range(QUICK), size)


@pytest.mark.soak
@pytest.mark.parametrize("size", BOARDS)
def test_many_random_descriptions_count_the_same(size: str) -> None:
    """The same of many more, most of which are counted."""
    met = compare_random(range(2000, 2150), size)
    print(size, dict(met))
    assert met["counted"] > met["left to the interpreter"]


# Aart Bik, "Computing Deep Perft and Divide Numbers for Checkers", ICGA Journal 35:4 (2012).
DRAUGHTS = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)


def test_draughts_to_a_published_depth() -> None:
    """Eighteen million games of ten moves, in a few seconds."""
    game = ludeme.load("english_draughts")
    code = Counter(game.machine)
    start = game.machine.start()
    assert tuple(code.perft(start, depth) for depth in range(1, 11)) == DRAUGHTS


def test_code_is_not_asked_for_before_it_pays() -> None:
    """A small question compiles nothing; one that takes long does, and only once."""
    loaded = []
    found: Compiling[Counter] = Compiling(lambda: False, lambda: loaded.append(1))
    with found.working():
        assert found.code is None
    assert not loaded
    found._spent = 10.0
    with found.working():
        assert found.code is None  # it was refused
        assert found.code is None
    assert loaded == [1]


def test_a_state_counts_with_code_once_it_pays() -> None:
    """`State.perft` gives the same number with machine code and without."""
    game = ludeme.load("reversi")
    assert game.start().perft(3) == 56
    game.counting._spent = 10.0
    assert game.start().perft(8) == 390_216  # OEIS A124004
    assert game.counting.code is not None
    assert counting(game.machine).code is None
