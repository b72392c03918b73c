"""Every row of the four games' pages, and every choice of ours, has a test named after it.

`tests/golden/rows.tsv` lists them: id, class, what it asks for. Class B is the backend's, V the client's to ask for and
the backend's to keep, C a choice of docs/rules.md; U (a client's screen) and P (procedure), and halves so marked, may
have a line in docs/rules.md instead.
"""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from tests.house.tree import ROOT

ROWS = [line.split("\t") for line in (ROOT / "tests/golden/rows.tsv").read_text("utf-8").splitlines()]
KINDS = {row[0]: row[1] for row in ROWS}
PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8")
_ROW = re.compile(r"(?<![A-Za-z0-9])(?:(S[0234])_(\d\d)|C(\d{1,2}))(?![0-9])")


def rows_of(name: str) -> set[str]:
    """The rows that a name begins with: `test_S0_40_C26_the_...`; F, R and bug numbers may stand between."""
    head = re.match(r"test_((?:S[0234]_\d\d_|C\d{1,2}_|F\d\d_|R\d\d_|bug_\d+_)+)", name)
    return {f"{page}-{row}" if page else f"C{choice}" for page, row, choice in _ROW.findall(head[1] if head else "")}


def named_after_rows() -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"^(?:async )?def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE):
            for row in rows_of(name):
                found[row].append(name)
    return found


def clients_rows() -> set[str]:
    """Rows with a line in docs/rules.md under the heading of its own."""
    section = PAGE.partition("\n## Rows that a client answers\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| (S[0234]-\d\d) \|", section, re.MULTILINE))


TESTED = named_after_rows()


def test_the_list_has_every_row_of_the_pages_and_every_choice_once() -> None:
    counted = {page: sum(row.startswith(page) for row in KINDS) for page in ("S0-", "S2-", "S3-", "S4-", "C")}
    assert counted == {"S0-": 52, "S2-": 22, "S3-": 23, "S4-": 10, "C": 33}
    assert len(KINDS) == len(ROWS)
    assert set(KINDS.values()) <= {"B", "V", "U", "P", "U/B", "B/P", "C"}
    assert all(len(row) == 3 and row[2] for row in ROWS)


@pytest.mark.parametrize("row", KINDS)
def test_a_row_has_a_test_or_what_excuses_it(row: str) -> None:
    if KINDS[row] in {"U", "P"}:
        assert row in TESTED or row in clients_rows(), f"{row}: write its line in docs/rules.md"
    else:
        assert row in TESTED, f"{row} has no test named after it"


def test_only_rows_of_a_client_or_of_procedure_have_a_line_instead() -> None:
    assert {row for row in clients_rows() if not {"U", "P"} & set(KINDS[row].split("/"))} == set()
    halves = {row for row, kind in KINDS.items() if "/" in kind}
    assert halves <= clients_rows(), "a half that a client or the floor does is told too"


def test_no_test_is_named_after_a_row_that_is_not_there() -> None:
    assert set(TESTED) - set(KINDS) == set()


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("test_S0_15_ace_king_qualifies", {"S0-15"}),
        ("test_S0_40_C26_the_number", {"S0-40", "C26"}),
        ("test_C2_the_up_card", {"C2"}),
        ("test_F29_R19_S0_38_bug_016_absent", {"S0-38"}),
        ("test_a_seat_of_S0_02", set()),
        ("test_S0_002_is_no_row", set()),
    ],
)
def test_a_tests_name_tells_its_rows(name: str, rows: set[str]) -> None:
    assert rows_of(name) == rows
