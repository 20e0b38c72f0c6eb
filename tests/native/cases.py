"""Small descriptions by hand: each has something that the engines once did differently, or might.

`CASES` gives name and text. All are run in lock step; what they use counts in `test_constructs`.
"""

from __future__ import annotations

HEAD = """game "Case"
players Ann, Bob
board square(3)
piece man
"""
LAST = """end
  draw by length when turns >= 12
"""

CASES: dict[str, str] = {}


def case(name: str, text: str) -> None:
    """Add a description."""
    CASES[name] = text


def simple(
    name: str, body: str, items: str = "", board: str = "square(3)", last: str = LAST
) -> None:
    """Add a description of one turn for two players with one kind of piece."""
    head = HEAD.replace("square(3)", board)
    lines = "\n".join("  " + line for line in body.strip("\n").split("\n"))
    case(name, head + items.strip("\n") + "\nturn\n" + lines + "\n" + last)


# ---- nobody and no kind

simple(
    "nobody has an empty hand",
    """
choose cell from board
if held(owner(cell), kind(cell)) = 0 and no hand(owner(cell))
  put man on cell and empty
""",
    "each player holds 3 man\neach player has worth for each kind = 4 from 0..9",
)
simple(
    "nobody has passed",
    """
one of
  - place
      choose cell from board
      if passed(owner(cell)): remove cell
      else: put man on cell and empty
  - wait
      pass
""",
    last="end\n  draw by waiting when skips = 2\n  draw by length when turns >= 12\n",
)
simple(
    "what nobody and no kind have is the first value",
    """
choose cell from empty
put man on cell
set worth(man) to min(9, worth(kind(a1)) + value(owner(b1)) + debt(owner(c1), owner(a2)))
set value(mover) to min(9, worth(kind(c3)) + price(owner(b2), kind(b2)))
""",
    """
game has worth for each kind = 4 from 0..9
game has value for each player = 3 from 0..9
each player has debt for each player = 2 from 0..9
each player has price for each kind = 1 from 0..9
""",
)
for variable, place in (
    ("game has worth for each kind = 4 from 0..9", "worth(kind(cell))"),
    ("game has value for each player = 3 from 0..9", "value(owner(cell))"),
    ("each player has debt for each player = 2 from 0..9", "debt(mover, owner(cell))"),
    ("each player has price for each kind = 1 from 0..9", "price(owner(cell), man)"),
    ("each player has gain for each site = 1 from 0..9", "gain(owner(cell), a1)"),
):
    simple(
        f"writing {place} of an empty site is a fault",
        f"choose cell from board\nput man on cell and empty and top\nraise {place} by 1",
        variable,
    )
simple(
    "a piece can be put for nobody in a loop over players",
    """
choose cell from empty
for each p in {nobody, Ann}
  put p man on cell and (if p = Ann then nothing else board)
""",
)

# ---- numbers

simple(
    "a name that grows past a thousand million is a fault",
    """
choose n from 1..3
let big = 400000000
set big to big * n
as "{n}"
""",
)
simple(
    "what several members raise is looked at when all is added",
    """
choose cell from empty
put man on cell
for each s in board
  raise tally by 10
""",
    "game has tally = 0 from 0..10",
    board="square(16, 8)",
)
simple(
    "a sum may leave the range on the way",
    """
choose cell from empty
put man on cell
for each s in board
  raise tally by 9 - 18 * count(top and s) * 0
  lower tally by 9
""",
    "game has tally = 0 from -1..1",
)
simple(
    "divisions round down and a division by naught is a fault",
    """
choose n from 0..6
let m = 3 - n
set tally to max(-99, min(99, (tally - 7) / m + (7 - tally) mod m))
as "{n}"
""",
    "game has tally = 5 from -99..99",
)
simple(
    "sets of numbers that are known only in play",
    """
choose n from tally..min(tally + 2, 60)
choose m from {n} or (those k in 1..3 where k in 0..n)
set tally to min(60, n + m)
as "{n},{m}"
""",
    "game has tally = 1 from 0..60",
)
simple(
    "numbers above 63 are left to the interpreter",
    """
choose n from tally..(tally + 1)
set tally to min(99, n + 20)
as "{n}"
""",
    "game has tally = 1 from 0..99",
)

