"""How a game goes from one decision to the next, and how it ends."""

from __future__ import annotations

import probe
import pytest

from ludeme import DescriptionFault, State, load_text

from .small import description, fault_of, texts

FREE = "one of\n  - put\n      choose x from empty\n      put stone on x\n  - rest\n      pass"
NEVER = "\nend\n  draw by never when turns = 99\n"


def game(
    turn: str, rest: str = "piece stone", head: str = "turn", more: str = "", **how: str
) -> State:
    """The first state of a small description with further items at its end."""
    return load_text(description(turn, head, rest, **how) + more).start()


def play(state: State, moves: str) -> State:
    """The state after decisions joined by semicolons."""
    for move in moves.split("; ") if moves else []:
        state = state.play(move)
    return state


def reason(state: State) -> tuple[str | None, str] | None:
    """Winner and end, once the game is over."""
    return (state.outcome.winner, state.outcome.reason) if state.outcome else None


# ---- lasting


@pytest.mark.parametrize(
    ("lasting", "there"),
    [
        ("", [True, True, True, True]),
        ("lasting 1 turn", [True, False, False, False]),
        ("lasting 2 turns", [True, True, False, False]),
        ("lasting 3 turns", [True, True, True, False]),
    ],
)
def test_a_flag_lasts_for_so_many_further_turns(lasting: str, there: list[bool]) -> None:
    """Set in one turn, it is in force through the whole of the next ones, then gone."""
    state = game(
        "one of\n  - light\n      mark b1 lit\n  - look\n      pass",
        f"piece stone\neach site has lit {lasting}",
        more=NEVER,
    )
    state = state.play("light")
    for expected in there:
        assert (probe.flagged(state, "lit") == ["b1"]) == expected
        state = state.play("pass")


def test_a_flag_set_again_lasts_anew() -> None:
    """From the turn in which it was set last."""
    state = game(
        "one of\n  - light\n      mark b1 lit\n  - dark\n      unmark b1 lit\n  - look\n      pass",
        "piece stone\neach site has lit lasting 2 turns",
        more=NEVER,
    )
    kept = play(state, "light; pass; light; pass")
    assert probe.flagged(kept, "lit") == ["b1"]
    assert probe.flagged(kept.play("pass"), "lit") == []
    assert probe.flagged(play(state, "light; dark"), "lit") == []


def test_a_value_that_does_not_last_falls_back() -> None:
    """A number of a player is its first value again after its turns."""
    state = game(
        "one of\n  - vow\n      set vow(mover) to 7\n  - rest\n      pass",
        "piece stone\neach player has vow = 1 from 0..9 lasting 2 turns",
        more=NEVER,
    )
    state = state.play("vow")
    seen = []
    for _ in range(4):
        seen.append(probe.values(state, "vow"))
        state = state.play("pass")
    assert seen == [[7, 1], [7, 1], [1, 1], [1, 1]]


def test_a_flag_of_a_piece_ages_wherever_it_goes() -> None:
    """A moved or covered piece loses the flag in the same turn as one that stays."""
    state = game(
        "one of\n  - light\n      mark a1 gold\n  - go\n      require some mine\n"
        "      move a1 to b1\n  - rest\n      pass",
        "piece stone\neach piece has gold lasting 2 turns\nstart\n  put White stone on a1",
        more=NEVER,
    )
    moved = play(state, "light; go")
    assert probe.flagged(moved, "gold") == ["b1"]
    assert probe.flagged(moved.play("pass"), "gold") == []


def test_a_flag_of_a_covered_piece_ages_too() -> None:
    """What lies in a stack is not spared: uncovered later, its flag is gone."""
    state = game(
        "one of\n  - light\n      mark a1 gold\n  - cover\n"
        "      require height(a1) = 1\n      put stone on a1\n"
        "  - bare\n      remove a1\n  - rest\n      pass",
        "piece stone\nstacks up to 2\neach piece has gold lasting 2 turns\n"
        "start\n  put White stone on a1",
        more=NEVER,
    )
    assert probe.flagged(play(state, "light; cover; bare"), "gold") == []
    assert probe.flagged(play(state, "light; cover"), "gold") == []
    assert probe.flagged(play(state, "light; pass"), "gold") == ["a1"]


