"""Every connection has bounds of its own, and keeps what its connection string says."""

from __future__ import annotations

from psycopg.conninfo import conninfo_to_dict

from adapters.database.connections import connect
from adapters.database.network import guarded
from adapters.round_watch import RoundWatch
from tests.postgres import Database


def test_a_connection_string_gets_bounds_and_keeps_its_own() -> None:
    parts = conninfo_to_dict(guarded("host=db dbname=x options='-c jit=off' connect_timeout=2", settings="-c a=b"))
    assert (parts["connect_timeout"], parts["keepalives_idle"], parts["tcp_user_timeout"]) == ("2", "5", "10000")
    assert parts["options"] == "-c jit=off -c a=b"


async def test_F03_timers_and_commands_of_the_line_notice_a_peer_that_is_gone_without_a_word(
    database: Database,
) -> None:
    watch = RoundWatch(database.conninfo("projector"))
    await watch.look()
    assert watch._conn is not None  # what it holds is not to be had otherwise
    with connect(database.conninfo("backup")) as conn:
        for one in (watch._conn, conn):
            found = conninfo_to_dict(one.info.dsn)
            assert (found["keepalives_idle"], found["tcp_user_timeout"]) == ("5", "10000")
    await watch.close()
