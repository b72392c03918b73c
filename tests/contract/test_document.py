"""docs/openapi.json is what the service serves; a change that breaks clients is named. `python -m tests.contract.write`
writes everything that is made from it anew.
"""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from api.operations import NAMES, TAGS
from tests.contract.client_types import Operation
from tests.contract.compat import incompatible
from tests.contract.errors_page import PAGE, page
from tests.contract.fit import faults
from tests.contract.write import CLIENT, DOCUMENT, bare, client_files, operations
from tests.house.tree import ROOT
from tests.http.contract import Contract
from tests.service import Service

SECRETS = ("/v1/keys", "/v1/webhooks")
"""What their 201 tells is told once, and is read nowhere."""

WRITE = "run: python -m tests.contract.write"
COMMITTED: dict[str, Any] = json.loads(DOCUMENT.read_text("utf-8"))
OPERATIONS: list[Operation] = operations(COMMITTED)


def test_nothing_that_a_client_builds_on_is_gone_or_newly_demanded(contract: Contract) -> None:
    assert incompatible(bare(COMMITTED), contract.document) == []


def test_the_committed_document_is_the_one_that_is_served_examples_included(service: Service) -> None:
    assert httpx2.get(f"{service.url}/openapi.json", timeout=120).json() == COMMITTED, WRITE


def test_the_client_is_the_one_that_the_document_makes() -> None:
    written = client_files(bare(COMMITTED))
    there = {path.relative_to(CLIENT).as_posix() for path in CLIENT.glob("m*/*.py")} | {"refusals.py"}
    there |= {path.relative_to(CLIENT).as_posix() for path in CLIENT.glob("bodies/*.py")}
    assert there == written.keys(), WRITE
    assert [name for name, text in written.items() if (CLIENT / name).read_text("utf-8") != text] == [], WRITE


def test_the_page_of_errors_is_written_from_the_table_of_refusals() -> None:
    assert PAGE.read_text("utf-8") == page(), WRITE


@pytest.mark.parametrize("name", [told["operationId"] for _, _, told in OPERATIONS])
def test_an_operation_has_a_request_a_success_and_a_refusal_as_examples_that_fit_it(name: str) -> None:
    example = json.loads((ROOT / "api/static/examples.json").read_text("utf-8"))[name]
    assert faults(Contract(bare(COMMITTED)), name, example) == []


def test_every_example_stands_in_the_document(service: Service) -> None:
    played = json.loads((ROOT / "api/static/examples.json").read_text("utf-8"))
    assert played.keys() == {told["operationId"] for _, _, told in OPERATIONS}
    for method, path, told in OPERATIONS:
        shown = json.dumps(told, ensure_ascii=False)
        parts = [*played[told["operationId"]]["answers"].values(), played[told["operationId"]].get("request")]
        for part in parts:
            assert part is None or json.dumps(part, ensure_ascii=False) in shown, f"{method} {path}"
        for status, problems in played[told["operationId"]]["refusals"].items():
            place = told["responses"].get(status, told["responses"]["default"])
            assert {one["code"] for one in problems} <= place["content"]["application/problem+json"]["examples"].keys()


def test_an_example_that_does_not_fit_would_be_found() -> None:
    contract = Contract(bare(COMMITTED))
    good = json.loads((ROOT / "api/static/examples.json").read_text("utf-8"))["deposit"]
    assert faults(contract, "deposit", good) == []
    assert faults(contract, "deposit", {}) == ["deposit: no answers", "deposit: no refusals", "deposit: no request"]
    assert faults(contract, "deposit", {**good, "request": {"amount": "1"}}) != []
    assert faults(contract, "deposit", {**good, "answers": {"201": {}}}) != []
    assert faults(contract, "deposit", {**good, "answers": {"299": {}}}) == ["deposit: 299 is not documented"]
    assert faults(contract, "deposit", {**good, "refusals": {"409": [{"code": "X"}]}}) != []


def test_every_call_has_a_name_and_a_heading_that_were_chosen_by_hand() -> None:
    served = {f"{method} {path}": told["operationId"] for method, path, told in OPERATIONS}
    assert {call: NAMES[call] for call in served} == served
    assert len(set(NAMES.values())) == len(NAMES)
    assert {tag["name"] for tag in COMMITTED["tags"]} <= TAGS.keys()


def test_every_answer_201_names_where_to_read_what_it_made() -> None:
    made = [(method, path, told["responses"]["201"]) for method, path, told in OPERATIONS if "201" in told["responses"]]
    assert len(made) > 8
    without = {path for _, path, one in made if "Location" not in one.get("headers", {})}
    assert [path for path in without if not path.startswith(SECRETS)] == []


def test_the_type_of_every_problem_leads_to_its_paragraph(service: Service) -> None:
    with httpx2.Client(base_url=service.url, timeout=120) as client:
        problem = client.get("/v1/tables").json()
        where, _, anchor = problem["type"].partition("#")
        page_text = client.get(where).text
        assert f'id="{anchor}"' in page_text
    for heading in [line[3:] for line in page().splitlines() if line.startswith("## ")]:
        assert f'id="{heading}"' in page_text, heading
