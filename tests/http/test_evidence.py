"""`GET /v1/rounds/{round}/evidence`: a signed pack from the showdown on, checked without the service (R26, F32)."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from adapters.anchors.folder import Folder
from api.main.pack_check import check_document
from services.evidence.checking import PackChecked
from tests.house.evidence_schema import text
from tests.http.floor import (
    DEALER,
    decide,
    done,
    read,
    refused,
    step,
)
from tests.http.test_anchors import played, wait_for_anchor
from tests.http.test_reads_rounds import HANDS, two_seats
from tests.service import Service
from tests.support.rounds_over_http import pages, round_of_five, round_of_one


def pack(service: Service, round_: str, **query: Any) -> dict[str, Any]:
    return read(service, f"/v1/rounds/{round_}/evidence", **query)


def checked(service: Service, document: dict[str, Any]) -> PackChecked:
    """Checked with the published keys."""
    return check_document(document, read(service, "/v1/evidence/keys")["keys"])


def test_R26_the_pack_of_a_round_holds_without_the_service(service: Service) -> None:
    round_, ann = round_of_one(service)
    document = pack(service, round_)
    found = checked(service, document)
    assert [one for one in found.checks if one.reason is not None] == []
    assert {one.name for one in found.checks if not one.done} - {"anchors"} == {"day"}
    assert (document["round"], document["part"]["players"], document["equal"]) == (round_, [ann], True)
    assert document["made"]["by"] == document["commands"][0]["actor"] == "demo-engineer"
    wait_for_anchor(Folder(service.data_dir / "anchors"), played(service))
    document = pack(service, round_)
    found = checked(service, document)
    assert ([one.name for one in found.checks if not one.done], found.ok) == (["day"], True)
    assert document["anchors"]["after"] is not None


def test_F32_no_pack_is_made_while_cards_are_hidden_and_one_of_a_round_that_was_voided_then(service: Service) -> None:
    round_, players = two_seats(service)
    for action, body in (("close", {}), ("deal", {"seats": HANDS, "dealer": DEALER})):
        refused(service.get(f"/v1/rounds/{round_}/evidence"), 409, "WRONG_PHASE", "round")
        done(step(service, round_, action, body))
    done(decide(service, round_, players[0]))
    refused(service.get(f"/v1/rounds/{round_}/evidence"), 409, "WRONG_PHASE", "round")
    done(step(service, round_, "void", {"reason": "misdeal"}))
    document = pack(service, round_)
    assert (checked(service, document).ok, document["phase"]) == (True, "VOIDED")
    assert document["cards"]["seats"][0]["cards"] == HANDS["1"]


def test_a_round_of_many_seats_has_a_pack_for_each_page_that_holds_by_itself(service: Service) -> None:
    round_, players = round_of_five(service)
    found = pages(partial(pack, service, round_), lambda page: page["part"]["next"])
    assert [sorted(one["part"]["players"]) for one in found] == [players[:2], players[2:4], players[4:]]
    assert [one["part"]["first"] for one in found] == [True, False, False]
    for document in found:
        assert [one for one in checked(service, document).checks if one.reason is not None] == []
        others = set(players) - set(document["part"]["players"])
        assert not [one for one in others if one in str(document["chain"])]
    refused(service.get(f"/v1/rounds/{round_}/evidence", params={"limit": 101}), 422, "INVALID", "limit")
    refused(service.get("/v1/rounds/none/evidence"), 404, "NOT_FOUND", "round")


def test_the_form_of_a_pack_is_served_as_it_is_published(service: Service) -> None:
    answer = service.get("/docs/schemas/evidence-pack-v1.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/schema+json")
    assert answer.json() == json.loads(text())
