"""How OpenSpiel writes the decisions of each game, read as we write them."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import probe

from ludeme import Game

from .decisions import Actions, Pair, one_against_all, scores


def cell(column: int, row: int) -> str:
    """A label from a column and a row, both from 0."""
    return f"{chr(ord('a') + column)}{row + 1}"


PITS = ["a1", "b1", "c1", "d1", "e1", "f1", "south", "f2", "e2", "d2", "c2", "b2", "a2"]


def pit_after_store(before: Any, player: int, actions: Actions) -> str:
    """Pits are counted round the board, the second store being 0."""
    return PITS[actions[0] - 1]


HOUSES = [*PITS[:6], *PITS[7:]]


def house(before: Any, player: int, actions: Actions) -> str:
    """Houses are counted by each player from his left."""
    return HOUSES[actions[0] + 6 * player]


def between_dots(before: Any, player: int, actions: Actions) -> str:
    """`P1(h,0,1)`: a line to the right of a dot, or `v` down from it; rows from the top."""
    text = before.action_to_string(player, actions[0])
    way, row, column = text[3:-1].split(",")
    rows = before.get_game().get_parameters()["num_rows"]
    x, y = int(column), rows - int(row)
    return cell(x, y) + cell(x + 1, y) if way == "h" else cell(x, y - 1) + cell(x, y)


def boxes(rows: int, columns: int, games: tuple[int, int]) -> Pair:
    """Dots and boxes of a size."""
    spiel = f"dots_and_boxes(num_rows={rows},num_cols={columns})"
    return Pair(
        "dots_and_boxes", spiel, between_dots, {"rows": rows, "columns": columns}, games=games
    )


def last_number(before: Any, player: int, actions: Actions) -> str:
    """`Deal 3`, `[P0]Bid: 3`."""
    text: str = before.action_to_string(player, actions[-1])
    return re.findall(r"\d+", text)[-1]


def observed(state: Any, player: int) -> str:
    """What a player sees now."""
    text: str = state.observation_string(player)
    return text


def known(state: Any, player: int) -> str:
    """What a player knows from all that it has seen."""
    text: str = state.information_state_string(player)
    return text


def goofspiel(
    seats: int,
    suit: int,
    order: str = "by_chance",
    bids: bool = True,
    games: tuple[int, int] = (3, 100),
) -> Pair:
    """Goofspiel with so many players and cards."""
    theirs = {"by_chance": "random"}.get(order, order)
    return Pair(
        "goofspiel",
        f"goofspiel(players={seats},num_cards={suit},points_order={theirs},imp_info={not bids},"
        "returns_type=total_points)",
        last_number,
        {"seats": seats, "suit": suit, "order": order, "open_bids": bids},
        returns=scores,
        sight=None if bids else known,  # of open bids they forget who won with which
        recall=True,
        games=games,
    )


LEDUC_CARDS = ["Js", "Jh", "Qs", "Qh", "Ks", "Kh"]


def leduc(before: Any, player: int, actions: Actions) -> str:
    """Cards by number; to call where nothing is to be called is to check."""
    if player < 0:
        return " ".join(LEDUC_CARDS[action] for action in actions)
    text: str = before.action_to_string(player, actions[0])
    if text == "Call" and "Fold" not in map(before.action_to_string, before.legal_actions()):
        return "check"
    return text.lower()


def kuhn(before: Any, player: int, actions: Actions) -> str:
    """Cards by number, from 0."""
    if player < 0:
        return " ".join(str(action + 1) for action in actions)
    text: str = before.action_to_string(player, actions[0])
    return text.lower()


POKER = (
    Pair("kuhn_poker", "kuhn_poker", kuhn, returns=scores, sight=known, recall=True),
    Pair("leduc_poker", "leduc_poker", leduc, returns=scores, sight=known, recall=True),
)


def shown(before: Any, player: int, actions: Actions) -> str:
    """`Rock`."""
    text: str = before.action_to_string(player, actions[0])
    return text.lower()


ROCK_PAPER_SCISSORS = Pair("rock_paper_scissors", "matrix_rps", shown, games=(20, 100))


def row_column(before: Any, player: int, actions: Actions) -> str:
    """`x(0,2)`: row and column, both from 0."""
    text = before.action_to_string(player, actions[0])
    row, column = map(int, re.findall(r"\d", text))
    return cell(column, row)


PHANTOM = (
    Pair(
        "phantom_tic_tac_toe", "phantom_ttt", row_column, sight=observed, own=True, games=(30, 500)
    ),
    Pair(
        "phantom_tic_tac_toe",
        "phantom_ttt",
        row_column,
        sight=known,
        own=True,
        recall=True,
        games=(60, 1000),
    ),
    Pair(
        "phantom_tic_tac_toe",
        "phantom_ttt(gameversion=abrupt)",
        row_column,
        {"refused": "loses_turn"},
        sight=known,
        own=True,
        recall=True,
    ),
)


def action_text(state: Any, player: int, action: int) -> str:
    """What OpenSpiel calls an action."""
    text: str = state.action_to_string(player, action)
    return text


def row_of_star(row: int, width: int) -> list[str]:
    """The cells of a row, counted from the top."""
    return [f"{chr(ord('q') - row)}{number + 1}" for number in range(width)]


_WIDTHS = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
STAR = [
    cell_of_star for row, width in enumerate(_WIDTHS) for cell_of_star in row_of_star(row, width)
]


def hops(before: Any, player: int, actions: Actions) -> str:
    """`3->14` or `3=>14` and again, then perhaps `Pass`: cells row by row from the top."""
    words = [action_text(before, player, action) for action in actions]
    cells = [re.findall(r"\d+", word) for word in words if word != "Pass"]
    return "-".join(STAR[int(number)] for number in [cells[0][0], *(goal for _, goal in cells)])


def turn_over(before: Any, player: int, after: Any, actions: Actions) -> bool:
    """The next player decides, or nobody."""
    return bool(after.is_terminal() or after.current_player() != player)


@cache
def _ways(game: Game) -> list[dict[str, float]]:
    """How far each cell is from the last one of each player's goal, opposite the first at home."""
    points = {
        name: complex(data["x"], data["y"]) for name, data in game.board.graph.nodes(data=True)
    }
    middle = sum(points.values()) / len(points)
    homes: list[list[complex]] = [[] for _ in game.players]
    for name, ((owner, _),) in probe.board(game.start()).items():
        homes[game.players.index(owner)].append(points[name] - middle)
    tips = [middle - max(home, key=abs) for home in homes]
    return [{name: abs(point - tip) for name, point in points.items()} for tip in tips]


