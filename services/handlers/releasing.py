"""Money that comes back from the game without a result, together with the seat's event that says why."""

from __future__ import annotations

from domain.seats.events import ActionUndone, SeatEvent, SeatPassed, WagersRejected
from domain.wallets import decider as wallets
from domain.wallets.events import ReleaseReason
from services.desk import Desk


def release(desk: Desk, round_id: str, player: str, events: tuple[SeatEvent, ...], reason: ReleaseReason) -> int:
    """Post what the seat let go together with the money that comes back for it; how much, in minor units."""
    amount = sum(one.release_minor for one in events if isinstance(one, ActionUndone | SeatPassed | WagersRejected))
    order = wallets.Release(round_id, amount, reason)
    money = wallets.decide(order, desk.find_wallet(player)) if amount else ()
    desk.post((desk.seat_at(round_id, player), events), (desk.wallet_at(player), money))
    return amount
