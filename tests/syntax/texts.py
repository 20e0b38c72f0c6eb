"""Valid texts, and what becomes of them when somebody slips."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import strategies as st

HERE = Path(__file__).parent
GAMES = HERE.parent.parent / "games"
CONSTRUCTS = (HERE / "constructs.game").read_text(encoding="utf-8")
CONSTA = (GAMES / "consta.game").read_text(encoding="utf-8")
TEXTS = [CONSTRUCTS, CONSTA]

_TOKEN = re.compile(r'"[^"\n]*"|--[^\n]*|\w+|\n *| +|[^\w\s]')


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid text with some tokens dropped, doubled, swapped or replaced, or lines moved."""
    whole = draw(st.sampled_from(TEXTS))
    items = re.split(r"\n(?=\S)", whole)
    first = draw(st.integers(0, len(items) - 1))
    tokens = _TOKEN.findall("\n".join(items[first : first + draw(st.integers(1, 6))]) + "\n")
    for _ in range(draw(st.integers(1, 4))):
        i = draw(st.integers(0, len(tokens) - 1))
        j = draw(st.integers(0, len(tokens) - 1))
        match draw(st.sampled_from(["drop", "double", "swap", "replace", "cut", "indent"])):
            case "drop" if len(tokens) > 1:
                del tokens[i]
            case "double":
                tokens.insert(i, tokens[i])
            case "swap":
                tokens[i], tokens[j] = tokens[j], tokens[i]
            case "replace":
                tokens[i] = draw(st.text("ab(){}=:;,.-+\"'|#&\t\n \x00\ufeff0é", max_size=3))
            case "cut":
                tokens = tokens[: i + 1]
            case "indent":
                tokens[i] += " " * draw(st.integers(1, 3))
    return "".join(tokens)
