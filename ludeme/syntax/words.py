"""What a designer calls the terminals of the grammar."""

from __future__ import annotations

from collections.abc import Iterable

_NAMES = {
    "NAME": "a name",
    "FNAME": "a name with a bracket",
    "INT": "a number",
    "STRING": 'a text in quotes, like "this"',
    "ROW": "a row of a picture, begun with |",
    "_NL": "the end of the line",
    "_INDENT": "lines that are indented further",
    "_DEDENT": "the end of the block",
    "$END": "the end of the item",
    "EQUAL": "`=`",
    "REL": "a comparison such as `>`",
    "SIGN": "`+` or `-`",
    "SCALE": "`*`, `/` or `mod`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "SEMICOLON": "`;`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "MINUS": "`-`",
    "DOTDOT": "`..`",
    "OWNER": "`player`, `site` or `piece`",
    "WHO": "`owner`, `none` or `all`",
    "RANK": "`highest` or `lowest`",
    "EXTREME": "`largest` or `smallest`",
    "TRUTH": "`true` or `false`",
    "MANNER": "`times while possible` or `times or stop`",
    "COMMA_THEN": "`, then`",
    "HOLE": "",
}
_ALTERNATIVES = {
    "OWNER": ("player", "site", "piece"),
    "WHO": ("owner", "none", "all"),
    "RANK": ("highest", "lowest"),
    "EXTREME": ("largest", "smallest"),
    "TRUTH": ("true", "false"),
    "MANNER": ("times",),
    "SCALE": ("mod",),
}
_OPERATORS = {"REL", "SIGN", "SCALE", "EQUAL", "AND", "OR", "IN", "NOT", "CAN", "CANNOT", "DOTDOT"}
_BEGINS_VALUE = {"NAME", "FNAME", "INT", "TRUTH", "LPAR", "LBRACE"}
_LABELS = {
    "FROM", "TO", "OVER", "ALONG", "BY", "THROUGH", "PAST", "WITH", "INTO", "AMONG", "AROUND",
}  # fmt: skip


def spoken(terminal: str) -> str:
    """The words for one terminal."""
    if terminal in _NAMES:
        return _NAMES[terminal]
    if terminal.startswith("__ANON"):
        return "`..`"
    return f"`{terminal.lower()}`"


def keywords(terminals: Iterable[str]) -> list[str]:
    """The words of the language among *terminals*, as they are typed."""
    found: list[str] = []
    for terminal in terminals:
        if terminal in _ALTERNATIVES:
            found.extend(_ALTERNATIVES[terminal])
        elif terminal not in _NAMES and not terminal.startswith("_"):
            found.append(terminal.lower())
    return found


def expected(terminals: Iterable[str]) -> str:
    """What may stand at a place, in words; long lists are gathered under one name."""
    left = {t for t in terminals if t not in ("HOLE", "_DEDENT")}
    parts: list[str] = []
    if {"NAME", "INT", "LPAR"} <= left:
        parts.append("a value")
        left -= _BEGINS_VALUE | {"NOT", "SOME", "NO", "EVERY", "THOSE", "SUM", "UNION", "EXTREME"}
        left -= {"BEST", "IF", "MINUS"}
    if "REL" in left:
        parts.append("an operator such as `and`, `=` or `+`")
        left -= _OPERATORS | {"COMMA_THEN"}
    if len(left & _LABELS) > 4:
        left -= _LABELS
    if "_NL" in left:
        parts.append("the end of the line")
        left -= {"_NL"}
    rest = sorted(spoken(terminal) for terminal in left)
    if len(rest) > 8:
        rest = []
        parts.append("a word that begins a line")
    parts.extend(word for word in rest if word)
    if not parts:
        return "something else"
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]
