"""The tables of docs/performance.md, out of the JSON of a run; the page around them is written by hand."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from api.bench.faults import BenchFailed
from api.bench.figures import KEYS
from api.bench.report import limit, shown, verdict

BEGIN: Final = "<!-- figures: written by `studbook bench --page` -->"
END: Final = "<!-- end of figures -->"
NOTHING: Final = "No run is recorded yet."


def with_figures(page: str, result: Mapping[str, Any] | None) -> str:
    """The page with the figures of a run between its two marks. BenchFailed where there are no marks."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise BenchFailed(f"the page has no place for figures, between {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{NOTHING if result is None else figures(result)}\n{END}{tail}"


def figures(result: Mapping[str, Any]) -> str:
    """Machine, ratios and figures, as Markdown."""
    machine, method = result["machine"], result["method"]
    lines = [
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']}; "
        f"Python {machine['python']}, PostgreSQL {method['postgresql']['server_version']}; "
        f"medians of {method['repeats']} repeats, {method['seconds']:.0f} s in all.",
        "",
        "![Ratios as multiples of their bars](performance/bench.svg)",
        "",
        "| ratio | value | least to most | at least | aim | |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one['title']} | {shown(one['value'])} | {shown(one['least'])} to {shown(one['most'])} "
        f"| {limit(one, 'bar')} | {limit(one, 'aim')} | {verdict(one)} |"
        for one in result["ratios"].values()
    ]
    lines += ["", "| key | median | repeats |", "|---|---|---|"]
    lines += [
        f"| `{key}` | {shown(result[key])} | {', '.join(shown(one) for one in result['repeats'][key])} |"
        for key in KEYS
        if key in result
    ]
    return "\n".join([*lines, *_processors(method["notes"])])


def _processors(notes: Mapping[str, Any]) -> list[str]:
    """Who spends what on a wager under the full load: the median of the repeats."""
    each = [one["cpu_ms_per_wager"] for one in notes.get("http", []) if one["cpu_ms_per_wager"]]
    if not each:
        return []
    names = sorted(set[str]().union(*each))
    lines = [f"| {name} | {shown(statistics.median(one.get(name, 0.0) for one in each))} |" for name in names]
    return ["", "| processor time of a wager, all work on rounds included | ms |", "|---|---|", *lines]


def write(result: Mapping[str, Any], json_file: Path, page: Path) -> None:
    """Put the figures of `json_file` into the page. BenchFailed for a quick run's: they are no result."""
    if result["method"]["quick"]:
        raise BenchFailed(f"{json_file} is of a quick run: its figures are no result")
    page.write_text(with_figures(page.read_text(encoding="utf-8"), result), encoding="utf-8")
