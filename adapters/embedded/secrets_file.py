"""The random passwords of a cluster, in a file of mode 600 beside it, written once before the cluster is made."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from adapters.database.settings import Role
from adapters.embedded.account import Account
from adapters.embedded.errors import EmbeddedError
from adapters.embedded.folders import new_private_file

SUPERUSER: Final = "postgres"
_NAMES: Final = (SUPERUSER, *(role.value for role in Role))


def passwords_of(path: Path, account: Account, *, cluster_exists: bool) -> Mapping[str, str]:
    """The passwords by role name and `postgres`; made when there is no cluster yet. Raises EmbeddedError."""
    if not path.exists() and not path.is_symlink():
        if cluster_exists:
            raise EmbeddedError(f"embedded database: {path} is missing: bring it back from the backup of the folder")
        _write(path, account, {name: secrets.token_urlsafe(24) for name in _NAMES})
    descriptor = new_private_file(path, account)
    with os.fdopen(descriptor, encoding="utf-8") as file:
        file.seek(0)
        try:
            found = json.load(file)
            return {name: str(found[name]) for name in _NAMES}
        except (ValueError, KeyError, TypeError):
            raise EmbeddedError(f"embedded database: {path} is damaged: bring it back from a backup") from None


def _write(path: Path, account: Account, passwords: Mapping[str, str]) -> None:
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(new_private_file(fresh, account), "w", encoding="utf-8") as file:
        json.dump(dict(passwords), file)
        file.flush()
        os.fsync(file.fileno())
    fresh.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)  # the name is on disk before a cluster is that needs it
    os.close(folder)
