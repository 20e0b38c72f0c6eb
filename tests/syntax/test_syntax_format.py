"""The one layout: it means the same, is its own layout, and loses no comment."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludeme.syntax import parse, tree
from ludeme.syntax.format import WIDTH, dump, format_file
from ludeme.syntax.format_expressions import expression
from ludeme.syntax.format_lines import line
from ludeme.syntax.wrapping import Nest, fit, flat
from tests.syntax.texts import CONSTRUCTS, GAMES, HERE, TEXTS, mutated


def formatted(text: str) -> str:
    """The layout of *text*, after a look at what every layout must keep."""
    before = parse(text)
    assert before.diagnostics == ()
    result = format_file(before)
    after = parse(result)
    assert after.diagnostics == ()
    assert before.file == after.file
    assert [c.text for c in before.comments] == [c.text for c in after.comments]
    assert result == format_file(after)
    assert all(row == row.rstrip() for row in result.split("\n"))
    assert "\n\n\n" not in result
    return result


@pytest.mark.parametrize(
    "path", [HERE / "constructs.game", *sorted(GAMES.rglob("*.game"))], ids=lambda path: path.stem
)
def test_games_keep_their_meaning(path: Path) -> None:
    result = formatted(path.read_text(encoding="utf-8"))
    assert all(len(row) <= WIDTH for row in result.split("\n") if "--" not in row)


@pytest.mark.parametrize("path", sorted(GAMES.rglob("*.game")), ids=lambda path: path.stem)
def test_shipped_games_are_in_the_one_layout(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text


def test_the_text_of_constructs_is_in_the_one_layout() -> None:
    assert formatted(CONSTRUCTS) == CONSTRUCTS


@pytest.mark.parametrize("width", [1, 30, 60])
def test_lines_are_joined_again_wherever_they_are_broken(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludeme.syntax.format.WIDTH", width)
    for text in TEXTS:
        formatted(text)


@settings(deadline=None)
@given(mutated())
def test_whatever_parses_can_be_laid_out(text: str) -> None:
    if not parse(text).diagnostics:
        formatted(text)


def test_a_text_with_mistakes_has_no_layout() -> None:
    with pytest.raises(ValueError, match="errors"):
        format_file(parse("turn a\n  put\n"))


def test_an_empty_text_stays_empty() -> None:
    assert formatted("\n\n") == ""
    assert formatted("\n-- a\n\n\n  -- b\n") == "-- a\n\n-- b\n"


# ---- expressions

_NAMES = st.sampled_from(["a", "mine", "size"])
_WORDS = _NAMES.map(tree.Word)
_LEAVES: st.SearchStrategy[tree.Expression] = st.one_of(
    st.builds(tree.Number, st.integers(0, 99)),
    st.builds(tree.Truth, st.booleans()),
    st.builds(tree.Name, _NAMES),
)


def _folds(
    kind: st.SearchStrategy[str],
    inner: st.SearchStrategy[tree.Expression],
    otherwise: st.SearchStrategy[tree.Expression | None],
) -> st.SearchStrategy[tree.Expression]:
    return st.builds(tree.Fold, kind, inner, _WORDS, inner, otherwise)


def _larger(inner: st.SearchStrategy[tree.Expression]) -> st.SearchStrategy[tree.Expression]:
    label = st.sampled_from([None, "from", "along"])
    argument = st.builds(tree.Argument, label, inner)
    several = st.lists(inner, min_size=1, max_size=3).map(tuple)
    quantifier = st.sampled_from(["some", "no", "every"])
    comparison = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
    return st.one_of(
        st.builds(tree.Call, _WORDS, st.lists(argument, min_size=1, max_size=3).map(tuple)),
        st.builds(tree.SetOf, several),
        st.builds(tree.Range, inner, inner),
        st.builds(tree.Not, inner),
        st.builds(tree.Negative, inner),
        st.builds(tree.Both, inner, inner),
        st.builds(tree.Either, inner, inner),
        st.builds(tree.Compare, comparison, inner, inner),
        st.builds(tree.Within, inner, inner, st.booleans()),
        st.builds(tree.Ability, inner, _WORDS, st.booleans()),
        st.builds(tree.Arithmetic, st.sampled_from(["+", "-", "*", "/", "mod"]), inner, inner),
        st.builds(tree.Any, inner, st.booleans()),
        st.builds(tree.Quantified, quantifier, _WORDS, inner, inner),
        st.builds(tree.Those, _WORDS, inner, inner),
        _folds(st.sampled_from(["sum", "union"]), inner, st.none()),
        _folds(st.sampled_from(["largest", "smallest"]), inner, inner),
        st.builds(tree.Best, _WORDS, inner, several),
        st.builds(tree.Conditional, inner, inner, inner),
    )


EXPRESSIONS = st.recursive(_LEAVES, _larger, max_leaves=20)


@settings(deadline=None)
@given(EXPRESSIONS, st.sampled_from([0, 20, 40, WIDTH]))
def test_an_expression_is_read_back_however_it_is_broken(
    value: tree.Expression, width: int
) -> None:
    node = tree.Define(tree.Word("x"), (), value)
    parsed = parse(fit(Nest(line(node)), 0, width) + "\n\nturn t\n  pass\n")
    assert parsed.diagnostics == ()
    assert node == parsed.file.items[0]


@pytest.mark.parametrize(
    "text",
    [
        "a or b and not c",
        "(a or b) and not (c or d)",
        "(some x in a has b) and c",
        "c and some x in a has b and d",
        "a - (b - c) - -d",
        "-(-a)",
        "1..6",
        "a + 1 .. 6",
        "not some a",
        "f((a = b) = c, {a}, from if a then b else c)",
        "sum (sum a for b in c) for d in e",
    ],
)
def test_brackets_stand_only_where_they_are_needed(text: str) -> None:
    parsed = parse(f"define x = {text}\n")
    (node,) = parsed.file.items
    assert isinstance(node, tree.Define)
    assert text == flat(expression(node.value))


# ---- lines, comments, blank lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "turn  a :pass ;again\n",
            "turn a: pass; again\n",
        ),
        (
            "turn a\n      if b :  pass\n      else\n        if c\n          pass\n",
            "turn a\n  if b: pass\n  else if c\n    pass\n",
        ),
        (
            "turn a: require " + "b and " * 16 + "c\n",
            "turn a\n  require b\n" + "    and b\n" * 15 + "    and c\n",
        ),
        (
            "turn a\n  one of\n   - b\n     pass\n   otherwise c\n     pass\n",
            "turn a\n  one of\n    - b\n        pass\n    otherwise c\n        pass\n",
        ),
        (
            "define f(a:site)=\n  a\n",
            "define f(a: site) = a\n",
        ),
        (
            "region r\n     | a  b\n     |  c\n",
            "region r\n  | a  b\n  |  c\n",
        ),
    ],
)
def test_lines(text: str, expected: str) -> None:
    assert expected == formatted(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "turn a -- one\n      -- two\n      pass-- three\n",
            "turn a  -- one\n  -- two\n  pass  -- three\n",
        ),
        (
            "turn a\n    if b\n      pass\n      -- of if\n    -- of a\n-- of c\nturn c: pass\n",
            "turn a\n  if b\n    pass\n    -- of if\n  -- of a\n\n-- of c\nturn c: pass\n",
        ),
        (
            "turn a\n  require b -- one\n    -- two\n    and c -- three\n",
            "turn a\n  -- one\n  -- two\n  require b and c  -- three\n",
        ),
        (
            "turn a\n  if b: pass\n  else  -- one\n    -- two\n    if c  -- three\n      pass\n",
            "turn a\n  if b: pass\n  -- one\n  -- two\n  else if c  -- three\n    pass\n",
        ),
        (
            "turn a: require " + "b and " * 16 + "c  -- why\n",
            "turn a  -- why\n  require b\n" + "    and b\n" * 15 + "    and c\n",
        ),
        (
            "define a = b  -- " + "long " * 20 + "\n",
            "define a = b  -- " + ("long " * 20).strip() + "\n",
        ),
        (
            "turn a\n  if b\n    pass\n  else  -- one\n    elsewhere  -- two\n",
            "turn a\n  if b\n    pass\n  else  -- one\n    elsewhere  -- two\n",
        ),
        (
            "turn a\n  pass\n  -- last\n",
            "turn a\n  pass\n  -- last\n",
        ),
    ],
)
def test_comments_stay_where_they_belong(text: str, expected: str) -> None:
    assert expected == formatted(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('game "a"\nby "b"\n\n\noption c = 1\n', 'game "a"\nby "b"\n\noption c = 1\n'),
        ("players A, B\n  home: c\npiece d\n", "players A, B\n  home: c\npiece d\n"),
        ("define a = 1\ndefine b = 2\n", "define a = 1\ndefine b = 2\n"),
        ("turn a\n  pass\nturn b\n  pass\n", "turn a\n  pass\n\nturn b\n  pass\n"),
        ("piece d\nturn b\n  pass\n", "piece d\n\nturn b\n  pass\n"),
        ("piece d\n-- why\nturn b\n  pass\n", "piece d\n\n-- why\nturn b\n  pass\n"),
        ("piece d\n-- of d\n\nturn b\n  pass\n", "piece d\n-- of d\n\nturn b\n  pass\n"),
        ("turn a\n  pass\n\n\n  pass\n", "turn a\n  pass\n\n  pass\n"),
        ("\n\n-- a\n\n\n-- b\npiece c\n\n", "-- a\n\n-- b\npiece c\n"),
    ],
)
def test_blank_lines(text: str, expected: str) -> None:
    assert expected == formatted(text)


def test_the_tree_is_dumped_a_node_a_line() -> None:
    expected = (
        "File\n"
        "  items:\n"
        "    Turn\n"
        "      name = 'a'\n"
        "      together = False\n"
        "      template = None\n"
        "      joiner = None\n"
        "      body:\n"
        "        Remove\n"
        "          sites = Name\n"
        "            text = 'b'\n"
    )
    assert expected == dump(parse("turn a: remove b\n").file)
