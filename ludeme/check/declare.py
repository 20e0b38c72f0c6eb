"""The declarations of a description: options, board, players, pieces, state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from ludeme.board import (
    SHAPES,
    Board,
    BoardError,
    Path,
    PictureError,
    build,
    edges,
    explicit,
)
from ludeme.board.errors import counted
from ludeme.check import program
from ludeme.check.environment import (
    Definition,
    Environment,
    LudemeDefinition,
    Table,
    Value,
)
from ludeme.check.expressions import Expressions
from ludeme.check.limits import LARGEST_NUMBER
from ludeme.check.scope import Place, Scope
from ludeme.diagnostics import Span, shortened
from ludeme.kernel.types import (
    BY_NAME,
    DIRECTION,
    DIRECTIONS,
    HOLE,
    KIND,
    NUMBER,
    NUMBERS,
    PLAYER,
    SITE,
    SITES,
    TRUTH,
    Type,
    choice,
    set_of,
)
from ludeme.syntax import tree

_T = TypeVar("_T")

MOST_PLAYERS = 16
MOST_KINDS = 64
MOST_CHANGES = 24
HIGHEST_STACK = 255
CHANCE = "chance"
"""Who takes a turn in which dice are rolled."""


class Declarations:
    """Fills an environment from the items of a description, in the order of need."""

    def __init__(
        self, env: Environment, items: Sequence[tree.Item], given: Mapping[str, object]
    ) -> None:
        self.env = env
        self.report = env.report
        self.items = items
        self.given = dict(given)
        self.expressions = Expressions(env)
        self.scope = Scope(Place("board"))

    def run(self, prelude: Iterable[tree.Item]) -> None:
        """Declare everything."""
        worked_out = (tree.Define, tree.Ludeme)
        self.env.later = frozenset(
            item.name.text for item in self.items if isinstance(item, worked_out)
        ) | frozenset(name.text for item in self.all_of(tree.Variable) for name in item.names)
        for option in self.all_of(tree.Option):
            self.option(option)
        self.unknown_options()
        for board in self.all_of(tree.Board):
            before = self.report.error_count
            self.board(board)
            self.report.unsure |= self.report.error_count > before
        for players in self.all_of(tree.Players):
            self.players(players)
        for pieces in self.all_of(tree.Pieces):
            self.pieces(pieces)
        for item in prelude:
            self.definition(item, prelude=True)
        for region in self.all_of(tree.Region):
            self.region(region)
        for regions in self.all_of(tree.Regions):
            self.regions(regions)
        for players in self.all_of(tree.Players):
            self.tables(players.table, PLAYER, len(players.names))
        for stacks in self.all_of(tree.Stacks):
            self.stacks(stacks)
        for pieces in self.all_of(tree.Pieces):
            self.tables(pieces.table, KIND, len(pieces.names))
        for variable in self.all_of(tree.Variable):
            self.variable(variable)
        for holds in self.all_of(tree.Holds):
            self.holds(holds)
        for item in self.items:
            if isinstance(item, tree.Define | tree.Ludeme):
                self.definition(item)

    def all_of(self, kind: type[_T]) -> list[_T]:
        """The items of one kind, in order."""
        return [item for item in self.items if isinstance(item, kind)]

    # ---- options

    def option(self, item: tree.Option) -> None:
        name = item.name.text
        if self.env.is_taken(item.name):
            return
        made = self.option_value(item)
        if made is None:
            self.env.declare(item.name, Value(HOLE, 0, item.name.span))
            return
        self.env.options.append(made)
        self.env.declare(item.name, Value(made.type, made.value, item.name.span))
        self.env.spans[name] = item.name.span

    def option_value(self, item: tree.Option) -> program.Option | None:
        if isinstance(item.value, tree.Truth):
            return self.truth_option(item)
        if len(item.choices) == 1 and isinstance(item.choices[0], tree.Range):
            return self.number_option(item, item.choices[0])
        if item.choices:
            return self.choice_option(item)
        self.report.error(
            "option",
            item.value.span,
            f"option `{item.name.text}` does not say which values it may have",
            help="write a range, `= 11 from 3..19`, or the values, `= a from a, b`",
        )
        return None

    def truth_option(self, item: tree.Option) -> program.Option:
        assert isinstance(item.value, tree.Truth)
        name = item.name.text
        default = int(item.value.value)
        value = default
        if name in self.given:
            text = _as_text(self.given.pop(name))
            if text not in ("true", "false"):
                self.bad_value(item, text, "true or false")
            value = int(text == "true")
        return program.Option(name, TRUTH, value, default, ("false", "true"), item.help)

    def number_option(self, item: tree.Option, span: tree.Range) -> program.Option | None:
        name = item.name.text
        what = f"option `{name}`"
        bounds = [self.literal(part, what) for part in (item.value, span.low, span.high)]
        if None in bounds:
            return None
        default, low, high = (int(b) for b in bounds if b is not None)
        if low > high:
            self.report.empty_range(span.span, low, high)
            return None
        value = default
        if name in self.given:
            text = _as_text(self.given.pop(name))
            if not _is_number(text):
                self.bad_value(item, text, f"a number from {low} to {high}")
            else:
                value = int(text)
        if not low <= value <= high:
            shown = str(value) if len(str(value)) < 30 else "the value given"
            if value == default:
                self.report.error(
                    "range", item.value.span, f"{name} = {shown} is outside {low}..{high}"
                )
            else:
                self.bad_value(item, shown, f"a number from {low} to {high}")
            value = min(max(value, low), high)
        return program.Option(name, NUMBER, value, default, range(low, high + 1), item.help)

    def choice_option(self, item: tree.Option) -> program.Option | None:
        name = item.name.text
        words = []
        for node in (item.value, *item.choices):
            if not isinstance(node, tree.Name):
                self.report.error(
                    "option", node.span, f"the values of option `{name}` are names here"
                )
                return None
            words.append(tree.Word(node.text, span=node.span))
        default, values = words[0], tuple(word.text for word in words[1:])
        self.choice_values(name, words[1:])
        if default.text not in values:
            self.report.unknown(f"value of `{name}`", default.text, default.span, values)
            return None
        chosen = default.text
        if name in self.given:
            text = _as_text(self.given.pop(name))
            if text not in values:
                self.bad_value(item, text, "one of " + ", ".join(values))
            else:
                chosen = text
        return program.Option(
            name, choice(name), values.index(chosen), values.index(default.text), values, item.help
        )

    def choice_values(self, name: str, words: Sequence[tree.Word]) -> None:
        """A type of its own with a name for each value."""
        values = tuple(word.text for word in words)
        self.env.choices[name] = values
        for number, word in enumerate(words):
            if word.text in values[:number]:
                self.report.error("declared-twice", word.span, f"`{word.text}` stands here twice")
                continue
            self.env.declare(word, Value(choice(name), number, word.span))

    def bad_value(self, item: tree.Option, text: str, wanted: str) -> None:
        """An option given from outside that cannot be."""
        shown = text if len(text) <= 40 else text[:40] + "..."
        self.report.error(
            "option-value",
            item.name.span,
            f"{item.name.text} = {shown} was asked for; it must be {wanted}",
        )

    def unknown_options(self) -> None:
        """Options given from outside that the description does not have."""
        known = [option.name.text for option in self.all_of(tree.Option)]
        for name in self.given:
            if name in known:
                continue
            header = next(iter(self.all_of(tree.Header)), None)
            span = header.span if header else self.items[0].span
            self.report.unknown("option of this game", name, span, known)

    def literal(self, node: tree.Expression, what: str) -> int | None:
        """A whole number written out, perhaps with a sign or in terms of earlier options."""
        value = self.expressions.constant(node, self.scope, NUMBER, what)
        return value if isinstance(value, int) else None

    # ---- board

    def board(self, item: tree.Board) -> None:
        board = self.explicit(item) if item.shape is None else self.shape(item.shape)
        if board is None:
            return
        self.env.board = board
        for change in item.changes[:MOST_CHANGES]:
            self.change(change)
        if len(item.changes) > MOST_CHANGES:
            self.report.error(
                "too-large",
                item.changes[MOST_CHANGES].span,
                f"a board has at most {MOST_CHANGES} lines that change it",
                help="join the sets of sites of several lines with `or`",
            )

    def shape(self, shape: tree.Shape) -> Board | None:
        name = shape.name.text
        if name == "edges":
            return self.edges(shape)
        if name not in SHAPES:
            self.report.unknown("board", name, shape.name.span, SHAPES)
            return None
        arguments = [self.literal(argument, f"`{name}`") for argument in shape.arguments]
        numbers = [argument for argument in arguments if argument is not None]
        if len(numbers) < len(arguments):
            return None
        try:
            return build(name, numbers)
        except BoardError as error:
            self.report.error("board", shape.span, str(error))
            return None

    def edges(self, shape: tree.Shape) -> Board | None:
        """The board whose sites are the links of another shape."""
        inner = shape.arguments[0]
        if len(shape.arguments) != 1 or not isinstance(inner, tree.Call):
            self.report.error(
                "board",
                shape.span,
                "`edges` wants the shape whose links are its sites",
                help="for example `edges(square(4))`",
            )
            return None
        values = tuple(argument.value for argument in inner.arguments)
        board = self.shape(tree.Shape(inner.name, values, span=inner.span))
        if board is None:
            return None
        try:
            return edges(board)
        except BoardError as error:
            self.report.error("board", shape.span, str(error))
            return None

    def explicit(self, item: tree.Board) -> Board | None:
        points: dict[str, tuple[float, float] | None] = {}
        links: list[tuple[str, str, str]] = []
        paths: list[Path] = []
        depth = 0
        for line in item.lines:
            if isinstance(line, tree.SiteRow):
                depth -= 1
                for site, column in self.named_sites(line.row, points):
                    points[site] = (float(column), float(depth))
                continue
            for word in line.sites:
                points.setdefault(word.text, None)
            if line.point is not None:
                x, y = line.point
                points[line.sites[0].text] = (float(x), float(y))
            if line.directions:
                there, *back = (word.text for word in line.directions)
                paths.append(Path([site.text for site in line.sites], there, *back))
                continue
            relation = line.relation.text if line.relation else "adjacent"
            for a, b in zip(line.sites, line.sites[1:], strict=False):
                links.append((a.text, b.text, relation))
        try:
            return explicit(list(points.items()), links, paths)
        except BoardError as error:
            self.report.error("board", item.span, str(error))
            return None

    def named_sites(self, row: tree.Word, known: Mapping[str, object]) -> Iterator[tuple[str, int]]:
        """The sites that a row of a picture names, and the column of each."""
        for column, mark in enumerate(re.finditer(r"\S+", row.text[1:])):
            name = mark.group()
            if name == ".":
                continue
            start = row.span.start + 1 + mark.start()
            span = Span(row.span.source, start, start + len(name))
            if not re.fullmatch(r"[^\W\d]\w*", name):
                help_ = "a name of letters, digits and `_`, or `.` for a gap"
                self.report.error("board", span, f"`{name}` is no name of a site", help=help_)
            elif known.get(name) is not None:
                self.report.error("board", span, f"the site `{name}` is there twice")
            else:
                yield name, column

    def change(self, change: tree.BoardChange) -> None:
        try:
            if change.shape is not None:
                other = self.shape(change.shape)
                if other is not None:
                    self.env.board = self.env.board.union(other)
                return
            assert change.sites is not None
            mask = self.expressions.constant(change.sites, self.scope, SITES, f"`{change.kind}`")
            if mask is None:
                return
            if change.kind == "cut":
                relation = change.relation.text if change.relation else None
                self.env.board = self.env.board.cut(mask, relation, change.both)
            else:
                self.env.board = self.env.board.keep(mask)
        except BoardError as error:
            self.report.error("board", change.span, str(error))

    # ---- players and pieces

    def players(self, item: tree.Players) -> None:
        names = self.fresh_names(item.names, MOST_PLAYERS, MOST_PLAYERS, "players")
        if item.seats is not None:
            names = names[: self.seats(item.seats, len(names))]
        for word in names:
            if word.text == CHANCE:
                self.report.error(
                    "reserved-name", word.span, "`chance` is who rolls dice, and no player"
                )
        self.env.players = tuple(word.text for word in names)
        for number, word in enumerate(names):
            self.env.declare(word, Value(PLAYER, number, word.span))

    def seats(self, node: tree.Expression, names: int) -> int:
        """How many of the players named sit down."""
        seats = self.literal(node, "how many players there are")
        if seats is None:
            return names
        if not 1 <= seats <= names:
            self.report.error(
                "range", node.span, f"there are names for 1 to {names} players, not for {seats}"
            )
            return names
        return seats

    def pieces(self, item: tree.Pieces) -> None:
        room = MOST_KINDS - len(self.env.kinds)
        names = self.fresh_names(item.names, room, MOST_KINDS, "kinds of piece")
        for word in names:
            if word.text in ("none", "nothing"):
                self.report.error(
                    "reserved-name", word.span, f"`{word.text}` says that there is no piece"
                )
                continue
            number = len(self.env.kinds)
            self.env.kinds += (word.text,)
            self.env.letters += (word.text[0],)
            self.env.hands += (0,)
            if item.neutral:
                self.env.neutral |= 1 << number
            self.env.declare(word, Value(KIND, number, word.span))
        for row in item.table:
            if row.name.text == "letter":
                self.letter_row(row, len(names))

    def fresh_names(
        self, words: Sequence[tree.Word], room: int, most: int, what: str
    ) -> list[tree.Word]:
        """The names that are not there twice, as many as there is room for of *most*."""
        if len(words) > room:
            self.report.error("too-large", words[room].span, f"there may be at most {most} {what}")
        fresh: list[tree.Word] = []
        for word in words[:room]:
            if any(word.text == other.text for other in fresh):
                self.report.error("declared-twice", word.span, f"`{word.text}` stands here twice")
            else:
                fresh.append(word)
        return fresh

    def letter_row(self, row: tree.TableRow, count: int) -> None:
        letters = []
        for node in row.values:
            text = node.span.text
            if len(text) != 1 or not text.isalpha():
                self.report.error("letter", node.span, "a letter for pictures is one letter")
                return
            letters.append(text.upper())
        if len(letters) != count:
            self.report.error(
                "table", row.span, f"here are {len(letters)} letters for {count} kinds"
            )
            return
        self.env.letters = self.env.letters[: len(self.env.letters) - count] + tuple(letters)

    def tables(self, rows: Sequence[tree.TableRow], domain: Type, count: int) -> None:
        for row in rows:
            if domain == KIND and row.name.text == "letter":
                continue
            if not self.table(row, domain, count):
                self.report.taint(row.name.text)

    def table(self, row: tree.TableRow, domain: Type, count: int) -> bool:
        """Declare a row; False after an error."""
        what = "players" if domain == PLAYER else "kinds"
        seated = len(self.env.players) if domain == PLAYER else count
        if len(row.values) != count:
            self.report.error(
                "table",
                row.span,
                f"`{row.name.text}` has {counted(len(row.values), 'value')} for {count} {what}",
                help="give one value for each, parted by commas",
            )
            return False
        if domain == KIND and count != len(self.env.kinds):
            self.report.error(
                "table", row.span, "a row of values needs all kinds of piece in one `pieces` line"
            )
            return False
        checked = [self.expressions.check(value, self.scope) for value in row.values[:seated]]
        type_ = self.common_type(checked)
        if type_ is None:
            types = " and ".join(sorted({value.type.spoken for value in checked}))
            self.report.error("type", row.span, f"this row has {types}; all must be of one type")
            return False
        values: list[int | tuple[int, ...]] = []
        for value, written in zip(checked, row.values, strict=False):
            fitted = self.expressions.fit(value, type_, written.span, "a row")
            if not isinstance(fitted, program.Constant):
                self.report.error(
                    "not-constant", written.span, "a row holds what is known before play begins"
                )
                return False
            values.append(fitted.value)
        # Behind the last one stands what nobody, or no kind, has.
        values.append(() if type_.kind == "family" else 0)
        self.env.declare(row.name, Table(row.name.text, domain, type_, tuple(values), row.span))
        return True

    def common_type(self, values: Sequence[program.Expression]) -> Type | None:
        types = {value.type for value in values if value.type.kind != "hole"}
        if not types:
            return HOLE
        if len(types) == 1:
            return types.pop()
        for one, many in ((SITE, SITES), (DIRECTION, DIRECTIONS), (NUMBER, NUMBERS)):
            if types == {one, many}:
                return many
        return None

    def stacks(self, item: tree.Stacks) -> None:
        height = self.literal(item.height, "`stacks`")
        if height is None:
            return
        if not 1 <= height <= HIGHEST_STACK:
            self.report.error(
                "range", item.height.span, f"stacks go up to 1..{HIGHEST_STACK}, not {height}"
            )
            return
        self.env.stack_limit = height

    # ---- regions

    def region(self, item: tree.Region) -> None:
        if item.picture is not None:
            mask = self.picture_mask(item.picture)
        else:
            assert item.sites is not None
            mask = self.expressions.constant(item.sites, self.scope, SITES, "a region")
        if mask is not None:
            self.env.declare(item.name, Value(SITES, mask, item.name.span))
        else:
            self.env.declare(item.name, Value(HOLE, 0, item.name.span))

    def regions(self, item: tree.Regions) -> None:
        if self.env.is_taken(item.name):
            return
        words = [member.name for member in item.members]
        masks = [self.picture_mask(member.picture) or 0 for member in item.members]
        self.env.spans[item.name.text] = item.name.span
        self.choice_values(item.name.text, words)
        self.env.region_masks[item.name.text] = tuple(masks)

    def picture_mask(self, picture: tree.Picture) -> int | None:
        marks = self.marks(picture)
        if marks is None:
            return None
        mask = 0
        for site, mark, span in marks:
            if mark == "#":
                mask |= 1 << site
            elif mark != ".":
                self.report.error(
                    "picture",
                    span,
                    f"`{shortened(mark)}` means nothing in a region",
                    help="`#` is in, `.` out",
                )
                return None
        return mask

    def marks(self, picture: tree.Picture) -> list[tuple[int, str, Span]] | None:
        """Site, mark and place of each mark of a picture."""
        return picture_marks(self.env, picture)

    # ---- state

    def variable(self, item: tree.Variable) -> None:
        for name in item.names:
            made = self.one_variable(item, name)
            if made is not None:
                self.env.variables.append(made)
                self.env.declare(name, made)
            else:
                self.report.taint(name.text)

    def one_variable(self, item: tree.Variable, name: tree.Word) -> program.Variable | None:
        type_ = self.variable_type(item, name)
        if type_ is None:
            return None
        low, high = 0, 0
        if type_ == NUMBER:
            bounds = self.bounds(item, name)
            if bounds is None:
                return None
            low, high = bounds
        elif item.range is not None:
            self.report.error(
                "type",
                item.range.span,
                f"only numbers have a range; `{name.text}` is {type_.spoken}",
            )
        initial = self.initial(item, name, type_, low, high)
        if initial is None:
            return None
        if not self.traits_fit(item, name, type_):
            return None
        index = item.index.text if item.index else None
        if index is not None and index not in ("site", "player", "kind"):
            self.report.unknown("index", index, item.index.span if item.index else name.span,
                                ["site", "player", "kind"])  # fmt: skip
            return None
        return program.Variable(
            name.text, item.owner, type_, index, initial, low, high,
            item.lasting, item.seen, item.planned, name.span,
        )  # fmt: skip

    def variable_type(self, item: tree.Variable, name: tree.Word) -> Type | None:
        if len(item.type) > 1:
            if name.text not in self.env.choices:
                self.choice_values(name.text, item.type)
            return choice(name.text)
        if item.type:
            allowed = {k: v for k, v in BY_NAME.items() if k not in ("family", "relation")}
            return self.env.type_named(item.type[0], allowed)
        if isinstance(item.value, tree.Truth):
            return TRUTH
        if item.value is not None or item.range is not None:
            return NUMBER
        return TRUTH

    def bounds(self, item: tree.Variable, name: tree.Word) -> tuple[int, int] | None:
        if not isinstance(item.range, tree.Range):
            self.report.error(
                "range",
                name.span,
                f"`{name.text}` does not say how small and how large it may become",
                help=f"for example `{name.text} = 0 from 0..20`",
            )
            return None
        low, high = (self.literal(n, "a range") for n in (item.range.low, item.range.high))
        if low is None or high is None:
            return None
        if low > high:
            self.report.empty_range(item.range.span, low, high)
            return None
        if max(abs(low), abs(high)) > LARGEST_NUMBER:
            self.report.error("range", item.range.span, f"numbers go up to {LARGEST_NUMBER}")
            return None
        return low, high

    def initial(
        self, item: tree.Variable, name: tree.Word, type_: Type, low: int, high: int
    ) -> int | None:
        if item.value is None:
            if type_ == NUMBER or type_ == SITE:
                self.report.error(
                    "initial",
                    name.span,
                    f"`{name.text}` does not say what it is at first",
                    help=f"for example `{name.text} = {low if type_ == NUMBER else 'a1'}`",
                )
                return None
            if type_ == DIRECTION and not self.env.board.directions:
                self.report.error(
                    "initial",
                    name.span,
                    "this board has no directions, so none can be noted",
                    help="only boards with a shape, such as `square(8)`, have directions",
                )
                return None
            return len(self.env.players) if type_ == PLAYER else 0
        value = self.expressions.constant(item.value, self.scope, type_, f"`{name.text}`")
        if not isinstance(value, int):
            return None
        if type_ == NUMBER and not low <= value <= high:
            self.report.error(
                "range", item.value.span, f"{name.text} = {value} is outside {low}..{high}"
            )
            return None
        return value

    def traits_fit(self, item: tree.Variable, name: tree.Word, type_: Type) -> bool:
        if item.planned and item.owner != "player":
            self.report.error("type", item.span, "only a player plans: `each player plans ...`")
            return False
        if item.lasting is not None and not 1 <= item.lasting <= 100:
            self.report.error("range", name.span, "a value lasts 1 to 100 turns")
            return False
        kept_apart = item.owner in ("site", "piece") or item.index is not None
        if item.lasting is not None and kept_apart and (type_ != TRUTH or item.index is not None):
            self.report.error(
                "type",
                item.span,
                f"what each {item.owner} has can last some turns only if it is there or not",
                help="leave out `lasting`, or the range",
            )
            return False
        if item.planned and item.lasting is not None:
            self.report.error("type", item.span, "plans end with their turn; they last no longer")
            return False
        if item.owner in ("site", "piece") and item.index is not None:
            self.report.error(
                "type", item.span, f"what each {item.owner} has cannot be `for each` of others"
            )
            return False
        if item.seen == "owner" and item.owner != "player":
            self.report.error(
                "type",
                item.span,
                f"what {'the game' if item.owner == 'game' else 'a ' + item.owner} has is no"
                " player's own",
                help="write `seen by none`, or declare it with `each player has`",
            )
            return False
        return True

    def holds(self, item: tree.Holds) -> None:
        hands = list(self.env.hands)
        for holding in item.holdings:
            count = self.literal(holding.count, "`holds`")
            kind = holding.kind
            if count is None:
                continue
            if kind.text not in self.env.kinds:
                self.report.unknown("kind of piece", kind.text, kind.span, self.env.kinds)
                continue
            if not 0 <= count <= 4096:
                self.report.error("range", holding.span, f"a hand holds 0..4096, not {count}")
                continue
            hands[self.env.kinds.index(kind.text)] = count
            self.env.used.add(kind.text)
        self.env.hands = tuple(hands)

    # ---- definitions

    def definition(self, item: tree.Item, prelude: bool = False) -> None:
        if isinstance(item, tree.Define):
            self.env.declare(item.name, Definition(item), prelude)
        elif isinstance(item, tree.Ludeme):
            self.env.declare(item.name, LudemeDefinition(item), prelude)
            for parameter in item.parameters:
                self.env.type_named(parameter.type, BY_NAME)


def picture_marks(env: Environment, picture: tree.Picture) -> list[tuple[int, str, Span]] | None:
    """Site, mark and place of each mark of a picture laid on the board."""
    if env.report.unsure:
        return None
    rows = [row.text[1:] for row in picture.rows]
    try:
        placed = env.board.from_picture(rows)
    except PictureError as error:
        row = picture.rows[min(error.line, len(picture.rows) - 1)].span
        place = Span(row.source, min(row.start + 1 + error.column, row.end), row.end)
        env.report.error("picture", place, error.message)
        return None
    except BoardError as error:
        env.report.error("picture", picture.span, str(error))
        return None
    return [(site, mark, _place_of(mark, picture)) for site, mark in placed]


def _place_of(mark: str, picture: tree.Picture) -> Span:
    """Where a mark stands first in a picture."""
    for row in picture.rows:
        for found in re.finditer(r"\S+", row.text[1:]):
            if found.group() == mark:
                start = row.span.start + 1 + found.start()
                return Span(row.span.source, start, start + len(mark))
    return picture.span


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isdecimal() and digits.isascii() and len(digits) < 4000


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**30:
        return "a number of more than 30 digits"
    return str(value).strip()


__all__ = ["Declarations", "picture_marks", "set_of"]
