"""The runs of a choice program as LLVM IR; the twin of `ludeme.machine.runs`.

What follows a branch or a choice is a function of the context and the state, which answers whether
enough was seen. Locals of lines live in the state, so a copied state carries them along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial

from llvmlite import ir

from ludeme.check import program
from ludeme.machine.runs import Path, is_plain
from ludeme.machine.turns import DEEPEST
from ludeme.native import context
from ludeme.native.effects import Effects
from ludeme.native.effort import FRAMES
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I1, I32, I64, PTR, Field
from ludeme.native.refusal import NotNative

MOST_CHOSEN = 4
"""So many things at once are gone through by loops within loops."""


class Counting(Enum):
    """What runs note for a tally: nothing, the blocks they enter, or requirements as well."""

    NOTHING = 0
    BLOCKS = 1
    ALL = 2


GO = ir.FunctionType(I1, [PTR, PTR])
Stop = Callable[[Code, program.Choose, Value, ir.Function], Value]
"""What is done at a choice where the draw stops; answers as the function would."""
Guide = Callable[[Code, program.Choose, Value], Value]
"""What a choice is narrowed to."""


class Runs:
    """Compiles one program; *end* is called at the end of every run.

    With a *path*, branches go its way, and at its last choice (and its first, if it notes one)
    *at_last* (*at_first*) is given the domain instead of going on; `after_last` (`after_first`)
    then goes on from there.
    """

    def __init__(
        self,
        unit: Unit,
        effects: Effects,
        end: ir.Function,
        path: Path | None = None,
        at_last: Stop | None = None,
        at_first: Stop | None = None,
        counting: Counting = Counting.NOTHING,
    ) -> None:
        self.unit = unit
        self.effects = effects
        self.expressions = effects.expressions
        self.memory = unit.memory
        self.end = end
        self.subset_code = effects.expressions.subsets
        self.path = path
        self.at_last = at_last
        self.at_first = at_first
        self.after_last: ir.Function | None = None
        self.after_first: ir.Function | None = None
        self.guide: Guide | None = None
        self.tally = effects.tally
        self.counting = counting if self.tally.tally is not None else Counting.NOTHING
        self.put_off: tuple[program.Assign, ...] = ()
        """Names that are given their values only after the last choice."""
        self.given: tuple[program.Statement, ...] = ()
        """Lines that were gone through before: choices have their values, requirements hold."""
        self.changes: dict[ir.Function, tuple[Field, ...] | None] = {}
        """What a function changes in the state that it is given, names left out.

        None: it cannot be told. Nothing for functions that are not here.
        """

    def compile(self, body: program.Block, stem: str) -> ir.Function:
        """The function that goes through all runs of *body*."""
        with self.tally.noting("nothing" if self.counting is Counting.NOTHING else "run"):
            return self.function(body, self.end, None, stem)

    def function(
        self,
        lines: Sequence[program.Statement],
        go: ir.Function,
        leave: ir.Function | None,
        stem: str = "go",
        branch: tuple[program.Statement, int] | None = None,
    ) -> ir.Function:
        """*lines* and then *go*, as a function; *branch*: they are this block of a line."""
        if not lines:
            return go
        made = self.unit.function(stem, I1, [PTR, PTR])
        if self.path is not None:
            self.unit.often.append(made)
        self.changes[made] = self.changed(lines, go)
        code = Code(self.unit, made, made.args[0], made.args[1])
        if branch is not None:
            self.tally.enter(code, *branch)
        self.lines(code, lines, go, leave)
        return made

    def changed(
        self, lines: Sequence[program.Statement], go: ir.Function
    ) -> tuple[Field, ...] | None:
        """What lines and what follows change in the state that they are given, names left out."""
        found: list[Field] = []
        if self.counting is not Counting.NOTHING and self.memory.entered is not None:
            found.append(self.memory.entered)
        for line in lines:
            match line:
                case program.Choose() | program.OneOf():
                    return tuple(found)  # these leave the state as it was
                case program.Assign() if not line.changes:
                    continue
                case program.Require():
                    continue
                case program.Say() if not self.effects.prints:
                    continue
            if not is_plain(line):
                return None
            fields = self.effects.written((line,))
            if fields is None:
                return None
            found += fields
        rest = self.changes.get(go, ())
        return None if rest is None else (*found, *rest)

    def trial(self, code: Code, follows: ir.Function) -> tuple[Value, list[tuple[Field, Value]]]:
        """The state in which to try what follows, and what to put back into it afterwards.

        If there is nothing to put back, the state may be a block that needs a fresh copy each time.
        """
        changes = self.changes.get(follows, ())
        if changes is None or 2 * sum(field.size for field in changes) >= self.memory.size:
            return code.block(self.memory.size), []
        return code.write, self.effects.saved(code, dict.fromkeys(changes))

    def try_on(
        self,
        code: Code,
        follows: ir.Function,
        trial: tuple[Value, list[tuple[Field, Value]]],
        prepare: Callable[[Value], None],
    ) -> None:
        """Go on in a state from `trial`, and answer at once if enough was seen."""
        state, saved = trial
        if state is not code.write:
            code.copy(state, code.write, self.memory.size)
        prepare(state)
        enough = self.call(code, follows, state)
        self.effects.put_back(code, saved)
        self.return_if(code, enough)

    def lines(
        self,
        code: Code,
        lines: Sequence[program.Statement],
        go: ir.Function,
        leave: ir.Function | None,
    ) -> None:
        """*lines* and then *go*, at the end of a function."""
        for number, line in enumerate(lines):
            rest = lines[number + 1 :]
            if isinstance(line, program.Assign) and line in self.put_off:
                effort = self.expressions.effort
                self.expressions.spend(code, effort.nodes(line.value) + effort.value(line.value))
                continue
            if is_plain(line):
                self.effects.act(code, line)
            elif isinstance(line, program.Require) and line in self.given:
                continue
            elif isinstance(line, program.Require):
                holds = self.expressions.value(code, line.condition)
                self.count_asked(code, line, holds)
                self.require(code, holds)
            elif isinstance(line, program.RequireMost):
                self.require_most(code, line)
            else:
                self.deciding(code, line, rest, go, leave)
                return
        code.builder.ret(self.call(code, go))

    def call(self, code: Code, go: ir.Function, state: Value | None = None) -> Value:
        """Go on with a state."""
        return code.builder.call(go, [code.ctx, code.write if state is None else state])

    def count_asked(self, code: Code, line: program.Statement, holds: Value) -> None:
        """Count what a requirement says, if this is a draw."""
        if self.counting is Counting.ALL:
            self.tally.asked(code, line, holds)

    def require(self, code: Code, condition: Value) -> None:
        """Go no further unless a condition holds."""
        fails = code.function.append_basic_block("fails")
        holds = code.function.append_basic_block("holds")
        code.builder.cbranch(condition, holds, fails)
        code.builder.position_at_end(fails)
        code.builder.ret(code.truth(False))
        code.builder.position_at_end(holds)

    def require_most(self, code: Code, line: program.RequireMost) -> None:
        """Note the numbers that are to be greatest."""
        self.count_asked(code, line, code.truth(True))
        for key in line.keys:
            value = self.expressions.value(code, key)
            count = code.load(self.memory.most_count)
            room = code.builder.icmp_unsigned("<", count, code.i32(self.memory.most.count))
            self.effects.fault_if(code, code.builder.not_(room))
            code.store(self.memory.most, value, code.builder.select(room, count, code.i32(0)))
            code.store(self.memory.most_count, code.builder.add(count, code.i32(1)))

    def deciding(
        self,
        code: Code,
        line: program.Statement,
        rest: Sequence[program.Statement],
        go: ir.Function,
        leave: ir.Function | None,
    ) -> None:
        """A line that chooses or branches, and what follows."""
        if isinstance(line, program.Stop):
            assert leave is not None
            code.builder.ret(self.call(code, leave))
            return
        follows = self.function(rest, go, leave)
        match line:
            case program.Choose():
                self.choose(code, line, follows, tuple(rest))
            case program.If():
                self.if_(code, line, follows, leave)
            case program.Match():
                self.effects.rows(
                    code,
                    line,
                    lambda i: self.branch(code, line, i, line.rows[i].body, follows, leave),
                    lambda: self.lines(code, (), follows, leave),
                )
                code.builder.unreachable()
            case program.OneOf():
                self.one_of(code, line, follows, leave)
            case program.Repeat():
                self.repeat(code, line, follows)
            case program.OneByOne():
                self.one_by_one(code, line, follows, leave)
            case _:
                raise NotNative(f"`{line.span.text}`", line.span)

    def branch(
        self,
        code: Code,
        line: program.Statement,
        which: int,
        lines: program.Block,
        go: ir.Function,
        leave: ir.Function | None,
    ) -> None:
        """Block number *which* of a line and then *go*, at the end of a function."""
        self.tally.enter(code, line, which)
        self.lines(code, lines, go, leave)

    # ---- choices

    def try_one(self, code: Code, steps: int) -> None:
        """Count the steps of a further try; give the game up if there are too many."""
        if not self.expressions.effort.is_counted:
            return
        self.expressions.spend(code, steps)
        self.give_up_if(code, self.expressions.is_overrun(code))

    def give_up_if(self, code: Code, condition: Value) -> None:
        """Answer that enough was seen, and that the game is to be given up."""
        lost = code.function.append_basic_block("lost")
        more = code.function.append_basic_block("more")
        code.builder.cbranch(condition, lost, more)
        code.builder.position_at_end(lost)
        code.store(context.FAULT, code.i32(1), base=code.ctx)
        code.builder.ret(code.truth(True))
        code.builder.position_at_end(more)

    def guard(self, code: Code, link: int) -> None:
        """One step deeper into a chain: count it, and look whether there is room for it.

        *link*: the calls of the interpreter for it at most.
        """
        self.try_one(code, self.expressions.effort.trying)
        self.keep_off_the_end(code)
        if self.expressions.effort.is_deep:
            deeper = code.builder.add(code.load(self.memory.depth), code.i32(link))
            code.store(self.memory.depth, deeper)
            most = code.i32(DEEPEST * 3 // 4)
            self.give_up_if(code, code.builder.icmp_unsigned(">", deeper, most))

    def keep_off_the_end(self, code: Code) -> None:
        """Give the game up where the stack grows too high; few descriptions come near that."""
        blocks = self.expressions.effort.frames() // FRAMES
        if blocks * (self.memory.size + context.FRAME) < context.SMALL_STACK // 2:
            return
        here = code.builder.ptrtoint(code.slot(I64), I64)
        lowest = code.load(context.STACK, base=code.ctx)
        self.give_up_if(code, code.builder.icmp_unsigned("<", here, lowest))

    def choose(
        self, code: Code, line: program.Choose, follows: ir.Function, rest: program.Block
    ) -> None:
        """Go on with each value of a choice, each in a copy of the state."""
        if line in self.given:
            code.builder.ret(self.call(code, follows))
            return
        self.keep_off_the_end(code)
        domain = self.expressions.value(code, line.domain)
        if self.guide is not None:
            domain = self.guide(code, line, domain)
        those = self.expressions.that_flank(code, line) if self.path is None else None
        if those is not None:
            assert line.condition is not None
            steps = self.expressions.effort.value(line.condition)
            self.expressions.spend_each(code, domain, steps)
            kept = code.builder.and_(domain, those)
            if self.counting is Counting.ALL:
                self.tally.asked_of_each(code, line, domain, kept)
            domain = kept
        else:
            follows = self.where(line, follows)
        if self.path is not None and self.path.last == line.number:
            assert self.at_last is not None
            self.after_last = follows
            code.builder.ret(self.at_last(code, line, domain, follows))
            return
        if self.path is not None and self.path.first == line.number:
            assert self.at_first is not None
            self.after_first = follows
            code.builder.ret(self.at_first(code, line, domain, follows))
            return
        trial = self.trial(code, follows)
        field = self.memory.local(line.local)
        steps = self.expressions.effort.trying + self.expressions.effort.nodes_in(rest)

        def go_on(value: Value) -> None:
            self.try_one(code, steps)
            chosen = code.fit(value, field.type, signed=False)
            self.try_on(code, follows, trial, lambda state: code.store(field, chosen, base=state))

        if line.many:
            self.subsets(code, line, domain, go_on)
        else:
            with code.loop(domain) as member:
                go_on(member)
        code.builder.ret(code.truth(False))

    def return_if(self, code: Code, enough: Value) -> None:
        """Answer at once that enough was seen."""
        stop = code.function.append_basic_block("enough")
        more = code.function.append_basic_block("more")
        code.builder.cbranch(enough, stop, more)
        code.builder.position_at_end(stop)
        code.builder.ret(code.truth(True))
        code.builder.position_at_end(more)

    def where(self, line: program.Choose, follows: ir.Function) -> ir.Function:
        """The condition on a chosen value, before what follows."""
        if line.condition is None:
            return follows
        made = self.unit.function("where", I1, [PTR, PTR])
        self.changes[made] = self.changes.get(follows, ())
        code = Code(self.unit, made, made.args[0], made.args[1])
        chosen = code.load(self.memory.local(line.local))
        type_ = self.expressions.type_of(line.member.type, line)
        code.env[line.member.slot] = code.fit(chosen, type_)
        those = self.expressions.that_flank(code, line)
        if those is None:
            holds = self.expressions.value(code, line.condition)
        else:
            holds = code.has(those, code.env[line.member.slot])
        self.count_asked(code, line, holds)
        self.require(code, holds)
        code.builder.ret(self.call(code, follows))
        return made

    def bounds(self, code: Code, line: program.Choose) -> tuple[Value, Value]:
        """How few and how many members a choice takes."""
        assert line.low is not None and line.high is not None
        low = self.expressions.value(code, line.low)
        high = self.expressions.value(code, line.high)
        negative = code.builder.icmp_signed("<", low, code.i64(0))
        return code.builder.select(negative, code.i64(0), low), high

    def subsets(
        self, code: Code, line: program.Choose, domain: Value, go_on: Callable[[Value], None]
    ) -> None:
        """Each subset of a choice, small ones first, those of one size in order."""
        size = few_at_once(line)
        low, high = self.bounds(code, line)
        if size is None:
            ways = self.subset_code
            many = ways.too_many(code, code.count(domain), low, high)
            self.effects.fault_if(code, many)
            domain = code.builder.select(many, ir.Constant(domain.type, 0), domain)
            ways.each(code, domain, low, high, go_on)
            return
        for count in range(size + 1):
            wanted = code.builder.and_(
                code.builder.icmp_signed("<=", low, code.i64(count)),
                code.builder.icmp_signed(">=", high, code.i64(count)),
            )
            code.when(wanted, partial(self.subsets_of, code, domain, count, go_on))

    def subsets_of(
        self, code: Code, domain: Value, count: int, go_on: Callable[[Value], None]
    ) -> None:
        """Each subset of *count* members, as nested loops."""

        def pick(left: Value, chosen: Value, more: int) -> None:
            if more == 0:
                go_on(chosen)
                return
            rest = code.slot(left.type)
            code.builder.store(left, rest)
            with code.loop(left) as member:
                bit = self.single(code, member, left.type)
                now = code.builder.load(rest, typ=left.type)
                higher = code.builder.and_(now, code.builder.not_(bit))
                code.builder.store(higher, rest)
                pick(higher, code.builder.or_(chosen, bit), more - 1)

        pick(domain, ir.Constant(domain.type, 0), count)

    def single(self, code: Code, member: Value, type_: ir.IntType) -> Value:
        """The set of one member."""
        return self.expressions.single(code, member, type_)

    # ---- branches

    def if_(
        self, code: Code, line: program.If, follows: ir.Function, leave: ir.Function | None
    ) -> None:
        """One block or the other; on a path, the block that the path takes or nothing."""
        condition = self.expressions.value(code, line.condition)
        if self.path is not None and line.number in self.path.branches:
            taken = self.path.branches[line.number] == 0
            self.require(code, condition if taken else code.builder.not_(condition))
            self.lines(code, line.then if taken else line.otherwise, follows, leave)
            return
        yes = code.function.append_basic_block("then")
        no = code.function.append_basic_block("else")
        code.builder.cbranch(condition, yes, no)
        code.builder.position_at_end(yes)
        self.branch(code, line, 0, line.then, follows, leave)
        code.builder.position_at_end(no)
        self.branch(code, line, 1, line.otherwise, follows, leave)

    def one_of(
        self, code: Code, line: program.OneOf, follows: ir.Function, leave: ir.Function | None
    ) -> None:
        """Each bullet in turn; `otherwise` if no run through those above was completed."""
        if self.path is not None and line.number in self.path.branches:
            bullet = line.bullets[self.path.branches[line.number]]
            self.lines(code, bullet.body, follows, leave)
            return
        before = code.load(context.COUNT, base=code.ctx)
        for which, bullet in enumerate(line.bullets):
            branch = self.function(bullet.body, follows, leave, bullet.name, (line, which))

            def take(branch: ir.Function = branch) -> None:
                self.try_on(code, branch, self.trial(code, branch), lambda state: None)

            if bullet.otherwise:
                now = code.load(context.COUNT, base=code.ctx)
                code.when(code.builder.icmp_unsigned("==", now, before), take)
            else:
                take()
        code.builder.ret(code.truth(False))

    # ---- chains

    def repeat(self, code: Code, line: program.Repeat, follows: ir.Function) -> None:
        """A chain: while a further step can be completed it must be taken, or may be."""
        counter = self.memory.local(line.counter)
        step = self.unit.function("step", I1, [PTR, PTR])
        self.changes[step] = None
        body = self.function(line.body, step, follows, "link", (line, 0))
        inner = Code(self.unit, step, step.args[0], step.args[1])
        self.guard(inner, self.expressions.effort.frames_of_link(line))
        done = inner.load(counter)
        full = inner.builder.icmp_signed(">=", done, ir.Constant(counter.type, line.high))
        self.leave_if(inner, full, follows)
        enough = inner.builder.icmp_signed(">=", done, ir.Constant(counter.type, line.low))
        copy = inner.block(self.memory.size)
        if line.may_stop:

            def stop_here() -> None:
                inner.copy(copy, inner.write, self.memory.size)
                self.return_if(inner, self.call(inner, follows, copy))

            inner.when(enough, stop_here)
        before = inner.load(context.COUNT, base=inner.ctx)
        inner.copy(copy, inner.write, self.memory.size)
        more = inner.builder.add(done, ir.Constant(counter.type, 1))
        inner.store(counter, more, base=copy)
        self.return_if(inner, self.call(inner, body, copy))
        if not line.may_stop:
            now = inner.load(context.COUNT, base=inner.ctx)
            still = inner.builder.icmp_unsigned("==", now, before)
            self.leave_if(inner, inner.builder.and_(enough, still), follows)
        inner.builder.ret(inner.truth(False))
        code.store(counter, ir.Constant(I64, 0))
        code.builder.ret(self.call(code, step))

    def leave_if(self, code: Code, condition: Value, follows: ir.Function) -> None:
        """Go on behind the chain if a condition holds."""
        leave = code.function.append_basic_block("leave")
        stay = code.function.append_basic_block("stay")
        code.builder.cbranch(condition, leave, stay)
        code.builder.position_at_end(leave)
        code.builder.ret(self.call(code, follows))
        code.builder.position_at_end(stay)

    def one_by_one(
        self, code: Code, line: program.OneByOne, follows: ir.Function, leave: ir.Function | None
    ) -> None:
        """A block with decisions for each member in order."""
        step = self.unit.function("each", I1, [PTR, PTR])
        self.changes[step] = None
        body = self.function(line.body, step, leave, "member", (line, 0))
        inner = Code(self.unit, step, step.args[0], step.args[1])
        self.guard(inner, self.expressions.effort.frames_of_link(line))
        if line.domain.type.kind == "family":
            self.next_set(inner, line, follows)
            self.expressions.families.keep(code, line.domain, line.rest)
        else:
            self.next_member(inner, line, follows)
            rest = self.memory.local(line.rest)
            code.store(rest, self.expressions.value(code, line.domain))
        inner.builder.ret(self.call(inner, body))
        code.builder.ret(self.call(code, step))

    def next_member(self, code: Code, line: program.OneByOne, follows: ir.Function) -> None:
        """Take the lowest member of what is left, or go on behind the line."""
        rest, slot = self.memory.local(line.rest), self.memory.local(line.local)
        left = code.load(rest)
        self.leave_if(code, code.none(left), follows)
        member = code.lowest(left)
        code.store(slot, code.fit(member, slot.type, signed=False))
        code.store(rest, code.without_lowest(left))

    def next_set(self, code: Code, line: program.OneByOne, follows: ir.Function) -> None:
        """Take the next set of what is left, or go on behind the line."""
        families = self.expressions.families
        kept = families.kept(code, line.rest)
        number, count = families.number(code, kept), families.count(code, kept)
        self.leave_if(code, code.builder.icmp_unsigned(">=", number, count), follows)
        code.store(self.memory.local(line.local), families.set_at(code, kept, number))
        families.set_number(code, kept, code.builder.add(number, code.i64(1)))


def few_at_once(line: program.Choose) -> int | None:
    """The most members that a choice takes, if that is known and few."""
    high = line.high.value if isinstance(line.high, program.Constant) else None
    return high if isinstance(high, int) and high <= MOST_CHOSEN else None


__all__ = ["GO", "I32", "Counting", "Runs", "Stop", "few_at_once"]
