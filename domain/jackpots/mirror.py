"""A void's effect on a pool: everything the round did, with its sign turned, netted before it is judged.

What the pool cannot bear the house does (VOID_SHORTFALL), and a later mirror of an award that is older than
the shortfall gives it back first (docs/ledger.md, Void and resettle).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from domain.changing import replace
from domain.frozen import dataclass
from domain.jackpots.commands import MirrorRound, ResettleRound
from domain.jackpots.events import FundKind, FundLine, Move, PoolTerms, RoundMirrored, RoundResettled, Shortfall, moved
from domain.jackpots.upkeep import AwardRefused
from domain.money import MICRO
from domain.pools import Balances, split


@dataclass(frozen=True, slots=True)
class Mirror:
    """The net of a mirror: what the house gets back or pays, what the pool could not bear, and the move."""

    funds: tuple[FundLine, ...]
    shortfall_meter_micro: int
    shortfall_reserve_micro: int
    move: Move
    given_back: tuple[Shortfall, ...]


def mirror(command: MirrorRound, terms: PoolTerms, before: Balances, shortfalls: Sequence[Shortfall]) -> RoundMirrored:
    """The one event that takes the round's contributions, awards and resets back out of the pool."""
    net = netted(command, terms, before, shortfalls)
    return RoundMirrored(
        jackpot=terms.jackpot,
        round=command.round,
        currency=terms.currency,
        contribution_micro=sum(one.increment_micro + one.reserve_micro for one in command.shares),
        funds=net.funds,
        awards=tuple(one.award for one in command.awards),
        cancelled=tuple((one.award, one.player, one.prize_minor) for one in command.awards if one.pending),
        awards_back_micro=sum(one.pool_micro for one in command.awards),
        resets_back_micro=sum(one.reset_micro - one.reserve_micro for one in command.resets),
        shortfall_meter_micro=net.shortfall_meter_micro,
        shortfall_reserve_micro=net.shortfall_reserve_micro,
        move=net.move,
        given_back=net.given_back,
    )


def netted(
    command: MirrorRound,
    terms: PoolTerms,
    before: Balances,
    shortfalls: Sequence[Shortfall],
    anew: MirrorRound | None = None,
) -> Mirror:
    """All that is mirrored, netted per account before it is judged; `anew` has what takes its place."""
    increment = sum(one.increment_micro for one in command.shares)
    reserve = sum(one.reserve_micro for one in command.shares)
    paid = sum(one.pool_micro for one in command.awards)
    refilled = sum(one.reset_micro for one in command.resets)
    from_reserve = sum(one.reserve_micro for one in command.resets)
    of_meter = _given_back(shortfalls, "m", [(one.turn, one.pool_micro) for one in command.awards])
    of_reserve = _given_back(shortfalls, "res", [(one.turn, one.reserve_micro) for one in command.resets])
    meter_back, reserve_back = _total(of_meter), _total(of_reserve)
    meter = before.meter_micro + before.overflow_micro - increment + paid - refilled - meter_back
    rest = before.reserve_micro - reserve + from_reserve - reserve_back
    if anew is not None:
        meter += sum(one.reset_micro for one in anew.resets) - sum(one.pool_micro for one in anew.awards)
        rest -= sum(one.reserve_micro for one in anew.resets)
    meter_short, reserve_short = max(-meter, 0), max(-rest, 0)
    after = split(Balances(meter + meter_short, rest + reserve_short, 0), terms.ceiling_minor * MICRO)
    return Mirror(
        funds=tuple(_funds(command, anew, meter_short - meter_back + reserve_short - reserve_back)),
        shortfall_meter_micro=meter_short - meter_back,
        shortfall_reserve_micro=reserve_short - reserve_back,
        move=moved(before, after),
        given_back=(*of_meter, *of_reserve),
    )


