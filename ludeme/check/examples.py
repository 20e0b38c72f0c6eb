"""The examples of a description, checked for the options that they ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from ludeme.check import program
from ludeme.check.declare import CHANCE
from ludeme.check.environment import Environment
from ludeme.check.expressions import Expressions
from ludeme.check.flow import rolls
from ludeme.check.scope import Place, Scope
from ludeme.check.statements import Statements
from ludeme.syntax import tree


def options_of(example: tree.Example) -> tuple[tuple[str, str], ...]:
    """The options that an example sets, as texts, ordered by name."""
    return tuple(
        sorted(
            (fact.name.text, _plain(fact.value.span.text))
            for fact in example.facts
            if isinstance(fact, tree.WithOption)
        )
    )


def _plain(value: str) -> str:
    """A value as an option prints it, without noughts before a number."""
    return str(int(value)) if value.isdecimal() and len(value) < 20 else value


def applies(example: tree.Example, options: Sequence[program.Option]) -> bool:
    """Whether an example is about the options in force: its own ones, else the defaults."""
    asked = dict(options_of(example))
    for option in options:
        text = value_text(option, option.value)
        if text != asked.get(option.name, value_text(option, option.default)):
            return False
    return all(name in {option.name for option in options} for name in asked)


def value_text(option: program.Option, value: int) -> str:
    """A value of an option as it is written."""
    if isinstance(option.values, range):
        return str(value)
    return option.values[value]


def _can_be(option: program.Option, text: str) -> bool:
    if isinstance(option.values, range):
        return text.isdecimal() and len(text) < 19 and int(text) in option.values
    return text in option.values


def _listed(option: program.Option) -> str:
    if isinstance(option.values, range):
        return f"a number from {option.values.start} to {option.values.stop - 1}"
    return "one of " + ", ".join(option.values[:8])


class Examples:
    """Checks examples."""

    def __init__(self, env: Environment, ends: Iterable[str] | None) -> None:
        self.env = env
        self.ends = frozenset(ends) if ends is not None else None
        self.report = env.report
        self.expressions = Expressions(env)
        self.statements = Statements(env)

    def options(self, example: tree.Example) -> None:
        """Look at the options that an example asks for, whether or not they are in force."""
        known = {option.name: option for option in self.env.options}
        for fact in example.facts:
            if not isinstance(fact, tree.WithOption):
                continue
            option = known.get(fact.name.text)
            if option is None:
                self.report.unknown("option of this game", fact.name.text, fact.span, known)
            elif not _can_be(option, fact.value.span.text):
                self.report.error(
                    "option-value",
                    fact.span,
                    f"{option.name} = {fact.value.span.text} was asked for;"
                    f" it must be {_listed(option)}",
                )

    def names(self, example: tree.Example) -> set[str]:
        """All names that an example mentions."""
        found: set[str] = set()
        waiting: list[object] = [example]
        while waiting:
            node = waiting.pop()
            if isinstance(node, tuple):
                waiting.extend(node)
            elif isinstance(node, tree.Name | tree.Word):
                found.add(node.text)
            elif isinstance(node, tree.Node):
                waiting.extend(getattr(node, field.name) for field in attrs.fields(type(node)))
        return found

    def check(self, example: tree.Example) -> program.Example:
        """One example; its options are in force."""
        facts = []
        for fact in example.facts:
            checked = self.fact(fact)
            if checked is not None:
                facts.append(checked)
        return program.Example(example.title, options_of(example), tuple(facts), span=example.span)

    def fact(self, fact: tree.Fact) -> program.Fact | None:
        match fact:
            case tree.Given():
                place = Place("example")
                block = self.statements.inner_block(fact.body, Scope(place))
                return program.Fact("given", block=block, span=fact.span)
            case tree.ToMove():
                player = self.decider(fact.player)
                turn = fact.turn.text if fact.turn else None
                if fact.turn is not None and turn not in self.env.turns:
                    self.report.unknown("turn", fact.turn.text, fact.turn.span, self.env.turns)
                return program.Fact("to_move", player=player, turn=turn, span=fact.span)
            case tree.PlayMoves():
                return program.Fact("play", texts=((fact.moves, fact.span),), span=fact.span)
            case tree.Legality():
                kind = "legal" if fact.legal else "illegal"
                texts = tuple((move.text, move.span) for move in fact.moves)
                player = self.player(fact.player) if fact.player else None
                return program.Fact(kind, texts=texts, player=player, span=fact.span)
            case tree.MoveCount():
                player = self.player(fact.player) if fact.player else None
                return program.Fact("moves", count=fact.count, player=player, span=fact.span)
            case tree.OutcomeIs():
                player = self.player(fact.player) if fact.player else None
                name = fact.name.text if fact.name else None
                if self.ends is not None and fact.name is not None and name not in self.ends:
                    self.report.unknown("end", fact.name.text, fact.name.span, self.ends)
                texts = ((fact.kind, fact.span),)
                return program.Fact("outcome", texts, player, name=name, span=fact.span)
            case tree.Expect():
                place = Place("example", mover=True, abilities=True)
                condition = self.expressions.truth(fact.condition, Scope(place), "`expect`")
                return program.Fact("expect", condition=condition, span=fact.span)
        return None

    def decider(self, word: tree.Word) -> int | None:
        """The number of a player, or of chance behind them."""
        if word.text == CHANCE and any(rolls(turn.body) for turn in self.env.turns.values()):
            return len(self.env.players)
        return self.player(word)

    def player(self, word: tree.Word) -> int | None:
        """The number of a player named in an example."""
        if word.text in self.env.players:
            return self.env.players.index(word.text)
        self.report.unknown("player", word.text, word.span, self.env.players)
        return None
