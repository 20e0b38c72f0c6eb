"""A file of records, replayed line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import attrs

from ludeme.cli.messages import say
from ludeme.diagnostics import DescriptionError, DescriptionFault, Diagnostic, Note
from ludeme.game import SUFFIX, Game, Sources, State, find_sources, shipped
from ludeme.play.records import Record, RecordError, read_records
from ludeme.play.replay import differing_meaning, replay

MOST_TOLD = 20
"""Of a file that is wrong throughout, some lines tell as much as all."""


@attrs.define
class Counts:
    """How many games came out the same, came out otherwise, and could not be replayed."""

    same: int = 0
    differing: int = 0
    refused: int = 0

    def as_dict(self) -> dict[str, int]:
        """Ready for JSON."""
        return attrs.asdict(self)


@attrs.frozen
class _ReplayError(Exception):
    diagnostic: Diagnostic


class Replaying:
    """Replays records. *path* is their file, *file* the description if it was given."""

    def __init__(self, path: str, file: str | None) -> None:
        self.path = path
        self.given = find_sources(file) if file is not None else None
        self.games: dict[tuple[str, str], Game] = {}
        self.told = 0

    def run(self, lines: Iterable[bytes]) -> Counts:
        """Replay all lines and say what is wrong with any of them."""
        counts = Counts()
        name = Path(self.path).name if self.path != "-" else "standard input"
        for record in read_records(lines, name):
            if isinstance(record, RecordError):
                counts.refused += 1
                self.tell(record.diagnostic)
                continue
            try:
                differing = self.replay(record)
            except _ReplayError as refusal:
                counts.refused += 1
                self.tell(refusal.diagnostic)
                continue
            if differing is None:
                counts.same += 1
            else:
                counts.differing += 1
                self.tell(differing)
        return counts

    def tell(self, diagnostic: Diagnostic) -> None:
        """Say it, unless enough has been said."""
        self.told += 1
        if self.told <= MOST_TOLD:
            say(diagnostic)
        elif self.told == MOST_TOLD + 1:
            say(Diagnostic("record", diagnostic.span, "more lines are wrong, from here on untold"))

    def replay(self, record: Record) -> Diagnostic | None:
        """What differs first in a game, or None. Raises _ReplayError if it cannot be replayed."""
        game = self.game_of(record)
        wrong = differing_meaning(record, game.record_name, game.digest)
        if wrong is not None:
            raise _ReplayError(wrong)
        return replay(game.machine, self.start_of(game, record).cells, record, game.telling)

    # ---- the description

    def game_of(self, record: Record) -> Game:
        key = (record.game, json.dumps(record.options, sort_keys=True))
        if key not in self.games:
            sources = self.given or self.find(record)
            try:
                self.games[key] = Game(sources, record.options)
            except DescriptionError as error:
                raise _refused(record, sources, error) from None
        return self.games[key]

    def find(self, record: Record) -> Sources:
        """The shipped game, or the file beside the record or in this folder."""
        name = record.game
        if name in shipped():
            return find_sources(name)
        if Path(name).name == name:
            for folder in (Path(self.path).parent, Path()):
                if (folder / name).is_file():
                    return find_sources(folder / name)
        raise _ReplayError(
            Diagnostic(
                "record",
                record.place_of(name),
                f"this game is of `{name}`, which is neither shipped nor beside the record",
                (),
                f"say where it is, with `--game PATH/{name if SUFFIX in name else name + SUFFIX}`",
            )
        )

    def start_of(self, game: Game, record: Record) -> State:
        try:
            return game.position(record.position) if record.position is not None else game.start()
        except DescriptionError as error:
            notes = tuple(Note(d.span, d.message) for d in error.diagnostics)
            span = record.place_of(record.position or "")
            message = "the position of this game cannot be"
            raise _ReplayError(Diagnostic("record", span, message, notes)) from None
        except DescriptionFault as error:
            found = error.diagnostic
            note = Note(found.span, "it happens here")
            message = f"the game cannot begin: {found.message}"
            raise _ReplayError(Diagnostic("record", record.span, message, (note,))) from None


def _refused(record: Record, sources: Sources, error: DescriptionError) -> _ReplayError:
    """The description cannot be loaded with the options of a record."""
    notes = tuple(Note(d.span, d.message) for d in error.diagnostics if d.span.source.name)
    message = f"this game is of `{record.game}`, and `{sources.file_name}` does not fit it"
    if not notes:
        message += ": " + "; ".join(d.message for d in error.diagnostics)
    return _ReplayError(Diagnostic("record", record.place_of("options"), message, notes))
