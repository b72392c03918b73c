"""Jackpots: what each pool shows, and what wagers still open will bring it (S3-10, R6, R10).

    pool                {jackpot}   balances, parameters, last awards
    pending/{jackpot}   {round}     progressive wagers of a round whose betting is open

Pending money is not in the meter and cannot be won; it goes with undo, rejection or void, and moves at the close.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from domain.changing import replace
from domain.frozen import dataclass
from domain.jackpots.events import (
    Awarded,
    Contributed,
    Move,
    PoolCarried,
    PoolEvent,
    PoolOpened,
    PoolReset,
    PoolTerms,
    RoundMirrored,
    RoundResettled,
)
from domain.jackpots.upkeep import (
    AwardRefused,
    AwardVerified,
    Corrected,
    PoolDisabled,
    PoolEnabled,
    TermsChanged,
    TransferredIn,
    TransferredOut,
    UpkeepEvent,
)
from domain.rounds.events import AwardRecord, BettingClosed, RoundCancelled, RoundVoided
from domain.seats.events import ActionUndone, SeatPassed, WagerKind, WagerPlaced, WagersRejected
from domain.views.model import Fact, Model, RowKey

LAST_AWARDS: Final = 20
"""How many awards a pool's row shows; all of them are in the events."""

_PROGRESSIVE: Final = WagerKind.PROGRESSIVE  # found once
_POOL_EVENTS: Final = (
    PoolOpened,
    Contributed,
    Awarded,
    PoolReset,
    RoundMirrored,
    RoundResettled,
    *get_args(UpkeepEvent),
)


@dataclass(frozen=True, slots=True)
class AwardLine:
    """An award. `meter_before_micro` is the meter as the winner's turn found it, before any reset."""

    award: str
    at: str
    position: int
    round: str
    player: str
    seat: int | None
    category: str
    prize_minor: int
    pool_micro: int
    meter_before_micro: int
    pending: bool
    voided: bool
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool: `awards` are the last ones, newest first; `position` is that of its last event."""

    terms: PoolTerms
    meter_micro: int
    reserve_micro: int
    overflow_micro: int
    awards: tuple[AwardLine, ...]
    position: int
    waiting: PoolTerms | None = None
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class OpenStake:
    """A progressive wager that its pool has not got yet."""

    wager: str
    stake_minor: int


@dataclass(frozen=True, slots=True)
class PendingRound:
    """The progressive wagers of a round whose betting is open."""

    round: str
    stakes: tuple[OpenStake, ...]

    @property
    def stake_minor(self) -> int:
        """Their sum."""
        return sum(one.stake_minor for one in self.stakes)


JackpotRow = Pool | PendingRound
_Rows = Mapping[RowKey, JackpotRow | None]


def pool_key(jackpot: str) -> RowKey:
    """Where a pool's row lies."""
    return RowKey("pool", jackpot)


def pending_group(jackpot: str) -> str:
    """The group of the rounds that will contribute when their betting closes."""
    return f"pending/{jackpot}"


def pending_micro(pool: Pool, rounds: tuple[PendingRound, ...]) -> int:
    """What the meter would get from open wagers if they closed now, at the increment rate in force."""
    return sum(one.stake_minor for one in rounds) * pool.terms.increment_ppm


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    event = fact.event
    if isinstance(event, WagerPlaced) and not _stakes(event):
        return ()  # nearly all wagers, so they come first
    match event:
        case PoolOpened():
            return (pool_key(event.terms.jackpot),)
        case Contributed() | Awarded() | PoolReset() | RoundMirrored() | RoundResettled():
            return (pool_key(event.jackpot),)
        case Corrected() | TransferredOut() | TransferredIn() | TermsChanged() | PoolDisabled() | PoolEnabled():
            return (pool_key(event.jackpot),)
        case AwardVerified() | AwardRefused():
            return (pool_key(event.jackpot),)
        case (
            WagerPlaced()
            | ActionUndone()
            | SeatPassed()
            | WagersRejected()
            | BettingClosed()
            | RoundCancelled()
            | RoundVoided()
        ):
            jackpot = fact.round_opened.terms.jackpot
            return () if jackpot is None else (RowKey(pending_group(jackpot), event.round),)
        case _:
            return ()


