"""The public face: games, states and moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from ludeme.board import Board
from ludeme.check import Checked, Program, check, value_text
from ludeme.diagnostics import (
    DescriptionError,
    DescriptionFault,
    Diagnostic,
    Source,
    Span,
    near,
)
from ludeme.machine import CHANCE, Cells, Machine, Result
from ludeme.machine.why import reasons
from ludeme.resources import GAMES_FOLDER
from ludeme.syntax import Parsed, parse

if TYPE_CHECKING:
    from ludeme.native.counter import Counter
    from ludeme.native.teller import Teller
    from ludeme.play.compiling import Compiling
    from ludeme.play.results import Playouts

SUFFIX = ".game"
LONGEST_TEXT = 2_000_000
"""In bytes; the text of a large game has some ten thousand."""


class IllegalMove(ValueError):
    """A move that cannot be made. `reasons` say why, as `ludeme why` prints them.

    `understood` is False for a text that is no move at all; `near` then holds similar moves.
    """

    def __init__(
        self,
        text: str,
        reasons: Sequence[Diagnostic],
        understood: bool,
        near: Sequence[str] = (),
        message: str | None = None,
    ) -> None:
        super().__init__(text, reasons, understood, near, message)
        self.text = text
        self.reasons = tuple(reasons)
        self.understood = understood
        self.near = tuple(near)
        self.message = message

    def __str__(self) -> str:
        if self.message is not None:
            return self.message
        if not self.understood:
            close = ", ".join(f"`{move}`" for move in self.near)
            tail = f"; did you mean {close}?" if close else ""
            return f"`{self.text}` is no move here{tail}"
        lines = [f"`{self.text}` is not legal"]
        lines.extend(str(reason) for reason in self.reasons)
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.reasons, self.understood, self.near, self.message)


# ---- where descriptions come from


@attrs.frozen
class Sources:
    """The text of a description and of all that it extends, by name; enough to load it anywhere.

    *is_shipped*: it was asked for by the name of a shipped game.
    """

    name: str
    file_name: str
    texts: Mapping[str, str]
    is_shipped: bool = False

    def parsed(self, name: str) -> Parsed | None:
        """The parsed description called *name*, None if there is none."""
        text = self.texts.get(name)
        file_name = self.file_name if name == self.name else name + SUFFIX
        return parsed_text(text, file_name) if text is not None else None


@lru_cache(maxsize=4)
def parsed_text(text: str, file_name: str) -> Parsed:
    """A parsed text, kept for a while: it is asked for again with other options."""
    return parse(text, file_name)


def shipped() -> dict[str, Path]:
    """The shipped games: name and file, in order of their names, the five real ones first."""
    found: dict[str, Path] = {}
    for folder in (GAMES_FOLDER, GAMES_FOLDER / "classics"):
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            found[path.name.removesuffix(SUFFIX)] = path
    return found


def find_sources(source: str | Path) -> Sources:
    """Read a description and its bases. Raises DescriptionError if it cannot be read."""
    text = str(source)
    games = shipped()
    if isinstance(source, str) and source in games:
        return attrs.evolve(
            _gather(source, games[source].name, games[source], games), is_shipped=True
        )
    path = Path(text)
    if _exists(path):
        return _gather(path.name.removesuffix(SUFFIX), path.name, path, games)
    help_text = None
    close = near(text.removesuffix(SUFFIX), games)
    if _exists(Path(text + SUFFIX)):
        help_text = f"did you mean `{text + SUFFIX}`?"
    elif close:
        help_text = f"did you mean `{close[0]}`?"
    shown = text if len(text) <= 80 else text[:77] + "..."
    raise _unreadable(shown, f"there is no file and no shipped game called `{shown}`", help_text)


def _exists(path: Path) -> bool:
    """Whether a path leads anywhere; a text that can be no path leads nowhere."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def text_sources(text: str, /, name: str, file_name: str | None = None) -> Sources:
    """A description given as text; it can extend shipped games only.

    *file_name* is what messages call it, *name* with the usual ending unless said.
    """
    games = shipped()
    texts: dict[str, str] = {}
    for base in _bases(text):
        if base in games and base != name:
            texts.update(_gather(base, base + SUFFIX, games[base], games).texts)
    return Sources(name, file_name or name + SUFFIX, texts | {name: text})


