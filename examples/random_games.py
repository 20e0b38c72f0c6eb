"""Play random games of a shipped game and look at the arrays.

python examples/random_games.py [GAME] [N]
"""

import sys

import numpy as np

import ludeme


def main(name: str, number: int) -> None:
    """Print who wins short and long games."""
    game = ludeme.load(name, size=5) if name == "consta" else ludeme.load(name)
    result = game.playouts(number, seed=1)

    lengths = result.decisions[result.finished]
    winners = result.winners[result.finished]
    print(f"{game.title}: {len(lengths)} finished games of {len(result)}")
    if not len(lengths):
        return
    middle = np.median(lengths)
    for words, some in (("up to", lengths <= middle), ("more than", lengths > middle)):
        shares = ", ".join(
            f"{player} {np.mean(winners[some] == seat):.0%}" if some.any() else f"{player} -"
            for seat, player in enumerate(game.players)
        )
        print(f"  {words} {middle:g} decisions: {some.sum():4} games, {shares}")

    # One game, move by move, with the moves chosen by Python instead of Ludeme.
    random = np.random.default_rng(1)
    state = game.start()
    while state.outcome is None:
        decision = {}
        for player in state.to_move:
            moves = state.moves(player)
            decision[player] = moves[random.integers(len(moves))]
        state = state.play(decision)
    print(f"One game: {state.path}\n{state.outcome}")


if __name__ == "__main__":
    arguments = dict(zip(("name", "number"), sys.argv[1:], strict=False))
    main(arguments.get("name", "consta"), int(arguments.get("number", 200)))
