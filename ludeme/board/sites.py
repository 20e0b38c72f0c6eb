"""Boards written site by site and link by link."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ludeme.board.board import ALL_DIRECTIONS, ALL_LINKS, Board, Link, Point, check_size
from ludeme.board.circle import on_circle
from ludeme.board.errors import BoardError


def explicit(
    sites: Sequence[tuple[str, Point | None]], links: Sequence[tuple[str, str, str]]
) -> Board:
    """Return the board of these *sites* (name, point) and *links* (name, name, relation).

    Sites are in the order written, relations in the order in which they first
    occur; there are no directions. If no site has a point, they stand on a circle,
    clockwise from the top and 1 apart. BoardError if there is no site or too many,
    a name comes twice, only some sites have points, or a link has an unknown end,
    the same site at both ends, the ends of another link, or the name of all links
    as its relation.
    """
    names = tuple(name for name, _ in sites)
    index = _index(names)
    return Board(
        shape="sites",
        names=names,
        index=index,
        points=_points(sites),
        cell="node",
        directions=(),
        relations=tuple(dict.fromkeys(relation for _, _, relation in links)),
        links=_links(links, index),
        regions={},
        families={},
        picture=(),
        direction_sets={ALL_DIRECTIONS: ()},
        opposite={},
    )


def _index(names: Sequence[str]) -> dict[str, int]:
    if not names:
        raise BoardError("a board needs at least one site")
    check_size(len(names), "this one")
    index: dict[str, int] = {}
    for site, name in enumerate(names):
        if name in index:
            raise BoardError(f"the site `{name}` is there twice")
        index[name] = site
    return index


def _points(sites: Sequence[tuple[str, Point | None]]) -> tuple[Point, ...]:
    given = [point for _, point in sites if point is not None]
    if not given:
        return _circle(len(sites))
    if len(given) < len(sites):
        lacking = next(name for name, point in sites if point is None)
        raise BoardError(
            f"the site `{lacking}` has no coordinates, and others have;"
            " give them to all sites or to none"
        )
    return tuple((float(x), float(y)) for x, y in given)


def _circle(count: int) -> tuple[Point, ...]:
    """Return *count* points on a circle, each 1 from the next; a lone one at the centre."""
    radius = 0.5 / math.sin(math.pi / count) if count > 1 else 0.0
    return tuple(on_circle(2 * math.pi * place / count, radius) for place in range(count))


def _links(links: Sequence[tuple[str, str, str]], index: Mapping[str, int]) -> tuple[Link, ...]:
    made: dict[tuple[int, int], Link] = {}
    for one, other, relation in links:
        _check_link(one, other, relation, index)
        first, second = sorted((index[one], index[other]))
        if (first, second) in made:
            raise BoardError(f"`{one}` and `{other}` are linked twice")
        made[first, second] = Link(first, second, relation, None, None)
    return tuple(made[ends] for ends in sorted(made))


def _check_link(one: str, other: str, relation: str, index: Mapping[str, int]) -> None:
    for end in (one, other):
        if end not in index:
            raise BoardError(f"a link names `{end}`, which is not a site of this board")
    if one == other:
        raise BoardError(f"the site `{one}` is linked to itself")
    if relation == ALL_LINKS:
        raise BoardError(f"a relation may not be called `{ALL_LINKS}`: that means all relations")
