"""One random game on the engine and on OpenSpiel at once, compared at every decision.

OpenSpiel (Lanctot et al., https://github.com/google-deepmind/open_spiel) cuts some turns into
several actions. What is compared is the whole turn: all sequences of actions up to a change of
player, read as the texts that our notation has for them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import attrs

from ludeme import Game, State, load

Words = tuple[str, ...]
"""OpenSpiel's texts of the actions of one whole turn."""


@attrs.frozen
class Table:
    """A game on both sides.

    *spiel*: the game and its parameters as OpenSpiel loads it. *read*: the text of a turn as we
    write it, from OpenSpiel's texts and the texts of the turns so far. *whole*: whether each
    turn is one action there. *games*: how many are played in the normal run and in the long one.
    *limit*: after how many decisions a game is left. *repeats*: whether OpenSpiel calls a game
    drawn when a board comes back, where we play on. *our_draws*: ends at which it plays on.
    """

    game: str
    spiel: str
    read: Callable[[Words, list[str]], str]
    options: Mapping[str, object] = attrs.field(factory=dict)
    whole: bool = True
    games: tuple[int, int] = (3, 100)
    limit: int = 400
    repeats: bool = False
    our_draws: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The game with its options."""
        return ",".join([self.game, *(f"{name}={value}" for name, value in self.options.items())])


@cache
def engine(game: str, options: tuple[tuple[str, object], ...]) -> Game:
    """Our side of a table."""
    return load(game, **dict(options))


def sequences(state: Any, player: int, whole: bool) -> Iterator[tuple[tuple[int, ...], Words]]:
    """Every sequence of actions that makes a turn of *player*, with OpenSpiel's texts."""
    for action in state.legal_actions():
        text = state.action_to_string(player, action)
        if whole:
            yield (action,), (text,)
            continue
        after = state.child(action)
        if after.is_terminal() or after.current_player() != player:
            yield (action,), (text,)
        else:
            for actions, texts in sequences(after, player, whole):
                yield (action, *actions), (text, *texts)


def settled(state: State) -> State:
    """Where we are once all have passed who can only pass."""
    while not state.outcome and [move.text for move in state.moves()] == ["pass"]:
        state = state.play("pass")
    return state


@attrs.frozen
class Played:
    """What was compared in a game."""

    decisions: int
    moves: int
    result: str


def walk(table: Table, seed: int) -> Played:
    """Play one game in lock step. Raises AssertionError at the first difference."""
    import pyspiel

    rng = random.Random(f"{table.label} {seed}")
    theirs = pyspiel.load_game(table.spiel).new_initial_state()
    ours = engine(table.game, tuple(table.options.items())).start()
    history: list[str] = []
    compared = 0
    while not theirs.is_terminal() and len(history) < table.limit:
        where = f"{table.label}, seed {seed}, after {'; '.join(history) or 'no move'!r}\n{theirs}"
        player = theirs.current_player()
        assert ours.to_move == (ours.game.players[player],), where
        turns: dict[str, tuple[int, ...]] = {}
        for actions, words in sequences(theirs, player, table.whole):
            turns.setdefault(table.read(words, history), actions)
        listed = {move.text for move in ours.moves()}
        assert not turns.keys() - listed, f"only OpenSpiel: {turns.keys() - listed}, {where}"
        assert not listed - turns.keys(), f"only we: {listed - turns.keys()}, {where}"
        compared += len(listed)
        text = rng.choice(sorted(listed))
        for action in turns[text]:
            theirs.apply_action(action)
        ours = ours.play(text)
        history.append(text)
        if ours.outcome and ours.outcome.reason in table.our_draws:
            return Played(len(history), compared, ours.outcome.reason)
    if not theirs.is_terminal():
        return Played(len(history), compared, "unfinished")
    outcome = settled(ours).outcome
    where = f"{table.label}, seed {seed}, {ours!r}\n{theirs}"
    if table.repeats and outcome is None and theirs.returns() == [0, 0]:
        return Played(len(history), compared, "repeated")
    assert outcome is not None, f"over at OpenSpiel with {theirs.returns()}: {where}"
    won = outcome.winner is not None
    seat = ours.game.players.index(outcome.winner) if outcome.winner else 0
    expected = [0.0, 0.0] if not won else [1.0 if seat == i else -1.0 for i in (0, 1)]
    assert [float(sign(value)) for value in theirs.returns()] == expected, f"{outcome}, {where}"
    return Played(len(history), compared, str(outcome.winner or "draw"))


def sign(value: float) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)
