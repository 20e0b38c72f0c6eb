"""Boards of explicit sites and links."""

from __future__ import annotations

import math

import pytest

from ludeme import load_text
from ludeme.board import BoardError, explicit

MILL = [("hub", (0.0, 0.0)), ("north", (0.0, 1.0)), ("east", (1.0, 0.0))]


def test_sites_and_links_are_as_written() -> None:
    board = explicit(
        MILL, [("east", "hub", "road"), ("hub", "north", "river"), ("north", "east", "road")]
    )
    assert board.names == ("hub", "north", "east")
    assert board.points == ((0, 0), (0, 1), (1, 0))
    assert board.relations == ("road", "river")
    assert [tuple(link) for link in board.links] == [
        (0, 1, "river", None, None),
        (0, 2, "road", None, None),
        (1, 2, "road", None, None),
    ]
    assert board.neighbours == {
        "road": (0b100, 0b100, 0b011),
        "river": (0b010, 0b001, 0),
        "links": (0b110, 0b101, 0b011),
    }
    assert (board.shape, board.cell, board.directions, board.picture) == ("sites", "node", (), ())
    assert board.direction_sets == {"compass": ()}
    assert board.rays == {}
    assert board.graph.edges["hub", "east"] == {"relation": "road", "direction": {}}


def test_sites_without_coordinates_stand_on_a_circle() -> None:
    board = explicit([(name, None) for name in "pqrs"], [])
    half = round(math.sqrt(0.5), 9)
    assert board.points == ((0, half), (half, 0), (0, -half), (-half, 0))
    assert explicit([("alone", None)], []).points == ((0, 0),)
    assert explicit([("p", None), ("q", None)], []).points == ((0, 0.5), (0, -0.5))


@pytest.mark.parametrize(
    ("sites", "links", "message"),
    [
        ([], [], "a board needs at least one site"),
        ([("p", None), ("q", None), ("p", None)], [], "the site `p` is there twice"),
        (
            [("p", (0, 0)), ("q", None)],
            [],
            "the site `q` has no coordinates, and others have",
        ),
        (MILL, [("hub", "west", "road")], "a link names `west`, which is not a site"),
        (MILL, [("west", "west", "road")], "a link names `west`, which is not a site"),
        (MILL, [("hub", "hub", "road")], "the site `hub` is linked to itself"),
        (
            MILL,
            [("hub", "east", "road"), ("east", "hub", "river")],
            "`east` and `hub` are linked twice",
        ),
        (MILL, [("hub", "east", "links")], "a relation may not be called `links`"),
        (
            [(f"p{number}", None) for number in range(4097)],
            [],
            "a board may have at most 4096 sites; this one would have 4097",
        ),
    ],
)
def test_refusals(
    sites: list[tuple[str, tuple[float, float] | None]],
    links: list[tuple[str, str, str]],
    message: str,
) -> None:
    with pytest.raises(BoardError) as caught:
        explicit(sites, links)
    assert message in str(caught.value)


def test_rows_of_a_picture_give_the_sites_and_their_places() -> None:
    """Columns are counted from the left and rows from the top; other lines may stand between."""
    game = load_text(
        'game "Rows"\nplayers A, B\nboard sites\n  | . a b\n  a - c\n  | c . d\n'
        "piece man\nturn\n  choose s from empty\n  put man on s\nend\n  draw by all when no empty",
        "rows",
    )
    points = {name: (data["x"], data["y"]) for name, data in game.board.graph.nodes(data=True)}
    assert points == {"a": (1, -1), "b": (2, -1), "c": (0, -2), "d": (2, -2)}
