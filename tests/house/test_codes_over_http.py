"""Every problem code is received by a test that asks over HTTP, with its status; a test of its decider is not enough.

A test of tests/http that expects a problem names status and code side by side: `refused(answer, 409, "SEAT_TAKEN")`.
"""

from __future__ import annotations

import re

import pytest

from api.errors import STATUS
from tests.house.tree import ROOT

EXPECTED = re.compile(r'\b([45]\d\d), "([A-Z_]{5,})"')

NEVER_SEEN: dict[tuple[int, str], str] = {
    (500, "INTERNAL"): "a fault of ours; tests/api plants one behind the dispatcher",
}
"""Status and code to the reason why no test can receive it over HTTP."""

CODES = sorted({(status, refusal.code) for refusal, status in STATUS.items()})


def expected_in(text: str) -> set[tuple[int, str]]:
    """Pairs of status and code that a test file expects."""
    return {(int(status), code) for status, code in EXPECTED.findall(text)}


RECEIVED = {
    pair for path in (ROOT / "tests/http").glob("test_*.py") for pair in expected_in(path.read_text("utf-8"))
}  # fmt: skip


@pytest.mark.parametrize(("status", "code"), CODES)
def test_a_code_is_received_over_http(status: int, code: str) -> None:
    if (status, code) in NEVER_SEEN:
        assert (status, code) not in RECEIVED, f"take {code} out of NEVER_SEEN"
    else:
        assert (status, code) in RECEIVED, f"no test of tests/http expects {status} {code}"


def test_no_test_over_http_expects_what_the_table_does_not_have() -> None:
    assert RECEIVED - set(CODES) == set()
    assert NEVER_SEEN.keys() <= set(CODES)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('refused(bet(service, round_, player), 409, "SEAT_TAKEN", "seat")', {(409, "SEAT_TAKEN")}),
        ('assert (answer.status, answer.code) == (405, "METHOD_NOT_ALLOWED")', {(405, "METHOD_NOT_ALLOWED")}),
        ('deposit(service, 409, "EUR")', set()),
        ("# 409 SEAT_TAKEN would be no test", set()),
    ],
)
def test_what_a_test_expects_is_read_from_it(text: str, found: set[tuple[int, str]]) -> None:
    assert expected_in(text) == found
