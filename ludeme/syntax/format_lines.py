"""What stands on one line of a description, as text: statements, steps, facts and short items."""

from __future__ import annotations

from functools import singledispatch

from ludeme.syntax import tree
from ludeme.syntax.format_expressions import (
    amount,
    argument,
    atom,
    call,
    closed,
    closed_sum,
    enclosed,
    expression,
    listed,
    ranked,
    template,
)
from ludeme.syntax.wrapping import BREAK, Group, Nest, Text, join


def names(words: tuple[tree.Word, ...]) -> Text:
    """Names with commas."""
    return listed(word.text for word in words)


def parameters(name: str, given: tuple[tree.Parameter, ...], bracketed: bool) -> Text:
    """A name with what it takes."""
    texts = tuple(_parameter(each) for each in given)
    if bracketed:
        return enclosed(f"{name}(", texts, ")")
    return join(" ", (name, *texts))


def _parameter(node: tree.Parameter) -> Text:
    label = f"{node.label} " if node.label else ""
    default = (" = ", expression(node.default)) if node.default is not None else ""
    return (f"{label}{node.name.text}: {node.type.text}", default)


@singledispatch
def line(node: tree.Node) -> Text:
    """The text of a node that fills a line of its own."""
    raise TypeError(f"{type(node).__name__} does not fill a line")


# ---- statements


@line.register
def _choose(node: tree.Choose) -> Text:
    verb = "roll" if node.chance else "choose"
    quantity = (_quantity(node.quantity), " ") if node.quantity else ""
    head = (f"{verb} ", quantity, node.variable.text)
    if node.condition is None:
        return _paired(head, "from", expression(node.domain))
    # The demand is broken off before the set is.
    return _paired((head, " from ", expression(node.domain)), "where", expression(node.condition))


def _quantity(node: tree.Quantity) -> Text:
    return amount(node.low) if node.high is None else (amount(node.low), "..", amount(node.high))


@line.register
def _require(node: tree.Require) -> Text:
    return ("require ", expression(node.condition))


@line.register
def _require_most(node: tree.RequireMost) -> Text:
    return ("require most ", ranked(node.keys))


@line.register
def _let(node: tree.Let) -> Text:
    return assigned(f"let {node.variable.text}", node.value)


def assigned(head: Text, value: tree.Expression) -> Text:
    """`head = value`, the value on the next line if there is no room beside the head."""
    return Group((head, " =", BREAK, Group(expression(value))))


@line.register
def _set(node: tree.Set) -> Text:
    return _paired(("set ", _place(node.place)), "to", expression(node.value))


@line.register
def _raise(node: tree.Raise) -> Text:
    verb = "lower " if node.down else "raise "
    return _paired((verb, _place(node.place)), "by", expression(node.amount))


def _place(node: tree.Place) -> Text:
    if not node.indices:
        return node.name.text
    return enclosed(f"{node.name.text}(", (expression(each) for each in node.indices), ")")


def _paired(first: Text, word: str, second: Text) -> Text:
    return Group((first, BREAK, f"{word} ", Nest(second)))


@line.register
def _put(node: tree.Put) -> Text:
    hand = " from hand" if node.from_hand else ""
    head = ("put ", join(" ", map(atom, node.operands)), hand)
    return _paired(head, "on", expression(node.sites))


@line.register
def _move(node: tree.Move) -> Text:
    return _paired(("move ", closed_sum(node.origin)), "to", expression(node.target))


@line.register
def _swap(node: tree.Swap) -> Text:
    return _paired(("swap ", closed_sum(node.left)), "with", expression(node.right))


@line.register
def _remove(node: tree.Remove) -> Text:
    return ("remove ", expression(node.sites))


@line.register
def _change(node: tree.Change) -> Text:
    return _paired(("change ", closed_sum(node.sites)), "to", expression(node.kind))


@line.register
def _give(node: tree.Give) -> Text:
    return _paired(("give ", closed_sum(node.sites)), "to", expression(node.player))


@line.register
def _mark(node: tree.Mark) -> Text:
    return ("mark " if node.on else "unmark ", atom(node.sites), f" {node.flag.text}")


@line.register
def _clear_board(node: tree.ClearBoard) -> Text:
    return "clear board"


@line.register
def _refill_hands(node: tree.RefillHands) -> Text:
    return "refill hands"


@line.register
def _say(node: tree.Say) -> Text:
    return f"as {template(node.template)}"


@line.register
def _pass(node: tree.Pass) -> Text:
    return "pass"


@line.register
def _again(node: tree.Again) -> Text:
    return "again"


@line.register
def _stop(node: tree.Stop) -> Text:
    return "stop"


@line.register
def _invoke(node: tree.Invoke) -> Text:
    if node.bracketed:
        return call(node.name.text, node.arguments)
    plain = [each for each in node.arguments if each.label is None]
    labelled = [each for each in node.arguments if each.label is not None]
    head = join(" ", (node.name.text, *(closed(each.value) for each in plain)))
    return Group((head, tuple((BREAK, Nest(argument(each))) for each in labelled)))


# ---- steps and ends


@line.register
def _takes(node: tree.Takes) -> Text:
    return f"{node.player.text} takes {node.turn.text}"


@line.register
def _alternate(node: tree.Alternate) -> Text:
    head: Text = f"players alternate {node.turn.text}"
    if node.start is not None:
        head = (head, " from ", expression(node.start))
    more: list[Text] = [head]
    if node.skipping:
        more.append("skipping stuck")
    if node.until is not None:
        more.append(("until ", expression(node.until)))
    return listed(map(Nest, more))


