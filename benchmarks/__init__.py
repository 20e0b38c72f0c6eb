"""How fast Ludeme plays, beside hand-written C and another engine; see `python -m benchmarks`."""
