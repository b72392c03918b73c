"""A copy of the house in which one fault at a time is planted, and the named tests are run."""

from __future__ import annotations

import compileall
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Self

from tests.mutants.planted import Planted

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("domain", "services", "adapters", "api", "tests")

PASSED, FAILED = 0, 1
"""Exit codes of pytest that say something of the code; any other says that the run was no run."""


class NotOnce(AssertionError):
    """The text that a fault replaces is not in its file, or there more than once."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a run of tests ended, and what it printed."""

    exit_code: int
    report: str

    @property
    def passed(self) -> bool:
        """Whether every test that was named ran and passed."""
        return self.exit_code == PASSED

    @property
    def found(self) -> bool:
        """Whether a test failed: an import that breaks, or a fixture, finds nothing."""
        return self.exit_code == FAILED and "\nFAILED " in self.report


class Workshop:
    """A folder with the house in it. Faults come and go; between them it is the house as it stands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "house"
        self._report = folder / "report.txt"
        without = shutil.ignore_patterns("__pycache__", "mutants", ".hypothesis")
        for part in PARTS:
            shutil.copytree(ROOT / part, self.folder / part, ignore=without)
            if part != "tests":
                # compiled code that is told by the source's hash: two faults of one second are never mixed up
                compileall.compile_dir(self.folder / part, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        shutil.copy2(ROOT / "pyproject.toml", self.folder)
        self._nursery = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("nursery.py"))],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._nursery.communicate()

    def run(self, tests: Sequence[str]) -> Run:
        """Run these tests on the copy as it is now."""
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        order = {"folder": str(self.folder), "tests": list(tests), "report": str(self._report)}
        print(json.dumps(order), file=self._nursery.stdin, flush=True)
        code = self._nursery.stdout.readline()
        assert code, "the nursery is gone"
        return Run(int(code), self._report.read_text("utf-8", "replace"))

    @contextmanager
    def planted(self, fault: Planted) -> Iterator[None]:
        """The copy with this one fault in it."""
        path = self.folder / fault.file
        text = path.read_text("utf-8")
        if text.count(fault.before) != 1 or fault.before == fault.after:
            raise NotOnce(f"{fault.name}: {fault.file} holds {text.count(fault.before)} times {fault.before!r}")
        path.write_text(text.replace(fault.before, fault.after), "utf-8")
        try:
            yield
        finally:
            path.write_text(text, "utf-8")
