"""What a designer calls the terminals of the grammar, and what is typed in place of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ludeme.diagnostics import near

_NAMES = {
    "NAME": "a name",
    "FNAME": "a name with brackets",
    "INT": "a number",
    "STRING": 'a text in quotes, like "this"',
    "ROW": "a row of a picture, which begins with `|`",
    "_NL": "the end of the line",
    "_INDENT": "lines that are indented further",
    "_DEDENT": "the end of the block",
    "$END": "the end of the item",
    "REL": "a comparison such as `>`",
    "SIGN": "a sign such as `+`",
    "SCALE": "a sign such as `*`",
}
_PUNCTUATION = {
    "EQUAL": "=",
    "COMMA": ",",
    "COLON": ":",
    "SEMICOLON": ";",
    "LPAR": "(",
    "RPAR": ")",
    "LBRACE": "{",
    "RBRACE": "}",
    "MINUS": "-",
    "DOTDOT": "..",
    "COMMA_THEN": ", then",
}
_ALTERNATIVES = {
    "REACH": ("inside", "at"),
    "WHO": ("owner", "none", "all"),
    "RANK": ("highest", "lowest"),
    "EXTREME": ("largest", "smallest"),
    "TRUTH": ("true", "false"),
    "MANNER": ("times while possible", "times or stop"),
}
_HIDDEN = {"HOLE", "_DEDENT", "$END"}
_OPERATORS = {"REL", "SIGN", "SCALE", "EQUAL", "AND", "OR", "IN", "NOT", "CAN", "CANNOT", "DOTDOT"}
_BEGINS_VALUE = {
    "NAME", "FNAME", "INT", "TRUTH", "LPAR", "LBRACE", "NOT", "SOME", "NO", "EVERY", "THOSE",
    "SUM", "UNION", "EXTREME", "BEST", "IF", "MINUS",
}  # fmt: skip
_LABELS = {
    "FROM", "TO", "OVER", "ALONG", "BY", "THROUGH", "PAST", "WITH", "INTO", "AMONG", "AROUND",
}  # fmt: skip

# What people write who know other notations, or who write as they speak.
_OTHER_WORDS: dict[str, tuple[str, ...]] = {
    "is": ("=", "in"),
    "are": ("in", "="),
    "equals": ("=",),
    "of": ("in", "from"),
    "at": ("on",),
    "onto": ("on", "to"),
    "do": (":",),
    "then": (":",),
    "via": ("through",),
    "against": ("with",),
    "without": ("not in",),
    "elif": ("else if",),
    "elseif": ("else if",),
    "elsif": ("else if",),
    "foreach": ("for each",),
    "select": ("choose",),
    "pick": ("choose",),
    "take": ("takes",),
    "while": ("until",),
    "when": ("if", "where"),
    "if": ("when", "where"),
    "such": ("where",),
    "that": ("where",),
    "with": ("where", "has"),
    "win": ("wins",),
    "lose": ("loses",),
    "have": ("has",),
    "all": ("every", "those"),
    "any": ("some",),
    "each": ("every", "for each"),
    "exists": ("some",),
    "none": ("no",),
    "def": ("define",),
    "function": ("define",),
    "rule": ("ludeme", "define"),
    "ends": ("end",),
    "test": ("example",),
    "include": ("game",),
    "player": ("players",),
    "turns": ("turn",),
    "sites": ("site",),
    "else": ("otherwise",),
    "otherwise": ("else",),
}


def spoken(terminal: str) -> list[str]:
    """The words for what one terminal stands for; what may be typed stands in back quotes."""
    if terminal in _NAMES:
        return [_NAMES[terminal]]
    return [f"`{typed}`" for typed in literals([terminal])]


def literals(terminals: Iterable[str]) -> list[str]:
    """What may be typed for those of *terminals* that are fixed words or signs, in order."""
    found: list[str] = []
    for terminal in sorted(set(terminals) - _HIDDEN):
        if terminal in _ALTERNATIVES:
            found.extend(_ALTERNATIVES[terminal])
        elif terminal in _PUNCTUATION:
            found.append(_PUNCTUATION[terminal])
        elif terminal not in _NAMES:
            found.append(terminal.lower())
    return found


def respelt(word: str, keywords: Collection[str]) -> list[str]:
    """What *word* may be meant for, likeliest first; a word of the language is not misspelt."""
    small = word.lower()
    close: list[str] = []
    if word not in keywords:
        close = near(small, keywords, 3)
        close.extend(sorted(each for each in keywords if _one_letter_off(small, each)))
    return [*_OTHER_WORDS.get(small, ()), *close]


def _one_letter_off(word: str, other: str) -> bool:
    """For words so short that they are hardly alike in any measure."""
    same = sum(mine == theirs for mine, theirs in zip(word, other, strict=False))
    return len(word) == len(other) <= 3 and same == len(word) - 1


def expected(terminals: Iterable[str]) -> str:
    """What may stand at a place, in words; long lists are gathered under one name."""
    left = set(terminals) - _HIDDEN
    if {"CHOOSE", "REQUIRE", "NAME"} <= left:
        return "a word that begins a line, such as `choose`, `require` or `put`"
    parts: list[str] = []
    if {"NAME", "INT", "LPAR"} <= left:
        parts.append("a value")
        left -= _BEGINS_VALUE
    if "REL" in left:
        parts.append("an operator such as `and`")
        left -= _OPERATORS | {"COMMA_THEN"}
    if len(left & _LABELS) > 4:
        parts.append("a word such as `from`")
        left -= _LABELS
    if "_INDENT" in left:
        left -= {"_NL"}
    if "_NL" in left:
        parts.append("the end of the line")
        left -= {"_NL"}
    rest = sorted(each for terminal in left for each in spoken(terminal))
    if len(rest) > 8:
        rest = ["a word that begins an item"] if {"GAME", "TURN"} <= left else rest[:8]
    return _any_of(parts + rest)


def _any_of(parts: list[str]) -> str:
    if not parts:
        return "something else"
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]
