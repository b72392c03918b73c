"""What the house tests look at: the files of this checkout, without environments and caches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = ("domain", "services", "adapters", "api", "tests")

_NOT_OURS = {".git", ".venv", "__pycache__", "data", "dist"}


def code_files() -> list[Path]:
    """Every Python file of the house, tests included."""
    return sorted(path for top in CODE for path in (ROOT / top).rglob("*.py"))


def markdown_files() -> list[Path]:
    """README, CHANGELOG and every page under docs and deploy."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").rglob("*.md")])


def files() -> Iterator[Path]:
    """Every file of the checkout that could be committed."""
    for folder, names, leaves in os.walk(ROOT):
        names[:] = [name for name in names if name not in _NOT_OURS and not name.endswith(("_cache", ".hypothesis"))]
        yield from (Path(folder, leaf) for leaf in leaves)


def shown(path: Path) -> str:
    """A file's name as a person would type it from the root of the checkout."""
    return path.relative_to(ROOT).as_posix()
