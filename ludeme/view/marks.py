"""Letters for pieces in pictures: no two look alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_uppercase, digits

from ludeme.check.program import Program
from ludeme.view.pieces import Piece

OwnerAndKind = tuple[int, int]


def piece_marks(program: Program, shown: Iterable[Piece]) -> dict[OwnerAndKind, str]:
    """A mark for each owner and kind that may be shown, in order of players and kinds.

    Those of one or two players are the letter of the kind, a capital one for the first player and
    a small one for the second. With more players, or too many kinds, the letter of the player
    stands before that of the kind; a lone kind goes without. Neutral kinds have their letter, a
    small one behind capital players; a star or plus shows that such rules are bent.
    """
    players, kinds = len(program.players), range(len(program.kinds))
    owned = [kind for kind in kinds if not program.neutral >> kind & 1]
    pairs = [(player, kind) for player in range(players) for kind in owned]
    pairs += [(players, kind) for kind in kinds if kind not in owned]
    pairs += sorted({(p.owner, p.kind) for p in shown} - set(pairs))
    letters = unlike_letters(program.letters, program.kinds)
    if players <= 2 and all(letter in ascii_uppercase for letter in letters):
        return {pair: _by_case(program, pair, letters) for pair in pairs}
    names = unlike_letters([name[0] for name in program.players], program.players)
    return {pair: _by_letters(program, pair, letters, names, len(owned)) for pair in pairs}


def _by_case(program: Program, pair: OwnerAndKind, letters: Sequence[str]) -> str:
    owner, kind = pair
    if owner == len(program.players):
        return letters[kind] if program.neutral >> kind & 1 else f"*{letters[kind]}"
    mark = letters[kind] if owner == 0 else letters[kind].lower()
    return f"+{mark}" if program.neutral >> kind & 1 else mark


def _by_letters(
    program: Program,
    pair: OwnerAndKind,
    letters: Sequence[str],
    names: Sequence[str],
    owned: int,
) -> str:
    owner, kind = pair
    neutral = program.neutral >> kind & 1
    if owner == len(program.players):
        return letters[kind].lower() if neutral else f"*{letters[kind].lower()}"
    if owned == 1 and not neutral:
        return names[owner]
    return names[owner] + letters[kind].lower()


def unlike_letters(wanted: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """A capital letter for each name, all different: the wanted one, else one of the name.

    Digits and further signs come in where the alphabet is used up. Where letters are wanted twice,
    the first name has it.
    """
    capitals = [letter.upper() for letter in wanted]
    found: dict[int, str] = {}
    for number, letter in enumerate(capitals):
        if letter in ascii_uppercase and letter not in found.values():
            found[number] = letter
    for number, name in enumerate(names):
        if number not in found:
            found[number] = next(c for c in _candidates(name) if c not in found.values())
    return tuple(found[number] for number in range(len(names)))


def _candidates(name: str) -> Iterator[str]:
    yield from (c for c in name.upper() if c in ascii_uppercase)
    yield from ascii_uppercase
    yield from digits
    yield from (chr(code) for code in range(0x391, 0x3AA) if code != 0x3A2)
    yield from (chr(code) for code in range(0x410, 0x430))


def legend(program: Program, marks: dict[OwnerAndKind, str]) -> list[str]:
    """What each mark stands for."""
    lines = []
    for (owner, kind), mark in marks.items():
        name = program.kinds[kind]
        if owner < len(program.players):
            name = f"{program.players[owner]} {name}"
        elif not program.neutral >> kind & 1:
            name = f"nobody {name}"
        lines.append(f"{mark} {name}")
    return lines
