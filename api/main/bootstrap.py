"""The first operator and key of a fresh embedded database, so that a newcomer can call at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from adapters.database.connections import connect
from adapters.database.settings import DatabaseSettings, Role
from adapters.keys import KeyRow, add_key, ensure_operator, is_active
from api.auth import ROLES, NewKey, bootstrap_key, make_key

DEMO: Final = "demo"
"""The operator of a fresh embedded database; its approvers are names (`four_eyes` named)."""

KEY_FILE: Final = "demo.key"


def demo_key(settings: DatabaseSettings, folder: Path, chosen: str | None) -> str | None:
    """The key of the operator `demo`: the one chosen by STUDBOOK_BOOTSTRAP_KEY, or ours, kept beside the cluster. None
    when it has been revoked: it stays so, and `studbook keys` makes another.
    """
    path = folder / KEY_FILE
    if chosen:
        key = bootstrap_key(chosen)
    elif path.exists():
        key = bootstrap_key(path.read_text(encoding="ascii").strip())
    else:
        key = make_key()
        _write(path, key)
    return key.key if _register(settings, key) else None


def _register(settings: DatabaseSettings, key: NewKey) -> bool:
    """Whether the key works."""
    with connect(settings.conninfo(Role.WRITER)) as conn:
        ensure_operator(conn, DEMO, "named")
        return add_key(conn, KeyRow(key.key_id, DEMO, f"{DEMO}-engineer", ROLES, key.hash)) or is_active(
            conn, key.key_id
        )


def _write(path: Path, key: NewKey) -> None:
    """Readable by its owner alone."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(f"{key.key}\n")
