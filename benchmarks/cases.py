"""Which games are measured, and under which names the others know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

import ludeme
from ludeme.game import Game


@attrs.frozen
class Case:
    """A game with its options. *limit*: its name in the C program; *spiel*: in OpenSpiel.

    Either is None where the other has no such game. OpenSpiel draws queen, goal and arrow of
    Amazons one after the other, which is less work and not uniform over the moves.
    """

    game: str
    options: Mapping[str, int] = attrs.field(factory=dict)
    limit: str | None = None
    spiel: str | None = None

    def load(self) -> Game:
        """The game."""
        return ludeme.load(self.game, **self.options)


FIVE = tuple(
    Case(name, limit="consta11" if name == "consta" else None)
    for name in ("constello", "constructo", "astralesce", "constellation", "consta")
)
CLASSICS = (
    Case("tic_tac_toe", limit="tic_tac_toe", spiel="tic_tac_toe"),
    Case("connect_four", limit="connect_four", spiel="connect_four"),
    Case("hex", limit="hex11", spiel="hex(board_size=11)"),
    Case("breakthrough", limit="breakthrough", spiel="breakthrough"),
    Case("reversi", limit="reversi", spiel="othello"),
    Case("gomoku", limit="gomoku15", spiel="gomoku(size=15,connect=5)"),
    Case("amazons", limit="amazons", spiel="amazons"),
    Case("english_draughts"),
)
CASES = (*CLASSICS, *FIVE)
REFERENCE = "hex11"
"""The C playouts that say how fast a machine is."""
REFERENCE_RATE = 870_000
"""Playouts per second of the reference on the machine that scaled figures speak of."""


def chosen(names: Sequence[str]) -> tuple[Case, ...]:
    """The cases of these games, all of them if none is named. ValueError for unknown names."""
    known = {case.game: case for case in CASES}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(
            f"there is no game {', '.join(unknown)} here; there are {', '.join(known)}"
        )
    return tuple(known[name] for name in names) if names else CASES
