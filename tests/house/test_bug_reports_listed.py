"""Every public fault of systems like ours that was tried here has a test named after its number.

`tests/golden/bug-reports.tsv` lists them: number, kind, what is held against it. A test's name has the number in
three digits behind `bug_`. What waits for something that is not built stands in WAITING, which only ever shrinks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest

from tests.house.tree import ROOT

WAITING: dict[str, str] = {}
"""Number to the reason why it has no test."""

WAITING_PARTS: dict[tuple[str, str], str] = {}
"""Number, and a word that the test of the missing part will have in its name, to what is missing."""

ROWS = [line.split("\t") for line in (ROOT / "tests/golden/bug-reports.tsv").read_text("utf-8").splitlines()]
KINDS = {row[0]: row[1] for row in ROWS}


def numbers_of(name: str) -> set[str]:
    """The numbers that a test's name holds: `test_F04_bug_081_...` is of row 81."""
    return {str(int(digits)) for digits in re.findall(r"(?<=_)bug_(\d+)(?=_)", name)}


def named_after_bugs() -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"^(?:async )?def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE):
            for number in numbers_of(name):
                found[number].append(name)
    return found


TESTED = named_after_bugs()


def test_the_list_has_every_row_once() -> None:
    assert len(KINDS) == len(ROWS)
    assert all(len(row) == 3 and row[2] for row in ROWS)
    assert Counter(KINDS.values()) == {
        "event store": 8, "ledger": 21, "poker": 10, "casino": 13, "API stack": 9, "CSV": 2, "security": 5,
    }  # fmt: skip


@pytest.mark.parametrize("number", KINDS)
def test_a_row_has_a_test_or_waits_for_what_is_not_built(number: str) -> None:
    if number in WAITING:
        assert number not in TESTED, f"{TESTED[number]}: take {number} out of WAITING"
    else:
        assert number in TESTED, f"no test has bug_{int(number):03} in its name"


def test_a_part_that_waits_has_no_test_yet() -> None:
    for (number, word), missing in WAITING_PARTS.items():
        assert number not in WAITING
        found = [name for name in TESTED[number] if word in name.lower()]
        assert found == [], f"take it out of WAITING_PARTS: {missing}"


def test_what_waits_is_of_the_list_and_says_why() -> None:
    assert WAITING.keys() <= KINDS.keys()
    assert all(WAITING.values())
    assert all(WAITING_PARTS.values())


def test_no_test_is_named_after_a_number_that_is_not_there_or_not_of_three_digits() -> None:
    assert set(TESTED) - set(KINDS) == set()
    wrong = [name for names in TESTED.values() for name in names if re.search(r"bug_(?!\d{3}_)", name)]
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("test_bug_022_of_fifty_debits", {"22"}),
        ("test_S0_49_bug_016_the_fifth_table", {"16"}),
        ("test_bug_001_bug_012_a_long_open_write", {"1", "12"}),
        ("test_debug_022_things", set()),
        ("test_bug_of_ours", set()),
    ],
)
def test_a_tests_name_tells_its_numbers(name: str, numbers: set[str]) -> None:
    assert numbers_of(name) == numbers
