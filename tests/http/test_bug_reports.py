"""Public faults of other ledgers and casinos, tried on ours over HTTP. Each test is named after its row."""

from __future__ import annotations

from typing import Any

import pytest

from tests.http.contract import Contract
from tests.http.floor import (
    ACES,
    DEALER,
    DOLLAR,
    EURO,
    LIVE,
    bet,
    decide,
    deposit,
    done,
    head,
    money,
    new_round,
    open_jackpot,
    open_round,
    open_table,
    read,
    refused,
    register,
    step,
)
from tests.http.own import running
from tests.http.scene import new_scene
from tests.service import Service


def wrong_fields(found: dict[str, Any]) -> set[str]:
    """Every field that a problem names."""
    return {one["field"] for one in found.get("errors", [found])}


def test_bug_011_after_calls_that_write_nothing_the_next_deposit_shows_without_another_write(service: Service) -> None:
    round_, player = new_round(service, LIVE), register(service, "EUR", 10_000)
    done(bet(service, round_, player, seat=None), 201)
    body = {"amount": 1, "currency": "EUR", "transaction_id": service.name("bank")}
    paid = done(service.post(f"/v1/players/{player}/deposits", body), 201)
    for nth in range(5):  # each time with nothing left to read: a replay, a dry run, then one deposit
        read(service, f"/v1/players/{player}/balance")
        last = head(service)
        assert done(service.post(f"/v1/players/{player}/deposits", body)) == paid
        done(step(service, round_, "void", {"dry_run": True}))
        assert head(service) == last
        after = deposit(service, player, 1)
        assert head(service) == after["position"] > last
        shown = done(service.get(f"/v1/players/{player}/balance", params={"min_position": after["position"]}))
        assert shown["available"] == 7_001 + 1 + nth


@pytest.mark.parametrize(
    ("amounts", "fields"),
    [
        ({"amount": -25, "scale": -100}, {"amount", "scale"}),
        ({"amount": -500}, {"amount"}),
        ({"amount": 500, "scale": -2}, {"scale"}),
    ],
)
def test_bug_018_a_negative_amount_is_refused_with_or_without_a_scale(
    service: Service, amounts: dict[str, int], fields: set[str]
) -> None:
    scene = new_scene(service)
    before = scene.state()
    for kind in ("deposits", "withdrawals"):
        body = {"currency": "EUR", "transaction_id": service.name("bad"), **amounts}
        assert wrong_fields(refused(service.post(f"/v1/players/{scene.player}/{kind}", body), 422, "INVALID")) == fields
        refused(service.get(f"/v1/transactions/by-reference/{body['transaction_id']}"), 404, "NOT_FOUND")
    asked = {("ante" if name == "amount" else name): value for name, value in amounts.items()}
    answer = service.post(f"/v1/rounds/{scene.round}/wagers", {"player": scene.player, "seat": 1, **asked})
    assert wrong_fields(refused(answer, 422, "INVALID")) == {"ante" if one == "amount" else one for one in fields}
    assert scene.state() == before


def test_bug_019_money_never_goes_from_an_account_to_itself_nor_from_player_to_player(
    contract: Contract, service: Service
) -> None:
    scene = new_scene(service)
    other = register(service, "EUR", 500)
    before = scene.state(), money(service, other)
    why = {"reason": "miscount", "approver": "boss"}
    for account in ("m", "res", "ovf"):
        body = {"amount_micro": "1000000", "account": account, "to": scene.jackpot, **why}
        found = refused(service.post(f"/v1/jackpots/{scene.jackpot}/transfers", body), 422, "INVALID", "to")
        assert found["retryable"] is False
    # a wallet has no call that names another, and staff's names none either
    for to in (scene.player, other):
        answer = service.post(f"/v1/players/{scene.player}/adjustments", {"amount": -100, "to": to, **why})
        refused(answer, 422, "INVALID", "to")
        body = {"amount": 100, "currency": "EUR", "transaction_id": service.name("t"), "to": to}
        refused(service.post(f"/v1/players/{scene.player}/withdrawals", body), 422, "INVALID", "to")
        refused(service.post(f"/v1/players/{scene.player}/transfers", body), 404, "NOT_FOUND")
        body = {"amount_micro": "1000000", "to": to, **why}
        refused(service.post(f"/v1/jackpots/{scene.jackpot}/transfers", body), 404, "NOT_FOUND", "to")
    assert [one.path for one in contract.operations() if "transfers" in one.path] == [
        "/v1/jackpots/{jackpot}/transfers"
    ]
    assert (scene.state(), money(service, other)) == before


