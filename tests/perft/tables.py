"""Reads the perft tables, and counts on the independent rules.

A table is a text. `#` begins a comment. The lines:

- ``game NAME`` with options as ``name=value`` begins a game;
- ``start`` or ``after MOVES`` (decisions joined by ``; ``) begins a position;
- ``perft DEPTH COUNT``: sequences of exactly DEPTH decisions; a game over sooner counts nothing, a
  simultaneous decision counts its joint choices. ``slow`` behind it leaves it to the long run;
- ``moves PLAYER COUNT``: the legal moves of one player.

Every position says in a comment where its counts come from.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import attrs
from independent import consta, constello, constructo, hexslide

HERE = Path(__file__).parent


@attrs.frozen
class Count:
    """One line of a table."""

    table: str
    line: int
    game: str
    options: tuple[tuple[str, object], ...]
    after: str
    player: str | None
    depth: int
    count: int
    slow: bool

    @property
    def label(self) -> str:
        """File and line."""
        return f"{self.table}:{self.line}"


def read(path: Path) -> Iterator[Count]:
    """The counts of a table."""
    game = ""
    options: tuple[tuple[str, object], ...] = ()
    after: str | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        words = line.partition("#")[0].split()
        match words:
            case []:
                pass
            case ["game", game, *given]:
                options, after = tuple(_option(text) for text in given), None
            case ["start"]:
                after = ""
            case ["after", *_]:
                after = line.partition("#")[0].strip().removeprefix("after ").strip()
            case ["perft" | "moves" as what, which, count, *rest] if after is not None:
                assert rest in ([], ["slow"]), (path.name, number)
                player, depth = (None, int(which)) if what == "perft" else (which, 1)
                yield Count(
                    path.name, number, game, options, after, player, depth,
                    int(count.replace(",", "")), bool(rest),
                )  # fmt: skip
            case _:
                raise ValueError(f"{path.name}:{number}: {line}")


def _option(text: str) -> tuple[str, object]:
    name, value = text.split("=")
    return name, {"true": True, "false": False}.get(value) if value.isalpha() else int(value)


def all_counts() -> list[Count]:
    """The counts of every table."""
    return [count for path in sorted(HERE.glob("*.perft")) for count in read(path)]


# ---- the independent rules


def independent_state(count: Count) -> Any:
    """The position of a count on the independent rules."""
    options: dict[str, Any] = dict(count.options)
    match count.game:
        case "constello":
            state: Any = constello.start()
        case "constructo":
            state = constructo.start(**options)
        case "consta":
            state = consta.start(**options)
        case _:
            state = hexslide.start(count.game, **options)
    for decision in count.after.split("; ") if count.after else []:
        texts = tuple(decision.split(" | "))
        state = state.play(texts if len(texts) > 1 else decision)
    return state


def independent_perft(state: Any, depth: int) -> int:
    """The number of sequences of exactly *depth* decisions on the independent rules."""
    if not state.to_move:
        return 0 if depth else 1
    if depth == 0:
        return 1
    listed = [state.moves(player) for player in state.to_move]
    if depth == 1:
        total = 1
        for moves in listed:
            total *= len(moves)
        return total
    return sum(
        independent_perft(state.play(joint if len(joint) > 1 else joint[0]), depth - 1)
        for joint in product(*listed)
    )


def independent_divide(state: Any, depth: int) -> dict[str, int]:
    """The count below each decision on the independent rules."""
    listed = [state.moves(player) for player in state.to_move]
    return {
        " | ".join(joint): independent_perft(
            state.play(joint if len(joint) > 1 else joint[0]), depth - 1
        )
        for joint in product(*listed)
    }
