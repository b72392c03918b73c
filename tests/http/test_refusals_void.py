"""Voids and objects that are not there (C19, S0-22, S0-47)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.http.bodies import sample
from tests.http.contract import Contract, Operation
from tests.http.floor import (
    EURO,
    bet,
    decide,
    done,
    head,
    money,
    new_round,
    open_jackpot,
    read,
    refused,
    register,
    step,
)
from tests.http.scene import new_scene
from tests.service import Service

FULL = {"reason": "wrong card", "policy": "CLAW_BACK", "approver": "shift-manager"}
CALLER = "demo-engineer"


def settled(service: Service) -> tuple[str, str]:
    """A settled round with one player, called."""
    round_ = new_round(service, jackpot=open_jackpot(service, EURO, "EUR"))
    player = register(service, "EUR", 100_000)
    done(bet(service, round_, player, progressive=50), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal"))
    done(decide(service, round_, player))
    done(step(service, round_, "settle"))
    return round_, player


@pytest.mark.parametrize("missing", ["reason", "policy", "approver"])
def test_after_settlement_a_void_names_reason_policy_and_approver(service: Service, missing: str) -> None:
    round_, player = settled(service)
    before = money(service, player)
    body = {name: value for name, value in FULL.items() if name != missing}
    refused(step(service, round_, "void", body), 422, "INVALID", missing)
    refused(step(service, round_, "void", {**body, "dry_run": True}), 422, "INVALID", missing)
    assert money(service, player) == before


def test_the_list_of_a_dry_run_goes_on_behind_a_player_and_that_of_a_void_does_not(service: Service) -> None:
    round_, player = settled(service)
    dry = done(step(service, round_, "void", {**FULL, "dry_run": True, "after": player}))
    assert (dry["players"], dry["players_count"]) == ([], 1)
    refused(step(service, round_, "void", {**FULL, "dry_run": True, "after": "nobody"}), 404, "NOT_FOUND", "after")
    refused(step(service, round_, "void", {**FULL, "after": player}), 422, "INVALID", "after")
    assert done(step(service, round_, "void", FULL))["players_count"] == 1


def test_an_approver_who_is_the_caller_is_FORBIDDEN(service: Service) -> None:
    round_, player = settled(service)
    before = money(service, player)
    refused(step(service, round_, "void", {**FULL, "approver": CALLER}), 403, "FORBIDDEN", "approver")
    assert money(service, player) == before


def test_bug_017_a_second_void_is_ALREADY_VOIDED_before_and_after_settlement(service: Service) -> None:
    round_, player = settled(service)
    early, other = new_round(service), register(service, "EUR", 100_000)
    done(bet(service, early, other), 201)
    for one, who in ((round_, player), (early, other)):
        done(step(service, one, "void", FULL))
        refused(step(service, one, "void", FULL), 409, "ALREADY_VOIDED")
        refused(step(service, one, "void", {**FULL, "policy": "HOUSE_ABSORBS"}), 409, "ALREADY_VOIDED")
        refused(step(service, one, "void", {**FULL, "dry_run": True}), 409, "ALREADY_VOIDED")
        assert money(service, who) == (100_000, 0)


@pytest.mark.parametrize("policy", ["CLAW_BACK", "HOUSE_ABSORBS"])
def test_a_dry_run_tells_what_the_void_would_do_and_changes_nothing(service: Service, policy: str) -> None:
    round_, player = settled(service)
    before, last = money(service, player), head(service)
    body = {**FULL, "policy": policy}
    told = done(step(service, round_, "void", {**body, "dry_run": True}))
    assert (money(service, player), head(service)) == (before, last)
    assert told["position"] == last
    seen = read(service, f"/v1/rounds/{round_}")
    assert (seen["phase"], seen["void"]) == ("SETTLED", None)
    real = done(step(service, round_, "void", body))
    assert {**told, "dry_run": False, "position": real["position"]} == real
    assert sum(one["owed"] - one["taken"] for one in real["players"]) == sum(one["loss"] for one in real["players"])


def test_a_dry_run_burns_no_key(service: Service) -> None:
    round_, _ = settled(service)
    key = service.name("key")
    done(service.post(f"/v1/rounds/{round_}/void", {**FULL, "dry_run": True}, key=key))
    assert done(service.post(f"/v1/rounds/{round_}/void", FULL, key=key))["phase"] == "VOIDED"


def test_before_settlement_a_void_needs_no_second_person_and_returns_every_stake(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR")
    round_, player = new_round(service, jackpot=jackpot), register(service, "EUR", 100_000)
    done(bet(service, round_, player, progressive=50), 201)
    done(step(service, round_, "close"))
    voided = done(step(service, round_, "void"))
    assert [(one["player"], one["refund"]) for one in voided["players"]] == [(player, 3_050)]
    assert voided["players"][0]["balance"]["available"] == 100_000
    pool = done(service.get(f"/v1/jackpots/{jackpot}", params={"min_position": voided["position"]}))
    assert (pool["meter_micro"], pool["reserve_micro"], pool["pending_micro"]) == (10_000_000 * 10**6, 0, 0)


def body_for(contract: Contract, service: Service, call: Operation) -> Any:
    body = sample(contract, contract.body_schema(call))
    return {**body, "transaction_id": service.name("never")} if "transaction_id" in body else body


def test_an_object_that_is_not_there_is_NOT_FOUND_at_every_command(contract: Contract, service: Service) -> None:
    before = head(service)
    for call in contract.operations("POST", "PATCH"):
        names = call.named("path")
        if names and not call.path.endswith("/rollback"):  # an id unheard of gets a tombstone
            answer = service.send(call.method, call.url({}), body_for(contract, service, call))
            if call.path.endswith("/bulk"):  # each item is told by itself
                told = done(answer)["results"]
                assert {(one["code"], one["field"] in names) for one in told} == {("NOT_FOUND", True)}, answer.text
                continue
            assert refused(answer, 404, "NOT_FOUND")["field"] in names, f"{call}: {answer.text}"
    assert head(service) == before


def test_an_object_that_is_not_there_is_NOT_FOUND_at_every_read(contract: Contract, service: Service) -> None:
    for call in contract.operations("GET"):
        if names := call.named("path"):
            answer = service.get(call.url({}))
            assert refused(answer, 404, "NOT_FOUND")["field"] in names, f"{call}: {answer.text}"


def test_what_a_body_names_and_is_not_there_is_NOT_FOUND(service: Service) -> None:
    scene = new_scene(service)
    refused(bet(service, scene.round, "nobody", seat=2), 404, "NOT_FOUND", "player")
    for what in ("undo", "leave"):
        refused(step(service, scene.round, what, {"player": "nobody"}), 404, "NOT_FOUND", "player")
    table = {"table": service.name("table"), "ruleset": EURO, "currency": "EUR", "ante_min": 1, "ante_max": 2}
    refused(service.post("/v1/tables", {**table, "jackpot": "none"}), 404, "NOT_FOUND", "jackpot")
    refused(service.get(f"/v1/rounds/{scene.round}/players/nobody"), 404, "NOT_FOUND", "player")
