"""Games of lots: nothing in them but chance, and how large the chance is can be declared.

`lots` is for the long runs, `dice` has real dice.

The board has 200 cells, and whoever is to move draws one of them, each as likely as any other. On
the upper 100 the game goes on, and a stone is put on the cell if it is empty, so that the measures
of the board have something to count. Of the lower 100, *first* are those on which First wins, *tie*
those on which the game is drawn; on the rest Second wins. So First wins *first* in a hundred games
whoever moves, and a game takes two decisions on average.
"""

from __future__ import annotations

import ludeme

_TEXT = """
game "Lots"
players First, Second
board square(10, 20)
piece stone
region high = {high}
region good = {good}
region even = {even}
game has lot: site = a20
turn draw as "{{cell}}"
  choose cell from board
  set lot to cell
  if cell in (empty and high)
    put stone on cell
end
  First wins by luck when lot in good
  draw by tie when lot in even
  Second wins by luck when not lot in high
"""


def lots(first: int = 50, tie: int = 0) -> ludeme.Game:
    """The game in which First wins *first* games in a hundred, and *tie* are drawn."""
    text = _TEXT.format(
        high=" or ".join(f"row({row})" for row in range(11, 21)),
        good=_cells(first),
        even=_cells(first + tie),
    )
    return ludeme.load_text(text, "lots")


def _cells(count: int) -> str:
    """The first so many cells, row by row."""
    parts = [f"row({row})" for row in range(1, count // 10 + 1)]
    if count % 10:
        columns = " or ".join(f"column({column})" for column in range(1, count % 10 + 1))
        parts.append(f"row({count // 10 + 1}) and ({columns})")
    return " or ".join(parts)


_DICE = """
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
    """The same with dice: a decision of chance after each move, four decisions on average."""
    return ludeme.load_text(_DICE, "dice", first=first, tie=tie)
