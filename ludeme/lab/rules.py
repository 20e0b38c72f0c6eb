"""The rules of a description, each with how often it came to pass: counts read against the program.

A `Tally` numbers what is counted; here the numbers become rules as a designer knows them, each with
the line on which it stands, its chances and how often it came to pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

from ludeme.check import program
from ludeme.check.walking import blocks_of, every_step, walk
from ludeme.diagnostics import Span
from ludeme.machine.tally import LEFT, PASSED, SKIPPED, Tally, step_numbers

Kind = Literal["turn", "branch", "requirement", "loop", "choice", "effect", "end", "step"]

LONGEST = 60
"""Characters of a rule's text at most."""


@attrs.frozen
class Rule:
    """A rule and how often it came to pass.

    *kind*: a turn; a branch (bullet, side of an `if`, row of a `match`, a player passed over); a
    requirement (`require`, `where`); a loop, which passes once for each member or link; a choice;
    an effect; an end; a step of play. *within*: the turn, reveal or item that it stands in.

    *chances*: how often it could have come to pass: a requirement and an end when they were asked,
    all else when the block in which it stands was entered. *passed*: how often it did. *either*:
    what did not pass was refused, so that it is worth knowing as well if nothing ever was.
    """

    kind: Kind
    text: str
    within: str
    span: Span
    chances: int
    passed: int
    either: bool = False

    @property
    def failed(self) -> int | None:
        """How often it was asked and did not hold; None for what is not asked."""
        return self.chances - self.passed if self.either else None

    @property
    def bound(self) -> float | None:
        """Below which share of its chances it comes to pass, with 95% confidence, if it never did.

        The rule of three, 3/N, never more than 1; None if it did, or had no chance.
        """
        return self._bound(self.passed)

    @property
    def refusal_bound(self) -> float | None:
        """The same of refusing, for what is asked."""
        return None if self.failed is None else self._bound(self.failed)

    def _bound(self, times: int) -> float | None:
        return min(1.0, 3 / self.chances) if self.chances and not times else None


def rules_of(tally: Tally, counts: Sequence[int], games: int) -> tuple[Rule, ...]:
    """The rules of a program in the order of its text, with what was counted in so many games."""
    return tuple(_Reader(tally, counts, games).rules())


