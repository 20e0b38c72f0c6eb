"""What is hidden from a player shows in nothing that the player is told.

States that look the same to a player are gathered from random games, or made by exchanging what
is hidden; the player must have the same moves in all of them, and be refused in the same words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ludeme import Game, State, load, load_text

Told = tuple[tuple[str, ...], tuple[str, ...]]
"""Legal moves, and why others are refused."""


def told(state: State, player: str, attempts: list[str]) -> Told:
    """All that a player is told who asks for the moves, and tries some."""
    moves = tuple(move.text for move in state.moves(player)) if player in state.to_move else ()
    refusals = []
    for attempt in attempts:
        refused = state.why(attempt, player)
        reasons = "\n".join(f"{each}" for each in refused.reasons) if refused else ""
        refusals.append(f"{refused}\n{reasons}")
    return moves, tuple(refusals)


def random_game(game: Game, rng: random.Random) -> Iterator[State]:
    """The states of a random game."""
    state = game.start()
    yield state
    while state.to_move:
        if state.to_move == ("chance",):
            moves = [rng.choice(state.moves()).text]
        else:
            moves = [rng.choice(state.moves(player)).text for player in state.to_move]
        state = state.play(" | ".join(moves))
        yield state


def leaks(game: Game, games: int, seed: int = 0) -> tuple[list[str], int]:
    """Where a player was told more than it sees, and how many states looked like another one."""
    rng = random.Random(seed)
    states = [state for _ in range(games) for state in random_game(game, rng)]
    texts = sorted({move.text for state in states[:200] for move in _all_moves(state)})
    attempts = [*rng.sample(texts, min(6, len(texts))), "no move"]
    known: dict[tuple[str, str], tuple[Told, State]] = {}
    found, alike = [], 0
    for state in states:
        for player in game.players:
            view = state.view(player)
            now = told(state, player, attempts)
            before, earlier = known.setdefault((player, view), (now, state))
            alike += earlier != state
            if before != now:
                found.append(f"{player}: {earlier!r} and {state!r}\n{before}\n{now}")
    return found, alike


def _all_moves(state: State) -> list[object]:
    return [move for player in state.to_move for move in _moves_of(state, player)]


def _moves_of(state: State, player: str) -> list[object]:
    return list(state.moves() if player == "chance" else state.moves(player))


CARDS = (
    load("kuhn_poker"),
    load("leduc_poker"),
    load("goofspiel", suit=4, open_bids=False),
    load("goofspiel", suit=3, seats=3, open_bids=False),
    load("phantom_tic_tac_toe"),
    load("phantom_tic_tac_toe", refused="loses_turn"),
)


@pytest.mark.parametrize("game", CARDS, ids=repr)
def test_who_sees_the_same_is_told_the_same(game: Game) -> None:
    """Moves and refusals are a function of the view."""
    found, alike = leaks(game, 40)
    assert found == []
    assert alike > 20


def test_armies_exchanged_behind_their_backs_look_the_same() -> None:
    """Kinds that the other side does not know may be dealt anew without its noticing."""
    game, rng = load("small_stratego"), random.Random(5)
    compared = 0
    for _ in range(6):
        states = list(random_game(game, rng))
        texts = [move.text for move in states[24].moves()]
        for state in states[12:-1:9]:
            for player, other in (("Red", "Blue"), ("Blue", "Red")):
                changed = _exchanged(state, other, rng)
                attempts = [*rng.sample(texts, min(4, len(texts))), "a1-a2", "bomb a1", "flag f6"]
                assert state.view(player) == changed.view(player)
                assert told(state, player, attempts) == told(changed, player, attempts)
                compared += state != changed
    assert compared > 20


def _exchanged(state: State, owner: str, rng: random.Random) -> State:
    """The same position with the unknown kinds of one army shuffled."""
    lines = state.text.splitlines()
    places = [
        i for i, line in enumerate(lines)
        if f": {owner} " in line and "known" not in line and line[2] == ":"
    ]  # fmt: skip
    kinds = [lines[i].split(" ")[2] for i in places]
    rng.shuffle(kinds)
    for i, kind in zip(places, kinds, strict=True):
        lines[i] = f"{lines[i].split(' ')[0]} {owner} {kind}"
    return state.game.position("\n".join(lines))


LEAKING = """
game "A leak"
players Ann, Ben
board square(3)
piece stone
each player has spots: sites seen by owner
turn
  choose cell from not mine
  require cell not in spots(next)
  set spots(mover) to spots(mover) or cell
end
  draw by length when turns = 4
"""


def test_a_leak_is_found() -> None:
    """A description whose moves depend on what is hidden does not pass."""
    found, _ = leaks(load_text(LEAKING, "leak"), 40)
    assert found
