"""Chess beside python-chess: positions of every kind, counts, and random games move by move."""

from __future__ import annotations

import random

import chess
import pytest

from ludeme import Game, State, load

NAMES = {
    chess.KING: "king",
    chess.QUEEN: "queen",
    chess.ROOK: "rook",
    chess.BISHOP: "bishop",
    chess.KNIGHT: "knight",
    chess.PAWN: "pawn",
}
LETTERS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}

# https://www.chessprogramming.org/Perft_Results: positions 1 to 6, nodes by depth.
PERFT = {
    chess.STARTING_FEN: (20, 400, 8902, 197281, 4865609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (
        48, 2039, 97862, 4085603,
    ),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624, 11030083),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (
        6, 264, 9467, 422333, 15833292,
    ),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (
        46, 2079, 89890, 3894594,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def game() -> Game:
    return load("chess")


def position(board: chess.Board) -> str:
    """A position of python-chess as text."""
    lines = [f"to move: {'White' if board.turn else 'Black'}"]
    for square, piece in board.piece_map().items():
        owner = "White" if piece.color else "Black"
        lines.append(f"{chess.square_name(square)}: {owner} {NAMES[piece.piece_type]}")
    rights = set(chess.SquareSet(board.clean_castling_rights()))
    kings = {chess.E1 if square < 8 else chess.E8 for square in rights}
    unmoved = " ".join(chess.square_name(square) for square in sorted(rights | kings))
    lines.append(f"unmoved: {unmoved or 'nothing'}")
    if board.ep_square is not None:
        lines.append(f"skipped: {chess.square_name(board.ep_square)}")
    if board.halfmove_clock:
        lines.append(f"quiet: {board.halfmove_clock}")
    return "\n".join(lines)


def uci(text: str) -> str:
    """A move as python-chess writes it."""
    squares, _, rank = text.partition("=")
    return squares + (LETTERS[rank] if rank else "")


def agree(state: State, board: chess.Board) -> None:
    """Both know the same moves, or the same end."""
    listed = {uci(move.text): move.text for move in state.moves()}
    outcome = state.outcome
    if outcome is None:
        assert set(listed) == {move.uci() for move in board.legal_moves}, board.fen()
        assert not board.is_insufficient_material(), board.fen()
        assert board.halfmove_clock < 100, board.fen()
        assert not board.is_repetition(3), board.fen()
        return
    expected = {
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "fifty_moves": board.halfmove_clock == 100,
        "repetition": board.is_repetition(3),
        "dead_position": board.is_insufficient_material(),
    }
    assert expected[outcome.reason], (outcome, board.fen())
    mated = outcome.reason == "checkmate"
    assert outcome.winner == (("Black" if board.turn else "White") if mated else None)


def play_beside(game: Game, board: chess.Board, seed: int, decisions: int) -> str | None:
    """A random game; how it ended."""
    rng = random.Random(seed)
    state = game.position(position(board))
    for _ in range(decisions):
        agree(state, board)
        if state.outcome is not None:
            return state.outcome.reason
        move = rng.choice(state.moves())
        state = state.play(move)
        board.push_uci(uci(move.text))
    return None


@pytest.mark.parametrize("fen", PERFT)
def test_counts(game: Game, fen: str) -> None:
    state = game.position(position(chess.Board(fen)))
    for depth, count in enumerate(PERFT[fen], start=1):
        if count < 20_000:
            assert state.perft(depth) == count


@pytest.mark.soak
@pytest.mark.parametrize("fen", PERFT)
def test_deep_counts(game: Game, fen: str) -> None:
    state = game.position(position(chess.Board(fen)))
    for depth, count in enumerate(PERFT[fen], start=1):
        assert state.perft(depth) == count


@pytest.mark.parametrize("seed", range(3))
def test_random_games(game: Game, seed: int) -> None:
    play_beside(game, chess.Board(), seed, 80)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_many_random_games(game: Game, first: int) -> None:
    ends = {play_beside(game, chess.Board(), seed, 1000) for seed in range(first, first + 20)}
    assert None not in ends


# Few pieces bring about every draw; in the third a pawn can be taken in passing, or may not be.
ENDINGS = {
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1": 40,
    "8/8/4k3/8/8/3BN3/8/4K3 w - - 90 80": 60,
    "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1": 60,
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1": 60,
    "8/8/2k5/8/8/2K5/8/Bb6 w - - 0 1": 60,
}


@pytest.mark.parametrize("fen", ENDINGS)
def test_endings(game: Game, fen: str) -> None:
    for seed in range(6):
        play_beside(game, chess.Board(fen), seed, ENDINGS[fen])


def test_knights_go_to_and_fro(game: Game) -> None:
    """The third time is a draw, the second and a move that would bring about the third are not."""
    state = game.start()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        state = state.play(move)
        assert state.outcome is None
    assert "f6g8" in [str(move) for move in state.moves()]
    state = state.play("f6g8")
    assert state.outcome is not None
    assert state.outcome.reason == "repetition"
    assert state.outcome.winner is None


def test_a_lost_right_to_castle_makes_another_position(game: Game) -> None:
    """The kings go out and back: what looks like the beginning has fewer rights."""
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    state = game.position(position(board))
    moves = ["e1e2", "e8e7", "e2e1", "e7e8"] * 2
    for move in moves:
        state = state.play(move)
        assert state.outcome is None
    # The board of the beginning stands there for the third time, but for the second without rights;
    # what is there for the third time next is both kings gone out.
    state = state.play("e1e2")
    assert state.outcome is None
    state = state.play("e8e7")
    assert state.outcome is not None
    assert state.outcome.reason == "repetition"


@pytest.mark.parametrize(
    ("fen", "matters"),
    [("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", True), ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", False)],
    ids=["a pawn could take it", "no pawn could"],
)
def test_a_pawn_in_passing_matters_if_it_can_be_taken(game: Game, fen: str, matters: bool) -> None:
    """The position after the double step comes again without it."""
    state = game.position(position(chess.Board(fen))).play("e2e4")
    shuffle = ["e8d8", "e1d1", "d8e8", "d1e1"]
    for number, move in enumerate(shuffle * 2, start=1):
        assert state.outcome is None, number
        state = state.play(move)
    assert (state.outcome is None) == matters
