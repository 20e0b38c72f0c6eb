"""Whole random games in machine code: a batch of numbered games for each call."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from ludeme.machine.layout import OVER
from ludeme.native import context
from ludeme.native.chance import Chance
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.flow import Flow
from ludeme.native.memory import I8, I32, I64, PTR

FINISHED, UNFINISHED, FAULTY = 0, 1, 2


class PlayoutCode:
    """Compiles the loop over games.

    The function ``playouts`` takes: context, first state, seed, number of the first game, how many
    games, limit of decisions, and arrays to fill: status (i8), decisions (i32), end (i32), winner
    (i32), moves (i64), sums of widths by move and by decision (double), scores (i64, a row a game).
    """

    def __init__(self, unit: Unit, flow: Flow, chance: Chance) -> None:
        self.unit = unit
        self.flow = flow
        self.chance = chance
        self.memory = unit.memory
        self.players = self.memory.players
        self.at_end: Callable[[Code], None] = lambda code: None
        """What else is done at the end of a game."""

    def compile(self) -> ir.Function:
        """Make the function."""
        parameters = [PTR, PTR, I64, I64, I64, I64, *[PTR] * 8]
        fnty = ir.FunctionType(ir.VoidType(), parameters)
        made = ir.Function(self.unit.module, fnty, "playouts")
        given, start, seed, first, count, limit = made.args[:6]
        decide = self.flow.decide  # after which the size of a context is known
        code = Code(self.unit, made, given, start)
        # A context of its own, parts of which LLVM may then keep in registers.
        code.ctx = code.block(self.flow.turns.context_size)
        code.copy(code.ctx, given, context.SCORES_AT)
        self.flow.prepare(code)
        state = code.block(self.memory.size)
        streams = code.block(8 * self.flow.sources)
        ahead = code.block(8 * self.flow.sources)
        code.write = code.read = state
        self.seed(code, ahead, seed, first)
        with code.count_up(count) as game:
            code.copy(state, start, self.memory.size)
            code.copy(streams, ahead, 8 * self.flow.sources)
            # The next game's streams, while this one is played.
            following = code.builder.add(code.builder.add(first, game), code.i64(1))
            self.seed(code, ahead, seed, following)
            self.flow.reset(code)
            decisions = self.play(code, decide, state, streams, limit)
            self.note(code, made.args[6:], game, decisions)
            self.at_end(code)
            self.flow.counting.end_game(code, given)
        code.builder.ret_void()
        return made

    def seed(self, code: Code, streams: Value, seed: Value, number: Value) -> None:
        """Begin the streams of a game."""
        for source in range(self.flow.sources):
            key = code.builder.call(self.chance.key, [seed, number, code.i64(source)])
            at = code.builder.gep(streams, [code.i64(source)], source_etype=I64)
            code.builder.store(key, at)

    def play(
        self, code: Code, decide: ir.Function, state: Value, streams: Value, limit: Value
    ) -> Value:
        """Decide until the game is over, gone wrong or too long; how many decisions."""
        decisions = code.slot(I64)
        code.builder.store(code.i64(0), decisions)
        code.store(context.UNASKED, code.i64(0), base=code.ctx)
        code.store(context.PASSED_OVER, code.i32(0), base=code.ctx)
        head = code.function.append_basic_block("on")
        body = code.function.append_basic_block("decision")
        done = code.function.append_basic_block("game_over")
        code.builder.branch(head)
        code.builder.position_at_end(head)
        step = code.load(self.memory.fields[self.memory.layout.step])
        fault = code.load(context.FAULT, base=code.ctx)
        now = code.builder.load(decisions, typ=I64)
        going = code.builder.icmp_signed("!=", step, code.i32(OVER))
        sound = code.builder.icmp_signed("==", fault, code.i32(0))
        short = code.builder.icmp_signed("<", now, limit)
        go_on = code.builder.and_(going, code.builder.and_(sound, short))
        code.builder.cbranch(go_on, body, done)
        code.builder.position_at_end(body)
        code.builder.call(decide, [code.ctx, state, streams])
        code.builder.store(code.builder.add(now, self.decided(code)), decisions)
        code.builder.branch(head)
        code.builder.position_at_end(done)
        if self.flow.unasked.steps:
            open_ = code.builder.and_(sound, self.flow.unasked.is_open(code))
            cut_off = code.builder.and_(code.builder.and_(going, open_), code.builder.not_(short))
            settle = self.flow.unasked.settle
            code.when(cut_off, lambda: code.builder.call(settle, [code.ctx, state]))
        return code.builder.load(decisions, typ=I64)

    def decided(self, code: Code) -> Value:
        """How many decisions were taken: one, or none if a player was passed over."""
        if not self.flow.unasked.steps:
            return code.i64(1)
        passed_over = code.load(context.PASSED_OVER, base=code.ctx)
        code.store(context.PASSED_OVER, code.i32(0), base=code.ctx)
        return code.builder.sub(code.i64(1), code.wide(passed_over))

    def note(self, code: Code, outs: list[Value], game: Value, decisions: Value) -> None:
        """Write down how a game went."""
        status_at, decisions_at, end_at, winner_at, moves_at, widths_at, joint_at, scores_at = outs
        builder = code.builder
        fault = code.load(context.FAULT, base=code.ctx)
        step = code.load(self.memory.fields[self.memory.layout.step])
        over = builder.icmp_signed("==", step, code.i32(OVER))
        sound = builder.icmp_signed("==", fault, code.i32(0))
        ended = builder.select(over, ir.Constant(I8, FINISHED), ir.Constant(I8, UNFINISHED))
        status = builder.select(sound, ended, ir.Constant(I8, FAULTY))
        for at, value, type_ in (
            (status_at, status, I8),
            (decisions_at, decisions, I32),
            (end_at, code.load(context.END, base=code.ctx), I32),
            (winner_at, code.load(context.WINNER, base=code.ctx), I32),
            (moves_at, code.load(context.MOVES, base=code.ctx), I64),
            (widths_at, code.load(context.WIDTHS, base=code.ctx), I64),
            (joint_at, code.load(context.JOINT_WIDTHS, base=code.ctx), I64),
        ):
            where = builder.gep(at, [game], source_etype=type_)
            builder.store(code.fit(value, type_), where)
        row = builder.mul(game, code.i64(self.players))
        for player in range(self.players):
            score = code.load(self.flow.shape.scores, code.i32(player), base=code.ctx)
            index = builder.add(row, code.i64(player))
            builder.store(score, builder.gep(scores_at, [index], source_etype=I64))


__all__ = ["FAULTY", "FINISHED", "UNFINISHED", "PlayoutCode"]
