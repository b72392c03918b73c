"""The second settlement gives the given cases' answers, and owes nothing to the first."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Any

import pytest

from domain.second_settlement import Pool, Seat, answer, order_of_payment, settle
from tests.house.tree import ROOT

CASES = ROOT / "tests/golden/cases"
OWN = sorted((ROOT / "domain/second_settlement").rglob("*.py"))
HANDS = {"ROYAL_FLUSH": ["Ah", "Kh", "Qh", "Jh", "Th"], "STRAIGHT_FLUSH": ["9c", "8c", "7c", "6c", "5c"]}
DEALER = ["As", "Kd", "7s", "4h", "2h"]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def differences(wanted: Any, given: Any, at: str = "") -> Iterator[str]:
    """Every key of `wanted` must be in `given` with the same value."""
    match wanted:
        case dict():
            for key, value in wanted.items():
                yield from differences(value, given.get(key), f"{at}.{key}")
        case list():
            assert len(wanted) == len(given)
            for number, (one, other) in enumerate(zip(wanted, given, strict=True)):
                yield from differences(one, other, f"{at}[{number}]")
        case _ if type(wanted) is not type(given) or wanted != given:
            yield f"{at}: {wanted!r} wanted, {given!r} given"


@pytest.mark.parametrize("name", ["settle.jsonl", "rounds.jsonl", "hands.jsonl", "five-plus-one.jsonl"])
def test_all_given_cases_come_out(name: str) -> None:
    cases = rows(name)
    assert len(cases) >= 25
    found = {row["in"]["id"]: list(differences(row["out"], answer(row["in"]))) for row in cases}
    assert {key: one for key, one in found.items() if one} == {}


def test_C21_a_meter_keeps_its_fraction() -> None:
    for row in rows("meter-subcent.jsonl"):
        seat = Seat(HANDS[row["hand"]], {"ANTE": 500, "PROGRESSIVE": 100}, "CALL")
        done = settle(row["ruleset"], DEALER, [seat], Pool(row["meter_micro_before"], row["reset"]))
        assert done.pool is not None
        assert (done.seats[0].prize_minor, done.pool.meter_micro) == (row["award"], row["meter_micro_after"])


def test_S2_20_the_highest_seat_is_paid_first_on_002_alone() -> None:
    assert order_of_payment("euro-progressive-v1", [1, 4, 2]) == [4, 2, 1]
    assert order_of_payment("dollar-jackpot-v1", [3, 1, 2]) == [1, 2, 3]
    assert order_of_payment("land-progressive-v1", [7, 1]) == [1, 7]


def test_it_imports_nothing_of_this_program_but_itself() -> None:
    assert len(OWN) > 3
    for path in OWN:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or "."] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                ours = name.split(".")[0] in {"domain", "services", "adapters", "api"}
                assert not ours or name.startswith("domain.second_settlement"), (path.name, name)
                assert name != "."


def test_the_first_settlement_does_not_use_the_second() -> None:
    for folder in ("domain", "services/handlers"):
        for path in (ROOT / folder).rglob("*.py"):
            if path not in OWN and path.name != "returns.py":  # the certificates' theory stands on the pages too
                assert "second_settlement" not in path.read_text("utf-8"), path.name
