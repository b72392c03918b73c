"""What the codec refuses."""

from __future__ import annotations


class CodecError(Exception):
    """An event that cannot be stored, or stored bytes that are no event; the text is one line and names the fault."""
