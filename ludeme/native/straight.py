"""Straight lines of pieces, as LLVM IR."""

from __future__ import annotations

from ludeme.check import program
from ludeme.native.emitter import Code, Value
from ludeme.native.floods import Floods
from ludeme.native.memory import I1


class Straight(Floods):
    """Lowers `line` and `run`."""

    def op_line(self, code: Code, node: program.Op) -> Value:
        length, among = node.arguments
        if self.memos.is_kept_up(node):
            found = code.load(self.memos.lines[node].found, self.player_of(code, among))
            return code.builder.trunc(found, I1)
        sites = self.value(code, among)
        if not isinstance(length, program.Constant) or not isinstance(length.value, int):
            return self.any_line(code, self.value(code, length), sites)
        if length.value <= 0:
            return code.truth(True)
        if length.value > self.tables.longest:
            return code.truth(False)
        memo = self.memos.lines.get(node)
        if memo is not None and code.read is code.write:
            player = self.player_of(code, among)
            return self.memos.line(code, memo, length.value, player, sites)
        return self.line(code, length.value, sites)

    def line(self, code: Code, length: int, sites: Value) -> Value:
        """Whether a straight line of a length lies in a set."""
        self.spend(code, self.sites_on_axes)
        found: Value = code.truth(False)
        if length == 1:
            return code.some(sites)
        for there, _ in self.tables.axes:
            steps = self.tables.steps[there]
            if self.boards.shifts(steps) is None:
                return self.line_by_table(code, length, sites)
            run = sites
            # `run` holds the sites at whose end a run of k lies; double k while it fits.
            for _ in range(length - 1):
                run = code.builder.and_(self.boards.expand(code, steps, run), sites)
            found = code.builder.or_(found, code.some(run))
        return found

    def any_line(self, code: Code, length: Value, sites: Value) -> Value:
        """Whether a straight line lies in a set, its length being known only in play."""
        self.spend(code, self.sites_on_axes)
        builder, type_ = code.builder, self.unit.set_type
        none = builder.icmp_signed("<=", length, code.i64(0))
        short = builder.icmp_signed("<=", length, code.i64(self.tables.longest))
        found: Value = none
        for there, _ in self.tables.axes:
            run = code.slot(type_)
            builder.store(builder.select(short, sites, code.set_constant(0)), run)
            with code.count_up(
                builder.sub(builder.select(short, length, code.i64(1)), code.i64(1))
            ):
                now = builder.load(run, typ=type_)
                further = self.boards.expand(code, self.tables.steps[there], now)
                builder.store(builder.and_(further, sites), run)
            found = builder.or_(found, code.some(builder.load(run, typ=type_)))
        return found

    @property
    def sites_on_axes(self) -> int:
        """How many straight lines of a length there are, about."""
        return len(self.program.board.names) * len(self.tables.axes)

    def line_by_table(self, code: Code, length: int, sites: Value) -> Value:
        """The same, line by line."""
        result = code.slot(I1)
        code.builder.store(code.truth(False), result)
        with code.loop_table(self.unit.set_type, list(self.tables.lines(length))) as line:
            whole = code.none(code.builder.and_(line, code.builder.not_(sites)))
            before = code.builder.load(result, typ=I1)
            code.builder.store(code.builder.or_(before, whole), result)
        return code.builder.load(result, typ=I1)

    def op_run(self, code: Code, node: program.Op) -> Value:
        site, among = self.operands(code, node)
        blockers = code.builder.not_(among)
        best: Value = code.i64(1)
        for there, back in self.tables.axes:
            ahead = self.boards.ray_until(code, there, site, blockers)[0]
            behind = self.boards.ray_until(code, back, site, blockers)[0]
            length = code.builder.add(code.count(code.builder.or_(ahead, behind)), code.i64(1))
            better = code.builder.icmp_signed(">", length, best)
            best = code.builder.select(better, length, best)
        return code.builder.select(code.has(among, site), best, code.i64(0))