# ---- whose turn


def test_players_alternate_in_seat_order() -> None:
    """With three as with two; from another player where the file says so."""
    text = (
        'game "Three"\nplayers X, Y, Z\nboard square(3, 3)\npiece stone\nturn\n'
        "  choose x from empty\n  put stone on x\n"
        "play\n  players alternate move from Y" + NEVER
    )
    state = load_text(text).start()
    order: list[str] = []
    for cell in ("a1", "b1", "c1", "a2"):
        order += state.to_move
        state = state.play(cell)
    assert order == ["Y", "Z", "X", "Y"]


def test_stuck_players_are_skipped() -> None:
    """A skipped turn makes no decision, counts as a turn, and is asked of the ends."""
    state = game(
        'choose x from mine\nremove x\nas "{x}"',
        "piece stone\nstart\n  put Black stone on {a1, b1}\n  put White stone on c1",
        more="play\n  players alternate move, skipping stuck\n"
        "end\n  draw by rest when skips = 2\n  mover wins by turns when turns = 9\n",
    )
    state = play(state, "a1; c1; b1")
    assert reason(state) == (None, "rest")
    assert state.path == "a1; c1; b1"


def test_skips_count_only_what_runs_on() -> None:
    """A decision sets the count of skips to 0; a skipped player comes again."""
    state = game(
        'choose x from mine\nremove x\nas "{x}"',
        "piece stone\nstart\n  put Black stone on {a1, b1, c1}",
        more="play\n  players alternate move, skipping stuck\nend\n  draw by two when skips = 2\n",
    )
    for move in ("a1", "b1"):
        state = state.play(move)
        assert state.to_move == ("Black",)
        assert probe.counter(state, "skips") == 1
    assert reason(state.play("c1")) == (None, "two")


def test_nobody_able_to_move_is_a_fault() -> None:
    """If all are skipped and no end says what then."""
    state = game(
        'choose x from mine\nremove x\nas "{x}"',
        "piece stone\nstart\n  put Black stone on a1",
        more="play\n  players alternate move, skipping stuck\n" + NEVER,
    )
    error = fault_of(lambda: state.play("a1"))
    assert error.diagnostic.code == "stuck"
    assert error.diagnostic.span.text == "players alternate move, skipping stuck"


def test_a_stuck_player_is_a_fault_where_nothing_is_said() -> None:
    """It is told when the moves are asked for, with the moves that led there."""
    state = game(
        'choose x from mine\nremove x\nas "{x}"',
        "piece stone\nstart\n  put Black stone on a1",
        more="play\n  players alternate move\nend\n  draw by never when turns = 99\n",
    )
    after = state.play("a1")
    assert after.to_move == ("White",)
    for act in (after.moves, lambda: after.perft(1)):
        error = fault_of(act)
        assert error.diagnostic.code == "stuck"
        assert "White" in error.diagnostic.message
        assert error.diagnostic.span.text == "players alternate move"
    assert fault_of(after.moves).moves == "a1"


def test_until_is_asked_before_each_turn_with_the_mover_about_to_decide() -> None:
    """Also before the first."""
    items = "play\n  players alternate move, until count(mine) = 2\n  mover_ends by two\n"
    text = description(
        "choose x from empty\nput stone on x", rest="piece stone", board="square(4, 2)"
    )
    state = load_text(text + items.replace("mover_ends by two", "draw by two")).start()
    state = play(state, "a1; b1; c1")
    assert state.to_move == ("White",)
    assert reason(state.play("d1")) == (None, "two")
    ended = load_text(
        description("choose x from empty\nput stone on x", rest="piece stone")
        + "play\n  players alternate move, until no mine\n  draw by nothing\n"
    ).start()
    assert reason(ended) == (None, "nothing")


