"""What is asked of each member of a set: quantifiers, folds, the best of a family."""

from __future__ import annotations

from ludeme.check import program
from ludeme.machine.asking import Evaluate
from ludeme.machine.bits import members
from ludeme.machine.layout import Cells
from ludeme.machine.operators import Operators


class Binders(Operators):
    """Compiles what binds a name."""

    def quantified(self, node: program.Quantified) -> Evaluate:
        """`some`, `no`, `every`."""
        family = node.domain.type.kind == "family"
        domain = self.compile(node.domain)
        slot = self.slot(node.local)
        condition = self.compile(node.condition)
        wanted = node.quantifier != "every"
        found = node.quantifier == "some"
        spend, steps = self.meter.spend, self.word + self.nodes(node.condition)

        def quantified(c: Cells) -> bool:
            looked_at = 0
            for member in domain(c) if family else members(domain(c)):
                looked_at += 1
                c[slot] = member
                if bool(condition(c)) is wanted:
                    spend(looked_at * steps)
                    return found
            spend(looked_at * steps)
            return not found

        return quantified

    def those(self, node: program.Those) -> Evaluate:
        """`those`."""
        each = self.each(node.domain, self.nodes(node.condition))
        slot = self.slot(node.local)
        condition = self.compile(node.condition)
        if node.domain.type.kind == "family":

            def those_of_family(c: Cells) -> tuple[int, ...]:
                kept = []
                for member in each(c):
                    c[slot] = member
                    if condition(c):
                        kept.append(member)
                return tuple(kept)

            return those_of_family

        def those(c: Cells) -> int:
            kept = 0
            for member in each(c):
                c[slot] = member
                if condition(c):
                    kept |= 1 << member
            return kept

        return those

    def fold(self, node: program.Fold) -> Evaluate:
        """`sum`, `union`, `largest`, `smallest`."""
        each = self.each(node.domain, self.nodes(node.value))
        slot = self.slot(node.local)
        value = self.compile(node.value)
        if node.kind in ("sum", "union"):
            adds = node.kind == "sum"

            def fold(c: Cells) -> int:
                total = 0
                for member in each(c):
                    c[slot] = member
                    total = total + value(c) if adds else total | value(c)
                return total

            return fold
        assert node.otherwise is not None
        otherwise = self.compile(node.otherwise)
        largest = node.kind == "largest"

        def extreme(c: Cells) -> int:
            best: int | None = None
            for member in each(c):
                c[slot] = member
                found = value(c)
                if best is None or (found > best if largest else found < best):
                    best = found
            return int(otherwise(c)) if best is None else best

        return extreme

    def best(self, node: program.Best) -> Evaluate:
        """The first set of a family whose numbers are greatest."""
        each = self.each(node.domain, sum(self.nodes(key) for key in node.keys))
        slot = self.slot(node.local)
        keys = [self.compile(key) for key in node.keys]

        def best(c: Cells) -> int:
            chosen, best_keys = 0, None
            for member in each(c):
                c[slot] = member
                found = [key(c) for key in keys]
                if best_keys is None or found > best_keys:
                    chosen, best_keys = member, found
            return chosen

        return best

    def ability(self, node: program.Ability) -> Evaluate:
        """Whether a player can take a turn."""
        player = self.compile(node.player)
        turn, negated, can_move = node.turn, node.negated, self.can_move
        return lambda c: can_move(c, player(c), turn) != negated
