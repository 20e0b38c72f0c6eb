"""Tiny descriptions whose figures can be worked out by hand."""

COIN = """\
-- One stone, and the site says who has won.
game "Coin"
players A, B
board square(2)
piece p

turn as "{c}"
  choose c from empty
  put p on c

end
  A wins by left when count({a1, a2} and mine) = 1
  draw by corner when b1 in mine
  B wins by right when b2 in mine
  draw by luck when count(mine) = 4
"""
"""Four moves, each as likely: A wins twice, B once, one draw; `luck` never decides."""

STUCK = """\
game "Stuck"
players A, B
board square(2)
piece p

turn as "{c}"
  choose c from empty
  put p on c

end
  mover wins by five when count(mine) = 5
"""
"""After four stones, A cannot move, and no rule says what then."""

WALK = """\
game "Walk"
players A, B
board square(3)
piece p
start
  put A p on a1
  put B p on c3
turn as "{o}-{g}"
  choose o from mine
  choose g from neighbours(o) and empty
  move o to g
end
  A wins by surprise when count(occupied) = 9
"""
"""Two pieces that walk about for ever."""

RISKY = """\
game "Risky"
players A, B
board square(2)
piece p
each player has luck = 1 from 0..1
turn as "{c}"
  choose c from empty
  put p on c
  if c = a1: raise luck(mover) by 1
end
  mover wins by calm when count(occupied) = 2
"""
"""A stone on a1 breaks the bounds of `luck`: half of all games, in the first or second decision."""

BOTH = """\
game "Both"
players A, B
board square(2)
piece p
each player plans wish = 0 from 0..3
turn pick together
  one of
    - low as "low"
        set wish(mover) to 1
    - high as "high"
        set wish(mover) to 2
    - top as "top"
        set wish(mover) to 3
reveal pick
  for each player q
    if wish(q) > wish(rival(q)): put q p on a1
end
  A wins by more when a1 in pieces(A)
  B wins by more when a1 in pieces(B)
"""
"""Three plans each, the higher wins, equal ones go on: nine joint choices a decision."""
