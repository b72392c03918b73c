"""Every connection notices a peer that is gone without a word, and gives up connecting in time."""

from __future__ import annotations

from typing import Any, Final

from psycopg.conninfo import conninfo_to_dict, make_conninfo

_ALIVE: Final = {
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""A peer that is gone is noticed within about ten seconds."""


def guarded(conninfo: str, *, connect_seconds: int = 5, settings: str = "") -> str:
    """The same with bounds on connecting and on silence, where it names none of its own.

    `settings` are server settings for the session, as `-c name=value`, after those that it has.
    """
    parts: dict[str, Any] = {"connect_timeout": str(connect_seconds), **_ALIVE, **conninfo_to_dict(conninfo)}
    if settings:
        parts["options"] = f"{parts.get('options') or ''} {settings}".strip()
    return make_conninfo("", **parts)