# ---- what is written at once

simple(
    "two members that write differently are a fault",
    """
choose cell from empty
put man on cell
for each s in neighbours(cell) and occupied
  set heat(a1) to count(neighbours(s))
""",
    "each site has heat = 0 from 0..9",
)
simple(
    "sets of sites are written at once",
    """
choose cell from empty
put man on cell
for each p in players
  set area(p) to neighbours(cell) and not pieces(p)
for each p in players, each s in top
  set area(p) to area(rival(p)) or board
""",
    "each player has area: sites",
    board="square(12)",
)
simple(
    "put and move at one place clash",
    """
choose cell from empty
put man on cell
for each s in theirs and neighbours(cell)
  move s to cell
  remove cell
""",
)
simple(
    "change, give, mark and swap at once",
    """
choose cell from empty
put man on cell
for each s in board, each p in players
  if s in mine and p = mover
    change s to man
    mark s hot
  else if s in theirs and p != mover
    give s to p
  if s = cell and p = mover: swap a1 with s
""",
    "each site has hot lasting 1 turn",
)
simple(
    "all is asked before anything is written, in a definition too",
    """
choose cell from empty
put man on cell
for each s in board
  if near(s) > 2: remove s
for each s in board
  if strong: mark s hot
""",
    """
each site has hot
define near(s: site) = count(neighbours(s) and mine)
define strong = joined(mine, from left, to right)
""",
    last="""end
  mover wins by chain when strong and turns > 4
  draw by length when turns >= 12
""",
)

# ---- what another turn is asked while one is compiled

case(
    "whether others can move is asked at once",
    HEAD
    + """define able = (sum (if p can chain then 1 else 0) for p in players) > 1
turn chain
  choose cell from mine
  as "{cell}"
  let here = cell
  repeat 1..2 times while possible
    choose goal from empty and neighbours(here)
    move here to goal
    set here to goal
    as "-{goal}"
turn drop
  choose cell from empty
  put man on cell
  choose other from board
  as "{cell}{other}"
start
  put Ann man on a1
  put Bob man on c3
play
  Ann takes drop
  repeat
    players alternate drop from Bob, until turns mod 3 = 0 or able
    players alternate chain, skipping stuck, until mover cannot chain and next can drop
end
  draw by stuck when every p in players has p cannot chain and turns > 5
"""
    + LAST.replace("end\n", ""),
)

# ---- prints

simple(
    "runs that print alike must agree on again",
    """
choose cell from empty
put man on cell
one of
  - one as "{cell}"
      if cell in top: again
  - two as "{cell}"
      require turns > 0
""",
)
simple(
    "runs that print alike must agree on passing",
    """
one of
  - place as "{cell}"
      choose cell from empty
      put man on cell
  - one
      require turns > 3
      pass
  - two as "pass"
      require turns > 3
""",
)
simple(
    "digits beside digits print as they do in a text",
    """
one of
  - one as "{n}2"
      choose n from 1..2
      set tally to 1
  - two as "{m}"
      choose m from {2, 12, 22}
      set tally to 1
  - three as "-{k}"
      choose k from 1..2
      set tally to 1
  - four as "{0 - j}"
      choose j from 1..3
      set tally to 1
""",
    "game has tally = 0 from 0..9",
)
simple(
    "sets, players, kinds and directions are printed",
    """
choose 0..2 cells from empty
choose p from others(mover)
choose way from {north, east}
put p man on cells
as "{cells} {p}"
for each s in cells
  as "{s}"
  if s in top: as "top {way}"
repeat 0..1 times or stop
  choose cell from empty
  as "{kind(cell)}"
""",
)
simple(
    "a run that notes fewer numbers comes behind",
    """
one of
  - jump
      choose cell from empty and not top
      put man on cell
      as "{cell}"
      require most count(neighbours(cell) and occupied) - 1
  - walk
      choose cell from empty and top
      put man on cell
      as "{cell}"
  - leap
      choose cell from empty
      put man on cell
      as "{cell}"
      require most count(neighbours(cell) and occupied) - 1, then 0 - count(cell and right)
""",
)

