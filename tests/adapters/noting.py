"""A log of one wallet that is anchored in a folder of the test's own."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.anchors.file import AnchorFile
from adapters.anchors.folder import Folder
from adapters.anchors.following import Follower
from adapters.anchors.reading import Anchored, lines, read_anchors
from adapters.event_store import PostgresLog
from adapters.signing import Signer, Verifier
from tests.adapters.event_store_support import deposits, put, stored
from tests.postgres import Database

NOW = "2026-11-30T10:00:00Z"
SIGNER = Signer(secrets.token_bytes(32))
STRANGER = Signer(secrets.token_bytes(32))


class Noting:
    """A log of one wallet, what anchors it, and the folder."""

    def __init__(self, database: Database, log: PostgresLog, path: Path) -> None:
        self.database, self.log = database, log
        self.folder = Folder(path / "anchors")
        self.folder.make()
        self.events = 0

    async def put(self, events: int) -> None:
        await put(self.log, deposits("ann", range(self.events + 1, self.events + events + 1)))
        self.events += events

    def follower(self) -> Follower:
        return Follower(self.database.conninfo("projector"), self.folder, SIGNER, lambda: NOW)

    def anchor(self, *, is_last: bool = True) -> bool:
        """One look, and whether an anchor was written."""
        with self.file() as file, self.database.connect("projector") as conn:
            return self.follower().step(conn, file, is_last=is_last) is not None

    @contextmanager
    def file(self) -> Iterator[AnchorFile]:
        file = AnchorFile.open(self.folder)
        assert file is not None
        try:
            yield file
        finally:
            file.close()

    def read(self, *signers: Signer) -> Anchored:
        return read_anchors(self.folder.anchors, Verifier(one.public for one in signers or (SIGNER,)))

    def lines(self) -> list[str]:
        return list(lines(self.folder.anchors))

    def write(self, made: list[str]) -> None:
        self.folder.anchors.write_text("".join(f"{one}\n" for one in made))

    def hashes(self) -> dict[int, set[str]]:
        return {row.position: {row.hash.hex()} for row in stored(self.database)}


def wait(holds: Callable[[], bool]) -> None:
    """Until it holds; AssertionError when it does not."""
    pause = threading.Event()
    for _ in range(1_500):
        if holds():
            return
        pause.wait(0.02)
    raise AssertionError("it did not come")
