"""What operations mean that depend on their operands alone.

The checker folds constants with these and the interpreter calls them, so that each meaning is
stated once. Numbers are integers, sets integers with a bit for each member.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def divide(a: int, b: int) -> int:
    """Division rounded down. Raises ZeroDivisionError."""
    return a // b


def modulo(a: int, b: int) -> int:
    """The rest that goes with `divide`; has the sign of *b*. Raises ZeroDivisionError."""
    return a % b


def contains(member: int, members: int) -> bool:
    """Whether bit *member* of *members* is set; never for a negative number."""
    return member >= 0 and members >> member & 1 == 1


def within(part: int, whole: int) -> bool:
    """Whether *whole* holds all members of *part*."""
    return part & ~whole == 0


def lookup(table: tuple[Any, ...], index: int) -> Any:
    """Entry *index* of a table."""
    return table[index]


def family_count(family: tuple[int, ...]) -> int:
    """How many sets a family has."""
    return len(family)


PURE: dict[str, Callable[..., Any]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "not": lambda a: not a,
    "intersection": lambda a, b: a & b,
    "together": lambda a, b: a | b,
    "complement": lambda a, everything: everything & ~a,
    "member": contains,
    "within": within,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "mod": modulo,
    "negative": lambda a: -a,
    "min": min,
    "max": max,
    "abs": abs,
    "count": int.bit_count,
    "family_count": family_count,
    "some": lambda a: a != 0,
    "none": lambda a: a == 0,
    "single": lambda a: 1 << a,
    "range": lambda a, b: ((1 << (b - a + 1)) - 1) << a if a <= b else 0,
    "lookup": lookup,
    "others": lambda player, everybody: everybody & ~(1 << player),
}
