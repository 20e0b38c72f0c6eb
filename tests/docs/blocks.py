"""The code blocks of the documentation, and how a fragment of a description is made whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from ludeme.diagnostics import Diagnostic
from ludeme.game import Sources, check_sources, find_sources, shipped
from ludeme.syntax import parse

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])

_BLOCK = re.compile(
    r"(?:^<!-- with\n(?P<context>.*?)^-->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S
)
_ITEM = re.compile(
    r"(game|by|players|option|board|region|regions|neutral|piece|pieces|stacks"
    r"|each player|each site|each piece|define|relation|ludeme|start|turn|reveal|play|ranking|end"
    r"|example|replace|drop)\b"
)
_REST = {
    "game": 'game "Sketch"\n',
    "players": "players Black, White\n",
    "board": "board square(8)\n",
    "piece": "pieces man, king\n",
    "turn": "turn\n  choose cell from empty\n  put man on cell\n",
    "end": "end\n  draw by filling when no empty\n",
}
"""What is put beside a fragment that lacks it."""


@attrs.frozen
class Block:
    """A fenced block; *line* is that of its first line of text, *context* what is hidden before."""

    page: Path
    line: int
    language: str
    text: str
    context: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def is_whole(self) -> bool:
        """Whether it is a description from its first line to its last."""
        return self.has_header and " extends " not in _first_line(self.text)

    @property
    def has_header(self) -> bool:
        """Whether it begins with the header of a description."""
        return _first_line(self.text).startswith('game "')

    @property
    def is_items(self) -> bool:
        """Whether it is made of items, not of the lines of a turn."""
        return _ITEM.match(_first_line(self.text)) is not None

    @property
    def items(self) -> str:
        """The text as items; lines of a turn become a turn."""
        if self.is_items:
            return self.text
        lines = "".join(f"  {line}\n" if line else "\n" for line in self.text.splitlines())
        return "turn\n" + lines

    @property
    def description(self) -> str:
        """The text made a whole description."""
        if self.has_header:
            return self.text
        own = self.context + "\n" + self.items
        present = {line.split()[0].rstrip(":") for line in own.splitlines() if line[:1].isalpha()}
        if 'game "' not in own:
            present.discard("game")  # It stands before state: `game has ...`.
        if present & {"pieces", "neutral"}:
            present.add("piece")
        return "".join(text for word, text in _REST.items() if word not in present) + own


def _first_line(text: str) -> str:
    for line in text.splitlines():
        if line.strip() and not line.startswith("--"):
            return line
    return ""


def blocks(page: Path, language: str) -> Iterator[Block]:
    """The blocks of one language on a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        if found["language"] == language:
            line = text.count("\n", 0, found.start("text")) + 1
            yield Block(page, line, language, found["text"], found["context"] or "")


def all_blocks(language: str) -> list[Block]:
    """The blocks of one language on all pages."""
    return [block for page in PAGES for block in blocks(page, language)]


def diagnose(text: str) -> tuple[Diagnostic, ...]:
    """What the checker has to say of a description, which may extend shipped games."""
    texts: dict[str, str] = {}
    for name in re.findall(r"extends (\w+)", text):
        if name in shipped():
            texts |= find_sources(name).texts
    return check_sources(Sources("block", "block.game", texts | {"block": text})).diagnostics


def parses(text: str) -> list[str]:
    """What the parser has to say against a text."""
    return [str(diagnostic) for diagnostic in parse(text, "block.game").diagnostics]
