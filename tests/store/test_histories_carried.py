"""Histories with frequent closing entries on the real store, and a house that starts again from them (F21)."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.event_store import PostgresLog
from domain.carrying import CARRIED
from domain.wallets.events import WalletCarried
from tests.adapters.projecting import catch_up
from tests.domain.showdowns import EURO
from tests.postgres import Database
from tests.store.commands import studbook
from tests.store.support import audit_of, events_of
from tests.store.test_histories import played, steps
from tests.store.test_tampered_log import chain_anew, rows_of, set_state
from tests.support.casino import Casino, Play
from tests.support.machine import Machine, Step, Terms
from tests.support.strategies import any_terms


class Twice(Machine):
    """Stops at twice as many commands as the usual history has."""

    most = 80


@settings(
    max_examples=15,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
@given(any_terms, steps, st.integers(2, 5))
def test_laws_chain_and_replay_hold_with_closing_entries_everywhere(
    database: Database, under: Terms, history: list[Step], every: int
) -> None:
    with database.tamper() as conn:
        conn.execute("TRUNCATE stored_events, idempotency")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("domain.carrying.CARRY_EVERY", every)
        twice = [*history, Step("restart", 0, 1, 0), *history]
        position = asyncio.run(played(database, lambda log: Twice(under, log), twice))
    found = audit_of(database)
    assert (found.findings, found.events) == ((), position)


async def told(database: Database) -> None:
    """Rounds at one table, with another house for each."""
    log = PostgresLog(database.conninfo("writer"))
    async with Casino(log) as casino:
        await casino.jackpot("j", EURO)
        await casino.table("t", EURO, jackpot="j")
        await casino.player("ann", deposit=100_000)
        for _ in range(4):
            await casino.throw_away()
            await casino.played("t", {"ann": Play(1)})
        casino.compare()
    await log.aclose()


async def test_F21_a_wrong_closing_entry_with_every_hash_made_anew_is_found_at_its_position(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domain.carrying.CARRY_EVERY", 4)
    await told(database)
    closing = [one for one in events_of(database) if isinstance(one.event, WalletCarried)]
    assert len([one for one in events_of(database) if isinstance(one.event, CARRIED)]) > len(closing) > 1
    await asyncio.to_thread(catch_up, database)
    assert audit_of(database).findings == ()
    with database.tamper() as conn:
        row = rows_of(database)[closing[0].position - 1]
        told_minor = b'"available_after_minor":'
        assert row.state.count(told_minor) == 1
        set_state(conn, row, row.state.replace(told_minor, told_minor + b"9"))
        chain_anew(database, conn)
    (found,) = audit_of(database).findings
    assert (found.check, found.position) == ("ledger", closing[0].position)
    assert "a closing entry says available_after_minor 9" in found.reason
    done = await asyncio.to_thread(studbook, database, "verify")
    assert done.returncode == 1
