"""Why the embedded database does not start: one line for a person."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from adapters.database.errors import StartRefused

_KNOWN: Final = (
    (r"No space left on device", "the disk that holds {folder} is full"),
    (r"Disk quota exceeded", "the disk quota for {folder} is used up"),
    (r"database files are incompatible", "{folder} was made by another version of PostgreSQL"),
    (r"could not bind|could not create any (TCP/IP|Unix-domain) sockets", "the address is taken: {line}"),
    (r"Cannot allocate memory|could not create shared memory|could not map anonymous", "too little memory: {line}"),
)


class EmbeddedError(StartRefused):
    """The embedded database cannot be used; the text is one line that says why and what to do."""


def explained(output: str, folder: Path, log: Path | None = None) -> EmbeddedError:
    """What PostgreSQL's own words mean for the person who started us."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"(FATAL|PANIC|error|ERROR):", line)] or lines or ["no reason given"]
    line = re.sub(r"^.*?(FATAL|PANIC|error|ERROR):\s*", "", telling[-1])
    where = f" (see {log})" if log else ""
    for pattern, meaning in _KNOWN:
        if re.search(pattern, output):
            return EmbeddedError(f"embedded database: {meaning.format(folder=folder, line=line)}{where}")
    return EmbeddedError(f"embedded database: {line}{where}")


@contextmanager
def file_faults(folder: Path) -> Iterator[None]:
    """Turn faults of files and folders into one line that names the folder."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise EmbeddedError(f"embedded database: the disk that holds {folder} is full") from error
        named = error.filename or folder
        reason = (error.strerror or str(error)).lower()
        raise EmbeddedError(f"embedded database: {named}: {reason}; another folder: --data-dir") from error
