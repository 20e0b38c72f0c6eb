"""The tables of the interpreter against a slow and obvious way to make them."""

from __future__ import annotations

import time

import pytest

from ludeme.board import build
from ludeme.machine.tables import LONG_RING, Tables

BOARDS = [
    ("square", [5, 4]),
    ("square", [9, 1]),
    ("hexagon", [3]),
    ("triangle", [5]),
    ("parallelogram", [4, 3]),
    ("wheel", [9, 3]),
    ("wheel", [3, 3]),
    ("wheel", [LONG_RING + 9, 2]),
]


@pytest.mark.parametrize(("shape", "measures"), BOARDS)
def test_rays_hold_the_sites_that_they_meet(shape: str, measures: list[int]) -> None:
    board = build(shape, measures)
    for direction, rays in zip(board.directions, Tables(board).rays, strict=True):
        for ray, sites in zip(rays, board.rays[direction], strict=True):
            assert ray.sites == sites
            assert ray.mask == sum(1 << site for site in sites)
            rises, falls = sites == tuple(sorted(sites)), sites == tuple(sorted(sites)[::-1])
            expected = 1 if rises else -1 if falls else 0
            assert ray.order == (expected if len(sites) <= LONG_RING else 0)


@pytest.mark.parametrize(("shape", "measures"), BOARDS)
def test_two_sites_are_joined_as_the_whole_table_says(shape: str, measures: list[int]) -> None:
    tables = Tables(build(shape, measures))
    sites = range(len(tables.board.names))
    for a in sites:
        for b in sites:
            assert tables.join(a, b) == tables.joining.get((a, b))


@pytest.mark.parametrize("measures", [[64, 64], [4096, 1]])
def test_rays_of_the_largest_boards_are_made_quickly(measures: list[int]) -> None:
    tables = Tables(build("square", measures))
    begin = time.process_time()
    assert len(tables.rays) == 8 or measures[1] == 1
    assert tables.join(0, 5) is not None
    assert time.process_time() - begin < 2
