"""What plots show: how long games are, how the choice goes on in them, where pieces stand."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.lab.games import NONE, Games

FEWEST_GAMES = 5
"""No mean is drawn over fewer games: the end of the longest game is no finding."""

Numbers = NDArray[np.float64]


@attrs.frozen(eq=False)
class Course:
    """A number in the course of games, decision by decision.

    *at*: the numbers of the decisions, from 0. *mean*: over the moves of the games still going on.
    *games*: how many those are.
    """

    at: NDArray[np.int64]
    mean: Numbers
    games: NDArray[np.int64]


def branching(details: Games) -> Course:
    """The mean number of legal moves at each decision, as far as at least five games go on."""
    known = details["width"] != NONE
    at = details["decision"][known].astype(np.int64)
    width = details["width"][known].astype(float)
    length = int(at.max()) + 1 if len(at) else 0
    moves = np.bincount(at, minlength=length)
    sums = np.bincount(at, weights=width, minlength=length)
    games = np.array([int((details["decisions"] > i).sum()) for i in range(length)], np.int64)
    shown = np.flatnonzero((games >= min(FEWEST_GAMES, len(details))) & (moves > 0))
    return Course(shown, sums[shown] / moves[shown], games[shown])


@attrs.frozen(eq=False)
class Heat:
    """How much of the time an owner's pieces of a kind stood on each site.

    *kind* is "" where kinds are not told apart. *share*: of all states of the observed games, shape
    (sites,). *error*: half the width of the widest 95% range of them.
    """

    owner: str
    kind: str
    share: Numbers
    error: float


MOST_MAPS = 12


def heat(details: Games) -> Iterator[Heat]:
    """A map for each owner and kind that ever stood anywhere; of owners alone if those are many."""
    setting = details.setting
    owners = (*setting.players, "nobody")
    held = details["held"]
    used: NDArray[np.bool_] = np.asarray(held.any(axis=(0, 3)))
    together = len(setting.kinds) == 1 or int(used.sum()) > MOST_MAPS
    for number, owner in enumerate(owners):
        if together:
            if used[number].any():
                yield _heat(owner, "", held[:, number].sum(axis=1), details)
            continue
        for kind, name in enumerate(setting.kinds):
            if used[number, kind]:
                yield _heat(owner, name, held[:, number, kind], details)


def _heat(owner: str, kind: str, held: NDArray[np.int32], details: Games) -> Heat:
    """From the number of states in which each game had each site so; shape (games, sites)."""
    states = details.lengths("state").astype(float)
    share = held.sum(axis=0) / states.sum()
    apart = (held - share * states[:, None]) / states.mean()
    error = 1.96 * apart.std(axis=0) / len(details) ** 0.5
    return Heat(owner, kind, share, float(error.max()))


def length_counts(rows: Games, edges: Numbers) -> Numbers:
    """The share of finished games in each class of lengths."""
    found = rows["decisions"][rows.finished]
    counts, _ = np.histogram(found, edges)
    return counts / max(1, len(found))


def length_edges(tables: list[Games]) -> Numbers:
    """Classes of lengths that suit all tables: whole decisions, some 40 of them at most."""
    lengths = np.concatenate([rows["decisions"][rows.finished] for rows in tables])
    if not len(lengths):
        return np.array([0.0, 1.0])
    low, high = int(lengths.min()), int(np.quantile(lengths, 0.995)) + 1
    step = max(1, -(-(high - low + 1) // 40))
    return np.arange(low, high + step + 1, step).astype(float) - 0.5