# ---- large types

simple(
    "words beyond the hundred and twenty-eighth",
    """
choose cell from empty
put man on cell
if mood = w0: set mood to w199
else if mood = w199: set mood to w130
else: set mood to w0
""",
    "game has mood: " + ", ".join(f"w{i}" for i in range(200)),
)
simple(
    "sets, numbers and long flags travel with a piece",
    """
one of
  - place
      choose cell from empty
      put man on cell
      set area(cell) to neighbours(cell) or right
      set charge(cell) to 999999999
      mark cell tired
  - step
      choose cell from mine
      choose goal from board where height(goal) < 3 and goal != cell
      move cell to goal
  - swap
      choose a from mine
      choose b from area(a) and occupied
      swap a with b
""",
    """
stacks up to 3
each piece has area: sites
each piece has charge = 7 from -999999999..999999999
each piece has tired lasting 70 turns
each piece has dazed lasting 9 turns
each piece has aim: site = b1
""",
    board="square(9)",
    last="end\n  draw by length when turns >= 30\n",
)
case(
    "sets of three words travel with a piece",
    CASES["sets, numbers and long flags travel with a piece"].replace("square(9)", "square(13)"),
)
simple(
    "pieces are put where others have been put before in the turn, and beside",
    """
choose cell from empty
put man on cell
put man on (neighbours(placed) and empty and row(2))
if count(placed) < 3: put man on (neighbours(placed) and empty)
""",
    board="square(9)",
)
simple(
    "two hundred pieces on one site",
    """
choose n from 1..2
put (n * 50) man on a1
if height(a1) > 150: remove a1
as "{n}"
""",
    "stacks up to 200",
)
simple(
    "pieces are lifted, buried and given with what is noted on them",
    """
choose cell from board
put man on cell
mark cell gold
raise heat(cell) by 1
one of
  - away
      choose other from board where height(other) < 2 and other != cell
      move cell to other
  - off
      choose gone from mine
      remove gone
""",
    "stacks up to 3\neach piece has gold\neach piece has heat = 0 from 0..5",
)

# ---- the board

simple(
    "a line longer than any ring is none, a ring is a line of all its nodes",
    """
choose cell from empty and ring(1)
put man on cell
""",
    board="wheel(5, 2)",
    last="""end
  mover wins by never when line(6, among occupied)
  mover wins by much when line(1000, among occupied)
  next wins by round when line(5, among occupied) and run(a1, among occupied) = 5
  draw by filling when no (empty and ring(1))
""",
)
for shape in ("square(5)", "wheel(6, 3)", "hexagon(6)", "square(13)"):
    simple(
        f"lines of a length that is known only in play on {shape}",
        """
choose cell from empty and (ROW or those s in empty where neighbours(s) in ROW)
put man on cell
""".replace("ROW", "ring(1)" if shape.startswith("wheel") else "row(1)"),
        board=shape,
        last="""end
  mover wins by line when line(2 + turns / 4, among mine)
  next wins by ring when line(turns - 3, among occupied) and turns > 5
  draw by length when turns >= 24
""",
    )
simple(
    "rays that fall on boards of every number of words",
    """
choose a from empty and column(3)
put man on a
mark slide(a, over empty, along {south, west}) hot
set tally to min(999, count(hot) + count(seen(a, over empty, along south)) + run(a, among hot))
""",
    "game has tally = 0 from 0..999\neach site has hot lasting 1 turn",
    board="square(12)",
)
for shape in ("square(17)", "square(20)", "square(21, 21)"):
    name = "rays that fall on boards of every number of words"
    case(f"{name}: {shape}", CASES[name].replace("square(12)", shape))