class _Reader:
    """Reads counts against a program."""

    def __init__(self, tally: Tally, counts: Sequence[int], games: int) -> None:
        self.tally = tally
        self.program = tally.description
        self.counts = counts
        self.games = games
        self.within = ""
        self.numbers = step_numbers(self.program.play)

    def rules(self) -> Iterator[Rule]:
        taken = {name: self.taken(name) for name in self.program.turns}
        found: list[Rule] = []
        for name, turn in self.program.turns.items():
            self.within = spoken(name)
            found.append(self.rule("turn", turn, sum(taken.values()), taken[name], spoken(name)))
            found.extend(self.block(turn.body, taken[name]))
            self.within = f"reveal {name}" if name != "move" else "reveal"
            revealed = taken[name] // len(self.program.players)
            found.extend(self.block(turn.reveal, revealed))
        self.within = "play"
        found.extend(self.steps(self.program.play, self.games))
        self.within = "end"
        found.extend(self.ends())
        seen = [rule for rule in found if rule.span.source.name]
        return iter(_merged(seen))

    def rule(
        self,
        kind: Kind,
        node: program.Node,
        chances: int,
        passed: int,
        text: str | None = None,
        either: bool = False,
    ) -> Rule:
        """One rule where a node stands."""
        words = _first_line(node.span) if text is None else text
        return Rule(kind, words, self.within, node.span, chances, passed, either)

    # ---- lines

    def block(self, lines: program.Block, chances: int) -> Iterator[Rule]:
        """The rules of a block that was entered so many times."""
        entered = chances
        for line in lines:
            yield from self.line(line, entered, chances)
            entered -= self.stops(line)

    def stops(self, line: program.Statement) -> int:
        """How often a `stop` inside a line left the chain in which the line stands."""
        if isinstance(line, program.Repeat):
            return 0
        left = 0
        for which, block in enumerate(blocks_of(line)):
            if any(isinstance(inner, program.Stop) for inner in block):
                left += self.entered(line, which)
            else:
                left += sum(self.stops(inner) for inner in block)
        return left

    def entered(self, line: program.Statement, which: int) -> int:
        """How often a block of a line was entered; 0 if it has no lines."""
        number = self.tally.block(line, which)
        return 0 if number is None else self.counts[number]

    def line(self, line: program.Statement, entered: int, chances: int) -> Iterator[Rule]:
        """The rules of one line of a block."""
        match line:
            case program.Require() | program.RequireMost():
                yield self.requirement(line, _first_line(line.span))
            case program.Choose():
                yield self.rule("choice", line, chances, entered)
                if line.condition is not None:
                    yield self.requirement(line, f"where {_first_line(line.condition.span)}")
            case program.If():
                yield from self.branches(line, entered)
            case program.OneOf():
                for which, bullet in enumerate(line.bullets):
                    passed = self.entered(line, which)
                    name = _first_line(bullet.span) or bullet.name
                    yield self.rule("branch", bullet, entered, passed, name)
                    yield from self.block(bullet.body, passed)
            case program.Match():
                for which, row in enumerate(line.rows):
                    passed = self.entered(line, which)
                    yield self.rule("branch", row, entered, passed)
                    yield from self.block(row.body, passed)
            case program.ForEach() | program.OneByOne() | program.Repeat():
                members = self.entered(line, 0)
                yield self.rule("loop", line, entered, members)
                yield from self.block(line.body, members)
            case program.Say():
                return
            case _:
                yield self.rule("effect", line, chances, entered)

    def branches(self, line: program.If, entered: int) -> Iterator[Rule]:
        """Both sides of an `if`; a side without lines is entered as well."""
        then = self.entered(line, 0) if line.then else entered - self.entered(line, 1)
        yield self.rule("branch", line, entered, then, either=True)
        yield from self.block(line.then, then)
        if line.otherwise:
            other = entered - then
            first = line.otherwise[0]
            if not isinstance(first, program.If):
                yield self.rule("branch", first, entered, other, f"else {_first_line(first.span)}")
            yield from self.block(line.otherwise, other)

    def requirement(self, line: program.Statement, text: str) -> Rule:
        """A requirement: how often it was asked as moves were drawn, and how often it held."""
        number = self.tally.asked[id(line)]
        asked, refused = self.counts[number], self.counts[number + 1]
        place: program.Node = line
        if isinstance(line, program.RequireMost):
            refused += self.outdone(line)
        elif isinstance(line, program.Choose) and line.condition is not None:
            place = line.condition
        return self.rule("requirement", place, asked, asked - refused, text, either=True)

    def outdone(self, line: program.RequireMost) -> int:
        """How many runs a line left out, in a turn of which it is the only one of its kind."""
        for name, turn in self.program.turns.items():
            lines = [each for each in walk(turn.body) if isinstance(each, program.RequireMost)]
            if any(each is line for each in lines):
                return self.counts[self.tally.outdone[name]] if len(lines) == 1 else 0
        return 0

    # ---- play

    def step(self, step: program.Step, what: int, which: int = 0) -> int:
        """A count of one of the numbered steps that a step of play is."""
        return self.counts[self.tally.step(self.numbers[id(step)][which], what)]

    def taken(self, turn: str) -> int:
        """How many moves were made in a turn."""
        total = 0
        for step in _decisions(self.program.play):
            if step.turn == turn:
                decided = self.step(step, PASSED, int(isinstance(step, program.Alternate)))
                together = isinstance(step, program.Together)
                total += decided * (len(self.program.players) if together else 1)
        return total

    def steps(self, steps: program.Steps, chances: int) -> Iterator[Rule]:
        """The rules of steps of play that could be come to so many times."""
        for step in steps:
            match step:
                case program.Alternate():
                    yield from self.alternation(step, chances)
                case (
                    program.Takes()
                    | program.Together()
                    | program.Rolled()
                    | program.GoTo()
                    | program.End()
                ):
                    yield self.rule("step", step, chances, self.step(step, PASSED))
                case program.EffectStep():
                    passed = self.step(step, PASSED)
                    yield from self.block(step.body, passed)
                case program.Phase():
                    yield from self.steps(step.body, chances)
                case program.Loop():
                    yield from self.loop(step, chances)
                case program.Rounds():
                    entered = self.step(step, PASSED, 0) - self.step(step, LEFT, 0)
                    entered += self.step(step, PASSED, 2) - self.step(step, LEFT, 2)
                    yield self.rule("loop", step, chances, entered)
                    yield from self.steps(step.body, entered)
                case program.IfStep():
                    asked = self.step(step, PASSED)
                    then = asked - self.step(step, LEFT)
                    yield self.rule("branch", step, asked, then, either=True)
                    yield from self.steps(step.then, then)
                    yield from self.steps(step.otherwise, asked - then)

    def alternation(self, step: program.Alternate, chances: int) -> Iterator[Rule]:
        """Players in turn: how often they decided, were passed over, and how often it ended."""
        decided, skipped = self.step(step, PASSED, 1), self.step(step, SKIPPED, 1)
        yield self.rule("step", step, max(chances, decided), decided)
        if step.skipping:
            asked = decided + skipped
            yield self.rule("branch", step, asked, skipped, "skipping stuck", either=True)
        if step.until is not None:
            left = self.step(step, LEFT, 1)
            text = f"until {_first_line(step.until.span)}"
            asked = decided + skipped + left
            yield self.rule("branch", step.until, asked, left, text, either=True)

    def loop(self, step: program.Loop, chances: int) -> Iterator[Rule]:
        """Steps that come again and again."""
        if step.until is None:
            entered = chances + self.step(step, PASSED)
        else:
            entered = self.step(step, PASSED) - self.step(step, LEFT)
        yield self.rule("loop", step, max(chances, entered), entered)
        yield from self.steps(step.body, entered)

    # ---- ends

    def ends(self) -> Iterator[Rule]:
        """The ends that are asked after every turn, in order."""
        single, together = self.counts[self.tally.tests : self.tally.tests + 2]
        for end in self.program.ends:
            number = self.tally.held[id(end)]
            alone, joint = self.counts[number : number + 2]
            asked = single if end.needs_mover else single + together
            yield self.rule("end", end, asked, alone + joint, either=True)
            single, together = single - alone, together - joint


def spoken(turn: str) -> str:
    """A turn in words."""
    return "turn" if turn == "move" else f"turn {turn}"


def _decisions(
    steps: program.Steps,
) -> Iterator[program.Takes | program.Alternate | program.Together | program.Rolled]:
    for step in every_step(steps):
        if isinstance(step, program.Takes | program.Alternate | program.Together | program.Rolled):
            yield step


def _first_line(span: Span) -> str:
    """The first line that a rule stands on, blanks made one."""
    lines = span.text.strip().split("\n")
    text = " ".join(lines[0].split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _merged(rules: Sequence[Rule]) -> Iterator[Rule]:
    """One rule for each place: what is written out twice is counted together."""
    found: dict[tuple[object, ...], Rule] = {}
    for rule in rules:
        key = (rule.kind, rule.text, rule.within, rule.span)
        before = found.get(key)
        if before is None:
            found[key] = rule
        else:
            chances, passed = before.chances + rule.chances, before.passed + rule.passed
            found[key] = attrs.evolve(before, chances=chances, passed=passed)
    yield from found.values()
