"""Every description and fragment on the pages is understood."""

from __future__ import annotations

import pytest
from docs.blocks import Block, all_blocks, diagnose, parses

BLOCKS = all_blocks("ludeme")


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_block_is_understood(block: Block) -> None:
    """A block parses, and has a meaning once what it takes for granted is put beside it."""
    assert parses(block.items) == []
    said = diagnose(block.description)
    assert [str(d) for d in said if d.severity == "error"] == []
    if block.is_whole:  # A description in the making may lack its end.
        assert [str(d) for d in said if d.code != "no-end"] == []
