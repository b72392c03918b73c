"""What the accounts hold when every round is of no effect: cashier, seeds, staff, and what voids cost the house."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from domain.jackpots.upkeep import Corrected, TransferredIn, TransferredOut
from domain.money import MICRO
from domain.seats.events import ReviewResolved, SeatResettled, SeatVoided
from domain.streams import Event
from domain.wallets.events import Adjusted, Deposited, TransactionReversed, VoidPolicy, Withdrawn
from services.ports import Recorded
from tests.support.machine import Terms

Accounts = Mapping[str, int]


def untouched(under: Terms, log: Sequence[Recorded]) -> Accounts:
    """The accounts without any round."""
    accounts: defaultdict[str, int] = defaultdict(int)
    for pool in ("euro", "dollar", "land"):
        accounts[f"m/{pool}"] = under.seed * MICRO
        accounts[f"FUND/{pool}/SEED"] = -under.seed * MICRO
    for one in log:
        for account, micro in _moved(one.event):
            accounts[account] += micro
    return standing(accounts)


def _moved(event: Event) -> Iterable[tuple[str, int]]:
    match event:
        case Deposited() | Withdrawn() | TransactionReversed():
            came = (-event.amount_minor if isinstance(event, Withdrawn) else event.amount_minor) * MICRO
            return (("cash", -came), (f"av/{event.player}", came))
        case Adjusted():
            return (("ADJ", -event.amount_minor * MICRO), (f"av/{event.player}", event.amount_minor * MICRO))
        case SeatVoided() | SeatResettled():
            loss, review = event.loss_minor * MICRO, 0
            if event.loss_kind.value == "REVIEW":
                review = event.taken_minor * MICRO
            account = f"LOSS/{event.loss_kind.value}"
            return ((account, -loss), (f"av/{event.player}", loss - review), (f"review/{event.player}", review))
        case ReviewResolved():
            return _resolved(event)
        case Corrected():
            return (("ADJ", -event.amount_micro), (_home(event.jackpot, event.account.value), event.amount_micro))
        case TransferredOut():
            return ((_home(event.jackpot, event.account.value), -event.amount_micro),)
        case TransferredIn():
            return ((f"m/{event.jackpot}", event.amount_micro),)
        case _:
            return ()


def _home(pool: str, account: str) -> str:
    """Where an amount lies in the end: meter and overflow are one."""
    return f"{'res' if account == 'res' else 'm'}/{pool}"


def _resolved(event: ReviewResolved) -> Iterable[tuple[str, int]]:
    owed, taken = event.owed_minor * MICRO, event.taken_minor * MICRO
    ended = (("LOSS/REVIEW", owed), (f"review/{event.player}", -taken))
    if event.policy is VoidPolicy.CLAW_BACK:
        return (*ended, (f"av/{event.player}", taken - owed))
    return (*ended, ("LOSS/FINAL", taken - owed))


def standing(accounts: Accounts) -> Accounts:
    """Those that are not zero."""
    return {name: micro for name, micro in accounts.items() if micro}


def with_meters_whole(accounts: Accounts) -> Accounts:
    """Meter and overflow as one: where the ceiling was changed, they are split at another place."""
    found: defaultdict[str, int] = defaultdict(int)
    for name, micro in accounts.items():
        found[f"m/{name[4:]}" if name.startswith("ovf/") else name] += micro
    return standing(found)


def with_pools_whole(accounts: Accounts) -> Accounts:
    """Meter and overflow as one, and what the house put into a pool that could not bear a mirror taken out again.

    Where staff took money out of a pool that voids need later, the house keeps on bearing it: so much less lies there.
    """
    found: defaultdict[str, int] = defaultdict(int)
    for name, micro in accounts.items():
        kind, _, pool = name.partition("/")
        if kind in {"m", "ovf", "res"}:
            found[f"pool {pool}"] += micro
        elif kind == "FUND" and pool.endswith("/VOID_SHORTFALL"):
            found[f"pool {pool.partition('/')[0]}"] += micro
        else:
            found[name] += micro
    return standing(found)


def with_players_whole(accounts: Accounts) -> Accounts:
    """Players and what the house lost on them as one: what is taken of a player depends on what lies there."""
    found: defaultdict[str, int] = defaultdict(int)
    for name, micro in accounts.items():
        found["players and losses" if name.startswith(("av/", "review/", "LOSS/")) else name] += micro
    return standing(found)
