"""The types of the language."""

from __future__ import annotations

import attrs


@attrs.frozen
class Type:
    """A type; *element* is what a set holds, *name* the declaration of a choice type."""

    kind: str
    element: Type | None = None
    name: str = ""

    def __str__(self) -> str:
        if self.kind == "set":
            return f"set of {_PLURALS.get(str(self.element), f'{self.element}s')}"
        if self.kind == "choice":
            return f"`{self.name}`"
        return self.kind

    @property
    def spoken(self) -> str:
        """With an article, as messages say it."""
        if self.kind == "hole":
            return "anything"
        if self.kind == "choice":
            return f"a value of `{self.name}`"
        if self.kind == "set":
            return f"a {self}"
        return f"a {self}"


_PLURALS = {"number": "numbers", "family": "families"}

NUMBER = Type("number")
TRUTH = Type("truth")
SITE = Type("site")
PLAYER = Type("player")
KIND = Type("kind")
DIRECTION = Type("direction")
FAMILY = Type("family")
LINKS = Type("relation")
HOLE = Type("hole")


def set_of(element: Type) -> Type:
    """The type of sets of *element*."""
    return Type("set", element)


def choice(name: str) -> Type:
    """The type of a declared list of values."""
    return Type("choice", None, name)


SITES = set_of(SITE)
PLAYERS = set_of(PLAYER)
KINDS = set_of(KIND)
DIRECTIONS = set_of(DIRECTION)
NUMBERS = set_of(NUMBER)
EMPTY_SET = set_of(HOLE)

BY_NAME = {
    "number": NUMBER,
    "truth": TRUTH,
    "site": SITE,
    "sites": SITES,
    "player": PLAYER,
    "players": PLAYERS,
    "kind": KIND,
    "kinds": KINDS,
    "direction": DIRECTION,
    "directions": DIRECTIONS,
    "numbers": NUMBERS,
    "family": FAMILY,
}
"""The types that a parameter or a variable can be declared with, beside declared choices."""
