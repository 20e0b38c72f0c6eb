"""Counts of sequences of decisions, in tables that anybody can add to."""
