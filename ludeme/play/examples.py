"""The examples of a description, run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NoReturn

import attrs

from ludeme.check import Checked
from ludeme.check.program import Example, Fact, Program
from ludeme.diagnostics import DescriptionFault, Diagnostic, Note, Span, did_you_mean
from ludeme.machine import Cells, Decide, Machine, Result
from ludeme.machine.layout import clear_scratch
from ludeme.machine.why import Describe, reasons
from ludeme.machine.words import strange_words

Check = Callable[[Mapping[str, object]], Checked]


@attrs.frozen
class Ran:
    """An example that was run. *failure*: the first fact that does not hold, None if all do."""

    title: str
    span: Span
    failure: Diagnostic | None


def checked_sets(check: Check, options: Mapping[str, object]) -> Iterator[Checked]:
    """The description checked for each set of options that its examples are about.

    *check* checks it with options. First come the *options* asked for; if there are none, all sets
    that an example names follow, so that every example is in the program of one of them.
    """
    first = check(options)
    yield first
    if not options:
        for others in first.example_options:
            yield check(others)


def run_examples(programs: Sequence[Program]) -> list[Ran]:
    """Run all examples of a description, once each, in the order in which they stand.

    *programs*: what `checked_sets` gave.
    """
    found: dict[tuple[str, int], Ran] = {}
    for program in programs:
        machine = Machine(program)
        for example in program.examples:
            place = (example.span.source.name, example.span.start)
            if place not in found:
                found[place] = run_example(machine, example)
    return [found[place] for place in sorted(found)]


def run_example(machine: Machine, example: Example) -> Ran:
    """Run one example, from the first state to the first fact that fails."""
    running = _Running(machine)
    for fact in example.facts:
        failure = running.look_at(fact)
        if failure is not None:
            return Ran(example.title, example.span, _in_example(failure, example))
    return Ran(example.title, example.span, None)


def _in_example(failure: Diagnostic, example: Example) -> Diagnostic:
    head = example.span.text.split("\n")[0]
    span = Span(example.span.source, example.span.start, example.span.start + len(head))
    return attrs.evolve(failure, notes=(*failure.notes, Note(span, "in this example")))


class _FactError(Exception):
    """A fact that does not hold."""

    def __init__(
        self, span: Span, message: str, notes: Sequence[Note] = (), help: str | None = None
    ) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic("example", span, message, tuple(notes), help)


class _Running:
    """An example in progress. *cells*: the state that its facts have led to."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.players = machine.program.players
        self.state: Cells | None = None

    @property
    def cells(self) -> Cells:
        if self.state is None:
            self.state = self.machine.start()
        return self.state

    def look_at(self, fact: Fact) -> Diagnostic | None:
        """Carry out or test one fact; why it does not hold, or None."""
        try:
            self._look_at(fact)
        except _FactError as failed:
            return failed.diagnostic
        except DescriptionFault as error:
            found = error.diagnostic
            note = Note(found.span, "it happens here")
            return Diagnostic("example", fact.span, found.message, (note,), found.help)
        return None

    def _look_at(self, fact: Fact) -> None:
        match fact.kind:
            case "given":
                self.given(fact)
            case "to_move":
                self.to_move(fact)
            case "play":
                self.play(fact)
            case "legal" | "illegal":
                for text, span in fact.texts:
                    self.legality(fact, text, span)
            case "moves":
                self.count(fact)
            case "outcome":
                self.outcome(fact)
            case "expect":
                self.expect(fact)
            case _:
                raise AssertionError(fact)

    # ---- the position

    def given(self, fact: Fact) -> None:
        cells = self.scratch(len(self.players))
        self.machine.effects.block(fact.block)(cells)
        clear_scratch(self.machine.layout, cells)
        self.machine.begin_history(cells)
        self.state = cells

    def scratch(self, mover: int) -> Cells:
        """A copy of the state, with no turn in progress."""
        cells = self.cells[:]
        clear_scratch(self.machine.layout, cells)
        cells[self.machine.layout.mover] = mover
        return cells

    def to_move(self, fact: Fact) -> None:
        assert fact.player is not None
        turn = fact.turn
        if turn is None:
            if self.machine.is_over(self.cells):
                self.fail(fact.span, "the game is over, so it is not known which turn is meant")
            turn = self.machine.step(self.cells).turn
        cells = self.cells[:]
        cells[self.machine.layout.result] = None
        steps = self.machine.flow.script.decisions()
        for index, step in self._own_first(steps):
            if step.turn == turn and self.fits(cells, step, fact.player):
                cells[self.machine.layout.step] = index
                together = step.kind == "together"
                cells[self.machine.layout.decider] = len(self.players) if together else fact.player
                clear_scratch(self.machine.layout, cells)
                self.machine.begin_history(cells)
                self.state = cells
                return
        name = self.machine.decider_name(fact.player)
        self.fail(fact.span, *self._never(steps, turn, name, fact.turn is None))

    def _own_first(self, steps: list[tuple[int, Decide]]) -> list[tuple[int, Decide]]:
        """The steps, that at which the state stands before the others."""
        here = self.cells[self.machine.layout.step]
        return sorted(steps, key=lambda pair: pair[0] != here)

    def fits(self, cells: Cells, step: Decide, player: int) -> bool:
        """Whether a player can be the one who decides at a step."""
        if (step.kind == "chance") != (player == len(self.players)):
            return False
        if step.player is None:
            return True
        copy = cells[:]
        clear_scratch(self.machine.layout, copy)
        return bool(step.player(copy) == player)

    def _never(
        self, steps: list[tuple[int, Decide]], turn: str, name: str, guessed: bool
    ) -> tuple[str, tuple[Note, ...], str | None]:
        own = [step for _, step in steps if step.turn == turn]
        word = f"`{turn}`" if turn else "this turn"
        message = f"{name} does not take {word} here"
        if not own:
            message = f"nobody takes {word} in `play`"
        notes = tuple(Note(s.span, "it is taken here") for s in own if s.span.source.name)
        others = list(dict.fromkeys(step.turn for _, step in steps if step.turn != turn))
        help_text = None
        if guessed and others:
            help_text = f"say which turn is meant, for example `{name} to move in {others[0]}`"
        return message, notes, help_text

    # ---- moves

    def play(self, fact: Fact) -> None:
        ((moves, _),) = fact.texts
        offset = 0
        for part in moves.split(";"):
            text = part.strip()
            start = offset + len(part) - len(part.lstrip())
            self.state = self.decide(text, _inside(fact.span, moves, start, text))
            offset += len(part) + 1

    def decide(self, decision: str, span: Span) -> Cells:
        cells = self.cells
        deciders = self.machine.deciders(cells)
        if not deciders:
            self.fail(span, f"the game is over before `{decision}`: {self._outcome_text()}")
        ends = [
            self.end_of(player, text, span)
            for player, text in zip(deciders, self.parts(decision, span), strict=True)
        ]
        return self.machine.play(cells, ends)

    def parts(self, decision: str, span: Span) -> list[str]:
        """The move of each decider."""
        deciders = self.machine.deciders(self.cells)
        parts = [part.strip() for part in decision.split("|")]
        if len(parts) != len(deciders):
            names = self._names(deciders)
            if len(deciders) == 1:
                self.fail(span, f"{names} decides alone here: one move, without `|`")
            self.fail(span, f"{names} decide together here: their moves are joined by ` | `")
        return parts

    def end_of(self, player: int, text: str, span: Span) -> Cells:
        """What a move ends in; fails with the reasons if it is not legal."""
        cells = self.cells
        end = self.machine.find(cells, player, text)
        if end is not None:
            return end
        name = self.machine.decider_name(player)
        turn = self.machine.turn(cells)
        found = reasons(turn, cells, player, text)
        if found:
            notes = [Note(reason.span, reason.message) for reason in found]
            self.fail(span, f"`{text}` is not legal for {name}", notes)
        legal = turn.moves(cells, player)
        help_text = did_you_mean(text, legal)
        if help_text is None and legal:
            help_text = f"a legal move is `{legal[0]}`"
        where = f" in turn `{turn.turn.name}`" if turn.turn.name else ""
        self.fail(span, f"`{text}` is no move of {name}{where}", help=help_text)

    def legality(self, fact: Fact, text: str, span: Span) -> None:
        legal = fact.kind == "legal"
        deciders = self.machine.deciders(self.cells)
        if not deciders:
            if legal:
                self.fail(span, f"the game is over: {self._outcome_text()}")
            return
        if fact.player is None:
            pairs = list(zip(deciders, self.parts(text, span), strict=True))
        elif fact.player in deciders:
            pairs = [(fact.player, text)]
        else:
            if legal:
                name, others = self.machine.decider_name(fact.player), self._names(deciders)
                self.fail(span, f"{name} does not decide here, but {others}")
            return
        if legal:
            for player, move in pairs:
                self.end_of(player, move, span)
            return
        if all(self.machine.find(self.cells, p, move) is not None for p, move in pairs):
            self.fail(span, f"`{text}` is legal")
        for _, move in pairs:
            self.understood(move, span)

    def understood(self, text: str, span: Span) -> None:
        """A text that no move can ever print is a slip, not an illegal move."""
        turn = self.machine.turn(self.cells).turn
        strange = strange_words(self.machine.program, turn, text)
        if strange:
            words = ", ".join(f"`{word}`" for word in strange)
            self.fail(span, f"no move of turn `{turn.name}` is ever written with {words}")

    def count(self, fact: Fact) -> None:
        deciders = self.machine.deciders(self.cells)
        player = fact.player
        if player is None and len(deciders) > 1:
            names = self._names(deciders)
            help_text = f"for example `moves {fact.count} for {self.players[0]}`"
            self.fail(fact.span, f"{names} decide together: say whose moves", help=help_text)
        if player is None and deciders:
            player = deciders[0]
        found = 0
        if player is not None and player in deciders:
            found = self.machine.turn(self.cells).count(self.cells, player)
        if found != fact.count:
            whose = f" of {self.machine.decider_name(player)}" if player is not None else ""
            over = f"; the game is over: {self._outcome_text()}" if not deciders else ""
            self.fail(fact.span, f"there are {found} legal moves{whose}, not {fact.count}{over}")

    # ---- claims about the state

    def outcome(self, fact: Fact) -> None:
        ((kind, _),) = fact.texts
        result = self.machine.result(self.cells)
        if kind == "none":
            holds = result is None
        else:
            winner = fact.player if kind == "wins" else None
            holds = result is not None and (result.winner, result.name) == (winner, fact.name)
        if not holds:
            self.fail(fact.span, self._outcome_text())

    def _outcome_text(self) -> str:
        return outcome_text(self.players, self.machine.result(self.cells))

    def expect(self, fact: Fact) -> None:
        condition = fact.condition
        assert condition is not None
        deciders = self.machine.deciders(self.cells)
        mover = deciders[0] if len(deciders) == 1 else len(self.players)
        if not self.machine.expressions.compile(condition)(self.scratch(mover)):
            describe = Describe(self.machine.effects)
            self.fail(*describe.failing(condition, self.scratch(mover)))

    # ---- words

    def _names(self, players: Sequence[int]) -> str:
        return " and ".join(map(self.machine.decider_name, players))

    def fail(
        self, span: Span, message: str, notes: Sequence[Note] = (), help: str | None = None
    ) -> NoReturn:
        raise _FactError(span, message, notes, help)


def outcome_text(players: Sequence[str], result: Result | None) -> str:
    """An outcome in words."""
    if result is None:
        return "the game is not over"
    if result.winner is None:
        return f"it is a draw by {result.name}"
    return f"{players[result.winner]} wins by {result.name}"


def _inside(span: Span, text: str, offset: int, part: str) -> Span:
    """The place of a part of a quoted text."""
    found = span.text.find(f'"{text}"')
    if found < 0 or not part:
        return span
    start = span.start + found + 1 + offset
    return Span(span.source, start, start + len(part))
