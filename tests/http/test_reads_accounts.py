"""A player's money as it is read: balance now and then, account history, game history (S0-27, S0-42, R5, R20)."""

from __future__ import annotations

import pytest

from tests.http.floor import (
    ACES,
    DEALER,
    EURO,
    LIVE,
    bet,
    deposit,
    done,
    new_round,
    open_jackpot,
    played,
    read,
    refused,
    register,
    step,
)
from tests.service import Service


def test_a_balance_as_of_a_position_or_time_is_what_it_was_then(service: Service) -> None:
    player = register(service, "EUR")
    first, second = deposit(service, player, 700), deposit(service, player, 300, "withdrawals")
    path = f"/v1/players/{player}/balance"
    now = read(service, path)
    assert (now["available"], now["held"], now["currency"], now["exponent"]) == (400, 0, "EUR", 2)
    assert now["position"] >= second["position"]
    for at, available in ((first["position"] - 2, 0), (first["position"], 700), (second["position"], 400)):
        assert read(service, path, as_of=at)["available"] == available
    lines = read(service, f"/v1/players/{player}/account-history")["items"]
    assert read(service, path, as_of=lines[1]["at"])["available"] == 700
    assert read(service, path, as_of="2100-01-01T00:00:00+05:30")["available"] == 400
    refused(service.get(path, params={"as_of": 0}), 404, "NOT_FOUND", "player")
    refused(service.get(path, params={"as_of": "2020-01-01T00:00:00Z"}), 404, "NOT_FOUND", "player")


def test_bug_029_a_balance_of_then_is_not_changed_by_a_void_which_names_what_it_reverses(service: Service) -> None:
    player = register(service, "EUR", 10_000)
    round_, settled = played(service, player)
    void = {"reason": "r", "policy": "CLAW_BACK", "approver": "a"}
    done(step(service, round_, "void", void))
    path = f"/v1/players/{player}/balance"
    lines = read(service, f"/v1/players/{player}/account-history")["items"]
    for then in (settled["position"], lines[1]["at"]):
        assert read(service, path, as_of=then)["available"] == 11_500
    for now in (None, lines[0]["at"]):
        assert read(service, path, **({"as_of": now} if now else {}))["available"] == 10_000
    assert [(one["kind"], one["round"], one["amount"]) for one in lines[:2]] == [
        ("VOID", round_, -1_500), ("ROUND", round_, 1_500),
    ]  # fmt: skip


