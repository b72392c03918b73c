"""`/metrics` of running services: one process, two processes, and what is not told to everybody."""

from __future__ import annotations

import shutil
import time
import uuid
from collections.abc import Callable, Iterator

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.http.floor import EURO, done, open_jackpot, open_table, register
from tests.http.own import running
from tests.postgres import shared_folder
from tests.service import Service

Samples = dict[tuple[tuple[str, str], ...], float]
TOKEN = "metrics-token-of-a-test"


def scraped(url: str, token: str | None = None) -> dict[str, Samples]:
    """Every sample by its name and labels."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    answer = httpx2.get(f"{url}/metrics", headers=headers, timeout=120)
    assert answer.status_code == 200, answer.text
    found: dict[str, Samples] = {}
    for family in text_string_to_metric_families(answer.text):
        for one in family.samples:
            found.setdefault(one.name, {})[tuple(sorted(one.labels.items()))] = one.value
    return found


def test_no_name_of_an_operators_world_is_in_the_open_figures(service: Service) -> None:
    pool = open_jackpot(service, EURO, "EUR")
    table = open_table(service, EURO, "EUR", pool)
    done(service.post(f"/v1/tables/{table}/rounds"), 201)
    player = register(service, "EUR", 10_000)
    service.post(f"/v1/players/{player}/withdrawals", {"amount": 1, "currency": "USD", "transaction_id": player})
    text = service.get("/metrics").text
    for name in (pool, table, player, service.key, "demo"):
        assert name not in text
    assert 'studbook_problems_total{code="CURRENCY_MISMATCH"}' in text


@pytest.fixture
def two() -> Iterator[Service]:
    """A service of two serving processes on a database of its own."""
    folder = shared_folder() / f"service-{uuid.uuid4().hex[:10]}"
    with running(folder, "--workers", "2", STUDBOOK_METRICS_TOKEN=TOKEN) as made:
        yield made
    shutil.rmtree(folder, ignore_errors=True)


def until(url: str, name: str, wanted: Callable[[Samples], bool], token: str | None = None) -> Samples:
    """The samples of a metric once they are as wanted."""
    end = time.monotonic() + 60
    while not wanted(found := scraped(url, token).get(name, {})):
        assert time.monotonic() < end, f"{name}: {found}"
        time.sleep(0.2)
    return found


def test_two_processes_tell_of_both_and_the_token_opens_meters(two: Service) -> None:
    until(two.url, "studbook_workers", lambda found: sum(found.values()) == 2)
    for _ in range(20):  # over connections of their own, so that both processes get some
        name = two.name("p")
        with httpx2.Client(base_url=two.url, headers={"Authorization": f"Bearer {two.key}"}, timeout=120) as client:
            body = {"player": name, "currency": "EUR"}
            done(client.post("/v1/players", json=body, headers={"Idempotency-Key": name}), 201)
    found = scraped(two.url)
    registered = (("command", "RegisterPlayer"), ("outcome", "done"))
    assert (
        sum(value for labels, value in found["studbook_commands_total"].items() if set(registered) <= set(labels)) == 20
    )
    assert {dict(labels)["worker"] for labels in found["studbook_log_position"]} == {"0", "1"}
    # what names a pool is told by the process that runs the timers, to who has the token
    pool = open_jackpot(two, EURO, "EUR")
    shown = until(two.url, "studbook_jackpot_minor", lambda found: any(pool in str(one) for one in found), TOKEN)
    meter = {"operator": "demo", "jackpot": pool, "currency": "EUR", "balance": "meter"}
    assert [value for labels, value in shown.items() if dict(labels) == meter] == [10_000_000]
    assert "studbook_jackpot_minor" not in scraped(two.url)
    assert httpx2.get(f"{two.url}/metrics", headers={"Authorization": "Bearer x"}, timeout=120).status_code == 401
