"""The types and the table of operations of the language."""

from ludeme.kernel.table import EFFECTS, OPERATIONS, OPERATORS, Effect, Operation, Parameter
from ludeme.kernel.types import Type

__all__ = ["EFFECTS", "OPERATIONS", "OPERATORS", "Effect", "Operation", "Parameter", "Type"]