@pytest.mark.parametrize(("debit", "credit"), [(9990, 9980), (9980, 9990)])
def test_bug_028_an_adjustment_has_one_amount_and_so_no_two_sides_that_could_differ(
    service: Service, debit: int, credit: int
) -> None:
    scene = new_scene(service)
    before = scene.state()
    sides = {"debit": debit, "credit": credit, "reason": "miscount", "approver": "boss"}
    for more in ({}, {"amount": 10}):
        answer = service.post(f"/v1/players/{scene.player}/adjustments", {**sides, **more})
        assert {"debit", "credit"} <= wrong_fields(refused(answer, 422, "INVALID"))
    assert scene.state() == before


def test_bug_027_a_meter_past_2_to_the_53_and_a_filter_past_2_to_the_63_are_refused_by_name(service: Service) -> None:
    body = {"ruleset": EURO, "currency": "EUR", "seed": 1_000, "reset": 1_000}
    for field in ("seed", "reset", "ceiling"):
        for amount in (9007199254740993, 9 * 10**9 + 1):
            asked = {"jackpot": service.name("pool"), **body, field: amount}
            refused(service.post("/v1/jackpots", asked), 422, "INVALID", field)
            refused(service.get(f"/v1/jackpots/{asked['jackpot']}"), 404, "NOT_FOUND")
    player = register(service, "EUR", 1)
    for query in ("amount>9223372036854775807", "amount=9223372036854775808", "min_position=9223372036854775808"):
        refused(service.get(f"/v1/players/{player}/account-history?{query}"), 422, "INVALID")


def test_bug_027_the_largest_meter_is_told_in_numbers_that_every_reader_of_json_has_exactly(service: Service) -> None:
    most = 9 * 10**9 - 1
    pool = open_jackpot(service, EURO, "EUR", seed=most, reset=most)
    found = read(service, f"/v1/jackpots/{pool}")
    assert (found["meter"], found["meter_micro"]) == (most, most * 10**6)
    assert all(not isinstance(one, int) or abs(one) < 2**53 for one in found.values())


def test_bug_037_a_player_and_a_round_asked_for_twice_with_one_key_are_one_object(service: Service) -> None:
    body, key = {"player": service.name("player"), "currency": "EUR"}, service.name("key")
    first, again = (service.post("/v1/players", body, key=f"{key}-p") for _ in range(2))
    assert (first.status_code, first.content) == (201, again.content)
    table = open_table(service, EURO, "EUR")
    before = head(service)
    first, again = (service.post(f"/v1/tables/{table}/rounds", key=f"{key}-r") for _ in range(2))
    assert (first.status_code, first.content) == (201, again.content)
    rounds = read(service, "/v1/rounds", table=table)["items"]
    assert [one["round"] for one in rounds] == [first.json()["round"]]
    assert head(service) == first.json()["position"] > before


@pytest.mark.parametrize(
    ("ante", "code"),
    [(0, "INVALID"), (-1, "INVALID"), (0.5, "INVALID"), (10_001, "ABOVE_MAXIMUM"), ("1000", "INVALID")],
)
@pytest.mark.parametrize("ruleset", [LIVE, EURO])
def test_bug_062_an_ante_of_nothing_less_a_half_or_above_the_maximum_is_refused_by_name(
    service: Service, ruleset: str, ante: object, code: str
) -> None:
    round_, player = new_round(service, ruleset), register(service, "EUR", 100_000)
    body = {"player": player, "ante": ante, **({} if ruleset == LIVE else {"seat": 1})}
    refused(service.post(f"/v1/rounds/{round_}/wagers", body), 422, code, "ante")
    assert money(service, player) == (100_000, 0)


