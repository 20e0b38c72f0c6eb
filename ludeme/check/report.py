"""Where the checker collects what it has to say."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from ludeme.diagnostics import Diagnostic, Note, Span, did_you_mean


@attrs.define
class Report:
    """Diagnostics in the making. *tainted*: names of which nothing is said when unknown."""

    tainted: frozenset[str] = frozenset()
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

    def unknown(self, what: str, name: str, span: Span, known: Iterable[str]) -> None:
        """A name that nothing has; silent where its declaration could not be understood."""
        if name in self.tainted:
            return
        known = sorted(set(known))
        help_text = did_you_mean(name, known)
        if help_text is None and 0 < len(known) <= 8:
            help_text = "known here: " + ", ".join(f"`{word}`" for word in known)
        self.error("unknown-name", span, f"no {what} is called `{name}`", help_text)

    def _add(self, diagnostic: Diagnostic) -> None:
        for other in self.diagnostics:
            if other.code == diagnostic.code and other.span == diagnostic.span:
                return
        self.diagnostics.append(diagnostic)

    @property
    def has_errors(self) -> bool:
        """Whether any error was collected."""
        return any(d.severity == "error" for d in self.diagnostics)
