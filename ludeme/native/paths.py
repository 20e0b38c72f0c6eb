"""The paths of a draw: each way through a turn, compiled to be weighed and to be finished."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import attrs
from llvmlite import ir

from ludeme.check import program
from ludeme.check.walking import walk
from ludeme.machine.forms import Form, on_path
from ludeme.machine.runs import Path, is_plain
from ludeme.native import context, facts
from ludeme.native.effects import Effects, Say
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I64, Field
from ludeme.native.places import Places, is_light, kept_before
from ludeme.native.runs import Counting, Runs, Stop
from ludeme.native.values import Values


@attrs.define(eq=False)
class PathDraw:
    """A path of the draw.

    *weigh* follows it to its last choice *line*, *finish* goes on from there; a path without a
    choice has only *finish*. *light*: nothing but locals changes before it, which are *kept*; else
    the choices alone are kept, and *finish* begins with the turn. *fails*: the rest may be refused;
    *late*: even after something was changed, which is *written* if it can be told.
    *bound*: *line* is the last choice but one, and the last has so many values at most.
    *put_off*: names that get their values once the place is drawn. *wide*: the same path followed
    to the choice before its last, from which is drawn if that has half as many values as the bound.
    """

    form: Form
    number: int
    weigh: ir.Function | None
    line: program.Choose | None
    finish: ir.Function
    kept: tuple[program.Local, ...]
    light: bool
    fails: bool
    late: bool
    written: tuple[Field, ...] | None
    bound: int | None
    put_off: tuple[program.Assign, ...] = ()
    wide: PathDraw | None = None


class Paths:
    """Compiles the paths of a turn.

    *success*: what answers at the end of a run. *scratch*: where in the context the weights of
    paths of one choice stand. *sayer*: what is done where a run prints.
    """

    def __init__(
        self,
        unit: Unit,
        effects: Effects,
        places: Places,
        values: Values,
        success: ir.Function,
        scratch: int,
        sayer: Say | None,
    ) -> None:
        self.unit = unit
        self.memory = unit.memory
        self.effects = effects
        self.turn, self.forms = places.turn, places.forms
        self.places = places
        self.values = values
        self.chance = values.chance
        self.success = success
        self.scratch = scratch
        self.sayer = sayer

    @cached_property
    def all(self) -> list[PathDraw]:
        """The paths of the draw, compiled."""
        with self.effects.apart(self.sayer):
            return [self.path(form, number) for number, form in enumerate(self.forms)]

    @property
    def ways(self) -> list[PathDraw]:
        """All that a place may belong to."""
        wide = [path.wide for path in self.all if path.wide is not None]
        return [*self.all, *wide]

    def path(self, form: Form, number: int) -> PathDraw:
        """Compile a path of the draw."""
        lines = list(on_path(self.turn.body, form.path))
        last = next(
            (
                place
                for place, found in enumerate(lines)
                if isinstance(found, program.Choose) and found.number == form.path.last
            ),
            None,
        )
        if last is None:
            go = Runs(self.unit, self.effects, self.success, form.path, counting=Counting.ALL)
            whole = go.compile(self.turn.body, "path_" + self.turn.name)
            return PathDraw(form, number, None, None, whole, (), True, True, True, None, None)
        before, line, after = lines[:last], lines[last], lines[last + 1 :]
        assert isinstance(line, program.Choose)
        chosen = [each for each in before if isinstance(each, program.Choose)]
        light = is_light(before)
        put_off: tuple[program.Assign, ...] = ()
        if chosen and light:
            put_off = facts.put_off(before, line)
        kept = kept_before(before, put_off)
        fails = line.condition is not None or any(
            isinstance(each, program.Require)
            or (isinstance(each, program.If) and not is_plain(each))
            for each in after
        )
        branched = any(
            isinstance(each, program.If) and each.number in form.path.branches
            for each in walk(self.turn.body)
        )
        late = branched or fails_late(after)
        wide = None
        if form.path.first is not None:
            wide = self.bounded_path(form, number, lines, late)
            if form.path.always:
                return wide
        single = not chosen and light
        stop = self.at_last(number, single, kept)
        path = form.path.to_last
        runs = Runs(self.unit, self.effects, self.success, path, stop, counting=Counting.ALL)
        runs.put_off = put_off
        weigh = runs.compile(self.turn.body, "weigh_" + self.turn.name)
        finish = runs.after_last if light else self.replayed(path, before, at_last=self.pick)
        assert finish is not None
        return PathDraw(
            form,
            number,
            weigh,
            line,
            finish,
            kept,
            light,
            fails or branched,
            late or not light,
            self.written(after if light else lines),
            None,
            put_off,
            wide,
        )

    def replayed(
        self,
        path: Path,
        given: Sequence[program.Statement],
        at_last: Stop,
        at_first: Stop | None = None,
    ) -> ir.Function:
        """A path from the beginning, of which the choices of some lines are known."""
        runs = Runs(
            self.unit, self.effects, self.success, path, at_last, at_first, counting=Counting.ALL
        )
        runs.given = tuple(given)
        return runs.compile(self.turn.body, "replay_" + self.turn.name)

    def pick(self, code: Code, line: program.Choose, domain: Value, follows: ir.Function) -> Value:
        """Give a choice the value that was drawn, and go on."""
        rank = code.load(context.WANTED, base=code.ctx)
        self.values.set_value(code, line, domain, rank, code.write)
        return code.builder.call(follows, [code.ctx, code.write])

    def written(self, lines: Sequence[program.Statement]) -> tuple[Field, ...] | None:
        """What lines change, with the blocks that they note; None if it cannot be told.

        The values of choices are left out.
        """
        plain = [line for line in lines if not isinstance(line, program.Choose)]
        found, entered = self.effects.written(plain), self.memory.entered
        return found if found is None or entered is None else (*found, entered)

    def bounded_path(
        self, form: Form, number: int, lines: Sequence[program.Statement], late: bool
    ) -> PathDraw:
        """Compile a path whose last choice has few values: the draw names the last two at once."""
        path, bound = form.path, form.path.bound
        choices = [line for line in lines if isinstance(line, program.Choose)]
        first = next(line for line in choices if line.number == path.first)
        before = lines[: lines.index(first)]
        light, kept = is_light(before), kept_before(before)
        between = lines[len(before) : lines.index(choices[-1])]
        late = late or not is_light(between) or any(map(_changes_a_name, between))
        if not path.always:
            number += len(self.forms)

        def at_first(
            code: Code, line: program.Choose, domain: Value, follows: ir.Function
        ) -> Value:
            weight = code.builder.mul(code.count(domain), code.i64(bound))
            if self.all_single:
                self.note_path(code, number, weight, domain)
                return code.truth(False)
            self.places.add(code, number, weight, domain, kept)
            return self.places.is_full(code)

        def at_last(code: Code, line: program.Choose, domain: Value, follows: ir.Function) -> Value:
            wanted = code.load(context.SLOT, base=code.ctx)
            has = code.builder.icmp_unsigned("<", wanted, code.count(domain))

            def go_on() -> Value:
                value = self.chance.nth(code, domain, wanted)
                field = self.memory.local(line.local)
                code.store(field, code.fit(value, field.type, signed=False), base=code.write)
                return code.builder.call(follows, [code.ctx, code.write])

            return code.choose(has, go_on, lambda: code.truth(False))

        runs = Runs(
            self.unit,
            self.effects,
            self.success,
            form.path,
            at_last,
            at_first,
            counting=Counting.ALL,
        )
        weigh = runs.compile(self.turn.body, "weigh_" + self.turn.name)
        finish = runs.after_first if light else self.replayed(path, before, at_last, self.pick)
        assert finish is not None
        return PathDraw(
            form,
            number,
            weigh,
            first,
            finish,
            kept,
            light,
            True,
            late or not light,
            self.written(lines[len(before) :] if light else lines),
            bound,
        )

    def note_path(self, code: Code, number: int, weight: Value, domain: Value) -> None:
        """Note the weight and domain of a path of one choice, or of the first of two."""
        code.store(self.path_weight(number), weight, base=code.ctx)
        code.store(self.path_domain(number, domain.type), domain, base=code.ctx)

    def at_last(self, number: int, single: bool, kept: Sequence[program.Local]) -> Stop:
        """What is done where a path comes to its last choice."""

        def note(code: Code, line: program.Choose, domain: Value, follows: ir.Function) -> Value:
            weight = self.values.weight(code, line, domain)
            if single and self.all_single:
                self.note_path(code, number, weight, domain)
                return code.truth(False)
            self.places.add(code, number, weight, domain, kept)
            return self.places.is_full(code)

        return note

    @cached_property
    def all_single(self) -> bool:
        """Whether every path has one choice at most, with no effect before it."""
        for form in self.forms:
            before = []
            for line in on_path(self.turn.body, form.path):
                if isinstance(line, program.Choose):
                    if line.number == form.path.last or form.path.always:
                        break
                    return False
                before.append(line)
            if form.path.last is not None and not is_light(before):
                return False
        return True

    def path_weight(self, number: int) -> Field:
        """Where the weight of a path stands in the context."""
        return Field(self.scratch + number * self.path_size, I64)

    def path_domain(self, number: int, type_: ir.IntType) -> Field:
        """Where the domain of a path's last choice stands in the context."""
        return Field(self.scratch + number * self.path_size + 16, type_)

    @property
    def path_size(self) -> int:
        """Room for the weight and domain of a path."""
        return 16 + -(-self.places.domain_size // 16) * 16

    @property
    def scratch_size(self) -> int:
        """Room for the weights of paths."""
        return len(self.forms) * self.path_size


def _changes_a_name(line: program.Statement) -> bool:
    return isinstance(line, program.Assign) and line.changes


def fails_late(lines: Sequence[program.Statement]) -> bool:
    """Whether a run may be refused after it has changed more than names of its own."""
    changed = False
    for line in lines:
        if isinstance(line, program.Say | program.Choose):
            continue
        if isinstance(line, program.Require):
            if changed:
                return True
        elif not is_plain(line):
            return True
        elif not isinstance(line, program.Assign) or line.changes:
            changed = True
    return False