def test_named_turns_follow_the_script() -> None:
    """One after the other, loops, and a jump to a phase."""
    text = description(
        "choose x from empty\nput stone on x", "turn place", "piece stone", board="square(4, 2)"
    ) + (
        'turn drop as "-{x}"\n  choose x from mine\n  remove x\n'
        "play\n  phase opening\n    White takes place\n    Black takes place\n"
        "  phase middle\n    repeat until count(occupied) = 0\n      White takes drop\n"
        "      Black takes drop\n    go to opening\n"
        "end\n  draw by length when turns = 7\n"
    )
    state = load_text(text).start()
    order: list[str] = []
    for move in ["a1", "b1", "-a1", "-b1", "c1", "d1", "-c1"]:
        order += state.to_move
        state = state.play(move)
    assert order == ["White", "Black", "White", "Black", "White", "Black", "White"]
    assert reason(state) == (None, "length")


def test_rounds_go_through_players_or_numbers() -> None:
    """The name of the loop is a variable of the state; effects stand between decisions."""
    text = description(
        "choose x from empty\nput stone on x",
        "turn place",
        "piece stone\neach player has points = 0 from 0..9",
    ) + (
        "play\n  for starter in players\n    clear board\n"
        "    players alternate place from starter, until no empty\n"
        "    raise points(starter) by count(pieces(starter))\n  ranking decides by points\n"
        "ranking highest points\n"
    )
    state = load_text(text).start()
    state = play(state, "a1; b1")
    assert state.to_move == ("Black",)
    state = state.play("c1")
    assert state.to_move == ("White",)
    assert probe.board(state) == {}
    assert probe.values(state, "points") == [2, 0]
    state = play(state, "c1; b1; a1")
    assert state.outcome is not None
    assert state.outcome.scores == {"Black": 2, "White": 2}
    assert reason(state) == (None, "points")
    numbers = load_text(
        description(
            "choose x from empty\nput stone on x", "turn place", "piece stone", board="square(4, 2)"
        )
        + "play\n  for n in 1..2\n    White takes place\n    Black takes place\n  draw by two\n"
    ).start()
    assert reason(play(numbers, "a1; b1; c1")) is None
    assert reason(play(numbers, "a1; b1; c1; d1")) == (None, "two")


# ---- counters


def test_passes_count_what_runs_on() -> None:
    """`passes` counts passes running; `passed` is of each player's latest decision."""
    more = (
        "define told = count(those p in players where passed(p))\n"
        "end\n  draw by both when passes = 2\n  draw by told when told = 2 and turns = 99\n"
    )
    state = game(FREE, more=more)
    assert reason(play(state, "pass; put a1; pass")) is None
    assert reason(play(state, "pass; put a1; pass; pass")) == (None, "both")
    first = play(state, "pass; put a1")
    layout = first.game.machine.layout
    at = layout.counters["passed"]
    assert first.cells[at : at + 2] == [1, 0]
    assert probe.counter(first, "passes") == 0


def test_turns_count_decisions_and_skips() -> None:
    """Of everybody; a turn that is taken again counts again."""
    state = game(FREE, more=NEVER)
    assert [probe.counter(play(state, m), "turns") for m in ("", "pass", "pass; put a1")] == [
        0,
        1,
        2,
    ]


def test_what_is_not_asked_for_is_not_counted() -> None:
    """Two states that differ only in the number of turns are equal if no rule asks for it."""
    state = game(FREE, more="end\n  draw by full when no empty\n")
    assert state == play(state, "pass; pass")
    counted = game(FREE, more=NEVER)
    assert counted != play(counted, "pass; pass")


# ---- together

TOGETHER = (
    'game "Together"\nplayers Black, White\nboard square(3, 1)\npiece stone\n'
    "each player plans bid = 0 from 0..9\neach player plans aim for each site: none, here\n"
    "each player has gold = 5 from 0..20\ngame has told = 0 from 0..99\n"
    'turn plan together joined by " "\n'
    "  choose n from 0..2\n  choose x from empty\n"
    "  require bid(mover) = 0\n"
    '  set bid(mover) to n\n  set aim(mover, x) to here\n  as "{n}"\n  as "{x}"\n'
    "reveal plan\n  set told to 10 * bid(Black) + bid(White)\n"
    "  for each player p: lower gold(p) by bid(p)\n"
    "  for each player p, each s in board\n"
    "    match aim(p, s), aim(rival(p), s)\n      here, none: put p stone on s\n"
    "play\n  players take plan together\n  players take plan together\n  draw by done\n"
)


