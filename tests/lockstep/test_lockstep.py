"""Random games of every game and option, in lock step with the independent rules."""

from __future__ import annotations

from collections import Counter

import pytest

from .pairs import GAMES, Setting, settings, walk

EVERY_SETTING = [setting for game in GAMES for setting in settings(game)]


def _name(setting: Setting) -> str:
    return setting.label.replace(" --option ", ",") + setting.note


@pytest.mark.parametrize("setting", [s for s in EVERY_SETTING if s.few], ids=_name)
def test_random_games_agree(setting: Setting) -> None:
    """Deciders, legal moves, positions, outcomes, scores and ranks are the same all the way."""
    met: Counter[str] = Counter()
    for seed in range(setting.few):
        met += walk(setting, seed)
    assert met["games"] == setting.few
    assert met["unfinished"] == 0


@pytest.mark.soak
@pytest.mark.parametrize("setting", EVERY_SETTING, ids=_name)
def test_thousands_of_random_games_agree(setting: Setting) -> None:
    """As above for thousands of games, which must meet the rare cases; the figures are printed."""
    met: Counter[str] = Counter()
    for seed in range(1_000_000, 1_000_000 + setting.many):
        met += walk(setting, seed)
    print(setting.label, setting.note, dict(sorted(met.items())))
    assert met["games"] == setting.many
    assert [event for event in setting.must_meet if not met[event]] == []
