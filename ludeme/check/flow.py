"""Turns, reveals, `play`, ends and the ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ludeme.check import program
from ludeme.check.declare import CHANCE, Declarations
from ludeme.check.environment import Definition, Environment
from ludeme.check.expressions import Expressions
from ludeme.check.notation import with_default_notation
from ludeme.check.scope import Place, Scope
from ludeme.check.statements import Statements, always
from ludeme.diagnostics import Span
from ludeme.kernel.types import HOLE, NUMBER, PLAYER, PLAYERS, SITES
from ludeme.syntax import tree

DECISIONS = (tree.Takes, tree.Alternate, tree.Together)


class Flow:
    """Checks what a description says of who decides when, and how the game ends."""

    def __init__(self, env: Environment, declarations: Declarations) -> None:
        self.env = env
        self.report = env.report
        self.declarations = declarations
        self.expressions = Expressions(env)
        self.statements = Statements(env)
        self.used_turns: set[str] = set()
        self.finishes: list[program.End] = []

    # ---- turns

    def declare_turns(self) -> None:
        """Make the names of turns known."""
        for turn in self.declarations.all_of(tree.Turn):
            name = turn.name.text if turn.name else "move"
            self.env.turns[name] = turn
            if turn.name is not None:
                self.env.is_taken(turn.name)

    def turn(self, name: str, item: tree.Turn) -> program.Turn:
        """A choice program and, if all take it together, what follows at once."""
        chance = rolls(item.body)
        place = Place(
            "turn", mover=not chance, placed=True, choices=True, chance=chance, plans=item.together
        )
        if chance and item.together:
            self.report.error(
                "chance", item.span, "chance takes a turn alone, not together with players"
            )
        scope = Scope(place)
        body = self.statements.block(item.body, scope)
        if item.template is not None:
            self.env.operations.add("as")
            body += (self.statements.template(item.template, scope),)
        else:
            body = with_default_notation(body)
        self.expressions.warn_unused(scope)
        joiner = item.joiner or ""
        return program.Turn(
            name, item.together, chance, joiner, body, self.reveal(name, item), span=item.span
        )

    def reveal(self, name: str, turn: tree.Turn) -> program.Block:
        """The reveal that belongs to a turn."""
        reveals = self.declarations.all_of(tree.Reveal)
        together = [n for n, t in self.env.turns.items() if t.together]
        for item in reveals:
            of = item.turn.text if item.turn else (together[0] if len(together) == 1 else "")
            if of != name:
                continue
            if not turn.together:
                self.report.error(
                    "reveal", item.span, f"turn `{name}` is taken by one player; nothing is secret"
                )
                return ()
            return self.statements.inner_block(item.body, Scope(Place("reveal")))
        return ()

    def check_reveals(self) -> None:
        """Every reveal must belong to a turn."""
        together = [n for n, t in self.env.turns.items() if t.together]
        for item in self.declarations.all_of(tree.Reveal):
            if item.turn is not None and item.turn.text not in self.env.turns:
                self.report.unknown("turn", item.turn.text, item.turn.span, self.env.turns)
            elif item.turn is None and len(together) != 1:
                self.report.error(
                    "reveal",
                    item.span,
                    "this does not say which turn it follows",
                    help="write `reveal NAME`, of a turn declared `turn NAME together`",
                )

    # ---- play

    def declare_rounds(self, steps: Sequence[tree.Step]) -> None:
        """The names of loops over rounds are variables of the state."""
        for step in steps:
            if isinstance(step, tree.Rounds):
                domain = self.expressions.set_like(step.domain, Scope(Place("play")), "`for`")
                kind = domain.type.element or HOLE
                if kind not in (PLAYER, NUMBER, HOLE):
                    self.expressions.wrong_type(
                        step.domain.span,
                        "`for` in `play` goes through players or numbers",
                        domain.type,
                    )
                variable = program.Variable(
                    step.variable.text, "game", kind, None,
                    len(self.env.players) if kind == PLAYER else 0, 0, 4095,
                    None, None, False, step.variable.span,
                )  # fmt: skip
                self.env.variables.append(variable)
                self.env.declare(step.variable, variable)
                self.env.used.add(step.variable.text)
            for inner in inner_steps(step):
                self.declare_rounds(inner)

    def play(self) -> program.Steps:
        """The script of the game; without one, the players alternate the only turn."""
        items = self.declarations.all_of(tree.Play)
        if items:
            return self.steps(items[0].steps, Scope(Place("play")), items[0].steps)
        names = list(self.env.turns)
        if len(names) != 1:
            spans = [turn.span for turn in self.env.turns.values()]
            if len(names) > 1:
                self.report.error(
                    "play",
                    spans[-1],
                    "several turns, and nothing says who takes which when",
                    help="add `play`, for example with `players alternate NAME`",
                )
            return ()
        name = names[0]
        self.used_turns.add(name)
        if rolls(self.env.turns[name].body):
            self.report.error(
                "play", self.env.turns[name].span, "no player has a turn here, only chance"
            )
            return ()
        if self.env.turns[name].together:
            return (program.Loop(None, (program.Together(name),)),)
        return (program.Alternate(name, program.Constant(0, PLAYER), False, None),)

    def reached(self, steps: program.Steps) -> set[str]:
        """The turns that these steps lead to."""
        found: set[str] = set()
        for step in steps:
            match step:
                case program.Takes() | program.Alternate() | program.Together() | program.Rolled():
                    found.add(step.turn)
                case program.Phase() | program.Loop() | program.Rounds():
                    found |= self.reached(step.body)
                case program.IfStep():
                    found |= self.reached(step.then) | self.reached(step.otherwise)
        return found

    def steps(
        self, steps: Sequence[tree.Step], scope: Scope, all_steps: Sequence[tree.Step]
    ) -> program.Steps:
        checked: list[program.Step] = []
        for step in steps:
            checked.extend(self.step(step, scope, all_steps))
        for step, following in pairwise(steps):
            if never_ends(step) and not leads_into(all_steps, following):
                self.report.warning(
                    "unreachable",
                    following.span,
                    "play never comes to this line",
                    help=_why_never(step),
                )
                break
        return tuple(checked)

    def step(
        self, step: tree.Step, scope: Scope, all_steps: Sequence[tree.Step]
    ) -> Iterator[program.Step]:
        match step:
            case tree.Hole():
                return
            case tree.Takes():
                yield from self.takes(step, scope)
            case tree.Alternate():
                yield from self.alternate(step)
            case tree.Together():
                if self.known_turn(step.turn, together=True):
                    yield program.Together(step.turn.text, span=step.span)
            case tree.Phase():
                body = self.steps(step.body, scope, all_steps)
                yield program.Phase(step.name.text, body, span=step.span)
            case tree.GoTo():
                names = [phase.name.text for phase in phases(all_steps)]
                if step.name.text not in names:
                    self.report.unknown("phase", step.name.text, step.name.span, names)
                yield program.GoTo(step.name.text, span=step.span)
            case tree.Loop():
                until = None
                if step.until is not None:
                    until = self.expressions.truth(step.until, self.asking(), "`until`")
                self.needs_turn(step, step.body)
                yield program.Loop(until, self.steps(step.body, scope, all_steps), span=step.span)
            case tree.Rounds():
                yield from self.rounds(step, scope, all_steps)
            case tree.IfStep():
                condition = self.expressions.truth(step.condition, self.asking(), "`if`")
                then = self.steps(step.then, scope, all_steps)
                otherwise = self.steps(step.otherwise, scope, all_steps)
                if isinstance(condition, program.Constant) and not list(phases((step,))):
                    yield from then if condition.value else otherwise
                else:
                    yield program.IfStep(condition, then, otherwise, span=step.span)
            case tree.Finish():
                yield self.finish(step, Place("play", abilities=True))
            case _:
                effects = self.statements.line(step, Scope(Place("play")))
                yield program.EffectStep(tuple(effects), span=step.span)

    def asking(self) -> Scope:
        """Where a condition of `play` is asked."""
        return Scope(Place("play", abilities=True))

    def takes(self, step: tree.Takes, scope: Scope) -> Iterator[program.Step]:
        if step.player.text == CHANCE:
            if self.known_turn(step.turn, together=False, chance=True):
                yield program.Rolled(step.turn.text, span=step.span)
            return
        name = tree.Name(step.player.text, span=step.player.span)
        player = self.expressions.expect(name, scope, PLAYER, "`takes`")
        if self.known_turn(step.turn, together=False):
            yield program.Takes(player, step.turn.text, span=step.span)

    def alternate(self, step: tree.Alternate) -> Iterator[program.Step]:
        start: program.Expression = program.Constant(0, PLAYER, span=step.span)
        if step.start is not None:
            start = self.expressions.expect(step.start, Scope(Place("play")), PLAYER, "`from`")
        until = None
        if step.until is not None:
            place = Place("play", mover=True, abilities=True)
            until = self.expressions.truth(step.until, Scope(place), "`until`")
        if self.known_turn(step.turn, together=False):
            yield program.Alternate(step.turn.text, start, step.skipping, until, span=step.span)

    def rounds(
        self, step: tree.Rounds, scope: Scope, all_steps: Sequence[tree.Step]
    ) -> Iterator[program.Step]:
        domain = self.expressions.set_like(step.domain, Scope(Place("play")), "`for`")
        self.needs_turn(step, step.body)
        body = self.steps(step.body, scope, all_steps)
        variable = self.env.names.get(step.variable.text)
        if isinstance(variable, program.Variable):
            yield program.Rounds(variable, domain, body, span=step.span)

    def needs_turn(self, step: tree.Loop | tree.Rounds, body: Sequence[tree.Step]) -> None:
        """A loop that passes no turn would never end, or belongs into a block of effects."""
        if not any(decides(inner) for inner in body):
            self.report.error(
                "loop",
                step.span,
                "nobody takes a turn in this loop, so it would never end",
                help="effects on all of a set are written `for each x in S`",
            )

    def known_turn(self, word: tree.Word, together: bool, chance: bool = False) -> bool:
        turn = self.env.turns.get(word.text)
        if turn is None:
            self.report.unknown("turn", word.text, word.span, self.env.turns)
            return False
        self.used_turns.add(word.text)
        if rolls(turn.body) != chance:
            self.report.error(
                "chance",
                word.span,
                f"players choose in turn `{word.text}`, so chance cannot take it"
                if chance
                else f"dice are rolled in turn `{word.text}`, so no player takes it",
                help="name a player" if chance else f"write `{CHANCE} takes {word.text}`",
            )
            return False
        if turn.together != together:
            self.report.error(
                "play",
                word.span,
                f"turn `{word.text}` is taken "
                + ("together" if turn.together else "by one player"),
                help=f"write `players take {word.text} together`"
                if turn.together
                else f"declare it `turn {word.text} together`",
            )
            return False
        return True

    # ---- ends

    def ends(self) -> tuple[program.End, ...]:
        """The conditions that are tested after every turn."""
        checked = []
        names: set[str] = set()
        for item in self.declarations.all_of(tree.Ends):
            for finish in item.finishes:
                place = Place("end", mover=True, placed=True, abilities=True)
                checked.append(self.finish(finish, place))
                if finish.condition is None:
                    self.report.warning(
                        "unconditional",
                        finish.span,
                        "this end has no `when`: it comes after the first turn",
                    )
                names.add(finish.name.text)
        return tuple(checked)

    def finish(self, item: tree.Finish, place: Place) -> program.End:
        scope = Scope(place)
        player = None
        if item.result.player is not None:
            player = self.expressions.expect(
                item.result.player, scope, PLAYER, f"`{item.result.kind}`"
            )
        if item.result.kind == "loses" and len(self.env.players) > 2:
            self.report.error(
                "players", item.result.span, "who wins when one of several loses is not said",
                help="say who wins, or let `ranking decides`",
            )  # fmt: skip
        if item.result.kind == "decides" and not self.declarations.all_of(tree.Ranking):
            self.report.error(
                "ranking",
                item.result.span,
                "there is no ranking that could decide",
                help="add `ranking highest POINTS`",
            )
        condition = None
        if item.condition is not None:
            condition = self.expressions.truth(item.condition, scope, "`when`")
            if always(item.condition) is False:
                self.report.warning("unreachable", item.span, "this end never comes")
        needs_mover = place.uses_mover or place.uses_placed
        end = program.End(
            item.name.text, item.result.kind, player, condition, needs_mover, span=item.span
        )
        self.finishes.append(end)
        return end

    def sight(self) -> program.Sight:
        """What players see of the board."""
        parts: dict[str, program.Expression] = {}
        for item in self.declarations.all_of(tree.Sight):
            for part in item.parts:
                name = part.part.text
                if name not in ("pieces", "kinds"):
                    known = ["pieces", "kinds"]
                    self.report.unknown("thing to see", name, part.part.span, known)
                    continue
                if name in parts:
                    self.report.error(
                        "declared-twice", part.span, f"where `{name}` are seen is said twice"
                    )
                scope = Scope(Place("sight", mover=True))
                parts[name] = self.expressions.expect(part.sites, scope, SITES, "`sight`")
        return program.Sight(parts.get("pieces"), parts.get("kinds"))

    def ranking(self) -> tuple[program.Rank, ...]:
        """What `ranking decides` goes by: numbers of a player."""
        ranks = []
        for item in self.declarations.all_of(tree.Ranking):
            for rank in item.ranks:
                made = self.rank(rank)
                if made is not None:
                    ranks.append(made)
        return tuple(ranks)

    def rank(self, rank: tree.Rank) -> program.Rank | None:
        name = rank.name.text
        scope = Scope(Place("ranking"))
        local = self.env.local("p", PLAYER)
        declared = self.env.names.get(name)
        value: program.Expression
        if isinstance(declared, program.Variable):
            self.env.used.add(name)
            if declared.owner != "player" or declared.index or declared.type != NUMBER:
                self.not_a_rank(name, rank.name.span)
                return None
            value = program.Read(declared, (program.Get(local, PLAYER),), NUMBER, span=rank.span)
        elif isinstance(declared, Definition):
            self.env.used.add(name)
            function = self.expressions.function(declared, rank.name.span)
            if function is None:
                return None
            if [p.type for p in function.parameters] != [PLAYER] or function.type != NUMBER:
                self.not_a_rank(name, rank.name.span)
                return None
            self.expressions.permit_function(declared, function, rank.name.span, scope)
            value = program.Apply(function, (program.Get(local, PLAYER),), NUMBER, span=rank.span)
        else:
            known = {n for n, d in self.env.names.items() if isinstance(d, Definition)}
            known |= {v.name for v in self.env.variables if v.owner == "player"}
            self.report.unknown("number of a player", name, rank.name.span, known)
            return None
        return program.Rank(name, rank.highest, local, value)

    def not_a_rank(self, name: str, span: Span) -> None:
        self.report.error(
            "ranking",
            span,
            f"a ranking goes by numbers of a player; `{name}` is none",
            help=f"for example `define {name}(p: player) = count(pieces(p))`",
        )


def rolls(body: Sequence[tree.Statement]) -> bool:
    """Whether chance takes a turn of these lines: something is rolled in it and nothing chosen."""
    found = {line.chance for line in every_line(body) if isinstance(line, tree.Choose)}
    return found == {True}


def every_line(body: Sequence[tree.Statement]) -> Iterator[tree.Statement]:
    """The lines of a block and of those inside it."""
    for line in body:
        yield line
        for inner in inner_blocks(line):
            yield from every_line(inner)


def inner_blocks(line: tree.Statement) -> tuple[Sequence[tree.Statement], ...]:
    """The blocks inside a line of a turn."""
    match line:
        case tree.If():
            return (line.then, line.otherwise)
        case tree.ForEach() | tree.OneByOne() | tree.Repeat():
            return (line.body,)
        case tree.OneOf():
            return tuple(bullet.body for bullet in line.bullets)
        case tree.Match():
            return tuple(row.body for row in line.rows)
    return ()


def inner_steps(step: tree.Step) -> tuple[Sequence[tree.Step], ...]:
    """The steps inside a step of `play`."""
    match step:
        case tree.Phase() | tree.Loop() | tree.Rounds():
            return (step.body,)
        case tree.IfStep():
            return (step.then, step.otherwise)
    return ()


def phases(steps: Sequence[tree.Step]) -> Iterator[tree.Phase]:
    """All phases among steps, also inner ones."""
    for step in steps:
        if isinstance(step, tree.Phase):
            yield step
        for inner in inner_steps(step):
            yield from phases(inner)


def leads_into(all_steps: Sequence[tree.Step], step: tree.Step) -> bool:
    """Whether some `go to` leads to a step, or to a phase within it."""
    inside = {phase.name.text for phase in phases([step])}
    return any(target in inside for target in targets(all_steps))


def targets(steps: Sequence[tree.Step]) -> Iterator[str]:
    """The phases that a `go to` leads to."""
    for step in steps:
        if isinstance(step, tree.GoTo):
            yield step.name.text
        for inner in inner_steps(step):
            yield from targets(inner)


def decides(step: tree.Step) -> bool:
    """Whether somebody takes a turn in this step, or it leads elsewhere."""
    if isinstance(step, (*DECISIONS, tree.Finish, tree.GoTo)):
        return True
    return any(decides(inner) for steps in inner_steps(step) for inner in steps)


def never_ends(step: tree.Step) -> bool:
    """Whether play cannot come out at the end of a step."""
    match step:
        case tree.Alternate() | tree.Loop():
            return step.until is None and not any(
                isinstance(inner, tree.GoTo) for inner in getattr(step, "body", ())
            )
        case tree.Finish() | tree.GoTo():
            return True
        case tree.Phase() | tree.Rounds():
            return bool(step.body) and never_ends(step.body[-1])
        case tree.IfStep():
            return (
                bool(step.then)
                and bool(step.otherwise)
                and never_ends(step.then[-1])
                and never_ends(step.otherwise[-1])
            )
    return False


def _why_never(step: tree.Step) -> str:
    """What to do about a step that nothing comes after."""
    if isinstance(step, tree.Finish):
        return "the line above ends the game; put it below an `if`, or last"
    if isinstance(step, tree.GoTo):
        return "the line above leads elsewhere; put it below an `if`, or last"
    return "the step above goes on for ever; add `until ...` to it"


__all__ = ["PLAYERS", "Flow"]
