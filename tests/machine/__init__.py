"""The interpreter: what lines mean, which moves a turn has, and how one is drawn."""
