"""What an event moved in the ledger and in its pool, with the balances after it."""

from __future__ import annotations

from collections import defaultdict

from domain.flows import postings
from domain.frozen import dataclass
from domain.jackpots.events import Awarded, Contributed, PoolReset, RoundMirrored, RoundResettled
from domain.jackpots.upkeep import AwardRefused
from domain.money import MICRO
from domain.wallets.events import HeldMoneyDecided, Move, OutcomeReversed
from services.ports import Recorded

_POOL = (Contributed, Awarded, PoolReset, RoundMirrored, RoundResettled, AwardRefused)


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One posting; amounts are decimal strings of micro-units.

    `balance_micro` is the account's balance after it as the event states it (players' and pools' accounts; None for
    the house's), `round_micro` what the round has moved on the account until then. Lines of one `command` and `entry`
    sum to zero.
    """

    account: str
    currency: str
    amount_micro: str
    balance_micro: str | None
    round_micro: str


@dataclass(frozen=True, slots=True)
class MeterMove:
    """What a pool's three accounts changed by, and what they hold after it, in micro-units."""

    jackpot: str
    meter_micro: int
    reserve_micro: int
    overflow_micro: int
    meter_after_micro: int
    reserve_after_micro: int
    overflow_after_micro: int


class Ledger:
    """The accounts that a round moves, from zero at its opening."""

    def __init__(self) -> None:
        self._moved: defaultdict[tuple[str, str], int] = defaultdict(int)

    def take(self, one: Recorded) -> tuple[LedgerLine, ...]:
        """The lines of the next event."""
        stated = _stated(one.event)
        found = []
        for line in postings(one.event):
            key = line.currency, line.account
            self._moved[key] += line.amount_micro
            balance = stated.get(line.account)
            found.append(
                LedgerLine(
                    line.account,
                    line.currency,
                    str(line.amount_micro),
                    None if balance is None else str(balance),
                    str(self._moved[key]),
                )
            )
        return tuple(found)

    def left(self) -> dict[tuple[str, str], int]:
        """What the round has moved on each account, by currency and account; those that came back to zero left out."""
        return {key: micro for key, micro in self._moved.items() if micro}


def meter_move(event: object) -> MeterMove | None:
    """What the event did to its pool, None where it did nothing."""
    if not isinstance(event, _POOL):
        return None
    move = event.move
    return MeterMove(
        event.jackpot,
        move.meter_micro,
        move.reserve_micro,
        move.overflow_micro,
        move.meter_after_micro,
        move.reserve_after_micro,
        move.overflow_after_micro,
    )


def _stated(event: object) -> dict[str, int]:
    """The balances that an event states, in micro-units by account."""
    if isinstance(event, Move):
        found = {
            f"av/{event.player}": event.available_after_minor * MICRO,
            f"held/{event.player}": event.held_after_minor * MICRO,
        }
        if isinstance(event, OutcomeReversed | HeldMoneyDecided):
            found[f"review/{event.player}"] = event.review_after_minor * MICRO
        return found
    if isinstance(event, _POOL):
        move, pool = event.move, event.jackpot
        return {
            f"m/{pool}": move.meter_after_micro,
            f"res/{pool}": move.reserve_after_micro,
            f"ovf/{pool}": move.overflow_after_micro,
        }
    return {}
