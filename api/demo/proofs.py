"""The proofs that need the database: `studbook verify` beside the running service."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

NEEDS_DATABASE = "needs the database: give --database-url or --data-dir, or run `studbook verify` beside the service"


@dataclass(frozen=True, slots=True)
class Proof:
    """What `studbook verify` found; a value is None where it could not be asked. `note` says why, or what is wrong."""

    ok: bool | None
    ledger_sums_to_zero: bool | None
    read_models_equal_events: bool | None
    events: int | None
    entries: int | None
    note: str

    @property
    def failed(self) -> bool:
        """Whether something was looked at and does not hold."""
        return self.ok is False


def unproved() -> Proof:
    """Nobody has told where the database is."""
    return Proof(None, None, None, None, None, NEEDS_DATABASE)


def verify(options: Sequence[str], environ: Mapping[str, str]) -> Proof:
    """Run `studbook verify --json` with `options` that name the database."""
    done = subprocess.run(
        [sys.executable, "-m", "api.cli", "verify", "--json", *options],
        env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    try:
        found = json.loads(done.stdout)
    except ValueError:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())
        return Proof(False, None, None, None, None, f"studbook verify ended with {done.returncode}: {said}")
    reasons = "; ".join(f"position {one['position']}: {one['reason']}" for one in found["findings"][:3])
    return Proof(
        found["ok"], found["ledger_sums_to_zero"], found["read_models_equal_events"],
        found["events"], found["entries"],
        "" if found["ok"] else reasons or "studbook verify is not content",
    )  # fmt: skip
