"""The register of board shapes, and how one is made from its name and numbers."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from ludeme.board import hexagon, parallelogram, square, star, triangle, wheel
from ludeme.board.board import Board, check_size, number
from ludeme.board.errors import BoardError
from ludeme.board.shape import Shape

SHAPES: Mapping[str, Shape] = {
    module.SHAPE.name: module.SHAPE
    for module in (
        square,
        hexagon,
        parallelogram,
        triangle,
        star,
        wheel,
    )
}

_WORDS = ("no", "one", "two", "three", "four")


def build(name: str, arguments: Sequence[int]) -> Board:
    """Return the board of shape *name* made from *arguments*.

    BoardError if there is no such shape, the number of arguments is wrong, one is
    too low, or the board would have more than MAX_SITES sites; all this is known
    before anything is made, however large the arguments are.
    """
    shape = _shape(name)
    _check_number(shape, len(arguments))
    for (parameter, lowest, _), argument in zip(shape.parameters, arguments, strict=False):
        if argument < lowest:
            raise BoardError(_too_low(shape, parameter, lowest, argument))
    call = f"{name}({', '.join(map(number, arguments))})"
    check_size(shape.count(*arguments), call)
    return shape.build(*arguments)


def _shape(name: str) -> Shape:
    if name in SHAPES:
        return SHAPES[name]
    near = difflib.get_close_matches(name, SHAPES, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"the shapes are {', '.join(SHAPES)}"
    raise BoardError(f"there is no board shape called `{name}`; {hint}")


def _check_number(shape: Shape, given: int) -> None:
    if shape.least <= given <= shape.most:
        return
    wanted = " or ".join(_WORDS[n] for n in range(shape.least, shape.most + 1))
    numbers = "number" if shape.most == 1 else "numbers"
    names = ", ".join(parameter for parameter, _, _ in shape.parameters)
    raise BoardError(f"{shape.name} takes {wanted} {numbers} ({names}); {given} given")


def _too_low(shape: Shape, parameter: str, lowest: int, argument: int) -> str:
    """Return the message for an argument below its lowest: numbers of things, or lengths."""
    shown = number(argument)
    if not parameter.endswith("s"):
        return f"a {shape.name} needs a {parameter} of at least {lowest}; this is {shown}"
    things = parameter if lowest != 1 else parameter[:-1]
    return f"a {shape.name} needs at least {lowest} {things}; this has {shown}"
