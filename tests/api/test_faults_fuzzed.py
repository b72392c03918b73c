"""F18: a crash of schemathesis itself is told from what it finds, and hides nothing that it had found before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.faults.f18_fuzzed import TRIES, Run, fuzzed
from tests.faults.fault import Trial
from tests.faults.fuzz_report import Report, report_of

BEGUN = {"EngineStarted": {"id": "1", "timestamp": 1.0}}
BROKE = {"FatalError": {"exception": {"type": "ValueError", "message": "Invalid IPv6 URL"}}}
BROKEN = "ValueError: Invalid IPv6 URL"


def scenario(*checks: dict[str, Any], status: str = "success") -> dict[str, Any]:
    """One scenario of one case, as the record has it."""
    recorder = {"label": "GET /v1/x", "cases": {"a": {}}, "checks": {"a": list(checks)}}
    return {"ScenarioFinished": {"status": status, "recorder": recorder}}


PASSED = {"name": "not_a_server_error", "status": "success"}
FAILED = {
    "name": "not_a_server_error",
    "status": "failure",
    "failure_info": {"failure": {"title": "Server error", "message": "it said 500"}},
}
FOUND = "GET /v1/x: Server error: it said 500"


def recorded(*events: dict[str, Any]) -> Report:
    return report_of(json.dumps(one) for one in events)


def judged(folder: Path, *runs: Run, is_ready: bool = True) -> tuple[Trial, list[int]]:
    """The trial after these runs, and the seeds that were taken."""
    trial, seeds = Trial(60, folder, 7), list[int]()
    coming: Iterator[Run] = iter(runs)

    def ask(seed: int, _seconds: float) -> Run:
        seeds.append(seed)
        return next(coming)

    fuzzed(trial, ask, 60, lambda: is_ready)
    return trial, seeds


def test_F18_the_record_tells_cases_findings_and_a_crash() -> None:
    assert recorded(BEGUN, scenario(PASSED)) == Report(1, True)
    assert recorded(BEGUN, scenario(PASSED, FAILED, status="failure"), BROKE) == Report(1, True, [FOUND], BROKEN)
    skipped = {"ScenarioFinished": {"status": "skip", "recorder": {"label": "GET /v1/x"}}}
    assert recorded(BEGUN, skipped) == Report(0, True)
    assert recorded(BEGUN, scenario(status="error")).findings == ["GET /v1/x: error"]
    assert recorded(BEGUN, {"NonFatalError": {"info": "connection reset"}}).findings
    assert report_of([json.dumps(BEGUN), '{"Scenario']) == Report(0, True)


def test_F18_a_crash_of_the_tool_is_told_and_another_seed_goes_on(tmp_path: Path) -> None:
    crash = Run(2, recorded(BEGUN, scenario(PASSED), BROKE), "")
    trial, seeds = judged(tmp_path, crash, Run(0, recorded(BEGUN, scenario(PASSED)), ""))
    assert trial.failures == []
    assert seeds == [7, 8]
    assert trial.figures == {"cases": 2, "crashes of the tool": 1}


def test_F18_a_tool_that_always_crashes_proves_nothing(tmp_path: Path) -> None:
    crash = Run(2, recorded(BEGUN, scenario(PASSED), BROKE), "")
    trial, seeds = judged(tmp_path, *[crash] * TRIES)
    assert trial.failures == [f"schemathesis: {BROKEN}"]
    assert len(seeds) == TRIES


def test_F18_what_was_found_before_a_crash_fails_the_run(tmp_path: Path) -> None:
    trial, seeds = judged(tmp_path, Run(2, recorded(BEGUN, scenario(FAILED, status="failure"), BROKE), ""))
    assert trial.failures == [f"schemathesis: {FOUND}"]
    assert seeds == [7]


def test_F18_a_crash_beside_a_service_that_is_gone_or_before_anything_was_asked_fails_the_run(tmp_path: Path) -> None:
    gone, _ = judged(tmp_path, Run(2, recorded(BEGUN, scenario(PASSED), BROKE), ""), is_ready=False)
    assert gone.failures == [f"schemathesis: {BROKEN}"]
    unread, _ = judged(tmp_path, Run(2, recorded(BROKE), ""))
    assert unread.failures == [f"schemathesis: {BROKEN}", "nothing was asked"]


def test_F18_an_exit_code_fails_the_run_whatever_the_record_says(tmp_path: Path) -> None:
    trial, _ = judged(tmp_path, Run(1, recorded(BEGUN, scenario(PASSED)), "it was found"))
    assert trial.failures == ["schemathesis: it was found"]
