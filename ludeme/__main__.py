"""``python -m ludeme`` is the command ``ludeme``."""

from ludeme.cli import main

if __name__ == "__main__":
    main(prog_name="ludeme")
