"""Where anchors may be sent."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

_LOCAL: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def sink_fault(url: str) -> str | None:
    """Why anchors cannot be sent there, None when they can: https, or http to this machine itself."""
    try:
        parts = urlsplit(url)
        local = parts.scheme == "http" and parts.hostname in _LOCAL
        if (parts.scheme == "https" or local) and parts.hostname and parts.username is None:
            return None
    except ValueError:
        pass
    return "it must be an address like https://anchors.example/studbook, without user and password"
