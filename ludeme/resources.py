"""Where the grammar, the prelude and the shipped games are, in a checkout and in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


GRAMMAR_FOLDER = _folder("grammar")
GAMES_FOLDER = _folder("games")
PRELUDE_FOLDER = _PACKAGE / "prelude"
