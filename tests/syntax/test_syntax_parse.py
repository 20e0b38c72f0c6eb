"""From text to tree: line ends, continuation, recovery, bounds."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludeme.syntax import Parsed, parse, parse_expression, tree
from ludeme.syntax.explain import parser
from tests.syntax.texts import CONSTA, TEXTS, mutated


def clean(text: str) -> tree.File:
    """The tree of a text without mistakes."""
    parsed = parse(text, "t")
    assert parsed.diagnostics == ()
    return parsed.file


def condition(text: str) -> tree.Expression:
    """The expression that *text* is."""
    value, parsed = parse_expression(text)
    assert parsed.diagnostics == ()
    assert value is not None
    return value


def codes(parsed: Parsed) -> list[str]:
    return [each.code for each in parsed.diagnostics]


def places(parsed: Parsed) -> list[str]:
    return [each.span.place for each in parsed.diagnostics]


# ---- lines


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "changed",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.rstrip("\n"),
        lambda text: text + "-- the end",
        lambda text: text.replace("\n", " \t\n") if "|" not in text else text,
    ],
    ids=["mark", "crlf", "cr", "no last line end", "comment at the end", "blanks at line ends"],
)
def test_line_ends_make_no_difference(text: str, changed: Callable[[str], str]) -> None:
    expected, found = clean(text), clean(changed(text))
    assert expected == found
    assert [i.span.line for i in expected.items] == [i.span.line for i in found.items]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_are_told_in_lines_and_columns_whatever_ends_a_line(end: str) -> None:
    text = end.join(["turn a", "", "  pass  -- why", "  put b om c", "  move", ""])
    assert places(parse("\ufeff" + text, "t")) == ["t:4:9", "t:5:7"]


@pytest.mark.parametrize(
    "text",
    [
        "turn a\n  require b\n    and c\n",
        "turn a\n  require b and\n    c\n",
        "turn a\n  require (b\n    and c)\n",
        "turn a\n  require b  -- one\n    -- two\n\n    and c  -- three\n",
    ],
)
def test_a_line_goes_on_where_it_cannot_end_or_the_next_cannot_begin(text: str) -> None:
    assert clean("turn a\n  require b and c\n") == clean(text)


def test_a_line_does_not_go_on_at_its_own_indentation() -> None:
    parsed = parse("turn a\n  require b and\n  pass\n", "t")
    assert places(parsed) == ["t:2:16"]
    assert len(parsed.file.items[0].body) == 2  # type: ignore[union-attr]


def test_rows_that_begin_with_a_joining_word_are_rows() -> None:
    (example,) = clean('example "e"\n  with size = 3\n  moves 2\n').items
    assert isinstance(example, tree.Example)
    assert [tree.WithOption, tree.MoveCount] == [type(fact) for fact in example.facts]
    (turn,) = clean("turn a\n  match b\n    else: pass\n").items
    assert isinstance(turn, tree.Turn)
    assert (tree.Match((tree.Name("b"),), (tree.MatchRow((), (tree.Pass(),)),)),) == turn.body


def test_comments_are_kept_with_their_places() -> None:
    text = '-- one\ngame "a -- b"  -- two\nregion r\n  | -- x\n  -- three\n  | y\n'
    parsed = parse(text)
    found = [(text[c.start : c.start + len(c.text)], c.alone) for c in parsed.comments]
    assert found == [("-- one", True), ("-- two", False), ("-- three", True)]
    assert [c.text for c in parsed.comments] == [each for each, _ in found]


def test_tabs_in_front_are_one_mistake_and_hide_no_other() -> None:
    parsed = parse("turn a\n\tpass\n\tput b om c\n", "t")
    assert codes(parsed) == ["tab", "syntax"]
    assert [tree.Pass(), tree.Hole()] == list(parsed.file.items[0].body)  # type: ignore[union-attr]


def test_tabs_within_a_line_are_blanks() -> None:
    assert clean("turn a\n  pass\n") == clean("turn\ta\t\n  pass\t\n")


# ---- expressions


@pytest.mark.parametrize(
    ("short", "bracketed"),
    [
        ("a or b and c", "a or (b and c)"),
        ("not a in b and c", "(not (a in b)) and c"),
        ("a + b * c - d", "(a + (b * c)) - d"),
        ("a - b - c", "(a - b) - c"),
        ("-a * b mod c", "((-a) * b) mod c"),
        ("a and some b", "a and (some b)"),
        ("no a or b", "(no a) or b"),
        ("some x in a has b and c or d", "some x in a has ((b and c) or d)"),
        ("a and some x in b has c", "a and (some x in b has c)"),
        ("a = sum b for x in c and d", "a = (sum b for x in (c and d))"),
        ("a + 1..b * 2", "(a + 1)..(b * 2)"),
        ("a = if b then c else d or e", "a = (if b then c else (d or e))"),
        ("best x in a by b, then c", "(best x in (a) by (b), then (c))"),
    ],
)
def test_binding(short: str, bracketed: str) -> None:
    assert condition(bracketed) == condition(short)


@pytest.mark.parametrize("text", ["a andb", "a orb", "andy and", "a inb"])
def test_words_are_read_whole(text: str) -> None:
    assert parse_expression(text)[0] is None


@pytest.mark.parametrize("name", ["andy", "order", "inner", "formed", "notes", "iffy", "top"])
def test_names_may_begin_as_words_of_the_language_do(name: str) -> None:
    value = condition(f"a and {name} or {name} in {name}(a)")
    assert isinstance(value, tree.Either)
    assert tree.Both(tree.Name("a"), tree.Name(name)) == value.left


@pytest.mark.parametrize("text", ["x = 3 from 1..4", "x: number = (3)\n    from 1..4"])
def test_first_value_and_range_of_a_variable(text: str) -> None:
    (found,) = clean(f"game has {text}\n").items
    assert isinstance(found, tree.Variable)
    assert tree.Number(3) == found.value
    assert tree.Range(tree.Number(1), tree.Number(4)) == found.range


# ---- going on after mistakes


def test_every_bad_line_is_told_once_and_the_good_ones_are_kept() -> None:
    text = (
        "game Bad\n"
        "piece stone\n"
        "turn a\n"
        "  choose b form c\n"
        "  pass\n"
        "  if b =\n"
        "    pass\n"
        "  else\n"
        "    pass\n"
        "  one of\n"
        "    - d: pass\n"
        "    pass\n"
        "    - e: pass e f\n"
        "  again\n"
        "end\n"
        "  next wins\n"
        "  draw by f\n"
    )
    parsed = parse(text, "t")
    assert places(parsed) == ["t:1:6", "t:4:12", "t:7:5", "t:12:5", "t:13:15", "t:16:12"]
    stone, turn, ends = parsed.file.items
    assert tree.Pieces((tree.Word("stone"),), False, ()) == stone
    first = tree.Bullet(tree.Word("d"), None, (tree.Pass(),), False)
    choices = tree.OneOf((first,))
    expected = (tree.Hole(), tree.Pass(), tree.Hole(), choices, tree.Again())
    assert isinstance(turn, tree.Turn)
    assert expected == turn.body
    assert isinstance(ends, tree.Ends)
    assert [finish.name.text for finish in ends.finishes] == ["f"]
    assert {"b", "c", "next"} <= parsed.tainted
    assert "stone" not in parsed.tainted


def test_a_bad_first_line_costs_its_item_alone() -> None:
    parsed = parse("trun a\n  pass\n  put b om c\n\nturn d\n  pass\n", "t")
    assert places(parsed) == ["t:1:1"]
    assert [tree.Turn(tree.Word("d"), False, None, None, (tree.Pass(),))] == list(parsed.file.items)


def test_an_open_bracket_hides_what_follows_from_it() -> None:
    assert codes(parse("turn a\n  require b(c and\n    d\n  pass\n")) == ["bracket"]


def test_messages_stop_after_a_while() -> None:
    assert len(parse("turn a\n" + "  put\n" * 200).diagnostics) == 25


# ---- bounds


def seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


@pytest.mark.parametrize(
    "text",
    [
        "(" * 200 + "a" + ")" * 200,
        "(" * 5_000,
        "f(" * 61 + "a" + ")" * 61,
        "not " * 5_000 + "a",
        "- " * 5_000 + "a",
        "a" + " or a" * 5_000,
        "if a then b else " * 2_000 + "c",
        "some x in a has " * 2_000 + "c",
    ],
    ids=lambda text: text[:8],
)
def test_what_is_too_deep_is_told_and_quickly(text: str) -> None:
    parse("turn a\n  pass\n")
    began = time.perf_counter()
    parsed = parse(f"define a = {text}\n\npiece stone\n", "t")
    assert time.perf_counter() - began < 2
    assert {"too-deep", "bracket"} & set(codes(parsed))
    assert tree.Pieces((tree.Word("stone"),), False, ()) == parsed.file.items[-1]


def test_brackets_within_the_bound_are_fine() -> None:
    assert condition("a") == condition("(" * 60 + "a" + ")" * 60)
    clean("define a = " + "f(" * 60 + "a" + ")" * 60)


def test_deep_blocks_are_told() -> None:
    text = "turn a\n" + "".join("  " * i + "if a\n" for i in range(1, 120)) + "  " * 120 + "pass\n"
    assert codes(parse(text)) == ["too-deep"]


@pytest.mark.parametrize(
    "text",
    [
        CONSTA * 43,
        "turn a\n" + "  choose b from c where d = e\n" * 2_000,
        "turn a\n" + "  choose b form c where d = e\n" * 2_000,
        "define a =\n" + "  b and\n" * 2_000 + "  c\n",
        "turn a\n" + "  if a\n    pass\n  else\n    put b\n" * 500,
        "region r = {\n" + "  a1,\n" * 2_000 + "  b1}\n",
    ],
    ids=["items", "one item", "mistakes", "one line", "blocks", "one set"],
)
def test_two_thousand_lines_are_read_in_time(text: str) -> None:
    assert text.count("\n") >= 2_000
    assert seconds(lambda: parse(text)) < 5


def test_a_text_that_is_too_large_is_refused() -> None:
    assert codes(parse("-- comment\n" * 20_000)) == ["too-large"]


def test_numbers_have_a_bound_in_printed_forms_as_well() -> None:
    assert codes(parse('turn a as "{' + "9" * 5_000 + '}"\n  pass\n')) == ["number-size"]
    clean("define a = " + "9" * 18)


# ---- anything at all

_TERMINALS = frozenset(t.name for t in parser().terminals if len(t.name) > 1)


def check_anything(text: str) -> None:
    """A text is parsed in time, into a tree or mistakes within it told in a designer's words."""
    began = time.perf_counter()
    parsed = parse(text, "t")
    assert time.perf_counter() - began < 2
    for each in parsed.diagnostics:
        assert 0 <= each.span.start <= each.span.end <= len(parsed.source.text)
        said = f"{each.message} {each.help}"
        written = set(re.findall(r"\w+", text))
        assert not (set(re.findall(r"\b_?[A-Z][A-Z_]+\b", said)) & _TERMINALS) - written
        str(each)


@settings(deadline=None)
@given(mutated())
def test_a_mutated_text_is_parsed(text: str) -> None:
    check_anything(text)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_parsed(text: str) -> None:
    check_anything(text)


@settings(deadline=None)
@given(st.text('turn a\n  (){}"=-|:,', max_size=60))
def test_any_text_of_signs_is_parsed(text: str) -> None:
    check_anything(f"turn a\n  {text}")
    parse_expression(text)
