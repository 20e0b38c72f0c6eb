"""One random game on the engine and on OpenSpiel at once, decision by decision.

OpenSpiel (Lanctot et al., https://github.com/google-deepmind/open_spiel) may cut one of our
decisions into several actions; what is compared is all that they can come to. Chance must have
the same outcomes, as likely as there; players who decide together, each the same moves. What a
player sees must tell apart what OpenSpiel says that it tells apart.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

import attrs

from ludeme import Game, State, load

Actions = tuple[int, ...]
Whole = Callable[[Any, int, Any, Actions], bool]


def signs(state: State) -> list[float]:
    """1 for who has won, -1 for the others, 0 for all if nobody has."""
    outcome = state.outcome
    assert outcome is not None
    if outcome.winner is None:
        return [0.0] * len(state.game.players)
    return [1.0 if player == outcome.winner else -1.0 for player in state.game.players]


def one_against_all(state: State) -> list[float]:
    """-1 for those who have not won, and all of it for who has."""
    return [-1.0 if sign < 0 else sign * (len(state.game.players) - 1) for sign in signs(state)]


def scores(state: State) -> list[float]:
    """The scores."""
    assert state.outcome is not None
    assert state.outcome.scores is not None
    return [float(state.outcome.scores[player]) for player in state.game.players]


def passed(state: State) -> State:
    """Where play has come to when all have passed who can only pass."""
    while [move.text for player in state.to_move for move in state.moves(player)] == ["pass"]:
        state = state.play("pass")
    return state


def forced(state: State) -> State:
    """Where play has come to when nobody has had a choice left."""
    while state.to_move:
        moves = [state.moves(player) for player in state.to_move]
        if any(len(each) > 1 for each in moves):
            return state
        state = state.play(" | ".join(each[0].text for each in moves))
    return state


def one_action(before: Any, player: int, after: Any, actions: Actions) -> bool:
    """A decision is one action there."""
    return True


def whole_turn(before: Any, player: int, after: Any, actions: Actions) -> bool:
    """A decision is all that a player does until the next one decides, or nobody."""
    return bool(after.is_terminal() or after.current_player() != player)


@attrs.frozen
class Pair:
    """A game on both sides.

    *spiel*: the game and its parameters as OpenSpiel loads it. *read*: the text of our decision,
    from their state before it, the player (-1 for chance) and their actions. *whole*: whether
    some actions make a decision of ours, from the state before and after. *returns*: what ours
    are. *settled*: where we come to once their game is over, which may leave out what nobody
    chooses. *our_draws*: ends of ours at which they play on. *repeats*: whether they call a game
    drawn when a board comes back, where we play on. *sight*: what they say that a player sees, if
    it is to be compared with our view; with *recall*, it is compared with all views so far. *own*:
    only who decides looks, where how often others have decided is to be secret. *games*: how many
    are played in the normal run and in the long one; *limit*: after how many decisions a game is
    left. *liking*: how much moves are liked, where uniform games would not end; of the game, the
    player's seat and the text.
    """

    game: str
    spiel: str
    read: Callable[[Any, int, Actions], str]
    options: Mapping[str, object] = attrs.field(factory=dict)
    whole: Whole = one_action
    returns: Callable[[State], Sequence[float]] = signs
    settled: Callable[[State], State] = passed
    our_draws: tuple[str, ...] = ()
    repeats: bool = False
    sight: Callable[[Any, int], str] | None = None
    recall: bool = False
    own: bool = False
    games: tuple[int, int] = (10, 300)
    limit: int = 10_000
    liking: Callable[[Game, int, str], float] = lambda game, player, text: 1.0

    @property
    def label(self) -> str:
        """Both sides of it."""
        options = [f"{name}={value}" for name, value in self.options.items()]
        return f"{','.join([self.game, *options])}: {self.spiel}"


@cache
def _ours(game: str, options: tuple[tuple[str, object], ...]) -> Game:
    return load(game, **dict(options))


def ours(pair: Pair) -> Game:
    """Our side of a pair."""
    return _ours(pair.game, tuple(pair.options.items()))


@cache
def _theirs(spiel: str) -> Any:
    import pyspiel

    return pyspiel.load_game(spiel)


def rolled(state: Any) -> Iterator[tuple[Actions, float]]:
    """Every sequence of chance's actions until a player decides, and its likelihood."""
    for action, likelihood in state.chance_outcomes():
        after = state.child(action)
        if after.is_chance_node():
            for actions, rest in rolled(after):
                yield (action, *actions), likelihood * rest
        else:
            yield (action,), likelihood


