"""Writes what the pages of `docs/` repeat of the code, so that it is never out of date.

    python docs/generate.py            rewrite the pages
    python docs/generate.py --check    say which pages would change, exit status 1 if any would

What stands between `<!-- generated: NAME -->` and `<!-- end -->` is made by the function of that
name here. In a block marked `console`, each line that begins with `$ ludeme` is run and what
follows is its output; files are written first where `<!-- file: NAME -->` stands before a block.
"""

from __future__ import annotations

import ast
import difflib
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

import ludeme
from ludeme.board import MAX_SITES, SHAPES
from ludeme.check import declare, statements
from ludeme.check.limits import LARGEST_NUMBER, LARGEST_SET_NUMBER, MOST_NODES
from ludeme.check.merge import MOST_BASES
from ludeme.cli import main as main_command
from ludeme.game import shipped
from ludeme.kernel import EFFECTS, OPERATIONS, OPERATORS, Type
from ludeme.machine import flow, turns
from ludeme.resources import PRELUDE_FOLDER
from ludeme.syntax import layout, parse, parser, tree

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# ---- tables


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(list(heads)), *rows]
    return "".join("| " + " | ".join(_cell(cell) for cell in row) + " |\n" for row in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def shapes() -> str:
    """The board shapes."""
    rows = []
    for shape in SHAPES.values():
        names = [name for name, _, _ in shape.parameters]
        written = ", ".join(
            name if i < shape.least else f"[{name}]" for i, name in enumerate(names)
        )
        rows.append((f"`{shape.name}({written})`", shape.doc))
    return table(("shape", "what it is"), rows)


def operators() -> str:
    """Operators and binding words."""
    return table(("word", "meaning"), ((f"`{name}`", doc) for name, doc in OPERATORS.items()))


def operations() -> str:
    """Operations, those without operands first."""
    rows = []
    for operation in OPERATIONS.values():
        types = ", ".join(str(p.type) if p.type != Type("set", Type("hole")) else "any set"
                          for p in operation.parameters)  # fmt: skip
        types = types.replace("set of hole", "any set").replace("hole", "a word")
        rows.append((f"`{operation.signature}`", types, str(operation.result), operation.doc))
    return table(("operation", "of", "gives", "meaning"), rows)


def lines() -> str:
    """What lines can do."""
    rows = ((f"`{effect.form}`", effect.doc) for effect in EFFECTS.values())
    return table(("line", "what it does"), rows)


def prelude() -> str:
    """The definitions of the prelude with the comment above each."""
    parts = []
    for path in sorted(PRELUDE_FOLDER.glob("*.ludeme")):
        text = path.read_text(encoding="utf-8")
        first = min(
            item.span.start
            for item in parse(text).file.items
            if isinstance(item, tree.Define | tree.Ludeme)
        )
        start = text.rfind("\n\n", 0, first) + 2
        parts.append(text[start:].strip())
    return "```text\n" + "\n\n".join(parts) + "\n```\n"


def limits() -> str:
    """Every limit, taken from where it is enforced."""
    rows = [
        ("characters of a description", layout.LONGEST_TEXT),
        ("brackets within brackets", layout.DEEPEST_BRACKETS),
        ("parts of an expression within one another", parser.DEEPEST_TREE),
        ("errors of the layout and grammar shown at once", parser.MOST_ERRORS),
        ("descriptions that extend one another", MOST_BASES),
        ("sites of a board", MAX_SITES),
        ("players", declare.MOST_PLAYERS),
        ("kinds of piece", declare.MOST_KINDS),
        ("pieces on a site", declare.HIGHEST_STACK),
        ("a number written out, or the range of a variable", LARGEST_NUMBER),
        ("a number in a set", LARGEST_SET_NUMBER),
        ("expressions, ludemes being written out", MOST_NODES),
        ("ludemes within one another", statements.DEEPEST_LUDEMES),
        ("things chosen by one line", statements.MOST_CHOSEN),
        ("steps of a chain", statements.MOST_LINKS),
        ("runs of one turn", turns.MOST_RUNS),
        ("steps of `play` between two decisions", flow.MOST_STEPS),
    ]
    return table(("of", "at most"), ((name, f"{number:,}") for name, number in rows))


# ---- codes

ERRORS = {
    "ability": "Whether a player can move is asked where it cannot be known, such as in a turn.",
    "assign": "What is not a variable, or a name that was chosen, is given a new value.",
    "at-once": "A line that happens after another stands in `for each`, where all is at once.",
    "board": "A board cannot be made with these measures, sites or changes.",
    "bracket": "A bracket is not closed before its line ends.",
    "call": "What stands in brackets behind a name does not fit it.",
    "character": "An invisible character stands in the file.",
    "choose": "`where` stands behind a choice of several.",
    "declared-twice": "A name, or an item that can stand once, is declared a second time.",
    "empty": "The file holds no description.",
    "extends": "The description to be extended is not found, or would extend itself.",
    "indent": "A line is indented in a way that belongs to no line above.",
    "initial": "A variable does not say what it is at first.",
    "letter": "A letter for pictures is not one letter.",
    "loop": "Nobody decides in a loop of `play`, which would go on for ever.",
    "ludeme": "A line begins with a name that is no ludeme.",
    "match": "A row of `match` has another number of values than `match` looks at.",
    "missing": "An item is missing that every description has.",
    "mover": "`mover`, `mine` or the like stands where nobody moves.",
    "no-file": "The description is not found, or cannot be read.",
    "not-constant": "What must be known before play begins depends on the state.",
    "chance": "Dice in the turn of a player, or a choice where chance decides.",
    "not-kept": "An example asks for a count that no rule asks for, so no position holds it.",
    "number-size": "A number is larger than numbers may be.",
    "option": "An option does not say which values it may have.",
    "option-value": "A value was asked for that the option does not have.",
    "otherwise": "`otherwise` does not stand last in its list.",
    "picture": "A picture does not fit the board, or a mark in it means nothing.",
    "place": "A line stands where it cannot: a choice outside a turn, `stop` outside `repeat`.",
    "placed": "`placed` is asked where no turn is in progress.",
    "play": "It is not said who takes which turn, or a turn is taken in the wrong way.",
    "players": "A word for two players is used in a game of more.",
    "put": "`put` does not say which kind of piece.",
    "range": "A number lies outside its range, or a range is empty.",
    "ranking": "There is no ranking to decide, or it goes by what is no number of a player.",
    "recursion": "A definition or ludeme needs itself.",
    "replace": "A variant replaces or drops what is not there, or adds what is there already.",
    "reserved-name": "A name is declared that is a word of the language, the board or the prelude.",
    "reveal": "A `reveal` does not belong to a turn that is taken together.",
    "secret": "A turn taken together writes or reads what it may not.",
    "syntax": "A line is not understood.",
    "tab": "A line is indented with a tab.",
    "table": "A row of a table has too many or too few values.",
    "template": "A brace is not closed in a printed form.",
    "too-costly": "Working something out could take longer than anybody would wait.",
    "too-deep": "Too much stands within one another.",
    "too-large": "The description, or something in it, is larger than allowed.",
    "type": "A value is not of the type that is wanted.",
    "unknown-name": "A name means nothing here.",
}
WARNINGS = {
    "cannot-win": "No end lets this player win.",
    "no-end": "Nothing ends the game.",
    "unconditional": "An end has no condition, so it comes after the first turn.",
    "unreachable": "Play, or a run, never comes to this line.",
    "unused": "What is declared here is never used.",
}
FAULTS = {
    "alike": "Two runs print the same text and end differently.",
    "clash": "Two members of `for each` do different things to one place.",
    "division": "A number is divided by 0.",
    "empty-hand": "A piece is taken from a hand that has none.",
    "endless": "`play` goes in a circle in which nobody decides.",
    "full-site": "A piece is put on a site that has no room.",
    "no-end": "`play` came to its last line, and no end decided the game.",
    "no-kind": "`put` or `change` is given no kind of piece.",
    "no-piece": "`move` finds no piece on its first site.",
    "nobody": "Nobody is to decide, to win, or to have a variable.",
    "out-of-range": "A number leaves its range.",
    "stuck": "A player must decide and has no legal move.",
    "too-deep": "The chains of a turn are too long to be followed.",
    "too-costly": "Working out the moves of a position takes too many steps.",
    "too-many-moves": "A turn has more runs than can be listed.",
}
OTHERS = {
    "call": "A command was called in a way that it does not understand.",
    "decider": "A position names somebody who cannot be to move there, or leaves it open.",
    "digest": "A record was made with a description, or options, of another meaning.",
    "example": "What an example says does not hold.",
    "fault": "The rules go wrong in the position that is described.",
    "illegal-move": "A move of `--after` is not legal; the reasons follow.",
    "move": "Too many or too few moves are written for those who decide.",
    "no-move": "A text is no move here.",
    "other-game": "A position belongs to another game.",
    "other-options": "A position was made with other options.",
    "owner": "A position gives a piece an owner that it cannot have.",
    "position": "A line of a position is not understood.",
    "record": "A line of a record is not understood, or its description is not found.",
    "replay": "A saved game takes another course than it did.",
    "result": "A position is over in a way that its rules do not give.",
    "said-twice": "A position says something twice.",
}
REASONS = {
    "choose": "A value that the text names may not be chosen.",
    "otherwise": "An alternative above `otherwise` can be taken.",
    "require": "A requirement does not hold.",
    "require-most": "Another move has a greater number.",
    "where": "The condition on a chosen value does not hold.",
}


def used_codes() -> dict[str, set[str]]:
    """The codes in the source of the engine, each with the calls that make diagnostics of it."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "ludeme").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                code = _code(node)
                if code is not None:
                    found.setdefault(code[1], set()).add(code[0])
    return found


_MAKERS = {
    "error",
    "warning",
    "fault",
    "report",
    "Diagnostic",
    "in_argument",
    "plain",
    "faults.add",
}


def _code(node: ast.Call) -> tuple[str, str] | None:
    """What makes a diagnostic, and its code, if a call makes one with its code written out."""
    parts = ast.unparse(node.func).split(".")
    name = next((n for n in (parts[-1], ".".join(parts[-2:])) if n in _MAKERS), None)
    argument = node.args[0] if node.args else None
    if name is None or not isinstance(argument, ast.Constant):
        return None
    if not isinstance(argument.value, str):
        return None
    return (name, argument.value) if re.fullmatch(r"[a-z]+(-[a-z]+)*", argument.value) else None


def _codes(codes: dict[str, str]) -> str:
    return table(("code", "meaning"), ((f"`{code}`", doc) for code, doc in codes.items()))


def errors() -> str:
    return _codes(ERRORS)


def warnings() -> str:
    return _codes(WARNINGS)


def faults() -> str:
    return _codes(FAULTS)


def others() -> str:
    return _codes(OTHERS)


def reasons() -> str:
    return _codes(REASONS)


# ---- games


def games() -> str:
    """The shipped games, for the page at the root."""
    rows = []
    for name in shipped():
        game = ludeme.load(name)
        page = Path("docs", "games", f"{name}.md")
        shown = f"[{name}]({page.as_posix()})" if (ROOT / page).exists() else name
        options = ", ".join(f"`{option}`" for option in game.options)
        rows.append((shown, game.title, ", ".join(game.players), options))
    return table(("name", "title", "players", "options"), rows)


_TOKEN = re.compile(r'"[^"]*"|\w+|[^\w\s]')


def sizes() -> str:
    """How long the rules of each classic are: lines and tokens without examples, comments, blanks.

    A picture of a board or a setup counts as it is drawn. A text in quotes is one token.
    """
    rows = []
    for name, path in shipped().items():
        if path.parent.name != "classics":
            continue
        rules = path.read_text(encoding="utf-8").partition("\nexample")[0]
        kept = [line.partition(" --")[0] for line in rules.splitlines() if line.strip()]
        kept = [line for line in kept if not line.lstrip().startswith("--")]
        options = ", ".join(f"`{option}`" for option in ludeme.load(name).options)
        tokens = sum(len(_TOKEN.findall(line)) for line in kept)
        rows.append((name, options, str(len(kept)), str(tokens)))
    return table(("game", "options", "lines of rules", "tokens"), rows)


def uses() -> str:
    """Which game uses which operation."""
    return _uses(OPERATIONS)


def line_uses() -> str:
    """Which game uses which line."""
    return _uses(EFFECTS)


def operator_uses() -> str:
    """Which game uses which binding word."""
    known = set().union(*(ludeme.load(name).program.uses for name in shipped()))
    return _uses(name for name in OPERATORS if name in known and name not in EFFECTS)


def _uses(names: Iterable[str]) -> str:
    used = {name: ludeme.load(name).program.uses for name in shipped()}
    rows = []
    for name in names:
        by = [game for game, operations in used.items() if name in operations]
        rows.append((f"`{name}`", str(len(by)), ", ".join(by)))
    return table(("", "games", "which"), rows)


MAKERS: dict[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        shapes, operators, operations, lines, prelude, limits, errors, warnings, faults, others,
        reasons, games, sizes, uses, line_uses, operator_uses,
    )
}  # fmt: skip
_GENERATED = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->\n)", re.S)


# ---- console blocks

_PARTS = re.compile(
    r"^<!-- file: (?P<name>[\w.]+) -->\n```\w+\n(?P<file>.*?)^```$"
    r"|^<!-- file: (?P<hidden_name>[\w.]+)\n(?P<hidden>.*?)^-->$"
    r"|^<!-- edit: (?P<edited>[\w.]+)\n(?P<edit>.*?)^-->$"
    r"|^```console\n(?P<console>.*?)^```$",
    re.M | re.S,
)
_CHANGING = re.compile(
    r'^Speed +.*$|(?<=_seconds": ).*|(?<=_second": ).*|(?<="engine": ).*|(?<="digest": )"\w+"', re.M
)
"""What differs from one computer, or one version of the engine, to another."""


def run_consoles(text: str) -> str:
    """The page with the output of its commands as it is now."""
    with tempfile.TemporaryDirectory() as folder:
        made: list[str] = []
        last = 0
        for found in _PARTS.finditer(text):
            if found["console"] is None:
                _prepare(found, Path(folder))
                continue
            made.append(text[last : found.start("console")])
            made.append(_console(found["console"], folder))
            last = found.end("console")
        return "".join(made) + text[last:]


def _prepare(found: re.Match[str], folder: Path) -> None:
    """Write a file that the page shows or hides, or change one; what is changed is there once."""
    if found["edited"]:
        old, _, new = found["edit"].partition("=====\n")
        if new:
            old, new = old.removesuffix("\n"), new.removesuffix("\n")
        path = folder / found["edited"]
        before = path.read_text(encoding="utf-8")
        assert before.count(old) == 1, (found["edited"], old)
        path.write_text(before.replace(old, new), encoding="utf-8")
    else:
        name = found["name"] or found["hidden_name"]
        content = found["file"] if found["name"] else found["hidden"]
        (folder / name).write_text(content, encoding="utf-8")


def _console(text: str, folder: str) -> str:
    parts = []
    for command, old in _commands(text):
        new = _output(command, folder)
        same = _CHANGING.sub("", old) == _CHANGING.sub("", new)
        parts.append(f"$ {command}\n{old if same else new}")
    return "".join(parts)


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with the output that the page shows."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def _output(command: str, folder: str) -> str:
    """What a command prints, run within this process because there are many."""
    words = shlex.split(command)
    if words[0] == "cp":
        Path(folder, words[2]).write_bytes((ROOT / words[1]).read_bytes())
        return ""
    if words[0] == "cat":
        return Path(folder, words[1]).read_text(encoding="utf-8")
    assert words[0] == "ludeme", f"no page may run {command!r}"
    with chdir(folder):
        ran = CliRunner().invoke(main_command, words[1:], prog_name="ludeme", env=_TERMINAL)
    assert isinstance(ran.exception, SystemExit | None), (command, ran.exc_info)
    return "".join(f"{line.rstrip()}\n" for line in ran.output.splitlines())


_TERMINAL = {"COLUMNS": "100", "NO_COLOR": "1"}


# ---- pages


def regenerated(text: str) -> str:
    """The text of a page as it should be."""
    text = _GENERATED.sub(lambda m: f"{m[1]}{MAKERS[m[2]]()}{m[3]}", text)
    return run_consoles(text)


def main(arguments: list[str]) -> int:
    """Rewrite the pages, or check them."""
    stale = 0
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = regenerated(before)
        if after == before:
            continue
        stale += 1
        if "--check" in arguments:
            name = str(page.relative_to(ROOT))
            sys.stdout.writelines(
                difflib.unified_diff(before.splitlines(True), after.splitlines(True), name, name)
            )
        else:
            page.write_text(after, encoding="utf-8")
            print(page.relative_to(ROOT))
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
