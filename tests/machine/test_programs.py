"""Random choice programs: the engine finds the moves that a plain reading of the language gives.

`strategies.Program` is that reading. The prints of these programs run into one another on purpose.
"""

from __future__ import annotations

from fractions import Fraction

import probe
import pytest
from hypothesis import HealthCheck, assume, given, settings
from strategies import AlikeError, Program, Run, programs

from ludeme import DescriptionFault, State, load_text
from ludeme.machine.runs import Runs

from .draws import chances, mean_width, turn_of

BRIEF = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
LONG = settings(
    max_examples=2000, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def start_of(program: Program) -> State:
    """The state in which the turn is to be taken."""
    return load_text(program.text).start()


def all_prints(state: State) -> list[str]:
    """What every complete run prints, doubles included."""
    turn = turn_of(state)
    runs = Runs(turn.effects)
    go = runs.compile(turn.turn.body)
    prints: list[str] = []

    def collect(cells: list[object]) -> bool:
        prints.append(turn.text(cells))
        return False

    runs.sink = collect
    go(turn.begin(state.cells, 0))
    return prints


def assert_same_moves(program: Program) -> None:
    """The engine's moves, their ends, and every question about them agree with the reading."""
    runs = program.runs()
    assume(runs is not None)
    assert runs is not None
    state = start_of(program)
    turn = turn_of(state)
    try:
        moves = program.moves(runs)
    except AlikeError:
        assert turn.forms is None
        with pytest.raises(DescriptionFault) as caught:
            turn.moves(state.cells, 0)
        assert caught.value.diagnostic.code == "alike"
        return
    if turn.forms is not None:
        assert len({text for text, _ in runs}) == len(runs), "told apart, and two runs print alike"
    assert turn.moves(state.cells, 0) == list(moves)
    assert turn.count(state.cells, 0) == len(moves)
    assert turn.any(state.cells, 0) == bool(moves)
    for text, run in moves.items():
        end = turn.find(state.cells, 0, text)
        assert end is not None, text
        assert_same_end(state, end, run)
    for text in ("", "pass", "a", "b", "a b", "x a", "a, b", "1"):
        assert (turn.find(state.cells, 0, text) is None) == (text not in moves), text


def assert_same_end(state: State, end: list[object], run: Run) -> None:
    """The position at the end of a run is the same on both sides."""
    after = State(state.game, end)
    layout = state.game.machine.layout
    pieces = {site: stack[0][0] for site, stack in probe.board(after).items()}
    assert pieces == {site: run.owner(site) for site in run.sites if run.owner(site)}
    assert set(probe.flagged(after, "lit")) == run.lit
    assert probe.value(after, "tally") == run.tally
    assert (end[layout.passing], end[layout.again]) == (run.passing, run.again)


@BRIEF
@given(program=programs())
def test_moves_are_the_complete_runs(program: Program) -> None:
    """Listed in order, each once, found by its text, counted; `otherwise`, chains and all."""
    assert_same_moves(program)


@BRIEF
@given(program=programs(depth=1, richness=2, most=False))
def test_moves_of_short_turns_are_the_complete_runs(program: Program) -> None:
    """The same of turns most of which can be told apart by their prints."""
    assert_same_moves(program)


@pytest.mark.soak
@LONG
@given(program=programs())
def test_moves_of_many_programs(program: Program) -> None:
    """As above, for thousands."""
    assert_same_moves(program)


@pytest.mark.soak
@LONG
@given(program=programs(depth=1, richness=2, most=False))
def test_moves_of_many_short_programs(program: Program) -> None:
    """As above, for thousands."""
    assert_same_moves(program)


def assert_uniform(program: Program) -> None:
    """Each move has the same chance, to the last fraction, and the width is right on average."""
    runs = program.runs(300)
    assume(runs)
    state = start_of(program)
    turn = turn_of(state)
    try:
        moves = program.moves(runs or [])
    except AlikeError:
        assume(False)
        return
    share = Fraction(1, len(moves))
    assert chances(state) == dict.fromkeys(moves, share)
    assert mean_width(state) == len(moves)
    assert turn.forms is None or sorted(all_prints(state)) == sorted(moves)


@BRIEF
@given(program=programs(depth=1, richness=2, most=False))
def test_the_draw_is_exactly_uniform(program: Program) -> None:
    """Over every number that a stream can give, each legal move comes up equally often."""
    assert_uniform(program)


@pytest.mark.soak
@LONG
@given(program=programs(depth=1, richness=2, most=False))
def test_the_draw_of_many_programs_is_exactly_uniform(program: Program) -> None:
    """As above, for thousands."""
    assert_uniform(program)


@BRIEF
@given(program=programs())
def test_the_draw_of_long_turns_is_exactly_uniform(program: Program) -> None:
    """The same with chains and `require most`."""
    assert_uniform(program)
