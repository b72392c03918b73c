"""Imports point inward. The contracts in pyproject.toml name forbidden packages; here the allowed ones are named,
so that a package added tomorrow is refused without anyone having thought of it.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions

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


COMES_WITH = {"pydantic-core": "pydantic", "psycopg-pool": "psycopg", "starlette": "fastapi"}
"""Parts of a package that is named in pyproject.toml, which it documents as its own."""


def distribution(requirement: str) -> str:
    """The name of a requirement, as package registries compare names."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def test_what_is_imported_is_named_in_pyproject_and_not_only_brought_along_by_another_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = [one for extra in project["project"]["optional-dependencies"].values() for one in extra]
    served = {distribution(one) for one in (*project["project"]["dependencies"], *extras)}
    of_tests = served | {distribution(one) for one in project["dependency-groups"]["dev"]}
    packages = packages_distributions()
    unnamed: set[tuple[str, str]] = set()
    for path in code_files():
        named = of_tests if shown(path).startswith("tests/") else served
        for name in imported(path.read_text("utf-8")):
            found = {distribution(one) for one in packages.get(name.partition(".")[0], ())}
            if found and not {COMES_WITH.get(one, one) for one in found} & (named | {"studbook"}):
                unnamed.add((shown(path), name))
    assert unnamed == set()
