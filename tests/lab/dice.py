"""A game that dice decide, with a chance that is declared.

The players in turn put a stone on one of nine cells, or point at one that is taken; then a number
from 1 to 200 is rolled. Up to *first* First has won, up to 100 - *tie* Second has, up to 100 it is
drawn, above that the game goes on. So First wins *first* games in a hundred whatever anybody does,
and a game takes four decisions on average, two of them of chance.
"""

from __future__ import annotations

import ludeme

DICE = """
game "Dice"
players First, Second
option first = 50 from 0..100
option tie = 0 from 0..100
board square(3)
piece stone
game has lot = 200 from 1..200
turn put as "{cell}"
  choose cell from board
  if cell in empty
    put stone on cell
turn throw as "{number}"
  roll number from 1..200
  set lot to number
play
  repeat
    for p in players
      p takes put
      chance takes throw
end
  First wins by luck when lot <= first
  Second wins by luck when lot <= 100 - tie
  draw by tie when lot <= 100
"""


def dice(first: int = 50, tie: int = 0) -> ludeme.Game:
    """The game in which First wins *first* games in a hundred, and *tie* are drawn."""
    return ludeme.load_text(DICE, "dice", first=first, tie=tie)
