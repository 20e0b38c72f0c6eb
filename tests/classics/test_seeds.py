"""Random numbers of chance: as likely as they should be, the same again, and nobody else's."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from scipy.stats import chi2

from ludeme import Game, load, load_text
from ludeme.lab.players import seat_players
from ludeme.machine import Stream


def played(game: Game, games: int, folder: Path, **how: int) -> list[tuple[str, ...]]:
    """The decisions of each random game, as records have them."""
    record = folder / "games.jsonl"
    game.playouts(games, engine="python", save=record, **how)
    return [tuple(json.loads(line)["decisions"]) for line in record.read_text().splitlines()]


def is_even(found: Iterable[object], outcomes: int) -> bool:
    """Whether outcomes are as often as one another; wrongly no once in 100,000 (Pearson)."""
    counts = Counter(found)
    share = counts.total() / outcomes
    distance = sum((count - share) ** 2 / share for count in counts.values())
    return len(counts) == outcomes and bool(distance < chi2.isf(1e-5, outcomes - 1))


def test_uneven_counts_are_noticed() -> None:
    """The measure can fail."""
    assert is_even("ab" * 200, 2)
    assert not is_even("ab" * 200 + "a" * 110, 2)
    assert not is_even("ab" * 200, 3)


@pytest.mark.parametrize(
    ("game", "games", "outcomes"),
    [("kuhn_poker", 1500, 6), ("leduc_poker", 1500, 30), ("goofspiel", 400, 13)],
)
def test_first_rolls_are_as_often_as_chance_says(
    game: str, games: int, outcomes: int, tmp_path: Path
) -> None:
    """Each game of a batch has a first roll of its own."""
    assert is_even((texts[0] for texts in played(load(game), games, tmp_path, seed=11)), outcomes)


def test_players_choose_as_often_as_the_moves_say(tmp_path: Path) -> None:
    """Who looks at a card does not choose by it: bets and passes are even for each deal."""
    texts = played(load("kuhn_poker"), 3000, tmp_path, seed=4)
    assert is_even((decisions[:2] for decisions in texts), 12)


def test_a_seed_gives_the_same_games_and_another_gives_others(tmp_path: Path) -> None:
    """Nothing outside has a say, nor how many are played at once."""
    game = load("leduc_poker")
    random.seed(1)
    once = played(game, 60, tmp_path, seed=3)
    random.seed(2)
    assert played(load("leduc_poker"), 60, tmp_path, seed=3) == once
    halves = [*played(game, 25, tmp_path, seed=3), *played(game, 35, tmp_path, seed=3, first=25)]
    assert halves == once
    assert played(game, 60, tmp_path, seed=4) != once
    assert len(set(once)) > 50


DICE = """
game "Dice beside a draw"
players Ann, Ben
option cells = 3 from 3..9
board square(cells)
piece stone
turn throw as "{number}"
  roll number from 1..6
turn place
  choose 2 spots from empty
  put stone on spots
  require cells = 3 or no (placed and a1)
  as "{spots}"
play
  repeat until turns = 4
    chance takes throw
    chance takes throw
    Ann takes place
    Ben takes place
  draw by length
"""


def test_dice_do_not_depend_on_how_players_draw(tmp_path: Path) -> None:
    """The throws of game 7 are its own, whatever the players have to choose from."""
    small, large = (
        [[text for text in decisions if text in "123456"] for decisions in texts]
        for texts in (
            played(load_text(DICE, "dice", cells=cells), 40, tmp_path, seed=8) for cells in (3, 9)
        )
    )
    assert small == large
    assert all(len(throws) == 4 for throws in small)
    assert len({tuple(throws) for throws in small}) > 35
    for place in range(3):
        assert any(throws[place] != throws[place + 1] for throws in small)


def dealt(number: int, names: tuple[str, str]) -> dict[str, str]:
    """What chance gives in a game of Leduc poker between two players of the rule lab."""
    machine = load("leduc_poker").machine
    players = seat_players(machine, names, None, 100)
    streams = [Stream(6, number, source) for source in range(4)]
    cells, found = machine.start(), {}
    while not machine.is_over(cells):
        (decider,) = machine.deciders(cells)
        if machine.is_chance(cells):
            end, _ = machine.draw(cells, decider, streams[machine.source(cells, decider)])
            found["table" if found else "hands"] = machine.text(cells, end)
        else:
            end = players[decider].choose(cells, decider, streams)
        cells = machine.play(cells, [end])
    return found


def test_players_who_think_use_up_none_of_the_cards() -> None:
    """The same cards come, whether a player tries out no games before a move, or ten."""
    both = 0
    for number in range(16):
        quick = dealt(number, ("random", "random"))
        slow = dealt(number, ("montecarlo:10", "greedy"))
        assert quick["hands"] == slow["hands"]
        if "table" in quick and "table" in slow:
            assert quick["table"] == slow["table"]
            both += 1
    assert both > 3