def across(game: Game, player: int, text: str) -> float:
    """Moves towards the other side are liked."""
    origin, *_, goal = text.split("-")
    way = _ways(game)[player]
    return math.exp(2 * (way[origin] - way[goal]))


def chinese_checkers(seats: int, games: tuple[int, int], limit: int = 400) -> Pair:
    """Chinese checkers of so many players."""
    spiel = f"chinese_checkers(players={seats})"
    options = {"seats": seats, "stays": False}
    return Pair(
        "chinese_checkers",
        spiel,
        hops,
        options,
        turn_over,
        returns=one_against_all,
        games=games,
        limit=limit,
        liking=across,
    )


PAIRS = (
    chinese_checkers(2, (1, 40)),
    chinese_checkers(3, (1, 30)),
    chinese_checkers(6, (1, 0), limit=60),
    chinese_checkers(6, (0, 20)),
    *PHANTOM,
    *POKER,
    ROCK_PAPER_SCISSORS,
    goofspiel(2, 13),
    goofspiel(2, 4, "descending"),
    goofspiel(3, 4, "ascending"),
    goofspiel(2, 4, bids=False, games=(40, 500)),
    goofspiel(3, 3, "descending", bids=False, games=(40, 500)),
    boxes(2, 2, (10, 300)),
    boxes(3, 5, (2, 100)),
    boxes(5, 5, (1, 30)),
    Pair("kalah", "mancala", pit_after_store, games=(10, 300)),
    Pair("oware", "oware", house, games=(6, 300)),
)

SMALL = (
    (POKER[0], 30, 12),
    (POKER[1], 5520, 936),
)
"""Games that can be played in every way, with the numbers of games and of information sets.

Kuhn poker: six deals of five courses each, and 12 sets (Kuhn 1950). Leduc poker: 936 sets,
six cards times six places in the first round and thirty pairs of cards times thirty in the second.
"""
