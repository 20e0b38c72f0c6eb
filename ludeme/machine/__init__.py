"""The state machine of a checked program, interpreted directly."""

from ludeme.machine.flow import Decide, Result
from ludeme.machine.layout import Cells, Layout
from ludeme.machine.machine import Machine
from ludeme.machine.random import Stream

__all__ = ["Cells", "Decide", "Layout", "Machine", "Result", "Stream"]
