"""Ludeme: board games written as text.

>>> import ludeme
>>> game = ludeme.load("consta", size=7)
>>> state = game.start()
>>> state = state.play("d4")
>>> state.to_move
('White',)
"""

from ludeme.diagnostics import DescriptionError, DescriptionFault, Diagnostic
from ludeme.game import Game, IllegalMove, Move, Outcome, State, load, load_text

__version__ = "0.1.0"

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
