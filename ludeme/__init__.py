"""Ludeme: board games written as text."""