def _unreadable(name: str, message: str, help_text: str | None = None) -> DescriptionError:
    span = Span(Source("", ""), 0, 0)
    return DescriptionError([Diagnostic("no-file", span, message, (), help_text)])


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST_TEXT + 1)
        if len(data) > LONGEST_TEXT:
            raise _unreadable(path.name, f"`{path.name}` is too large to be a description")
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise _unreadable(
            path.name, f"`{path.name}` is not a text file in UTF-8", "save it as UTF-8"
        ) from None
    except OSError as error:
        raise _unreadable(path.name, f"`{path.name}` cannot be read: {error.strerror}") from None


def _gather(name: str, file_name: str, path: Path, games: Mapping[str, Path]) -> Sources:
    texts = {name: _read(path)}
    waiting = [name]
    while waiting:
        for base in _bases(texts[waiting.pop()]):
            if base in texts:
                continue
            beside = path.parent / (base + SUFFIX)
            found = beside if beside.is_file() else games.get(base)
            if found is not None and len(texts) < 16:
                texts[base] = _read(found)
                waiting.append(base)
    return Sources(name, file_name, texts)


def _bases(text: str) -> list[str]:
    """The names after `extends` in the header of a description."""
    from ludeme.syntax import tree

    headers = [
        item for item in parse(_header_only(text)).file.items if isinstance(item, tree.Header)
    ]
    return [header.extends.text for header in headers if header.extends is not None]


def _header_only(text: str) -> str:
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line for line in lines if line.startswith("game"))[:2000]


# ---- loading


def check_sources(sources: Sources, options: Mapping[str, object] | None = None) -> Checked:
    """Parse and check a description with options."""
    parsed = sources.parsed(sources.name)
    assert parsed is not None
    return check(parsed, sources.parsed, options)


def load(source: str | Path, /, **options: object) -> Game:
    """Load a shipped game by its name, or a description by its path.

    Options are given by name. Raises DescriptionError with everything that is wrong.
    """
    return Game(find_sources(source), options)


def load_text(text: str, /, name: str = "game", **options: object) -> Game:
    """Load a description from its text; it can extend shipped games only."""
    return Game(text_sources(text, name), options)


class Game:
    """A description with its options chosen."""

    def __init__(self, sources: Sources, options: Mapping[str, object] | None = None) -> None:
        checked = check_sources(sources, options)
        if checked.program is None:
            raise DescriptionError([d for d in checked.diagnostics if d.severity == "error"])
        self.sources = sources
        self.warnings = tuple(d for d in checked.diagnostics if d.severity == "warning")
        self.program: Program = checked.program
        self.machine = Machine(self.program)
        self._given = dict(options or {})

    @property
    def name(self) -> str:
        """The name of a shipped game, or of the file without its folder and ending."""
        return self.sources.name

    @property
    def record_name(self) -> str:
        """What records call it: the name of a shipped game, or the file name without its folder."""
        return self.name if self.sources.is_shipped else self.sources.file_name

    @property
    def title(self) -> str:
        """The title that the description gives."""
        return self.program.title

    @property
    def players(self) -> tuple[str, ...]:
        """The players in seat order."""
        return self.program.players

    @property
    def options(self) -> dict[str, Any]:
        """The value of each option."""
        return {option.name: _option_value(option) for option in self.program.options}

    @property
    def board(self) -> Board:
        """The board; `board.graph` is a networkx graph."""
        return self.program.board

    @cached_property
    def counting(self) -> Compiling[Counter]:
        """Machine code for `State.perft`, once it pays."""
        from ludeme.play.compiling import counting

        return counting(self.machine)

    @cached_property
    def telling(self) -> Compiling[Teller]:
        """Machine code for the moves of a state, once it pays."""
        from ludeme.play.compiling import telling

        return telling(self.machine)

    @property
    def digest(self) -> str:
        """A digest of the meaning of the description and its options, 32 hexadecimal digits."""
        return self.machine.digest

    def start(self) -> State:
        """The first state. Raises DescriptionFault if the description goes wrong on the way."""
        return State(self, self.machine.start())

    def position(self, text: str) -> State:
        """The state that a text describes, as `ludeme show --plain` prints it.

        Raises DescriptionError with everything that is wrong with it.
        """
        from ludeme.view.position import read_position

        return State(self, read_position(self.machine, text))

    def playouts(
        self, games: int, *, seed: int = 0, start: State | None = None, **how: Any
    ) -> Playouts:
        """Play random games, from *start* or from the first state.

        See `ludeme.play.playout.playouts` for the rest. ValueError if *start* is of another game.
        """
        from ludeme.play.playout import playouts

        if start is None:
            return playouts(self, games, seed=seed, **how)
        if start.game.digest != self.digest:
            raise ValueError(f"this position is of {start.game!r}, not of {self!r}")
        position = start.text if how.get("save") and not self._is_first(start) else None
        return playouts(self, games, seed=seed, start=start.cells, position=position, **how)

    def _is_first(self, state: State) -> bool:
        try:
            return state == self.start()
        except DescriptionFault:
            return False

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"ludeme.load({self.name!r}{options})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.sources, self._given)


