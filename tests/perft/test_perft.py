"""Every count of the perft tables, on the engine and on the independent rules."""

from __future__ import annotations

from functools import cache

import pytest

from ludeme import Game, State, load
from ludeme.play.perft import divide

from .tables import Count, all_counts, independent_divide, independent_perft, independent_state

COUNTS = all_counts()


@cache
def _game(name: str, options: tuple[tuple[str, object], ...]) -> Game:
    return load(name, **dict(options))


def _state(count: Count) -> State:
    state = _game(count.game, count.options).start()
    for decision in count.after.split("; ") if count.after else []:
        state = state.play(decision)
    return state


def _report(count: Count, state: State, found: int) -> str:
    """The position and the count below each decision, those that differ marked."""
    ours = divide(state.game.machine, state.cells, count.depth)
    theirs = independent_divide(independent_state(count), count.depth)
    lines = [f"{count.label}: {state!r} has {found:,} sequences, not {count.count:,}"]
    for text in sorted(ours.keys() | theirs.keys()):
        mark = "" if ours.get(text) == theirs.get(text) else f"  <- not {theirs.get(text)}"
        lines.append(f"  {text}: {ours.get(text)}{mark}")
    return "\n".join(lines)


def _check(count: Count) -> None:
    state = _state(count)
    if count.player is not None:
        assert len(state.moves(count.player)) == count.count, count.label
        return
    found = state.perft(count.depth)
    assert found == count.count, _report(count, state, found)


@pytest.mark.parametrize("count", [c for c in COUNTS if not c.slow], ids=lambda c: c.label)
def test_counts(count: Count) -> None:
    """The engine finds the number of sequences that the table gives."""
    _check(count)


@pytest.mark.soak
@pytest.mark.parametrize("count", [c for c in COUNTS if c.slow], ids=lambda c: c.label)
def test_slow_counts(count: Count) -> None:
    """The engine finds the number of sequences that the table gives, deeper down."""
    _check(count)


@pytest.mark.soak
@pytest.mark.parametrize("count", COUNTS, ids=lambda c: c.label)
def test_tables_are_what_the_independent_rules_say(count: Count) -> None:
    """No table was written by the engine: the independent rules give every count."""
    state = independent_state(count)
    if count.player is not None:
        assert len(state.moves(count.player)) == count.count
    else:
        assert independent_perft(state, count.depth) == count.count


def test_every_game_has_a_table() -> None:
    """Each of the five games is counted, on every option that changes its board or its rules."""
    games = {count.game for count in COUNTS}
    assert games == {"astralesce", "consta", "constellation", "constello", "constructo"}
    settings = {(count.game, *count.options) for count in COUNTS}
    for game in ("astralesce", "constellation"):
        for alone in (0, 1):
            for order in (3, 4, 5, 6):
                assert (game, ("order", order), ("alone", alone)) in settings


def test_the_report_names_the_move_below_which_a_count_differs() -> None:
    """On a mismatch the position and the count below each decision are told."""
    count = Count("here", 1, "consta", (("size", 3),), "b2", None, 2, 0, False)
    report = _report(count, _state(count), 1)
    assert "after b2> has 1 sequences, not 0" in report
    assert "  a1 a1: 28\n" in report
    assert "<- not" not in report
