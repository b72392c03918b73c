"""A clock that a test sets for other processes, by libfaketime; the kernel's steady counter stays true (F09)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.faults.fault import Skipped

_PLACES: Final = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib*/faketime/libfaketimeMT.so.1")
_SLEEP: Final = """
import select, time
time.sleep = lambda seconds: select.select([], [], [], seconds) and None
"""
"""libfaketime refuses the call that `time.sleep` makes while the steady counter is true."""


@dataclass(slots=True)
class FakedClock:
    """What processes below it read; `ahead` seconds before the true time."""

    folder: Path
    ahead: float = 0.0

    def environ(self) -> dict[str, str]:
        """For the processes. Skipped where the library is not there."""
        found = [one for pattern in _PLACES for one in Path("/").glob(pattern.lstrip("/"))]
        if not found:
            raise Skipped("libfaketime is not here: apt-get install faketime (Debian, Ubuntu)")
        (self.folder / "site").mkdir()
        (self.folder / "site" / "sitecustomize.py").write_text(_SLEEP, encoding="utf-8")
        self.set(self.ahead)
        paths = os.pathsep.join(filter(None, [str(self.folder / "site"), os.environ.get("PYTHONPATH", "")]))
        return {
            "LD_PRELOAD": str(found[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self.folder / "clock"),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DISABLE_SHM": "1",
            "PYTHONPATH": paths,
        }

    def set(self, ahead: float) -> None:
        """From now on it is so many seconds ahead of the true time (behind: below zero)."""
        self.ahead = ahead
        written = self.folder / "clock.new"
        written.write_text(f"{ahead:+.3f}\n", encoding="utf-8")
        written.replace(self.folder / "clock")

    def set_to(self, moment: datetime) -> None:
        """It is this moment now."""
        self.set(moment.timestamp() - time.time())

    def now(self) -> datetime:
        """What it says."""
        return datetime.fromtimestamp(time.time() + self.ahead, UTC)


@contextmanager
def within(environ: dict[str, str]) -> Iterator[None]:
    """Processes that are started meanwhile have this in their environment; this one has read its own before."""
    before = {name: os.environ.get(name) for name in environ}
    os.environ.update(environ)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
