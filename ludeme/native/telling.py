"""Moves in words: what runs print, written down by machine code for `ludeme.native.teller` to read.

A run notes what it prints as a trail of words of 64 bits: the number of a printed line, then its
values, and so on. What is told stands one after the other from the context's OUT: a head, whose low
half is the number of words that follow, and the words.
"""

from __future__ import annotations

from llvmlite import ir

from ludeme.check import program
from ludeme.check.walking import walk
from ludeme.kernel.types import Type
from ludeme.native import context
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.flow import Flow
from ludeme.native.memory import I1, I32, I64, PTR, Field, Memory, Trail
from ludeme.native.places import arena_of
from ludeme.native.playouts import PlayoutCode
from ludeme.native.turns import TurnCode

END_OF_GAME = 0xFFFF
"""In the high half of a head: the ranks of the players follow, and the game is over."""


class Guides:
    """Where the context holds, for each type of thing that is chosen, what a print names."""

    def __init__(self, memory: Memory, start: int) -> None:
        self.fields: dict[Type, Field] = {}
        at = start
        for turn in memory.program.turns.values():
            for line in walk(turn.body):
                if isinstance(line, program.Choose) and line.member.type not in self.fields:
                    kind = memory.value_type(Type("set", line.member.type), line.span)
                    at = -(-at // 16) * 16
                    self.fields[line.member.type] = Field(at, kind)
                    at += self.fields[line.member.type].size
        self.size = -(-at // 16) * 16 - start


class TellCode:
    """Compiles four functions.

    ``moves``: context, state, player; tells the legal moves in order. ``find``: context, state,
    player, the fingerprint of a print, and where the state at the end of the run with this print
    goes; whether there is one. ``play``: context, state, and the states at the ends of the
    deciders' runs; goes on to the next decision. ``playouts``, which also tells each run that is
    drawn, the number of its step in the high half of the head, and the ranks at the end of a game.

    The context's fault is set where something goes wrong, or cannot be told.
    """

    def __init__(self, unit: Unit, flow: Flow, playouts: PlayoutCode) -> None:
        self.unit = unit
        self.flow = flow
        self.turns = flow.turns
        self.memory = unit.memory
        assert unit.memory.trail is not None
        self.trail: Trail = unit.memory.trail
        self.playouts = playouts
        self.turns.modes[context.TELLING] = self.tell_run
        self.turns.modes[context.FINDING] = self.compare_run
        self.turns.guide = self.narrow
        self.guides = Guides(unit.memory, self.turns.scratch)
        self.turns.scratch += self.guides.size
        flow.told = self.tell_drawn
        playouts.at_end = self.tell_ranks
        self.decisions = flow.decisions()

    def compile(self) -> None:
        """Make the functions."""
        self.playouts.compile()
        self.moves()
        self.find()
        self.play()

    def exported(self, name: str, result: ir.Type, parameters: list[ir.Type]) -> Code:
        """A function of context, state and more that can be called from outside."""
        made = ir.Function(self.unit.module, ir.FunctionType(result, parameters), name)
        code = Code(self.unit, made, made.args[0], made.args[1])
        self.flow.reset(code)
        self.flow.prepare(code)
        return code

    def at_step(self, code: Code) -> dict[int, ir.Block]:
        """A block for each step at which the state may stand; elsewhere nothing is done."""
        step = code.load(self.memory.fields[self.memory.layout.step])
        nowhere = code.function.append_basic_block("nowhere")
        switch = code.builder.switch(step, nowhere)
        blocks = {}
        for number, _ in self.decisions:
            blocks[number] = code.function.append_basic_block(f"step_{number}")
            switch.add_case(code.i32(number), blocks[number])
        code.builder.position_at_end(nowhere)
        self.leave(code)
        return blocks

    def leave(self, code: Code) -> None:
        """Return nothing, or naught."""
        result = code.function.ftype.return_type
        if isinstance(result, ir.VoidType):
            code.builder.ret_void()
        else:
            code.builder.ret(ir.Constant(result, 0))

    # ---- telling

    def tell(self, code: Code, words: Value, count: Value, head: int) -> None:
        """Write words with their head; a fault if there is no room."""
        out = code.load(context.OUT, base=code.ctx)
        size = code.builder.shl(code.builder.add(count, code.i64(1)), code.i64(3))
        after = code.builder.add(out, size)
        end = code.load(context.OUT_END, base=code.ctx)
        room = code.builder.icmp_unsigned("<=", after, end)
        self.flow.effects.fault_if(code, code.builder.not_(room))

        def write() -> None:
            at = code.builder.inttoptr(out, PTR)
            code.builder.store(code.builder.or_(count, code.i64(head << 32)), at)
            with code.count_up(count) as index:
                word = code.builder.load(
                    code.builder.gep(words, [index], source_etype=I64), typ=I64
                )
                place = code.builder.add(index, code.i64(1))
                code.builder.store(word, code.builder.gep(at, [place], source_etype=I64))
            code.store(context.OUT, after, base=code.ctx)

        code.when(room, write)

    def tell_state(self, code: Code, state: Value, head: int) -> None:
        """Tell what the run printed that ended in a state."""
        count = code.load(self.trail.count, base=state)
        self.tell(code, code.address(state, self.trail.words), count, head)

    def tell_run(self, code: Code) -> None:
        """What the end of a run does in mode TELLING."""
        self.tell_state(code, code.read, 0)
        fault = code.load(context.FAULT, base=code.ctx)
        code.builder.ret(code.some(fault))

    def tell_drawn(self, code: Code, number: int, end: Value) -> None:
        """Tell a run that was drawn."""
        self.tell_state(code, end, number)

    def tell_ranks(self, code: Code) -> None:
        """Tell the ranks at the end of a game."""
        ranks = self.flow.shape.ranks
        count = code.i64(ranks.count)
        self.tell(code, code.address(code.ctx, ranks), count, END_OF_GAME)
        # The loop over games has a context of its own.
        out = code.load(context.OUT, base=code.ctx)
        code.store(context.OUT, out, base=code.function.args[0])

    # ---- listing

    def moves(self) -> None:
        """The legal moves of a player."""
        code = self.exported("moves", ir.VoidType(), [PTR, PTR, I32])
        player = code.function.args[2]
        for number, block in self.at_step(code).items():
            code.builder.position_at_end(block)
            turn = self.turns.turn(dict(self.decisions)[number].turn)
            begun = code.block(self.memory.size)
            if turn.forms is None:
                turn.list_runs(code, begun, player)
                self.tell_list(code, turn)
            else:
                self.go_through(code, turn, begun, player, context.TELLING)
            code.builder.ret_void()

    def go_through(
        self, code: Code, turn: TurnCode, begun: Value, player: Value, mode: int
    ) -> Value:
        """Go through all runs in some mode; whether one was enough."""
        self.turns.begin(code, begun, code.read, player)
        code.store(context.MODE, code.i32(mode), base=code.ctx)
        code.store(context.COUNT, code.i64(0), base=code.ctx)
        self.flow.expressions.begin_question(code)
        return code.builder.call(turn.enumerate, [code.ctx, begun])

    def tell_list(self, code: Code, turn: TurnCode) -> None:
        """Tell the runs that were listed."""
        arena = arena_of(code)
        with code.count_up(code.load(context.PLACES, base=code.ctx)) as index:
            self.tell_state(code, turn.listing.run_at(code, arena, index), 0)

    # ---- finding

    def narrow(self, code: Code, line: program.Choose, domain: Value) -> Value:
        """Where a run is looked for by its print: the values that the print names."""
        mode = code.load(context.MODE, base=code.ctx)
        finding = code.builder.icmp_unsigned("==", mode, code.i32(context.FINDING))
        named = code.load(self.guides.fields[line.member.type], base=code.ctx)
        return code.builder.select(finding, code.builder.and_(domain, named), domain)

    def find(self) -> None:
        """The state at the end of the run with some print."""
        code = self.exported("find", I1, [PTR, PTR, I32, I64, PTR])
        _, _, player, wanted, result = code.function.args
        code.store(context.WANTED, wanted, base=code.ctx)
        code.store(context.RESULT, code.builder.ptrtoint(result, I64), base=code.ctx)
        for number, block in self.at_step(code).items():
            code.builder.position_at_end(block)
            turn = self.turns.turn(dict(self.decisions)[number].turn)
            begun = code.block(self.memory.size)
            if turn.forms is None:
                turn.list_runs(code, begun, player)
                code.builder.ret(self.find_in_list(code, turn, wanted, result))
            else:
                found = self.go_through(code, turn, begun, player, context.FINDING)
                code.builder.ret(found)

    def compare_run(self, code: Code) -> None:
        """What the end of a run does in mode FINDING."""
        text = code.load(self.memory.text)
        same = code.builder.icmp_unsigned("==", text, code.load(context.WANTED, base=code.ctx))

        def take() -> None:
            result = code.builder.inttoptr(code.load(context.RESULT, base=code.ctx), PTR)
            code.copy(result, code.read, self.memory.size)

        code.when(same, take)
        code.builder.ret(same)

    def find_in_list(self, code: Code, turn: TurnCode, wanted: Value, result: Value) -> Value:
        """The listed run with a print."""
        arena = arena_of(code)
        found = code.slot(I1)
        code.builder.store(code.truth(False), found)
        with code.count_up(code.load(context.PLACES, base=code.ctx)) as index:
            state = turn.listing.run_at(code, arena, index)
            text = code.load(self.memory.text, base=state)

            def take(state: Value = state) -> None:
                code.copy(result, state, self.memory.size)
                code.builder.store(code.truth(True), found)

            code.when(code.builder.icmp_unsigned("==", text, wanted), take)
        return code.builder.load(found, typ=I1)

    # ---- playing

    def play(self) -> None:
        """From the ends of runs to the next decision."""
        code = self.exported("play", ir.VoidType(), [PTR, PTR, PTR])
        ends = code.function.args[2]
        for number, block in self.at_step(code).items():
            code.builder.position_at_end(block)
            step = dict(self.decisions)[number]
            self.flow.expressions.begin_question(code)
            if step.kind == "together":
                outs = [self.end(code, ends, player) for player in range(self.memory.players)]
                self.flow.reveal(code, step, outs)
            else:
                code.copy(code.write, self.end(code, ends, 0), self.memory.size)
            code.builder.call(self.flow.decided(step, number), [code.ctx, code.write])
            code.builder.ret_void()

    def end(self, code: Code, ends: Value, player: int) -> Value:
        """The end of one player's run, of those that stand one behind the other."""
        shift = code.i64(player * self.memory.size)
        return code.builder.gep(ends, [shift], source_etype=ir.IntType(8))


__all__ = ["END_OF_GAME", "Guides", "TellCode"]