def test_plans_are_made_apart_and_revealed_together() -> None:
    """Each run sees the state at the start of the turn, whatever the other plans."""
    state = load_text(TOGETHER).start()
    assert state.to_move == ("Black", "White")
    assert len(texts(state, "Black")) == len(texts(state, "White")) == 9
    after = state.play("2 a1 | 1 b1")
    assert probe.value(after, "told") == 21
    assert probe.values(after, "gold") == [3, 4]
    assert probe.board(after) == {"a1": (("Black", "stone"),), "b1": (("White", "stone"),)}
    assert probe.board(state.play("0 a1 | 0 a1")) == {}


def test_plans_are_forgotten_after_the_reveal() -> None:
    """No state holds one: states that differed only by their plans are equal."""
    state = load_text(TOGETHER).start()
    after = state.play("1 a1 | 1 b1")
    assert probe.values(after, "bid") == [0, 0]
    assert probe.values(after, "aim") == probe.values(state, "aim")
    assert len(texts(after, "Black")) == 3
    assert state.play("0 a1 | 0 a1") == state.play("0 b1 | 0 b1")
    assert reason(after.play("0 c1 | 0 c1")) == (None, "done")


def test_finding_a_plan_leaves_no_trace() -> None:
    """Asking for moves, or why one is none, shows nothing of a plan and changes nothing."""
    state = load_text(TOGETHER).start()
    before = repr(state.cells)
    state.moves("Black")
    state.why("2 a1", "Black")
    state.why("9 a1", "White")
    assert repr(state.cells) == before


def test_all_pass_together() -> None:
    """`passes` counts a decision as a pass if everybody passed; `passed` is of each."""
    text = (
        'game "Passing"\nplayers Black, White\nboard square(3, 1)\npiece stone\n'
        'each player plans bid = 0 from 0..9\nturn plan together\n  one of\n    - bid as "bid"\n'
        "        set bid(mover) to 1\n    - rest\n        pass\n"
        "end\n  draw by both when every p in players has passed(p)\n"
        "  draw by twice when passes = 2\n"
    )
    state = load_text(text).start()
    after = state.play("bid | pass")
    assert reason(after) is None
    assert probe.counter(after, "passes") == 0
    assert reason(state.play("pass | pass")) == (None, "both")


def test_mover_is_not_asked_after_a_turn_together() -> None:
    """An end that speaks of the mover is left out where everybody decided."""
    text = TOGETHER.replace(
        "play\n",
        "end\n  mover wins by moving when count(mine) >= 0\n"
        "  draw by stones when count(occupied) = 2\nplay\n",
    )
    state = load_text(text).start()
    assert reason(state.play("0 a1 | 0 a1")) is None
    assert reason(state.play("0 a1 | 0 b1")) == (None, "stones")


# ---- ends


def test_the_first_end_that_holds_decides() -> None:
    """In the order in which they are written."""
    ends = ["mover wins by first when a1 in mine", "next wins by second when count(mine) = 1"]
    for order, expected in ((ends, ("Black", "first")), (ends[::-1], ("White", "second"))):
        lines = "".join(f"  {end}\n" for end in order)
        state = game(FREE, more=f"end\n{lines}")
        assert reason(state.play("put a1")) == expected


def test_mover_and_next_are_those_of_the_turn_just_taken() -> None:
    """`next` follows the mover in seat order; who loses leaves the win to the other."""
    three = (
        'game "Three"\nplayers X, Y, Z\nboard square(3, 1)\npiece stone\nturn\n'
        "  choose x from empty\n  put stone on x\n"
        "end\n  next wins by stone when b1 in mine\n"
    )
    assert reason(play(load_text(three).start(), "a1; c1; b1")) == ("X", "stone")
    loses = game(FREE, more="end\n  mover loses by stone when b1 in mine\n")
    assert reason(play(loses, "put a1; put b1")) == ("Black", "stone")


