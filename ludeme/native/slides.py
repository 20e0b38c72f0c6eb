"""Slides and looks along the lines through a site, by tables.

What stands on a line is gathered into a small number, a table tells what is reached from the site
on that line, and the answer is spread out over the board again: two instructions (PEXT and PDEP)
and a look into the table for each line, whatever the order of its sites. Chess programs know this
as PEXT bitboards (Pradu Kannan, 2007; https://www.chessprogramming.org/BMI2#PEXTBitboards).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import attrs
from llvmlite import ir

from ludeme.machine.tables import Tables
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I16, I32, I64

MOST_ON_LINE = 12
MOST_BYTES = 48 * 1024
"""The tables of one kind of slide; more would not stay close to the processor."""
SLIDE, SEEN = 0, 1
"""What is asked: the sites before the first blocker, or that blocker."""

Places = tuple[int, ...]
"""The places of a ray's sites among all on its line, by number of site."""


@attrs.frozen
class Line:
    """One line through each site: its sites but for that one, and where its table begins."""

    masks: tuple[int, ...]
    begins: tuple[int, ...]


@attrs.frozen
class Lines:
    """The lines through all sites, and the tables of all, one behind the other."""

    lines: tuple[Line, ...]
    entries: tuple[int, ...]


class Slides:
    """Lowers slides in directions that are known, where tables for them are small."""

    def __init__(self, unit: Unit, tables: Tables) -> None:
        self.unit = unit
        self.tables = tables
        self._lines: dict[tuple[int, int], Lines | None] = {}

    def reach(
        self, code: Code, site: Value, blockers: Value, directions: int, asked: int
    ) -> Value | None:
        """What a slide (or look) in a set of directions reaches; None if there are no tables."""
        key = (directions, asked)
        if key not in self._lines:
            self._lines[key] = self._made(directions, asked) if self.unit.has_pdep else None
        found = self._lines[key]
        if found is None:
            return None
        words = code.words_of(blockers)
        parts = [self._along(code, found, line, site, words) for line in found.lines]
        reached = [reduce(code.builder.or_, of_word) for of_word in zip(*parts, strict=True)]
        return code.set_of_words(reached)

    # ---- tables

    def _made(self, directions: int, asked: int) -> Lines | None:
        begins: dict[tuple[Places, ...], int] = {}
        entries: list[int] = []
        lines = []
        for ways in self._ways(directions):
            masks, starts = [], []
            for site in range(len(self.tables.board.names)):
                rays = [self.tables.rays[way][site].sites for way in ways]
                members = sorted({*(member for ray in rays for member in ray)})
                if len(members) > MOST_ON_LINE:
                    return None
                places = tuple(tuple(map(members.index, ray)) for ray in rays)
                shape = (*places, (len(members),))
                if shape not in begins:
                    begins[shape] = len(entries)
                    entries += [
                        _reached(places, taken, asked) for taken in range(1 << len(members))
                    ]
                    if 2 * len(entries) > MOST_BYTES:
                        return None
                masks.append(sum(1 << member for member in members))
                starts.append(begins[shape])
            lines.append(Line(tuple(masks), tuple(starts)))
        return Lines(tuple(lines), tuple(entries)) if lines else None

    def _ways(self, directions: int) -> list[tuple[int, ...]]:
        """The directions, those that are opposite taken together."""
        left = {way for way in range(len(self.tables.rays)) if directions >> way & 1}
        found: list[tuple[int, ...]] = []
        for there, back in self.tables.axes:
            if there != back and {there, back} <= left:
                found.append((there, back))
                left -= {there, back}
        return [*found, *((way,) for way in sorted(left))]

    # ---- code

    def _along(
        self, code: Code, found: Lines, line: Line, site: Value, blockers: Sequence[Value]
    ) -> list[Value]:
        """What is reached on one line, word by word."""
        builder = code.builder
        fnty = ir.FunctionType(I64, [I64, I64])
        gather = self.unit.intrinsic("llvm.x86.bmi.pext.64", [], fnty)
        spread = self.unit.intrinsic("llvm.x86.bmi.pdep.64", [], fnty)
        masks, passed = [], [code.i64(0)]
        taken = self._entry(code, I32, line.begins, site)
        for number, word in enumerate(blockers):
            of_word = [mask >> 64 * number & (1 << 64) - 1 for mask in line.masks]
            masks.append(self._entry(code, I64, of_word, site))
            bits = builder.call(gather, [word, masks[-1]])
            taken = builder.add(taken, builder.shl(bits, passed[-1]))
            passed.append(builder.add(passed[-1], code.count(masks[-1])))
        reached = self._entry(code, I16, found.entries, taken)
        return [
            builder.call(spread, [builder.lshr(reached, before), mask])
            for before, mask in zip(passed, masks, strict=False)
        ]

    def _entry(self, code: Code, type_: ir.IntType, values: Sequence[int], index: Value) -> Value:
        """An entry of a table, as 64 bits."""
        table = self.unit.table(type_, values)
        at = code.builder.gep(table, [code.wide(index)], source_etype=type_)
        return code.fit(code.builder.load(at, typ=type_), I64, signed=False)


def _reached(rays: Sequence[Places], taken: int, asked: int) -> int:
    """What is reached on a line of which some places are taken."""
    found = 0
    for ray in rays:
        for place in ray:
            if taken >> place & 1:
                found |= 1 << place if asked == SEEN else 0
                break
            found |= 1 << place if asked == SLIDE else 0
    return found
