"""Random games of every game and option, in lock step with the independent rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import attrs
import pytest

from ludeme import DescriptionFault

from .pairs import GAMES, DisagreementError, Setting, settings, walk

EVERY_SETTING = [setting for game in GAMES for setting in settings(game)]


def _name(setting: Setting) -> str:
    return setting.label.replace(" --option ", ",") + setting.note


@pytest.mark.parametrize("setting", [s for s in EVERY_SETTING if s.few], ids=_name)
def test_random_games_agree(setting: Setting) -> None:
    """Deciders, legal moves, positions, outcomes, scores and ranks are the same all the way."""
    met = _walk_many(setting, range(setting.few))
    assert met["games"] == setting.few
    assert met["unfinished"] == 0


CHANGES = {
    "block pays one": (
        "constello",
        "securing, capturing\n        raise supply(p) by 2",
        "securing, capturing\n        raise supply(p) by 1",
    ),
    "four gold rings by a block": (
        "constello, siege",
        "raise supply(p) by 2\n        if golds(p) < 3",
        "raise supply(p) by 2\n        if golds(p) < 4",
    ),
    "red rings stay longer": ("constello", "lasting 1 turn", "lasting 2 turns"),
    "gold is not severed": (
        "constello",
        "pieces(p) and severed(p)",
        "pieces(p) and severed(p) and not gold",
    ),
    "captures keep off ring 3": (
        "constello",
        "not gold and (empty or theirs)",
        "not gold and (empty and not severed(mover) or theirs)",
    ),
    "a ringed small is a tower": (
        "constructo",
        "height(s) = 2 and kind(s) != ring",
        "height(s) = 2",
    ),
    "towers move": ("constructo", "mine and lone", "mine"),
    "White always starts": ("constructo", "build from starter", "build from White"),
    "smallest group": ("astralesce", "largest count", "smallest count"),
    "only the last is taken": ("astralesce", "theirs and path(origin, goal)", "theirs and goal"),
    "no win for the other": (
        "astralesce",
        "next wins by unification when count(groups(theirs)) = 1\n  ",
        "",
    ),
    "passes over enemies": ("constellation", "over empty", "over not mine"),
    "high pairs hold": ("consta", "rank({a, b}) > rank(across(a, b))", "rank({a, b}) >= 3"),
    "chains to one side": ("consta", "from home(next)", "from away(next)"),
    "stuck players": ("consta", ", skipping stuck", ""),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_rule_is_noticed(change: tuple[str, str, str]) -> None:
    """A description with one rule changed disagrees, or goes wrong, within a hundred games."""
    game, old, new = change
    setting = next(s for s in EVERY_SETTING if (s.game + s.note).startswith(game))
    changed = attrs.evolve(setting, change=(old, new))
    with pytest.raises((DisagreementError, DescriptionFault)):
        _walk_many(changed, range(100))


def _walk_many(setting: Setting, seeds: Iterable[int]) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in seeds:
        met += walk(setting, seed)
    return met


@pytest.mark.soak
@pytest.mark.parametrize("setting", EVERY_SETTING, ids=_name)
def test_thousands_of_random_games_agree(setting: Setting) -> None:
    """As above for thousands of games, which must meet the rare cases; the figures are printed."""
    met = _walk_many(setting, range(1_000_000, 1_000_000 + setting.many))
    print(setting.label, setting.note, dict(sorted(met.items())))
    assert met["games"] == setting.many
    assert [event for event in setting.must_meet if not met[event]] == []
