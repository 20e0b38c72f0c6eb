"""The five games on both sides: how to start them, draw moves, and what to compare.

A *setting* is a game with its options. `walk` plays one random game of a setting on both sides and
raises `DisagreementError` at the first difference, with all that repeats it.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import attrs
import probe
from independent import consta, constello, constructo, hexslide, sampling

from ludeme import Game, State, load, load_text
from ludeme.machine.random import Stream
from ludeme.resources import GAMES_FOLDER

MOST_DECISIONS = 600
"""Games are left unfinished here; only Constello can come near it."""

Facts = dict[str, object]
Texts = tuple[str, ...]
Change = tuple[str, str] | None
"""Words of a description and what to write in their place, to see that it is noticed."""


class DisagreementError(AssertionError):
    """The engine and the independent rules do not say the same."""


@attrs.frozen
class Setting:
    """A game with its options, on both sides.

    *draw* gives a legal text of each decider. *theirs* and *ours* tell the same facts of a
    position from the independent side and from the engine. *every*: full lists of moves are
    compared at every so many decisions. *events*: what a turn had in it that is worth counting;
    *must_meet*: what the long run would be poor without. *few* and *many*: how many games the
    short and the long run play. *note*: how moves are drawn, where a game has several ways.
    """

    game: str
    options: Mapping[str, object]
    start: Callable[[], Any]
    draw: Callable[[Any, random.Random], Texts]
    theirs: Callable[[Any], Facts]
    ours: Callable[[State], Facts]
    every: int = 1
    events: Callable[[Any, Texts, Any], Iterator[str]] = lambda before, texts, after: iter(())
    few: int = 1
    many: int = 1
    must_meet: tuple[str, ...] = ()
    note: str = ""
    change: Change = None

    @property
    def label(self) -> str:
        """The game with its options, as a command line takes them."""
        options = "".join(f" --option {name}={value}" for name, value in self.options.items())
        return self.game + options.replace("True", "true").replace("False", "false")


@cache
def _loaded(game: str, options: tuple[tuple[str, object], ...], change: Change) -> Game:
    if change is None:
        return load(game, **dict(options))
    text = (GAMES_FOLDER / f"{game}.game").read_text(encoding="utf-8")
    assert text.count(change[0]) == 1, change
    return load_text(text.replace(*change), game, **dict(options))


def engine(setting: Setting) -> Game:
    """The engine's side of a setting."""
    return _loaded(setting.game, tuple(setting.options.items()), setting.change)


# ---- one game


@attrs.define
class _Walk:
    setting: Setting
    seed: int
    rng: random.Random
    met: Counter[str]
    ours: State
    theirs: Any
    recent: deque[str]

    def drawn(self, player: str) -> str:
        """A move that the engine draws for itself."""
        machine, cells = self.ours.game.machine, self.ours.cells
        number = self.ours.game.players.index(player)
        end, _ = machine.draw(cells, number, Stream(self.seed, self.met["decisions"], number))
        return machine.text(cells, end)

    def same(self, what: str, ours: object, theirs: object) -> None:
        """Both sides must say the same."""
        self.met["comparisons"] += 1
        if ours != theirs:
            raise DisagreementError(
                f"{self.setting.label}, seed {self.seed}, after {self.ours.path or 'no move'!r}:\n"
                f"{what}\n  engine:      {ours}\n  independent: {theirs}"
            )

    def same_position(self) -> None:
        self.same("who decides", self.ours.to_move, self.theirs.to_move)
        ours, theirs = self.setting.ours(self.ours), self.setting.theirs(self.theirs)
        for name in theirs:
            self.same(name, ours[name], theirs[name])
        over = self.ours.outcome
        self.same("outcome", (over.winner, over.reason) if over else None, self.theirs.outcome)

    def same_moves(self) -> None:
        """The same list on both sides, each text once; the engine's own counts agree with it."""
        for player in self.theirs.to_move:
            listed = [move.text for move in self.ours.moves(player)]
            theirs = self.theirs.moves(player)
            only_ours = sorted(set(listed) - set(theirs))
            only_theirs = sorted(set(theirs) - set(listed))
            self.same(f"moves of {player} that only one side has", only_ours, only_theirs)
            self.same(f"number of moves of {player}", len(listed), len(theirs))
            self.met["moves compared"] += len(listed)
            if len(self.theirs.to_move) == 1:
                self.same("perft 1", self.ours.perft(1), len(theirs))
            legal = set(theirs)
            drawn = self.drawn(player)
            self.same(f"is {drawn!r} legal, which the engine drew", drawn in legal, True)
            for text in [*self.recent][-3:]:
                self.same(f"is {text!r} legal", self.ours.why(text, player) is None, text in legal)
            self.recent.append(self.rng.choice(listed))

    def play(self) -> None:
        texts = self.setting.draw(self.theirs, self.rng)
        before = self.theirs
        self.theirs = self.theirs.play(texts if len(texts) > 1 else texts[0])
        self.ours = self.ours.play(" | ".join(texts))
        self.met["decisions"] += 1
        self.met.update(self.setting.events(before, texts, self.theirs))