@pytest.mark.parametrize(("turns", "expected"), [(1, (None, "lit")), (2, None)])
def test_ends_look_at_what_the_next_player_meets(
    turns: int, expected: tuple[None, str] | None
) -> None:
    """A flag for one more turn is there after the turn that sets it, and gone after the next."""
    state = game(
        "one of\n  - light\n      mark b1 lit\n  - rest\n      pass",
        "piece stone\neach site has lit lasting 1 turn",
        more=f"end\n  draw by lit when some lit and turns = {turns}\n",
    )
    assert reason(play(state, "light; pass" if turns == 2 else "light")) == expected


def test_an_end_asks_for_the_moves_of_the_turn_to_come() -> None:
    """Whoever could move only where it was lit for this turn cannot move in the next."""
    state = game(
        "one of\n  - light\n      require turns = 0\n      mark b1 lit\n"
        "  - enter\n      choose x from lit\n      put stone on x\n"
        "  - rest\n      require turns = 1\n      pass",
        "piece stone\neach site has lit lasting 1 turn",
        more="end\n  mover wins by dark when next cannot move\n",
    )
    assert reason(play(state, "light; pass")) == ("White", "dark")


RANKED = "each player has gold = 0 from -9..9\neach player has iron = 0 from 0..9\n"


@pytest.mark.parametrize(
    ("golds", "irons", "winner", "ranks"),
    [
        ((3, 2, 1), (0, 0, 0), "X", (1, 2, 3)),
        ((1, 2, 3), (0, 0, 0), "Z", (3, 2, 1)),
        ((2, 2, 1), (5, 4, 0), "Y", (2, 1, 3)),
        ((2, 2, 1), (4, 4, 0), None, (1, 1, 3)),
        ((1, 1, 1), (0, 0, 0), None, (1, 1, 1)),
        ((3, 1, 1), (0, 2, 2), "X", (1, 2, 2)),
        ((-1, 0, -2), (0, 0, 0), "Y", (2, 1, 3)),
    ],
)
def test_the_ranking_goes_by_its_numbers_in_order(
    golds: tuple[int, int, int],
    irons: tuple[int, int, int],
    winner: str | None,
    ranks: tuple[int, int, int],
) -> None:
    """Highest gold, then lowest iron; equal players share a rank, a shared first one is a draw."""
    sets = "".join(
        f"  set gold({p}) to {gold}\n  set iron({p}) to {iron}\n"
        for p, gold, iron in zip("XYZ", golds, irons, strict=True)
    )
    text = (
        'game "Ranked"\nplayers X, Y, Z\nboard square(3, 1)\npiece stone\n'
        f"{RANKED}start\n{sets}turn\n  choose x from empty\n  put stone on x\n"
        "ranking highest gold, then lowest iron\nend\n  ranking decides by metal when b1 in mine\n"
    )
    outcome = load_text(text).start().play("b1").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (winner, "metal")
    assert outcome.scores == dict(zip("XYZ", golds, strict=True))
    assert outcome.ranks == dict(zip("XYZ", ranks, strict=True))


def test_a_game_without_an_end_is_a_fault() -> None:
    """Where `play` comes to its last line and nothing was decided."""
    state = game(
        "choose x from empty\nput stone on x",
        more="play\n  Black takes move\n  White takes move\nend\n  draw by full when no empty\n",
    )
    error = fault_of(lambda: play(state, "a1; b1"))
    assert error.diagnostic.code == "no-end"
    assert error.moves == "a1"


def test_a_script_that_goes_in_circles_is_a_fault() -> None:
    """Steps at which nobody decides cannot go on for ever."""
    state = game(
        "choose x from empty\nput stone on x",
        more="play\n  Black takes move\n  phase spin\n    if some empty\n      go to spin\n"
        "  White takes move\n  draw by full\n",
    )
    error = fault_of(lambda: state.play("b1"))
    assert error.diagnostic.code == "endless"


