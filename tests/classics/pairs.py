"""Games of the library beside the same games at OpenSpiel."""

from __future__ import annotations

import math
from functools import cache

import probe

from ludeme import Game

from .readings import (
    between_dots,
    dropped,
    hops,
    house,
    jumped,
    known,
    kuhn,
    last_number,
    leduc,
    lined,
    mirrored,
    morris,
    observed,
    pit_after_store,
    row_column,
    same,
    shot,
    shown,
    taken_over,
    turned,
)
from .spiel import Pair, forced, one_against_all, scores, whole_turn

REPETITION = ("repetition",)
NO_SWAP = {"swap": False}

BOARDS = (
    Pair("tic_tac_toe", "tic_tac_toe", row_column, games=(20, 300)),
    Pair("connect_four", "connect_four", dropped, games=(10, 300)),
    Pair("gomoku", "gomoku", row_column, games=(1, 30)),
    Pair("gomoku", "mnk(m=15,n=15,k=5)", row_column, games=(1, 30)),
    Pair("hex", "hex", same, games=(2, 60)),
    Pair("hex", "hex(board_size=5)", same, {"size": 5}, games=(10, 200)),
    Pair("hex", "hex(board_size=4,swap=True)", same, {"size": 4, "swap": True}, games=(20, 200)),
    Pair("havannah", "havannah(board_size=3,swap=True)", taken_over, {"size": 3}, games=(20, 200)),
    Pair("y", "y(board_size=7)", same, {"size": 7} | NO_SWAP, games=(6, 200)),
    Pair("havannah", "havannah(board_size=4)", same, {"size": 4} | NO_SWAP, games=(8, 300)),
    Pair("havannah", "havannah", same, NO_SWAP, games=(1, 40)),
    Pair("reversi", "othello", same, games=(4, 100)),
    Pair("breakthrough", "breakthrough", turned, games=(6, 200)),
    Pair("amazons", "amazons", shot, whole=whole_turn, games=(1, 3)),
    Pair("clobber", "clobber", mirrored, games=(6, 200)),
    Pair("lines_of_action", "lines_of_action", lined, games=(3, 60), repeats=True),
    Pair(
        "nine_mens_morris",
        "nine_mens_morris",
        morris,
        whole=whole_turn,
        games=(5, 200),
        limit=199,
        our_draws=REPETITION,
    ),
    Pair(
        "english_draughts",
        "checkers",
        jumped,
        {"patience": 40, "men_are_quiet": True},
        whole=whole_turn,
        games=(6, 200),
        our_draws=REPETITION,
    ),
)


def boxes(rows: int, columns: int, games: tuple[int, int]) -> Pair:
    """Dots and boxes of a size."""
    spiel = f"dots_and_boxes(num_rows={rows},num_cols={columns})"
    return Pair(
        "dots_and_boxes", spiel, between_dots, {"rows": rows, "columns": columns}, games=games
    )


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
        settled=forced,  # the last cards are not played there
        sight=None if bids else known,  # of open bids they forget who won with which
        recall=True,
        games=games,
    )


POKER = (
    Pair("kuhn_poker", "kuhn_poker", kuhn, returns=scores, sight=known, recall=True),
    Pair("leduc_poker", "leduc_poker", leduc, returns=scores, sight=known, recall=True),
)


ROCK_PAPER_SCISSORS = Pair("rock_paper_scissors", "matrix_rps", shown, games=(20, 100))


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
        whole_turn,
        returns=one_against_all,
        games=games,
        limit=limit,
        liking=across,
    )


PAIRS = (
    *BOARDS,
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
