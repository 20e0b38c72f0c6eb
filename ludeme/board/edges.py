"""Boards whose sites are the links of another board."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import partial

from ludeme.board.board import ALL_DIRECTIONS, Board, Link, check_size
from ludeme.board.errors import BoardError

TOUCHING = "touching"
"""The relation of two edges that share an end."""

_CROSSING = "diagonal"


def edges(board: Board) -> Board:
    """Return the board with a site for each link of *board* but the diagonal ones, which cross.

    A site is called by the two ends of its link, lower one first (a1b1), and stands midway
    between them, so that neighbouring nodes are 1 apart as they were. Sites are in the order of
    their ends. Two that share an end are linked by ``touching``; there are no directions. The
    family ``face`` has, from 1 on, the edges round each smallest area that edges enclose.
    BoardError if there is no link, or too many.
    """
    links = [link for link in board.links if link.relation != _CROSSING]
    if not links:
        raise BoardError("this shape has no links, so there are no edges to play on")
    check_size(len(links), "the edges of this shape")
    names = tuple(board.names[link.first] + board.names[link.second] for link in links)
    if len(set(names)) < len(names):
        raise BoardError("two edges of this shape would have the same name")
    points = [(board.points[link.first], board.points[link.second]) for link in links]
    return Board(
        shape="edges",
        names=names,
        index={name: site for site, name in enumerate(names)},
        points=tuple(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in points),
        cell="node",
        directions=(),
        relations=(TOUCHING,),
        links=tuple(_touching(links)),
        regions={},
        families={"face": dict(enumerate(_faces(board, links), start=1))},
        picture=(),
        direction_sets={ALL_DIRECTIONS: ()},
        opposite={},
    )


def _touching(links: list[Link]) -> Iterable[Link]:
    at: dict[int, list[int]] = {}
    for site, link in enumerate(links):
        for end in link[:2]:
            at.setdefault(end, []).append(site)
    pairs = {
        (one, other) for sites in at.values() for one in sites for other in sites if one < other
    }
    return (Link(one, other, TOUCHING, None, None) for one, other in sorted(pairs))


def _faces(board: Board, links: list[Link]) -> list[int]:
    """Return the masks of the edges round each inner face, in order of their first edges.

    Faces are walked with the area on the left: at each node the next edge clockwise is taken.
    The one that goes round clockwise as a whole is the outside.
    """
    site_of = {(a, b): site for site, link in enumerate(links) for a, b in _both_ways(link)}
    following = _turns(board, links)
    faces: set[int] = set()
    left = set(site_of)
    while left:
        start = min(left)
        walk = [start]
        while (step := following[walk[-1]]) != start:
            walk.append(step)
        left.difference_update(walk)
        if _area(board, walk) > 0:
            faces.add(sum(1 << site_of[step] for step in walk))
    return sorted(faces, key=lambda mask: (mask & -mask, mask))


def _both_ways(link: Link) -> tuple[tuple[int, int], tuple[int, int]]:
    return (link.first, link.second), (link.second, link.first)


def _turns(board: Board, links: list[Link]) -> Mapping[tuple[int, int], tuple[int, int]]:
    """Return, for each step from node to node, the one that goes on as far left as it can."""
    ends: dict[int, list[int]] = {}
    for link in links:
        for node, other in _both_ways(link):
            ends.setdefault(node, []).append(other)

    def angle(node: int, other: int) -> float:
        (x, y), (u, v) = board.points[node], board.points[other]
        return math.atan2(v - y, u - x)

    around = {node: sorted(others, key=partial(angle, node)) for node, others in ends.items()}
    return {
        (node, other): (other, around[other][around[other].index(node) - 1])
        for node, others in ends.items()
        for other in others
    }


def _area(board: Board, walk: list[tuple[int, int]]) -> float:
    """Return twice the area that a walk goes round, negative if clockwise."""
    points = board.points
    return sum(points[a][0] * points[b][1] - points[b][0] * points[a][1] for a, b in walk)