simple(
    "headings on a board of many sites",
    """
choose a from {a1, c9, r18} or mine and column(4)
choose b from {c3, i9, r1}
let way = count(heading(a, b))
put man on path(a, b) and empty and row(9)
set seen_so_far to min(99, seen_so_far + way + count(between(a, b)))
as "{a}{b}"
""",
    "game has seen_so_far = 0 from 0..99",
    board="square(18)",
)
simple(
    "rays round a large wheel",
    """
choose a from empty and ring(2)
put man on a
let far = seen(a, over empty)
set tally to min(999, count(slide(a, over empty)) + count(path(a, a2)) + run(a, among not far))
mark far hot
""",
    "game has tally = 0 from 0..999\neach site has hot lasting 2 turns",
    board="wheel(30, 9)",
)
for shape, way in {
    "square(8)": "orthogonal",
    "square(11)": "diagonal",
    "square(3, 20)": "{north, east, southwest}",
    "wheel(8, 3)": "compass",
    "hexagon(4)": "compass",
}.items():
    simple(
        f"slides and looks by tables on {shape}",
        """
choose a from empty
put man on a
let far = slide(a, over empty, along {way}) or seen(a, over empty)
set tally to min(999, count(slide(a, over empty)) + count(far) + count(seen(a, over hot)))
mark slide(a, over empty) hot
""".replace("{way}", way),
        "game has tally = 0 from 0..999\neach site has hot lasting 2 turns",
        board=shape,
    )
case(
    "a slide is drawn behind an effect, among many and among few",
    """
game "Case"
players Ann, Bob
board square(6)
piece man
each site has lit lasting 3 turns
start
  put Ann man on {a1, c1, e1}
  put Bob man on {b6, d6, f6}
turn as "{who} {way}: {goal}/{shot}"
  choose who from mine
  choose way from compass
  choose goal from step(who, along way) and empty
  mark who lit
  move who to goal
  choose shot from slide(goal, over empty)
  require shot not in lit
  put Bob man on shot
end
  mover wins by blockade when next cannot move
""",
)

# ---- families

simple(
    "a family is made before the first is gone through",
    """
choose cell from empty
put man on cell
one by one g in those h in groups(occupied, along orthogonal) where count(occupied) > 4
  remove (those s in g where count(neighbours(s) and occupied) > 0)
""",
    board="square(4)",
)
simple(
    "all of a family is made even where the first settles it",
    """
choose cell from empty
put man on cell
let parts = 7
let far = some g in those h in groups(mine, along orthogonal) where 6 / (3 - count(h)) > 0
  has count(g) < parts
if far: mark cell hot
""",
    "each site has hot",
    board="square(5)",
    last="end\n  draw by length when turns >= 25\n",
)
simple(
    "definitions take and give families",
    """
choose cell from empty
put man on cell
set tally to min(99, widest(groups(mine)) + count(lines_of(mover)) + sizes(rows, 2))
mark (best g in lines_of(mover) by count(g), then count(g and mine)) hot
""",
    """
game has tally = 0 from 0..99
each site has hot
define widest(f: family) = largest count(g) for g in f else 0
define sizes(f: family, n: number) = sum (if count(g) > n then 1 else 0) for g in f
define lines_of(p: player) = those r in rows where some (r and pieces(p))
""",
)
simple(
    "how many are chosen is known only in play",
    """
choose 0..(count(mine) + 1) cells from empty and not top
put man on cells
as "{cells} "
""",
)
simple(
    "a family that is chosen from one by one, with decisions between",
    """
choose cell from empty
put man on cell
one by one s in neighbours(cell) and empty
  choose p from players
  if p = mover: put man on s
as "{cell} {occupied}"
""",
)
simple(
    "every quantifier, fold and comparison of sets",
    """
choose cell from empty
  where no r in rows has r in occupied and cell in r
put man on cell
if every s in mine has (some t in neighbours(s) has t in empty) and mine != theirs
  mark (union neighbours(s) for s in theirs) hot
if (those s in hot where s in occupied) = (hot and occupied): unmark hot hot
set tally to max(-9, min(9, -tally + abs(smallest height(s) for s in mine else 2)))
if {Ann, Bob} in (those p in players where no pieces(p)) or mover = Bob and not (tally > 2)
  change cell to man
""",
    "each site has hot\ngame has tally = 3 from -9..9",
)

