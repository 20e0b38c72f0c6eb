"""Where the native time of a game goes: ``python -m benchmarks.profile GAME``.

The machine code of a game is linked into a program of its own, so that ``perf``, ``valgrind`` and
``objdump`` see its functions by name. With ``--apart`` no function is merged into another: what the
parts cost is then clear, though all together cost more.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from shutil import which

import attrs
import click
import llvmlite.binding as llvm

import ludeme
from benchmarks.limit import CompilerMissing, compiler
from ludeme.game import Game
from ludeme.native import context
from ludeme.native.compiled import Lowered, optimised, target_machine
from ludeme.play.playout import TURN_LIMIT

PLAIN = "haswell"
"""A processor all of whose instructions ``valgrind`` counts."""

_MAIN = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
void playouts(void *context, void *start, int64_t seed, int64_t first, int64_t count,
              int64_t limit, void *status, void *decisions, void *end, void *winner, void *moves,
              void *widths, void *joint, void *scores);
static const unsigned char start[] = {@START@}, head[] = {@HEAD@};
int main(int argc, char **argv)
{
    int64_t games = argc > 1 ? atoll(argv[1]) : 1000, made = 0;
    char *context = aligned_alloc(64, @ROOM@), *state = aligned_alloc(64, @SIZE@);
    void *out[8];
    memset(context, 0, @ROOM@);
    memcpy(context, head, sizeof head);
    memcpy(state, start, sizeof start);
    uint64_t arena = (uint64_t)context + @ARENA@;
    memcpy(context + @ARENA_FIELD@, &arena, 8);
    for (int i = 0; i < 8; i++) out[i] = calloc(games, 8 * @PLAYERS@);
    playouts(context, state, 1, 0, games, @LIMIT@, out[0], out[1], out[2], out[3], out[4], out[5],
             out[6], out[7]);
    for (int64_t i = 0; i < games; i++) made += ((int64_t *)out[4])[i];
    double seconds = (double)clock() / CLOCKS_PER_SEC;
    printf("%ld games, %ld moves, %.3f s, %.0f games/s, %.1f ns a move\n", (long)games, (long)made,
           seconds, (double)games / seconds, 1e9 * seconds / (double)made);
}
"""


