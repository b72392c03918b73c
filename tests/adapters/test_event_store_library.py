"""The event library reads the table that we write, as the projector's login."""

from __future__ import annotations

from eventsourcing.postgres import PostgresApplicationRecorder

from adapters.codec import CODEC
from adapters.database.connections import library_datastore
from domain.ids import wallet_stream
from tests.adapters.event_store_support import as_recorded, deposits, opened, put
from tests.postgres import Database


async def test_the_librarys_recorder_selects_what_we_appended(database: Database) -> None:
    events = [*deposits("a", [1, 2]), *deposits("b", [1], "other"), *deposits("a", [3])]
    async with opened(database.conninfo("writer")) as log:
        await put(log, events)
    datastore = library_datastore(database.conninfo("projector"))
    try:
        recorder = PostgresApplicationRecorder(datastore, events_table_name="stored_events")
        notifications = recorder.select_notifications(start=2, limit=10)
        stream = recorder.select_events(wallet_stream("demo", "a"), gt=1)
        head = recorder.max_notification_id()
    finally:
        datastore.close()
    wanted = as_recorded(events, 1)
    assert head == 4
    assert [(note.id, note.originator_id, note.originator_version) for note in notifications] == [
        (event.position, event.stream, event.version) for event in wanted[1:]
    ]
    assert [CODEC.decode(note.topic, note.state).event for note in notifications] == [e.event for e in wanted[1:]]
    assert [(row.originator_version, CODEC.decode(row.topic, row.state).event) for row in stream] == [
        (event.version, event.event) for event in (wanted[1], wanted[3])
    ]
