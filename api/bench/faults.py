"""What ends a benchmark without a result."""

from __future__ import annotations


class BenchFailed(Exception):
    """The run is no result: something did not start, or what was measured is not what it should be. One line."""