# ---- turns and flow

case(
    "three players, one of them stuck for good",
    """game "Case"
players Ann, Bob, Cid
board hexagon(3)
pieces man, king
neutral piece rock
each player has gold = 1 from 0..9 lasting 2 turns
each player has aim: site = a1
start
  put Ann man on a1
  put Bob king on c3
  put rock on e5
turn
  one of
    - step as "{own}-{goal}"
        choose own from mine
        choose goal from empty and neighbours(own)
        move own to goal
        set aim(mover) to goal
        raise gold(next) by 1
    - give as "give {own}"
        choose own from mine and king
        choose p from others(mover)
        give own to p
        as " to {p}"
        again
play
  players alternate move from Cid, skipping stuck
end
  ranking decides by length when turns >= 20
  next loses_to_nobody
ranking highest gold
""".replace("  next loses_to_nobody\n", ""),
)
case(
    "rounds, phases and ways of ending",
    HEAD
    + """each player holds 2 man
each player has points = 0 from 0..99
game has lap_total = 0 from 0..99
turn drop
  one of
    - place as "{cell}"
        choose cell from empty
        choose piece from hand(mover)
        put piece from hand on cell
    otherwise idle
        pass
play
  for starter in players
    refill hands
    for lap in 1..2
      starter takes drop
      raise lap_total by lap
    players alternate drop from starter, until passes >= 2
    clear board
    for each p in players
      raise points(p) by count(pieces(p)) + 1
  if lap_total > 5
    go to late
  phase late
    repeat until turns > 30
      Bob takes drop
      if points(Ann) = 3
        Ann takes drop
      else if points(Ann) > 90
        draw by plenty
    Bob loses by exhaustion
ranking highest points, then lowest points
end
  ranking decides by length when turns >= 60
  mover wins by skips when skips > 3
""",
)
case(
    "plans, a table of orders, and passing together",
    """game "Case"
players Ann, Bob, Cid
board square(3)
piece man
each player plans order for each site: none, aiming, waiting
each player plans stake = 0 from 0..2
each player plans bid for each player = 0 from 0..3
each player has coins = 5 from 0..40
turn plot together joined by " "
  one of
    - bold as "bold {cell}"
        choose cell from empty
        set order(mover, cell) to aiming
        set stake(mover) to 1
        for each q in others(mover)
          set bid(mover, q) to 1
    - meek
        set stake(mover) to 0
        pass
reveal plot
  for each player p, each s in empty
    if every q in others(p) has order(q, s) != aiming
      match order(p, s), stake(p)
        aiming, 1: put p man on s
        waiting, any: raise coins(p) by 1
        else: lower coins(p) by 0
  for each player p
    raise coins(p) by sum bid(q, p) for q in others(p)
ranking highest coins, then highest area
define area(p: player) = count(pieces(p))
end
  draw by peace when every p in players has passed(p)
  ranking decides by filling when count(occupied) > 7
  ranking decides by length when turns > 15
""",
)
simple(
    "an endless circle in which nobody decides is a fault",
    "choose cell from empty\nput man on cell",
    last="""play
  Ann takes move
  Bob takes move
  repeat until turns > 9
    if turns > 20
      Ann takes move
end
  draw by length when turns >= 12
""",
)
simple(
    "nobody is to begin, or to win",
    "choose cell from empty\nput man on cell",
    "game has leader: player",
    last="""play
  Ann takes move
  for who in players
    if who = Bob
      players alternate move from owner(c3), until turns > 4
  draw by length
end
  draw by never when turns > 40
""",
)
simple(
    "a winner that is nobody is a fault",
    "choose cell from empty\nput man on cell",
    last="""end
  owner(b2) wins by middle when turns > 3
""",
)
simple(
    "steps, slides and relations in directions known only in play",
    """
choose own from mine or {b2}
choose goal from empty
  and (step(own, along ahead(mover)) or slide(own, over empty, along heading(a1, own)))
put man on goal
if some (neighbours(goal, along ahead(next)) and mine)
  remove reach(from goal, among occupied, along heading(goal, own)) and theirs
let across = joined(mine, from left, to right, by near)
if across or joined(occupied, from bottom, to top, by ahead(mover))
  remove group(goal, among occupied, along near)
as "{own}{goal}"
""",
    """
relation near(s: site, t: site) = owner(s) = owner(t) and s != t
define unused_groups = groups(mine, along orthogonal)
""",
)
CASES["steps, slides and relations in directions known only in play"] = CASES[
    "steps, slides and relations in directions known only in play"
].replace("players Ann, Bob\n", "players Ann, Bob\n  ahead: {north, east}, {south, west}\n")

