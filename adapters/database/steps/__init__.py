"""The numbered steps of the schema. A step that has been released never changes: its checksum is in every database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib.resources import files
from typing import Final

from psycopg import Connection

from adapters.database.steps.event_table import DECLARES, create_event_table
from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it does (`run`), and the text whose checksum tells whether it is still the same."""

    number: int
    name: str
    text: str
    run: Callable[[Connection], None]

    @property
    def checksum(self) -> str:
        """SHA-256 of the text, in hex."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def _read(file: str) -> str:
    return files(__package__).joinpath(file).read_text(encoding="utf-8")


def _sql_step(number: int, name: str, file: str) -> Step:
    text = _read(file)

    def run(conn: Connection) -> None:
        conn.execute(text.encode())

    return Step(number, name, text, run)


BOOKKEEPING: Final = _read("0000_bookkeeping.sql")
"""The schema and the table of applied steps; goes in with the first step."""

STEPS: Final = (
    Step(1, "event table of the library", DECLARES, create_event_table),
    _sql_step(2, "append-only log", "0002_log.sql"),
    _sql_step(3, "idempotency records", "0003_idempotency.sql"),
    _sql_step(4, "operators and keys", "0004_keys.sql"),
    _sql_step(5, "read models", "0005_views.sql"),
    _sql_step(6, "texts of chat messages", "0006_chat.sql"),
    _sql_step(7, "events that read models pass over", "0007_view_skips.sql"),
    _sql_step(8, "answers that are made late", "0008_late_answers.sql"),
    _sql_step(9, "where closing entries stand", "0009_carried.sql"),
    _sql_step(10, "the journal is not stored", "0010_journal.sql"),
    _sql_step(11, "parts in rounds stored once", "0011_one_play.sql"),
    _sql_step(12, "life of a key", "0012_key_life.sql"),
    _sql_step(13, "access log", "0013_access_log.sql"),
    _sql_step(14, "webhooks", "0014_webhooks.sql"),
    _sql_step(15, "exports", "0015_exports.sql"),
    _sql_step(30, "hashes before an operator's events", "0030_chain.sql"),
    _sql_step(31, "lines of webhooks", "0031_webhook_lines.sql"),
)
