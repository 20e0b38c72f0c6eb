"""Colours of pictures, and how well they stand out from one another."""

from __future__ import annotations

from collections.abc import Sequence

BACKGROUND = "#f7f4ee"
INK = "#1f1b16"
CELL = "#e6d7b8"
MARKED = "#bcdce8"
LINK = "#8a7b62"
NOBODY = "#9aa0a6"
BADGE = "#fffdf7"

_NAMED = {
    "black": "#1c1c1c",
    "dark": "#1c1c1c",
    "white": "#ffffff",
    "light": "#ffffff",
    "red": "#c62828",
    "blue": "#1e5fbf",
    "green": "#2e7d32",
    "yellow": "#f9d648",
    "orange": "#ef7d1a",
    "purple": "#7b3fa0",
    "violet": "#7b3fa0",
    "pink": "#f28fb5",
    "brown": "#6d4326",
    "grey": "#6b6f73",
    "gray": "#6b6f73",
    "gold": "#d9a514",
    "silver": "#c3c8cc",
}
"""Players who are called by a colour have it."""

_PALETTE = (
    "#ffffff", "#1c1c1c", "#c62828", "#1e5fbf", "#2e7d32", "#f9d648", "#7b3fa0", "#ef7d1a",
    "#f28fb5", "#6d4326", "#33b8c4", "#a5c93a", "#3a4a8c", "#c3c8cc", "#8c1d5a", "#0f6b63",
)  # fmt: skip
"""The others have these in order, as far as they are free; one for each possible player."""


def player_colours(players: Sequence[str]) -> tuple[str, ...]:
    """A colour for each player, all different."""
    found: dict[int, str] = {}
    for number, name in enumerate(players):
        colour = _NAMED.get(name.casefold())
        if colour is not None and colour not in found.values():
            found[number] = colour
    for number in range(len(players)):
        if number not in found:
            free = (colour for colour in _PALETTE if colour not in found.values())
            found[number] = next(free)
    return tuple(found[number] for number in range(len(players)))


def luminance(colour: str) -> float:
    """The relative luminance of ``#rrggbb`` as WCAG 2.1 defines it, 0 for black, 1 for white."""
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21; text is easy to read from 4.5 on."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour; at least 4.58 on any."""
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, colour))
