"""The SQL of the writer. Each statement is prepared once per connection."""

from __future__ import annotations

from typing import Final

from adapters.database.locks import WRITER_LOCK

CHANNEL: Final = "studbook_events"
"""Where each commit is announced; the payload is the new head position."""

NEWS_MAX: Final = 10_000
"""A process that is more events behind than this drops what it knows and starts from the head."""

_COLUMNS: Final = "notification_id, originator_id, originator_version, topic, state, operator_seq, hash"

BEGIN: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"

# A statement of its own: what follows gets a snapshot that is taken under the lock.
LOCK: Final = f"SELECT pg_advisory_xact_lock({WRITER_LOCK})"

NEWS: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE notification_id >= %s ORDER BY notification_id LIMIT {NEWS_MAX + 2}"""

HEAD: Final = f"SELECT {_COLUMNS} FROM stored_events ORDER BY notification_id DESC LIMIT 1"

RECORDS: Final = """
    SELECT r.operator, r.scope, r.key, r.fingerprint, r.status, r.body, r.position
    FROM unnest(%b, %b, %b) AS k (operator, scope, key) JOIN idempotency r USING (operator, scope, key)"""

STREAMS: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE originator_id = ANY (%b)
    UNION ALL
    SELECT e.* FROM unnest(%b, %b) AS p (low, high) CROSS JOIN LATERAL (
        SELECT {_COLUMNS} FROM stored_events WHERE originator_id >= p.low AND originator_id < p.high) e
    ORDER BY originator_id, originator_version"""

SEQUENCES: Final = """
    SELECT o, coalesce((SELECT max(operator_seq) FROM stored_events WHERE operator = o), 0) FROM unnest(%b) AS o"""

APPEND: Final = f"""
    WITH appended AS (
        INSERT INTO stored_events
            (originator_id, originator_version, topic, state, notification_id, operator_seq, hash)
        SELECT * FROM unnest(%b, %b, %b, %b, %b, %b, %b)
    ), kept AS (
        INSERT INTO idempotency (operator, scope, key, fingerprint, status, body, position)
        SELECT * FROM unnest(%b, %b, %b, %b, %b, %b, %b)
    )
    SELECT pg_notify('{CHANNEL}', %s)"""

COMMIT: Final = "COMMIT"

SESSION: Final = {
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "5s",
    # Look-ups by index only: a plan made while a table was small must not outlive that.
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}
"""Settings of the writer's session."""
