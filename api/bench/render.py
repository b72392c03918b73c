"""The tables at the end of a run, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from api.bench.figures import KEYS
from api.bench.report import limit, shown, verdict


def show(result: Mapping[str, Any], console: Console) -> None:
    """Ratios with their bars, then the figures that they are made of."""
    ratios = Table(title="Ratios: medians of the repeats", title_justify="left")
    for name in ("ratio", "value", "least", "most", "bar", "aim", ""):
        ratios.add_column(name, justify="left" if name in ("ratio", "") else "right")
    for one in result["ratios"].values():
        values = (shown(one[name]) for name in ("value", "least", "most"))
        ratios.add_row(one["title"], *values, limit(one, "bar"), limit(one, "aim"), verdict(one))
    figures = Table(title="Figures", title_justify="left")
    figures.add_column("key")
    figures.add_column("median", justify="right")
    figures.add_column("what it is")
    for key, text in KEYS.items():
        if key in result:
            figures.add_row(key, shown(result[key]), text)
    console.print(ratios)
    console.print(figures)
    for name, check in result["checks"].items():
        console.print(f"check {name}: {', '.join(f'{key} {value}' for key, value in check.items())}", highlight=False)
    if result["method"]["quick"]:
        console.print("This was a quick run: it shows that everything works, and no more. Its figures are no result.")
