"""Boards: sites, the links between them, and the names a description may use for them.

`build` makes a board of a named shape, `explicit` one from written sites and
links. A `Board` is a set of frozen tables; its networkx graph holds the same
facts and is made only when it is asked for.
"""

from ludeme.board.board import MAX_SITES, Board, Link
from ludeme.board.edges import edges
from ludeme.board.errors import BoardError, PictureError
from ludeme.board.shape import Shape
from ludeme.board.shapes import SHAPES, build
from ludeme.board.sites import Path, explicit, no_sites

__all__ = [
    "MAX_SITES",
    "SHAPES",
    "Board",
    "BoardError",
    "Link",
    "Path",
    "PictureError",
    "Shape",
    "build",
    "edges",
    "explicit",
    "no_sites",
]
