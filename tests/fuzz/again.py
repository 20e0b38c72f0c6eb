"""One mutant again: ``PYTHONPATH=tests:. python -m fuzz.again NUMBER`` prints it and its trial."""

from __future__ import annotations

import sys

from fuzz.mutate import mutant, origins
from fuzz.trial import prepare, run


def main() -> None:
    """Print the mutant of a number and what comes of it."""
    found = mutant(int(sys.argv[1]), origins())
    print(found.text)
    prepare()
    print(run(found.number, found.origin, found.text))


if __name__ == "__main__":
    main()
