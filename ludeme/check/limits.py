"""The bounds of the language that the checker and the back ends share."""

LARGEST_NUMBER = 10**9
"""Numbers written down, kept in variables, or given to a name with `set` stay within this."""
LARGEST_SET_NUMBER = 4095
"""Sets of numbers hold 0 to this."""
LARGEST_RESULT = 2**62
"""No number that is worked out may pass this, so that machine words hold all."""
MOST_RUNS = 1_000_000
"""Ways in which a line may choose; more can be neither listed nor counted."""
MOST_NODES = 50_000
"""Expressions of a description, its ludemes written out."""
DEEPEST_NESTING = 100
"""Blocks and expressions within one another, through definitions and ludemes as well."""
