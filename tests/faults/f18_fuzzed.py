"""F18: schemathesis against the running service, from its own `/openapi.json`.

No answer is a 5xx, and each is as the document says: status, media type, headers, body; what the document forbids is
refused. Not asked: that every body that fits its schema is accepted. A 422 also says what no schema can, such as
`BELOW_MINIMUM` or `IDEMPOTENCY_MISMATCH`. Of a bulk call each item is refused by itself, within a 200.
"""

from __future__ import annotations

import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.faults.calls import Caller, Calls, command
from tests.faults.fault import LIVENESS, Fault, Trial
from tests.faults.fuzz_report import Report, report_of
from tests.faults.ground import judged_stage
from tests.faults.stage import OPERATOR, Stage, api_key

SECONDS, LONG_SECONDS = 60, 1_800
GRACE_SECONDS: Final = 60.0
TRIES: Final = 4
"""Seeds that are tried where the tool itself breaks."""
LEAST_SECONDS: Final = 10.0
"""What each of them has at least."""
TOOL_BROKE: Final = 2
"""The tool's exit code when it could not do its work; 1 says that it has found something."""
RULESET: Final = "euro-progressive-v1"
CLOSES_ALL: Final = "/v1/(disable|enable)$"
"""These close the house to all that follows, so they come last."""
OPEN_ENDED: Final = "/stream$"
"""Answers without an end."""

CONFIG: Final = """\
[parameters]
"path.player" = "player"
"path.table" = "table"
"path.jackpot" = "pool"
"path.round" = "{round}"
"path.transaction_id" = "paid-in"
"query.min_position" = 0

[[operations]]
include-path-regex = "/bulk$"
checks.negative_data_rejection.enabled = false
"""


def furnished(stage: Stage, calls: Calls) -> str:
    """A player with money and a wager in an open round, so that what is asked is there; the round's id."""
    caller = Caller(stage, calls)

    def done(path: str, body: dict[str, Any] | None = None) -> Any:
        reply = caller.settle(command(path, body or {}, uuid.uuid4().hex))
        assert reply.is_done, f"{path}: {reply.content!r}"
        return reply.body

    pool = {"ruleset": RULESET, "currency": "EUR", "seed": 1_000_000, "reset": 1_000_000}
    done("/v1/jackpots", {"jackpot": "pool", **pool})
    terms = {"ruleset": RULESET, "currency": "EUR", "ante_min": 1, "ante_max": 10_000}
    done("/v1/tables", {"table": "table", "jackpot": "pool", **terms})
    done("/v1/players", {"player": "player", "currency": "EUR"})
    done("/v1/players/player/deposits", {"amount": 10**9, "currency": "EUR", "transaction_id": "paid-in"})
    round_: str = done("/v1/tables/table/rounds")["round"]
    done(f"/v1/rounds/{round_}/wagers", {"player": "player", "seat": 1, "ante": 100})
    caller.close()
    return round_


@dataclass(frozen=True, slots=True)
class Run:
    """How one run ended, what it recorded, and what it said."""

    code: int
    report: Report
    said: str


Ask = Callable[[int, float], Run]
"""Asks for so many seconds with a seed."""


def fuzzed(trial: Trial, ask: Ask, seconds: float, is_ready: Callable[[], bool]) -> None:
    """Ask for so many seconds in all. Where the tool itself breaks, and has found nothing, and the service stands, the
    rest of the time is for other seeds; TRIES in all.
    """
    began, asked = time.monotonic(), 0
    for nth in range(TRIES):
        done = ask(trial.seed + nth, max(seconds - (time.monotonic() - began), min(seconds, LEAST_SECONDS)))
        asked += done.report.cases
        trial.count("cases", done.report.cases)
        if not (done.report.is_crash_only and done.code == TOOL_BROKE and is_ready()):
            break
        trial.count("crashes of the tool", 1)
        trial.progress(trial.done, f"schemathesis broke by itself with seed {trial.seed + nth}: {done.report.crash}")
    told = "; ".join(dict.fromkeys(done.report.findings)) or done.report.crash or done.said
    trial.expect(done.code == 0 and not done.report.findings, f"schemathesis: {told[:1_500]}")
    trial.expect(asked > 0, "nothing was asked")


def asking(trial: Trial, stage: Stage, *options: str) -> Ask:
    """Runs of schemathesis against the stage."""
    url = f"http://127.0.0.1:{stage.doors[0].port}/openapi.json"
    record = trial.folder / "schemathesis.ndjson"
    words = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(trial.folder / "schemathesis.toml"), "run", url,
        "--header", f"Authorization: Bearer {api_key(OPERATOR)}", "--report", "ndjson", "--report-ndjson-path",
        str(record), "--exclude-checks", "positive_data_acceptance", "--generation-database", "none", "--no-color",
        "--warnings", "off", "--output-truncate", "true", *options,
    ]  # fmt: skip

    def ask(seed: int, seconds: float) -> Run:
        bound = ["--max-time", str(round(seconds))] if seconds else []
        done = subprocess.run(
            [*words, "--seed", str(seed), *bound],
            cwd=trial.folder,
            capture_output=True,
            text=True,
            timeout=LIVENESS * (seconds + GRACE_SECONDS),
            check=False,
        )
        with record.open(encoding="utf-8") as lines:
            report = report_of(lines)
        record.unlink()
        return Run(done.returncode, report, (done.stdout + done.stderr)[-1_500:])

    return ask


def run(trial: Trial) -> None:
    with Stage.start(trial.folder, doors=1) as stage:
        calls = Calls()
        config = Path(trial.folder / "schemathesis.toml")
        config.write_text(CONFIG.format(round=furnished(stage, calls)), encoding="utf-8")
        ready = stage.doors[0].is_ready
        fuzzed(trial, asking(trial, stage, "--exclude-path-regex", f"{OPEN_ENDED}|{CLOSES_ALL}"), trial.amount, ready)
        trial.progress(trial.amount, "disable and enable")
        fuzzed(trial, asking(trial, stage, "--include-path-regex", CLOSES_ALL, "--phases", "coverage"), 0, ready)
        judged_stage(trial, stage, calls)


FAULT: Final = Fault("F18", "calls made up from the document", SECONDS, LONG_SECONDS, "seconds", run)
