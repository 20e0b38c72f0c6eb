"""A folder that keeps the games of a long run, so that it can be resumed and looked at again.

It holds, of one setting:

- ``store.json``: what the games are of (game, digest, options, seed, …), the text of the
  description, and the version that began it.
- ``games-FIRST-LAST.parquet``: the games of these numbers (see `ludeme.lab.parquet`).

The names of the files are the list of what is finished: a file gets its name only once it is whole
and safe on disk. So a run that is killed at any moment loses what it had not told of yet, and goes
on with the numbers that are missing. A game is the same whoever plays it, so it does no harm if it
is there twice.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from time import time
from typing import Any

import attrs

from ludeme.lab.games import Games, Setting, empty, merge
from ludeme.lab.parquet import read_table, write_table

HEAD = "store.json"
FORMAT = 1
UNFINISHED = ".new-"
"""How the name of a file begins that is being written."""
MOST_PARTS = 100
"""From so many files on, those that follow one another are made one."""
LARGEST_PART = 1_000_000
"""Games in a file at most."""
STALE = 24 * 3600
"""Seconds after which a file that was never finished is thrown away."""

_NAME = re.compile(r"games-(\d+)-(\d+)\.parquet")


class StoreError(ValueError):
    """A folder that cannot be used, said in a sentence."""


@attrs.frozen
class Store:
    """The games kept in a folder, all of one *setting*."""

    folder: Path
    setting: Setting
    detailed: bool

    @classmethod
    def open(
        cls, folder: Path, setting: Setting, detailed: bool, texts: Mapping[str, str]
    ) -> Store:
        """The store in a folder, which is made if there is none; *texts*: of the description.

        Raises StoreError if the folder holds other games or cannot be used.
        """
        head = folder / HEAD
        try:
            if head.exists():
                found = cls.read(folder)
                _refuse_other(found, setting, detailed)
                return found
            if folder.exists() and not all(map(_is_unfinished, folder.iterdir())):
                raise StoreError(f"`{folder}` holds something else: name an empty folder, or none")
            folder.mkdir(parents=True, exist_ok=True)
            store = cls(folder, setting, detailed)
            store._write_head(texts)
        except OSError as error:
            raise StoreError(f"`{folder}` cannot be used: {error.strerror}") from None
        return store

    @classmethod
    def read(cls, folder: Path) -> Store:
        """The store that a folder holds. Raises StoreError if there is none."""
        try:
            fields = json.loads((folder / HEAD).read_text(encoding="utf-8"))
            if fields["format"] != FORMAT:
                raise StoreError(f"`{folder}` was written by another version of Ludeme")
            return cls(folder, Setting.from_dict(fields["setting"]), bool(fields["detailed"]))
        except FileNotFoundError:
            raise StoreError(f"`{folder}` holds no stored games") from None
        except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError):
            raise StoreError(f"`{folder / HEAD}` cannot be read") from None

    def _write_head(self, texts: Mapping[str, str]) -> None:
        from ludeme import __version__

        fields = {
            "format": FORMAT,
            "version": __version__,
            "detailed": self.detailed,
            "setting": self.setting.as_dict(),
            "description": dict(texts),
        }
        text = json.dumps(fields, ensure_ascii=False, indent=2) + "\n"
        handle, name = tempfile.mkstemp(prefix=UNFINISHED, dir=self.folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        self._give_name(Path(name), HEAD)

    def _give_name(self, file: Path, name: str) -> None:
        """Give a file that is safe on disk its name, and make that safe as well."""
        os.replace(file, self.folder / name)
        if os.name == "posix":
            folder = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    # ---- what is there

    def parts(self) -> list[range]:
        """The numbers in each file, in order; those in a longer file left out."""
        found = []
        for path in self.folder.iterdir():
            matched = _NAME.fullmatch(path.name)
            if matched:
                found.append(range(int(matched[1]), int(matched[2]) + 1))
        found.sort(key=lambda part: (part.start, -part.stop))
        kept: list[range] = []
        for part in found:
            if not kept or part.stop > kept[-1].stop:
                kept.append(part)
        return kept

    def missing(self, numbers: range) -> list[range]:
        """The numbers that are not there yet, as ranges in order."""
        gaps, at = [], numbers.start
        for part in self.parts():
            if part.stop <= at:
                continue
            if part.start >= numbers.stop:
                break
            if part.start > at:
                gaps.append(range(at, part.start))
            at = part.stop
        if at < numbers.stop:
            gaps.append(range(at, numbers.stop))
        return gaps

    def games(self, numbers: range | None = None) -> Games:
        """The games that are there, or those of some numbers, in order.

        Raises StoreError for a file that cannot be read.
        """
        tables = [empty(self.setting, self.detailed)]
        for part in self.parts():
            if numbers is None or (part.start < numbers.stop and numbers.start < part.stop):
                tables.append(self._read(part))
        found = merge(tables)
        if numbers is None:
            return found
        wanted = found["number"]
        return found.take((wanted >= numbers.start) & (wanted < numbers.stop))

    def _read(self, part: range) -> Games:
        try:
            found = read_table(self.folder / _name(part))
        except (OSError, ValueError) as error:
            raise StoreError(f"{error}; throw the file away, and it is played again") from None
        if found.setting != self.setting or len(found) != len(part):
            raise StoreError(f"`{_name(part)}` holds other games than its name says")
        return found

    # ---- adding

    def add(self, games: Games) -> None:
        """Keep games; on return they are safe on disk. Raises StoreError if they cannot be."""
        from ludeme import __version__

        for part, table in _runs(games):
            try:
                handle, name = tempfile.mkstemp(prefix=UNFINISHED, dir=self.folder)
                os.close(handle)
                write_table(table, Path(name), {"version": __version__})
                self._give_name(Path(name), _name(part))
            except OSError as error:
                raise StoreError(f"`{self.folder}` cannot be written: {error.strerror}") from None

    def tidy(self) -> None:
        """Make many files few, and throw away what a run that was killed left unfinished."""
        parts = self.parts()
        if len(parts) > MOST_PARTS:
            for group in _neighbours(parts):
                if len(group) > 1:
                    self.add(merge([self._read(part) for part in group]))
        kept = {_name(part) for part in self.parts()}
        for path in self.folder.iterdir():
            stale = _is_unfinished(path) and path.stat().st_mtime < time() - STALE
            if stale or (_NAME.fullmatch(path.name) and path.name not in kept):
                path.unlink(missing_ok=True)


def _is_unfinished(path: Path) -> bool:
    """Whether a file has not been given its name yet."""
    return path.name.startswith(UNFINISHED)


def _name(part: range) -> str:
    return f"games-{part.start:012d}-{part.stop - 1:012d}.parquet"


def _runs(games: Games) -> Iterator[tuple[range, Games]]:
    """Games cut where a number is left out."""
    import numpy as np

    numbers = games["number"]
    cuts = np.flatnonzero(np.diff(numbers) != 1) + 1
    begins = [0, *cuts.tolist(), len(numbers)]
    for first, stop in pairwise(begins):
        if stop > first:
            rows = np.arange(first, stop)
            yield range(int(numbers[first]), int(numbers[stop - 1]) + 1), games.take(rows)


def _neighbours(parts: Sequence[range]) -> Iterable[list[range]]:
    """Files that follow one another, as many as fit into one."""
    group: list[range] = []
    for part in parts:
        if group and (group[-1].stop != part.start or part.stop - group[0].start > LARGEST_PART):
            yield group
            group = []
        group.append(part)
    if group:
        yield group


_WORDS = {
    "digest": "another meaning of the description, or other options",
    "seed": "another seed",
    "turn_limit": "another turn limit",
    "seats": "other players",
    "evaluator": "another evaluator",
}


def _refuse_other(found: Store, setting: Setting, detailed: bool) -> None:
    """Raise StoreError if a store holds games of another setting."""
    if found.detailed != detailed:
        raise StoreError(f"`{found.folder}` holds games that were observed otherwise")
    for name, words in _WORDS.items():
        there, wanted = getattr(found.setting, name), getattr(setting, name)
        if there != wanted:
            raise StoreError(
                f"`{found.folder}` holds games of {words}: {_shown(found.setting, name)},"
                f" not {_shown(setting, name)}; name another folder"
            )
    if found.setting != setting:
        raise StoreError(f"`{found.folder}` holds games of another kind; name another folder")


def _shown(setting: Setting, name: str) -> str:
    value: Any = getattr(setting, name)
    if name == "digest":
        options = ", ".join(f"{option}={value}" for option, value in setting.options.items())
        return f"{setting.game} ({options + ', ' if options else ''}digest {setting.digest[:12]})"
    if isinstance(value, tuple):
        return ", ".join(value)
    return "none" if value == "" else str(value)
