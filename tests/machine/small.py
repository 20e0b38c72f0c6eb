"""Small descriptions, put together from the lines that a test is about."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent

from ludeme import DescriptionFault, State, load_text


def description(turn: str, head: str = "turn", rest: str = "", board: str = "square(3, 1)") -> str:
    """A description of two players on a row of sites, a1 b1 c1, with one turn.

    *turn*: the lines of its body; *head*: its first line; *rest*: further items.
    """
    body = indent(dedent(turn).strip("\n"), "  ")
    return (
        f'game "Small"\nplayers Black, White\nboard {board}\n{dedent(rest).strip()}\n'
        f"{head}\n{body}\n"
    )


def start(turn: str, head: str = "turn", rest: str = "piece stone", **how: str) -> State:
    """The state in which a turn is to be taken."""
    return load_text(description(turn, head, rest, **how)).start()


def texts(state: State, player: str | None = None) -> list[str]:
    """What the legal moves print."""
    return [move.text for move in state.moves(player)]


def fault_of(act: Callable[[], object]) -> DescriptionFault:
    """The fault that something ends in."""
    try:
        act()
    except DescriptionFault as error:
        return error
    raise AssertionError("no fault")
