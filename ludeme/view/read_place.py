"""Where a position stands in `play`: who is to move, or how the game ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from ludeme.check import program
from ludeme.diagnostics import DescriptionFault, Note, Span
from ludeme.machine import CHANCE, Cells, Machine, Result
from ludeme.machine.flow import Decide
from ludeme.machine.layout import OVER, clear_scratch
from ludeme.machine.notation import label
from ludeme.view.lines import Faults, Line, Word, Words, parted, span_of
from ludeme.view.read_values import Said
from ludeme.view.rounds import Round, active_rounds
from ludeme.view.write import outcome_text, step_text

Step = tuple[int, Decide]


@attrs.frozen
class ToMove:
    """The players said to move, and the steps of play that may be meant."""

    players: tuple[int, ...]
    steps: tuple[Step, ...]
    span: Span


@attrs.frozen
class Ended:
    """How the game is said to have ended. *ends*: those that may be meant."""

    winner: int | None
    ends: tuple[program.End, ...]
    scores: dict[int, tuple[int, Span]]
    span: Span


class PlaceReader:
    """Reads who is to move or how the game ended, and writes it into a state."""

    def __init__(self, machine: Machine, faults: Faults) -> None:
        self.machine = machine
        self.program = machine.program
        self.layout = machine.layout
        self.flow = machine.flow
        self.faults = faults
        self.first: Span | None = None
        self.found: ToMove | Ended | None = None

    def is_first(self, line: Line) -> bool:
        """Whether nothing was said yet of who is to move."""
        if self.first is not None:
            self.faults.twice(line.span, "who is to move, or that the game is over,", self.first)
            return False
        self.first = line.span
        return True

    # ---- to move

    def to_move(self, line: Line) -> None:
        """Who decides in which turn."""
        assert line.rest is not None
        if not self.is_first(line):
            return
        if not line.rest:
            self.faults.add("position", line.end, "this does not say who is to move")
            return
        end = _names_end(line.rest)
        players = self.players(line.rest[:end], line)
        named = self.named(line.rest[end:])
        steps = None if named is None else self.steps(*map(named.get, ("in", "phase", "step")))
        if players is not None and steps is not None:
            fitting = self.steps_of(players, steps, line)
            if fitting:
                self.found = ToMove(players, fitting, line.span)

    def players(self, names: Words, line: Line) -> tuple[int, ...] | None:
        """The players named, in player order; None if one is unknown."""
        if not names:
            self.faults.add("position", line.span, "this does not say who is to move")
            return None
        found: dict[int, Span] = {}
        for word in names:
            if word.text in (",", "and"):
                continue
            number = self.decider(word)
            if number is None:
                return None
            if number in found:
                self.faults.twice(word.span, f"`{word.text}`", found[number])
                return None
            found[number] = word.span
        return tuple(sorted(found))

    def decider(self, word: Word) -> int | None:
        """The number of a player, or of chance behind them; None if there is none."""
        players = self.program.players
        if word.text == CHANCE and any(turn.chance for turn in self.program.turns.values()):
            return len(players)
        if word.text not in players:
            self.faults.unknown("player", word, players)
            return None
        return players.index(word.text)

    def named(self, words: Words) -> dict[str, Word] | None:
        """The words behind `in`, `phase` and `step`; None if there is something else."""
        found: dict[str, Word] = {}
        while words:
            words = words[1:] if words[0].text == "," else words
            if len(words) < 2 or words[0].text not in ("in", "phase", "step"):
                span = span_of(words) if words else self.first or self.whole
                self.faults.add(
                    "position",
                    span,
                    "this cannot be understood behind the player to move",
                    "write `to move: PLAYER in TURN, phase PHASE, step NUMBER`",
                )
                return None
            found[words[0].text] = words[1]
            words = words[2:]
        return found

    def steps(self, turn: Word | None, phase: Word | None, step: Word | None) -> list[Step] | None:
        """The steps of play that a line names; None if there are none."""
        steps = self.flow.script.decisions()
        if turn is not None:
            if turn.text not in self.program.turns:
                self.faults.unknown("turn", turn, self.program.turns)
                return None
            steps = [s for s in steps if s[1].turn == turn.text]
            if not steps:
                self.faults.add("decider", turn.span, f"nobody ever takes turn `{turn.text}`")
                return None
        if phase is not None:
            steps = self.narrowed(
                steps, [s for s in steps if s[1].phase == phase.text], "phase", phase
            )
        if steps and step is not None:
            steps = self.narrowed(
                steps, [s for s in steps if s[1].number == step.number], "step", step
            )
        return steps or None

    def narrowed(self, steps: list[Step], kept: list[Step], what: str, word: Word) -> list[Step]:
        """Those *steps* that are kept; a fault if there are none."""
        if not kept:
            places = [f"`{self.spoken(step)}`" for _, step in steps]
            self.faults.add(
                "decider",
                word.span,
                f"the turn is not taken in {what} `{word.text}`",
                f"there is {', '.join(places)}",
            )
        return kept

    def spoken(self, step: Decide) -> str:
        """A step as `to move` names it."""
        return step_text(self.machine, step).strip() or f"in {step.turn}"

    def steps_of(
        self, players: tuple[int, ...], steps: Sequence[Step], line: Line
    ) -> tuple[Step, ...]:
        """The steps at which so many players decide; a fault if there are none."""
        everybody = tuple(range(len(self.program.players)))
        kept = tuple(
            (index, step) for index, step in steps if players in _may_decide(step.kind, everybody)
        )
        if kept:
            return kept
        if any(step.kind == "together" for _, step in steps) and len(steps) == 1:
            names = ", ".join(self.program.players)
            message = f"all decide together {self.spoken(steps[0][1])}"
            self.faults.add("decider", line.span, message, f"write `to move: {names}`")
        else:
            self.faults.add(
                "decider",
                line.span,
                f"{len(players)} players do not decide together in any turn here",
            )
        return ()

    # ---- game over

    def game_over(self, line: Line) -> None:
        """How the game ended."""
        assert line.rest is not None
        if not self.is_first(line):
            return
        words = list(line.rest)
        opening = next((i for i, word in enumerate(words) if word.text == "("), len(words))
        scores = self.scores(words[opening:])
        words = words[:opening]
        texts = [word.text for word in words]
        winner: int | None = None
        if len(words) == 4 and texts[1:3] == ["wins", "by"]:
            if texts[0] not in self.program.players:
                self.faults.unknown("player", words[0], self.program.players)
                return
            winner = self.program.players.index(texts[0])
        elif len(words) != 3 or texts[:2] != ["draw", "by"]:
            self.faults.add(
                "position",
                span_of(line.rest) if line.rest else line.end,
                "this does not say how the game ended",
                "write `PLAYER wins by END` or `draw by END`",
            )
            return
        ends = self.ends(words[-1], winner)
        if ends and scores is not None:
            self.found = Ended(winner, ends, scores, line.span)

    def ends(self, word: Word, winner: int | None) -> tuple[program.End, ...]:
        """The ends of that name that can have such a winner; a fault if there are none."""
        every = [*self.program.ends, *_finishes(self.program.play)]
        named = [end for end in every if end.name == word.text]
        kinds = ("draw", "decides") if winner is None else ("wins", "loses", "decides")
        kept = tuple(end for end in named if end.kind in kinds)
        if not named:
            self.faults.unknown("end", word, [end.name for end in every])
        elif not kept:
            message = "is never a draw" if winner is None else "is a draw, which nobody wins"
            self.faults.add("result", word.span, f"`{word.text}` {message}")
        return kept

    def scores(self, words: Words) -> dict[int, tuple[int, Span]] | None:
        """The scores in brackets, {} if there are none; None if they are wrong."""
        found: dict[int, tuple[int, Span]] = {}
        if not words:
            return found
        if words[-1].text != ")":
            self.faults.add("position", span_of(words), "a bracket is not closed")
            return None
        for part in parted(words[1:-1]):
            if len(part) != 2 or part[1].number is None:
                span = span_of(part) if part else span_of(words)
                self.faults.add("position", span, "scores are written `Black 3, White 2`")
                return None
            if part[0].text not in self.program.players:
                self.faults.unknown("player", part[0], self.program.players)
                return None
            player = self.program.players.index(part[0].text)
            if player in found:
                self.faults.twice(span_of(part), f"the score of {part[0].text}", found[player][1])
                return None
            found[player] = (part[1].number, span_of(part))
        return found

    # ---- into a state

    def fill(self, cells: Cells, said: Mapping[tuple[str, int, int | None], Said]) -> None:
        """Write it into a state that has everything else."""
        clear_scratch(self.layout, cells)
        try:
            if isinstance(self.found, Ended):
                self.fill_result(cells, self.found)
                return
            place = self.found or self.beginning()
            if place is not None:
                self.fill_step(cells, place, said)
        except DescriptionFault as error:
            # Rules that go wrong in this position, which they may do in none.
            span = self.found.span if self.found is not None else self.whole
            self.faults.add("fault", span, f"the rules go wrong here: {error.diagnostic.message}")

    @property
    def whole(self) -> Span:
        """The beginning of the text, for what is missing in it."""
        return Span(self.faults.source, 0, min(1, len(self.faults.source.text)))

    def beginning(self) -> ToMove | None:
        """The first decision of the game."""
        start = self.machine.start()
        if self.machine.is_over(start):
            self.faults.add("decider", self.whole, "this does not say who is to move")
            return None
        step = (start[self.layout.step], self.machine.step(start))
        return ToMove(self.machine.deciders(start), (step,), self.whole)

    def fill_step(
        self, cells: Cells, place: ToMove, said: Mapping[tuple[str, int, int | None], Said]
    ) -> None:
        """Stand at the one step that fits."""
        tried = []
        for index, step in place.steps:
            made = cells[:]
            made[self.layout.step] = index
            self.fill_rounds(made, said)
            refusal = self.refusal(made, place.players, step)
            tried.append((step, made, refusal))
        fitting = [made for _, made, refusal in tried if refusal is None]
        if len(fitting) == 1:
            cells[:] = fitting[0]
        elif fitting:
            names = ", ".join(map(self.machine.decider_name, place.players))
            places = [
                f"`to move: {names} {self.spoken(step)}`"
                for step, _, wrong in tried
                if wrong is None
            ]
            self.faults.add(
                "decider",
                place.span,
                f"{names} can be to move in several places of `play`",
                f"write {' or '.join(places)}",
            )
        else:
            code, message = tried[0][2] or ("decider", "")
            self.faults.add(code, place.span, message)

    def refusal(
        self, cells: Cells, players: tuple[int, ...], step: Decide
    ) -> tuple[str, str] | None:
        """Why those players cannot be to move at a step; None if they can, and now they are."""
        everybody = len(self.program.players)
        rounds = self.wrong_round(cells)
        if rounds is not None:
            return "round", rounds
        if step.kind in ("together", "chance"):
            cells[self.layout.decider] = everybody
            return None
        cells[self.layout.decider] = players[0]
        return self.single_refusal(cells, players[0], step)

    def single_refusal(self, cells: Cells, player: int, step: Decide) -> tuple[str, str] | None:
        name = self.program.players[player]
        tried = cells[:]
        left = self.flow.leaves(tried, step)
        if step.kind == "takes" and tried[self.layout.decider] != player:
            other = self.program.players[tried[self.layout.decider]]
            return "decider", f"{name} cannot be to move in {step.turn}; it is {other} who takes it"
        if left:
            return "decider", f"{step.turn} is over here: what is asked behind `until` holds"
        tried = cells[:]
        if self.flow.is_skipped(tried, step):
            return "decider", f"{name} has no legal move in {step.turn} and would be skipped"
        return None

    # ---- loops of play

    def fill_rounds(self, cells: Cells, said: Mapping[tuple[str, int, int | None], Said]) -> None:
        """Give the names of loops that nothing is said of their first values."""
        for name, found in active_rounds(self.machine, cells).items():
            if (name, 0, None) in said:
                continue
            domain = found.domain(cells)
            if domain:
                slot = self.layout.variables[name].first
                cells[slot] = (domain & -domain).bit_length() - 1

    def wrong_round(self, cells: Cells) -> str | None:
        """What is wrong with the name of a loop that a state stands in."""
        for name, found in active_rounds(self.machine, cells).items():
            value = cells[self.layout.variables[name].first]
            if not self.may_be(found, value):
                shown = label(self.program, found.variable.type, value)
                return f"`{name}` is never {shown} in this turn"
        return None

    def may_be(self, found: Round, value: int) -> bool:
        """Whether a loop can come to a value; what it goes through may have changed since."""
        if found.constant is not None:
            return bool(found.constant >> value & 1)
        return found.variable.type.kind != "player" or value < len(self.program.players)

    # ---- results

    def fill_result(self, cells: Cells, ended: Ended) -> None:
        """Write down how the game ended, if it can have ended so."""
        cells[self.layout.step] = OVER
        cells[self.layout.decider] = len(self.program.players)
        ranked = any(end.kind == "decides" for end in ended.ends)
        plain = [end for end in ended.ends if end.kind != "decides"]
        if ended.scores and not ranked:
            _, span = next(iter(ended.scores.values()))
            self.faults.add("result", span, f"`{ended.ends[0].name}` is not decided by scores")
        elif plain and not ended.scores:
            self.plain_result(cells, ended, plain)
        else:
            self.ranked_result(cells, ended)

    def plain_result(self, cells: Cells, ended: Ended, ends: Sequence[program.End]) -> None:
        """A win, loss or draw."""
        if not any(self.may_hold(cells, end, ended.winner) for end in ends):
            self.not_so(ended)
        cells[self.layout.result] = Result(ends[0].name, ended.winner, None, None)

    def not_so(self, ended: Ended) -> None:
        """No end of that name comes about in this position."""
        name = ended.ends[0].name
        self.faults.add(
            "result",
            ended.span,
            f"`{name}` does not end the game so in this position",
            None,
            [Note(end.span, "this is asked after each turn") for end in ended.ends],
        )

    def may_hold(self, cells: Cells, end: program.End, winner: int | None) -> bool:
        """Whether an end can have come about; it is known unless it asks who moved."""
        if end.needs_mover:
            return True
        known = {id(other): (condition, player) for other, condition, player in self.flow.ends}
        condition, player = known.get(id(end), (None, self.flow.finishes.get(id(end))))
        if condition is not None and not condition(cells[:]):
            return False
        if player is None:
            return True
        who = player(cells[:])
        if end.kind == "loses":
            who = 1 - who
        return bool(who == winner)

    def ranked_result(self, cells: Cells, ended: Ended) -> None:
        """A game that the ranking decided: winner and scores are those of the position."""
        ends = [end for end in ended.ends if end.kind == "decides"]
        if not any(self.may_hold(cells, end, ended.winner) for end in ends):
            self.not_so(ended)
            return
        scores, ranks, winner = self.flow.rank(cells[:])
        result = Result(ends[0].name, winner, scores, ranks)
        if winner != ended.winner:
            self.faults.add(
                "result",
                ended.span,
                f"the ranking gives something else here: {outcome_text(self.program, result)}",
            )
        for player, (score, span) in ended.scores.items():
            if score != scores[player]:
                name = self.program.players[player]
                self.faults.add(
                    "result", span, f"{name} has {scores[player]} in this position, not {score}"
                )
        cells[self.layout.result] = result


def _finishes(steps: program.Steps) -> list[program.End]:
    """The ends that stand in `play`."""
    found: list[program.End] = []
    for step in steps:
        match step:
            case program.End():
                found.append(step)
            case program.Phase() | program.Loop() | program.Rounds():
                found += _finishes(step.body)
            case program.IfStep():
                found += [*_finishes(step.then), *_finishes(step.otherwise)]
    return found


def _may_decide(kind: str, everybody: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Who can be to move at a step of this kind."""
    if kind == "together":
        return [everybody]
    return [(len(everybody),)] if kind == "chance" else [(player,) for player in everybody]


def _names_end(words: Words) -> int:
    """Where the names of players end: at `in`, `phase` or `step`."""
    for place in range(1, len(words)):
        after_comma = words[place].text == ","
        word = words[place + 1 :] if after_comma else words[place:]
        if len(word) > 1 and word[0].text in ("phase", "step") and word[1].text not in (",", "in"):
            return place
        if word and word[0].text == "in" and not after_comma:
            return place
    return len(words)
