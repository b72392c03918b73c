"""A checked evidence pack for people and for programs."""

from __future__ import annotations

from api.commands.plain import plain
from services.evidence.checking import CHECKS, Check, PackChecked

WIDTH = 7


def as_text(found: PackChecked) -> str:
    """Each check on a line, and whose signature it is."""
    head = f"round {plain(found.round)} of {plain(found.operator)}: {found.players} seats, {found.events} events"
    lines = [head, *map(_line, found.checks)]
    if found.anchored:
        lines.append(f"         the anchors hold {found.anchored} of its hashes")
    lines.append(f"         signed by {plain(found.key)}: compare that name with the one that was published")
    return "\n".join(lines)


def _line(one: Check) -> str:
    if one.reason is not None:
        return f"{'FAILED':>{WIDTH}}  {one.name}: {plain(one.reason)}"
    if not one.done:
        none = {
            "day": "no proof of a sealed day is in it", "meter": "the round had no pool",
            "anchors": "no anchor is in it",
        }  # fmt: skip
        return f"{'none':>{WIDTH}}  {one.name}: {none[one.name]}"
    return f"{'ok':>{WIDTH}}  {one.name}: {CHECKS[one.name]}"


def as_json(found: PackChecked) -> dict[str, object]:
    """The same for a program."""
    failed = [{"check": one.name, "reason": one.reason} for one in found.checks if one.reason is not None]
    return {
        "ok": found.ok,
        "operator": found.operator,
        "round": found.round,
        "events": found.events,
        "compared": found.compared,
        "key": found.key,
        "anchored": found.anchored,
        "checks": {one.name: (one.reason is None) if one.done else None for one in found.checks},
        "failed": failed,
    }
