"""Where the database is that a command works on."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Place(NamedTuple):
    """A PostgreSQL of one's own, or where the embedded one lives."""

    database_url: str | None
    data_dir: Path | None