def test_S0_42_the_account_history_is_newest_first_with_every_field(service: Service) -> None:
    player = register(service, "EUR", 10_000)
    round_, _ = played(service, player)
    deposit(service, player, 500, "withdrawals")
    done(step(service, round_, "void", {"reason": "r", "policy": "CLAW_BACK", "approver": "a"}))
    items = read(service, f"/v1/players/{player}/account-history")["items"]
    assert [(one["kind"], one["bet"], one["payout"], one["balance_after"]) for one in items] == [
        ("VOID", 0, 0, 9_500),
        ("WITHDRAWAL", 0, 0, 11_000),
        ("ROUND", 1_500, 3_000, 11_500),
        ("DEPOSIT", 0, 0, 10_000),
    ]
    game = read(service, f"/v1/rounds/{round_}")["game_number"]
    assert [(one["game"], one["round"], one["voided"]) for one in items] == [
        (game, round_, False), (None, None, False), (game, round_, True), (None, None, False),
    ]  # fmt: skip
    assert [one["at"] for one in items] == sorted((one["at"] for one in items), reverse=True)
    assert sum(one["amount"] for one in items) == 9_500
    assert {one["currency"] for one in items} == {"EUR"}


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_S0_42_pages_neither_lose_nor_repeat_a_line_while_lines_arrive(service: Service, limit: int) -> None:
    player = register(service, "EUR")
    wanted = [deposit(service, player, 10 + nth)["transaction_id"] for nth in range(7)][::-1]
    path, seen, cursor = f"/v1/players/{player}/account-history", [], None
    while True:
        page = read(service, path, limit=limit, **({"cursor": cursor} if cursor else {}))
        assert len(page["items"]) <= limit
        seen += [one["transaction_id"] for one in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
        deposit(service, player, 1)  # arrives on top, while the pages are turned
    assert seen == wanted


def test_S0_42_the_game_history_tells_each_round_with_cards_and_result(service: Service) -> None:
    player = register(service, "EUR", 10_000)
    first, _ = played(service, player)
    second = new_round(service, LIVE)
    done(bet(service, second, player, 500, seat=None, five_plus_one=100), 201)
    items = read(service, f"/v1/players/{player}/game-history")["items"]
    assert [(one["round"], one["phase"]) for one in items] == [(second, "BETTING_OPEN"), (first, "SETTLED")]
    old = items[1]
    assert (old["cards"], old["dealer"], old["player_hand"]) == (ACES, DEALER, "PAIR")
    assert (old["decision"], old["decided_by"], old["outcome"]) == ("CALL", "PLAYER", "WIN")
    assert (old["payout"], old["net"], old["total_bet"]) == ({"ante": 1_000, "call": 2_000}, 1_500, 1_500)
    assert [(one["kind"], one["stake"], one["payout"]) for one in old["wagers"]] == [
        ("ANTE", 500, 1_000), ("CALL", 1_000, 2_000),
    ]  # fmt: skip
    assert [(one["kind"], one["stake"]) for one in items[0]["wagers"]] == [("ANTE", 500), ("SIDE", 100)]
    assert (items[0]["payout"], items[0]["net"], items[0]["dealer"]) == (None, None, None)


def test_a_bet_that_was_undone_is_in_no_history(service: Service) -> None:
    player, round_ = register(service, "EUR", 10_000), new_round(service)
    done(bet(service, round_, player), 201)
    done(step(service, round_, "undo", {"player": player}))
    for kind, lines in (("account-history", 1), ("game-history", 0)):
        assert len(read(service, f"/v1/players/{player}/{kind}")["items"]) == lines
    assert read(service, f"/v1/rounds/{round_}")["seats"] == []


def test_a_transaction_is_found_by_the_operators_own_reference(service: Service) -> None:
    player = register(service, "EUR")
    paid = deposit(service, player, 700)
    taken = deposit(service, player, 200, "withdrawals")
    for one, kind, after in ((paid, "DEPOSIT", 700), (taken, "WITHDRAWAL", 500)):
        found = read(service, f"/v1/transactions/by-reference/{one['transaction_id']}")
        assert (found["player"], found["kind"], found["amount"]) == (player, kind, one["amount"])
        # the money's event; the last one of the call keeps the reference
        assert (found["balance_after"], found["position"]) == (after, one["position"] - 1)


def test_a_read_waits_for_min_position_and_gives_up_after_five_seconds(service: Service) -> None:
    player = register(service, "EUR")
    for nth in range(20):
        paid = deposit(service, player, 1)
        found = service.get(f"/v1/players/{player}/balance", params={"min_position": paid["position"]})
        assert done(found)["available"] == nth + 1
    answer = service.get(f"/v1/players/{player}/balance", params={"min_position": 2**62})
    assert refused(answer, 503, "UNAVAILABLE")["retryable"] is True
    assert answer.headers["retry-after"]


def test_every_read_of_an_object_takes_min_position_and_waits_for_it(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR")
    round_, player = new_round(service, jackpot=jackpot), register(service, "EUR", 10_000)
    placed = done(bet(service, round_, player), 201)
    paths = [f"/v1/players/{player}/balance?as_of=1000000", f"/v1/players/{player}/game-history?limit=1",
             f"/v1/rounds/{round_}?limit=1", f"/v1/rounds/{round_}/events?", f"/v1/jackpots/{jackpot}?",
             f"/v1/rounds/{round_}/players/{player}?", "/v1/events?limit=1", "/v1/journal?limit=1",
             "/v1/tables?limit=1"]  # fmt: skip
    for path in paths:
        done(service.get(f"{path}&min_position={placed['position']}"))
