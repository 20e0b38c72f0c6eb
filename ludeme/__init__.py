"""Ludeme: board games written as text.

>>> import ludeme
>>> game = ludeme.load("consta", size=7)
>>> state = game.start()
>>> state = state.play("d4")
>>> state.to_move
('White',)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludeme.diagnostics import DescriptionError, DescriptionFault, Diagnostic
    from ludeme.game import Game, IllegalMove, Move, Outcome, State, load, load_text

__version__ = "0.1.0"

_HOMES = {
    "DescriptionError": "ludeme.diagnostics",
    "DescriptionFault": "ludeme.diagnostics",
    "Diagnostic": "ludeme.diagnostics",
    "Game": "ludeme.game",
    "IllegalMove": "ludeme.game",
    "Move": "ludeme.game",
    "Outcome": "ludeme.game",
    "State": "ludeme.game",
    "load": "ludeme.game",
    "load_text": "ludeme.game",
}

__all__ = [
    "DescriptionError",
    "DescriptionFault",
    "Diagnostic",
    "Game",
    "IllegalMove",
    "Move",
    "Outcome",
    "State",
    "load",
    "load_text",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for; the command line starts sooner so."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
