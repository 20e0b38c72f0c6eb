"""Every shipped game goes through the commands that look at it, in the middle of a game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludeme as package
from ludeme.game import shipped

from .commands import ludeme


@pytest.mark.parametrize("name", shipped())
def test_the_commands_take_every_game(name: str, tmp_path: Path) -> None:
    """What one command prints, others read; texts that are no moves are refused in words."""
    file = tmp_path / "games.jsonl"
    ludeme("playout", name, "-n", 2, "--seed", 1, "--turn-limit", 12, "--save", file)
    ludeme("replay", file)
    decisions = json.loads(file.read_text().splitlines()[0])["decisions"]
    after = "; ".join(decisions[:5])
    plain = ludeme("show", name, "--after", after, "--plain").output
    assert ludeme("show", name, "--from", plain, "--plain").output == plain
    assert ludeme("show", name, "--after", after).output
    picture = tmp_path / "board.svg"
    ludeme("show", name, "--after", after, "-o", picture)
    assert picture.read_text().startswith("<svg")
    listed = json.loads(ludeme("moves", name, "--after", after, "--json").output)
    ludeme("perft", name, 1, "--after", after)
    for player, texts in listed["moves"].items():
        assert texts
        ludeme("why", name, "--after", after, texts[0], "--player", player)
        ludeme("why", name, "--after", after, "no such move", "--player", player, status=2)
    state = package.load(name).position(plain)
    for player in state.game.players:
        assert state.view(player)
