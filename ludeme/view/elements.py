"""SVG elements as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]


def element(name: str, children: Iterable[str] = (), /, **attributes: str | float) -> str:
    """An element. Underscores in the names of attributes stand for hyphens."""
    head = name + "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_shown(value))}"
        for key, value in attributes.items()
    )
    inner = "".join(children)
    return f"<{head}>{inner}</{name}>" if inner else f"<{head}/>"


def words(text: str) -> str:
    """Text as content; characters that XML cannot hold are replaced."""
    return escape(_printable(text))


def text_at(point: Point, text: str, size: float, colour: str, **more: str | float) -> str:
    """Text centred on a point, unless `text_anchor` says otherwise."""
    attributes: dict[str, str | float] = {"text_anchor": "middle", **more}
    # A capital letter is 0.7 em high, so that its middle is 0.35 em above the base line.
    return element(
        "text", [words(text)], x=point[0], y=point[1] + 0.35 * size, font_size=size, fill=colour,
        **attributes,
    )  # fmt: skip


def circle(point: Point, radius: float, **more: str | float) -> str:
    """A circle."""
    return element("circle", cx=point[0], cy=point[1], r=radius, **more)


def polygon(points: Sequence[Point], **more: str | float) -> str:
    """A closed outline."""
    shown = " ".join(f"{_shown(x)},{_shown(y)}" for x, y in points)
    return element("polygon", points=shown, **more)


def box(left: float, top: float, width: float, height: float, **more: str | float) -> str:
    """A rectangle."""
    return element("rect", x=left, y=top, width=width, height=height, **more)


def _shown(value: str | float) -> str:
    if isinstance(value, str):
        return _printable(value)
    return f"{round(value, 2):.2f}".rstrip("0").rstrip(".")


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}"
                   for char in text)  # fmt: skip
