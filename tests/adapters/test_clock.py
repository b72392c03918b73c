"""Time and ids as the services get them."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from uuid import UUID

from adapters.clock import SystemClock, SystemIds, new_id


def test_the_time_is_aware_and_in_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert now.tzinfo is UTC
    assert timedelta(0) <= now - before < timedelta(minutes=1)


def test_the_time_has_microseconds() -> None:
    assert any(SystemClock().now().microsecond % 1000 for _ in range(1000))


def test_ids_are_different_uuids_of_version_7() -> None:
    ids = [SystemIds().new() for _ in range(10_000)]
    assert len(set(ids)) == len(ids)
    assert {UUID(text).version for text in ids} == {7}
    assert all(str(UUID(text)) == text for text in ids[:100])


def test_a_later_id_sorts_later() -> None:
    ids = [new_id() for _ in range(10_000)]
    assert ids == sorted(ids)


def test_a_forked_process_makes_other_ids() -> None:
    new_id()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, " ".join(new_id() for _ in range(50)).encode())
        os._exit(0)
    os.close(write)
    ours = {new_id() for _ in range(50)}
    with os.fdopen(read) as pipe:
        theirs = set(pipe.read().split())
    os.waitpid(child, 0)
    assert len(theirs) == 50
    assert not ours & theirs
    assert len({text[-12:] for text in ours | theirs}) == 100
