"""Positions as text, and boards as pictures for the terminal and as SVG."""

from ludeme.view.picture import draw_text
from ludeme.view.position import read_position, write_position
from ludeme.view.svg import draw_svg

__all__ = ["draw_svg", "draw_text", "read_position", "write_position"]
