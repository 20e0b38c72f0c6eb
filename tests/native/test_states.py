"""Every state of a game on both engines: cells, keys, numbers of moves, streams and outcomes."""

from __future__ import annotations

import pytest

import ludeme
from ludeme.native.memory import Memory
from ludeme.native.memos import Memos

from .lockstep import DisagreementError, Pair, Where, all_streams

SETTINGS: list[tuple[str, dict[str, object], int, int, bool]] = [
    ("tic_tac_toe", {}, 20, 20, True),
    ("connect_four", {}, 5, 50, True),
    ("reversi", {}, 3, 80, True),
    ("english_draughts", {}, 4, 150, True),
    ("breakthrough", {"size": 8}, 3, 80, True),
    ("breakthrough", {"size": 16}, 1, 60, True),
    ("amazons", {}, 1, 3, True),
    ("amazons", {}, 2, 100, False),
    ("hex", {"size": 8}, 3, 80, True),
    ("hex", {"size": 13}, 2, 200, True),
    ("hex", {"size": 19}, 1, 400, True),
    ("gomoku", {"size": 9}, 2, 100, True),
    ("gomoku", {"size": 13}, 2, 200, True),
    ("gomoku", {"size": 17}, 1, 300, True),
    ("consta", {"size": 5}, 3, 60, True),
    ("consta", {"size": 9}, 2, 100, False),
    ("consta", {"size": 13}, 2, 200, False),
    ("consta", {"size": 19}, 1, 300, False),
    ("constello", {}, 6, 60, True),
    ("constructo", {"same_pattern": False}, 5, 100, True),
    ("constructo", {"same_pattern": True}, 5, 100, True),
    ("astralesce", {"order": 3, "alone": 0}, 5, 60, True),
    ("astralesce", {"order": 5, "alone": 1}, 2, 60, True),
    ("constellation", {"order": 4}, 3, 60, True),
    ("constellation", {"order": 6}, 1, 60, True),
]


@pytest.mark.parametrize(("name", "options", "games", "decisions", "counting"), SETTINGS)
def test_states_are_the_same_after_every_decision(
    name: str, options: dict[str, object], games: int, decisions: int, counting: bool
) -> None:
    """Both engines stand in the same state, and see as many moves, at every decision."""
    pair = Pair(ludeme.load(name, **options), counting)
    pair.run(11, games, decisions)
    assert pair.met["games"] == games
    assert not pair.met["unconfirmed"]


@pytest.mark.parametrize("name", ["constello", "constructo", "english_draughts", "consta"])
def test_a_state_comes_back_from_the_block(name: str) -> None:
    """Packing a state of the interpreter and unpacking it loses nothing."""
    machine = ludeme.load(name).machine
    memory = Memory(machine.layout)
    Memos(memory, machine.tables)
    for seed in range(5):
        cells = machine.start()
        streams = all_streams(machine, seed, 0)
        while not machine.is_over(cells):
            like = [type(value)() if isinstance(value, int) else value for value in cells]
            memory.unpack(memory.pack(cells), like)
            like[machine.layout.result] = cells[machine.layout.result]
            assert machine.values(cells) == machine.values(like)
            assert machine.key(cells) == machine.key(like)
            ends = [
                machine.draw(cells, p, streams[machine.source(cells, p)])[0]
                for p in machine.deciders(cells)
            ]
            cells = machine.play(cells, ends)


def test_a_different_state_is_noticed() -> None:
    """The comparison can fail: a game begun elsewhere is not the same."""
    pair = Pair(ludeme.load("hex", size=3))
    start = pair.machine.start()
    other = start[:]
    other[pair.machine.layout.owners] = 1
    pair.stepper.begin(other, 1, 0)
    with pytest.raises(DisagreementError, match="the state in slots"):
        pair.compare_cells(Where(pair.game, 1, 0, 0), start)
