"""Small Stratego in lock step with rules that were written apart from the engine."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from independent import small_stratego as stratego

from ludeme import State, load

CELLS = [c + r for r in "123456" for c in "abcdef" if c + r not in stratego.LAKES]


def _seen(state: State, player: str) -> dict[str, tuple[str, str]]:
    """What our view shows of the pieces."""
    found = {}
    for line in state.view(player).splitlines()[2:]:
        cell, text = line.split(": ")
        if cell in CELLS:
            owner, kind = text.split(" ")[:2]
            found[cell] = (owner, kind)
    return found


def _few_pieces(rng: random.Random) -> stratego.State:
    """A war that has come far: the two flags and some other pieces."""
    cells = rng.sample(CELLS, 12)
    pieces = [(cells.pop(), (player, "flag", False)) for player in stratego.PLAYERS]
    kinds = [kind for kind in stratego.ARMY if kind != "flag"]
    for player in stratego.PLAYERS:
        for _ in range(rng.randint(1, 4)):
            pieces.append((cells.pop(), (player, rng.choice(kinds), rng.random() < 0.3)))
    return stratego.State(pieces=tuple(pieces), deploying=False)


def _ours(state: stratego.State) -> State:
    lines = [
        f"{cell}: {owner} {kind}{' (known)' * known}"
        for cell, (owner, kind, known) in sorted(state.pieces)
    ]
    head = ["position of Small Stratego", "to move: Red in march", "at_war: true", "p: Blue"]
    return load("small_stratego").position("\n".join([*head, *lines]))


def _walk(theirs: stratego.State, ours: State, rng: random.Random) -> Counter[str]:
    """Play on at random; raises AssertionError at the first difference."""
    met: Counter[str] = Counter()
    while True:
        where = f"after {ours!r}"
        assert ours.to_move == theirs.to_move, where
        over = ours.outcome
        assert (over and (over.winner, over.reason)) == theirs.outcome, where
        for player in stratego.PLAYERS:
            assert _seen(ours, player) == theirs.seen(player), where
        if theirs.outcome:
            met[f"{theirs.outcome[0] or 'draw'} by {theirs.outcome[1]}"] += 1
            return met
        listed = theirs.moves(theirs.player)
        assert sorted(move.text for move in ours.moves()) == sorted(listed), where
        met["moves"] += len(listed)
        met["decisions"] += 1
        back = [
            move for move in listed
            if theirs.war[1:] and move == "-".join(reversed(theirs.war[-2][:2]))
        ]  # fmt: skip
        text = rng.choice(back if back and rng.random() < 0.5 else listed)
        met["to and fro"] += bool(back)
        theirs, ours = theirs.play(text), ours.play(text)


def _many(seeds: range) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        theirs = stratego.start() if seed % 10 == 0 else _few_pieces(rng)
        if theirs.deploying:
            met += _walk(theirs, load("small_stratego").start(), rng)
        elif theirs.moves("Red") and theirs.may_move("Blue"):
            met += _walk(theirs, _ours(theirs), rng)
    return met


def test_random_games_agree() -> None:
    """Moves, what each player sees, and outcomes are the same all the way."""
    met = _many(range(24))
    assert met["Red by capture"] and met["Blue by capture"]


@pytest.mark.soak
def test_many_random_games_agree() -> None:
    """As above, with all that can happen."""
    met = _many(range(1000, 4000))
    print(dict(sorted(met.items())))
    for end in ("Red by capture", "Blue by immobility", "draw by exhaustion", "draw by patience"):
        assert met[end], met