def test_bug_062_below_the_minimum_is_for_the_tables_policy_and_003_keeps_asked_and_used(service: Service) -> None:
    low, raised = register(service, "EUR", 10_000), register(service, "USD", 10_000)
    first, second = new_round(service, LIVE), new_round(service, DOLLAR)
    done(bet(service, first, low, 499, seat=None), 201)
    assert [one["reason"] for one in done(step(service, first, "close"))["rejected"]] == ["BELOW_MINIMUM"]
    assert done(bet(service, second, raised, 499), 201)["raised"] == {"asked": 499, "used": 500}
    events = read(service, f"/v1/rounds/{second}/events")["items"]
    (kept,) = [one["data"] for one in events if one["type"] == "studbook.seat.wager_placed.v1"]
    assert (kept["asked_ante_minor"], kept["wagers"][0]["stake_minor"]) == (499, 500)
    assert (money(service, low), money(service, raised)) == ((10_000, 0), (8_500, 1_500))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_bug_064_two_games_that_end_in_either_order_move_the_balance_by_their_own_sums(
    service: Service, order: tuple[int, int]
) -> None:
    player, rounds = register(service, "EUR", 300), []
    for _ in range(2):
        rounds.append(open_round(service, open_table(service, EURO, "EUR", ante_min=100, card_source="FEED")))
    done(bet(service, rounds[0], player, 100), 201)
    refused(bet(service, rounds[1], player, 100), 409, "INSUFFICIENT_FUNDS")
    assert money(service, player) == (0, 300)
    deposit(service, player, 300)
    done(bet(service, rounds[1], player, 100), 201)
    hands = [["As", "Ad", "Qh", "7c", "2s"], ["9s", "8d", "6h", "5c", "2s"]]  # the first wins 300, the second loses
    for nth in order:
        done(step(service, rounds[nth], "close"))
        done(step(service, rounds[nth], "deal", {"seats": {"1": hands[nth]}, "dealer": ["Ac", "Kh", "4d", "3s", "2h"]}))
        done(step(service, rounds[nth], "decisions", {"player": player, "decision": "call"}))
    told = {}
    for nth in order:
        before = money(service, player)
        deposit(service, player, 7)  # money that comes in between is not lost
        done(step(service, rounds[nth], "settle"))
        told[nth] = money(service, player)[0] - before[0]
    assert told == {0: 600 + 7, 1: 0 + 7}
    assert money(service, player) == (614, 0)


def test_bug_067_a_rollback_before_its_debit_refuses_the_debit_for_ever_a_restart_included(service: Service) -> None:
    player, name = register(service, "EUR", 1_000), service.name("x")
    debit = {"amount": 100, "currency": "EUR", "transaction_id": name}
    with running(service.data_dir) as first:
        told = done(first.post(f"/v1/transactions/{name}/rollback"))
        refused(first.post(f"/v1/players/{player}/withdrawals", debit), 422, "IDEMPOTENCY_MISMATCH", "transaction_id")
    with running(service.data_dir) as second:
        last = head(second)
        assert done(second.post(f"/v1/transactions/{name}/rollback")) == told
        for kind in ("withdrawals", "deposits"):
            answer = second.post(f"/v1/players/{player}/{kind}", debit)
            refused(answer, 422, "IDEMPOTENCY_MISMATCH", "transaction_id")
        assert head(second) == last
    assert money(service, player) == (1_000, 0)


