"""docs/guarantees.md names a test for each promise, and the tests are there."""

from __future__ import annotations

import ast
import re

from tests.faults.catalogue import catalogue
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "guarantees.md").read_text("utf-8")
TEST, FAULT = re.compile(r"`(test_\w+)`"), re.compile(r"\bF\d\d\b")


def promises(page: str) -> list[str]:
    """Each bullet of the page, whole."""
    return [" ".join(part.split()) for part in re.findall(r"^- (.+(?:\n  .+)*)", page, re.MULTILINE)]


def names_there() -> set[str]:
    """The names of all test functions."""
    trees = (ast.parse(path.read_text("utf-8")) for path in (ROOT / "tests").rglob("test_*.py"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, functions)}


def test_every_promise_names_a_test() -> None:
    found = promises(PAGE)
    assert len(found) > 25
    assert [one for one in found if not one.startswith("**") or not TEST.search(one)] == []


def test_every_test_that_the_page_names_is_there() -> None:
    assert set(TEST.findall(PAGE)) - names_there() == set()


def test_every_fault_that_the_page_names_is_in_make_faults() -> None:
    assert set(FAULT.findall(re.sub(r"`[^`]*`", "", PAGE))) - {one.code for one in catalogue()} == set()


def test_a_promise_is_read_with_all_of_its_lines() -> None:
    assert promises("# x\n- **A.** b\n  `test_c`\n\ntext\n- **D.** e\n") == ["**A.** b `test_c`", "**D.** e"]