def _option_value(option: Any) -> Any:
    if option.type.kind == "number":
        return option.value
    if option.type.kind == "truth":
        return bool(option.value)
    return value_text(option, option.value)


# ---- moves, outcomes, states


@attrs.frozen
class Move:
    """A legal move of a player; its text is its notation."""

    player: str
    text: str

    def __str__(self) -> str:
        return self.text


@attrs.frozen
class Outcome:
    """How a game ended.

    *winner* is None for a draw. *scores* and *ranks* (1 is best, equal players share a rank) are
    given where the ranking decided, else None. *reason* is the end's name.
    """

    winner: str | None
    scores: dict[str, int] | None
    ranks: dict[str, int] | None
    reason: str

    @classmethod
    def of(cls, players: Sequence[str], result: Result) -> Outcome:
        """From what the machine noted."""
        winner = players[result.winner] if result.winner is not None else None
        scores = dict(zip(players, result.scores, strict=True)) if result.scores else None
        ranks = dict(zip(players, result.ranks, strict=True)) if result.ranks else None
        return cls(winner, scores, ranks, result.name)

    def as_dict(self) -> dict[str, Any]:
        """As records and ``--json`` have it."""
        return {
            "winner": self.winner,
            "reason": self.reason,
            "scores": self.scores,
            "ranks": self.ranks,
        }

    def __str__(self) -> str:
        text = f"{self.winner} wins by {self.reason}" if self.winner else f"draw by {self.reason}"
        if self.scores:
            text += " (" + ", ".join(f"{n} {s}" for n, s in self.scores.items()) + ")"
        return text


