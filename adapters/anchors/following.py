"""What follows the log and anchors it: beside the writer, whom it never holds up.

Four times a second it asks for the head. It anchors as soon as 64 events have come, or the first of fewer is ten
seconds old, and once more when it is stopped. An anchor goes out only when the log still holds what the anchor before
says; so a file of anchors never tells of two logs.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import Connection

from adapters.anchors.file import AnchorFile
from adapters.anchors.folder import Folder
from adapters.database.connections import connect
from adapters.database.errors import DatabaseUnreachable
from adapters.signing import Signer
from domain.anchors import FIRST, KIND, MARK_EVERY, Noted, as_payload, digest, marked

if TYPE_CHECKING:
    from adapters.anchors.sink import Sink

EVENTS: Final = 64
SECONDS: Final = 10.0
LOOK_SECONDS: Final = 0.25
SPAN_MOST: Final = 4_096
"""Events that one anchor stands for at most, so that its line stays short."""
_PAUSE_FIRST, _PAUSE_MOST = 0.2, 5.0

_HEAD: Final = "SELECT notification_id FROM stored_events ORDER BY notification_id DESC LIMIT 1"
_HASHES: Final = "SELECT notification_id, encode(hash, 'hex') FROM stored_events WHERE notification_id = ANY (%s)"

log = logging.getLogger("studbook.anchors")


class LogDiffers(Exception):
    """The log does not hold what the last anchor says: it was cut, changed, or is another one."""


class Follower:
    """Works until `stop` is set; faults are logged and waited out. `conninfo` is the projector's login; `now` gives
    the time as text."""

    def __init__(
        self, conninfo: str, folder: Folder, signer: Signer, now: Callable[[], str], sink: Sink | None = None
    ) -> None:
        self._conninfo = conninfo
        self._folder = folder
        self._signer = signer
        self._now = now
        self._sink = sink
        self._waits_since: float | None = None
        self._said = ""

    def run(self, stop: threading.Event) -> None:
        """Anchor until `stop` is set, then once more."""
        pause = _PAUSE_FIRST
        while not stop.is_set():
            try:
                with connect(self._conninfo) as conn:
                    file = AnchorFile.open(self._folder)
                    if file is None:
                        self._tell("another process writes the anchors; this one waits for it")
                    else:
                        pause = self._follow(conn, file, stop, pause)
            except (psycopg.Error, DatabaseUnreachable) as fault:
                self._tell(f"the database: {fault}")
            except LogDiffers as fault:
                self._tell(f"NOT ANCHORED ANY MORE: {fault}", logging.CRITICAL)
                with suppress(OSError):  # the log of this process has it too
                    self._folder.differs.write_text(f"{self._now()} {fault}\n", encoding="utf-8")
            except (OSError, ValueError) as fault:
                self._tell(f"{self._folder.path}: {fault}", logging.ERROR)
            except Exception as fault:  # nothing may end the loop
                self._tell(f"{type(fault).__name__}: {fault}", logging.ERROR)
            stop.wait(pause)
            pause = min(pause * 2, _PAUSE_MOST)

    def _follow(self, conn: Connection, file: AnchorFile, stop: threading.Event, pause: float) -> float:
        try:
            while True:
                is_last = stop.is_set()
                left = self.step(conn, file, is_last=is_last)
                if left is not None:
                    pause = _PAUSE_FIRST
                    self._tell("")
                    self._folder.differs.unlink(missing_ok=True)
                    if self._sink is not None:
                        self._sink.news.set()
                elif is_last:
                    return pause
                if not left:
                    stop.wait(LOOK_SECONDS)
        finally:
            file.close()

    def step(self, conn: Connection, file: AnchorFile, *, is_last: bool = False) -> int | None:
        """One look: None when no anchor was due, else how many events lie behind the one that was written.
        Raises LogDiffers, OSError, psycopg.Error.
        """
        row = conn.execute(_HEAD).fetchone()
        head = int(row[0]) if row else 0
        after = file.last[0].position if file.last else 0
        if head < after:
            raise LogDiffers(f"the log ends at {head}, the last anchor says {after}")
        if not self._is_due(head - after, is_last=is_last):
            return None
        position = min(head, after + SPAN_MOST)
        found: dict[int, str] = dict(conn.execute(_HASHES, [[after, *marked(after, position), position]]).fetchall())
        noted = self._noted(file, found, after, position)
        file.append(noted, self._signer.sign(as_payload(noted), KIND))
        return head - position

    def _is_due(self, behind: int, *, is_last: bool) -> bool:
        if behind == 0:
            self._waits_since = None
            return False
        if self._waits_since is None:
            self._waits_since = time.monotonic()
        if behind < EVENTS and not is_last and time.monotonic() - self._waits_since < SECONDS:
            return False
        self._waits_since = None
        return True

    def _noted(self, file: AnchorFile, found: Mapping[int, str], after: int, position: int) -> Noted:
        previous, number = FIRST, 1
        if file.last is not None:
            before, token = file.last
            if found.get(after) != before.hash:
                raise LogDiffers(f"at position {after} the log holds another hash than the last anchor")
            previous, number = digest(token), before.number + 1
        wanted = [*marked(after, position), position]
        if missing := [one for one in wanted if one not in found]:
            raise LogDiffers(f"the event at position {missing[0]} is missing (every {MARK_EVERY}th is looked at)")
        *marks, last = (found[one] for one in wanted)
        return Noted(number, position, last, tuple(marks), self._now(), previous)

    def _tell(self, text: str, level: int = logging.WARNING) -> None:
        """Once, until it changes."""
        text = " ".join(text.split())
        if text and text != self._said:
            log.log(level, "anchors: %s", text)
        elif not text and self._said:
            log.info("anchors: written again")
        self._said = text
