"""Stratego on six by six cells: two hidden armies of twelve, and two lakes."""

from __future__ import annotations

from dataclasses import dataclass, replace

PLAYERS = ("Red", "Blue")
ARMY = {"flag": 1, "spy": 1, "scout": 3, "miner": 2, "captain": 1, "general": 1, "marshal": 1}
ARMY["bomb"] = 2
STRENGTH = {"spy": 1, "scout": 2, "miner": 3, "captain": 6, "general": 9, "marshal": 10}
LAKES = {"b3", "b4", "e3", "e4"}
ROWS_AT_HOME = {"Red": "12", "Blue": "56"}
TO_AND_FRO = 3
"""A piece may go between the same two cells in so many moves running."""

Piece = tuple[str, str, bool]
"""Owner, kind, and whether both sides know it."""
Outcome = tuple[str | None, str]


def rival(player: str) -> str:
    """Return the other player."""
    return PLAYERS[player == "Red"]


def ray(cell: str, across: int, up: int) -> list[str]:
    """Return the cells that lie ahead of a cell in one direction, up to the rim or a lake."""
    found = []
    column, row = "abcdef".index(cell[0]) + across, int(cell[1]) + up
    while 0 <= column < 6 and 1 <= row <= 6:
        name = "abcdef"[column] + str(row)
        if name in LAKES:
            break
        found.append(name)
        column, row = column + across, row + up
    return found


def fight(attacker: str, defender: str) -> tuple[bool, bool]:
    """Return whether the attacker and whether the defender survives."""
    if defender == "flag":
        return True, False
    if defender == "bomb":
        return (True, False) if attacker == "miner" else (False, True)
    if (attacker, defender) == ("spy", "marshal"):
        return True, False
    difference = STRENGTH[attacker] - STRENGTH[defender]
    return difference > 0, difference < 0


@dataclass(frozen=True)
class State:
    """Pieces by cell, who decides, and the moves of the war so far, as (origin, goal, battle)."""

    patience: int = 60
    pieces: tuple[tuple[str, Piece], ...] = ()
    player: str = "Red"
    deploying: bool = True
    war: tuple[tuple[str, str, bool], ...] = ()
    outcome: Outcome | None = None

    @property
    def board(self) -> dict[str, Piece]:
        """What stands where."""
        return dict(self.pieces)

    @property
    def to_move(self) -> tuple[str, ...]:
        """One player decides at a time."""
        return () if self.outcome else (self.player,)

    def moves(self, player: str) -> list[str]:
        """List the legal moves of who decides."""
        if self.outcome or player != self.player:
            return []
        return self._placings() if self.deploying else self._marches(player)

    def _placings(self) -> list[str]:
        board = self.board
        used = [kind for owner, kind, _ in board.values() if owner == self.player]
        free = [
            column + row
            for row in ROWS_AT_HOME[self.player]
            for column in "abcdef"
            if column + row not in board
        ]
        kinds = [kind for kind, number in ARMY.items() if used.count(kind) < number]
        return [f"{kind} {cell}" for kind in kinds for cell in free]

    def _marches(self, player: str) -> list[str]:
        found = []
        board = self.board
        for origin, (owner, kind, _) in self.pieces:
            if owner != player or kind not in STRENGTH:
                continue
            for way in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                cells = ray(origin, *way)
                for goal in cells if kind == "scout" else cells[:1]:
                    if goal in board and board[goal][0] == player:
                        break
                    if not self._goes_to_and_fro(player, origin, goal):
                        found.append(f"{origin}-{goal}")
                    if goal in board:
                        break
        return found

    def _goes_to_and_fro(self, player: str, origin: str, goal: str) -> bool:
        """Whether the player's last moves went between these two cells, as this one would."""
        mine = [move[:2] for move in self.war[-2::-2]]
        back_and_forth = [(goal, origin), (origin, goal)] * TO_AND_FRO
        return mine[:TO_AND_FRO] == back_and_forth[:TO_AND_FRO]

    def play(self, text: str) -> State:
        """Return the position after a legal move."""
        assert text in self.moves(self.player)
        board = self.board
        if self.deploying:
            kind, cell = text.split(" ")
            board[cell] = (self.player, kind, False)
            return replace(
                self,
                pieces=tuple(board.items()),
                player=rival(self.player),
                deploying=len(board) < 2 * sum(ARMY.values()),
            )
        origin, goal = text.split("-")
        owner, kind, known = board.pop(origin)
        battle = goal in board
        if battle:
            enemy, defender, _ = board.pop(goal)
            attacker_lives, defender_lives = fight(kind, defender)
            if attacker_lives:
                board[goal] = (owner, kind, True)
            elif defender_lives:
                board[goal] = (enemy, defender, True)
        else:
            far = abs(ord(origin[0]) - ord(goal[0])) + abs(int(origin[1]) - int(goal[1])) > 1
            board[goal] = (owner, kind, known or far)
        after = replace(
            self,
            pieces=tuple(board.items()),
            player=rival(self.player),
            war=(*self.war, (origin, goal, battle)),
        )
        return replace(after, outcome=after._end())

    def _end(self) -> Outcome | None:
        mover = rival(self.player)
        flags = [owner for owner, kind, _ in self.board.values() if kind == "flag"]
        if self.player not in flags:
            return mover, "capture"
        if not self._marches(self.player):
            return (mover, "immobility") if self.may_move(mover) else (None, "exhaustion")
        if len(self.war) >= self.patience and not any(b for *_, b in self.war[-self.patience :]):
            return None, "patience"
        return None

    def may_move(self, player: str) -> bool:
        """Whether a player could move if it were its turn; its last move is the newest then."""
        skipped = replace(self, player=player, war=(*self.war, ("", "", False)))
        return bool(skipped._marches(player))

    def seen(self, player: str) -> dict[str, tuple[str, str]]:
        """Return what a player sees: on each cell the owner, and the kind if it is known."""
        return {
            cell: (owner, kind if known or owner == player else "?")
            for cell, (owner, kind, known) in self.pieces
        }


def start(patience: int = 60) -> State:
    """Return the empty board, Red to place a piece."""
    return State(patience)
