"""From the syntax tree to the checked program: names, types, options, warnings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import attrs

from ludeme.board import explicit, no_sites
from ludeme.check import program
from ludeme.check.cost import look_through
from ludeme.check.declare import Declarations
from ludeme.check.environment import Definition, Environment
from ludeme.check.examples import Examples, applies, options_of, value_text
from ludeme.check.flow import Flow
from ludeme.check.merge import Loader, Merged, merge
from ludeme.check.program import Program
from ludeme.check.report import Report
from ludeme.diagnostics import Diagnostic, Span
from ludeme.kernel.types import PLAYER
from ludeme.resources import PRELUDE_FOLDER
from ludeme.syntax import Parsed, parse, tree

LANGUAGE = 1
"""Raised when a change of the language changes what a description means."""

Options = Mapping[str, object]


@attrs.frozen
class Checked:
    """What the checker found: a program unless there are errors, and everything to say.

    *example_options*: the sets of options, beside those asked for, that examples are about.
    """

    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    example_options: tuple[dict[str, str], ...]


@lru_cache(maxsize=1)
def prelude() -> tuple[tree.Item, ...]:
    """The ludemes written in the language, known to every description."""
    items: list[tree.Item] = []
    for path in sorted(PRELUDE_FOLDER.glob("*.ludeme")):
        parsed = parse(path.read_text(encoding="utf-8"), path.name)
        assert not parsed.diagnostics, [str(d) for d in parsed.diagnostics]
        items.extend(parsed.file.items)
    return tuple(items)


def check(parsed: Parsed, load: Loader, options: Options | None = None) -> Checked:
    """Check a description with the given options.

    *load* gives the description that a name after `extends` stands for, or None.
    """
    report = Report()
    merged = merge(parsed, load, report)
    start = Span(parsed.source, 0, min(1, len(parsed.source.text)))
    if not merged.items:
        if not report.has_errors:
            report.error(
                "empty", start, "there is no description here", help='begin with `game "Name"`'
            )
        return Checked(None, tuple(report.diagnostics), ())
    has_board = any(isinstance(item, tree.Board) for item in merged.items)
    env = Environment(report, explicit([("", None)], []) if has_board else no_sites())
    declarations = Declarations(env, merged.items, options or {})
    declarations.run(prelude())
    if not merged.broken:
        _missing(merged.items, start, report)
    made = _program(env, declarations, merged)
    if not report.has_errors:
        look_through(made, report)
    examples = [item for item in merged.items if isinstance(item, tree.Example)]
    others = _other_options(examples, env)
    diagnostics = sorted(
        report.diagnostics, key=lambda d: (d.span.source.name != parsed.source.name, d.span.start)
    )
    if report.has_errors:
        # What stands in a line that is wrong may be the use of what else seems unused.
        errors = tuple(d for d in diagnostics if d.severity == "error")
        return Checked(None, _without_consequences(errors, parsed), others)
    return Checked(made, tuple(d for d in diagnostics if _is_own(d, parsed)), others)


def _is_own(warning: Diagnostic, parsed: Parsed) -> bool:
    """Whether a warning is about this file; a base may hold what only its own examples use."""
    return warning.span.source == parsed.source or warning.code in ("no-end", "cannot-win")


def _without_consequences(errors: Sequence[Diagnostic], parsed: Parsed) -> tuple[Diagnostic, ...]:
    """Errors but for those of lines that could not even be read rightly."""
    unread = {d.span.line for d in parsed.diagnostics if d.severity == "error"}
    return tuple(
        d
        for d in errors
        if d in parsed.diagnostics or d.span.source != parsed.source or d.span.line not in unread
    )


def _program(env: Environment, declarations: Declarations, merged: Merged) -> Program:
    header = merged.header
    flow = Flow(env, declarations)
    flow.declare_turns()
    for play in declarations.all_of(tree.Play):
        flow.declare_rounds(play.steps)
    for declared in list(env.names.items()):
        if isinstance(declared[1], Definition) and declared[0] not in env.from_prelude:
            flow.expressions.function(declared[1])
    start: program.Block = ()
    for item in declarations.all_of(tree.Start):
        from ludeme.check.scope import Place, Scope

        start = flow.statements.inner_block(item.body, Scope(Place("start")))
    turns = {name: flow.turn(name, item) for name, item in env.turns.items()}
    flow.check_reveals()
    steps = flow.play()
    ends = flow.ends()
    ranking = flow.ranking()
    sight = flow.sight()
    memories = tuple(env.memories)
    uses = frozenset(env.operations)  # what only an example asks is no part of the rules
    # Where lines could not be understood, an end may be missing that the file does name.
    known_ends = None if merged.broken else [end.name for end in flow.finishes]
    checker = Examples(env, known_ends)
    for example in declarations.all_of(tree.Example):
        checker.options(example)
        if not applies(example, env.options):
            env.used |= checker.names(example)
    examples = tuple(
        checker.check(item)
        for item in declarations.all_of(tree.Example)
        if applies(item, env.options)
    )
    for author in declarations.all_of(tree.Author):
        env.author = author.name
    # What an option keeps out of play costs nothing.
    reached = flow.reached(steps) | {name for name in turns if f"turn {name}" in env.used}
    turns = {name: turn for name, turn in turns.items() if name in reached} or turns
    if not env.report.has_errors:
        _warn(env, flow, declarations)
    return Program(
        header.title if header else "",
        env.author,
        tuple(env.options),
        env.players,
        env.board,
        env.kinds,
        env.neutral,
        env.letters,
        env.stack_limit,
        env.hands,
        env.choices,
        tuple(env.variables),
        tuple(env.functions),
        start,
        turns,
        steps,
        ends,
        ranking,
        memories,
        sight,
        examples,
        env.local_count,
        uses,
        meaning(declarations.items, env.options),
    )


def meaning(items: Iterable[tree.Item], options: Sequence[program.Option]) -> str:
    """All that play depends on, as one canonical text."""
    lines = [f"language {LANGUAGE}"]
    lines.extend(f"option {o.name} = {value_text(o, o.value)}" for o in options)
    for item in items:
        if isinstance(item, tree.Header | tree.Author | tree.Example | tree.Option):
            continue
        lines.append(repr(item))
    return "\n".join(lines)


def _other_options(
    examples: Sequence[tree.Example], env: Environment
) -> tuple[dict[str, str], ...]:
    found: list[dict[str, str]] = []
    for example in examples:
        if not applies(example, env.options):
            options = dict(options_of(example))
            if options not in found:
                found.append(options)
    return tuple(found)


_NEEDED = {
    tree.Header: ("game", '`game "Name"`'),
    tree.Players: ("players", "`players Black, White`"),
    tree.Turn: ("turn", "`turn` and the lines of a move below it"),
}


_ON_A_BOARD = (tree.Pieces, tree.Region, tree.Regions, tree.Stacks)


def _missing(items: Sequence[tree.Item], start: Span, report: Report) -> None:
    placed = next((item for item in items if isinstance(item, _ON_A_BOARD)), None)
    if placed is not None and not any(isinstance(item, tree.Board) for item in items):
        report.error(
            "missing",
            placed.span,
            "this description has no `board` for this",
            help="add `board square(8)`; only games without pieces go without one",
        )
    for kind, (name, form) in _NEEDED.items():
        if not any(isinstance(item, kind) for item in items):
            report.error("missing", start, f"this description has no `{name}`", help=f"add {form}")


# ---- warnings


def _warn(env: Environment, flow: Flow, declarations: Declarations) -> None:
    _warn_unused(env, flow)
    ends = flow.finishes
    if not ends:
        span = next(iter(env.turns.values())).span if env.turns else declarations.items[0].span
        env.report.warning(
            "no-end",
            span,
            "nothing ends this game; random games stop only at the turn limit",
            help="add `end` with a line such as `mover wins by line when ...`",
        )
    else:
        _warn_cannot_win(env, ends)


def _warn_unused(env: Environment, flow: Flow) -> None:
    values = {value for names in env.choices.values() for value in names}
    for name, span in env.spans.items():
        if name in env.used or name in env.from_prelude or name in env.players:
            continue
        declared = env.names.get(name)
        if name in env.choices and any(value in env.used for value in env.choices[name]):
            continue
        if name in values:
            continue
        if declared is None and name not in env.choices:
            continue
        env.report.warning("unused", span, f"`{name}` is never used")
    for name, turn in env.turns.items():
        if name not in flow.used_turns and f"turn {name}" not in env.used:
            word = turn.name
            env.report.warning(
                "unused", word.span if word else turn.span, f"nobody ever takes turn `{name}`"
            )


def _warn_cannot_win(env: Environment, ends: Sequence[program.End]) -> None:
    everybody = set(range(len(env.players)))
    winners: set[int] = set()
    for end in ends:
        if end.kind == "decides":
            winners |= everybody
        if end.player is None:
            continue
        if isinstance(end.player, program.Constant) and end.player.type == PLAYER:
            named = {int(end.player.value)} if isinstance(end.player.value, int) else set()
            winners |= named if end.kind == "wins" else everybody - named
        else:
            winners |= everybody
    for player in sorted(everybody - winners):
        if len(winners) == 0:
            return
        env.report.warning(
            "cannot-win",
            ends[0].span,
            f"no end lets {env.players[player]} win",
            help=f"the ends name only {', '.join(env.players[p] for p in sorted(winners))}",
        )


__all__ = ["Checked", "Loader", "Options", "Program", "check", "meaning", "prelude", "value_text"]
