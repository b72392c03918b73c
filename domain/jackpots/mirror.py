"""A void's effect on a pool: everything the round did, with its sign turned, netted before it is judged.

What the pool cannot bear the house does (VOID_SHORTFALL), and a later mirror of an award that is older than
the shortfall gives it back first (spec ledger, Postings, "a mirror that a pool cannot bear").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from domain.jackpots.commands import MirrorRound
from domain.jackpots.events import FundKind, FundLine, PoolTerms, RoundMirrored, moved
from domain.money import MICRO
from domain.pools import Balances, split


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What the house put into an account (`m` or `res`) for a mirror; `version` of the pool's stream made it."""

    account: str
    amount_micro: int
    version: int


def mirror(command: MirrorRound, terms: PoolTerms, before: Balances, shortfalls: Sequence[Shortfall]) -> RoundMirrored:
    """The one event that takes the round's contributions, awards and resets back out of the pool."""
    increment = sum(one.increment_micro for one in command.shares)
    reserve = sum(one.reserve_micro for one in command.shares)
    paid = sum(one.pool_micro for one in command.awards)
    refilled = sum(one.reset_micro for one in command.resets)
    from_reserve = sum(one.reserve_micro for one in command.resets)
    meter_back = _given_back(shortfalls, "m", [(one.turn, one.pool_micro) for one in command.awards])
    reserve_back = _given_back(shortfalls, "res", [(one.turn, one.reserve_micro) for one in command.resets])
    meter = before.meter_micro + before.overflow_micro - increment + paid - refilled - meter_back
    rest = before.reserve_micro - reserve + from_reserve - reserve_back
    meter_short, reserve_short = max(-meter, 0), max(-rest, 0)
    after = split(Balances(meter + meter_short, rest + reserve_short, 0), terms.ceiling_minor * MICRO)
    return RoundMirrored(
        jackpot=terms.jackpot,
        round=command.round,
        currency=terms.currency,
        contribution_micro=increment + reserve,
        funds=tuple(_funds(command, meter_short - meter_back + reserve_short - reserve_back)),
        cancelled=tuple((one.award, one.player, one.prize_minor) for one in command.awards if one.pending),
        shortfall_meter_micro=meter_short - meter_back,
        shortfall_reserve_micro=reserve_short - reserve_back,
        move=moved(before, after),
    )


def _given_back(shortfalls: Iterable[Shortfall], account: str, mirrored: Sequence[tuple[int, int]]) -> int:
    """How much of older shortfalls these mirrored amounts give back; each pair is (version, micro-units)."""
    left = [[turn, amount] for turn, amount in mirrored]
    total = 0
    for shortfall in shortfalls:
        if shortfall.account != account:
            continue
        want = shortfall.amount_micro
        for pair in left:
            if pair[0] < shortfall.version:
                taken = min(want, pair[1])
                want, pair[1], total = want - taken, pair[1] - taken, total + taken
    return total


def _funds(command: MirrorRound, shortfall_micro: int) -> Iterable[FundLine]:
    """What the house gets back (below zero) by kind, and what it pays for a shortfall."""
    spent: dict[FundKind, int] = {}
    for award in command.awards:
        kind = FundKind(award.fund)
        spent[kind] = spent.get(kind, 0) - (award.prize_minor * MICRO - award.pool_micro)
    for one in command.resets:
        spent[FundKind.RESET] = spent.get(FundKind.RESET, 0) - (one.reset_micro - one.reserve_micro)
    spent[FundKind.VOID_SHORTFALL] = shortfall_micro
    return [FundLine(kind, amount) for kind, amount in sorted(spent.items()) if amount]


def settle_shortfalls(standing: Sequence[Shortfall], event: RoundMirrored, version: int) -> tuple[Shortfall, ...]:
    """The shortfalls that the house still bears after `event`, which has this `version` in the pool's stream."""
    left = list(standing)
    for account, change in (("m", event.shortfall_meter_micro), ("res", event.shortfall_reserve_micro)):
        if change > 0:
            left.append(Shortfall(account, change, version))
        elif change < 0:
            left = _repaid(left, account, -change)
    return tuple(left)


def _repaid(standing: Sequence[Shortfall], account: str, amount_micro: int) -> list[Shortfall]:
    left: list[Shortfall] = []
    for one in standing:
        taken = min(one.amount_micro, amount_micro) if one.account == account else 0
        amount_micro -= taken
        if one.amount_micro > taken:
            left.append(replace(one, amount_micro=one.amount_micro - taken))
    return left
