"""The result as one JSON object, and as a table for people."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from api.bench.figures import KEYS, medians, ratios
from api.bench.run import Outcome, Wanted
from api.bench.sizes import FULL

_PACKAGES: Final = ("studbook", "fastapi", "uvicorn", "uvloop", "httptools", "pydantic", "psycopg", "eventsourcing")


def report(wanted: Wanted, outcome: Outcome) -> dict[str, Any]:
    """Every figure that was taken (median of the repeats), ratios, machine, method, repeats and checks."""
    return {
        **medians(outcome.measured),
        "ratios": {one.bar.name: one.as_json() for one in ratios(outcome.measured)},
        "machine": machine(),
        "method": {
            "quick": wanted.sizes != FULL,
            "repeats": wanted.repeats,
            "seconds": round(outcome.seconds, 1),
            "sizes": asdict(wanted.sizes),
            "postgresql": outcome.server,
            "versions": {name: version(name) for name in _PACKAGES},
            "notes": outcome.notes,
        },
        "repeats": {key: [round(one, 3) for one in outcome.measured[key]] for key in KEYS if key in outcome.measured},
        "checks": outcome.checks,
    }


def machine() -> dict[str, object]:
    """What it ran on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": _cpu(),
        "cores": _cores(),
        "memory_gb": round(memory / 1e9, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def _cores() -> int:
    """Those that this process may use."""
    if sys.platform.startswith("linux"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpu() -> str:
    """The processor's name, as far as the system tells it."""
    path = Path("/proc/cpuinfo")
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def verdict(one: Mapping[str, Any]) -> str:
    """How a ratio stands, in a word or two."""
    if one["aim_reached"]:
        return "aim reached"
    return "reached" if one["bar_reached"] else "MISSED"


def limit(one: Mapping[str, Any], which: str) -> str:
    """A bar or an aim with its direction."""
    return f"{'at most ' if one['at_most'] else ''}{one[which]:g}"


def shown(value: float) -> str:
    """A figure for people."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
