"""The state machine of a checked program, interpreted directly."""

from ludeme.machine.flow import Decide
from ludeme.machine.layout import Cells, Layout, Result
from ludeme.machine.machine import CHANCE, Machine
from ludeme.machine.random import Stream

__all__ = ["CHANCE", "Cells", "Decide", "Layout", "Machine", "Result", "Stream"]
