"""The replay of one round as it is answered: marked as one, step by step, and settled again beside the record."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from domain.frozen import dataclass
from domain.money import MICRO
from domain.rounds import decider as rounds
from domain.rounds.events import Phase, RoundCancelled, RoundEvent, RoundVoided, ShowdownHeld
from domain.seats.events import WagerKind
from domain.views.model import time_text
from services.replay.again import ExpectedMove, hand_of
from services.replay.checking import check
from services.replay.settlements import RecordedSeat, Settlement, Verdict
from services.replay.sheet import Difference
from services.replay.steps import Step, steps_of
from services.replay.story import RoundStory
from services.replay.telling import Money

NOTICE: Final = "REPLAY of a past round from its recorded events: nothing is played, no money moves."


@dataclass(frozen=True, slots=True)
class ComparedWager:
    """The payout of one kind of wager at a seat, the stake included where it is returned; minor units."""

    kind: str
    stake: int
    expected: int | None
    recorded: int


@dataclass(frozen=True, slots=True)
class ComparedSeat:
    """A seat settled twice. `prize_...` is the progressive one, `pending` says that it waits or waited."""

    player: str
    seat: int | None
    position: int
    cards: tuple[str, ...]
    hand: str
    decision: str | None
    decided_by: str | None
    outcome: str
    wagers: tuple[ComparedWager, ...]
    prize_expected: int | None
    prize_recorded: int
    pending: bool


@dataclass(frozen=True, slots=True)
class PoolStep:
    """A move of the pool as the second settlement has it: FIXED, PERCENT_10, PERCENT_100, or RESET."""

    kind: str
    player: str | None
    seat: int | None
    hand: str | None
    prize: int
    pool_micro: int
    house_micro: int
    pending: bool
    meter_after_micro: int
    reserve_after_micro: int
    overflow_after_micro: int


@dataclass(frozen=True, slots=True)
class ComparedSettlement:
    """One settlement: the first (SHOWDOWN), or one on corrected cards (RESETTLEMENT). `refused` says why the second
    settlement takes the round for none of its game.
    """

    position: int
    cause: str
    dealer: tuple[str, ...]
    dealer_hand: str | None
    qualifies: bool | None
    refused: str | None
    seats: tuple[ComparedSeat, ...]
    pool: tuple[PoolStep, ...]


@dataclass(frozen=True, slots=True)
class VoidedSeat:
    """What a void turned back at a seat; minor units."""

    position: int
    player: str
    seat: int | None
    stage: str
    wagers: tuple[str, ...]
    refund: int
    owed: int
    taken: int
    loss: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay. `equal` says that all of `compared` values are as recorded; `differences` names the others.

    With `next` there are more seats: the next page has their steps and settlements. `position` is how far the log was
    read. Cards that are not public yet are None.
    """

    replay: bool
    notice: str
    operator: str
    round: str
    game_number: str
    table: str
    ruleset: str
    ruleset_hash: str
    currency: str
    exponent: int
    jackpot: str | None
    phase: str
    opened_at: str
    software_version: str
    build: str
    commitment: str | None
    deck: tuple[str, ...] | None
    salt: str | None
    steps: tuple[Step, ...]
    settlements: tuple[ComparedSettlement, ...]
    voids: tuple[VoidedSeat, ...]
    equal: bool
    compared: int
    differences_count: int
    differences: tuple[Difference, ...]
    next: str | None
    position: int


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a replay is wanted: the seats of `players` (None: all), and with `is_first` the round itself."""

    players: Collection[str] | None = None
    is_first: bool = True
    next: str | None = None

    def has(self, player: str | None) -> bool:
        """Whether what is about this player, or about nobody, is part of it."""
        return self.is_first if player is None else self.players is None or player in self.players


WHOLE: Final = Part()


def replay(story: RoundStory, exponent: int, position: int, part: Part = WHOLE) -> Replay:
    """Replay a story and settle it again. Pure: the same story gives the same answer."""
    opened, terms = story.opened, story.opened.terms
    verdict = check(story)
    money = Money(terms.currency, exponent)
    phase, cards = _end(story)
    return Replay(
        replay=True,
        notice=NOTICE,
        operator=story.operator,
        round=story.round,
        game_number=opened.game_number,
        table=terms.table,
        ruleset=terms.ruleset,
        ruleset_hash=terms.ruleset_hash,
        currency=terms.currency,
        exponent=exponent,
        jackpot=terms.jackpot,
        phase=phase.value,
        opened_at=time_text(opened.opened_at),
        software_version=opened.software_version,
        build=opened.build,
        commitment=opened.commitment,
        deck=cards[0] or None,
        salt=cards[1] or None,
        steps=tuple(one for one in steps_of(story, money) if part.has(one.player)),
        settlements=tuple(_settlement(one, part) for one in verdict.settlements),
        voids=_voids(verdict, part),
        equal=verdict.equal,
        compared=verdict.compared,
        differences_count=verdict.found,
        differences=tuple(one for one in verdict.differences if part.is_first or part.has(one.player)),
        next=part.next,
        position=position,
    )


def _end(story: RoundStory) -> tuple[Phase, tuple[tuple[str, ...], str]]:
    """Where the round stands now, and the deck and salt that were opened."""
    state: rounds.Round | None = None
    opening: tuple[tuple[str, ...], str] = ((), "")
    for one in story.recorded:
        if isinstance(one.event, RoundEvent):
            state = rounds.evolve(state, one.event)
        if isinstance(one.event, ShowdownHeld | RoundVoided | RoundCancelled) and one.event.cards is not None:
            opening = one.event.cards.deck, one.event.cards.salt
    return Phase.BETTING_OPEN if state is None else state.phase, opening


def _settlement(one: Settlement, part: Part) -> ComparedSettlement:
    again = one.again
    seats = tuple(_seat(one, seat) for seat in one.seats.values() if part.has(seat.player))
    pool = () if again is None or not part.is_first else tuple(_pool_step(move) for move in again.moves)
    return ComparedSettlement(
        position=one.position,
        cause=one.cause.value,
        dealer=one.cards.dealer,
        dealer_hand=None if again is None else again.dealer_hand,
        qualifies=None if again is None else again.qualifies,
        refused=one.refused,
        seats=seats,
        pool=pool,
    )


def _seat(settlement: Settlement, found: RecordedSeat) -> ComparedSeat:
    expected = None if settlement.again is None else settlement.again.seats.get(found.player)
    wagers = tuple(
        ComparedWager(
            kind.value,
            found.stakes[kind],
            None if expected is None else 0 if kind is WagerKind.PROGRESSIVE else expected.payout.get(kind.value, 0),
            found.payout[kind],
        )
        for kind in WagerKind
        if kind in found.stakes
    )
    return ComparedSeat(
        player=found.player,
        seat=found.seat,
        position=found.position,
        cards=hand_of(settlement.cards, found.seat),
        hand=found.hand,
        decision=found.decision,
        decided_by=found.decided_by,
        outcome=found.outcome,
        wagers=wagers,
        prize_expected=None if expected is None else expected.prize_minor,
        prize_recorded=found.prize_minor + found.pending_minor,
        pending=found.pending_minor > 0,
    )


def _pool_step(move: ExpectedMove) -> PoolStep:
    return PoolStep(
        kind=move.kind,
        player=move.player,
        seat=move.seat,
        hand=move.hand,
        prize=move.prize_minor,
        pool_micro=move.pool_micro,
        house_micro=move.prize_minor * MICRO - move.pool_micro,
        pending=move.pending,
        meter_after_micro=move.meter_after_micro,
        reserve_after_micro=move.reserve_after_micro,
        overflow_after_micro=move.overflow_after_micro,
    )


def _voids(verdict: Verdict, part: Part) -> tuple[VoidedSeat, ...]:
    return tuple(
        VoidedSeat(
            one.position,
            one.player,
            one.seat,
            one.stage,
            one.wagers,
            one.refund_minor,
            one.owed_minor,
            one.taken_minor,
            one.loss_minor,
        )
        for one in verdict.mirrored
        if part.has(one.player)
    )
