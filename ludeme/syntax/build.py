"""The walk over Lark's parse tree that builds the syntax tree, and nothing else."""

from __future__ import annotations

from typing import Any, cast

from lark import Token, Transformer, Tree, v_args
from lark.tree import Meta

from ludeme.diagnostics import Source, Span
from ludeme.syntax import tree


def span_of(source: Source, offset: int, meta: Meta | Token) -> Span:
    """The span of a node or token; *offset* is where the parsed text begins in the source."""
    if isinstance(meta, Meta) and meta.empty:
        return Span(source, offset, offset)
    start = offset + cast(int, meta.start_pos)
    end = offset + cast(int, meta.end_pos)
    return Span(source, start, _trimmed(source.text, start, end))


def _trimmed(text: str, start: int, end: int) -> int:
    """Where a node ends that holds the line end behind it: before blanks and comments."""
    while True:
        end = start + len(text[start:end].rstrip())
        line = text[max(start, text.rfind("\n", start, end) + 1) : end]
        comment = line.rfind("--")
        if comment < 0 or line.count('"', 0, comment) % 2 or line.lstrip().startswith("|"):
            return end
        end -= len(line) - comment


@v_args(meta=True)
class Builder(Transformer[Token, Any]):
    """Builds one item or expression. Children arrive built; tokens arrive as `Word`s."""

    def __init__(self, source: Source, offset: int, templates: Any) -> None:
        super().__init__(visit_tokens=False)
        self.source = source
        self.offset = offset
        self.parse_template = templates

    # ---- helpers

    def span(self, meta: Meta | Token) -> Span:
        return span_of(self.source, self.offset, meta)

    def word(self, token: Token) -> tree.Word:
        return tree.Word(str(token), span=self.span(token))

    def words(self, children: list[Any]) -> tuple[tree.Word, ...]:
        return tuple(self.word(child) for child in children if is_token(child, "NAME"))

    def string(self, token: Token) -> str:
        return str(token)[1:-1]

    def template(self, token: Token) -> tree.Template:
        return cast(tree.Template, self.parse_template(self.span(token)))

    # ---- items

    def item(self, meta: Meta, c: list[Any]) -> Any:
        return c[0]

    def replace(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Replace(c[0], span=self.span(meta))

    def drop(self, meta: Meta, c: list[Any]) -> Any:
        words = self.words(c)
        return tree.Drop(words[0], words[1] if len(words) > 1 else None, span=self.span(meta))

    def game(self, meta: Meta, c: list[Any]) -> Any:
        words = self.words(c)
        return tree.Header(self.string(c[0]), words[0] if words else None, span=self.span(meta))

    def author(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Author(self.string(c[0]), span=self.span(meta))

    def players(self, meta: Meta, c: list[Any]) -> Any:
        seats = c.pop(0)[1] if isinstance(c[0], tuple) else None
        return tree.Players(seats, self.words(c), self.rows_of(c), span=self.span(meta))

    def seats(self, meta: Meta, c: list[Any]) -> Any:
        return ("seats", c[0])

    def rows_of(self, c: list[Any]) -> tuple[tree.TableRow, ...]:
        return c[-1] if c and isinstance(c[-1], tuple) else ()

    def table(self, meta: Meta, c: list[Any]) -> Any:
        return tuple(row for row in c if not isinstance(row, tree.Hole))

    def table_row(self, meta: Meta, c: list[Any]) -> Any:
        return tree.TableRow(self.word(c[0]), tuple(c[1:]), span=self.span(meta))

    def option(self, meta: Meta, c: list[Any]) -> Any:
        help_text = self.string(c.pop()) if is_token(c[-1], "STRING") else None
        choices = c[2] if len(c) > 2 else ()
        return tree.Option(self.word(c[0]), c[1], choices, help_text, span=self.span(meta))

    def choices(self, meta: Meta, c: list[Any]) -> Any:
        return tuple(c)

    def board(self, meta: Meta, c: list[Any]) -> Any:
        changes = tuple(child for child in c[1:] if not isinstance(child, tree.Hole))
        return tree.Board(c[0], (), changes, span=self.span(meta))

    def site_board(self, meta: Meta, c: list[Any]) -> Any:
        lines = tuple(child for child in c if not isinstance(child, tree.Hole))
        return tree.Board(None, lines, (), span=self.span(meta))

    def shape(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Shape(self.word(c[0]), tuple(c[1:]), span=self.span(meta))

    def cut(self, meta: Meta, c: list[Any]) -> Any:
        words = self.words(c)
        both = any(is_token(child, "REACH") and child == "inside" for child in c)
        relation = words[0] if words else None
        return tree.BoardChange("cut", c[-1], None, relation, both, span=self.span(meta))

    def keep(self, meta: Meta, c: list[Any]) -> Any:
        return tree.BoardChange("keep", c[0], None, span=self.span(meta))

    def join(self, meta: Meta, c: list[Any]) -> Any:
        return tree.BoardChange("join", None, c[0], span=self.span(meta))

    def chain(self, meta: Meta, c: list[Any]) -> Any:
        relation = next((child[1] for child in c if isinstance(child, tuple)), None)
        return tree.SiteLine(self.words(c), relation, None, span=self.span(meta))

    def path(self, meta: Meta, c: list[Any]) -> Any:
        return tree.SiteLine(self.words(c), None, None, c[-1], span=self.span(meta))

    def site_row(self, meta: Meta, c: list[Any]) -> Any:
        return tree.SiteRow(self.row(meta, c), span=self.span(meta))

    def ways(self, meta: Meta, c: list[Any]) -> Any:
        return self.words(c)

    def linked(self, meta: Meta, c: list[Any]) -> Any:
        return ("relation", self.word(c[0]))

    def place(self, meta: Meta, c: list[Any]) -> Any:
        if len(c) == 4 and is_token(c[1], "REACH"):
            return tree.SiteLine((self.word(c[0]),), None, (c[2], c[3]), span=self.span(meta))
        return tree.Place(self.word(c[0]), tuple(c[1:]), span=self.span(meta))

    def signed(self, meta: Meta, c: list[Any]) -> Any:
        value = int(c[-1])
        return -value if self.span(meta).text.startswith("-") else value

    def region(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Region(self.word(c[0]), c[1], None, span=self.span(meta))

    def region_picture(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Region(self.word(c[0]), None, self.picture(c[1:]), span=self.span(meta))

    def regions(self, meta: Meta, c: list[Any]) -> Any:
        members = tuple(child for child in c[1:] if not isinstance(child, tree.Hole))
        return tree.Regions(self.word(c[0]), members, span=self.span(meta))

    def named_picture(self, meta: Meta, c: list[Any]) -> Any:
        return tree.NamedPicture(self.word(c[0]), self.picture(c[1:]), span=self.span(meta))

    def picture(self, rows: list[tree.Word]) -> tree.Picture:
        return tree.Picture(tuple(rows), span=rows[0].span.to(rows[-1].span))

    def row(self, meta: Meta, c: list[Any]) -> Any:
        text = c[0].rstrip()
        start = self.span(c[0]).start
        return tree.Word(text, span=Span(self.source, start, start + len(text)))

    def pieces(self, meta: Meta, c: list[Any]) -> Any:
        neutral = is_token(c[0], "NEUTRAL")
        return tree.Pieces(self.words(c), neutral, self.rows_of(c), span=self.span(meta))

    def stacks(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Stacks(c[0], span=self.span(meta))

    def each_has(self, meta: Meta, c: list[Any]) -> Any:
        return self.declared(meta, c[0], c[1], False)

    def game_has(self, meta: Meta, c: list[Any]) -> Any:
        return self.declared(meta, "game", c[0], False)

    def plans(self, meta: Meta, c: list[Any]) -> Any:
        return self.declared(meta, c[0], c[1], True)

    def declared(self, meta: Meta, owner: str, parts: dict[str, Any], planned: bool) -> Any:
        return tree.Variable(owner, **parts, planned=planned, span=self.span(meta))

    def state(self, meta: Meta, c: list[Any]) -> Any:
        return c[0]

    def owner(self, meta: Meta, c: list[Any]) -> Any:
        return str.__str__(c[0])

    def variable(self, meta: Meta, c: list[Any]) -> Any:
        parts: dict[str, Any] = {
            "names": self.words(c),
            "index": None,
            "type": (),
            "value": None,
            "range": None,
            "lasting": None,
            "seen": None,
        }
        return parts | dict(child for child in c if isinstance(child, tuple))

    def types(self, meta: Meta, c: list[Any]) -> Any:
        return ("type", self.words(c))

    def initial(self, meta: Meta, c: list[Any]) -> Any:
        return ("value", c[0])

    def limits(self, meta: Meta, c: list[Any]) -> Any:
        return ("range", c[0])

    def index(self, meta: Meta, c: list[Any]) -> Any:
        return ("index", self.word(c[0]))

    def lasting(self, meta: Meta, c: list[Any]) -> Any:
        return ("lasting", int(c[0]))

    def seen(self, meta: Meta, c: list[Any]) -> Any:
        return ("seen", str(c[0]))

    def sight(self, meta: Meta, c: list[Any]) -> Any:
        parts = tuple(child for child in c if not isinstance(child, tree.Hole))
        return tree.Sight(parts, span=self.span(meta))

    def seen_part(self, meta: Meta, c: list[Any]) -> Any:
        return tree.SeenPart(self.word(c[0]), c[1], span=self.span(meta))

    def holds(self, meta: Meta, c: list[Any]) -> Any:
        pairs = zip(c[::2], c[1::2], strict=True)
        holdings = tuple(
            tree.Holding(count, self.word(kind), span=count.span.to(self.span(kind)))
            for count, kind in pairs
        )
        return tree.Holds(holdings, span=self.span(meta))

    def define(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Define(self.word(c[0]), tuple(c[1:-1]), c[-1], span=self.span(meta))

    def relation(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Define(self.word(c[0]), tuple(c[1:-1]), c[-1], True, span=self.span(meta))

    def param(self, meta: Meta, c: list[Any]) -> Any:
        label = c.pop(0) if isinstance(c[0], str) and not isinstance(c[0], Token) else None
        default = c[2] if len(c) > 2 else None
        return tree.Parameter(
            label, self.word(c[0]), self.word(c[1]), default, span=self.span(meta)
        )

    def label(self, meta: Meta, c: list[Any]) -> Any:
        return str.__str__(c[0])

    def ludeme(self, meta: Meta, c: list[Any]) -> Any:
        bracketed = c[0].type == "FNAME"
        name, parameters = self.word(c[0]), tuple(c[1:-1])
        return tree.Ludeme(name, parameters, c[-1], bracketed, span=self.span(meta))

    def start(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Start(c[0], span=self.span(meta))

    def turn(self, meta: Meta, c: list[Any]) -> Any:
        names = self.words(c)
        together = any(is_token(child, "TOGETHER") for child in c)
        templates = [child for child in c if isinstance(child, tree.Template)]
        joiners = [child[1] for child in c[:-1] if isinstance(child, tuple)]
        return tree.Turn(
            names[0] if names else None,
            together,
            templates[0] if templates else None,
            joiners[0] if joiners else None,
            c[-1],
            span=self.span(meta),
        )

    def print(self, meta: Meta, c: list[Any]) -> Any:
        return self.template(c[0])

    def joined(self, meta: Meta, c: list[Any]) -> Any:
        return ("joined", self.string(c[0]))

    def reveal(self, meta: Meta, c: list[Any]) -> Any:
        names = self.words(c)
        return tree.Reveal(names[0] if names else None, c[-1], span=self.span(meta))

    # ---- flow

    def play(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Play(tuple(c), span=self.span(meta))

    def effect_step(self, meta: Meta, c: list[Any]) -> Any:
        return c[0]

    def takes(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Takes(self.word(c[0]), self.word(c[1]), span=self.span(meta))

    def alternate(self, meta: Meta, c: list[Any]) -> Any:
        until = next((child[1] for child in c if isinstance(child, tuple)), None)
        start = next(iter(nodes(c)), None)
        skipping = "skipping" in c
        return tree.Alternate(self.word(c[0]), start, skipping, until, span=self.span(meta))

    def skipping(self, meta: Meta, c: list[Any]) -> Any:
        return "skipping"

    def until(self, meta: Meta, c: list[Any]) -> Any:
        return ("until", c[-1])

    def together(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Together(self.word(c[0]), span=self.span(meta))

    def phase(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Phase(self.word(c[0]), tuple(c[1:]), span=self.span(meta))

    def go_to(self, meta: Meta, c: list[Any]) -> Any:
        return tree.GoTo(self.word(c[0]), span=self.span(meta))

    def finish_step(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Finish(c[0], self.word(c[1]), None, span=self.span(meta))

    def loop_step(self, meta: Meta, c: list[Any]) -> Any:
        until = c.pop(0)[1] if isinstance(c[0], tuple) else None
        return tree.Loop(until, tuple(c), span=self.span(meta))

    def rounds_step(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Rounds(self.word(c[0]), c[1], tuple(c[2:]), span=self.span(meta))

    def for_each_step(self, meta: Meta, c: list[Any]) -> Any:
        return self.for_each(meta, c)

    def if_step(self, meta: Meta, c: list[Any]) -> Any:
        otherwise = c.pop() if isinstance(c[-1], tuple) else ()
        return tree.IfStep(c[0], tuple(c[1:]), otherwise, span=self.span(meta))

    def else_steps(self, meta: Meta, c: list[Any]) -> Any:
        return tuple(c)

    def else_if_steps(self, meta: Meta, c: list[Any]) -> Any:
        return (self.if_step(meta, c),)

    def ranking(self, meta: Meta, c: list[Any]) -> Any:
        ranks = tuple(child for child in c if isinstance(child, tree.Rank))
        return tree.Ranking(ranks, span=self.span(meta))

    def rank(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Rank(str(c[0]) == "highest", self.word(c[1]), span=self.span(meta))

    def ends(self, meta: Meta, c: list[Any]) -> Any:
        finishes = tuple(child for child in c if not isinstance(child, tree.Hole))
        return tree.Ends(finishes, span=self.span(meta))

    def finish(self, meta: Meta, c: list[Any]) -> Any:
        condition = c[2] if len(c) > 2 else None
        return tree.Finish(c[0], self.word(c[1]), condition, span=self.span(meta))

    def wins(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Result("wins", c[0], span=self.span(meta))

    def loses(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Result("loses", c[0], span=self.span(meta))

    def draw(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Result("draw", None, span=self.span(meta))

    def decides(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Result("decides", None, span=self.span(meta))

    # ---- examples

    def example(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Example(self.string(c[0]), tuple(c[1:]), span=self.span(meta))

    def with_option(self, meta: Meta, c: list[Any]) -> Any:
        return tree.WithOption(self.word(c[0]), c[1], span=self.span(meta))

    def given(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Given(c[0], span=self.span(meta))

    def to_move(self, meta: Meta, c: list[Any]) -> Any:
        words = self.words(c)
        return tree.ToMove(words[0], words[1] if len(words) > 1 else None, span=self.span(meta))

    def play_moves(self, meta: Meta, c: list[Any]) -> Any:
        return tree.PlayMoves(self.string(c[0]), span=self.span(c[0]))

    def legal(self, meta: Meta, c: list[Any]) -> Any:
        return self.legality(meta, c, True)

    def illegal(self, meta: Meta, c: list[Any]) -> Any:
        return self.legality(meta, c, False)

    def legality(self, meta: Meta, c: list[Any], legal: bool) -> tree.Legality:
        moves = tuple(
            tree.Word(self.string(child), span=self.span(child))
            for child in c
            if is_token(child, "STRING")
        )
        players = self.words(c)
        return tree.Legality(legal, moves, players[0] if players else None, span=self.span(meta))

    def moves(self, meta: Meta, c: list[Any]) -> Any:
        player = self.word(c[1]) if len(c) > 1 else None
        return tree.MoveCount(int(c[0]), player, span=self.span(meta))

    def outcome_is(self, meta: Meta, c: list[Any]) -> Any:
        kind, player, name = c[0]
        return tree.OutcomeIs(kind, player, name, span=self.span(meta))

    def no_outcome(self, meta: Meta, c: list[Any]) -> Any:
        return ("none", None, None)

    def winner(self, meta: Meta, c: list[Any]) -> Any:
        return ("wins", self.word(c[0]), self.word(c[1]))

    def drawn(self, meta: Meta, c: list[Any]) -> Any:
        return ("draw", None, self.word(c[0]))

    def expect(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Expect(c[0], span=self.span(meta))

    # ---- statements

    def block(self, meta: Meta, c: list[Any]) -> Any:
        return tuple(c)

    def if_(self, meta: Meta, c: list[Any]) -> Any:
        return tree.If(c[0], c[1], c[2] if len(c) > 2 else (), span=self.span(meta))

    def else_block(self, meta: Meta, c: list[Any]) -> Any:
        return c[0]

    def else_if(self, meta: Meta, c: list[Any]) -> Any:
        return (self.if_(meta, c),)

    def for_each(self, meta: Meta, c: list[Any]) -> Any:
        return tree.ForEach(tuple(c[:-1]), c[-1], span=self.span(meta))

    def each_player(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Binder(self.word(c[-1]), None, span=self.span(meta))

    def each_in(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Binder(self.word(c[0]), c[1], span=self.span(meta))

    def one_by_one(self, meta: Meta, c: list[Any]) -> Any:
        return tree.OneByOne(self.word(c[0]), c[1], c[2], span=self.span(meta))

    def one_of(self, meta: Meta, c: list[Any]) -> Any:
        bullets = tuple(child for child in c if not isinstance(child, tree.Hole))
        return tree.OneOf(bullets, span=self.span(meta))

    def bullet(self, meta: Meta, c: list[Any]) -> Any:
        return self.any_bullet(meta, c, False)

    def otherwise(self, meta: Meta, c: list[Any]) -> Any:
        return self.any_bullet(meta, c, True)

    def any_bullet(self, meta: Meta, c: list[Any], otherwise: bool) -> tree.Bullet:
        template = c[1] if isinstance(c[1], tree.Template) else None
        return tree.Bullet(self.word(c[0]), template, c[-1], otherwise, span=self.span(meta))

    def match(self, meta: Meta, c: list[Any]) -> Any:
        rows = tuple(child for child in c if isinstance(child, tree.MatchRow))
        subjects = tuple(child for child in c if not isinstance(child, tree.MatchRow | tree.Hole))
        return tree.Match(subjects, rows, span=self.span(meta))

    def match_row(self, meta: Meta, c: list[Any]) -> Any:
        return tree.MatchRow(tuple(c[:-1]), c[-1], span=self.span(meta))

    def match_else(self, meta: Meta, c: list[Any]) -> Any:
        return tree.MatchRow((), c[0], span=self.span(meta))

    def named_pattern(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Pattern(str(c[0]), span=self.span(meta))

    def number_pattern(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Pattern(int(c[0]), span=self.span(meta))

    def any_pattern(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Pattern(None, span=self.span(meta))

    def repeat(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Repeat(c[0], str(c[1]).endswith("stop"), c[2], span=self.span(meta))

    def setup(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Setup(self.picture(c), span=self.span(meta))

    def hole(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Hole(span=self.span(meta))

    def choose(self, meta: Meta, c: list[Any], chance: bool = False) -> Any:
        quantity = c.pop(0) if isinstance(c[0], tree.Quantity) else None
        condition = c[2] if len(c) > 2 else None
        name = self.word(c[0])
        return tree.Choose(quantity, name, c[1], condition, chance, span=self.span(meta))

    def roll(self, meta: Meta, c: list[Any]) -> Any:
        return self.choose(meta, c, chance=True)

    def quantity(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Quantity(c[0], c[1] if len(c) > 1 else None, span=self.span(meta))

    def require(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Require(c[0], span=self.span(meta))

    def require_most(self, meta: Meta, c: list[Any]) -> Any:
        return tree.RequireMost(nodes(c), span=self.span(meta))

    def let(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Let(self.word(c[0]), c[1], span=self.span(meta))

    def set_(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Set(c[0], c[1], span=self.span(meta))

    def raise_(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Raise(c[0], c[1], False, span=self.span(meta))

    def lower(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Raise(c[0], c[1], True, span=self.span(meta))

    def put(self, meta: Meta, c: list[Any]) -> Any:
        from_hand = "from_hand" in c
        operands = nodes(c)
        return tree.Put(operands[:-1], from_hand, operands[-1], span=self.span(meta))

    def from_hand(self, meta: Meta, c: list[Any]) -> Any:
        return "from_hand"

    def move(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Move(c[0], c[1], span=self.span(meta))

    def swap(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Swap(c[0], c[1], span=self.span(meta))

    def remove(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Remove(c[0], span=self.span(meta))

    def change(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Change(c[0], c[1], span=self.span(meta))

    def give(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Give(c[0], c[1], span=self.span(meta))

    def mark(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Mark(c[0], self.word(c[1]), True, span=self.span(meta))

    def unmark(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Mark(c[0], self.word(c[1]), False, span=self.span(meta))

    def clear_board(self, meta: Meta, c: list[Any]) -> Any:
        return tree.ClearBoard(span=self.span(meta))

    def refill(self, meta: Meta, c: list[Any]) -> Any:
        return tree.RefillHands(span=self.span(meta))

    def say(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Say(self.template(c[0]), span=self.span(meta))

    def pass_(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Pass(span=self.span(meta))

    def again(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Again(span=self.span(meta))

    def stop(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Stop(span=self.span(meta))

    def invoke(self, meta: Meta, c: list[Any]) -> Any:
        bracketed = c[0].type == "FNAME"
        arguments = tuple(
            child
            if isinstance(child, tree.Argument)
            else tree.Argument(None, child, span=child.span)
            for child in c[1:]
        )
        return tree.Invoke(self.word(c[0]), arguments, bracketed, span=self.span(meta))

    def labelled(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Argument(c[0], c[1], span=self.span(meta))

    # ---- expressions

    def name(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Name(str(c[0]), span=self.span(meta))

    def number(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Number(int(c[0]), span=self.span(meta))

    def truth(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Truth(str(c[0]) == "true", span=self.span(meta))

    def call(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Call(self.word(c[0]), tuple(c[1:]), span=self.span(meta))

    def arg(self, meta: Meta, c: list[Any]) -> Any:
        label = c[0] if len(c) > 1 else None
        return tree.Argument(label, c[-1], span=self.span(meta))

    def set_of(self, meta: Meta, c: list[Any]) -> Any:
        return tree.SetOf(tuple(c), span=self.span(meta))

    def range(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Range(c[0], c[1], span=self.span(meta))

    def or_(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Either(c[0], c[1], span=self.span(meta))

    def and_(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Both(c[0], c[1], span=self.span(meta))

    def not_(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Not(c[0], span=self.span(meta))

    def some(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Any(c[0], False, span=self.span(meta))

    def no(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Any(c[0], True, span=self.span(meta))

    def compare(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Compare(str(c[1]), c[0], c[2], span=self.span(meta))

    def equal(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Compare("=", c[0], c[1], span=self.span(meta))

    def in_(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Within(c[0], c[1], False, span=self.span(meta))

    def not_in(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Within(c[0], c[1], True, span=self.span(meta))

    def can(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Ability(c[0], self.word(c[1]), False, span=self.span(meta))

    def cannot(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Ability(c[0], self.word(c[1]), True, span=self.span(meta))

    def arithmetic(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Arithmetic(str(c[1]), c[0], c[2], span=self.span(meta))

    def negative(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Negative(c[-1], span=self.span(meta))

    def some_has(self, meta: Meta, c: list[Any]) -> Any:
        return self.quantified(meta, "some", c)

    def no_has(self, meta: Meta, c: list[Any]) -> Any:
        return self.quantified(meta, "no", c)

    def every_has(self, meta: Meta, c: list[Any]) -> Any:
        return self.quantified(meta, "every", c)

    def quantified(self, meta: Meta, quantifier: str, c: list[Any]) -> tree.Quantified:
        return tree.Quantified(quantifier, self.word(c[0]), c[1], c[2], span=self.span(meta))

    def those(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Those(self.word(c[0]), c[1], c[2], span=self.span(meta))

    def sum_of(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Fold("sum", c[0], self.word(c[1]), c[2], None, span=self.span(meta))

    def union_of(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Fold("union", c[0], self.word(c[1]), c[2], None, span=self.span(meta))

    def extreme(self, meta: Meta, c: list[Any]) -> Any:
        name = self.word(c[2])
        return tree.Fold(str(c[0]), c[1], name, c[3], c[4], span=self.span(meta))

    def best(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Best(self.word(c[0]), c[1], nodes(c[2:]), span=self.span(meta))

    def conditional(self, meta: Meta, c: list[Any]) -> Any:
        return tree.Conditional(c[0], c[1], c[2], span=self.span(meta))


def is_token(child: Any, kind: str) -> bool:
    """Whether a child of the parse tree is a token of this kind."""
    return isinstance(child, Token) and child.type == kind


def nodes(children: list[Any]) -> tuple[Any, ...]:
    """The children that are nodes of the syntax tree; tokens and markers are left out."""
    return tuple(child for child in children if isinstance(child, tree.Node))


__all__ = ["Builder", "Tree", "span_of"]
