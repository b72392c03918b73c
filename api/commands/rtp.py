"""`studbook rtp`: what a rule set returns, counted over every deal."""

from __future__ import annotations

import json
import sys
from time import monotonic
from typing import Annotated, Any

import typer

from domain.variants import ruleset as ruleset_named

EPILOG = "Example: studbook rtp dollar-jackpot-v1 --meter 25000000 --json"


def rtp(
    name: Annotated[str, typer.Argument(metavar="RULESET", help="A published rule set (studbook rules).")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Count all deals anew and compare; needs the extra `certify` (NumPy).")
    ] = False,
    meter: Annotated[
        int | None, typer.Option(help="Take the progressive wager at this meter, in whole minor units.")
    ] = None,
    data: Annotated[
        bool, typer.Option("--data", help="Print the file of counts itself; with --recompute, as counted now.")
    ] = False,
) -> None:
    """Return, house edge and deviation of a rule set under optimal play, from counts of all 19,933,230,517,200 deals.

    The counts ship with the program, pinned by SHA-256; --recompute makes them anew in less than a minute of one
    core, and exits 1 when they differ.
    """
    from services.certificates import CertificateDamaged, certificate, shipped

    ruleset_named(name)
    counted, seconds = _counted(name) if recompute else (None, 0.0)
    if data:
        sys.stdout.buffer.write(shipped(name) if counted is None else counted)
        return
    try:
        found = certificate(name, meter)
    except CertificateDamaged as fault:
        typer.echo(f"studbook: {fault}", err=True)
        raise typer.Exit(1) from None
    is_same = counted is None or counted == shipped(name)
    if counted is not None:
        found["recomputed"] = {"equal": is_same, "seconds": round(seconds, 1)}
    typer.echo(json.dumps(found) if as_json else _as_text(found))
    if not is_same:
        raise typer.Exit(1)


def _counted(name: str) -> tuple[bytes, float]:
    from api.commands.progress import bar
    from api.main.certifying import counted

    started = monotonic()
    with bar() as progress:
        found = counted(name, progress)
    return found, monotonic() - started


def _as_text(found: dict[str, Any]) -> str:
    lines = [
        f"{found['ruleset']} under optimal play, {found['deals']:,} deals",
        f"  return on the ante      {_percent(found['rtp_ante'])}   house edge {_percent(found['house_edge'])}",
        f"  return on total wager   {_percent(found['rtp_total_wager'])}   {found['stake_mean']:.4f} antes staked",
        f"  standard deviation      {found['std_dev']:10.5f} antes",
        f"  called                  {_percent(found['call_frequency'])} of deals",
    ]
    lines += [f"    {name:<22}{deals:>22,}" for name, deals in found["outcomes"].items()]
    lines += [f"  {name:<24}{_percent(one['rtp'])}" for name, one in found["side_bets"].items()]
    if "progressive" in found:
        lines += _progressive(found["progressive"])
    lines += [
        f"  page says {one['published_bp'] / 100:.2f} % ({one['base']}), counted {one['counted_bp'] / 100:.2f} %"
        for one in found["published"]
    ]
    lines.append(f"  counts: SHA-256 {found['data_sha256']}")
    if "recomputed" in found:
        same, seconds = found["recomputed"]["equal"], found["recomputed"]["seconds"]
        lines.append(f"  counted anew in {seconds} s: {'equal' if same else 'DIFFERENT'}")
    return "\n".join(lines)


def _progressive(found: dict[str, Any]) -> list[str]:
    lines = []
    for title, one in (("at the lowest parameters", found["at_lowest"]), ("at this meter", found["at_meter"])):
        parts = ", ".join(f"{name} {_percent(part).strip()}" for name, part in one["parts"].items())
        lines.append(f"  progressive {title}: meter {one['meter']}, {_percent(one['rtp']).strip()} ({parts})")
    return [*lines, f"  progressive returns its stake from a meter of {found['break_even_meter']} minor units on"]


def _percent(value: float) -> str:
    return f"{value * 100:10.5f} %"
