"""The native back end against the interpreter, state by state."""
