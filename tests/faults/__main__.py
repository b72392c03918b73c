"""`python -m tests.faults`: run the faults of the reliability table against the real service."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import sys
import time
import traceback
import uuid
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from types import FrameType

from rich.console import Console

from tests.faults.board import Board, Row
from tests.faults.catalogue import chosen
from tests.faults.fault import Fault, Skipped, Trial
from tests.postgres import remove_if_unused, shared_folder

WIDE = 160
"""Columns of the table where the output is no terminal."""

EPILOG = """\
Examples:
  python -m tests.faults --only F01,F06
  python -m tests.faults --amount long --minutes 60 --json soak.json

docs/faults.md says what each fault does and how to read the table. Exit code 1: a fault failed.
"""


def main(words: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 0 when every fault passed, 1 when one failed, 2 for a wrong word."""
    asked = _parser().parse_args(words)
    try:
        faults = chosen(asked.only)
    except ValueError as wrong:
        print(f"faults: {wrong}", file=sys.stderr)
        return 2
    console = Console() if sys.stdout.isatty() else Console(width=WIDE, no_color=True)
    board, rows = Board(console), []
    seed = secrets.randbelow(2**31) if asked.seed is None else asked.seed
    try:
        for fault, chance in _turns(faults, seed, asked.minutes * 60):
            rows.append(_run(board, fault, fault.long if asked.amount == "long" else fault.small, chance))
            if asked.json is not None:
                asked.json.write_text(json.dumps([row.document() for row in rows], indent=2) + "\n", encoding="utf-8")
    except KeyboardInterrupt:
        board.table(rows)
        return 130
    board.table(rows)
    return 0 if all(row.passed for row in rows) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m tests.faults", description=__doc__, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--amount", choices=("small", "long"), default="small", help="how much of each (small)")
    parser.add_argument("--only", metavar="CODES", help="some faults, such as F01,F02 (all)")
    parser.add_argument("--minutes", type=float, default=0.0, help="go on with new seeds for so long (once each)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table to FILE after each fault")
    parser.add_argument("--seed", type=int, help="the seed of all random choices (a new one)")
    return parser


def _turns(faults: Sequence[Fault], seed: int, seconds: float) -> Iterator[tuple[Fault, int]]:
    """Each fault once, and all of them again with new seeds until the time is over."""
    end = time.monotonic() + seconds
    for turn in count():
        for fault in faults:
            if turn and time.monotonic() >= end:
                return
            yield fault, seed + turn
        if not faults or time.monotonic() >= end:
            return


def _run(board: Board, fault: Fault, amount: int, seed: int) -> Row:
    """One fault in a folder of its own; what it leaves there is stopped and removed."""
    folder = shared_folder() / f"own-fault-{fault.code.lower()}-{os.getpid()}-{uuid.uuid4().hex[:6]}"
    folder.mkdir(mode=0o755)
    trial = Trial(amount, folder, seed)
    trial.tell = lambda _done, note: board.progress(fault, trial, note)
    board.begin(fault, amount)
    began = time.monotonic()
    try:
        fault.run(trial)
        trial.expect(trial.done >= amount, f"only {trial.done} of {amount} {fault.unit} were done")
    except Skipped as reason:
        trial.skipped = str(reason)
    except Exception as broken:  # a fault that breaks is a failed row, and the others still run
        where = traceback.extract_tb(broken.__traceback__)[-1]
        said = str(broken).strip() or where.line
        trial.expect(False, f"{type(broken).__name__}: {said} ({Path(where.filename).name}:{where.lineno})")
        if os.environ.get("FAULTS_TRACEBACK"):
            traceback.print_exc()
    finally:
        for held in [*folder.glob("**/users.lock")]:
            remove_if_unused(held.parent)
    row = Row(fault, trial, time.monotonic() - began)
    board.end(row)
    shutil.rmtree(folder, ignore_errors=True)
    return row


def _interrupted(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    for one in (signal.SIGINT, signal.SIGTERM):  # a shell starts what it puts in the background deaf to the first
        signal.signal(one, _interrupted)
    raise SystemExit(main())
