"""Games as lines of text: one JSON object a line, written by `playout` and read by `replay`.

The keys of a record, in this order:

- ``game``: the name of a shipped game, or a file name without its folder.
- ``digest``: of the meaning of the description, options included.
- ``options``: the value of each option.
- ``seed`` and ``number``: which random game it is.
- ``position``: the text of the position that it began from; left out if that is the first one.
- ``decisions``: a list of their texts, joint ones joined by ``|``.
- ``outcome``: ``winner`` (null for a draw), ``reason``, ``scores`` and ``ranks`` (null where no
  ranking decided); null if the game was not finished.
- ``fault``: the code of the fault that ended the game; left out if there was none.

There is no time, engine or path in it, so the same call writes the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, TextIO

import attrs

from ludeme.diagnostics import Diagnostic, Source, Span, did_you_mean
from ludeme.machine import Result
from ludeme.play.games import Playable, Played


def outcome_fields(players: Sequence[str], result: Result | None) -> dict[str, Any] | None:
    """An outcome as JSON has it; None while the game goes on."""
    if result is None:
        return None
    return {
        "winner": None if result.winner is None else players[result.winner],
        "reason": result.name,
        "scores": _of_players(players, result.scores),
        "ranks": _of_players(players, result.ranks),
    }


def _of_players(players: Sequence[str], numbers: Sequence[int] | None) -> dict[str, int] | None:
    return dict(zip(players, numbers, strict=True)) if numbers is not None else None


# ---- writing


class RecordWriter:
    """Writes games to a file as they come. A context manager; opening it empties the file."""

    def __init__(self, path: Path, game: Playable, seed: int, position: str | None) -> None:
        self.path = path
        self.players = game.machine.program.players
        self.head: dict[str, Any] = {
            "game": game.record_name,
            "digest": game.digest,
            "options": dict(game.options),
            "seed": seed,
        }
        self.position = position
        self.file: TextIO | None = None

    def __enter__(self) -> RecordWriter:
        self.file = self.path.open("w", encoding="utf-8", newline="\n")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self.file is not None
        self.file.close()

    def write(self, games: Iterable[Played]) -> None:
        """Write games, whose texts have been kept."""
        assert self.file is not None
        for game in games:
            self.file.write(self.line(game) + "\n")

    def line(self, game: Played) -> str:
        """The record of one game."""
        assert game.texts is not None, game
        fields = self.head | {"number": game.number}
        if self.position is not None:
            fields["position"] = self.position
        fields["decisions"] = list(game.texts)
        fields["outcome"] = outcome_fields(self.players, game.result)
        if game.fault is not None:
            fields["fault"] = game.fault.diagnostic.code
        return json.dumps(fields, ensure_ascii=False)


# ---- reading


@attrs.frozen
class Record:
    """A game as it was written down. *span* is its line."""

    game: str
    digest: str
    options: dict[str, Any]
    seed: int
    number: int
    position: str | None
    decisions: tuple[str, ...]
    outcome: dict[str, Any] | None
    fault: str | None
    span: Span

    def place_of(self, text: str) -> Span:
        """Where a text stands in the line, or the beginning of the line."""
        return _place(self.span, json.dumps(text, ensure_ascii=False))


class RecordError(Exception):
    """A line that is no record; *diagnostic* says where and why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return str(self.diagnostic)


def read_records(lines: Iterable[bytes], name: str) -> Iterator[Record | RecordError]:
    """The record of each line that is not blank, or what is wrong with it.

    *name* is what messages call the file.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield _record(line, name, number)
        except RecordError as error:
            yield error


def _record(line: bytes, name: str, number: int) -> Record:
    try:
        text = line.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        _refuse(_line_span("", name, number), "this line is not text in UTF-8")
    span = _line_span(text, name, number)
    fields = _fields(text, span)
    _check_keys(fields, span)
    for key, (wanted, test) in _KEYS.items():
        if key in fields and not test(fields[key]):
            _refuse(_place(span, json.dumps(key)), f"`{key}` must be {wanted}")
    return Record(
        fields["game"],
        fields["digest"],
        fields["options"],
        fields["seed"],
        fields["number"],
        fields.get("position"),
        tuple(fields["decisions"]),
        fields["outcome"],
        fields.get("fault"),
        span,
    )


def _fields(text: str, span: Span) -> dict[str, Any]:
    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in found]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            _refuse(_place(span, json.dumps(twice)), f"`{twice}` stands here twice")
        return dict(found)

    def no_number(text: str) -> NoReturn:
        _refuse(_place(span, text), f"{text} is no number")

    try:
        fields = json.loads(text, object_pairs_hook=pairs, parse_constant=no_number)
    except json.JSONDecodeError as error:
        start = span.start + min(error.pos, max(0, len(text) - 1))
        place = Span(span.source, start, start + 1)
        _refuse(place, "this line is no record: it cannot be read as JSON", error.msg.lower())
    except RecursionError:
        _refuse(span, "this line is no record: it is nested too deeply")
    except ValueError:
        _refuse(span, "this line is no record: a number in it is too long")
    if not isinstance(fields, dict):
        _refuse(span, "this line is no record: it is JSON, but no object in braces")
    return fields


def _check_keys(fields: Mapping[str, Any], span: Span) -> None:
    missing = [key for key in _KEYS if key not in fields and key not in _OPTIONAL]
    if missing:
        names = " and ".join(f"`{key}`" for key in missing)
        _refuse(span, f"this line is no record: there is no {names} in it")
    for key in fields:
        if key not in _KEYS:
            place = _place(span, json.dumps(key, ensure_ascii=False))
            _refuse(place, f"a record has no `{key}`", did_you_mean(key, _KEYS))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_outcome(value: object) -> bool:
    if value is None:
        return True
    return (
        isinstance(value, dict)
        and set(value) == {"winner", "reason", "scores", "ranks"}
        and isinstance(value["winner"], str | None)
        and isinstance(value["reason"], str)
        and all(value[key] is None or _are_numbers(value[key]) for key in ("scores", "ranks"))
    )


def _are_numbers(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(number, int) and not isinstance(number, bool) for number in value.values()
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_options(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(v, str | int) for v in value.values())


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


_KEYS = {
    "game": ("the name of a game", _is_text),
    "digest": ("a text", _is_text),
    "options": ("an object with the value of each option", _are_options),
    "seed": ("a whole number, 0 or more", _is_number),
    "number": ("a whole number, 0 or more", _is_number),
    "position": ("the text of a position", _is_text),
    "decisions": ("a list of texts", _are_texts),
    "outcome": ("null, or an object with `winner`, `reason`, `scores` and `ranks`", _is_outcome),
    "fault": ("the code of a fault", _is_text),
}
_OPTIONAL = ("position", "fault")


def _line_span(text: str, name: str, number: int) -> Span:
    """A line as a span; only its number in the file matters of what stands before it."""
    source = Source(name, "\n" * (number - 1) + text)
    return Span(source, number - 1, number - 1 + len(text))


def _place(line: Span, part: str) -> Span:
    found = line.text.find(part)
    if found < 0:
        return Span(line.source, line.start, min(line.end, line.start + 1))
    return Span(line.source, line.start + found, line.start + found + len(part))


def _refuse(span: Span, message: str, help_text: str | None = None) -> NoReturn:
    raise RecordError(Diagnostic("record", span, message, (), help_text))