# ---- chance

case(
    "chance rolls, and refuses some of what it rolled",
    HEAD
    + """game has total = 0 from 0..30
game has drawn: sites
turn throw as "{dice} {colour}"
  roll dice from 1..6
  roll colour from players where colour != nobody and (dice > 2 or colour = Ann)
  require dice mod 2 = 1 or count(occupied) > 2
  set total to dice
turn place
  choose c from empty
  put man on c
play
  repeat
    chance takes throw
    Ann takes place
    chance takes shuffle
    Bob takes place
turn shuffle as "{two}"
  roll 2..3 two from empty
  set drawn to two
end
  draw by length when count(occupied) >= 6
  mover wins by luck when total = 5 and count(occupied) > 4
""",
)
case(
    "a roll that can never be carried out is a fault",
    HEAD
    + """turn throw
  roll dice from 1..6
  require dice > 6
turn place
  choose c from empty
  put man on c
play
  repeat
    Ann takes place
    chance takes throw
end
  draw by length when turns >= 4
""",
)

# ---- earlier positions

case(
    "positions are remembered, with what lies below and what is held",
    """game "Case"
players Ann, Bob
board square(3, 2)
piece man
piece king
stacks up to 3
each player holds 5 man, 2 king
each player has mood = 0 from -3..3
turn
  one of
    - add as "{cell}{which}"
        choose cell from board where height(cell) < 3
        choose which from {man, king}
        put which on cell
        set mood(mover) to if mood(mover) < -2 then 3 else mood(mover) - 1
        require repeats(board, mood(Ann), occupied, kind(a1)) = 0
    - take as "-{cell}"
        choose cell from occupied
        remove cell
        require repeats(position, mood(Bob)) < 2
    - exchange as "{a}~{b}"
        choose a from occupied
        choose b from occupied and not {a}
        swap a with b
end
  mover wins by cycle when repeats(position) = 2
  draw by length when turns >= 60
""",
)
case(
    "positions are remembered where players are skipped and decide together",
    HEAD
    + """each player plans spot: sites
turn place
  choose c from empty
  require mover = Ann or count(occupied) < 5 or turns mod 3 = 0
  put man on c
  if count(occupied) > 6: remove mine
turn aim together
  choose c from top
  set spot(mover) to {c}
reveal aim
  for each player p
    remove pieces(p) and spot(rival(p))
play
  repeat
    players take aim together
    players alternate place from Ann, skipping stuck, until turns mod 4 = 3
end
  draw by cycle when repeats(board) > 1
  draw by length when turns >= 40
""",
)

# ---- tables of the board

