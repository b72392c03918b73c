"""Figures of several processes as one text."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.database.errors import StartRefused
from adapters.round_watch import PoolFigures
from api import metrics
from api.errors import Unauthenticated
from api.health import Condition
from api.main.figures import METRICS_TOKEN, Floor, figures, forget, metrics_token
from api.main.workers import Workers
from domain.rounds.events import Phase
from services.timers import Seen, WatchedRound

ONE = b'# HELP a_total A.\n# TYPE a_total counter\na_total{worker="0"} 1.0\n# HELP b B.\n# TYPE b gauge\nb 2.0\n'
TWO = b'# HELP a_total A.\n# TYPE a_total counter\na_total{worker="1"} 5.0\n'


def test_samples_of_a_family_stand_together_under_one_head() -> None:
    assert metrics.merged([ONE, TWO]) == (
        b'# HELP a_total A.\n# TYPE a_total counter\na_total{worker="0"} 1.0\na_total{worker="1"} 5.0\n'
        b"# HELP b B.\n# TYPE b gauge\nb 2.0\n"
    )


@pytest.fixture
def folder() -> Iterator[Path]:
    """A path short enough for a Unix socket."""
    with tempfile.TemporaryDirectory(prefix="sb-") as made:
        yield Path(made)


async def test_whoever_is_asked_tells_for_all_and_each_series_names_its_process(folder: Path) -> None:
    asked: list[str] = []
    first, second = (Workers(folder, lambda name=name: asked.append(name)) for name in ("first", "second"))  # type: ignore[misc]  # a name each
    await first.start()
    await second.start()
    texts, count = await second.text(full=False)
    found = metrics.merged([*texts, metrics.database()]).decode()
    assert (count, sorted(asked)) == (2, ["first", "second"])
    families = {one.name: one for one in text_string_to_metric_families(found)}
    assert {one.labels["worker"] for one in families["studbook_turns_lost"].samples} == {"0", "1"}
    assert found.count("# TYPE studbook_turns_lost ") == 1
    # one that has gone is left out, and its number is free again
    await first.stop()
    assert (await second.text(full=False))[1] == 1
    third = Workers(folder, lambda: None)
    await third.start()
    assert (await third.text(full=False))[1] == 2
    await third.stop()
    await second.stop()


async def test_a_process_that_hangs_is_left_out_in_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.main.workers.ASK_SECONDS", 0.1)
    release = asyncio.Event()

    async def hang(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await release.wait()
        writer.close()

    server = await asyncio.start_unix_server(hang, folder / "9.sock")
    alone = Workers(folder, lambda: None)
    await alone.start()
    async with asyncio.timeout(60):
        assert (await alone.text(full=True))[1] == 1
    release.set()
    server.close()
    await alone.stop()


async def test_a_single_process_has_no_number() -> None:
    texts, count = await Workers(None, lambda: None).text(full=False)
    assert count == 1
    assert b"worker=" not in texts[0]


async def no_faults() -> Condition:
    return Condition((), 0, 0, (), 0, 0)


async def test_what_names_an_operator_or_pool_is_for_who_knows_the_token() -> None:
    pools = [PoolFigures("demo", "grand", "EUR", 12_345_678, 100, 0)]

    async def all_pools() -> list[PoolFigures]:
        return pools

    now = datetime.now(UTC)
    waiting = WatchedRound("demo", "r1", Phase.DECIDING, False, True, None, now - timedelta(seconds=90), 900)
    await Floor(all_pools).saw(Seen([waiting], []))
    told = figures(no_faults, Workers(None, lambda: None), "right-token", lambda _: None)
    shown, hidden = (await told("Bearer right-token")).decode(), (await told(None)).decode()
    line = 'studbook_jackpot_minor{balance="meter",currency="EUR",jackpot="grand",operator="demo"} 1.2345678e+07'
    assert line in shown
    assert 'studbook_operator_open_rounds{operator="demo"} 1.0' in shown
    assert "demo" not in hidden
    assert "grand" not in hidden
    assert 'studbook_open_rounds{phase="DECIDING"} 1.0' in hidden
    idle = next(line for line in hidden.splitlines() if line.startswith("studbook_open_round_idle_seconds "))
    assert 90 <= float(idle.split()[1]) < 120
    for wrong in ("Bearer wrong", "right-token", "", "Bearer caf\xe9"):
        with pytest.raises(Unauthenticated):
            await told(wrong)
    # a process that no longer runs the timers tells nothing of what it once saw
    await Floor(all_pools).saw(None)
    assert "demo" not in (await told("Bearer right-token")).decode()


def test_a_token_that_could_be_guessed_is_refused() -> None:
    assert metrics_token({}) is metrics_token({METRICS_TOKEN: ""}) is None
    assert metrics_token({METRICS_TOKEN: "a" * 16}) == "a" * 16
    for weak in ("short", "with spaces in between", "x" * 257, "caf\xe9" * 5):
        with pytest.raises(StartRefused, match=METRICS_TOKEN):
            metrics_token({METRICS_TOKEN: weak})


async def test_without_a_configured_token_a_callers_own_key_is_no_fault_and_shows_nothing_more() -> None:
    told = figures(no_faults, Workers(None, lambda: None), None, lambda _: None)
    assert b"studbook_jackpot_minor" not in await told("Bearer sb_some_key")
    forget()
