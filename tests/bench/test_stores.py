"""The benchmark's stores: what is copied stands as if it had been played and folded."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator

import psycopg
import pytest

from api.bench.faults import BenchFailed
from api.bench.lag import await_read_models
from api.bench.services import verified
from api.main.bench_fill import tag
from api.main.bench_ground import Ground, Store, ground
from tests.postgres import shared_folder

COPIES = 2


@pytest.fixture(scope="module")
def base() -> Iterator[Ground]:
    folder = shared_folder() / f"bench-{uuid.uuid4().hex[:8]}"
    with ground(folder / "data") as made:
        yield made
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def stores(base: Ground) -> tuple[Store, Store]:
    return base.filled_stores(5_500, COPIES, lambda _: None)


def test_a_copied_store_verifies_log_ledger_and_read_models(base: Ground, stores: tuple[Store, Store]) -> None:
    small, large = stores
    assert base.events(large) == (COPIES + 1) * base.events(small)
    assert large.wagers == (COPIES + 1) * small.wagers > 0
    found = verified(large)
    assert (found["ok"], found["events"]) == (True, base.events(large))
    assert found["read_models_equal_events"] is True


def test_a_changed_copy_does_not_verify(base: Ground, stores: tuple[Store, Store]) -> None:
    small, _ = stores
    with psycopg.connect(base.conninfo(small.name), autocommit=True) as conn:
        conn.execute("UPDATE studbook.view_progress SET position = position - 1 WHERE model = 'balances'")
        conn.execute("DELETE FROM studbook.view_rows WHERE model = 'balances' AND key LIKE 'p0001-%'")
    with pytest.raises(BenchFailed, match="studbook verify on bench_small ended with 1"):
        verified(small)


def test_a_slice_waits_for_the_read_models_and_says_which_store_is_behind(
    base: Ground, stores: tuple[Store, Store]
) -> None:
    conninfo = base.conninfo(stores[1].name)
    await_read_models(conninfo, 0.0)
    with psycopg.connect(conninfo) as conn:
        conn.execute("UPDATE studbook.view_progress SET position = position - 3 WHERE model = 'balances'")
        conn.commit()
        with pytest.raises(BenchFailed, match="bench_large are still 3 events behind"):
            await_read_models(conninfo, 0.1)
        conn.execute("UPDATE studbook.view_progress SET position = position + 3 WHERE model = 'balances'")


def test_an_old_round_is_had_in_full_from_either_store(base: Ground, stores: tuple[Store, Store]) -> None:
    for store in stores:
        assert len(store.rounds) >= 10
        assert base.replay_ms(store, 5) > 0
    copied = [one.replace(tag(0), tag(1)) for one in stores[1].rounds]
    large = Store(stores[1].name, (), {}, "", tuple(copied))
    assert base.replay_ms(large, 5) > 0


def test_the_raw_read_and_the_rebuild_see_every_event(base: Ground, stores: tuple[Store, Store]) -> None:
    _, large = stores
    assert base.raw_read_per_s(large.name) > 0
    assert base.rebuild_per_s(large.name) > 0
    assert base.shown("fsync", "synchronous_commit", "full_page_writes") == dict.fromkeys(
        ("fsync", "synchronous_commit", "full_page_writes"), "on"
    )