@line.register
def _together(node: tree.Together) -> Text:
    return f"players take {node.turn.text} together"


@line.register
def _go_to(node: tree.GoTo) -> Text:
    return f"go to {node.name.text}"


@line.register
def _finish(node: tree.Finish) -> Text:
    head = (_result(node.result), f" by {node.name.text}")
    if node.condition is None:
        return head
    return _paired(head, "when", expression(node.condition))


def _result(node: tree.Result) -> Text:
    if node.player is None:
        return {"draw": "draw", "decides": "ranking decides"}[node.kind]
    return (closed_sum(node.player), f" {node.kind}")


# ---- facts of examples


@line.register
def _with_option(node: tree.WithOption) -> Text:
    return assigned(f"with {node.name.text}", node.value)


@line.register
def _to_move(node: tree.ToMove) -> Text:
    return f"{node.player.text} to move" + (f" in {node.turn.text}" if node.turn else "")


@line.register
def _play_moves(node: tree.PlayMoves) -> Text:
    return f'play "{node.moves}"'


@line.register
def _legality(node: tree.Legality) -> Text:
    word = "legal " if node.legal else "illegal "
    moves = listed(f'"{move.text}"' for move in node.moves)
    return (word, moves, _for_player(node.player))


def _for_player(player: tree.Word | None) -> str:
    return f" for {player.text}" if player else ""


@line.register
def _move_count(node: tree.MoveCount) -> Text:
    return f"moves {node.count}{_for_player(node.player)}"


@line.register
def _outcome_is(node: tree.OutcomeIs) -> Text:
    if node.name is None:
        return "outcome none"
    who = f"{node.player.text} wins" if node.player else "draw"
    return f"outcome {who} by {node.name.text}"


@line.register
def _expect(node: tree.Expect) -> Text:
    return ("expect ", expression(node.condition))


# ---- parts of items, and items of one line


@line.register
def _table_row(node: tree.TableRow) -> Text:
    return (f"{node.name.text}: ", listed(map(expression, node.values)))


@line.register
def _board_change(node: tree.BoardChange) -> Text:
    if node.shape is not None:
        return ("join ", shape(node.shape))
    assert node.sites is not None
    if node.kind == "keep":
        return ("keep ", expression(node.sites))
    relation = f"{node.relation.text} " if node.relation else ""
    reach = "inside" if node.both else "at"
    return (f"cut {relation}links {reach} ", expression(node.sites))


def shape(node: tree.Shape) -> Text:
    """A board by its name and measures."""
    return enclosed(f"{node.name.text}(", map(expression, node.arguments), ")")


@line.register
def _site_row(node: tree.SiteRow) -> Text:
    return node.row.text


@line.register
def _site_line(node: tree.SiteLine) -> Text:
    sites = [site.text for site in node.sites]
    if node.directions:
        return (" > ".join(sites), ": ", names(node.directions))
    chain = " - ".join(sites)
    if node.point is not None:
        return f"{chain} at {node.point[0]}, {node.point[1]}"
    return f"{chain}: {node.relation.text}" if node.relation else chain


@line.register
def _header(node: tree.Header) -> Text:
    return f'game "{node.title}"' + (f" extends {node.extends.text}" if node.extends else "")


@line.register
def _author(node: tree.Author) -> Text:
    return f'by "{node.name}"'


@line.register
def _option(node: tree.Option) -> Text:
    head = (f"option {node.name.text} = ", expression(node.value))
    help_text = f' "{node.help}"' if node.help is not None else ""
    if not node.choices:
        return (head, help_text)
    return _paired(head, "from", (listed(map(expression, node.choices)), help_text))


@line.register
def _stacks(node: tree.Stacks) -> Text:
    return ("stacks up to ", expression(node.height))


@line.register
def _variable(node: tree.Variable) -> Text:
    owner = "game" if node.owner == "game" else f"each {node.owner}"
    head: list[Text] = [owner, " plans " if node.planned else " has ", names(node.names)]
    if node.index is not None:
        head.append(f" for each {node.index.text}")
    if node.type:
        head.extend((": ", names(node.type)))
    if node.value is not None:
        head.extend((" = ", expression(node.value)))
    traits = (_lasting(node.lasting), _seen(node.seen))
    if node.range is None:
        return (*head, *traits)
    return _paired(tuple(head), "from", (expression(node.range), *traits))


def _lasting(turns: int | None) -> str:
    if turns is None:
        return ""
    return f" lasting {turns} turn" + ("" if turns == 1 else "s")


def _seen(by: str | None) -> str:
    return f" seen by {by}" if by else ""


@line.register
def _seen_part(node: tree.SeenPart) -> Text:
    return (f"{node.part.text} on ", expression(node.sites))


@line.register
def _holds(node: tree.Holds) -> Text:
    held = ((expression(each.count), f" {each.kind.text}") for each in node.holdings)
    return ("each player holds ", listed(held))


@line.register
def _define(node: tree.Define) -> Text:
    word = "relation" if node.relation else "define"
    head = parameters(node.name.text, node.parameters, bool(node.parameters))
    return assigned((f"{word} ", head), node.value)


@line.register
def _ranking(node: tree.Ranking) -> Text:
    ranks = (f"{'highest' if rank.highest else 'lowest'} {rank.name.text}" for rank in node.ranks)
    return ("ranking ", Group(join((",", BREAK, "then "), ranks)))


@line.register
def _drop(node: tree.Drop) -> Text:
    return f"drop {node.kind.text}" + (f" {node.name.text}" if node.name else "")
