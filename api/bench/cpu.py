"""Processor time of processes, where the system tells it (Linux): who spends what on a wager."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")


def spent(roots: Mapping[str, int]) -> dict[str, float]:
    """Seconds that each named process has spent, and under `... children` what its children have; empty elsewhere."""
    found: dict[str, float] = {}
    if not (_PROC / "self" / "stat").exists():
        return found
    names = {pid: name for name, pid in roots.items()}
    tick = os.sysconf("SC_CLK_TCK")
    for folder in _PROC.iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            told = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        seconds = (int(told[11]) + int(told[12])) / tick
        if name := names.get(int(folder.name)):
            found[name] = found.get(name, 0.0) + seconds
        elif parent := names.get(int(told[1])):
            found[f"{parent} children"] = found.get(f"{parent} children", 0.0) + seconds
    return found


def per_thousand(before: Mapping[str, float], after: Mapping[str, float], count: int) -> dict[str, float]:
    """Seconds for a thousand of `count` things, which is milliseconds for each."""
    return {name: round((after[name] - before.get(name, 0.0)) / count * 1_000, 3) for name in sorted(after)}
