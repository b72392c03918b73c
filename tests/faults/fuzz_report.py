"""What a run of schemathesis has found, from its own record of events: its crash is no finding, and hides none.

On a crash the tool leaves its summary out, with the failures that it had found before; its record has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

SAID_MAX: Final = 400
"""Characters of one finding."""


@dataclass(slots=True)
class Report:
    """One run."""

    cases: int = 0
    has_begun: bool = False
    """Whether the document was read and the engine started: what fails before that is never the tool's own affair."""
    findings: list[str] = field(default_factory=list)
    crash: str = ""
    """What the tool itself broke on; empty where it came to its end."""

    @property
    def is_crash_only(self) -> bool:
        """Whether nothing but the tool failed: the same may be asked again with another seed."""
        return bool(self.crash) and self.has_begun and not self.findings


def report_of(lines: Iterable[str]) -> Report:
    """The report from the events, one JSON object a line. A last line that was cut off is passed over: who wrote it is
    judged by its exit code too.
    """
    report = Report()
    for line in lines:
        try:
            event: dict[str, Any] = json.loads(line)
        except ValueError:
            continue
        for kind, told in event.items():
            _take(report, kind, told)
    return report


def _take(report: Report, kind: str, told: Any) -> None:
    match kind:
        case "EngineStarted":
            report.has_begun = True
        case "ScenarioFinished":
            recorder = told["recorder"]
            report.cases += len(recorder.get("cases", ()))  # what is empty is left out
            failed = [one for of in recorder.get("checks", {}).values() for one in of if one["status"] == "failure"]
            report.findings += [_finding(recorder["label"], one) for one in failed]
            if told["status"] in ("failure", "error") and not failed:
                report.findings.append(f"{recorder['label']}: {told['status']}")
        case "NonFatalError":
            report.findings.append(json.dumps(told)[:SAID_MAX])
        case "FatalError":
            fault = told["exception"]
            report.crash = f"{fault['type']}: {fault['message']}"


def _finding(label: str, check: dict[str, Any]) -> str:
    failure = check["failure_info"]["failure"]
    return f"{label}: {failure['title']}: {failure['message']}"[:SAID_MAX]
