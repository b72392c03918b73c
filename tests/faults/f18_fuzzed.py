"""F18: schemathesis against the running service, from its own `/openapi.json`.

No answer is a 5xx, and each is as the document says: status, media type, headers, body; what the document forbids is
refused. Not asked: that every body that fits its schema is accepted. A 422 also says what no schema can, such as
`BELOW_MINIMUM` or `IDEMPOTENCY_MISMATCH`. Of a bulk call each item is refused by itself, within a 200.
"""

from __future__ import annotations

import re
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any, Final

from tests.faults.calls import Caller, Calls, command
from tests.faults.fault import LIVENESS, Fault, Trial
from tests.faults.ground import judged_stage
from tests.faults.stage import OPERATOR, Stage, api_key

SECONDS, LONG_SECONDS = 60, 1_800
GRACE_SECONDS: Final = 60.0
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


def fuzzed(trial: Trial, stage: Stage, seconds: int, *options: str) -> None:
    """One run, of so many seconds or to its end; what it found is told in its own words."""
    url = f"http://127.0.0.1:{stage.doors[0].port}/openapi.json"
    words = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(trial.folder / "schemathesis.toml"), "run", url,
        "--header", f"Authorization: Bearer {api_key(OPERATOR)}", "--seed", str(trial.seed),
        "--exclude-checks", "positive_data_acceptance", "--generation-database", "none", "--no-color",
        "--warnings", "off", "--output-truncate", "true", *options,
    ]  # fmt: skip
    done = subprocess.run(
        words,
        cwd=trial.folder,
        capture_output=True,
        text=True,
        timeout=LIVENESS * (seconds + GRACE_SECONDS),
        check=False,
    )
    report = done.stdout
    found = re.search(r"(\d+) generated", report)
    trial.count("cases", int(found[1]) if found else 0)
    told = report.partition("FAILURES ===")[2].strip(" =\n")[:1_500]
    trial.expect(done.returncode == 0, f"schemathesis: {told or (report + done.stderr)[-1_500:]}")
    trial.expect(found is not None and int(found[1]) > 0, "nothing was asked")


def run(trial: Trial) -> None:
    with Stage.start(trial.folder, doors=1) as stage:
        calls = Calls()
        config = Path(trial.folder / "schemathesis.toml")
        config.write_text(CONFIG.format(round=furnished(stage, calls)), encoding="utf-8")
        fuzzed(
            trial,
            stage,
            trial.amount,
            "--max-time",
            str(trial.amount),
            "--exclude-path-regex",
            f"{OPEN_ENDED}|{CLOSES_ALL}",
        )
        trial.progress(trial.amount, "disable and enable")
        fuzzed(trial, stage, 0, "--include-path-regex", CLOSES_ALL, "--phases", "coverage")
        judged_stage(trial, stage, calls)


FAULT: Final = Fault("F18", "calls made up from the document", SECONDS, LONG_SECONDS, "seconds", run)
