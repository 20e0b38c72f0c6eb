"""Descriptions with mistakes, each told of in a comment on its own line.

A file in a folder here is a description in which every line at fault ends in a comment::

    -- expect error CODE "part of what is said"
    -- expect error CODE@COLUMN "part of what is said"

The part is looked for in the message and in the help. Several expectations may stand in one
comment, and single quotes do as well. Nothing else may be reported for the file. `warning` and
`fault` may stand for `error`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs
import pytest

from ludeme.check import check
from ludeme.diagnostics import Diagnostic, render
from ludeme.game import shipped
from ludeme.syntax import Parsed, parse

HERE = Path(__file__).parent
EXPECTED = re.compile(
    r"""expect (error|warning|fault) ([\w-]+)(?:@(\d+))? (?:"(.*?)"|'(.*?)')(?=\s*(?:expect |$))"""
)


def diagnose_syntax(text: str, name: str) -> Sequence[Diagnostic]:
    """What is said of a text before anything of it has a meaning."""
    return parse(text, name).diagnostics


def diagnose_check(text: str, name: str) -> Sequence[Diagnostic]:
    """What is said of a description that can extend itself and the shipped games."""
    games = shipped()

    def load(base: str) -> Parsed | None:
        if base == name.removesuffix(".game"):
            return parse(text, name)
        if base not in games:
            return None
        return parse(games[base].read_text(encoding="utf-8"), games[base].name)

    return check(parse(text, name), load).diagnostics


DIAGNOSE: dict[str, Callable[[str, str], Sequence[Diagnostic]]] = {
    "check": diagnose_check,
    "syntax": diagnose_syntax,
}
"""For each folder of files, what finds the mistakes in one of them."""


@attrs.frozen
class Expectation:
    """What a comment announces."""

    line: int
    column: int | None
    severity: str
    code: str
    part: str

    def met_by(self, found: Diagnostic) -> bool:
        return (
            (self.line, self.severity, self.code) == (found.span.line, found.severity, found.code)
            and self.column in (None, found.span.column)
            and self.part in f"{found.message}\n{found.help or ''}"
        )


def expectations(text: str) -> list[Expectation]:
    """What the comments of *text* announce, in order."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        _, _, comment = line.partition("-- expect ")
        for severity, code, column, *part in EXPECTED.findall(f"expect {comment}"):
            place = int(column) if column else None
            found.append(Expectation(number, place, severity, code, "".join(part)))
    return found


FILES = sorted(HERE.glob("*/*.game"))


@pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}/{p.stem}" for p in FILES])
def test_mistakes_are_told_as_announced(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    left = expectations(text)
    assert left, "the file announces nothing"
    surplus = []
    for found in DIAGNOSE[path.parent.name](text, path.name):
        met = next((each for each in left if each.met_by(found)), None)
        if met is None:
            surplus.append(found)
        else:
            left.remove(met)
    said = "\n\n".join(map(render, surplus))
    assert not left, f"not reported: {left}\n\nreported and not expected:\n{said}"
    assert not surplus, f"reported and not expected:\n{said}"


def test_every_folder_has_a_way_to_find_mistakes() -> None:
    assert {path.parent.name for path in FILES} <= DIAGNOSE.keys()
