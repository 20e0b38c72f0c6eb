"""SVG pictures: well-formed, complete, readable."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from ludeme import load_text
from ludeme.view import colours, draw_svg
from ludeme.view.colours import contrast, ink_on, player_colours
from ludeme.view.plan import nearest
from tests.view.playing import EVERYTHING, GAMES, game_of, name_of, states

SVG = "{http://www.w3.org/2000/svg}"


def parsed(state) -> ET.Element:
    """The picture of a state as a tree."""
    return ET.fromstring(draw_svg(state.game.machine, state._cells))


def groups(root: ET.Element, class_: str) -> list[str]:
    """The sites of the groups of a class, in order."""
    return [g.get("data-site") for g in root.iter(f"{SVG}g") if g.get("class") == class_]


@pytest.mark.parametrize("case", GAMES, ids=name_of)
def test_each_site_and_each_occupied_site_is_there_once(case):
    """In board order, over states of random games."""
    game = game_of(*case)
    for state in states(game, 0)[::9]:
        root = parsed(state)
        said = [line.partition(":")[0] for line in state.text.split("\n")]
        assert groups(root, "site") == list(game.board.names)
        assert groups(root, "pieces") == [name for name in game.board.names if name in said]


@pytest.mark.parametrize("case", GAMES, ids=name_of)
def test_everything_is_inside_the_picture(case):
    """No coordinate lies outside the view box; the background fills it; it has a title."""
    game = game_of(*case)
    state = states(game, 1)[-1]
    root = parsed(state)
    left, top, width, height = map(float, root.get("viewBox").split())
    for shape in root.iter():
        for x, y in _points(shape):
            assert left <= x <= left + width, ET.tostring(shape)
            assert top <= y <= top + height, ET.tostring(shape)
    background = root.find(f"{SVG}rect")
    assert (left, top, width, height) == pytest.approx(
        tuple(float(background.get(name)) for name in ("x", "y", "width", "height")), abs=0.1
    )
    assert root.find(f"{SVG}title").text.startswith(f"{game.title}: game over: ")
    assert root.find(f"{SVG}desc").text == state.text


def _points(shape: ET.Element) -> list[tuple[float, float]]:
    value = {name: float(shape.get(name, "nan")) for name in ("x", "y", "width", "height")}
    match shape.tag.removeprefix(SVG):
        case "circle":
            x, y, r = (float(shape.get(name)) for name in ("cx", "cy", "r"))
            return [(x - r, y - r), (x + r, y + r)]
        case "rect":
            return [
                (value["x"], value["y"]),
                (value["x"] + value["width"], value["y"] + value["height"]),
            ]
        case "polygon":
            return [tuple(map(float, p.split(","))) for p in shape.get("points").split()]
        case "text":
            size = float(shape.get("font-size"))
            end = value["x"]
            if shape.get("text-anchor") == "start":
                end += 0.6 * size * len(shape.text)
            return [(value["x"], value["y"] - size), (end, value["y"])]
    return []


def test_every_text_stands_out_from_what_is_behind_it():
    """Labels on cells, marked cells, badges and the background; letters on pieces."""
    behind = (colours.BACKGROUND, colours.CELL, colours.MARKED, colours.BADGE)
    assert min(contrast(colours.INK, colour) for colour in behind) >= 4.5
    sixteen = player_colours([f"P{number}" for number in range(16)])
    named = player_colours([name.title() for name in colours._NAMED])
    for fill in {*sixteen, *named, colours.NOBODY}:
        assert contrast(ink_on(fill), fill) >= 4.5


def test_every_piece_stands_out_from_its_cell():
    """By its outline, whatever its colour; outlines are drawn in the ink of the labels."""
    for cell in (colours.CELL, colours.MARKED, colours.BACKGROUND):
        assert contrast(colours.INK, cell) >= 4.5
    root = parsed(game_of("consta").position("to move: White in build\na1: White stone"))
    (piece,) = [g for g in root.iter(f"{SVG}g") if g.get("class") == "pieces"]
    assert piece.find(f"{SVG}circle").get("stroke") == colours.INK


def test_contrast_is_that_of_wcag():
    """Values of the standard's own examples: 21 for black on white, 4.48 for #777 on white."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#123456", "#123456") == 1


def test_players_have_different_colours_and_their_own_if_they_name_one():
    """A second player of a colour gets another."""
    black, white = player_colours(["Black", "White"])
    assert colours.luminance(black) < 0.05 < 0.9 < colours.luminance(white)
    assert player_colours(["Light", "Dark"]) == (white, black)
    for names in (["White", "Light", "P", "Q"], [f"P{n}" for n in range(16)], ["Q", "White"]):
        assert len(set(player_colours(names))) == len(names)


