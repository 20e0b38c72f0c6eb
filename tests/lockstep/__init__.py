"""Games played on the engine and on the independent rules at once, compared at every decision."""
