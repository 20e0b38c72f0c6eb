"""Rules of the shipped games, written apart from the engine; imports nothing of ``ludeme``.

The modules favour plain reading over speed and share no code with one another, so that a
disagreement between one of them and the engine is worth a look.

Modules: ``constello``, ``constructo``, ``hexslide`` (Astralesce and Constellation), ``consta``, and
of the classics ``connect6``, ``fanorona``, ``international_draughts``, ``knightthrough``,
``konane``, ``pente``, ``slither``, ``small_stratego``, ``sowing`` (Kalah and Oware), ``tablut``,
``tumbleweed`` and ``yavalath``.
Each has ``PLAYERS`` (names in player order) and ``start(**options) -> State``:

- ``constello.start()``
- ``constructo.start(same_pattern=False)``
- ``hexslide.start(game="astralesce", order=4, alone=1)``
- ``consta.start(size=11)``

A ``State`` is a frozen dataclass; ``play`` returns a new one. It offers:

- ``to_move``: the names of those who decide now, in player order; ``()`` when the game is over.
- ``moves(player)``: every legal move of that player as text; ``[]`` if the player decides nothing.
- ``play(move)``: the state after ``move``; ``ValueError`` if it is not legal. A move is one text,
  or in Constello a tuple of two texts in player order.
- ``outcome``: ``None`` while the game lasts, then ``(winner, reason)`` with winner ``None`` for a
  draw. Reasons are "exhaustion" and "passing" (Constello), "towers" (Constructo), "unification"
  and "stalemate" (Astralesce, Constellation), "chain" and "deadlock" (Consta).

Constello adds ``supply(player)``, ``box``, ``scores()`` and ``final_scores``; Constructo adds
``scores()`` (rounds that are over) and ``towers()`` (the board as it stands).

``sampling`` draws legal moves quickly and likes rare clashes.
"""
