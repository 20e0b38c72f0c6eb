"""Random games for the tests of pictures and positions."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import ludeme

EVERYTHING = str(Path(__file__).parent / "everything.game")

GAMES: list[tuple[str, tuple[tuple[str, object], ...]]] = [
    ("consta", (("size", 3),)),
    ("consta", (("size", 5),)),
    ("consta", (("size", 7),)),
    ("astralesce", (("order", 3), ("alone", 0))),
    ("astralesce", ()),
    ("constellation", (("order", 3),)),
    ("constellation", (("order", 5), ("alone", 0))),
    ("constello", ()),
    ("constructo", ()),
    ("constructo", (("same_pattern", True),)),
    ("goofspiel", (("seats", 3), ("suit", 3))),
    ("kuhn_poker", ()),
    ("leduc_poker", ()),
    ("oware", ()),
    ("phantom_tic_tac_toe", ()),
    ("small_stratego", (("patience", 10),)),
    (EVERYTHING, ()),
    (EVERYTHING, (("size", 3), ("free", True))),
]


def name_of(case: tuple[str, tuple[tuple[str, object], ...]]) -> str:
    """A game and its options, as a test is called."""
    return "-".join([Path(case[0]).stem, *(f"{name}={value}" for name, value in case[1])])


@cache
def game_of(name: str, options: tuple[tuple[str, object], ...] = ()) -> ludeme.Game:
    """A game, loaded once."""
    return ludeme.load(name, **dict(options))


@cache
def states(game: ludeme.Game, seed: int, most: int = 120) -> tuple[ludeme.State, ...]:
    """The states of one random game, the last one included; every word of a move is as likely."""
    rng = random.Random(seed)
    found = [game.start()]
    while found[-1].outcome is None and len(found) < most:
        state = found[-1]
        found.append(state.play({player: _any(state, player, rng) for player in state.to_move}))
    return tuple(found)


def _any(state: ludeme.State, player: str, rng: random.Random) -> ludeme.Move:
    moves = state.moves(player)
    word = rng.choice(sorted({move.text.split()[0] for move in moves}))
    return rng.choice([move for move in moves if move.text.split()[0] == word])