def walk(setting: Setting, seed: int) -> Counter[str]:
    """Play one game in lock step; what was met in it. Raises `DisagreementError`."""
    rng = random.Random(f"{setting.label} {seed}")
    ours = engine(setting).start()
    w = _Walk(setting, seed, rng, Counter(), ours, setting.start(), deque(maxlen=8))
    w.same_position()
    while w.theirs.to_move and w.met["decisions"] < MOST_DECISIONS:
        if (w.met["decisions"] + seed) % setting.every == 0:
            w.same_moves()
        w.play()
        w.same_position()
    if w.theirs.to_move:
        w.met["unfinished"] += 1
    else:
        _same_end(w)
        winner, reason = w.theirs.outcome
        w.met[f"{winner or 'draw'} by {reason}"] += 1
    w.met["games"] += 1
    return w.met


def _same_end(w: _Walk) -> None:
    for player in engine(w.setting).players:
        w.same(f"moves of {player} after the end", w.ours.moves(player), [])
    outcome = w.ours.outcome
    assert outcome is not None
    standing = _STANDINGS.get(w.setting.game)
    if standing is None:
        w.same("scores and ranks", (outcome.scores, outcome.ranks), (None, None))
        return
    keys = standing(w.theirs)
    w.same("scores", outcome.scores, {player: key[0] for player, key in keys.items()})
    first, second = sorted(keys.values(), reverse=True)
    place = next((i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b), None)
    w.met["equal in all" if place is None else f"decided by count {place + 1}"] += 1
    ranks = {p: 1 + sum(other > key for other in keys.values()) for p, key in keys.items()}
    w.same("ranks", outcome.ranks, ranks)


_STANDINGS: dict[str, Callable[[Any], dict[str, tuple[int, ...]]]] = {
    "constello": lambda state: {player: state.standing(player) for player in constello.PLAYERS},
    "constructo": lambda state: {player: (n,) for player, n in state.scores().items()},
}


# ---- Constello


_CLASHES = {
    "clash": (
        "capture + capture",
        "capture + place",
        "capture + secure",
        "place + place",
        "gold rings lost",
        "passes with supply 0",
        "passes with supply 1",
        "decided by count 3",
    ),
    "siege": ("turns with three gold rings", "fourth gold rings refused"),
    "uniform": (),
}


def _siege(state: constello.State, rng: random.Random) -> Texts | None:
    """Draw a stone that one player secures and the other would capture, if there is one."""
    pairs = []
    for player in constello.PLAYERS:
        enemy = constello.rival(player)
        if state.supply(player) and state.supply(enemy) >= 2:
            for node in state.held(player):
                if state.fits(player, "secure", node) and state.fits(enemy, "capture", node):
                    pairs.append((player, node))
    if not pairs:
        return None
    owner, node = rng.choice(sorted(pairs))
    black, white = ("secure" if owner == player else "capture" for player in constello.PLAYERS)
    return f"{black} {node}", f"{white} {node}"


