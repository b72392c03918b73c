"""The SQL of the writer. Each statement is prepared once per connection; parameters and rows are binary."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from adapters.database.locks import WRITER_LOCK
from adapters.database.settings import QUICK_PLANS

CHANNEL: Final = "studbook_events"
"""Where each commit is announced; the payload is the new head position."""

NEWS_MAX: Final = 10_000
"""A process that is more events behind than this drops what it knows and starts from the head."""

CARRIED: Final = ("wallet.carried.v1", "player.carried.v1", "table.carried.v1", "jackpot.carried.v1")
"""Closing entries, any of which a stream may be read from; the index of schema step 9 holds just these."""

_IS_CARRIED: Final = f"topic IN ({', '.join(repr(name) for name in CARRIED)})"
_COLUMNS: Final = "notification_id, originator_id, originator_version, topic, state, operator_seq, hash"

_INSERT: Final = """
    INSERT INTO stored_events
        (originator_id, originator_version, topic, state, notification_id, operator_seq, hash)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::bigint[], $6::bigint[], $7::bytea[])"""


class Sql(StrEnum):
    """The statements."""

    BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"

    # A statement of its own: what follows gets a snapshot that is taken under the lock.
    LOCK = f"SELECT pg_advisory_xact_lock({WRITER_LOCK})"

    NEWS = f"""
        SELECT {_COLUMNS} FROM stored_events
        WHERE notification_id >= $1::bigint ORDER BY notification_id LIMIT {NEWS_MAX + 2}"""

    HEAD = f"SELECT {_COLUMNS} FROM stored_events ORDER BY notification_id DESC LIMIT 1"

    RECORDS = """
        SELECT r.operator, r.scope, r.key, r.fingerprint, r.status, r.body, r.position
        FROM unnest($1::text[], $2::text[], $3::text[]) AS k (operator, scope, key)
        JOIN idempotency r USING (operator, scope, key)"""

    # Streams that may hold closing entries ($4) are read from their newest one on.
    STREAMS = f"""
        SELECT {_COLUMNS} FROM stored_events WHERE originator_id = ANY ($1::text[])
        UNION ALL
        SELECT e.* FROM unnest($4::text[]) AS s (name) CROSS JOIN LATERAL (
            SELECT {_COLUMNS} FROM stored_events WHERE originator_id = s.name AND originator_version >= coalesce((
                SELECT c.originator_version FROM stored_events c WHERE c.originator_id = s.name AND c.{_IS_CARRIED}
                ORDER BY c.originator_id DESC, c.originator_version DESC LIMIT 1), 1)) e
        UNION ALL
        SELECT e.* FROM unnest($2::text[], $3::text[]) AS p (low, high) CROSS JOIN LATERAL (
            SELECT {_COLUMNS} FROM stored_events WHERE originator_id >= p.low AND originator_id < p.high) e
        ORDER BY originator_id, originator_version"""

    SEQUENCES = """
        SELECT o, coalesce((SELECT max(operator_seq) FROM stored_events WHERE operator = o), 0)
        FROM unnest($1::text[]) AS o"""

    ADD = _INSERT

    APPEND = f"""
        WITH appended AS ({_INSERT}), kept AS (
            INSERT INTO idempotency (operator, scope, key, fingerprint, status, body, position)
            SELECT * FROM unnest(
                $8::text[], $9::text[], $10::text[], $11::bytea[], $12::integer[], $13::bytea[], $14::bigint[])
        )
        SELECT pg_notify('{CHANNEL}', $15::bigint::text)"""

    KEEP = """
        INSERT INTO chat_texts (operator, message, text, salt, posted_at)
        SELECT o, m, t, s, a::timestamptz
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS k (o, m, t, s, a)"""

    COMMIT = "COMMIT"


SESSION: Final = {
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "5s",
    # Look-ups by index only: a plan made while a table was small must not outlive that.
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    **QUICK_PLANS,
}
"""Settings of the writer's session."""
