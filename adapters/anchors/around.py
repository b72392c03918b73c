"""The anchors around a place of the log, found by halving the file: a file of millions of anchors is not read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO, Final

from adapters.anchors.reading import LINE_MOST, payload_of

_LINEAR: Final = 2 * LINE_MOST
"""Bytes that are read line by line."""


def around(path: Path, first: int, last: int) -> tuple[str | None, str | None]:
    """The lines of the last anchor before position `first`, and of the first one at `last` or past it; None where there
    is none. OSError where the file cannot be read, ValueError where a line of it is no anchor.
    """
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        before = _line_before(file, _first_from(file, size, first))
        file.seek(_first_from(file, size, last))
        return before, _whole(file.readline())


def _first_from(file: BinaryIO, size: int, position: int) -> int:
    """Where the first line begins whose anchor is at `position` or past it; the end of the whole lines when none is."""
    low, high = 0, size
    while high - low > _LINEAR:
        file.seek((low + high) // 2)
        file.readline()
        start = file.tell()
        line = _whole(file.readline())
        if line is not None and payload_of(line).position < position:
            low = file.tell()
        else:
            high = start
    file.seek(low)
    while (line := _whole(file.readline())) is not None and payload_of(line).position < position:
        low = file.tell()
    return low


def _line_before(file: BinaryIO, offset: int) -> str | None:
    """The line that ends at an offset."""
    begin = max(0, offset - LINE_MOST)
    file.seek(begin)
    lines = file.read(offset - begin).split(b"\n")
    return lines[-2].decode("ascii", "replace") if len(lines) > 1 else None


def _whole(line: bytes) -> str | None:
    """A line that is written to its end."""
    return line[:-1].decode("ascii", "replace") if line.endswith(b"\n") else None
