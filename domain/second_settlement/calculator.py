"""A line of `studbook settle` answered by the second settlement, so that the two can be held against each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.second_settlement.purse import MICRO, Pool
from domain.second_settlement.rounds import Seat, SeatResult, settle


def answer(row: Mapping[str, Any]) -> dict[str, Any]:
    """One line of `studbook settle`, answered in its form (a valid one: others raise)."""
    seats = row.get("seats", [row])
    names = {"five_plus_one": "SIDE", "progressive": "PROGRESSIVE"}
    given = [
        Seat(
            one["player"],
            {"ANTE": one["ante"]} | {names[k]: v for k, v in one["side"].items()},
            one["decision"].upper(),
        )
        for one in seats
    ]
    pool = Pool(row["meter"] * MICRO, row["reset"]) if "meter" in row else None
    done = settle(row["ruleset"], row["dealer"], given, pool)
    head = {"id": row["id"], "dealer_hand": done.dealer_hand, "qualifies": done.qualifies}
    parts = [_part(seat) for seat in done.seats]
    return head | ({"seats": parts} if "seats" in row else parts[0])


def _part(seat: SeatResult) -> dict[str, Any]:
    names = {"ANTE": "ante", "CALL": "call", "SIDE": "five_plus_one", "PROGRESSIVE": "progressive"}
    shown: dict[str, Any] = {
        "player_hand": seat.hand,
        "decision": seat.decision,
        "decided_by": seat.decided_by,
        "outcome": seat.outcome,
        "payout": {names[kind]: amount for kind, amount in seat.payout.items()},
        "staked": seat.staked,
        "returned": seat.returned,
        "net": seat.net,
    }
    if "PROGRESSIVE" in seat.payout and seat.meter_micro_after is not None:
        shown["meter_after"] = seat.meter_micro_after // MICRO
    return shown
