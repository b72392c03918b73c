"""The files of seals, in the folder of anchors: seals/OPERATOR/DAY.json, and the leaves of the day beside each."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path
from typing import Any, Final

from adapters.anchors.folder import Folder
from adapters.database.errors import StartRefused
from domain.errors import Invalid

SEALS: Final = "seals"
"""The folder of seals, in that of the anchors."""


def seal_path(folder: Folder, operator: str, day: date) -> Path:
    """Where the seal of a day lies."""
    return folder.path / SEALS / operator / f"{day.isoformat()}.json"


def read_seal(path: Path) -> dict[str, Any]:
    """A seal's file. Invalid names it when it is none."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        raise Invalid(f"{path} is no seal that can be read", field="seal") from None
    if not isinstance(found, dict):
        raise Invalid(f"{path} is no seal", field="seal")
    return found


def write_whole(path: Path, text: str) -> None:
    """Whole or not at all, and on disk. StartRefused."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    except OSError as fault:
        raise StartRefused(f"{path}: {fault.strerror}") from None
