"""The parser's tables, saved as JSON beside the grammar.

Working them out from the grammar takes over half a second, reading them a twentieth. Run
``python -m ludeme.syntax.tables`` after a change of the grammar; a test holds the two together.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, cast

from lark import Lark
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.lexer import TerminalDef

from ludeme.resources import GRAMMAR_FOLDER

GRAMMAR_FILE = GRAMMAR_FOLDER / "ludeme.lark"
TABLES_FILE = GRAMMAR_FOLDER / "ludeme.tables.json"


# Words that join the parts of an expression or of a move line. They are never names, so a line in
# which a value is missing before one of them is understood up to that word.
_RESERVED = """
    AND OR NOT IN HAS WHERE THEN ELSE IF FOR ON WHEN UNTIL CAN CANNOT
    FROM TO OVER ALONG BY THROUGH PAST WITH INTO AMONG AROUND
    SOME NO EVERY THOSE SUM UNION EXTREME BEST TRUTH
"""


class Indentation(Indenter):
    """Turns the blanks behind a line end into tokens that open and close blocks.

    The lexer looks for whole names everywhere, lest it read `andy` as `and y`.
    """

    NL_type = "_NL"
    OPEN_PAREN_types: ClassVar[list[str]] = []
    CLOSE_PAREN_types: ClassVar[list[str]] = []
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8
    always_accept = (NL_type, "NAME", *_RESERVED.split())


def parser_from_grammar() -> Lark:
    """The parser, worked out from the grammar."""
    return Lark(
        GRAMMAR_FILE.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=["item", "expr"],
        postlex=Indentation(),
        propagate_positions=True,
        maybe_placeholders=False,
    )


def parser_from_tables() -> Lark:
    """The same parser, read from the saved tables."""
    saved = json.loads(TABLES_FILE.read_text(encoding="utf-8"))
    memo = {int(key): value for key, value in saved["memo"].items()}
    table = saved["data"]["parser"]["parser"]
    table["tokens"] = {int(key): value for key, value in table["tokens"].items()}
    table["states"] = {
        int(state): {int(token): action for token, action in actions.items()}
        for state, actions in table["states"].items()
    }
    # Lark's own `save` and `load` go through pickle, which a shipped file must not.
    load = cast("Callable[..., Lark]", Lark._load_from_dict)
    return load(saved["data"], memo, postlex=Indentation())


def tables() -> str:
    """The tables as JSON text, for the grammar as it stands; the same text in every process."""
    data, memo = parser_from_grammar().memo_serialize([TerminalDef, Rule])
    data["options"] = {key: value for key, value in data["options"].items() if key != "postlex"}
    _renumber(data["parser"]["parser"])
    saved = {"data": data, "memo": memo}
    return json.dumps(saved, default=_as_list, sort_keys=True, separators=(",", ":")) + "\n"


def _renumber(table: dict[str, Any]) -> None:
    """Number tokens and states anew, as Lark's own numbers follow the order of Python's sets."""
    names = sorted(table["tokens"].values())
    number_of = {token: names.index(name) for token, name in table["tokens"].items()}
    table["tokens"] = dict(enumerate(names))
    states = {
        state: dict(sorted((number_of[token], action) for token, action in actions.items()))
        for state, actions in table["states"].items()
    }
    order = _reached(
        states, [table["start_states"][start] for start in sorted(table["start_states"])]
    )
    place = {state: i for i, state in enumerate(order)}
    table["states"] = {
        place[state]: {token: _moved(action, place) for token, action in states[state].items()}
        for state in order
    }
    for kind in ("start_states", "end_states"):
        table[kind] = {start: place[state] for start, state in table[kind].items()}


_SHIFT = 0


def _reached(states: dict[int, dict[int, Any]], start: list[int]) -> list[int]:
    """The states in the order in which shifts reach them, nearest first."""
    order = list(start)
    known = set(order)
    for state in order:
        for kind, target in states[state].values():
            if kind == _SHIFT and target not in known:
                known.add(target)
                order.append(target)
    return order


def _moved(action: tuple[int, Any], place: dict[int, int]) -> tuple[int, Any]:
    kind, target = action
    return (kind, place[target]) if kind == _SHIFT else action


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{value!r} cannot be saved")


def write(path: Path = TABLES_FILE) -> None:
    """Write the tables where the parser looks for them."""
    path.write_text(tables(), encoding="utf-8")


if __name__ == "__main__":
    write()
