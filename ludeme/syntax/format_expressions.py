"""Expressions as text: brackets only where the grammar needs them, breaks only where it joins.

A rank below says how tightly a form binds, as the rules of the grammar are nested. A form that ends
in a binder (`those`, `sum`, `if`, ...) is *open*: it reaches as far to the right as it can, so
where something follows it stands in brackets.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from ludeme.syntax import tree
from ludeme.syntax.wrapping import BREAK, SOFT, Group, Nest, Text, flat, join

_OR, _AND, _NOT, _COMPARE, _RANGE, _SUM, _TERM, _UNARY, _ATOM = range(1, 10)

_RANKS: dict[type[tree.Node], int] = {
    tree.Either: _OR,
    tree.Both: _AND,
    tree.Not: _NOT,
    tree.Any: _NOT,
    tree.Compare: _COMPARE,
    tree.Within: _COMPARE,
    tree.Ability: _COMPARE,
    tree.Range: _RANGE,
    tree.Negative: _UNARY,
    tree.Quantified: _UNARY,
    tree.Those: _UNARY,
    tree.Fold: _UNARY,
    tree.Best: _UNARY,
    tree.Conditional: _UNARY,
}
_BINDERS = (tree.Quantified, tree.Those, tree.Fold, tree.Best, tree.Conditional)


def _rank(node: tree.Expression) -> int:
    if isinstance(node, tree.Arithmetic):
        return _SUM if node.operator in "+-" else _TERM
    return _RANKS.get(type(node), _ATOM)


def expression(node: tree.Expression) -> Text:
    """The text of an expression where any may stand."""
    return _slot(node, _OR, open_end=True)


def closed(node: tree.Expression) -> Text:
    """The text of an expression where more may follow it and `or` may stand."""
    return _slot(node, _OR, open_end=False)


def closed_sum(node: tree.Expression) -> Text:
    """The text of an expression where the grammar takes a sum or a set by name."""
    return _slot(node, _SUM, open_end=False)


def atom(node: tree.Expression) -> Text:
    """The text of an expression where one word or brackets are asked for."""
    return _slot(node, _ATOM, open_end=False)


def amount(node: tree.Expression) -> Text:
    """The text of how many to choose: a number, a name, or brackets."""
    return atom(node) if isinstance(node, tree.Number | tree.Name) else _bracketed(node)


def listed(parts: Iterable[Text]) -> Text:
    """Parts with commas, which go on below one another if they have no room."""
    return Group(join((",", BREAK), parts))


def enclosed(opener: str, parts: Iterable[Text], closer: str) -> Text:
    """Parts with commas in brackets; the closing one never begins a line."""
    parts = tuple(parts)
    if len(parts) == 1:
        return (opener, parts[0], closer)
    return Group((opener, Nest((SOFT, listed(parts))), closer))


def call(name: str, arguments: Iterable[tree.Argument]) -> Text:
    """`name(a, from b)`."""
    return enclosed(f"{name}(", (argument(each) for each in arguments), ")")


def argument(node: tree.Argument) -> Text:
    """A value with the label before it, if it has one."""
    value = expression(node.value)
    return value if node.label is None else (f"{node.label} ", value)


def template(node: tree.Template) -> str:
    """A printed form with its quotes."""
    parts = (
        part if isinstance(part, str) else "{" + flat(expression(part)) + "}" for part in node.parts
    )
    return '"' + "".join(parts) + '"'


def _slot(node: tree.Expression, least: int, *, open_end: bool) -> Text:
    """The text of *node* where a rank of at least *least* is needed."""
    if _rank(node) < least or (isinstance(node, _BINDERS) and not open_end):
        return _bracketed(node)
    return _bare(node, open_end)


def _bracketed(node: tree.Expression) -> Text:
    return ("(", Nest(_bare(node, True)), ")")


@singledispatch
def _bare(node: tree.Node, open_end: bool) -> Text:
    """The text of *node* without brackets around it; *open_end*: it may end in a binder."""
    raise TypeError(f"{type(node).__name__} is no expression")


@_bare.register
def _number(node: tree.Number, open_end: bool) -> Text:
    return str(node.value)


@_bare.register
def _truth(node: tree.Truth, open_end: bool) -> Text:
    return "true" if node.value else "false"


@_bare.register
def _name(node: tree.Name, open_end: bool) -> Text:
    return node.text


@_bare.register
def _call(node: tree.Call, open_end: bool) -> Text:
    return call(node.name.text, node.arguments)


@_bare.register
def _set_of(node: tree.SetOf, open_end: bool) -> Text:
    return enclosed("{", (expression(member) for member in node.members), "}")


@_bare.register
def _range(node: tree.Range, open_end: bool) -> Text:
    low, high = closed_sum(node.low), closed_sum(node.high)
    simple = all(_rank(end) >= _UNARY for end in (node.low, node.high))
    return (low, ".." if simple else " .. ", high)


@_bare.register
def _not(node: tree.Not, open_end: bool) -> Text:
    return ("not ", _slot(node.operand, _NOT, open_end=open_end))


@_bare.register
def _negative(node: tree.Negative, open_end: bool) -> Text:
    # Two dashes would begin a comment.
    doubled = isinstance(node.operand, tree.Negative)
    return ("-", atom(node.operand) if doubled else _slot(node.operand, _UNARY, open_end=False))


@_bare.register
def _any(node: tree.Any, open_end: bool) -> Text:
    return ("no " if node.negated else "some ", closed_sum(node.operand))


@_bare.register
def _either(node: tree.Either, open_end: bool) -> Text:
    return _joined(node, "or", _AND, open_end)


@_bare.register
def _both(node: tree.Both, open_end: bool) -> Text:
    return _joined(node, "and", _NOT, open_end)


def _joined(node: tree.Either | tree.Both, word: str, least: int, open_end: bool) -> Text:
    """A chain of one operator, broken before each or nowhere."""
    rights: list[Text] = []
    left: tree.Expression = node
    while isinstance(left, tree.Either | tree.Both) and type(left) is type(node):
        rights.append(_slot(left.right, least, open_end=open_end and left is node))
        left = left.left
    parts: list[Text] = [Nest(_slot(left, least, open_end=False))]
    for right in reversed(rights):
        parts.append((BREAK, f"{word} ", Nest(right)))
    return Group(tuple(parts))


@_bare.register
def _compare(node: tree.Compare, open_end: bool) -> Text:
    return _beside(node.left, f"{node.operator} ", node.right, open_end)


@_bare.register
def _within(node: tree.Within, open_end: bool) -> Text:
    if not node.negated:
        return _beside(node.left, "in ", node.right, open_end)
    # A line that begins with `not` would not be joined to the one above.
    right = _slot(node.right, _RANGE, open_end=open_end)
    return Group((_slot(node.left, _RANGE, open_end=False), " not in", Nest((BREAK, right))))


def _beside(left: tree.Expression, sign: str, right: tree.Expression, open_end: bool) -> Text:
    second = Nest((BREAK, sign, _slot(right, _RANGE, open_end=open_end)))
    return Group((_slot(left, _RANGE, open_end=False), second))


@_bare.register
def _ability(node: tree.Ability, open_end: bool) -> Text:
    word = "cannot" if node.negated else "can"
    return (_slot(node.player, _RANGE, open_end=False), f" {word} {node.turn.text}")


@_bare.register
def _arithmetic(node: tree.Arithmetic, open_end: bool) -> Text:
    # Broken behind the operator: a line that begins with `-` is not joined to the one above.
    rank = _rank(node)
    left = _slot(node.left, rank, open_end=False)
    right = _slot(node.right, rank + 1, open_end=open_end)
    return Group((left, f" {node.operator}", Nest((BREAK, right))))


@_bare.register
def _quantified(node: tree.Quantified, open_end: bool) -> Text:
    return _bound(node.quantifier, node, "has", node.condition)


@_bare.register
def _those(node: tree.Those, open_end: bool) -> Text:
    return _bound("those", node, "where", node.condition)


def _bound(
    word: str, node: tree.Quantified | tree.Those, link: str, condition: tree.Expression
) -> Text:
    head = (f"{word} {node.variable.text} in ", expression(node.domain))
    return Group((head, Nest((BREAK, f"{link} ", expression(condition)))))


@_bare.register
def _fold(node: tree.Fold, open_end: bool) -> Text:
    value = closed(node.value) if node.kind == "union" else closed_sum(node.value)
    head = (f"{node.kind} ", value, f" for {node.variable.text} in ", expression(node.domain))
    if node.otherwise is None:
        return head
    return Group((head, Nest((BREAK, "else ", expression(node.otherwise)))))


@_bare.register
def _best(node: tree.Best, open_end: bool) -> Text:
    head = (f"best {node.variable.text} in ", expression(node.domain))
    return Group((head, Nest((BREAK, "by ", ranked(node.keys)))))


def ranked(keys: Iterable[tree.Expression]) -> Text:
    """`a, then b`: keys of which a later one decides where the earlier are equal."""
    return Group(join((",", BREAK, "then "), map(closed_sum, keys)))


@_bare.register
def _conditional(node: tree.Conditional, open_end: bool) -> Text:
    branches = (BREAK, "then ", expression(node.then), BREAK, "else ", expression(node.otherwise))
    return Group(("if ", expression(node.condition), Nest(branches)))
