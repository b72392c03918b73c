"""Meters, events and the journal (S3-10, R5, R6, R13)."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from tests.http.floor import EURO, bet, deposit, done, new_round, open_jackpot, played, read, refused, register, step
from tests.service import Service


def test_a_contribution_is_pending_until_the_close_and_then_in_the_meter_to_the_micro_unit(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR", increment_rate="0.333333", reserve_rate="0.1", seed=100, reset=100)
    round_ = new_round(service, jackpot=jackpot)
    players = [register(service, "EUR", 10_000) for _ in range(2)]
    for seat, player in enumerate(players, 1):
        done(bet(service, round_, player, 500, seat=seat, progressive=50), 201)
    share, reserve = 50 * 333_333, 50 * 100_000
    pool = read(service, f"/v1/jackpots/{jackpot}")
    assert (pool["meter"], pool["meter_micro"], pool["reserve_micro"]) == (100, 100 * 10**6, 0)
    assert pool["pending_micro"] == 2 * share
    done(step(service, round_, "undo", {"player": players[1]}))
    assert read(service, f"/v1/jackpots/{jackpot}")["pending_micro"] == share
    closed = done(step(service, round_, "close"))
    assert closed["contribution_micro"] == str(share + reserve)
    pool = read(service, f"/v1/jackpots/{jackpot}")
    assert (pool["meter_micro"], pool["reserve_micro"], pool["pending_micro"]) == (10**8 + share, reserve, 0)
    assert pool["meter"] == 116
    assert (pool["increment_rate"], pool["reserve_rate"]) == ("0.333333", "0.10")


def test_a_pools_defaults_are_those_of_the_contract(service: Service) -> None:
    pool = read(service, f"/v1/jackpots/{open_jackpot(service, EURO, 'EUR')}")
    assert (pool["increment_rate"], pool["reserve_rate"], pool["ceiling"]) == ("0.40", "0.00", 9 * 10**9)
    assert (pool["fixed_prize_funding"], pool["multi_winner_policy"]) == ("HOUSE", "SEQUENTIAL")
    assert pool["handpay_threshold"] is None


def test_on_land_the_hand_pay_threshold_must_be_stated(service: Service) -> None:
    body = {"jackpot": service.name("pool"), "ruleset": "land-progressive-v1", "currency": "USD", "seed": 1, "reset": 1}
    refused(service.post("/v1/jackpots", body), 422, "INVALID", "handpay_threshold")
    done(service.post("/v1/jackpots", {**body, "handpay_threshold": None}), 201)


def test_events_are_cloudevents_in_order_and_a_follower_misses_none(service: Service) -> None:
    player = register(service, "EUR")
    after = deposit(service, player, 1)["position"]
    last = [deposit(service, player, 2 + nth) for nth in range(5)][-1]["position"]
    seen = []
    while True:
        page = done(service.get("/v1/events", params={"after": after, "limit": 2, "min_position": last}))
        if not page["events"]:
            break
        seen += page["events"]
        after = page["after"]
    assert [int(one["sequence"]) for one in seen] == list(range(last - 9, last + 1))
    assert {one["type"] for one in seen[1::2]} == {"studbook.transaction.recorded.v1"}
    seen = seen[::2]
    for one in seen:
        assert (one["specversion"], one["source"], one["id"]) == ("1.0", "/studbook/demo", str(int(one["sequence"])))
        assert one["type"] == "studbook.wallet.deposited.v1"
        assert one["subject"] == f"wallet/{player}"
        assert datetime.fromisoformat(one["time"]).utcoffset() is not None
        assert one["data"]["meta"]["actor"] == "demo-engineer"
    assert [one["data"]["amount_minor"] for one in seen] == [2, 3, 4, 5, 6]
    far = done(service.get("/v1/events", params={"after": 2**62}))
    assert (far["events"], far["after"]) == ([], 2**62)


def test_the_events_of_a_round_are_those_of_round_and_seats_in_order(service: Service) -> None:
    round_, _ = played(service, register(service, "EUR", 10_000))
    items = read(service, f"/v1/rounds/{round_}/events")["items"]
    kinds = [one["type"].removeprefix("studbook.").removesuffix(".v1") for one in items]
    assert kinds == ["round.opened", "seat.wager_placed", "round.betting_closed", "round.dealt", "seat.decided",
                     "round.showdown", "seat.settled", "round.settled"]  # fmt: skip
    positions = [int(one["sequence"]) for one in items]
    assert positions == sorted(set(positions))
    assert {one["data"]["meta"]["correlation_id"] for one in items[1:]} == {round_}


def test_the_events_of_a_round_come_in_pages(service: Service) -> None:
    round_, _ = played(service, register(service, "EUR", 10_000))
    path, pages, cursor = f"/v1/rounds/{round_}/events", [], None
    while not pages or cursor is not None:
        pages.append(read(service, path, limit=3, **({"cursor": cursor} if cursor else {})))
        cursor = pages[-1]["next"]
    whole = read(service, path)
    assert ([len(page["items"]) for page in pages], whole["next"]) == ([3, 3, 2], None)
    assert [one for page in pages for one in page["items"]] == whole["items"]
    other, _ = played(service, register(service, "EUR", 10_000))
    wrong = service.get(f"/v1/rounds/{other}/events", params={"cursor": pages[0]["next"]})
    refused(wrong, 422, "INVALID", "cursor")


def test_the_journal_sums_to_zero_and_holds_every_cent_of_a_round(service: Service) -> None:
    player = register(service, "EUR", 10_000)
    begin = read(service, f"/v1/players/{player}/account-history")["items"][0]["at"]
    round_, settled = played(service, player)
    lines, cursor = [], None
    while True:
        page = read(service, "/v1/journal", limit=7, currency="EUR", **{"from": begin},
                    **({"cursor": cursor} if cursor else {}))  # fmt: skip
        lines += page["items"]
        cursor = page["next"]
        if cursor is None:
            break
    sums: defaultdict[str, int] = defaultdict(int)
    entries: defaultdict[tuple[str, int], int] = defaultdict(int)
    for line in lines:
        assert line["at"] >= begin
        assert line["currency"] == "EUR"
        sums[line["account"]] += int(line["amount_micro"])
        entries[line["command"], line["entry"]] += int(line["amount_micro"])
    assert set(entries.values()) == {0}
    ours = {name: amount for name, amount in sums.items() if player in name and amount}
    assert sum(ours.values()) in (11_500 * 10**6, -11_500 * 10**6)
    assert [line["position"] for line in lines] == sorted(line["position"] for line in lines)
    assert lines[-1]["position"] <= settled["position"]
    assert round_


def test_the_journal_of_a_time_without_entries_or_of_another_currency_is_empty(service: Service) -> None:
    deposit(service, register(service, "EUR"), 5)
    for query in ({"to": "2020-01-01T00:00:00Z"}, {"from": "2100-01-01T00:00:00Z"}, {"currency": "ISK"}):
        assert read(service, "/v1/journal", **query)["items"] == []