def _fold(rows: _Rows, fact: Fact) -> _Rows:
    event = fact.event
    if isinstance(event, _POOL_EVENTS):
        return {key: _pool(row if isinstance(row, Pool) else None, fact, event) for key, row in rows.items()}
    return {key: _pending(row, fact) for key, row in rows.items()}


def _pool(pool: Pool | None, fact: Fact, event: PoolEvent | UpkeepEvent) -> Pool:
    if isinstance(event, PoolOpened):
        return Pool(event.terms, *_after(event.move), (), fact.position)
    if pool is None:
        raise LookupError("a pool's first event opens it")
    pool = replace(pool, position=fact.position, awards=_awards(pool.awards, fact, event))
    match event:
        case PoolDisabled() | PoolEnabled():
            return replace(pool, disabled=isinstance(event, PoolDisabled))
        case AwardVerified() | PoolCarried():
            return pool
        case PoolReset():
            pool = replace(pool, terms=event.terms, waiting=None)
        case RoundResettled():
            pool = replace(pool, terms=event.terms, waiting=None if event.terms == pool.waiting else pool.waiting)
        case TermsChanged():
            pool = replace(pool, terms=event.terms, waiting=event.waiting)
        case _:
            pass
    meter, reserve, overflow = _after(event.move)
    return replace(pool, meter_micro=meter, reserve_micro=reserve, overflow_micro=overflow)


def _after(move: Move) -> tuple[int, int, int]:
    return move.meter_after_micro, move.reserve_after_micro, move.overflow_after_micro


def _awards(awards: tuple[AwardLine, ...], fact: Fact, event: PoolEvent | UpkeepEvent) -> tuple[AwardLine, ...]:
    if isinstance(event, RoundMirrored):
        return _without(awards, event.awards)
    if isinstance(event, RoundResettled):
        new = [_line(fact, event.round, one) for one in event.awards]
        return (*new[::-1], *_without(awards, event.fallen))[:LAST_AWARDS]
    if isinstance(event, AwardVerified | AwardRefused):
        refused = isinstance(event, AwardRefused)
        return tuple(
            replace(one, pending=False, refused=refused) if one.award == event.award else one for one in awards
        )
    return (_line(fact, event.round, event), *awards)[:LAST_AWARDS] if isinstance(event, Awarded) else awards


def _without(awards: tuple[AwardLine, ...], fallen: tuple[str, ...]) -> tuple[AwardLine, ...]:
    return tuple(replace(one, voided=one.voided or one.award in fallen) for one in awards)


def _line(fact: Fact, round_id: str, award: Awarded | AwardRecord) -> AwardLine:
    return AwardLine(
        award=award.award,
        at=fact.at,
        position=fact.position,
        round=round_id,
        player=award.player,
        seat=award.seat,
        category=award.category,
        prize_minor=award.prize_minor,
        pool_micro=award.pool_micro,
        meter_before_micro=award.meter_before_micro,
        pending=award.pending,
        voided=False,
    )


def _stakes(event: WagerPlaced) -> tuple[OpenStake, ...]:
    return tuple([OpenStake(one.wager, one.stake_minor) for one in event.wagers if one.kind is _PROGRESSIVE])


def _pending(row: JackpotRow | None, fact: Fact) -> PendingRound | None:
    event = fact.event
    before = row.stakes if isinstance(row, PendingRound) else ()
    if isinstance(event, WagerPlaced):
        return PendingRound(event.round, before + _stakes(event))
    if isinstance(event, ActionUndone | SeatPassed | WagersRejected):
        left = tuple(one for one in before if one.wager not in event.wagers)
        return PendingRound(event.round, left) if left else None
    return None


JACKPOTS: Final[Model[JackpotRow]] = Model(
    name="jackpots",
    kinds={"pool": Pool, "pending": PendingRound},
    reads=frozenset(
        {
            *_POOL_EVENTS,
            WagerPlaced,
            ActionUndone,
            SeatPassed,
            WagersRejected,
            BettingClosed,
            RoundCancelled,
            RoundVoided,
        }
    ),
    keys=_keys,
    fold=_fold,
)