def taken(
    pair: Pair, before: Any, player: int, state: Any, so_far: Actions = ()
) -> Iterator[Actions]:
    """Every sequence of actions that makes a decision of a player."""
    for action in state.legal_actions(player):
        actions = (*so_far, action)
        if pair.whole is one_action:
            yield actions
            continue
        after = state.child(action)
        if pair.whole(before, player, after, actions):
            yield actions
        if not after.is_terminal() and after.current_player() == player:
            yield from taken(pair, before, player, after, actions)


class Seen:
    """What players have been shown: on both sides the same must be told apart.

    *decided* are the different things that a player knew when it decided: information sets.
    """

    def __init__(self) -> None:
        self.by_ours: dict[tuple[int, object], str] = {}
        self.by_theirs: dict[tuple[int, str], object] = {}
        self.decided: set[tuple[int, str]] = set()

    def note(self, player: int, shown: object, theirs: str, where: str) -> None:
        """Raise AssertionError if only one side tells this from something earlier."""
        known = self.by_ours.setdefault((player, shown), theirs)
        assert known == theirs, f"only OpenSpiel tells apart {known!r} and {theirs!r}; {where}"
        ours = self.by_theirs.setdefault((player, theirs), shown)
        assert ours == shown, f"only we tell apart {ours} and {shown}; {where}"


