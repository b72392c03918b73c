"""A day's reconciliation over HTTP, at an operator whose `four_eyes` is `strict` (R16 to R18)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.reconciliations import PoolTotals
from services.reconcile.totals import state_hash
from tests.http.contract import Contract
from tests.http.floor import done, read, refused
from tests.http.two_persons import Persons
from tests.http.two_persons import persons as of_a_strict_operator
from tests.service import Service

DAY = "2026-01-02"
BREAK = {"id": "b-1", "kind": "MODEL", "about": "gold res", "expected": "0", "found": "7", "reason": "the stored row"}


@pytest.fixture(scope="module")
def persons(service: Service, contract: Contract) -> Iterator[Persons]:
    with of_a_strict_operator(service, contract) as found:
        yield found


def body(*breaks: dict[str, Any]) -> dict[str, Any]:
    totals = PoolTotals("gold", "EUR", 0, 10**19, 0, 0, 0, 0, 0, 0, 10**19, 0, 0, 0, 0, -(10**19))
    pool = {name: str(getattr(totals, name)) for name in PoolTotals.__slots__}
    hashes = {"chain_head": "5d" * 32, "state_hash": state_hash(DAY, 7, (totals,))}
    return {"day": DAY, "log_position": 7, **hashes, "pools": [pool], "breaks": list(breaks)}


def test_R17_a_day_is_prepared_by_one_key_and_sealed_by_that_of_another_subject_once_no_break_is_open(
    persons: Persons,
) -> None:
    pit, boss = persons["pit"], persons["boss"]
    at = f"/v1/reconciliations/{DAY}"
    refused(pit.get(at), 404, "NOT_FOUND", "day")
    prepared = done(pit.post("/v1/reconciliations", body(BREAK)), 201)
    assert (prepared["status"], prepared["breaks"][0]["owner"], prepared["breaks"][0]["status"]) == (
        "PREPARED", "pit", "OPEN",
    )  # fmt: skip
    assert prepared["pools"][0]["seed_micro"] == str(10**19), "beyond 64 bits, and exact"
    # an open break keeps it from being proposed
    refused(pit.post(f"{at}/sign-off", {"reason": "agreed"}), 409, "WRONG_PHASE", "day")
    accepted = {"resolution": "ACCEPTED", "note": "a rounding of the old system"}
    done(boss.post(f"{at}/breaks/b-1/resolve", accepted))
    approval = done(pit.post(f"{at}/sign-off", {"reason": "agreed"}), 202)
    assert (approval["call"], approval["proposed"]) == ("SIGN_OFF", {"day": DAY, "reason": "agreed"})
    refused(persons["pit again"].post(f"/v1/approvals/{approval['approval']}"), 403, "FORBIDDEN")
    refused(persons["dealer"].post(f"/v1/approvals/{approval['approval']}"), 403, "FORBIDDEN")
    sealed = done(boss.post(f"/v1/approvals/{approval['approval']}"))
    assert (sealed["status"], sealed["prepared_by"], sealed["approver"]) == ("SEALED", "pit", "boss")
    shown = read(persons["auditor"], at)
    assert (shown["breaks"][0]["status"], shown["breaks"][0]["resolved_by"]) == ("ACCEPTED", "boss")
    refused(pit.post("/v1/reconciliations", body()), 409, "WRONG_PHASE", "day")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"day": "2026-02-30"}, "day"),
        ({"day": "yesterday"}, "day"),
        ({"state_hash": "5d" * 32}, "state_hash"),
        ({"chain_head": "5D" * 32}, "chain_head"),
        ({"log_position": -1}, "log_position"),
        ({"breaks": [BREAK, BREAK]}, "breaks"),
        ({"breaks": [BREAK | {"reason": " "}]}, "breaks[0].reason"),
        ({"pools": [{"jackpot": "gold"}]}, "pools[0].currency"),
    ],
)
def test_a_sheet_that_is_wrong_is_refused_with_the_name_of_the_field(
    persons: Persons, wrong: dict[str, Any], field: str
) -> None:
    refused(persons["pit"].post("/v1/reconciliations", body() | wrong), 422, "INVALID", field)


def test_a_day_that_has_not_ended_is_not_prepared(persons: Persons) -> None:
    later = body() | {"day": "2199-01-01"}
    refused(persons["pit"].post("/v1/reconciliations", later), 409, "WRONG_PHASE", "day")
