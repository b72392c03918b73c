"""Where the cluster lives. Folders that are there keep owner and mode; only those that we make get theirs from us."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from adapters.embedded.account import Account
from adapters.embedded.errors import EmbeddedError, file_faults

ROOT_HOME: Final = Path("/var/lib/studbook")
_OPEN: Final = 0o755
_PRIVATE: Final = 0o700


def default_data_dir(environ: Mapping[str, str]) -> Path:
    """STUDBOOK_DATA_DIR; else as root /var/lib/studbook/data, never below a home; else the user's XDG data folder."""
    if chosen := environ.get("STUDBOOK_DATA_DIR"):
        return Path(chosen)
    if os.geteuid() == 0:
        return ROOT_HOME / "data"
    if (base := environ.get("XDG_DATA_HOME", "")).startswith("/"):
        return Path(base) / "studbook"
    try:
        return Path.home() / ".local" / "share" / "studbook"
    except RuntimeError:
        raise EmbeddedError("embedded database: there is no home folder: choose a --data-dir") from None


def make_folders(folder: Path, account: Account) -> None:
    """Make `folder` for the account alone, and the parents that are missing."""
    with file_faults(folder):
        _make_missing(folder.parent, _OPEN if account.switch else _PRIVATE)
        if _make(folder, _PRIVATE) and account.switch:
            os.chown(folder, account.uid, account.gid)
        if not folder.is_dir():
            raise EmbeddedError(f"embedded database: {folder} is not a folder")
    if account.switch and account.run(["/bin/sh", "-c", 'cd "$1"', "sh", folder]).returncode != 0:
        raise EmbeddedError(
            f"embedded database: the account {account.name} cannot reach {folder}, and PostgreSQL refuses root: "
            f"choose another --data-dir, such as {ROOT_HOME / 'data'}"
        )


def make_open_folder(folder: Path) -> None:
    """Make `folder`, and the parents that are missing, for everyone to read."""
    with file_faults(folder):
        _make_missing(folder, _OPEN)


def _make_missing(folder: Path, mode: int) -> None:
    for path in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        _make(path, mode)


def _make(path: Path, mode: int) -> bool:
    try:
        path.mkdir(mode=mode)
    except FileExistsError:
        return False
    path.chmod(mode)  # whatever the umask; the folder is ours, made just now
    return True


def new_private_file(path: Path, account: Account) -> int:
    """Open a file of mode 600 for the account, made when missing; never through a symbolic link. The descriptor."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return os.open(path, flags)
    account.own(descriptor)
    return descriptor
