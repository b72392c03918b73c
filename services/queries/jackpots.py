"""Reads about pools (S3-10, S3-19, R6, R10)."""

from __future__ import annotations

from domain.errors import NotFound
from domain.frozen import dataclass
from domain.money import whole_minor
from domain.views.jackpots import JACKPOTS, AwardLine, PendingRound, Pool, pending_group, pending_micro, pool_key
from services.answers import JackpotTerms
from services.jackpot_terms import rate_text, terms_shown
from services.queries.pages import LIMIT_MAX, Turn, group_scope, scan_page
from services.queries.reads import Reads


@dataclass(frozen=True, slots=True)
class JackpotAward:
    """An award; `meter_before_micro` is the meter as its turn found it, before any reset.

    It was paid where it is neither `pending` nor `voided` nor `refused`.
    """

    award: str
    at: str
    position: int
    round: str
    player: str
    seat: int | None
    category: str
    amount: int
    pool_micro: int
    meter_before_micro: int
    pending: bool
    voided: bool
    refused: bool


@dataclass(frozen=True, slots=True)
class JackpotAnswer:
    """A pool: `meter` is whole minor units, `pending_micro` what open wagers would bring to it.

    A `disabled` one takes no new wagers (R14): show it as unavailable. `waiting` are changed parameters that take force
    with the next 100 % award (R7).
    """

    jackpot: str
    ruleset: str
    currency: str
    exponent: int
    meter: int
    meter_micro: int
    reserve_micro: int
    overflow_micro: int
    pending_micro: int
    seed: int
    reset: int
    increment_rate: str
    reserve_rate: str
    ceiling: int
    fixed_prize_funding: str
    multi_winner_policy: str
    handpay_threshold: int | None
    waiting: JackpotTerms | None
    disabled: bool
    awards: tuple[JackpotAward, ...]
    position: int


async def jackpot(reads: Reads, operator: str, jackpot_id: str, min_position: int | None = None) -> JackpotAnswer:
    """A pool with its last awards, newest first. Raises NotFound, Unavailable."""
    async with reads.views.reading(operator, {JACKPOTS.name}, min_position) as snapshot:
        pool = await snapshot.get(JACKPOTS.name, pool_key(jackpot_id), Pool)
        if pool is None:
            raise NotFound("no such jackpot", field="jackpot")
        scope = group_scope(JACKPOTS.name, PendingRound, pending_group(jackpot_id))
        waiting: list[PendingRound] = []
        turn = Turn(LIMIT_MAX)
        while True:
            rows, after = await scan_page(snapshot, scope, turn, ("pending", jackpot_id))
            waiting += [row for _, row in rows]
            if after is None:
                break
            turn = Turn(LIMIT_MAX, after)
        return _answer(reads, pool, pending_micro(pool, tuple(waiting)), snapshot.position)


def _answer(reads: Reads, pool: Pool, pending: int, position: int) -> JackpotAnswer:
    terms = pool.terms
    return JackpotAnswer(
        jackpot=terms.jackpot,
        ruleset=terms.ruleset,
        currency=terms.currency,
        exponent=reads.exponent(terms.currency),
        meter=whole_minor(pool.meter_micro),
        meter_micro=pool.meter_micro,
        reserve_micro=pool.reserve_micro,
        overflow_micro=pool.overflow_micro,
        pending_micro=pending,
        seed=terms.seed_minor,
        reset=terms.reset_minor,
        increment_rate=rate_text(terms.increment_ppm),
        reserve_rate=rate_text(terms.reserve_ppm),
        ceiling=terms.ceiling_minor,
        fixed_prize_funding=terms.fixed_prize_funding.value,
        multi_winner_policy=terms.multi_winner_policy.value,
        handpay_threshold=terms.handpay_threshold_minor,
        waiting=None if pool.waiting is None else terms_shown(pool.waiting),
        disabled=pool.disabled,
        awards=tuple(_award(one) for one in pool.awards),
        position=position,
    )


def _award(one: AwardLine) -> JackpotAward:
    return JackpotAward(
        award=one.award,
        at=one.at,
        position=one.position,
        round=one.round,
        player=one.player,
        seat=one.seat,
        category=one.category,
        amount=one.prize_minor,
        pool_micro=one.pool_micro,
        meter_before_micro=one.meter_before_micro,
        pending=one.pending,
        voided=one.voided,
        refused=one.refused,
    )
