"""Small volumes of their own, in memory: they fill up, and are made larger while they are used (F10)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.faults.fault import Skipped

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Volume:
    """A mounted tmpfs."""

    path: Path

    @property
    def free(self) -> int:
        """Bytes that are left."""
        told = os.statvfs(self.path)
        return told.f_bavail * told.f_frsize

    def fill(self, left: int) -> None:
        """Somebody else's file takes all but so many bytes."""
        with (self.path / "somebody-elses-log").open("ab") as file:
            while (room := self.free - left) > 0:
                file.write(b"\0" * min(room, MIB))
                file.flush()

    def resize(self, mib: int) -> None:
        """Make it larger; what lies there stays."""
        _run("mount", "-o", f"remount,size={mib}m", str(self.path))


@contextmanager
def volume(path: Path, mib: int) -> Iterator[Volume]:
    """A volume of so many MiB at this folder. Skipped where we may not mount."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        raise Skipped(
            "mounting a volume takes root and `mount` (Linux): run it as root, or in a container with CAP_SYS_ADMIN"
        )
    path.mkdir(mode=0o755, parents=True)
    _run("mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=0755", "tmpfs", str(path))
    try:
        yield Volume(path)
    finally:
        _run("umount", "-l", str(path))


def _run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=150)
    if done.returncode:
        raise Skipped(f"{' '.join(words[:1])}: {done.stderr.strip()}; it takes CAP_SYS_ADMIN")
