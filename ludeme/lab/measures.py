"""The measures: what is asked of games, each with its formula and its denominator.

Every measure is a ratio of two sums over games, `sum(top) / sum(bottom)`: a share of games, a mean
over games, a mean over moves. So each game gives two numbers, tables of games can be put together
in any order, and one way of estimating the error serves all (`ludeme.lab.figures`). A game that
takes no part has 0 in both; draws and games that were cut off are never in one number.

`measures_of` lists them for a description, gates first: what share of games ended, and how, comes
before any average of those that did. The page docs/lab.md has the formulas with their sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.lab.games import FAULTY, NONE, UNFINISHED, Entries, Games, Setting

Numbers = NDArray[np.float64]
Unit = Literal["share", "decisions", "moves", "points", "states", "value", "changes"]
Group = Literal["gates", "outcome", "ends", "length", "choice", "board", "score", "evaluated"]

ALL = "all games"
FINISHED_GAMES = "finished games"
RANKED = "games decided by score"
OBSERVED = "observed games"
OBSERVED_WON = "observed games that were won"
MOVES = "moves of all games"
OBSERVED_MOVES = "moves of observed games"


@attrs.frozen
class Parts:
    """What each game adds to a measure; shape (games,)."""

    top: Numbers
    bottom: Numbers


@attrs.frozen
class Measure:
    """A figure of games.

    *key* names it in JSON; *about* is the player, end or kind of move that it is about, if any.
    *title* and *over*, the denominator, are words. *of_games*: it is a share of games, each of
    which counts whole or not at all. *detailed*: it needs observed games. *evaluated*: it rests on
    an evaluator, which has to be named beside it. *tested*: `compare` asks whether a difference
    could be chance; not so of what repeats others.
    """

    key: str
    title: str
    group: Group
    unit: Unit
    over: str
    parts: Callable[[Games], Parts]
    about: str = ""
    of_games: bool = False
    detailed: bool = False
    evaluated: bool = False
    tested: bool = True


def measures_of(setting: Setting) -> list[Measure]:
    """The measures that games of a setting have, in the order in which they are to be read."""
    return [
        *_gates(),
        *_outcomes(setting),
        *_ends(setting),
        *_lengths(),
        *_choices(setting),
        *_board(setting),
        *_scores(setting),
        *_evaluated(setting),
    ]


# ---- per game


def _share(of: NDArray[np.bool_], among: NDArray[np.bool_] | None = None) -> Parts:
    """The share of games with a property among some games."""
    counted = np.ones(len(of), bool) if among is None else among
    return Parts((of & counted).astype(float), counted.astype(float))


def _mean(values: NDArray[np.generic], among: NDArray[np.bool_] | None = None) -> Parts:
    """The mean of a number of each game, among those where it is known."""
    numbers = values.astype(float)
    counted = ~np.isnan(numbers) if among is None else among & ~np.isnan(numbers)
    return Parts(np.where(counted, numbers, 0.0), counted.astype(float))


def _won(games: Games) -> NDArray[np.bool_]:
    return games.finished & np.not_equal(games["winner"], NONE)


def _per_game(games: Games, entries: Entries, values: NDArray[np.generic]) -> Numbers:
    """The sum over the entries of each game."""
    weights = values.astype(float)
    found = np.bincount(games.game_of(entries), weights=weights, minlength=len(games))
    return found.astype(float)


# ---- gates and outcomes


def _gates() -> Iterator[Measure]:
    yield Measure(
        "completion",
        "won by somebody",
        "gates",
        "share",
        ALL,
        lambda g: _share(_won(g)),
        of_games=True,
    )
    yield Measure(
        "unfinished",
        "cut off at the turn limit",
        "gates",
        "share",
        ALL,
        lambda g: _share(g["status"] == UNFINISHED),
        of_games=True,
    )
    yield Measure(
        "faulty",
        "the description failed",
        "gates",
        "share",
        ALL,
        lambda g: _share(g["status"] == FAULTY),
        of_games=True,
    )


def _outcomes(setting: Setting) -> Iterator[Measure]:
    yield Measure(
        "draws",
        "drawn",
        "outcome",
        "share",
        FINISHED_GAMES,
        lambda g: _share(g["winner"] == NONE, g.finished),
        of_games=True,
    )
    for seat, name in enumerate(setting.players):
        yield Measure(
            f"wins.{seat + 1}",
            f"won by {name}",
            "outcome",
            "share",
            FINISHED_GAMES,
            partial(_wins, seat),
            of_games=True,
            about=name,
        )
    first = setting.players[0]
    yield Measure(
        "first_player",
        f"for {first}, a draw as half",
        "outcome",
        "share",
        FINISHED_GAMES,
        _first_player,
        tested=False,
    )


def _wins(seat: int, games: Games) -> Parts:
    return _share(games["winner"] == seat, games.finished)


def _first_player(games: Games) -> Parts:
    winner = games["winner"]
    return _mean(np.where(winner == NONE, 0.5, winner == 0), games.finished)


def _ends(setting: Setting) -> Iterator[Measure]:
    for number, name in enumerate(setting.ends):
        yield Measure(
            f"end.{name}",
            f"ended by {name}",
            "ends",
            "share",
            FINISHED_GAMES,
            partial(_ended, number),
            of_games=True,
            about=name,
        )
    for number, name in enumerate(setting.ends):
        yield Measure(
            f"end_length.{name}",
            f"length of games ended by {name}",
            "ends",
            "decisions",
            f"games ended by {name}",
            partial(_end_length, number),
            about=name,
            tested=False,
        )


def _ended(number: int, games: Games) -> Parts:
    return _share(games["end"] == number, games.finished)


def _end_length(number: int, games: Games) -> Parts:
    return _mean(games["decisions"], games["end"] == number)


def _lengths() -> Iterator[Measure]:
    yield Measure(
        "length",
        "length",
        "length",
        "decisions",
        FINISHED_GAMES,
        lambda g: _mean(g["decisions"], g.finished),
    )


# ---- choices


def _choices(setting: Setting) -> Iterator[Measure]:
    yield Measure(
        "branching",
        "legal moves to choose from",
        "choice",
        "moves",
        MOVES,
        lambda g: _ratio(g["widths"], g["moves"]),
    )
    yield Measure(
        "trend",
        "change of that with each decision",
        "choice",
        "moves",
        "observed games of two decisions and more",
        _trend,
        detailed=True,
    )
    yield Measure(
        "real",
        "moves with a real choice",
        "choice",
        "share",
        OBSERVED_MOVES,
        lambda g: _ratio(_per_game(g, "move", g["width"] > 1), _known_moves(g)),
        detailed=True,
    )
    yield Measure(
        "decision_factor",
        "legal moves where there is a choice",
        "choice",
        "moves",
        "moves with a real choice of observed games",
        _decision_factor,
        detailed=True,
    )
    if len(setting.kinds_of_move) < 2:
        return
    for number, name in enumerate(setting.kinds_of_move):
        yield Measure(
            f"kind.{name}",
            f"moves of kind {name}",
            "choice",
            "share",
            OBSERVED_MOVES,
            partial(_of_kind, number),
            about=name,
            detailed=True,
        )


def _of_kind(number: int, games: Games) -> Parts:
    bits = games["kind"] >> np.uint64(number) & np.uint64(1)
    return _ratio(_per_game(games, "move", bits), games["moves"])


def _ratio(top: NDArray[np.generic], bottom: NDArray[np.generic]) -> Parts:
    """The mean over moves, not over games; a game in which something is unknown takes no part."""
    above, below = top.astype(float), bottom.astype(float)
    known = ~np.isnan(above)
    return Parts(np.where(known, above, 0.0), np.where(known, below, 0.0))


def _known_moves(games: Games) -> Numbers:
    return _per_game(games, "move", games["width"] != NONE)


def _decision_factor(games: Games) -> Parts:
    width = games["width"]
    real = width > 1
    return Parts(_per_game(games, "move", np.where(real, width, 0)), _per_game(games, "move", real))


def _trend(games: Games) -> Parts:
    """The slope of the least-squares line through the numbers of legal moves of each game."""
    of_game = games.game_of("move")
    at, width = games["decision"].astype(float), games["width"].astype(float)
    width[games["width"] == NONE] = np.nan
    count = np.maximum(games.lengths("move"), 1)
    centre = (_per_game(games, "move", at) / count)[of_game]
    spread = _per_game(games, "move", (at - centre) ** 2)
    along = _per_game(games, "move", (at - centre) * width)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = along / spread
    return _mean(np.where(spread > 0, slope, np.nan))


# ---- the board


def _board(setting: Setting) -> Iterator[Measure]:
    if setting.sites:
        yield from _sites()
    yield Measure(
        "repetition",
        "pictures that had been there before",
        "board",
        "share",
        OBSERVED,
        lambda g: _mean(1 - g["pictures"] / g.lengths("state")),
        detailed=True,
    )
    yield Measure(
        "situational_repetition",
        "the same, with the same player to move",
        "board",
        "share",
        OBSERVED,
        lambda g: _mean(1 - g["situations"] / g.lengths("state")),
        detailed=True,
        tested=False,
    )


def _sites() -> Iterator[Measure]:
    yield Measure(
        "coverage",
        "sites that held a piece at some time",
        "board",
        "share",
        OBSERVED,
        lambda g: _mean(g["held"].any(axis=(1, 2)).mean(axis=1)),
        detailed=True,
    )
    yield Measure(
        "occupied",
        "sites occupied at a time",
        "board",
        "share",
        OBSERVED,
        lambda g: _mean(
            _per_game(g, "state", g["occupied"]) / g.lengths("state") / len(g.setting.sites)
        ),
        detailed=True,
    )


# ---- scores


def _scores(setting: Setting) -> Iterator[Measure]:
    yield Measure("margin", "score of the best less the second", "score", "points", RANKED, _margin)
    for seat, name in enumerate(setting.players):
        yield Measure(
            f"score.{seat + 1}",
            f"score of {name}",
            "score",
            "points",
            RANKED,
            partial(_score, seat),
            about=name,
            tested=False,
        )


def _score(seat: int, games: Games) -> Parts:
    return _mean(games["scores"][:, seat])


def _margin(games: Games) -> Parts:
    scores = np.sort(games["scores"], axis=1)
    if scores.shape[1] < 2:
        return _mean(np.full(len(scores), np.nan))
    return _mean(np.abs(scores[:, -1] - scores[:, -2]))


# ---- with an evaluator


def _evaluated(setting: Setting) -> Iterator[Measure]:
    if not setting.evaluator:
        return
    unit: Unit = "points" if setting.evaluator == "score" else "value"
    yield Measure(
        "lead_changes",
        "decisions that changed who leads",
        "evaluated",
        "share",
        "observed games of two decisions and more",
        _lead_changes,
        detailed=True,
        evaluated=True,
    )
    yield Measure(
        "drama",
        "how far behind the winner was",
        "evaluated",
        unit,
        OBSERVED_WON,
        _drama,
        detailed=True,
        evaluated=True,
    )
    yield Measure(
        "decisiveness",
        "share of the game until the winner was out of reach",
        "evaluated",
        "share",
        OBSERVED_WON,
        _decisiveness,
        detailed=True,
        evaluated=True,
    )


def _lead_changes(games: Games) -> Parts:
    """The share of steps between states in play after which the set of leaders is another one."""
    found = np.full(len(games), np.nan)
    for row, values in _courses(games):
        if len(values) > 1:
            leading = values == values.max(axis=1, keepdims=True)
            found[row] = (leading[1:] != leading[:-1]).any(axis=1).mean()
    return _mean(found)


def _drama(games: Games) -> Parts:
    """The mean over the states in play of what the best has more than the one who won later."""
    found = np.full(len(games), np.nan)
    won = _won(games)
    for row, values in _courses(games):
        if won[row] and len(values):
            found[row] = (values.max(axis=1) - values[:, games["winner"][row]]).mean()
    return _mean(found)


def _decisiveness(games: Games) -> Parts:
    """Where the winner first had more than any other ever had, as a share of the game."""
    found = np.full(len(games), np.nan)
    won = _won(games)
    for row, values in _courses(games):
        if not won[row] or not len(values):
            continue
        winner = games["winner"][row]
        threshold = np.delete(values, winner, axis=1).max()
        above = np.flatnonzero(values[:, winner] > threshold)
        found[row] = above[0] / len(values) if len(above) else 1.0
    return _mean(found)


def _courses(games: Games) -> Iterator[tuple[int, Numbers]]:
    """The values of the states of each game at which somebody was to decide, where all are known.

    The last state of a finished game is left out: its value is the result itself.
    """
    begin = 0
    for row, count in enumerate(games.lengths("state")):
        stop = begin + int(count)
        values = games["value"][begin : stop - 1 if games.finished[row] else stop]
        begin = stop
        if not np.isnan(values).any():
            yield row, values


__all__ = ["Measure", "Parts", "measures_of"]
