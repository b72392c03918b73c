"""Public faults of ledgers under load, tried over HTTP on a service with two serving processes, for a few seconds."""

from __future__ import annotations

import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.http.floor import deposit, done, money, read, register
from tests.http.own import running
from tests.service import Service

PAIRS = 10
"""Deposits and withdrawals of each of the clients."""
PATIENCE_SECONDS = 150.0


@pytest.fixture(scope="module")
def pair(service: Service) -> Iterator[Service]:
    """A service of two serving processes on the database of the shared one."""
    with running(service.data_dir, "--workers", "2") as other:
        yield other


def paid(service: Service, player: str, kind: str, amount: int) -> str:
    """DONE or the problem's code; what is told to come again, as on a busy machine, comes again under its key."""
    body, key = {"amount": amount, "currency": "EUR", "transaction_id": uuid.uuid4().hex}, uuid.uuid4().hex
    end = time.monotonic() + PATIENCE_SECONDS
    while (answer := service.post(f"/v1/players/{player}/{kind}", body, key=key)).status_code == 503:
        assert answer.json()["retryable"] is True
        assert time.monotonic() < end, answer.text
        time.sleep(0.05)
    return "DONE" if answer.status_code == 201 else str(answer.json()["code"])


def money_after(service: Service, player: str) -> int:
    """What is available when everything that other processes did is known: one more deposit tells the last position."""
    after = deposit(service, player, 1)
    assert after["balance"]["held"] == 0
    assert money(service, player) == (after["balance"]["available"], 0)
    return int(after["balance"]["available"]) - 1


def test_bug_022_of_fifty_parallel_debits_of_everything_over_three_processes_one_succeeds(
    service: Service, pair: Service
) -> None:
    player = register(service, "EUR", 100)
    with ThreadPoolExecutor(50) as pool:
        found = Counter(pool.map(lambda nth: paid((service, pair)[nth % 2], player, "withdrawals", 100), range(50)))
    assert found == {"DONE": 1, "INSUFFICIENT_FUNDS": 49}
    assert money_after(service, player) == 0


def test_bug_023_a_rich_wallet_under_load_is_never_told_that_it_is_poor(service: Service, pair: Service) -> None:
    player = register(service, "EUR", 10_000_000)

    def client(nth: int) -> list[tuple[int, str]]:
        told: list[tuple[int, str]] = []
        for _ in range(PAIRS):
            one = (service, pair)[(nth + len(told) // 2) % 2]
            told += [(7, paid(one, player, "deposits", 7)), (-5, paid(one, player, "withdrawals", 5))]
        return told

    with ThreadPoolExecutor(32) as pool:
        told = [one for some in pool.map(client, range(32)) for one in some]
    assert Counter(code for _, code in told) == {"DONE": 2 * PAIRS * 32}
    assert money_after(service, player) == 10_000_000 + sum(amount for amount, _ in told)


def test_bug_025_a_cursor_keeps_its_filter_page_size_and_order_while_rows_arrive(service: Service) -> None:
    euro, yen = register(service, "EUR"), register(service, "JPY")

    def pay(player: str, currency: str, count: int) -> list[str]:
        names = [service.name("row") for _ in range(count)]
        for name in names:
            body = {"amount": 1, "currency": currency, "transaction_id": name}
            done(service.post(f"/v1/players/{player}/deposits", body), 201)
        return names

    before = len(follow(service, "JPY", lambda: None)[0])
    for _ in range(6):
        pay(yen, "JPY", 25)
        pay(euro, "EUR", 10)
    arriving = iter(range(5))

    def more() -> None:
        if next(arriving, None) is not None:
            pay(yen, "JPY", 10)
            pay(euro, "EUR", 10)

    lines, sizes = follow(service, "JPY", more)
    assert {one["currency"] for one in lines} == {"JPY"}
    assert max(sizes) <= 50
    assert len(sizes) >= 6
    # oldest first: each earlier line once and in its order, then only those that arrived behind them
    places = [(int(str(one["position"])), one["account"]) for one in lines]
    assert len(set(places)) == len(places)
    assert [position for position, _ in places] == sorted(position for position, _ in places)
    assert before + 2 * 150 <= len(lines) <= before + 2 * 200
    again, _ = follow(service, "JPY", lambda: None)
    assert again[: len(lines)] == lines


def follow(service: Service, currency: str, meanwhile: Callable[[], None]) -> tuple[list[dict[str, object]], list[int]]:
    """All lines of the journal in a currency, by the pages' cursors; and how many each page had."""
    lines: list[dict[str, object]] = []
    sizes, cursor = [], {}
    while True:
        page = read(service, "/v1/journal", currency=currency, limit=50, **cursor)
        lines += page["items"]
        sizes.append(len(page["items"]))
        if page["next"] is None:
            return lines, sizes
        cursor = {"cursor": page["next"]}
        meanwhile()


def test_bug_025_an_accounts_pages_show_the_lines_that_were_there_once_and_no_others(service: Service) -> None:
    player = register(service, "EUR")
    for nth in range(120):
        deposit(service, player, nth + 1)
    path, seen, cursor = f"/v1/players/{player}/account-history", [], {}
    while True:
        page = read(service, path, limit=50, **cursor)
        seen += [one["amount"] for one in page["items"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
        for _ in range(10):
            deposit(service, player, 9_999)
    assert seen == list(range(120, 0, -1))
