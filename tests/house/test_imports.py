"""Imports point inward. The contracts in pyproject.toml name forbidden packages; here the allowed ones are named,
so that a package added tomorrow is refused without anyone having thought of it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

import pytest

from tests.house.tree import ROOT, code_files, shown

ALLOWED = {
    "domain": {"domain"},
    "services": {"domain", "services"},
}
"""Layer to the packages outside the standard library that it may import."""


def imported(source: str) -> Iterator[str]:
    """The modules that a file imports, functions' own imports included. Relative imports are written `.`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." if node.level else node.module or "."


def strangers(source: str, allowed: set[str]) -> list[str]:
    names = {name.partition(".")[0] or "." for name in imported(source)}
    return sorted(names - allowed - sys.stdlib_module_names)


@pytest.mark.parametrize("layer", ALLOWED)
def test_a_layer_imports_the_standard_library_and_what_lies_inward(layer: str) -> None:
    paths = sorted((ROOT / layer).rglob("*.py"))
    assert paths
    found = {shown(path): strangers(path.read_text("utf-8"), ALLOWED[layer]) for path in paths}
    assert {path: names for path, names in found.items() if names} == {}


def test_ports_know_no_service() -> None:
    paths = [path for path in code_files() if shown(path).startswith("services/ports")]
    found = {shown(path): list(imported(path.read_text("utf-8"))) for path in paths}
    outward = {
        path: [n for n in names if n.startswith("services") and not n.startswith("services.ports")]
        for path, names in found.items()
    }
    assert {path: names for path, names in outward.items() if names} == {}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import json, psycopg.rows", ["psycopg"]),
        ("from adapters.codec import encode", ["adapters"]),
        ("def f():\n    import orjson", ["orjson"]),
        ("from . import cards", ["."]),
        ("from domain.cards import Card", []),
        ("from __future__ import annotations", []),
    ],
)
def test_a_stranger_is_seen_wherever_it_is_imported(line: str, names: list[str]) -> None:
    assert strangers(line, {"domain"}) == names
