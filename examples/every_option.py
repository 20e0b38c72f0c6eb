"""Play every value of an option at random and print a table.

    python examples/every_option.py [GAME] [OPTION] [N]

A range of more than eight values is tried at eight of them. `--jobs` of the command line would use
several processes; here one is enough.
"""

import sys

import ludeme


def values_of(game: ludeme.Game, option: str) -> list[object]:
    """The values of an option, as `ludeme.load` takes them."""
    for known in game.program.options:
        if known.name == option:
            values: list[object] = list(known.values)
            step = -(-len(values) // 8)
            return values[::step]
    names = ", ".join(game.options) or "none"
    raise SystemExit(f"{game.name} has no option `{option}`; its options: {names}")


def main(name: str, option: str, number: int) -> None:
    """Print a line for each value."""
    players = ludeme.load(name).players
    print(f"{option:>10}  games  length  " + "  ".join(f"{p:>7}" for p in players) + "     draw")
    for value in values_of(ludeme.load(name), option):
        result = ludeme.load(name, **{option: value}).playouts(number, seed=1)
        figures = result.summary()
        length = figures["length"]
        shares = [figures["winners"][who]["share"] for who in (*players, "draw")]
        print(
            f"{value!s:>10}  {figures['games']['finished']:5}  "
            + (f"{length['mean']:6.1f}" if length else "     -")
            + "  "
            + "  ".join("      -" if share is None else f"{share:7.1%}" for share in shares)
        )


if __name__ == "__main__":
    name, option, number = [*sys.argv[1:4], *("astralesce", "order", "30")[len(sys.argv) - 1 :]]
    main(name, option, int(number))
