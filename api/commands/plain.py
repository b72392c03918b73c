"""Texts that others wrote, in a form that no terminal takes for a command and no reader for a line of ours."""

from __future__ import annotations

from typing import Final

SHOWN_MOST: Final = 500
"""Letters that are shown; what was written into a database or a document may be as long as it likes."""


def plain(text: object) -> str:
    """In one line: control characters, line ends and marks that turn the direction of text as their numbers."""
    said = str(text)
    shown = said if len(said) <= SHOWN_MOST else f"{said[:SHOWN_MOST]}..."
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in shown)