@attrs.frozen
class Built:
    """The files of a game's native code."""

    folder: Path

    @property
    def program(self) -> Path:
        """A program that plays as many games as its argument says."""
        return self.folder / "game"

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file into the folder."""
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


def build(game: Game, folder: Path, apart: bool = False, plain: bool = False) -> Built:
    """Compile a game to IR before and after LLVM's passes, assembly, and a program.

    *plain*: with instructions that ``valgrind`` knows.
    """
    built = Built(folder)
    lowered = Lowered(game.machine, bool(llvm.get_host_cpu_features().get("bmi2")))
    text = lowered.text()
    built.write("lowered.ll", text)
    module = optimised(_kept_apart(text) if apart else text)
    target = target_machine()
    if plain:
        target = llvm.Target.from_default_triple().create_target_machine(cpu=PLAIN, opt=2)
    built.write("optimised.ll", str(module))
    built.write("game.s", target.emit_assembly(module))
    code = built.write("game.o", bytes(target.emit_object(module)))
    main = built.write("main.c", _main(game, lowered))
    command = [compiler(), "-O2", "-no-pie", "-w", "-o", built.program, main, code]
    subprocess.run([str(part) for part in command], check=True)
    return built


def _kept_apart(text: str) -> str:
    """The same module with no function merged into another, small helpers aside."""

    def mark(match: re.Match[str]) -> str:
        line = match.group(0)
        return line if "alwaysinline" in line else line + " noinline"

    return re.sub(r"^define internal .*\)(?: \w+)*$", mark, text, flags=re.MULTILINE)


def _main(game: Game, lowered: Lowered) -> str:
    start = lowered.memory.pack(game.start().cells)
    arena = -(-lowered.context_size // 64) * 64
    head = bytes(context.room(lowered.context_size, 0)[: context.SCORES_AT])
    values = {
        "START": ",".join(map(str, start)),
        "HEAD": ",".join(map(str, head)),
        "ROOM": -(-(arena + lowered.arena_size) // 64) * 64,
        "SIZE": -(-lowered.memory.size // 64) * 64,
        "ARENA": arena,
        "ARENA_FIELD": context.ARENA.offset,
        "PLAYERS": len(game.players),
        "LIMIT": TURN_LIMIT,
    }
    text = _MAIN
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text


# ---- tools


def plays(built: Built, games: int) -> str:
    """What the program says of its speed."""
    run = subprocess.run([built.program, str(games)], check=True, capture_output=True, text=True)
    return run.stdout.strip()


def samples(built: Built, games: int) -> str:
    """The share of time of each function, by sampling."""
    data = built.folder / "perf.data"
    record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "2000", "-o", data, built.program]
    subprocess.run([*map(str, record), str(games)], check=True, capture_output=True)
    report = ["perf", "report", "--stdio", "-i", str(data), "--sort", "symbol", "-g", "none"]
    shown = subprocess.run(report, check=True, capture_output=True, text=True).stdout
    return _rows(shown, r"^\s+\d+\.\d+%")


def instructions(built: Built, games: int) -> str:
    """The share of instructions of each function, counted exactly; *built* must be plain."""
    out = built.folder / "callgrind.out"
    counted = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", str(built.program)]
    subprocess.run([*counted, str(games)], check=True, capture_output=True)
    annotate = ["callgrind_annotate", str(out)]
    shown = subprocess.run(annotate, check=True, capture_output=True, text=True).stdout
    return _rows(shown, r"^\s*[\d,]+ \(\s*\d")


def hot_lines(built: Built, most: int = 60) -> str:
    """The instructions on which most samples fell."""
    annotate = ["perf", "annotate", "--stdio", "-i", str(built.folder / "perf.data")]
    shown = subprocess.run(annotate, check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"^\s+(\d+\.\d+)\s*:\s*(.*)$", shown, flags=re.MULTILINE)
    ranked = sorted(rows, key=lambda row: -float(row[0]))[:most]
    return "\n".join(f"{share:>6} %  {line}" for share, line in ranked)


def _rows(text: str, pattern: str, most: int = 40) -> str:
    return "\n".join([line for line in text.splitlines() if re.match(pattern, line)][:most])


# ---- command line


def _option(text: str) -> tuple[str, object]:
    name, _, value = text.partition("=")
    truths = {"true": True, "false": False}
    return name, int(value) if value.lstrip("-").isdigit() else truths.get(value, value)


@click.command()
@click.argument("game")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option.")
@click.option("--games", default=20_000, show_default=True, help="How many games to play.")
@click.option("--apart", is_flag=True, help="Merge no function into another.")
@click.option("--count", is_flag=True, help="Count instructions (needs valgrind).")
@click.option("--lines", is_flag=True, help="Show the hottest instructions.")
@click.option("--keep", type=click.Path(path_type=Path), help="Where to leave IR and assembly.")
def main(
    game: str,
    options: tuple[str, ...],
    games: int,
    apart: bool,
    count: bool,
    lines: bool,
    keep: Path | None,
) -> None:
    """Show where the native time of GAME goes."""
    loaded = ludeme.load(game, **dict(map(_option, options)))
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            built = build(loaded, folder, apart)
        except CompilerMissing as error:
            raise click.ClickException(str(error)) from None
        click.echo(plays(built, games))
        if which("perf"):
            click.echo(samples(built, games))
            if lines:
                click.echo(hot_lines(built))
        if count and which("valgrind"):
            plain = build(loaded, folder, apart, plain=True)
            click.echo(instructions(plain, min(games, 2000)))


if __name__ == "__main__":
    main()
