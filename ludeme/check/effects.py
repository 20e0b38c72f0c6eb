"""Lines that change variables and pieces, and what is printed."""

from __future__ import annotations

from collections.abc import Sequence

from ludeme.check import program
from ludeme.check.declare import picture_marks
from ludeme.check.environment import Environment
from ludeme.check.expressions import Expressions
from ludeme.check.scope import LocalBinding, Scope
from ludeme.diagnostics import Note, Span, shortened
from ludeme.kernel.types import (
    KIND,
    NUMBER,
    PLAYER,
    SITE,
    SITES,
)
from ludeme.syntax import tree


class Effects:
    """Checks single lines that decide nothing."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.report = env.report
        self.expressions = Expressions(env)
        self.depth = 0

    # ---- variables

    def _set(self, line: tree.Set, scope: Scope) -> Sequence[program.Statement]:
        name = line.place.name.text
        binding = scope.find(name)
        if isinstance(binding, LocalBinding):
            if not binding.assignable or line.place.indices:
                self.report.error(
                    "assign",
                    line.place.span,
                    f"`{name}` was chosen or bound, and stays what it is",
                    help=f"only what `let {name} = ...` made can be changed with `set`",
                )
                return ()
            if scope.place.at_once:
                self.report.error(
                    "at-once",
                    line.span,
                    "names cannot be changed in `for each`, where all happens at once",
                    help="write `one by one x in S` for one after the other",
                )
            value = self.expressions.expect(line.value, scope, binding.local.type, f"`{name}`")
            return (program.Assign(binding.local, value, True, span=line.span),)
        target = self.target(line.place, scope)
        if target is None:
            self.expressions.check(line.value, scope)
            return ()
        variable, indices = target
        value = self.expressions.expect(line.value, scope, variable.type, f"`{name}`")
        self.env.operations.add("set")
        if isinstance(value, program.Constant) and variable.type == NUMBER and value.type == NUMBER:
            number = value.value
            if isinstance(number, int) and not variable.low <= number <= variable.high:
                self.report.error(
                    "range",
                    line.value.span,
                    f"`{name}` goes from {variable.low} to {variable.high}; {number} is outside",
                    notes=[Note(variable.span, "its range is declared here")],
                )
        return (program.Set(variable, indices, value, span=line.span),)

    def _raise(self, line: tree.Raise, scope: Scope) -> Sequence[program.Statement]:
        word = "lower" if line.down else "raise"
        self.env.operations.add(word)
        target = self.target(line.place, scope)
        amount = self.expressions.expect(line.amount, scope, NUMBER, f"`{word}`")
        if target is None:
            return ()
        variable, indices = target
        if variable.type != NUMBER:
            self.report.error(
                "type",
                line.place.span,
                f"`{word}` changes a number; `{variable.name}` is {variable.type.spoken}",
                help=f"write `set {variable.name} to ...`",
            )
            return ()
        return (program.Raise(variable, indices, amount, line.down, span=line.span),)

    def target(
        self, place: tree.Place, scope: Scope
    ) -> tuple[program.Variable, tuple[program.Expression, ...]] | None:
        """The variable that a line changes; reports what cannot be changed here."""
        name = place.name.text
        variable = self.env.names.get(name)
        if not isinstance(variable, program.Variable):
            known = {v.name for v in self.env.variables}
            if name in self.env.known_names():
                self.report.error(
                    "assign",
                    place.name.span,
                    f"`{name}` is not a variable, so it cannot be changed",
                    help="variables are declared with `each ... has` and `game has`",
                )
            else:
                self.report.unknown("variable", name, place.name.span, known)
            return None
        self.env.used.add(name)
        if variable.is_flag:
            self.report.error(
                "assign",
                place.span,
                f"`{name}` is a flag of sites or pieces",
                help=f"write `mark SITES {name}` or `unmark SITES {name}`",
            )
            return None
        arguments = [tree.Argument(None, i, span=i.span) for i in place.indices]
        indices = self.expressions.indices(variable, arguments, place.span, place.name.span, scope)
        if indices is None or not self.may_write(variable, indices, place.span, scope):
            return None
        return variable, indices

    def may_write(
        self,
        variable: program.Variable,
        indices: Sequence[program.Expression],
        span: Span,
        scope: Scope,
    ) -> bool:
        """Whether the place allows this variable to be written."""
        place = scope.place
        if place.plans and not variable.planned:
            self.report.error(
                "secret",
                span,
                f"a turn taken together can write only secret orders; `{variable.name}` is not one",
                help=f"do this in `reveal`, or declare `each player plans {variable.name} ...`",
            )
            return False
        if place.plans and not (isinstance(indices[0], program.Op) and indices[0].name == "mover"):
            self.report.error(
                "secret",
                span,
                "a player can write only orders of its own",
                help=f"write `{variable.name}(mover ...)`",
            )
            return False
        if variable.planned and not place.plans and place.name not in ("reveal", "example"):
            self.report.error(
                "secret",
                span,
                f"`{variable.name}` is planned in a turn taken together, nowhere else",
            )
            return False
        return True

    def _mark(self, line: tree.Mark, scope: Scope) -> Sequence[program.Statement]:
        word = "mark" if line.on else "unmark"
        self.env.operations.add(word)
        sites = self.expressions.expect(line.sites, scope, SITES, f"`{word}`")
        variable = self.env.names.get(line.flag.text)
        if not isinstance(variable, program.Variable) or not variable.is_flag:
            flags = [v.name for v in self.env.variables if v.is_flag]
            self.report.unknown("flag of sites or pieces", line.flag.text, line.flag.span, flags)
            return ()
        self.env.used.add(variable.name)
        if scope.place.plans:
            self.board_is_closed(line.span)
            return ()
        return (program.Mark(variable, sites, line.on, span=line.span),)

    # ---- pieces

    def board_is_closed(self, span: Span) -> None:
        """Report an effect on the board in a turn that all take together."""
        self.report.error(
            "secret",
            span,
            "a turn taken together can write only secret orders",
            help="do this in `reveal`",
        )

    def may_touch(self, span: Span, scope: Scope, word: str) -> bool:
        """Whether the board may be changed here."""
        self.env.operations.add(word)
        if scope.place.plans:
            self.board_is_closed(span)
            return False
        return True

    def _put(self, line: tree.Put, scope: Scope) -> Sequence[program.Statement]:
        if not self.may_touch(line.span, scope, "put"):
            return ()
        found: dict[str, program.Expression] = {}
        for operand in line.operands:
            checked = self.expressions.check(operand, scope)
            kind = checked.type.kind
            if kind == "hole":
                return ()
            if kind not in ("number", "player", "kind") or kind in found:
                self.expressions.wrong_type(
                    operand.span,
                    "`put` takes a number, a player and a kind of piece, each at most once",
                    checked.type,
                    "for example `put 2 Black stone on a1`",
                )
                return ()
            found[kind] = checked
        sites = self.expressions.expect(line.sites, scope, SITES, "`put`")
        if "kind" not in found:
            self.report.error(
                "put",
                line.span,
                "this does not say which piece is put",
                help="for example `put stone on ...`",
            )
            return ()
        if not isinstance(found["kind"], program.Constant):
            self.env.used.update(self.env.kinds)
        count = found.get("number", program.Constant(1, NUMBER, span=line.span))
        owner = found.get("player") or self.default_owner(line, found["kind"], scope)
        return (program.Put(count, owner, found["kind"], line.from_hand, sites, span=line.span),)

    def default_owner(
        self, line: tree.Put, kind: program.Expression, scope: Scope
    ) -> program.Expression:
        """Whose a piece is when the line does not say: nobody's if neutral, else the mover's."""
        neutral = self.env.neutral
        if isinstance(kind, program.Constant) and isinstance(kind.value, int):
            if neutral >> kind.value & 1:
                return program.Constant(len(self.env.players), PLAYER, span=line.span)
        scope.place.uses_mover = True
        if not scope.place.mover:
            self.report.error(
                "mover",
                line.span,
                f"this does not say whose piece is put, and nobody moves in `{scope.place.name}`",
                help="name the player, for example `put Black stone on ...`",
            )
        return program.Op("mover", (), PLAYER, span=line.span)

    def _move(self, line: tree.Move, scope: Scope) -> Sequence[program.Statement]:
        origin = self.expressions.expect(line.origin, scope, SITE, "`move`")
        target = self.expressions.expect(line.target, scope, SITE, "`move`")
        if not self.may_touch(line.span, scope, "move"):
            return ()
        return (program.Move(origin, target, span=line.span),)

    def _swap(self, line: tree.Swap, scope: Scope) -> Sequence[program.Statement]:
        left = self.expressions.expect(line.left, scope, SITE, "`swap`")
        right = self.expressions.expect(line.right, scope, SITE, "`swap`")
        if not self.may_touch(line.span, scope, "swap"):
            return ()
        return (program.Swap(left, right, span=line.span),)

    def _remove(self, line: tree.Remove, scope: Scope) -> Sequence[program.Statement]:
        sites = self.expressions.expect(line.sites, scope, SITES, "`remove`")
        if not self.may_touch(line.span, scope, "remove"):
            return ()
        return (program.Remove(sites, span=line.span),)

    def _change(self, line: tree.Change, scope: Scope) -> Sequence[program.Statement]:
        sites = self.expressions.expect(line.sites, scope, SITES, "`change`")
        kind = self.expressions.expect(line.kind, scope, KIND, "`change`")
        if not self.may_touch(line.span, scope, "change"):
            return ()
        return (program.Change(sites, kind, span=line.span),)

    def _give(self, line: tree.Give, scope: Scope) -> Sequence[program.Statement]:
        sites = self.expressions.expect(line.sites, scope, SITES, "`give`")
        player = self.expressions.expect(line.player, scope, PLAYER, "`give`")
        if not self.may_touch(line.span, scope, "give"):
            return ()
        return (program.Give(sites, player, span=line.span),)

    def _clearboard(self, line: tree.ClearBoard, scope: Scope) -> Sequence[program.Statement]:
        if not self.may_touch(line.span, scope, "clear board"):
            return ()
        return (program.ClearBoard(span=line.span),)

    def _refillhands(self, line: tree.RefillHands, scope: Scope) -> Sequence[program.Statement]:
        if not self.may_touch(line.span, scope, "refill hands"):
            return ()
        return (program.RefillHands(span=line.span),)

    def _setup(self, line: tree.Setup, scope: Scope) -> Sequence[program.Statement]:
        if not self.may_touch(line.span, scope, "setup"):
            return ()
        marks = picture_marks(self.env, line.picture)
        masks: dict[tuple[int, int], int] = {}
        for site, mark, span in marks or ():
            if mark == ".":
                continue
            found = self.piece_of_mark(mark)
            if found is None:
                letters = ", ".join(self.env.letters)
                self.report.error(
                    "picture",
                    span,
                    f"`{shortened(mark)}` is the letter of no piece",
                    help=f"the letters are {letters}: capital for the first player,"
                    " small for the second; `.` is empty",
                )
                return ()
            masks[found] = masks.get(found, 0) | 1 << site
            self.env.used.add(self.env.kinds[found[1]])
        return tuple(
            program.Put(
                program.Constant(1, NUMBER),
                program.Constant(owner, PLAYER),
                program.Constant(kind, KIND),
                False,
                program.Constant(mask, SITES),
                span=line.span,
            )
            for (owner, kind), mask in masks.items()
        )

    def piece_of_mark(self, mark: str) -> tuple[int, int] | None:
        """Owner and kind that a letter of a picture stands for."""
        for kind, letter in enumerate(self.env.letters):
            if mark.upper() != letter.upper():
                continue
            if self.env.neutral >> kind & 1:
                return len(self.env.players), kind
            owner = 0 if mark.isupper() else 1
            return (owner, kind) if owner < len(self.env.players) else None
        return None

    # ---- notation

    def _say(self, line: tree.Say, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("as")
        return (self.template(line.template, scope),)

    def template(self, template: tree.Template, scope: Scope) -> program.Say:
        """A printed form."""
        parts: list[str | program.Expression] = []
        for part in template.parts:
            if isinstance(part, str):
                parts.append(part)
                continue
            value = self.expressions.check(part, scope)
            if value.type.kind in ("truth", "family", "relation"):
                self.expressions.wrong_type(
                    part.span, "a printed form shows sites, players, pieces and numbers", value.type
                )
                continue
            parts.append(value)
        return program.Say(tuple(parts), span=template.span)
