"""States of every game that random play reaches, as hypothesis draws them."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from ludeme import Game, State, load
from ludeme.game import shipped
from ludeme.machine import Stream

SETTINGS: dict[str, tuple[dict[str, object], ...]] = {
    "astralesce": ({}, {"order": 3, "alone": 0}),
    "constellation": ({"order": 3}, {"order": 5, "alone": 0}),
    "consta": ({"size": 3}, {"size": 6}),
    "constello": ({},),
    "constructo": ({}, {"same_pattern": True}),
    "connect6": ({"size": 6},),
    "havannah": ({"size": 4},),
    "konane": ({"size": 6},),
    "pente": ({"size": 9},),
    "slither": ({"size": 4},),
    "tumbleweed": ({"size": 3},),
}
"""Options worth a look; a game that is not named here is taken as it is."""

Setting = tuple[str, tuple[tuple[str, object], ...]]
EVERY: list[Setting] = [
    (name, tuple(options.items())) for name in shipped() for options in SETTINGS.get(name, ({},))
]


@cache
def game_of(setting: Setting) -> Game:
    """The game of a setting."""
    name, options = setting
    return load(name, **dict(options))


def label(setting: Setting) -> str:
    """A name for a setting."""
    return ",".join([setting[0], *(f"{name}={value}" for name, value in setting[1])])


def drawn(state: State, seed: int, number: int) -> State:
    """The state after a decision that is drawn at random."""
    machine, ends, texts = state.game.machine, [], []
    for player in machine.deciders(state.cells):
        end, _ = machine.draw(state.cells, player, Stream(seed, number, player))
        ends.append(end)
        texts.append(machine.text(state.cells, end))
    path = (*state.path.split("; "), " | ".join(texts)) if state.path else (" | ".join(texts),)
    return State(state.game, machine.play(state.cells, ends), path)


def walk(game: Game, seed: int, decisions: int) -> list[State]:
    """The states of a random game, at most so many decisions of it."""
    states = [game.start()]
    for number in range(decisions):
        if not states[-1].to_move:
            break
        states.append(drawn(states[-1], seed, number))
    return states


SEEDS = st.integers(0, 2**32 - 1)
LONG = {
    "amazons", "backgammon", "chess", "chinese_checkers", "english_draughts", "fanorona", "go",
    "international_draughts", "kalah", "oware", "small_stratego",
}  # fmt: skip
"""Games whose ends the interpreter would take long to come to."""


def depths(setting: Setting) -> st.SearchStrategy[int]:
    """How far to play; 400 plays a game to its end that is not long."""
    near = st.integers(0, 30)
    return near if setting[0] in LONG else near | st.just(400)


@st.composite
def states(draw: st.DrawFn, setting: Setting) -> State:
    """A state that random play reaches."""
    return walk(game_of(setting), draw(SEEDS), draw(depths(setting)))[-1]


def some(texts: list[str], seed: int, count: int) -> list[str]:
    """So many of some texts, the first and last among them."""
    if len(texts) <= count:
        return texts
    stream = Stream(seed, 0, 0)
    return [texts[0], texts[-1], *(texts[stream.below(len(texts))] for _ in range(count - 2))]
