"""How OpenSpiel writes the decisions of each game, read as we write them."""

from __future__ import annotations

import re
from typing import Any

from .spiel import Actions


def cell(column: int, row: int) -> str:
    """A label from a column and a row, both from 0."""
    return f"{chr(ord('a') + column)}{row + 1}"


def numbers(text: str) -> list[int]:
    """The numbers in a text."""
    return [int(number) for number in re.findall(r"\d+", text)]


def action_text(state: Any, player: int, action: int) -> str:
    """What OpenSpiel calls an action."""
    text: str = state.action_to_string(player, action)
    return text


def action_texts(before: Any, player: int, actions: Actions) -> list[str]:
    """What it calls the actions of a decision, each in the state that the earlier ones lead to."""
    state, texts = before.clone(), []
    for action in actions:
        texts.append(action_text(state, player, action))
        state.apply_action(action)
    return texts


# ---- boards


def same(before: Any, player: int, actions: Actions) -> str:
    """They write as we do."""
    return action_text(before, player, *actions)


def taken_over(before: Any, player: int, actions: Actions) -> str:
    """The second player takes over a stone by naming its cell."""
    return "swap" if before.history() == list(actions) else same(before, player, actions)


def row_column(before: Any, player: int, actions: Actions) -> str:
    """`x(0,2)` or `0,2`: row and column, both from 0."""
    row, column = numbers(same(before, player, actions))
    return cell(column, row)


def dropped(before: Any, player: int, actions: Actions) -> str:
    """`x3`: a column; the disc comes to lie on those that were dropped there before."""
    (column,) = numbers(same(before, player, actions))
    return cell(column, before.history().count(*actions))


def turned(before: Any, player: int, actions: Actions) -> str:
    """`a7b6*`: their first player begins at the top; `*` marks a capture."""
    cells = re.findall(r"([a-h])(\d)", same(before, player, actions))
    return "".join(f"{letter}{9 - int(row)}" for letter, row in cells)


def mirrored(before: Any, player: int, actions: Actions) -> str:
    """`a5b5`: origin and goal, the columns of six from the other side."""
    cells = re.findall(r"([a-f])(\d)", same(before, player, actions))
    return "-".join(f"{'fedcba'['abcdef'.index(letter)]}{row}" for letter, row in cells)


def shot(before: Any, player: int, actions: Actions) -> str:
    """`X From (7, 1)`, `X To (…)`, `X Shoot (…)`: rows from the top, both from 1."""
    places = map(numbers, action_texts(before, player, actions))
    cells = [cell(column - 1, 10 - row) for row, column in places]
    return f"{cells[0]}-{cells[1]}/{cells[2]}"


def lined(before: Any, player: int, actions: Actions) -> str:
    """`b1-b3`, `c1xa3`."""
    return same(before, player, actions).lower().replace("x", "-")


def jumped(before: Any, player: int, actions: Actions) -> str:
    """`a3b4`, or a jump after the other."""
    cells = [(word[:2], word[2:4]) for word in action_texts(before, player, actions)]
    path = [cells[0][0], *(goal for _, goal in cells)]
    length = abs(ord(path[0][0]) - ord(path[1][0]))
    return ("x" if length == 2 else "-").join(path)


_POINTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
POINTS = dict(enumerate(_POINTS.split()))
"""Their points of the morris board, row by row from the top left."""


def morris(before: Any, player: int, actions: Actions) -> str:
    """`Point 3` or `Move 3 -> 4`, and the point of a man that is taken."""
    words = action_texts(before, player, actions)
    points = [[POINTS[number] for number in numbers(word)] for word in words]
    return "x".join("-".join(of_word) for of_word in points)


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


# ---- seeds and lines


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
    text = action_text(before, player, actions[0])
    way, row, column = text[3:-1].split(",")
    rows = before.get_game().get_parameters()["num_rows"]
    x, y = int(column), rows - int(row)
    return cell(x, y) + cell(x + 1, y) if way == "h" else cell(x, y - 1) + cell(x, y)


# ---- cards and what is hidden


def last_number(before: Any, player: int, actions: Actions) -> str:
    """`Deal 3`, `[P0]Bid: 3`."""
    text = action_text(before, player, actions[-1])
    return re.findall(r"\d+", text)[-1]


def observed(state: Any, player: int) -> str:
    """What a player sees now."""
    text: str = state.observation_string(player)
    return text


def known(state: Any, player: int) -> str:
    """What a player knows from all that it has seen."""
    text: str = state.information_state_string(player)
    return text


LEDUC_CARDS = ["Js", "Jh", "Qs", "Qh", "Ks", "Kh"]


def leduc(before: Any, player: int, actions: Actions) -> str:
    """Cards by number; to call where nothing is to be called is to check."""
    if player < 0:
        return " ".join(LEDUC_CARDS[action] for action in actions)
    text = action_text(before, player, actions[0])
    if text == "Call" and "Fold" not in map(before.action_to_string, before.legal_actions()):
        return "check"
    return text.lower()


def kuhn(before: Any, player: int, actions: Actions) -> str:
    """Cards by number, from 0."""
    if player < 0:
        return " ".join(str(action + 1) for action in actions)
    text = action_text(before, player, actions[0])
    return text.lower()


def shown(before: Any, player: int, actions: Actions) -> str:
    """`Rock`."""
    text = action_text(before, player, actions[0])
    return text.lower()
