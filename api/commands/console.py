"""Where tables for people are printed: as wide as the terminal, and wide enough where there is none."""

from __future__ import annotations

import os
import sys
from typing import Final

from rich.console import Console

WIDTH: Final = 120
"""Characters of a line that goes into a file or a pipe, unless COLUMNS says otherwise."""


def console() -> Console:
    """Standard output. What stands in brackets or between colons is text: others may have written it."""
    is_told = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if is_told else WIDTH, markup=False, emoji=False)