def _given_back(
    shortfalls: Iterable[Shortfall], account: str, mirrored: Sequence[tuple[int, int]]
) -> tuple[Shortfall, ...]:
    """What of each shortfall these mirrored amounts give back; each pair is (version, micro-units).

    The awards of a resettlement have the version of the event that made them, and so has a shortfall that they
    caused: such an award, mirrored in its turn, gives it back.
    """
    left = [[turn, amount] for turn, amount in mirrored]
    found: list[Shortfall] = []
    for shortfall in shortfalls:
        if shortfall.account != account:
            continue
        want = shortfall.amount_micro
        for pair in left:
            if pair[0] <= shortfall.version:
                taken = min(want, pair[1])
                want, pair[1] = want - taken, pair[1] - taken
        if want < shortfall.amount_micro:
            found.append(replace(shortfall, amount_micro=shortfall.amount_micro - want))
    return tuple(found)


def _total(shortfalls: Iterable[Shortfall]) -> int:
    return sum(one.amount_micro for one in shortfalls)


def _funds(command: MirrorRound, anew: MirrorRound | None, shortfall_micro: int) -> Iterable[FundLine]:
    """What the house gets back (below zero) by kind, what it pays anew, and what it pays for a shortfall."""
    spent: defaultdict[FundKind, int] = defaultdict(int)
    for order, sign in ((command, -1), (anew, 1)):
        for award in () if order is None else order.awards:
            spent[FundKind(award.fund)] += sign * (award.prize_minor * MICRO - award.pool_micro)
        for one in () if order is None else order.resets:
            spent[FundKind.RESET] += sign * (one.reset_micro - one.reserve_micro)
    spent[FundKind.VOID_SHORTFALL] += shortfall_micro
    return [FundLine(kind, amount) for kind, amount in sorted(spent.items()) if amount]


def resettled(
    command: ResettleRound,
    terms: PoolTerms,
    waiting: PoolTerms | None,
    before: Balances,
    shortfalls: Sequence[Shortfall],
) -> RoundResettled:
    """Old awards mirrored, new ones posted, one net (docs/ledger.md, Postings, resettle).

    Parameters that still wait take force when the new awards hold the 100 % award that they waited for.
    """
    old, new = command.old, command.new
    net = netted(old, terms, before, shortfalls, new)
    return RoundResettled(
        jackpot=terms.jackpot,
        round=old.round,
        currency=terms.currency,
        funds=net.funds,
        fallen=tuple(one.award for one in old.awards),
        cancelled=tuple((one.award, one.player, one.prize_minor) for one in old.awards if one.pending),
        awards=new.awards,
        awards_back_micro=sum(one.pool_micro for one in old.awards),
        resets_back_micro=sum(one.reset_micro - one.reserve_micro for one in old.resets),
        awards_micro=sum(one.pool_micro for one in new.awards),
        resets_micro=sum(one.reset_micro - one.reserve_micro for one in new.resets),
        shortfall_meter_micro=net.shortfall_meter_micro,
        shortfall_reserve_micro=net.shortfall_reserve_micro,
        terms=waiting if waiting is not None and waiting == command.applied else terms,
        move=net.move,
        given_back=net.given_back,
    )


def settle_shortfalls(
    standing: Sequence[Shortfall], event: RoundMirrored | RoundResettled | AwardRefused, version: int
) -> tuple[Shortfall, ...]:
    """The shortfalls that the house still bears after `event`, which has this `version` in the pool's stream.

    What is given back and what is put in by one event are kept apart: a shortfall that is put in anew is younger,
    so that more awards give it back. Only so do voids commute.
    """
    back = {(one.account, one.version): one.amount_micro for one in event.given_back}
    left = [replace(one, amount_micro=one.amount_micro - back.get((one.account, one.version), 0)) for one in standing]
    for account, net in (("m", event.shortfall_meter_micro), ("res", event.shortfall_reserve_micro)):
        put_in = net + _total(one for one in event.given_back if one.account == account)
        left.append(Shortfall(account, put_in, version))
    return tuple(one for one in left if one.amount_micro)