def _constello(style: str) -> Setting:
    def draw(state: constello.State, rng: random.Random) -> Texts:
        if style == "uniform":
            return tuple(sampling.any_move(state, player, rng) for player in state.to_move)
        siege = _siege(state, rng) if style == "siege" and rng.random() < 0.5 else None
        return siege or sampling.constello_turn(state, rng)

    return Setting(
        "constello", {}, constello.start, draw, _constello_theirs, _constello_ours,
        events=_constello_events, few=4,
        many={"clash": 900, "siege": 600, "uniform": 500}[style], must_meet=_CLASHES[style],
        note=f", {style}",
    )  # fmt: skip


def _constello_theirs(state: constello.State) -> Facts:
    return {
        "stones": {player: sorted(state.held(player)) for player in constello.PLAYERS},
        "supplies": list(state.supplies),
        "box": state.box,
        "gold rings": sorted(state.gold),
        "red rings": sorted(state.red) if state.reason is None else None,
        "points": list(state.scores().values()),
    }


def _constello_ours(state: State) -> Facts:
    held: dict[str, list[str]] = {player: [] for player in constello.PLAYERS}
    for node, ((owner, _),) in probe.board(state).items():
        held[owner].append(node)
    return {
        "stones": {player: sorted(nodes) for player, nodes in held.items()},
        "supplies": probe.values(state, "supply"),
        "box": probe.defined(state, "box"),
        "gold rings": sorted(probe.flagged(state, "gold")),
        "red rings": sorted(probe.flagged(state, "locked")) if state.outcome is None else None,
        "points": [probe.defined(state, "points", player) for player in (0, 1)],
    }


def _constello_events(
    before: constello.State, texts: Texts, after: constello.State
) -> Iterator[str]:
    plans = [{node: kind for kind, node in constello.read(text)} for text in texts]
    for node in plans[0].keys() & plans[1].keys():
        both = " + ".join(sorted((plans[0][node], plans[1][node])))
        yield both
        winner = next((p for p in constello.PLAYERS if node in after.held(p)), None)
        if both in ("capture + place", "capture + secure") and winner and node not in after.gold:
            yield "fourth gold rings refused"
    if any(before.gold_rings(player) >= constello.GOLD_LIMIT for player in constello.PLAYERS):
        yield "turns with three gold rings"
    if any(before.gold_rings(player) > constello.GOLD_LIMIT for player in constello.PLAYERS):
        yield "turns with four gold rings"
    for text, player in zip(texts, constello.PLAYERS, strict=True):
        if text == "pass":
            yield f"passes with supply {min(before.supply(player), 2)}"
    if before.gold - after.gold:
        yield "gold rings lost"


# ---- Constructo


def _constructo(same_pattern: bool) -> Setting:
    def start() -> constructo.State:
        return constructo.start(same_pattern=same_pattern)

    def draw(state: constructo.State, rng: random.Random) -> Texts:
        moves = state.moves(state.player)
        climbs = [move for move in moves if "-" in move]
        return (rng.choice(climbs if climbs and rng.random() < 0.5 else moves),)

    return Setting(
        "constructo", {"same_pattern": same_pattern}, start, draw,
        _constructo_theirs, _constructo_ours, events=_constructo_events, few=20, many=1000,
        must_meet=("rings put around a lone small", "towers higher than three", "draw by towers"),
    )  # fmt: skip


def _constructo_theirs(state: constructo.State) -> Facts:
    tiles = constructo.PATTERNS[state.pattern] if state.pattern and state.to_move else None
    players, kinds = constructo.PLAYERS, constructo.KINDS
    return {
        "stacks": {tile: stack for tile, stack in state.board.items() if stack},
        "tiles": sorted(tiles) if tiles else None,
        "hands": {p: {k: state.hand(p, k) for k in kinds} for p in players},
        "points": list(state.scores().values()),
    }


def _constructo_ours(state: State) -> Facts:
    mask = probe.value(state, "tiles")
    assert isinstance(mask, int)
    designing = any(move.text.startswith("pattern") for move in _own_moves(state))
    tiles = None if designing or state.outcome else sorted(probe.sites(state, mask))
    return {
        "stacks": probe.board(state),
        "tiles": tiles,
        "hands": probe.hands(state),
        "points": probe.values(state, "points"),
    }


def _own_moves(state: State) -> list[Any]:
    return state.moves() if state.to_move else []


