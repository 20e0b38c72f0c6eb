"""Every state of random games comes back from its text."""

from __future__ import annotations

import random
import re

import pytest

from ludeme import DescriptionError, Game, State
from ludeme.view import read_position, write_position
from tests.view.playing import EVERYTHING, GAMES, game_of, name_of, states


@pytest.mark.parametrize("case", GAMES, ids=name_of)
def test_what_is_written_reads_back_equal_and_is_written_alike(case):
    """`read(write(s)) == s`, and equal states have one text."""
    game = game_of(*case)
    for seed in range(3):
        for state in states(game, seed):
            text = state.text
            again = game.position(text)
            assert state == again, text
            assert state.key == again.key
            assert text == again.text


@pytest.mark.parametrize("case", GAMES, ids=name_of)
def test_a_position_plays_on_as_the_state_did(case):
    """Not only equal: the moves and what follows from them are the same."""
    game = game_of(*case)
    for state in states(game, 7, most=6):
        again = game.position(state.text)
        assert state.to_move == again.to_move
        for player in state.to_move:
            assert state.moves(player) == again.moves(player)


@pytest.mark.parametrize("case", GAMES, ids=name_of)
def test_neither_order_nor_blanks_nor_comments_matter(case):
    """A text may be shuffled, spread and commented."""
    game = game_of(*case)
    rng = random.Random(5)
    for state in states(game, 2)[::9]:
        lines = state.text.split("\n")
        rng.shuffle(lines)
        spread = [
            f"  {line.replace(',', ' ,  ').replace(':', ' :', line.count('position of') == 0)}"
            "\t-- so it is: a1, b2"
            for line in lines
        ]
        assert state == game.position("\r\n\n-- a comment\n" + "\n \n".join(spread) + "\n")


def test_everything_that_a_state_can_hold_occurs():
    """The game of everything is a test only if its random games come to everything."""
    said = set()
    for case in GAMES[-2:]:
        for seed in range(8):
            for state in states(game_of(*case), seed):
                said |= set(re.findall(r"\w+", state.text))
    assert {
        "hot", "depth", "heat", "gold", "dazed", "charge", "rage", "points", "speed", "ready",
        "spied", "debt", "worth", "tempo", "area", "aim", "way", "mood", "leader", "used", "bids",
        "starter", "lap", "turns", "turn", "hand", "passed", "passes", "wall", "phase", "step",
    } <= said  # fmt: skip


def test_a_buried_piece_keeps_what_is_noted_on_it():
    """A note belongs to its piece, not to the site or to the top."""
    game = game_of(EVERYTHING)
    text = (
        "to move: Red in fiddle, step 3\n"
        "a1: Red pawn (gold, charge 3), Blue king (dazed 1 turn left), wall (dazed, rage 2)"
    )
    state = game.position(text)
    assert "a1: Red pawn (gold, charge 3), Blue king (dazed 1 turn left), wall (dazed, rage 2)" in (
        state.text.split("\n")
    )
    layout, cells = game.machine.layout, state._cells
    assert cells[layout.buried][0] == ((0, 0, 1, 0, 3, 0), (1, 1, 0, 1, 0, 0))
    dazed = layout.variables["dazed"]
    assert cells[dazed.first : dazed.first + 3] == [0, 1, 0]
    assert state == game.position(state.text)


def test_a_flag_may_hold_in_several_layers():
    """A site marked on two turns running has two ages, and both make states differ."""
    game = game_of(EVERYTHING)
    older = game.position("hot, 1 turn left: a1")
    both = game.position("hot: a1\nhot, 1 turn left: a1")
    between = game.position("hot, 3 turns left: a1")
    assert len({older.key, both.key, between.key, game.start().key}) == 4
    for state in (older, both, between):
        assert state == game.position(state.text)


def test_texts_of_other_options_are_refused():
    """The header tells positions of one description apart."""
    small, large = game_of("consta", (("size", 5),)), game_of("consta")
    with pytest.raises(DescriptionError, match="size = 5"):
        large.position(small.start().text)
    with pytest.raises(DescriptionError, match="size = 11"):
        small.position(large.start().text)


def _mutated(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    row = rng.randrange(len(lines))
    words = lines[row].split(" ")
    place = rng.randrange(len(words))
    match rng.randrange(6):
        case 0:
            del words[place]
        case 1:
            words.insert(place, rng.choice(words))
        case 2:
            words[place] = words[place][:-1]
        case 3:
            words[place] = rng.choice(["(", ")", ",", ":", "", "-1", "99", "of", "in", "nothing"])
        case 4:
            return "\n".join([*lines, rng.choice(lines)])
        case 5:
            words[place] = rng.choice(rng.choice(lines).split(" "))
    return "\n".join([*lines[:row], " ".join(words), *lines[row + 1 :]])


@pytest.mark.parametrize("case", GAMES, ids=name_of)
def test_a_damaged_text_is_refused_with_diagnostics_or_read(case):
    """Nothing but DescriptionError comes out, with spans into the text; what is read is a state."""
    game = game_of(*case)
    rng = random.Random(3)
    for state in states(game, 0)[::9]:
        for _ in range(25):
            text = state.text
            for _ in range(rng.randrange(1, 4)):
                text = _mutated(text, rng)
            _check(game, text)


def _check(game: Game, text: str) -> None:
    try:
        cells = read_position(game.machine, text)
    except DescriptionError as error:
        faults = error.diagnostics
    else:
        assert State(game, cells) == game.position(write_position(game.machine, cells)), text
        return
    assert faults
    for fault in faults:
        assert fault.span.source.name == "position"
        assert fault.span.source.text == text
        assert 0 <= fault.span.start <= fault.span.end <= len(text)
