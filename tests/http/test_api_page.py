"""docs/api.md says of every call and every code what the service does."""

from __future__ import annotations

import re
from collections import defaultdict

from api.auth import ROLES
from api.errors import STATUS
from tests.house.tree import ROOT
from tests.http.contract import Contract

PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| `")]


def roles_of(text: str) -> frozenset[str]:
    if text == "every role":
        return ROLES
    return frozenset() if text == "no key" else frozenset(text.split(", "))


def test_every_call_stands_in_the_page_with_its_roles_and_success(contract: Contract) -> None:
    told = {row[0].strip("`"): row for row in ROWS if re.match(r"`(GET|POST|PATCH|DELETE) /", row[0])}
    assert told.keys() == {str(one) for one in contract.operations()}
    for one in contract.operations():
        row = told[str(one)]
        assert roles_of(row[1]) == one.roles, one
        if one.method != "GET":
            good = {status for status in one.described["responses"] if status.startswith("2")}
            assert set(row[2].split(" or ")) == good, one


def test_every_parameter_of_a_read_stands_in_the_page(contract: Contract) -> None:
    told = {row[0].strip("`"): set(re.findall(r"`([a-z_]+)`", row[2])) for row in ROWS if row[0].startswith("`GET")}
    for one in contract.operations("GET"):
        assert told[str(one)] == set(one.named("query")) - {"min_position"}, one


def test_every_code_stands_in_the_page_with_its_status_and_whether_to_retry() -> None:
    statuses: defaultdict[str, set[str]] = defaultdict(set)
    for refusal, status in STATUS.items():
        statuses[refusal.code].add(str(status))
    retryable = {refusal.code: refusal.retryable for refusal in STATUS}
    told = {row[0].strip("`"): row for row in ROWS if re.fullmatch("`[A-Z_]+`", row[0])}
    assert told.keys() == statuses.keys()
    for code, row in told.items():
        assert set(row[1].split(", ")) == statuses[code], code
        assert row[2] == ("yes" if retryable[code] else "no"), code
