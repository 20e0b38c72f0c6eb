"""Positions as text: all that makes two states equal, to read and to write by hand.

::

    position of Trail (size = 5)         -- options that differ from their defaults
    to move: White in build
    a1: Black stone
    b2: White stone, White stone         -- a stack, the bottom first
    skips in a row: 1

A line is a name, a colon and what there is to say of it. The order of the lines does not matter;
``--`` begins a comment. What is not said is as at first: sites are empty, hands full, variables
have their first values.

``position of TITLE (option = value, ...)``
    The game that the position belongs to. May be left out.
``to move: PLAYER in TURN, phase PHASE, step N``
    Who decides in which turn; several players where they decide together. The phase and the step
    (counted in ``play`` among those at which somebody decides) are needed only where a turn occurs
    in several places. Without this line it is the first decision of the game.
``game over: PLAYER wins by END (PLAYER score, ...)``, ``game over: draw by END``
    In place of ``to move``. The scores may be left out: the position tells them.
``SITE: PLAYER KIND, ...``
    The pieces there. Several sites may stand before the colon, and a number before a piece. What
    is noted on a piece stands behind it in brackets: ``a1: Black stone (gold, charge 3)``.
    Neutral pieces have no player.
``hand of PLAYER: 3 ring, 1 small``, ``hand of PLAYER: nothing``
    The whole hand.
``VARIABLE: value``, ``VARIABLE: PLAYER value, ...``, ``VARIABLE: SITE value, ...``
    What the game, players or sites have; ``VARIABLE of PLAYER: SITE value, ...`` what a player has
    for each site, player or kind. A flag has its sites: ``locked: a1 b2``. A truth without a value
    is true. ``VARIABLE, 1 turn left: ...`` says how many further turns a value lives, where it is
    not the number that the description gives. The name of a loop in ``play`` is such a variable.
``earlier positions: KEY ...``
    In games with a rule about repetition, the keys of the positions that there were, the present
    one included. Without this line, the present one is the first.
``turns taken: 12``, ``skips in a row: 1``, ``passes in a row: 1``, ``passed last: PLAYER, ...``
    The counters, in games that ask for them.
"""

from __future__ import annotations

from ludeme.machine import Cells, Machine
from ludeme.view.read import Reader
from ludeme.view.write import write_lines


def write_position(machine: Machine, cells: Cells) -> str:
    """The text of a state at a decision or after the end; equal states have equal texts."""
    return "\n".join(write_lines(machine, cells))


def read_position(machine: Machine, text: str) -> Cells:
    """The state that a text describes.

    Raises DescriptionError with everything that is wrong with it, in the order of the text. What
    can be known of the whole position only, such as that the player to move would be skipped, is
    looked at when all lines are understood.
    """
    return Reader(machine, text).read()


__all__ = ["read_position", "write_position"]
