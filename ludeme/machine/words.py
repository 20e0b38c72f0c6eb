"""Which words the moves of a turn are made of."""

from __future__ import annotations

import re

from ludeme.check.program import Program, Say, Turn
from ludeme.check.walking import walk
from ludeme.kernel.types import Type
from ludeme.machine.notation import labels

_WORD = re.compile(r"\w+")


def strange_words(program: Program, turn: Turn, text: str) -> list[str]:
    """The words of *text* that no move of the turn can print, in any state."""
    known = _words(program, turn)
    return [word for word in _WORD.findall(text) if not _is_made_of(word, known)]


def _words(program: Program, turn: Turn) -> frozenset[str]:
    words: set[str] = set()
    for line in walk(turn.body):
        if isinstance(line, Say):
            for part in line.parts:
                if isinstance(part, str):
                    words.update(_WORD.findall(part))
                else:
                    words.update(_labels(program, part.type))
    return frozenset(words)


def _labels(program: Program, type_: Type) -> tuple[str, ...]:
    if type_.kind == "set" and type_.element is not None:
        return _labels(program, type_.element)
    found = labels(program, type_)
    return found if found is not None else tuple("0123456789")


def _is_made_of(word: str, known: frozenset[str]) -> bool:
    """Whether a word is one known word or several in a row, as `e2e4` is."""
    reached = {0}
    longest = max(map(len, known), default=0)
    for start in range(len(word)):
        if start in reached:
            for end in range(start + 1, min(len(word), start + longest) + 1):
                if word[start:end] in known:
                    reached.add(end)
    return len(word) in reached
