"""What `diff` tells of two descriptions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import ludeme
from ludeme.check.merge import _SINGLE, key_of
from ludeme.cli import main
from ludeme.lab.diff import ORDER, Difference, diff
from ludeme.syntax import parse

CONSTRUCTS = Path(__file__).parents[1].joinpath("syntax/constructs.game").read_text("utf-8")
BASE = """\
game "Reach"
players Black, White
option size = 5 from 3..9 "cells on a side"
board square(size)
piece stone
define near = neighbours(mine)
turn
  one of
    - drop
        choose cell from empty
        put stone on cell
    - hold
        pass
end
  mover wins by reach when mine = board
  draw by quiet when passes >= 2
"""


def write(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.game"
    path.write_text(text, encoding="utf-8")
    return str(path)


def differ(folder: Path, base: str, variant: str) -> Difference:
    games = [ludeme.load(write(folder, n, t)) for n, t in (("base", base), ("new", variant))]
    return diff(*games)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["diff", *arguments])


def test_a_variant_tells_the_turn_it_replaces_and_not_the_examples_it_leaves_behind() -> None:
    found = diff(ludeme.load("astralesce"), ludeme.load("constellation"))
    assert found.extends
    assert not found.same_meaning
    rules = [c for c in found.changes if c.kind != "example"]
    assert [(c.kind, c.change) for c in rules] == [("game", "changed"), ("turn", "changed")]
    turn = rules[1]
    assert [pair for pair in turn.lines() if pair[0] != " "] == [
        ("-", "  choose goal from slide(origin, over not mine)"),
        ("-", "  capture theirs and path(origin, goal)"),
        ("+", "  choose goal from in_sight(origin, over empty) and not mine"),
        ("+", "  capture theirs and goal"),
    ]
    assert {"added"} == {c.change for c in found.changes if c.kind == "example"}


def test_bullets_ends_options_and_definitions_are_told_one_by_one(tmp_path: Path) -> None:
    variant = (
        BASE.replace("size = 5 from 3..9", "size = 7 from 3..11")
        .replace("define near = neighbours(mine)\n", "define far = not neighbours(mine)\n")
        .replace("    - hold\n        pass\n", "    - wait\n        pass\n")
        .replace("choose cell from empty", "choose cell from empty and far")
        .replace("  draw by quiet when passes >= 2\n", "  draw by quiet when passes >= 3\n")
    )
    found = differ(tmp_path, BASE, variant)
    assert [(c.title, c.change) for c in found.changes] == [
        ("option size", "changed"),
        ("define far", "added"),
        ("define near", "removed"),
        ("turn", "changed"),
        ("end", "changed"),
    ]
    parts = {c.kind: [(p.name, p.change) for p in c.parts] for c in found.changes if c.parts}
    assert parts["turn"] == [("drop", "changed"), ("wait", "added"), ("hold", "removed")]
    assert parts["end"] == [("quiet", "changed")]
    values = {p.name: (p.before, p.after) for p in found.changes[0].parts}
    assert values == {"default": ("5", "7"), "values": ("3..9", "3..11")}


def test_regions_that_come_and_go_are_named(tmp_path: Path) -> None:
    pictures = "regions field\n  low\n    |  # #\n    | . .\n  high\n    |  . .\n    | # #\n"
    base = BASE.replace("square(size)", "square(2)") + pictures
    fewer = base[: base.index("  high")]
    (change,) = differ(tmp_path, base, fewer).changes
    assert [(part.name, part.change) for part in change.parts] == [("high", "removed")]
    assert change.parts[0].before == "|  . .\n| # #"


def test_layout_and_comments_are_no_change(tmp_path: Path) -> None:
    variant = "-- a comment\n" + BASE.replace("\npiece", "\n\n-- of one sort\npiece").replace(
        "neighbours(mine)", "neighbours( mine )"
    )
    found = differ(tmp_path, BASE, variant)
    assert found.changes == ()
    assert found.same_meaning
    assert found.text() == ""


def test_title_author_and_examples_leave_the_meaning_as_it_is(tmp_path: Path) -> None:
    variant = BASE.replace('"Reach"', '"Reach it"') + '\nexample "a start"\n  moves 26\n'
    found = differ(tmp_path, BASE, variant)
    assert [c.kind for c in found.changes] == ["game", "example"]
    assert found.same_meaning


def test_another_range_of_an_option_is_another_meaning_though_the_default_plays_alike(
    tmp_path: Path,
) -> None:
    found = differ(tmp_path, BASE, BASE.replace("3..9", "3..8"))
    assert found.base.digest == found.variant.digest
    assert not found.same_meaning


def test_the_same_items_in_another_order_are_told_as_such(tmp_path: Path) -> None:
    line = "piece stone\n"
    variant = BASE.replace(line, "").replace("turn\n", line + "turn\n", 1)
    found = differ(tmp_path, BASE, variant)
    assert found.changes == ()
    assert not found.same_meaning
    assert "another order" in found.verdict


def test_the_command_ends_with_0_whether_they_differ_or_not(tmp_path: Path) -> None:
    base = write(tmp_path, "base", BASE)
    new = write(tmp_path, "new", BASE.replace("passes >= 2", "passes >= 3"))
    same, other = run(base, base), run(base, new)
    assert (same.exit_code, other.exit_code) == (0, 0)
    assert "No rule differs." in same.stdout
    assert "-   draw by quiet when passes >= 2\n+   draw by quiet when passes >= 3" in other.stdout


def test_unrelated_descriptions_can_be_compared() -> None:
    result = run("hex", "tic_tac_toe")
    assert result.exit_code == 0
    assert "end: changed" in result.stdout
    assert "players: changed" in result.stdout


def test_the_text_diff_can_be_applied_to_the_base_as_it_is_played(tmp_path: Path) -> None:
    result = run("astralesce", "constellation", "--text")
    lines = result.stdout.splitlines()
    assert lines[:2] == ["--- astralesce", "+++ constellation"]
    assert '-game "Astralesce"' in lines
    assert "+  capture theirs and goal" in lines


def test_errors_of_both_files_are_told_at_once(tmp_path: Path) -> None:
    broken = write(tmp_path, "broken", BASE.replace("from empty", "from emty"))
    worse = write(tmp_path, "worse", BASE.replace("put stone", "put stne"))
    result = run(broken, worse)
    assert result.exit_code == 2
    assert "broken.game:10" in result.stderr
    assert "worse.game:11" in result.stderr
    assert run("hex", "no_such_game").exit_code == 2


def test_an_option_is_set_where_it_exists(tmp_path: Path) -> None:
    base = write(tmp_path, "base", BASE)
    fixed = write(tmp_path, "fixed", BASE.replace("size)", "7)").replace("option size", "option n"))
    found = json.loads(run(base, fixed, "--option", "size=7", "--json").stdout)
    assert found["base"]["options"] == {"size": 7}
    assert found["variant"]["options"] == {"n": 5}
    assert run(base, fixed, "--option", "length=7").exit_code == 2


def test_every_kind_of_item_has_its_place() -> None:
    """What a description can hold is what `diff` knows to order."""
    named = {key_of(item) for item in parse(CONSTRUCTS).file.items}
    kinds = {key[0] for key in named if key is not None} | set(_SINGLE.values()) | {"example"}
    assert kinds <= set(ORDER)


@pytest.mark.parametrize("name", ["hex", "constello", "constructo", "english_draughts"])
def test_a_game_does_not_differ_from_itself(name: str) -> None:
    found = diff(ludeme.load(name), ludeme.load(name))
    assert found.changes == ()
    assert found.same_meaning