@attrs.define
class _Walk:
    """A place in the game on both sides, and what has been met on the way."""

    pair: Pair
    seen: Seen
    met: Counter[str]
    ours: State
    theirs: Any
    views: list[tuple[str, ...]]

    @property
    def where(self) -> str:
        return f"{self.pair.label}, after {self.ours.path or 'no move'!r}\n{self.theirs}"

    def same(self, what: str, ours: object, theirs: object) -> None:
        self.met["comparisons"] += 1
        assert ours == theirs, f"{what}: {ours} here, {theirs} there; {self.where}"

    def offered(self) -> list[dict[str, Actions]]:
        """What each decider may do, compared; chance alone, or the players in order."""
        self.look()
        players = self.ours.game.players
        if self.theirs.is_chance_node():
            self.met["decisions of chance"] += 1
            self.same("who decides", self.ours.to_move, ("chance",))
            return [self.outcomes()]
        self.met["decisions"] += 1
        if self.theirs.is_simultaneous_node():
            self.same("who decide", self.ours.to_move, players)
            return [self.choices(player) for player in range(len(players))]
        player = self.theirs.current_player()
        self.same("who decides", self.ours.to_move, (players[player],))
        return [self.choices(player)]

    def outcomes(self) -> dict[str, Actions]:
        found: dict[str, Actions] = {}
        weights: Counter[str] = Counter()
        for actions, likelihood in rolled(self.theirs):
            text = self.pair.read(self.theirs, -1, actions)
            found[text] = actions
            weights[text] += likelihood
        ours = {move.text: self.ours.probability(move) for move in self.ours.moves()}
        self.same("outcomes", sorted(ours), sorted(found))
        for text, likelihood in weights.items():
            assert abs(ours[text] - likelihood) < 1e-9, (text, ours[text], likelihood, self.where)
        self.met["outcomes"] += len(ours)
        return found

    def choices(self, player: int) -> dict[str, Actions]:
        found: dict[str, Actions] = {}
        for actions in taken(self.pair, self.theirs, player, self.theirs):
            found.setdefault(self.pair.read(self.theirs, player, actions), actions)
        listed = {move.text for move in self.ours.moves(self.ours.game.players[player])}
        self.same("only there", sorted(found.keys() - listed), [])
        self.same("only here", sorted(listed - found.keys()), [])
        self.met["moves"] += len(listed)
        return found

    def look(self) -> None:
        if self.pair.sight is None or self.theirs.is_chance_node():
            return
        deciding = self.theirs.current_player()
        for number, player in enumerate(self.ours.game.players):
            if self.pair.own and number != deciding:
                continue
            view = self.ours.view(player)
            self.views[number] = (*self.views[number], view) if self.pair.recall else (view,)
            told = self.pair.sight(self.theirs, number)
            self.seen.note(number, self.views[number], told, self.where)
            self.met["views"] += 1
            if number == deciding:
                self.seen.decided.add((number, told))

    def after(self, texts: Sequence[str], actions: Sequence[Actions]) -> _Walk:
        theirs = self.theirs.clone()
        if theirs.is_simultaneous_node():
            theirs.apply_actions([each[0] for each in actions])
        else:
            for action in actions[0]:
                theirs.apply_action(action)
        ours = self.ours.play(" | ".join(texts))
        return attrs.evolve(self, ours=ours, theirs=theirs, views=self.views[:])

    def liked(self, offered: Mapping[str, Actions], rng: random.Random) -> str:
        player = self.theirs.current_player()
        texts = sorted(offered)
        liking = [self.pair.liking(self.ours.game, player, text) for text in texts]
        return rng.choices(texts, liking)[0]

    @property
    def is_drawn_here(self) -> bool:
        """Whether only we call the game drawn."""
        return self.ours.outcome is not None and self.ours.outcome.reason in self.pair.our_draws

    def end(self) -> None:
        self.met["games"] += 1
        last, returns = self.pair.settled(self.ours), self.theirs.returns()
        if self.is_drawn_here:
            self.met["drawn here"] += 1
        elif self.pair.repeats and last.outcome is None and not any(returns):
            self.met["drawn there"] += 1
        else:
            assert last.outcome is not None, f"over only there, {returns}; {self.where}"
            self.same("returns", list(self.pair.returns(last)), returns)
            self.met[f"{last.outcome.winner or 'draw'} by {last.outcome.reason}"] += 1


def _at_start(pair: Pair, seen: Seen) -> _Walk:
    game = ours(pair)
    start = _theirs(pair.spiel).new_initial_state()
    return _Walk(pair, seen, Counter(), game.start(), start, [()] * len(game.players))


def walk(pair: Pair, seed: int, seen: Seen | None = None) -> Counter[str]:
    """Play one game; what was compared in it. Raises AssertionError at the first difference."""
    rng = random.Random(f"{pair.label} {seed}")
    w = _at_start(pair, seen or Seen())
    while not (w.theirs.is_terminal() or w.is_drawn_here):
        if w.met["decisions"] == pair.limit:
            w.met["unfinished"] += 1
            return w.met
        offered = w.offered()
        texts = [w.liked(each, rng) for each in offered]
        w = w.after(texts, [each[text] for each, text in zip(offered, texts, strict=True)])
    w.end()
    return w.met


def walk_everywhere(pair: Pair) -> tuple[Counter[str], Seen]:
    """Play every game there is; what was compared, and what was seen."""
    seen = Seen()
    start = _at_start(pair, seen)
    left = [start]
    while left:
        w = left.pop()
        if w.theirs.is_terminal():
            w.end()
            continue
        for chosen in product(*(each.items() for each in w.offered())):
            left.append(w.after([text for text, _ in chosen], [actions for _, actions in chosen]))
    return start.met, seen
