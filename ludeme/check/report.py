"""Where the checker collects what it has to say."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from ludeme.diagnostics import Diagnostic, Note, Severity, Span, did_you_mean

MOST_TOLD = 50
"""Errors, and warnings, that are told of one description."""
MOST_ALIKE = 400
"""Names that are compared letter by letter with one that is unknown."""


@attrs.define
class Report:
    """Diagnostics in the making.

    *tainted*: names of which nothing is said when unknown. *unsure*: the board is not known, so
    any name may be a word of it.
    """

    tainted: frozenset[str] = frozenset()
    unsure: bool = False
    diagnostics: list[Diagnostic] = attrs.field(factory=list)

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        help: str | None = None,
        notes: Iterable[Note] = (),
    ) -> None:
        """Collect an error, once for each place and code."""
        self._add(Diagnostic(code, span, message, tuple(notes), help))

    def warning(
        self,
        code: str,
        span: Span,
        message: str,
        help: str | None = None,
        notes: Iterable[Note] = (),
    ) -> None:
        """Collect a warning."""
        self._add(Diagnostic(code, span, message, tuple(notes), help, "warning"))

    def taint(self, name: str) -> None:
        """Say nothing of a name whose declaration is wrong."""
        self.tainted |= {name}

    def unknown(self, what: str, name: str, span: Span, known: Iterable[str]) -> None:
        """A name that nothing has; silent where its declaration could not be understood."""
        if name in self.tainted or self.unsure or self.is_full("error"):
            return
        known = sorted(set(known))
        help_text = did_you_mean(name, _likely(name, known))
        if help_text is None and 0 < len(known) <= 8:
            help_text = "known here: " + ", ".join(f"`{word}`" for word in known)
        self.error("unknown-name", span, f"no {what} is called `{name}`", help_text)

    def empty_range(self, span: Span, low: int, high: int) -> None:
        """A range in which no number lies."""
        self.error(
            "range",
            span,
            f"the range {low}..{high} is empty",
            help="the smaller number comes first",
        )

    def is_full(self, severity: Severity) -> bool:
        """Whether so much was said that nobody would read more."""
        return sum(d.severity == severity for d in self.diagnostics) >= MOST_TOLD

    def _add(self, diagnostic: Diagnostic) -> None:
        if self.is_full(diagnostic.severity):
            return
        for other in self.diagnostics:
            if (other.code, other.span, other.message) == (
                diagnostic.code,
                diagnostic.span,
                diagnostic.message,
            ):
                return
        self.diagnostics.append(diagnostic)

    @property
    def error_count(self) -> int:
        """How many errors were collected."""
        return sum(d.severity == "error" for d in self.diagnostics)

    @property
    def has_errors(self) -> bool:
        """Whether any error was collected."""
        return self.error_count > 0


def _likely(name: str, known: list[str]) -> list[str]:
    """The names that a misspelt one may be meant for; of very many, those that begin alike."""
    if len(known) <= MOST_ALIKE:
        return known
    return [other for other in known if other[:1] == name[:1]][:MOST_ALIKE]
