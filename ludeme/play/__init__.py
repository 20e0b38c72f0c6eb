"""Random games: players, playouts and records."""
