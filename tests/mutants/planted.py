"""Faults that somebody could make, each one change of a text, and the tests that have to find it.

The suite is worth what it finds. Each row is planted alone in a copy of the house, and the tests that it names run
there: one of them has to fail. Rows are by subject in the modules `faults_...`; a new one is a row there.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Planted:
    """One change: `before`, which `file` holds exactly once, becomes `after`; one of `tests` has to fail of it.

    `kind` is what the fault is about; `tests` are node ids as pytest takes them.
    """

    name: str
    kind: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]


def at(file: str, *names: str) -> tuple[str, ...]:
    """Node ids of tests of one file; the file alone where no name is given."""
    return tuple(f"tests/{file}::{name}" for name in names) or (f"tests/{file}",)
