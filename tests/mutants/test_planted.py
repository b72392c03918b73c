"""The suite finds what it is for: each planted fault makes one of its tests fail, and without it they all pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.mutants import faults_house, faults_money, faults_rules, faults_undone
from tests.mutants.planted import Planted
from tests.mutants.workshop import NotOnce, Workshop

FAULTS = faults_rules.FAULTS + faults_money.FAULTS + faults_house.FAULTS + faults_undone.FAULTS

REQUIRED = frozenset({
    "pay table", "tie-break", "qualifier", "side bet after a fold", "sign of a posting", "fraction of a meter",
    "order of awards", "idempotency", "phase check", "void done twice",
})  # fmt: skip

TIE = ("tests/domain/test_settlement.py::test_S0_19_S2_15_S3_15_S4_04_a_tie_pushes_both",)


def by_file() -> dict[str, list[str]]:
    """The tests that faults name, each once, by their file."""
    found: dict[str, list[str]] = {}
    for test in dict.fromkeys(test for fault in FAULTS for test in fault.tests):
        found.setdefault(test.partition("::")[0], []).append(test)
    return found


NAMED = by_file()


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    with Workshop(tmp_path_factory.mktemp("planted")) as open_workshop:
        yield open_workshop


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.name.replace(" ", "_"))
def test_a_planted_fault_is_found(workshop: Workshop, fault: Planted) -> None:
    with workshop.planted(fault):
        run = workshop.run(fault.tests)
    assert run.found, f"exit code {run.exit_code}:\n{run.report}"


@pytest.mark.parametrize("file", NAMED)
def test_the_tests_that_find_faults_pass_on_the_house_as_it_is(workshop: Workshop, file: str) -> None:
    run = workshop.run(NAMED[file])
    assert run.passed, f"exit code {run.exit_code}:\n{run.report}"


def test_at_least_three_faults_are_planted_in_each_part_that_must_not_fail() -> None:
    planted = Counter(fault.kind for fault in FAULTS)
    assert {kind for kind in REQUIRED if planted[kind] < 3} == set()
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def fault_in(file: str, before: str, after: str) -> Planted:
    return Planted("a change", "none", file, before, after, TIE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if player > dealer:", "if dealer < player:"),  # means the same
        ("if player > dealer:", "if player >> dealer:::"),  # cannot be read
        ("from domain.hands import Category,", "from domain.hand import Category,"),  # cannot be imported
    ],
)
def test_a_change_that_no_test_notices_or_that_does_not_run_is_not_found(
    workshop: Workshop, before: str, after: str
) -> None:
    change = fault_in("domain/settlement.py", before, after)
    with workshop.planted(change):
        assert not workshop.run(change.tests).found
    assert workshop.run(change.tests).passed


@pytest.mark.parametrize("before", ["if player > dealers:", "Decision.FOLD", ""])
def test_a_text_that_is_not_there_or_there_twice_is_no_fault(workshop: Workshop, before: str) -> None:
    with pytest.raises(NotOnce), workshop.planted(fault_in("domain/settlement.py", before, "pass")):
        pass


def test_a_test_that_is_not_there_finds_nothing(workshop: Workshop) -> None:
    run = workshop.run(["tests/domain/test_settlement.py::test_nothing"])
    assert (run.passed, run.found) == (False, False)
