"""Boards written site by site and link by link."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import attrs

from ludeme.board.board import (
    ALL_DIRECTIONS,
    ALL_LINKS,
    Board,
    Link,
    Point,
    check_size,
    in_compass_order,
)
from ludeme.board.circle import on_circle
from ludeme.board.errors import BoardError

PATH = "path"
"""The relation of the links of paths."""


@attrs.frozen
class Path:
    """Sites that follow one another in the direction *there*, and backwards in *back* if any."""

    sites: Sequence[str]
    there: str
    back: str | None = None


def explicit(
    sites: Sequence[tuple[str, Point | None]],
    links: Sequence[tuple[str, str, str]],
    paths: Sequence[Path] = (),
) -> Board:
    """Return the board of these *sites* (name, point), *links* (name, name, relation) and *paths*.

    Sites are in the order written, relations in the order in which they first occur; only
    paths have directions. If no site has a point, they stand on a circle, clockwise from the
    top and 1 apart. BoardError if there is no site or too many, a name comes twice, only some
    sites have points, a link has an unknown end, the same site at both ends, the ends of
    another link, or the name of all links as its relation, or a direction parts or joins.
    """
    names = tuple(name for name, _ in sites)
    index = _index(names)
    directions = in_compass_order(
        way for path in paths for way in (path.there, path.back) if way is not None
    )
    relations = [relation for _, _, relation in links] + [PATH] * bool(paths)
    return Board(
        shape="sites",
        names=names,
        index=index,
        points=_points(sites),
        cell="node",
        directions=directions,
        relations=tuple(dict.fromkeys(relations)),
        links=_links(links, paths, index),
        regions={},
        families={},
        picture=(),
        direction_sets={ALL_DIRECTIONS: directions},
        opposite={
            one: other
            for path in paths
            if path.back is not None
            for one, other in ((path.there, path.back), (path.back, path.there))
        },
    )


def no_sites() -> Board:
    """Return the board of games that are played without one."""
    return Board(
        shape="sites",
        names=(),
        index={},
        points=(),
        cell="node",
        directions=(),
        relations=(),
        links=(),
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


def _links(
    links: Sequence[tuple[str, str, str]], paths: Sequence[Path], index: Mapping[str, int]
) -> tuple[Link, ...]:
    wanted: list[tuple[str, str, str, str | None, str | None]] = [
        (one, other, relation, None, None) for one, other, relation in links
    ]
    for path in paths:
        wanted += [(one, other, PATH, path.there, path.back) for one, other in pairwise(path.sites)]
    made: dict[tuple[int, int], Link] = {}
    for one, other, relation, there, back in wanted:
        _check_link(one, other, relation, index)
        link = Link(index[one], index[other], relation, there, back)
        if link.second < link.first:
            link = Link(link.second, link.first, relation, back, there)
        if link[:2] in made:
            raise BoardError(f"`{one}` and `{other}` are linked twice")
        made[link[:2]] = link
    _check_ways(made.values(), list(index))
    return tuple(made[ends] for ends in sorted(made))


def _check_ways(links: Iterable[Link], names: Sequence[str]) -> None:
    """Raise BoardError where two steps of one direction leave or reach one site."""
    left: set[tuple[str, int]] = set()
    reached: set[tuple[str, int]] = set()
    for first, second, _, there, back in links:
        for start, end, way in ((first, second, there), (second, first, back)):
            if way is None:
                continue
            for site, known in ((start, left), (end, reached)):
                if (way, site) in known:
                    raise BoardError(f"two paths of direction `{way}` meet at `{names[site]}`")
                known.add((way, site))


def _check_link(one: str, other: str, relation: str, index: Mapping[str, int]) -> None:
    for end in (one, other):
        if end not in index:
            raise BoardError(f"a link names `{end}`, which is not a site of this board")
    if one == other:
        raise BoardError(f"the site `{one}` is linked to itself")
    if relation == ALL_LINKS:
        raise BoardError(f"a relation may not be called `{ALL_LINKS}`: that means all relations")
