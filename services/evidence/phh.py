"""A pack in the shape of a PHH file (TOML), for tools that show such files; labelled as what it is: not standard.

PHH knows no game against a house. `variant = "CSP"` is ours, what PHH has no word for stands in fields that begin with
an underscore, as PHH lets users have their own. Only the pack itself is evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from services.evidence.phh_text import toml

NOTICE: Final = "PHH-shaped view, not standard PHH: a house-banked game, no PHH tool can replay it"


def phh(pack: Mapping[str, Any]) -> str:
    """The view as TOML. Amounts are minor units; stacks are `inf`: a round does not say what a player has."""
    seats = _seats(pack)
    calls = {one["player"]: _stake(one, "CALL") for one in seats}
    said = {
        "variant": "CSP",
        "antes": [_stake(one, "ANTE") for one in seats],
        "blinds_or_straddles": [0 for _ in seats],
        "min_bet": min((stake for stake in calls.values() if stake), default=0),
        "starting_stacks": [float("inf") for _ in seats],
        "actions": list(_actions(pack, seats)),
        "players": [one["player"] for one in seats],
        "seats": [number for one in seats if (number := one["seat"]) is not None],
        "hand": pack["game_number"],
        "table": pack["table"],
        "currency": pack["currency"],
        "_notice": NOTICE,
        "_exponent": pack["exponent"],
        "_operator": pack["operator"],
        "_round": pack["round"],
        "_opened_at": pack["opened_at"],
        "_ruleset": pack["ruleset"],
        "_ruleset_hash": pack["ruleset_hash"],
        "_phase": pack["phase"],
        "_dealer": "".join(pack["cards"]["dealer"]),
        "_side_stakes": [_stake(one, "SIDE") for one in seats],
        "_progressive_stakes": [_stake(one, "PROGRESSIVE") for one in seats],
        "_outcomes": [one["outcome"] for one in seats],
        "_returned": [sum(kind["recorded"] for kind in one["wagers"]) for one in seats],
        "_prizes": [one["prize_recorded"] for one in seats],
        "_voided": sorted({one["player"] for one in pack["voids"]}),
        "_pack_signature": pack["signature"],
    }
    return f"# {NOTICE}.\n" + toml(said)


def _seats(pack: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The seats as they were settled last."""
    settlements = pack["settlements"]
    found: dict[str, dict[str, Any]] = {}
    for settlement in settlements:
        found |= {one["player"]: one for one in settlement["seats"]}
    return list(found.values())


def _stake(seat: Mapping[str, Any], kind: str) -> int:
    return sum(one["stake"] for one in seat["wagers"] if one["kind"] == kind)


def _actions(pack: Mapping[str, Any], seats: list[dict[str, Any]]) -> Iterator[str]:
    """Cards dealt, then each decision: a call is a bet of twice the ante, then all hands are shown."""
    for nth, one in enumerate(seats, start=1):
        yield f"d dh p{nth} {''.join(one['cards'])}"
    for nth, one in enumerate(seats, start=1):
        if one["decision"] is not None:
            yield f"p{nth} cbr {_stake(one, 'CALL')}" if one["decision"] == "CALL" else f"p{nth} f"
    if pack["cards"]["dealer"]:
        yield f"# dealer shows {''.join(pack['cards']['dealer'])}"
    for nth, one in enumerate(seats, start=1):
        if one["decision"] == "CALL":
            yield f"p{nth} sm {''.join(one['cards'])}"