def test_a_stack_shows_its_height_and_the_pieces_below():
    """Four discs at most, and a number."""
    state = game_of("constructo").position(
        "game over: draw by towers\nb2: Black ring, White small\nc3: White ring"
    )
    piles = {
        g.get("data-site"): g for g in parsed(state).iter(f"{SVG}g") if g.get("class") == "pieces"
    }
    texts = [text.text for text in piles["b2"].iter(f"{SVG}text")]
    assert texts == ["R", "S", "2"]
    fills = [c.get("fill") for c in piles["b2"].iter(f"{SVG}circle")][::2]
    assert fills == list(reversed(player_colours(state.game.players)))
    assert [text.text for text in piles["c3"].iter(f"{SVG}text")] == ["R"]
    assert piles["b2"].find(f"{SVG}title").text == "b2: Black ring, White small"
    lowest, highest = (float(c.get("cy")) for c in list(piles["b2"].iter(f"{SVG}circle"))[::2])
    assert lowest > highest


def test_flags_are_marked_and_explained():
    """A ring and a letter at the site, a letter at the piece, both in the legend."""
    state = game_of("constello").position("locked: b2\na1: White stone (gold)")
    root = parsed(state)
    rings = [g for g in root.iter(f"{SVG}g") if g.find("*[@stroke-dasharray]") is not None]
    assert [g.get("data-site") for g in rings] == ["b2"]
    pile = next(g for g in root.iter(f"{SVG}g") if g.get("class") == "pieces")
    assert [text.text for text in pile.iter(f"{SVG}text")] == ["g"]
    shown = [text.text for text in root.iter(f"{SVG}text")]
    assert shown.count("l") == 2
    assert shown.count("g") == 2
    assert {"locked", "gold"} <= set(shown)


def test_squares_hexes_and_nodes():
    """Each board with its cells; only nodes have links drawn."""
    for name, cell, lines in (("consta", "rect", 0), ("astralesce", "polygon", 0)):
        root = parsed(game_of(name).start())
        cells = [g.find(f"{SVG}{cell}") for g in root.iter(f"{SVG}g") if g.get("class") == "site"]
        assert None not in cells
        assert len(list(root.iter(f"{SVG}line"))) == lines
    wheel = game_of("constello")
    assert len(list(parsed(wheel.start()).iter(f"{SVG}line"))) == len(wheel.board.links)


def test_labels_of_a_square_board_are_at_its_rim():
    """Those of other boards are in the cells."""
    shown = [t.text for t in parsed(game_of("consta", (("size", 3),)).start()).iter(f"{SVG}text")]
    assert shown[:6] == ["a", "b", "c", "1", "2", "3"]
    root = parsed(game_of("astralesce", (("order", 3),)).start())
    first = next(g for g in root.iter(f"{SVG}g") if g.get("class") == "site")
    assert first.find(f"{SVG}text").text == "a1"


def test_nodes_are_moved_apart_until_they_do_not_overlap():
    """The nearest two are a cell apart."""
    root = parsed(game_of("constello").start())
    nodes = [g.find(f"{SVG}circle") for g in root.iter(f"{SVG}g") if g.get("class") == "site"]
    places = [(float(c.get("cx")), float(c.get("cy"))) for c in nodes]
    assert nearest(places) > 2 * float(nodes[0].get("r"))


def test_the_nearest_distance_is_that_of_all_pairs():
    """Against the slow and obvious way; equal points count once."""
    points = [((7 * i) % 23 / 3, (11 * i * i) % 31 / 4) for i in range(60)]
    slow = min(
        ((a - c) ** 2 + (b - d) ** 2) ** 0.5
        for a, b in points
        for c, d in points
        if (a, b) != (c, d)
    )
    assert nearest([*points, points[0]]) == pytest.approx(slow)
    assert nearest([(0, 0), (0, 5), (4, 0)]) == 4
    assert nearest([(3.0, 4.0)]) == 1.0


def test_titles_cannot_break_out_of_the_picture():
    """Names from a description are text, whatever is in them."""
    game = load_text(
        'game "<script>&\'"\nplayers A, B\nboard sites\n  one - two\npiece stone\n'
        "turn\n  choose s from empty\n  put stone on s\nend\n  draw by full when no empty\n"
    )
    text = draw_svg(game.machine, game.start()._cells)
    root = ET.fromstring(text)
    assert root.find(f"{SVG}title").text == "<script>&': to move: A"
    assert re.search("<script", text) is None


def test_the_same_state_is_drawn_alike():
    """Pictures can be compared as text."""
    game = game_of(EVERYTHING)
    for state in states(game, 1, most=30)[::10]:
        again = game.position(state.text)
        assert draw_svg(game.machine, state._cells) == draw_svg(game.machine, again._cells)
