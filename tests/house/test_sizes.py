"""Small is a rule of the house: functions under 40 lines, files under 300.

The two tables below only ever shrink. A name that no longer needs its place fails the test until it is taken out;
a file that grows past the limit asks for a seam, not for a place in the table.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import code_files, shown

FUNCTION_LINES_MAX = 39
FILE_LINES_MAX = 299

OVERSIZE_FILES: dict[str, int] = {}
"""File to the number of lines that it may not pass."""

OVERSIZE_FUNCTIONS: dict[str, int] = {}
"""`file::function` to the number of lines that it may not pass."""


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, int]]:
    """Each function's qualified name and its lines, from `def` to its last, docstring counted."""
    for node in ast.iter_child_nodes(tree):
        name = f"{prefix}{getattr(node, 'name', '')}"
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield name, (node.end_lineno or node.lineno) - node.lineno + 1
        is_scope = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        yield from functions(node, f"{name}." if is_scope else prefix)


def file_sizes() -> dict[str, int]:
    return {shown(path): len(path.read_text("utf-8").splitlines()) for path in code_files()}


def function_sizes() -> dict[str, int]:
    return {f"{shown(path)}::{name}": lines for path in code_files() for name, lines in parsed(path)}


def parsed(path: Path) -> Iterator[tuple[str, int]]:
    return functions(ast.parse(path.read_text("utf-8"), str(path)))


def too_large(sizes: dict[str, int], limit: int, excused: dict[str, int]) -> list[str]:
    return [f"{name}: {lines} lines" for name, lines in sizes.items() if lines > excused.get(name, limit)]


def excused_in_vain(sizes: dict[str, int], limit: int, excused: dict[str, int]) -> list[str]:
    """Names that are gone, fit the limit, or shrank below the number that excuses them."""
    return [
        f"{name}: lower {ceiling} to {sizes.get(name, 0)}"
        for name, ceiling in excused.items()
        if sizes.get(name, 0) < ceiling or ceiling <= limit
    ]


def test_no_file_has_300_lines() -> None:
    sizes = file_sizes()
    assert len(sizes) > 10, "the search found too few files to be true"
    assert too_large(sizes, FILE_LINES_MAX, OVERSIZE_FILES) == []
    assert excused_in_vain(sizes, FILE_LINES_MAX, OVERSIZE_FILES) == []


def test_no_function_has_40_lines() -> None:
    sizes = function_sizes()
    assert len(sizes) > 10, "the search found too few functions to be true"
    assert too_large(sizes, FUNCTION_LINES_MAX, OVERSIZE_FUNCTIONS) == []
    assert excused_in_vain(sizes, FUNCTION_LINES_MAX, OVERSIZE_FUNCTIONS) == []


@pytest.mark.parametrize(("body_lines", "found"), [(38, []), (39, ["outer.Inner.long: 40 lines"])])
def test_a_method_within_a_function_is_measured_from_def_to_its_last_line(body_lines: int, found: list[str]) -> None:
    body = "\n".join(["            x = 1"] * body_lines)
    source = f"def outer():\n    class Inner:\n        def long(self):\n{body}\n"
    sizes = {name: lines for name, lines in functions(ast.parse(source)) if name != "outer"}
    assert too_large(sizes, FUNCTION_LINES_MAX, {}) == found


def test_the_tables_only_ratchet_down() -> None:
    assert excused_in_vain({"a": 310}, FILE_LINES_MAX, {"a": 310}) == []
    assert excused_in_vain({"a": 305}, FILE_LINES_MAX, {"a": 310}) == ["a: lower 310 to 305"]
    assert excused_in_vain({}, FILE_LINES_MAX, {"gone": 310}) == ["gone: lower 310 to 0"]