# ---- faults of numbers


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("raise tally by 2", 10),
        ("lower tally by 9", -1),
        ("set tally to 5 * count(empty)", 15),
        ("raise tally by -9", -1),
        ("one by one s in board: raise tally by 1", 10),
    ],
)
def test_a_number_that_leaves_its_range_is_a_fault(line: str, number: int) -> None:
    """Of 8 from 0..9: located at the line, with the number that it became."""
    state = game(
        line,
        "piece stone\ngame has tally = 8 from 0..9",
        'turn as "go"',
        more="end\n  draw by x when tally = 0\n",
    )
    error = fault_of(lambda: state.play("go"))
    assert error.diagnostic.code == "out-of-range"
    assert error.diagnostic.span.text == line.split(": ")[-1]
    assert str(number) in error.diagnostic.message
    assert fault_of(state.moves).diagnostic.code == "out-of-range"


@pytest.mark.parametrize("line", ["raise tally by 1\n  lower tally by 1", "lower tally by 0"])
def test_the_range_is_looked_at_when_all_is_added(line: str) -> None:
    """In `for each` only the sum counts."""
    state = game(
        f"for each s in board\n  {line}", "piece stone\ngame has tally = 9 from 0..9",
        'turn as "go"', more="end\n  draw by x when tally = 0\n",
    )  # fmt: skip
    assert probe.value(state.play("go"), "tally") == 9


def test_division_by_nothing_is_a_fault() -> None:
    """Located at the division."""
    state = game("choose n from 0..2\nlet m = 6 / n", head='turn as "{n} {m}"', more=NEVER)
    error = fault_of(state.moves)
    assert error.diagnostic.code == "division"
    assert error.diagnostic.span.text == "6 / n"


PAIR = "for each s in {a1, c1}\n  if s = a1: "


@pytest.mark.parametrize(
    ("turn", "place"),
    [
        ("for each s in {a1, b1}: set tally to v(s)", "set tally to v(s)"),
        ("for each player p: put p stone on b1", "put p stone on b1"),
        (f"{PAIR}remove b1\n  else: put stone on b1", "put stone on b1"),
        (f"{PAIR}mark b1 lit\n  else: unmark b1 lit", "unmark b1 lit"),
        (f"{PAIR}change b1 to rock\n  else: change b1 to stone", "change b1 to stone"),
        ("for each player p: give b1 to p", "give b1 to p"),
        ("put stone on {a1, c1}\nfor each s in {a1, c1}: move s to b1", "move s to b1"),
    ],
)  # fmt: skip
def test_different_things_at_once_are_a_clash(turn: str, place: str) -> None:
    """Two members that write differently to one place; located at the second."""
    rest = (
        "pieces stone, rock\neach site has lit\neach site has v = 0 from 0..9\n"
        "game has tally = 0 from 0..9\nstacks up to 9\n"
        "start\n  set v(a1) to 1\n  put White stone on b1"
    )
    state = game(turn, rest, 'turn as "go"', more=NEVER)
    error = fault_of(lambda: state.play("go"))
    assert error.diagnostic.code == "clash"
    assert error.diagnostic.span.text == place
    assert error.diagnostic.help is not None
    assert "one by one" in error.diagnostic.help


def test_nobody_has_no_variable() -> None:
    """A variable of a player cannot be set of nobody."""
    state = game(
        "let p = owner(a1)\nset gold(p) to 1", "piece stone\neach player has gold = 0 from 0..9",
        'turn as "go"', more="end\n  draw by x when gold(Black) = 9\n",
    )  # fmt: skip
    assert fault_of(lambda: state.play("go")).diagnostic.code == "nobody"


def test_a_fault_tells_the_moves_that_led_to_it() -> None:
    """As `--after` takes them."""
    state = game("choose x from board\nput stone on x", more=NEVER)
    error = fault_of(lambda: play(state, "a1; b1; a1"))
    assert error.diagnostic.code == "full-site"
    assert error.moves == "a1; b1"


def test_play_in_which_an_option_leaves_nobody_to_decide() -> None:
    """A fault that is told, at the turn or at play, and not a failure of ours."""
    text = (
        'game "Idle"\nplayers X, Y\noption open = true\nboard square(3)\npiece stone\n'
        "turn move\n  choose x from empty\n  put stone on x\n"
        "play\n  if open\n    players alternate move\n"
        "end\n  draw by filling when no empty\n"
    )
    assert load_text(text).start().to_move == ("X",)
    with pytest.raises(DescriptionFault, match="came to its end"):
        load_text(text, open=False).start()
