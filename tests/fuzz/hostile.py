"""Descriptions made to take long or to need much room, each as large as its scale says."""

from __future__ import annotations

from collections.abc import Callable

HEAD = 'game "Hostile"\nplayers A, B\nboard {board}\npieces p, q\n'
TURN = "turn\n  choose c from empty\n  put p on c\nend\n  mover wins by x when no empty\n"


def _game(board: str = "square(5)", more: str = "", turn: str = TURN) -> str:
    return HEAD.format(board=board) + more + turn


def _requiring(condition: str) -> str:
    return TURN.replace("put p", f"require {condition}\n  put p")


def _lines(form: str, count: int) -> str:
    return "".join(form.replace("#", str(i)) for i in range(count))


def _choosing(lines: str) -> str:
    return (
        f"turn\n  choose c from empty\n{lines}  put p on c\nend\n  mover wins by x when no empty\n"
    )


def _definitions(count: int) -> str:
    chain = "".join(f"define f_{i}(s: site) = f_{i + 1}(s) + f_{i + 1}(s)\n" for i in range(count))
    return chain + f"define f_{count}(s: site) = height(s)\n"


def _nested(head: str, depth: int, last: str) -> str:
    lines = [head.replace("#", str(i)) for i in range(depth)] + [last]
    return "".join("  " * (i + 1) + line + "\n" for i, line in enumerate(lines))


_WIDE = "square(64)"

HOSTILE: dict[str, Callable[[int], str]] = {
    "definitions that double": lambda n: _game(
        more=_definitions(3 * n), turn=_requiring("f_0(c) >= 0")
    ),
    "numbers that square": lambda n: _game(
        more="define g_0(n: number) = n\n"
        + "".join(f"define g_{i + 1}(n: number) = g_{i}(n * n)\n" for i in range(n)),
        turn=_requiring(f"g_{n}(height(c) + 2) >= 0"),
    ),
    "ludemes that double": lambda n: _game(
        more="ludeme l_0 s: site\n  require height(s) = 0\n"
        + "".join(f"ludeme l_{i + 1} s: site\n  l_{i} s\n  l_{i} s\n" for i in range(18)),
        turn=_choosing("  l_18 c\n"),
    ),
    "unknown names": lambda n: _game(turn=_choosing(_lines("  require nonsense_# > 0\n", 60 * n))),
    "unknown names among many": lambda n: _game(
        more=_lines("game has v_# = 0 from 0..9\n", 30 * n),
        turn=_choosing(_lines("  require w_# > 0\n", 30 * n)),
    ),
    "lines of a turn": lambda n: _game(turn=_choosing("  require height(c) = 0\n" * (60 * n))),
    "names of a turn": lambda n: _game(turn=_choosing(_lines("  let v_# = height(c)\n", 60 * n))),
    "choices of a turn": lambda n: _game(
        turn="turn\n" + _lines("  choose v_# from empty\n", 30 * n) + "  put p on v_0\n"
    ),
    "notes for each site": lambda n: _game(
        _WIDE, _lines("each site has v_# = 0 from 0..9\n", 40 * n)
    ),
    "flags": lambda n: _game(_WIDE, _lines("each site has v_# lasting 100 turns\n", 40 * n)),
    "cuts": lambda n: _game(_WIDE + "\n" + ("  cut links inside row(1)\n" * (50 * n)).rstrip()),
    "joins": lambda n: _game(_WIDE + "\n" + ("  join hexagon(1)\n" * (50 * n)).rstrip()),
    "sites written down": lambda n: _game("sites\n" + _lines("  s_# - t_#\n", 20 * n).rstrip()),
    "ends": lambda n: _game(
        _WIDE, turn=TURN + _lines("  draw by e_# when every s in board has s in empty\n", 15 * n)
    ),
    "bullets": lambda n: _game(
        turn="turn\n  one of\n"
        + _lines("    - b_#\n        choose c from empty\n        put p on c\n", 20 * n)
    ),
    "branches": lambda n: _game(
        turn="turn\n"
        + _lines("  one of\n    - b_#\n        pass\n    - c_#\n        choose d_# from empty\n", n)
    ),
    "prints": lambda n: _game(
        turn='turn joined by ", "\n  choose 1..2 cs from empty\n  for each c in cs\n'
        + '    if c in row(1)\n      as "a"\n' * n
        + '    as "{c}"\n'
    ),
    "blocks": lambda n: _game(
        turn="turn\n  choose c from empty\n" + _nested("if c in empty", 40, "put p on c")
    ),
    "loops": lambda n: _game(
        more="each site has hot\n",
        turn="turn\n  choose c from empty\n"
        + _nested("for each s_# in empty", n // 3, "mark c hot"),
    ),
    "a sum": lambda n: _game(turn=_requiring(" + ".join(["height(c)"] * (8 * n)) + " >= 0")),
    "a set": lambda n: _game(
        turn=TURN.replace("from empty", "from {" + ", ".join(["a1"] * (30 * n)) + "}")
    ),
    "long lines of sites": lambda n: _game(
        "square(4096, 1)", turn=_requiring("not line(2000, among mine)")
    ),
    "a long ring": lambda n: _game(
        "wheel(2000, 1)", turn=_requiring("some slide(c, over empty) and count(groups(empty)) > 0")
    ),
    "what lies between": lambda n: _game(
        _WIDE, turn=_requiring("every s in board has no between(s, c) or true")
    ),
    "pairs": lambda n: _game(
        _WIDE, turn=_requiring("every s in board has some t in board has s != t and t not in mine")
    ),
    "a match": lambda n: _game(
        more="game has n = 0 from 0..9\n",
        turn="turn\n  choose c from empty\n  match n\n" + _lines("    #: put p on c\n", 50 * n),
    ),
    "kinds": lambda n: _game(more="".join(f"piece k_{i}\n" for i in range(50 * n))),
    "options": lambda n: _game(more=_lines("option o_# = 1 from 0..1000000000\n", 40 * n)),
    "values": lambda n: _game(
        more="game has z: " + ", ".join(f"z_{i}" for i in range(120 * n)) + "\n"
    ),
    "phases": lambda n: _game(
        turn=TURN.replace("turn", "turn move")
        + "play\n"
        + _lines("  phase ph_#\n    A takes move\n", 40 * n)
    ),
    "steps of play": lambda n: _game(
        _WIDE,
        "game has n = 0 from 0..9\n",
        TURN.replace("turn", "turn move")
        + "play\n  repeat until turns > 10\n"
        + "    if every x in board has some y in board has x = y\n      set n to 2\n" * (3 * n)
        + "    A takes move\n",
    ),
    "questions": lambda n: _game(
        turn=TURN + "  draw by y when every s in board has s in mine or mover can move\n"
    ),
    "examples": lambda n: _game(turn=TURN + _lines('example "e#"\n  expect some board\n', 30 * n)),
    "a long print": lambda n: _game(
        _WIDE, turn=TURN.replace("turn", 'turn as "' + "x" * (1400 * n) + '{c}"')
    ),
    "drops": lambda n: 'game "x" extends consta\n' + _lines("drop define d_#\n", 50 * n),
}