def _constructo_events(
    before: constructo.State, texts: Texts, after: constructo.State
) -> Iterator[str]:
    (text,) = texts
    if "-" in text:
        origin, goal = text.split("-")
        stack = (*before.board[goal], *before.board[origin])
        kinds = [kind for _, kind in stack]
        yield "rings put around a lone small" if kinds == ["small", "ring"] else "climbs"
        if len(stack) > 3:
            yield "towers higher than three"
    if len(after.rounds) > len(before.rounds):
        yield "rounds"


# ---- Astralesce and Constellation


def _hexslide(game: str, order: int, alone: int) -> Setting:
    def start() -> hexslide.State:
        return hexslide.start(game, order=order, alone=alone)

    def draw(state: hexslide.State, rng: random.Random) -> Texts:
        return (sampling.any_move(state, state.player, rng),)

    return Setting(
        game, {"order": order, "alone": alone}, start, draw, _hexslide_theirs, _hexslide_ours,
        few={3: 30, 4: 3, 5: 1, 6: 0}[order], many={3: 820, 4: 150, 5: 26, 6: 6}[order],
        must_meet=("Light by stalemate", "Dark by stalemate") if order == 3 and alone else (),
    )  # fmt: skip


def _hexslide_theirs(state: hexslide.State) -> Facts:
    labels = [sorted(map(hexslide.label, discs)) for discs in state.discs]
    return {"discs": dict(zip(hexslide.PLAYERS, labels, strict=True))}


def _hexslide_ours(state: State) -> Facts:
    discs: dict[str, list[str]] = {player: [] for player in hexslide.PLAYERS}
    for cell, ((owner, _),) in probe.board(state).items():
        discs[owner].append(cell)
    return {"discs": {player: sorted(cells) for player, cells in discs.items()}}


# ---- Consta


def _consta(size: int, every: int = 1) -> Setting:
    def start() -> consta.State:
        return consta.start(size)

    def draw(state: consta.State, rng: random.Random) -> Texts:
        return (sampling.consta_turn(state, rng, rng.choice(sampling.CONSTA_STYLES)),)

    return Setting(
        "consta", {"size": size}, start, draw, _consta_theirs, _consta_ours, every, _consta_events,
        few={3: 40, 4: 20, 5: 8, 6: 4, 7: 1, 8: 1, 9: 1, 11: 1}.get(size, 0),
        many={3: 800, 4: 560, 5: 300, 6: 150, 7: 80, 8: 40, 9: 20, 10: 16, 11: 16}.get(size, 4),
        must_meet=("crosscuts", "stacks", *(("chains cut", "skips") if size < 6 else ())),
    )  # fmt: skip


def _consta_theirs(state: consta.State) -> Facts:
    return {
        "pieces": {consta.label(c): ((p.owner, "stone"),) * p.stones for c, p in state.pieces},
        "skips": state.skips,
    }


def _consta_ours(state: State) -> Facts:
    return {"pieces": probe.board(state), "skips": probe.counter(state, "skips")}


def _consta_events(before: consta.State, texts: Texts, after: consta.State) -> Iterator[str]:
    crosscuts = [consta.weaker_pair(after.board, cell) for cell in after.board]
    old = sum(consta.weaker_pair(before.board, cell) is not None for cell in before.board)
    new = sum(pair is not None for pair in crosscuts) - old
    yield from ["crosscuts"] * new
    cells = texts[0].split(" ")
    if len(cells) == 2 and cells[0] == cells[1]:
        yield "stacks"
    if after.skips:
        yield "skips"
    if after.to_move:
        for player in consta.PLAYERS:
            if before.has_chain(player) and not after.has_chain(player):
                yield "chains cut"


# ---- all of them


def settings(game: str) -> list[Setting]:
    """Every setting of a game, each option varied."""
    match game:
        case "constello":
            return [_constello(style) for style in ("clash", "siege", "uniform")]
        case "constructo":
            return [_constructo(False), _constructo(True)]
        case "astralesce" | "constellation":
            return [_hexslide(game, order, alone) for order in (3, 4, 5, 6) for alone in (0, 1)]
        case "consta":
            return [_consta(size, max(1, (size - 4) ** 2 // 12)) for size in range(3, 20)]
    raise ValueError(game)


GAMES = ("constello", "constructo", "astralesce", "constellation", "consta")
