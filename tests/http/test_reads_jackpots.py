"""What a pool and the lobby show of prizes that were not paid, of changes that wait, and of what is disabled."""

from __future__ import annotations

from typing import Any

from tests.http.floor import DEALER, EURO, LAND, bet, done, new_round, open_jackpot, open_table, read, register, step
from tests.service import Service

FLUSH = ["Ad", "Qd", "9d", "6d", "3d"]


def line_of(service: Service, jackpot: str, award: str) -> dict[str, Any]:
    (found,) = [one for one in read(service, f"/v1/jackpots/{jackpot}")["awards"] if one["award"] == award]
    return found


def table_of(service: Service, table: str) -> dict[str, Any]:
    (found,) = [one for one in read(service, "/v1/tables", limit=1000)["items"] if one["table"] == table]
    return found


def test_R17_a_refused_prize_is_not_shown_as_one_that_was_paid(service: Service) -> None:
    jackpot = open_jackpot(service, LAND, "USD", handpay_threshold=0)
    round_ = new_round(service, LAND, jackpot=jackpot, card_source="FEED")
    done(bet(service, round_, register(service, "USD", 10_000), 500, progressive=100), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": {"1": FLUSH}, "dealer": DEALER}))
    done(step(service, round_, "settle"))
    (award,) = read(service, f"/v1/rounds/{round_}")["awards"]
    waits = line_of(service, jackpot, award["award"])
    assert (waits["pending"], waits["voided"], waits["refused"]) == (True, False, False)
    path = f"/v1/jackpots/{jackpot}/awards/{award['award']}/refuse"
    done(service.post(path, {"reason": "marked card", "approver": "kim"}))
    refused = line_of(service, jackpot, award["award"])
    assert (refused["pending"], refused["voided"], refused["refused"]) == (False, False, True)


def test_R7_a_change_that_waits_for_the_next_award_is_shown_beside_what_is_in_force(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR")
    assert read(service, f"/v1/jackpots/{jackpot}")["waiting"] is None
    changed = service.send("PATCH", f"/v1/jackpots/{jackpot}", {"increment_rate": "0.5", "reason": "agreed"})
    pool = read(service, f"/v1/jackpots/{jackpot}")
    assert (pool["increment_rate"], pool["waiting"]["increment_rate"]) == ("0.40", "0.50")
    assert pool["waiting"] == done(changed)["waiting"]


def test_R14_a_disabled_pool_is_shown_as_unavailable_by_itself_and_in_the_lobby(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR")
    table = open_table(service, EURO, "EUR", jackpot)
    plain = open_table(service, EURO, "EUR")
    for call, disabled in (("disable", True), ("enable", False)):
        done(service.post(f"/v1/{call}", {"scope": "JACKPOT", "id": jackpot, "reason": "meter is checked"}))
        assert read(service, f"/v1/jackpots/{jackpot}")["disabled"] is disabled
        shown = table_of(service, table)
        assert (shown["jackpot_disabled"], shown["disabled"]) == (disabled, False)
    assert table_of(service, plain)["jackpot_disabled"] is None


def test_R22_a_disabled_table_is_shown_as_unavailable_in_the_lobby(service: Service) -> None:
    table = open_table(service, EURO, "EUR")
    for call, disabled in (("disable", True), ("enable", False)):
        done(service.post(f"/v1/{call}", {"scope": "TABLE", "id": table, "reason": "new layout"}))
        assert table_of(service, table)["disabled"] is disabled
