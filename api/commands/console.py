"""Where tables for people are printed: as wide as the terminal, and wide enough where there is none."""

from __future__ import annotations

import errno
import os
import sys
from typing import Final

from rich.console import Console

WIDTH: Final = 120
"""Characters of a line that goes into a file or a pipe, unless COLUMNS says otherwise."""


class Screen(Console):
    """Standard output, as wide as rich takes it to be."""

    def on_broken_pipe(self) -> None:
        """Its reader has gone: told like every other command's (see api.cli), not as a failed check."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console() -> Console:
    """Standard output. What stands in brackets or between colons is text: others may have written it."""
    is_told = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Screen(width=None if is_told else WIDTH, markup=False, emoji=False)
