"""A description played with every combination of some options: one table, one plot a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import attrs

from ludeme.game import Game, Sources
from ludeme.lab import words
from ludeme.lab.compare import Question, Variant, play_variant
from ludeme.lab.crew import Playing, Processes
from ludeme.lab.figures import Sample, Tables, as_dict, gates, lengths

SHOWN = (
    ("completion", "won"),
    ("unfinished", "cut off"),
    ("draws", "drawn"),
    ("first_player", "first player"),
    ("length", "length"),
    ("branching", "legal moves"),
    ("real", "real choices"),
    ("coverage", "board used"),
    ("margin", "margin"),
)
"""The measures of the table, with short names; the others are in JSON."""

Progress = Callable[[int, int], object]


@attrs.frozen(eq=False)
class Cell:
    """One combination of options and what was played with it."""

    options: Mapping[str, str]
    game: Game
    tables: Tables
    samples: Mapping[str, Sample]


@attrs.frozen(eq=False)
class Sweep:
    """All combinations, the last option changing fastest."""

    name: str
    over: Mapping[str, Sequence[str]]
    question: Question
    cells: tuple[Cell, ...]


def combinations(over: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Every combination of the values, the last option changing fastest."""
    return [dict(zip(over, values, strict=True)) for values in product(*over.values())]


def sweep(
    sources: Sources,
    over: Mapping[str, Sequence[str]],
    options: Mapping[str, str],
    question: Question,
    *,
    playing: Playing | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
) -> Sweep:
    """Play each combination.

    All are checked before any is played: DescriptionError for a value that an option cannot have.
    """
    chosen = combinations(over)
    games = [Game(sources, {**options, **values}) for values in chosen]
    crew = playing or Playing(Processes(1))
    each = question.looks()[0].games
    cells = []
    for index, (values, game) in enumerate(zip(chosen, games, strict=True)):
        label = ", ".join(f"{name} {value}" for name, value in values.items())
        tables = play_variant(Variant(label, game), question, crew, engine)
        cells.append(Cell(values, game, tables, tables.samples()))
        if progress is not None:
            progress((index + 1) * each, len(games) * each)
    return Sweep(sources.name, over, question, tuple(cells))


# ---- as text


def heading(found: Sweep) -> Iterator[str]:
    """What was played."""
    question = found.question
    over = " and ".join(found.over)
    yield f"{found.name} over {over}"
    games = question.looks()[0].games
    players = ", ".join(question.seats) if question.seats else "random"
    yield (
        f"{games:,} games of each combination by {players} players, seed {question.seed};"
        f" {min(question.observed, games):,} of them observed move by move"
    )


def head(found: Sweep) -> list[str]:
    """The names of the columns."""
    used = _used(found)
    return [*found.over, *(name for key, name in SHOWN if key in used), "half up to"]


def rows(found: Sweep) -> Iterator[list[str]]:
    """The figures of each combination, with their ranges."""
    used = _used(found)
    for cell in found.cells:
        shown = [words.with_range(cell.samples.get(key)) for key, _ in SHOWN if key in used]
        quantiles = lengths(cell.tables.rows)
        median = words.plain(quantiles["50%"]) if quantiles is not None else "-"
        yield [*cell.options.values(), *shown, median]


def _used(found: Sweep) -> set[str]:
    """The measures that are known somewhere, and not nothing everywhere."""
    return {
        key
        for key, _ in SHOWN
        if any(key in cell.samples and cell.samples[key].value for cell in found.cells)
    }


def notes(found: Sweep) -> Iterator[str]:
    """Gates that a combination fails, by combination."""
    for cell in found.cells:
        name = ", ".join(f"{option} {value}" for option, value in cell.options.items())
        for gate in gates(cell.samples):
            yield f"{name}: {gate.words}."


def write(found: Sweep) -> str:
    """The table as a page of text."""
    align = ">" * len(head(found))
    blocks = [list(heading(found))]
    told = list(notes(found))
    if told:
        blocks.append(["Before anything else", *(f"  - {line}" for line in told)])
    blocks.append(list(words.columns([head(found), *rows(found)], align)))
    blocks.append(["± bounds the true figure with 95%, each for itself; nothing is tested here."])
    return "\n\n".join("\n".join(block) for block in blocks)


# ---- JSON


def export(found: Sweep) -> dict[str, Any]:
    """Ready for JSON."""
    question = found.question
    return {
        "name": found.name,
        "over": {name: list(values) for name, values in found.over.items()},
        "games": question.looks()[0].games,
        "observed": question.observed,
        "seed": question.seed,
        "turn_limit": question.turn_limit,
        "players": list(question.seats or ("random",)),
        "evaluator": question.evaluator or None,
        "cells": [
            {
                "options": dict(cell.game.options),
                "digest": cell.game.digest,
                "gates": [{"key": gate.key, "words": gate.words} for gate in gates(cell.samples)],
                "figures": {key: as_dict(known) for key, known in cell.samples.items()},
                "lengths": lengths(cell.tables.rows),
            }
            for cell in found.cells
        ],
    }


__all__ = ["Cell", "Sweep", "export", "sweep", "write"]