class State:
    """A position in a game: a value that never changes."""

    __slots__ = ("_cells", "_listed", "_path", "game")

    def __init__(self, game: Game, cells: Cells, path: tuple[str, ...] = ()) -> None:
        self.game = game
        self._cells = cells
        self._path = path
        self._listed: dict[int, list[str]] = {}

    @property
    def cells(self) -> Cells:
        """The state as the machine has it; not to be changed."""
        return self._cells

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players who decide now, in player order; empty when the game is over.

        ``("chance",)`` where dice are rolled.
        """
        machine = self.game.machine
        return tuple(machine.decider_name(p) for p in machine.deciders(self._cells))

    def moves(self, player: str | None = None) -> list[Move]:
        """The legal moves, in order: choices as the turn makes them, sites in board order.

        Of *player*; or of the one player who decides. Empty for one who does not decide, and when
        the game is over. ValueError if several decide and none is named, or for an unknown name.
        """
        deciders = self.game.machine.deciders(self._cells)
        if player is None:
            if len(deciders) > 1:
                names = " and ".join(self.to_move)
                raise ValueError(f"{names} decide together; say whose moves are wanted")
            if not deciders:
                return []
            number = deciders[0]
        else:
            number = self._number(player)
            if number not in deciders:
                return []
        name = self.game.machine.decider_name(number)
        return [Move(name, text) for text in self._texts(number)]

    def _texts(self, player: int) -> list[str]:
        if player not in self._listed:
            code = self.game.telling.code
            found = code.moves(self._cells, player) if code is not None else None
            if found is None:
                with self._told(), self.game.telling.working():
                    found = self.game.machine.moves(self._cells, player)
            self._listed[player] = found
        return self._listed[player]

    def _told(self) -> _Telling:
        return _Telling(self._path)

    def _number(self, player: str) -> int:
        if player == CHANCE and player not in self.game.players:
            return len(self.game.players)
        if player not in self.game.players:
            known = ", ".join(self.game.players)
            raise ValueError(f"no player is called {player!r}; the players are {known}")
        return self.game.players.index(player)

    def play(self, move: Move | str | Mapping[str, Move | str]) -> State:
        """The state after a decision.

        *move*: a move or its text; where several decide, their moves joined by ``|`` in player
        order, or a mapping from player to move. Raises IllegalMove; this state stays as it is.
        """
        deciders = self.game.machine.deciders(self._cells)
        if not deciders:
            raise IllegalMove(str(move), (), True, message="the game is over; nobody can move")
        texts = self._decision(move, deciders)
        code = self.game.telling.code
        after = code.play(self._cells, texts) if code is not None else None
        if after is None:
            with self._told(), self.game.telling.working():
                after = self._after(deciders, texts)
        return State(self.game, after, (*self._path, " | ".join(texts)))

    def _after(self, deciders: Sequence[int], texts: Sequence[str]) -> Cells:
        """The state after a decision, by the interpreter; raises IllegalMove."""
        machine = self.game.machine
        ends = []
        for player, text in zip(deciders, texts, strict=True):
            end = machine.find(self._cells, player, text)
            if end is None:
                raise self._refusal(player, text)
            ends.append(end)
        return machine.play(self._cells, ends)

    def _decision(
        self, move: Move | str | Mapping[str, Move | str], deciders: Sequence[int]
    ) -> list[str]:
        if isinstance(move, Mapping):
            return self._from_mapping(move, deciders)
        if isinstance(move, Move) and len(deciders) == 1:
            name = self.game.machine.decider_name(deciders[0])
            if move.player != name:
                raise IllegalMove(
                    move.text, (), True, message=f"{name} is to move, not {move.player}"
                )
        parts = str(move).split("|")
        if len(deciders) > 1:
            parts = [part.strip() for part in parts]
        if len(parts) != len(deciders):
            names = " and ".join(self.to_move)
            if len(deciders) == 1:
                message = f"{names} alone is to move: one move, without `|`"
            else:
                message = f"{names} decide together: write their moves joined by ` | `"
            raise IllegalMove(str(move), (), False, message=message)
        return parts

    def _from_mapping(self, moves: Mapping[str, Move | str], deciders: Sequence[int]) -> list[str]:
        wanted = set(self.to_move)
        if set(moves) != wanted:
            names = ", ".join(self.to_move)
            raise IllegalMove(
                ", ".join(map(str, moves)),
                (),
                False,
                message=f"a move of each of {names} is wanted",
            )
        for name, move in moves.items():
            if isinstance(move, Move) and move.player != name:
                message = f"`{move}` is a move of {move.player}, not of {name}"
                raise IllegalMove(move.text, (), True, message=message)
        return [str(moves[name]) for name in self.to_move]

    def _refusal(self, player: int, text: str) -> IllegalMove:
        """Why a text is not a legal move."""
        machine = self.game.machine
        found = reasons(machine.turn(self._cells), self._cells, player, text)
        if found:
            return IllegalMove(text, found, True)
        legal = self._texts(player)
        right = _same_but_for_form(text, legal)
        if right is not None:
            return IllegalMove(
                text, (), False, (right,), f"`{text}` is not how this move is written: `{right}`"
            )
        return IllegalMove(text, (), False, near(text, legal, 3))

    def why(self, move: str, player: str | None = None) -> IllegalMove | None:
        """Why a move is not legal, or None if it is. *player* where several decide."""
        deciders = self.game.machine.deciders(self._cells)
        if not deciders:
            return IllegalMove(move, (), True, message="the game is over; nobody can move")
        number = self._number(player) if player is not None else deciders[0]
        if player is None and len(deciders) > 1:
            raise ValueError(f"{' and '.join(self.to_move)} decide together; say who")
        if number not in deciders:
            return IllegalMove(move, (), True, message=f"{player} does not decide now")
        with self._told():
            if self.game.machine.find(self._cells, number, move) is not None:
                return None
        return self._refusal(number, move)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        result = self.game.machine.result(self._cells)
        return Outcome.of(self.game.players, result) if result is not None else None

    @property
    def key(self) -> int:
        """A 64-bit number that equal states share, in every process."""
        return self.game.machine.key(self._cells)

    @property
    def path(self) -> str:
        """The decisions that led here since the start or the position, as for ``--after``."""
        return "; ".join(self._path)

    def probability(self, move: Move | str) -> float:
        """The chance of an outcome at a decision of chance, from 0 to 1.

        ValueError at any other decision; IllegalMove for what is no outcome here.
        """
        if not self.game.machine.is_chance(self._cells):
            raise ValueError(f"{' and '.join(self.to_move) or 'nobody'} decides here, not chance")
        with self._told():
            weights = self.game.machine.weights(self._cells)
        if str(move) not in weights:
            raise self._refusal(len(self.game.players), str(move))
        return float(weights[str(move)])

    def perft(self, depth: int) -> int:
        """The number of sequences of exactly *depth* decisions; see `ludeme.play.perft`."""
        from ludeme.play.perft import perft

        counting = self.game.counting
        with self._told(), counting.working():
            return perft(self.game.machine, self._cells, depth, counting)

    def divide(self, depth: int) -> dict[str, int]:
        """The count below each decision; see `ludeme.play.perft`."""
        from ludeme.play.perft import divide

        counting = self.game.counting
        with self._told(), counting.working():
            return divide(self.game.machine, self._cells, depth, counting)

    def view(self, player: str) -> str:
        """All that a player may see, as a position text with the rest left out or as ``?``.

        Positions that differ only in what is hidden from the player have the same view. ValueError
        for an unknown name.
        """
        from ludeme.view.sight import write_view

        return write_view(self.game.machine, self._cells, self._number(player))

    @property
    def text(self) -> str:
        """The position as text, which `Game.position` reads back."""
        from ludeme.view.position import write_position

        return write_position(self.game.machine, self._cells)

    def __str__(self) -> str:
        from ludeme.view.picture import draw_text

        return draw_text(self.game.machine, self._cells)

    def __repr__(self) -> str:
        return f"<State of {self.game.name}, after {self.path or 'no move'}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, theirs = self.game.machine, other.game.machine
        return mine.digest == theirs.digest and mine.values(self._cells) == theirs.values(
            other._cells
        )

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.game, self._cells, self._path)


class _Telling:
    """Puts the moves that led to a state before those that a fault tells of."""

    def __init__(self, path: Sequence[str]) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, DescriptionFault) and self.path:
            moves = (*self.path, error.moves) if error.moves else self.path
            raise error.after("; ".join(moves)) from None


def _same_but_for_form(text: str, legal: Sequence[str]) -> str | None:
    """The legal move that differs from *text* only by order, case or blanks."""

    def form(move: str) -> list[str]:
        return sorted(move.lower().replace(",", " ").split())

    tight = "".join(text.lower().split())
    for move in legal:
        if form(move) == form(text) or "".join(move.lower().split()) == tight:
            return move
    return None


__all__ = [
    "Game",
    "IllegalMove",
    "Move",
    "Outcome",
    "Sources",
    "State",
    "check_sources",
    "find_sources",
    "load",
    "load_text",
    "shipped",
    "text_sources",
]