simple(
    "leaps, mirrors, flanks and what is opposite",
    """
choose c from leap(mine, 1, 2) or mirrored(theirs) or corners
let way = turned(mover) or {north}
choose d from flanks(way) or opposite(turned(mover)) or opposite(heading(a1, c))
put man on c and empty
set turned(mover) to flanks({d})
remove leap({c}, 0, 1) and mirrored({c})
""",
    "each player has turned: directions",
)

# ---- what takes more room than other things


def turn(name: str, body: str, items: str = "") -> None:
    """Add a description on a board of nine cells that has no more than a turn."""
    case(name, HEAD + items + "turn\n" + body + LAST)


turn("five things at once", "  choose 5 cells from empty\n  put man on cells\n")
case(
    "any number of things at once, chosen and rolled",
    HEAD
    + """game has n = 3 from 0..9
turn act
  one of
    - some_of as "{cells}"
        choose 1..n cells from empty
        put man on cells
        set n to (n + 2) mod 7
    - five_of as "five {cells}"
        choose 0..5 cells from occupied
        remove cells
        require count(cells) mod 2 = 1
    otherwise none_of
        pass
turn throw as "{cells}"
  roll 2..6 cells from board
  put Ann man on cells and empty
  remove cells and corners
play
  repeat
    players alternate act from Ann, until turns mod 3 = 1
    chance takes throw
end
  draw by length when turns > 12
""",
)
turn(
    "decisions for each set of a family",
    '  one by one r in rows\n    choose c from r\n    put man on c and empty\n  as "{occupied}"\n',
)
turn(
    "decisions for each group, of which the turn makes more",
    "  choose first from empty\n  put man on first\n  one by one g in groups(mine)\n"
    "    choose c from neighbours(g) or g\n    if c in empty: put man on c\n"
    '    as "{c}"\n',
)
turn(
    "`require most` in a chain",
    "  repeat 1..2 times or stop\n    choose c from empty\n    put man on c\n"
    '    as "{c}"\n    require most count(mine)\n',
)
turn("numbers above 63", "  choose n from 60..70\n")
turn("a range up to a number above 63", "  choose n from count(mine)..64\n")
turn(
    "all numbers but one",
    "  choose c from empty\n  put man on c\n  let rest = not drawn and not {count(mine)}\n"
    "  set drawn to drawn or {count(mine)} or those n in 90..100 where n not in rest\n"
    "  require 4000 in rest or c in top\n",
    "game has drawn: numbers\n",
)
turn(
    "a family with a name",
    "  let parts = groups(mine)\n  choose c from empty\n"
    "  require count(parts) < 3\n  put man on c\n"
    "  let after = groups(mine)\n  require some g in after has count(g) > 1 or turns < 6\n",
)
turn(
    "a family with a name in `for each`",
    "  choose c from empty\n  put man on c\n  for each s in mine\n"
    "    let parts = groups(mine)\n    if no g in parts has count(g) > 2: mark s alone\n",
    "each site has alone\n",
)
turn(
    "one family or another",
    "  choose c from empty\n  put man on c\n"
    "  require no r in (if turns > 2 then rows else columns) has count(r and mine) > 2\n",
)
turn(
    "two families compared",
    "  choose c from empty\n  put man on c\n"
    "  require groups(mine) != groups(occupied) or turns < 5\n",
)
turn(
    "a definition of families of what it makes itself",
    "  choose c from empty\n  put man on c\n"
    "  require 1 < count(large(large(groups(occupied), 0), 1)) or turns < 6\n",
    "define large(parts: family, n: number) = those g in parts where count(g) > n\n",
)
case(
    "sets of more than 64 words",
    HEAD
    + "game has mood: "
    + ", ".join(f"w{i}" for i in range(70))
    + "\nturn\n  choose w from {w1, w2, w65, w69}\n  set mood to w\n"
    + LAST,
)
case(
    "a very large state",
    HEAD.replace("square(3)", "square(64)")
    + "each site has a, b, c: sites\nturn\n  choose s from top and empty\n  put man on s\n"
    + "  set b(s) to mine\n"
    + LAST,
)
