"""Two persons over HTTP: with `four_eyes` `strict` a call answers 202, and another subject's key completes it (R23)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from api.routes import ROWS
from services.commands import TwoPersonCommand
from tests.http.contract import Contract
from tests.http.floor import (
    DEALER,
    EURO,
    bet,
    decide,
    done,
    head,
    money,
    new_round,
    open_jackpot,
    open_round,
    open_table,
    played,
    read,
    refused,
    register,
    step,
)
from tests.http.two_persons import Persons
from tests.http.two_persons import persons as of_a_strict_operator
from tests.service import Service

WHY = {"reason": "miscount"}
ROYAL = ["As", "Ks", "Qs", "Js", "Ts"]


@pytest.fixture(scope="module")
def persons(service: Service, contract: Contract) -> Iterator[Persons]:
    with of_a_strict_operator(service, contract) as found:
        yield found


def proposal(answer: httpx2.Response) -> str:
    """The approval that a proposal waits for."""
    body = done(answer, 202)
    assert (body["status"], body["proposer"]) == ("OPEN", "pit")
    return str(body["approval"])


def adjust(who: Service, player: str, amount: int = -500, **more: Any) -> httpx2.Response:
    return who.post(f"/v1/players/{player}/adjustments", {"amount": amount, **WHY, **more})


def decided(who: Service, approval: str, body: Any = None, *, key: str | None = None) -> httpx2.Response:
    return who.post(f"/v1/approvals/{approval}", body, key=key)


def test_R23_an_adjustment_waits_for_another_subjects_key_and_then_moves(persons: Persons) -> None:
    pit, boss = persons["pit"], persons["boss"]
    player = register(pit, deposit=10_000)
    approval = proposal(adjust(pit, player))
    assert money(pit, player) == (10_000, 0)
    for own in (pit, persons["pit again"]):
        refused(decided(own, approval), 403, "FORBIDDEN")
    assert money(pit, player) == (10_000, 0)
    answer = done(decided(boss, approval))
    assert (answer["amount"], answer["balance"]["available"]) == (-500, 9_500)
    feed = done(pit.get("/v1/events", params={"after": answer["position"] - 2}))["events"]
    assert [one["type"] for one in feed] == ["studbook.approval.approved.v1", "studbook.wallet.adjusted.v1"]
    assert feed[1]["data"]["approver"] == "boss"
    found = read(pit, f"/v1/approvals/{approval}")
    assert (found["status"], found["call"], found["decided_by"]) == ("APPROVED", "ADJUST", "boss")
    assert found["proposed"] == {"player": player, "amount": -500, "reason": "miscount"}


def test_R13_the_proposers_key_replays_the_202_and_the_approvers_the_final_answer(persons: Persons) -> None:
    pit, boss, player = persons["pit"], persons["boss"], register(persons["pit"], deposit=10_000)
    body, path = {"amount": -500, **WHY}, f"/v1/players/{player}/adjustments"
    asked, agreed = pit.name("key"), pit.name("key")
    first = pit.post(path, body, key=asked)
    approval = proposal(first)
    final = decided(boss, approval, key=agreed)
    done(final)
    for again, answer in ((pit.post(path, body, key=asked), first), (decided(boss, approval, key=agreed), final)):
        assert (again.status_code, again.content) == (answer.status_code, answer.content)
        assert again.headers["idempotency-replayed"] == "true"
    refused(pit.post(path, {**body, "amount": 1}, key=asked), 422, "IDEMPOTENCY_MISMATCH")
    assert money(pit, player) == (9_500, 0)


def test_R13_twenty_approvals_at_once_move_it_once(persons: Persons) -> None:
    boss, player = persons["boss"], register(persons["pit"], deposit=10_000)
    approval = proposal(adjust(persons["pit"], player))
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: decided(boss, approval), range(20)))
    assert sorted(one.status_code for one in answers) == [200] + [409] * 19
    assert {one.json()["code"] for one in answers if one.status_code == 409} == {"WRONG_PHASE"}
    assert money(boss, player) == (9_500, 0)


def test_C19_a_settled_round_is_voided_by_two_persons_resettled_by_two_and_a_dry_run_needs_nobody(
    persons: Persons,
) -> None:
    pit, dealer = persons["pit"], persons["dealer"]
    player = register(pit, deposit=10_000)
    round_, _ = played(pit, player)
    cards = {"seats": {"1": ["2c", "3d", "5h", "7s", "9c"]}, "dealer": DEALER}
    approval = proposal(step(pit, round_, "resettle", {**cards, "policy": "CLAW_BACK", **WHY}))
    assert done(decided(dealer, approval))["players"][0]["net"] == -1_500
    void = {"policy": "CLAW_BACK", **WHY}
    shown = done(step(pit, round_, "void", {**void, "dry_run": True}))
    first, second = (proposal(step(pit, round_, "void", {**void, "approver": "deputy"})) for _ in range(2))
    assert money(pit, player) == (8_500, 0)
    answer = done(decided(dealer, second))
    assert {**answer, "position": 0, "dry_run": True} == {**shown, "position": 0}
    assert read(pit, f"/v1/rounds/{round_}")["void"]["approver"] == "dealer"
    refused(decided(dealer, first), 409, "ALREADY_VOIDED")
    assert read(pit, f"/v1/approvals/{first}")["status"] == "OPEN"
    assert money(pit, player) == (10_000, 0)


def test_C19_a_round_that_is_not_settled_is_voided_at_once_and_no_approver_is_recorded(persons: Persons) -> None:
    pit = persons["pit"]
    round_ = new_round(pit)
    assert done(step(pit, round_, "void", {**WHY, "approver": "deputy"}))["phase"] == "VOIDED"
    assert read(pit, f"/v1/rounds/{round_}")["void"]["approver"] is None


def test_R8_pools_are_corrected_and_transferred_by_two_persons(persons: Persons) -> None:
    pit, boss = persons["pit"], persons["boss"]
    pool, to = (open_jackpot(pit, EURO, "EUR") for _ in range(2))
    meter = read(pit, f"/v1/jackpots/{pool}")["meter"]
    corrected = proposal(pit.post(f"/v1/jackpots/{pool}/corrections", {"amount_micro": "1000000", **WHY}))
    moved = proposal(pit.post(f"/v1/jackpots/{pool}/transfers", {"amount_micro": "1000000", "to": to, **WHY}))
    assert read(pit, f"/v1/jackpots/{pool}")["meter"] == meter
    assert done(decided(boss, corrected))["jackpots"][0]["meter"] == meter + 1
    assert [one["meter"] for one in done(decided(boss, moved))["jackpots"]] == [meter, meter + 1]


def test_S4_08_a_pending_prize_is_paid_or_refused_by_two_persons(persons: Persons) -> None:
    pit, boss = persons["pit"], persons["boss"]
    pool = open_jackpot(pit, EURO, "EUR", handpay_threshold=1_000)
    table = open_table(pit, EURO, "EUR", pool, card_source="FEED")
    for what, is_paid in (("refuse", False), ("verify", True)):
        player, round_ = register(pit, deposit=100_000), open_round(pit, table)
        done(bet(pit, round_, player, 500, progressive=50), 201)
        done(step(pit, round_, "close"))
        done(step(pit, round_, "deal", {"seats": {"1": ROYAL}, "dealer": DEALER}))
        done(decide(pit, round_, player))
        done(step(pit, round_, "settle"))
        before = money(pit, player)[0]
        approval = proposal(pit.post(f"/v1/jackpots/{pool}/awards/{round_}:1/{what}", WHY))
        answer = done(decided(boss, approval))
        assert answer["status"] == {"refuse": "REFUSED", "verify": "VERIFIED"}[what]
        assert (money(pit, player)[0] > before) is is_paid


def test_R23_a_role_that_may_not_make_the_call_does_not_decide_it(persons: Persons) -> None:
    pit, player = persons["pit"], register(persons["pit"], deposit=10_000)
    approval, before = proposal(adjust(pit, player)), head(pit)
    for who in ("dealer", "auditor"):
        for body in ({}, {"decision": "REJECT", **WHY}):
            refused(decided(persons[who], approval, body), 403, "FORBIDDEN")
    assert head(pit) == before


def test_R23_a_proposal_is_rejected_with_a_reason_or_taken_back_and_is_then_decided(persons: Persons) -> None:
    pit, boss, player = persons["pit"], persons["boss"], register(persons["pit"], deposit=10_000)
    theirs, own = (proposal(adjust(pit, player)) for _ in range(2))
    refused(decided(boss, theirs, {"decision": "REJECT"}), 422, "INVALID", "reason")
    refused(decided(boss, theirs, {"decision": "MAYBE"}), 422, "INVALID", "decision")
    assert done(decided(boss, theirs, {"decision": "REJECT", "reason": "no slip"}))["status"] == "REJECTED"
    assert done(decided(pit, own, {"decision": "REJECT", "reason": "typed wrong"}))["status"] == "WITHDRAWN"
    for approval in (theirs, own):
        refused(decided(boss, approval), 409, "WRONG_PHASE", "approval")
    assert read(pit, f"/v1/approvals/{theirs}")["decided_because"] == "no slip"
    assert money(pit, player) == (10_000, 0)


def test_R23_naming_oneself_is_FORBIDDEN_and_whom_one_names_is_shown_as_asked(persons: Persons) -> None:
    pit, player = persons["pit"], register(persons["pit"], deposit=10_000)
    refused(adjust(pit, player, approver="pit"), 403, "FORBIDDEN", "approver")
    assert done(adjust(pit, player, approver="deputy"), 202)["asked"] == "deputy"


def test_R23_with_names_the_call_that_names_nobody_is_INVALID(service: Service) -> None:
    player = register(service, deposit=10_000)
    refused(adjust(service, player), 422, "INVALID", "approver")
    assert money(service, player) == (10_000, 0)


def test_the_list_has_the_open_ones_first_and_pages_through_all(service: Service, contract: Contract) -> None:
    with of_a_strict_operator(service, contract) as persons:
        pit, boss = persons["pit"], persons["boss"]
        player = register(pit, deposit=10_000)
        names = [proposal(adjust(pit, player, amount)) for amount in (1, 2, 3, 4)]
        done(decided(boss, names[3]))
        done(decided(boss, names[1], {"decision": "REJECT", **WHY}))
        wanted = [names[2], names[0], names[3], names[1]]
        assert [one["approval"] for one in read(persons["auditor"], "/v1/approvals")["items"]] == wanted
        page, seen = read(pit, "/v1/approvals", limit=1), []
        while page["next"]:
            seen += page["items"]
            page = read(pit, "/v1/approvals", limit=1, cursor=page["next"])
        seen += page["items"]
        assert [(one["approval"], one["status"]) for one in seen] == list(
            zip(wanted, ("OPEN", "OPEN", "APPROVED", "REJECTED"), strict=True)
        )


def test_F19_another_operators_proposal_is_not_found_and_not_listed(service: Service, persons: Persons) -> None:
    pit, player = persons["pit"], register(persons["pit"], deposit=10_000)
    approval = proposal(adjust(pit, player))
    theirs = refused(service.get(f"/v1/approvals/{approval}"), 404, "NOT_FOUND")
    never = refused(service.get("/v1/approvals/never-heard-of"), 404, "NOT_FOUND")
    assert theirs["detail"] == never["detail"]
    refused(service.post(f"/v1/approvals/{approval}"), 404, "NOT_FOUND")
    assert approval not in [one["approval"] for one in read(service, "/v1/approvals", limit=1000)["items"]]
    assert money(pit, player) == (10_000, 0)


def test_every_call_that_needs_two_persons_is_one_that_proposes(persons: Persons) -> None:
    needs = {one.__name__ for one in TwoPersonCommand.__args__}
    for row in ROWS:
        made = getattr(getattr(row, "command", None), "__annotations__", {}).get("return", "").rpartition(".")[2]
        assert (made in needs) is (getattr(row, "proposes", None) is not None), row.path