def test_bug_069_a_hit_is_the_same_figure_in_result_pool_histories_and_journal(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR", seed=5_000_000, reset=1_000)
    round_ = new_round(service, jackpot=jackpot, card_source="FEED")
    player = register(service, "EUR", 10_000)
    done(bet(service, round_, player, 500, progressive=50), 201)
    done(step(service, round_, "close"))
    cards = {"seats": {"1": ["Ah", "Kh", "Qh", "Jh", "Th"]}, "dealer": ["Ac", "Kd", "4d", "3s", "2h"]}
    done(step(service, round_, "deal", cards))
    done(step(service, round_, "decisions", {"player": player, "decision": "fold"}))
    done(step(service, round_, "settle"))
    hit = 5_000_020  # what stood on the meter, 40 % of 0.50 in it
    view, pool = read(service, f"/v1/rounds/{round_}"), read(service, f"/v1/jackpots/{jackpot}")
    (award,), (game,) = pool["awards"], read(service, f"/v1/players/{player}/game-history")["items"]
    line = read(service, f"/v1/players/{player}/account-history")["items"][0]
    postings = {one["account"]: one["amount_micro"] for one in lines_of_award(service, jackpot)}
    assert [one["amount"] for one in view["awards"]] == [hit]
    assert (view["seats"][0]["payout"]["progressive"], game["payout"]["progressive"], line["payout"]) == (hit, hit, hit)
    assert (award["amount"], award["meter_before_micro"], award["round"]) == (hit, hit * 10**6, round_)
    assert (postings[f"m/{jackpot}"], postings[f"av/{player}"]) == (str(-hit * 10**6), str(hit * 10**6))
    assert pool["meter"] == 1_000


def lines_of_award(service: Service, jackpot: str) -> list[dict[str, Any]]:
    """The journal's lines of the entry in which the pool paid."""
    lines: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = read(service, "/v1/journal", currency="EUR", limit=1000, **cursor)
        lines += page["items"]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    paying = next(one for one in lines if one["account"] == f"m/{jackpot}" and one["amount_micro"].startswith("-"))
    return [one for one in lines if (one["command"], one["entry"]) == (paying["command"], paying["entry"])]


def test_bug_034_what_is_left_to_take_back_can_be_taken_back_whole_and_no_more(service: Service) -> None:
    player = register(service, "EUR", 10_000)
    # given 100.00, of which 30 and exactly the 70 that are left are paid out, there is nothing for one more
    for amount, status in ((3_000, 201), (7_000, 201), (1, 409)):
        body = {"amount": amount, "currency": "EUR", "transaction_id": service.name("bank")}
        assert service.post(f"/v1/players/{player}/withdrawals", body).status_code == status
    assert money(service, player) == (0, 0)
    # and given a stake of two actions, each comes back once, the last to the last cent
    deposit(service, player, 10_000)
    round_ = new_round(service, LIVE)
    for ante in (1_000, 2_000):  # and the calls that may follow are held too
        done(bet(service, round_, player, ante, seat=None), 201)
    held = [done(step(service, round_, "undo", {"player": player}))["balance"]["held"] for _ in range(2)]
    assert held == [3_000, 0]
    refused(step(service, round_, "undo", {"player": player}), 409, "WRONG_PHASE", "player")
    assert money(service, player) == (10_000, 0)


def test_bug_068_no_win_is_cut_and_the_answer_says_what_was_paid(service: Service) -> None:
    player = register(service, "EUR", 10_000_000)
    # given a table without any cap, at which 60,000.00 are put on a pair of aces
    round_ = new_round(service, EURO, card_source="FEED", ante_max=2_000_000)
    done(bet(service, round_, player, 2_000_000), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": {"1": ACES}, "dealer": DEALER}))
    done(decide(service, round_, player))
    done(step(service, round_, "settle"))
    (seat,) = read(service, f"/v1/rounds/{round_}")["seats"]
    # then all of it is paid, and said
    assert (seat["payout"]["ante"], seat["payout"]["call"]) == (4_000_000, 8_000_000)
    assert money(service, player) == (16_000_000, 0)
