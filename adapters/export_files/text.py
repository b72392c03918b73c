"""Text files, and the hash of any."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import file_digest
from pathlib import Path


def write_text(path: Path, lines: Iterable[str]) -> None:
    """The lines in UTF-8, their ends as they are. Raises OSError."""
    with path.open("w", encoding="utf-8", newline="") as file:
        for line in lines:
            file.write(line)


def hash_of(path: Path) -> tuple[str, int]:
    """SHA-256 in hex, and the size in bytes. Raises OSError."""
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
        return digest, file.tell()
