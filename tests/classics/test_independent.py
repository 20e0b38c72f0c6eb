"""Games that nobody else counts, in lock step with rules written apart from the engine."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest
from independent import (
    connect6,
    fanorona,
    international_draughts,
    knightthrough,
    konane,
    pente,
    slither,
    tablut,
    tumbleweed,
    yavalath,
)

from ludeme import State, load, load_text
from ludeme.game import shipped

MODULES = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        connect6, fanorona, international_draughts, knightthrough, konane, pente, slither, tablut,
        tumbleweed, yavalath,
    )
}  # fmt: skip


def any_of(state: Any, listed: list[str], rng: random.Random) -> str:
    """One of the moves."""
    return rng.choice(listed)


def shy(state: international_draughts.State, listed: list[str], rng: random.Random) -> str:
    """A move that offers no capture, sometimes to a known position, so that nothing happens."""
    safe, back = [], []
    for text in listed:
        after = state.play(text)
        if not after.outcome and not after.captures(after.to_move[0]):
            safe.append(text)
        if after.known.count(after.known[-1]) > 1:
            back.append(text)
    return rng.choice(back if back and rng.random() < 0.4 else safe or listed)


@attrs.frozen
class Setting:
    """A game with options; how many games, and what the long run must have met.

    *change*: words of the description and what stands in their place, *begin*: the same change of
    the other side, where random play from the usual beginning misses something.
    """

    game: str
    options: Mapping[str, Any] = attrs.field(factory=dict)
    few: int = 3
    many: int = 100
    must_meet: tuple[str, ...] = ()
    limit: int = 400
    change: tuple[str, str] | None = None
    begin: Callable[[], Any] | None = None
    note: str = ""
    pick: Callable[[Any, list[str], random.Random], str] = any_of

    @property
    def label(self) -> str:
        """The game with its options."""
        options = (f"{name}={value}" for name, value in self.options.items())
        return ",".join([self.game + self.note, *options])

    def ours(self) -> State:
        """The first position on the engine."""
        if self.change is None:
            return load(self.game, **self.options).start()
        text = shipped()[self.game].read_text(encoding="utf-8").partition("\nexample")[0]
        assert text.count(self.change[0]) == 1
        return load_text(text.replace(*self.change), self.game, **self.options).start()

    def theirs(self) -> Any:
        """The first position on the rules written apart."""
        return self.begin() if self.begin else MODULES[self.game].start(**self.options)


DRAUGHTS_MEN = (
    "put White man on row(1) or row(2) or row(3) or row(4)\n"
    "  put Black man on row(7) or row(8) or row(9) or row(10)",
    "put White king on row(1) or {a3, e3, i3}\n  put Black king on row(10) or {b8, f8, j8}",
)


def draughts_kings() -> international_draughts.State:
    """Eight kings each."""
    white = [(0, 0), (0, 2), (0, 4), (0, 6), (0, 8), (2, 0), (2, 4), (2, 8)]
    pieces = dict.fromkeys(white, ("White", True))
    pieces |= {(9 - row, 9 - column): ("Black", True) for row, column in white}
    return international_draughts.State(pieces, known=((frozenset(pieces.items()), "Black"),))


SETTINGS = (
    Setting("connect6", {"size": 7}, 2, 40, ("Black by line", "White by line")),
    Setting("connect6", {"size": 6}, 2, 40, ("draw by filling",)),
    Setting("fanorona", {}, 4, 150, ("White by capture", "draw by repetition")),
    Setting("international_draughts", {}, 2, 60, ("captures of several",)),
    Setting(
        "international_draughts",
        {},
        3,
        60,
        ("captures of several",),
        change=DRAUGHTS_MEN,
        begin=draughts_kings,
        note=" of kings",
    ),
    Setting(
        "international_draughts",
        {},
        2,
        30,
        ("draw by quiet_moves", "draw by repetition"),
        change=DRAUGHTS_MEN,
        begin=draughts_kings,
        note=" of shy kings",
        pick=shy,
    ),
    Setting("knightthrough", {}, 6, 200, ("White by breakthrough", "Black by breakthrough")),
    Setting("knightthrough", {"size": 5}, 10, 200),
    Setting("konane", {}, 3, 100, ("Black by blockade", "White by blockade")),
    Setting("konane", {"size": 5}, 10, 200),
    Setting("pente", {"size": 9}, 5, 200, ("White by captures", "Black by line")),
    Setting("pente", {"size": 7, "tournament": False}, 5, 200),
    Setting("slither", {"size": 5}, 2, 40, ("Black by chain", "White by chain")),
    Setting("slither", {"size": 3, "swap": False}, 10, 200),
    Setting("tablut", {}, 2, 60, ("Muscovites by capture", "Swedes by escape")),
    Setting("tablut", {"sides": "four"}, 2, 60),
    Setting("tumbleweed", {"size": 3}, 3, 100, ("White by passing", "Red by passing")),
    Setting("yavalath", {}, 5, 200, ("White by line", "White by short_line")),
    Setting("yavalath", {"size": 3, "swap": False}, 10, 200, ("draw by filling",)),
)


def _differ(setting: Setting, seed: int, ours: State, what: str, a: object, b: object) -> str:
    path = ours.path or "no move"
    return f"{setting.label}, seed {seed}, after {path}: {what}: engine {a}, rules {b}"


def walk(setting: Setting, seed: int) -> Counter[str]:
    """Play one game on both sides; raises AssertionError at the first difference."""
    rng = random.Random(f"{setting.label} {seed}")
    ours, theirs = setting.ours(), setting.theirs()
    met: Counter[str] = Counter(games=1)
    while theirs.to_move and met["decisions"] < setting.limit:
        assert ours.to_move == theirs.to_move, _differ(
            setting, seed, ours, "who decides", ours.to_move, theirs.to_move
        )
        listed = [move.text for move in ours.moves()]
        expected = theirs.moves(theirs.to_move[0])
        only = (sorted(set(listed) - set(expected)), sorted(set(expected) - set(listed)))
        assert only == ([], []), _differ(setting, seed, ours, "moves of one side", *only)
        assert len(listed) == len(set(listed))
        text = setting.pick(theirs, listed, rng)
        ours, theirs = ours.play(text), theirs.play(text)
        met.update(decisions=1, moves=len(listed))
        if "x" in text and text.count(" ") > 1:
            met["captures of several"] += 1
        result = (ours.outcome.winner, ours.outcome.reason) if ours.outcome else None
        assert result == theirs.outcome, _differ(
            setting, seed, ours, "outcome", result, theirs.outcome
        )
    winner, reason = theirs.outcome or ("nobody", "limit")
    met[f"{winner or 'draw'} by {reason}"] += 1
    return met


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.label)
def test_a_few_games(setting: Setting) -> None:
    """At every decision both sides list the same turns; the end has the same winner and name."""
    for seed in range(setting.few):
        walk(setting, seed)


@pytest.mark.soak
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.label)
def test_many_games(setting: Setting) -> None:
    """As above, many games, with what they would be poor without."""
    met: Counter[str] = Counter()
    for seed in range(1000, 1000 + setting.many):
        met += walk(setting, seed)
    print(f"{setting.label}: {dict(met)}")
    assert not [event for event in setting.must_meet if not met[event]]


def test_a_changed_rule_is_noticed() -> None:
    """The comparison can fail: in a game of pairs, three are taken."""
    setting = Setting(
        "pente",
        {"size": 7},
        change=("where count(between(s, f)) = 2", "where count(between(s, f)) = 3"),
    )
    with pytest.raises(AssertionError, match=r"moves of one side|outcome"):
        _ = [walk(setting, seed) for seed in range(20)]
