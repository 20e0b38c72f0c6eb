"""From the text of a description to its syntax tree."""

from ludeme.syntax.parser import Parsed, parse, parse_expression

__all__ = ["Parsed", "parse", "parse_expression"]
