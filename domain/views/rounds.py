"""Rounds as everybody may see them: phase, public cards, results (S0-28, S0-40, F32).

    round            {round}      the round
    game             {number}     where a game number leads (S0-40)
    table/{table}    {position}   a table's rounds, oldest first

Cards of the seats and of the dealer appear when the showdown or a void has opened them, never before. What each
player did in the round lies in `domain.views.histories`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from domain.changing import replace
from domain.frozen import dataclass
from domain.jackpots.events import Awarded, Contributed, PoolReset, RoundMirrored, RoundResettled
from domain.jackpots.upkeep import AwardRefused, AwardVerified
from domain.rounds.awards import parted
from domain.rounds.events import (
    AwardDecided,
    AwardRecord,
    BettingClosed,
    CardsCorrected,
    Dealt,
    OpenedCards,
    Phase,
    ReviewsResolved,
    RoundCancelled,
    RoundEvent,
    RoundOpened,
    RoundPaused,
    RoundResumed,
    RoundSettled,
    RoundUndoing,
    RoundVoided,
    ShowdownHeld,
    WagersVoided,
)
from domain.rounds.scans import CardScanned, ScanCorrected, ScansOpened
from domain.tables import TableTerms
from domain.views.model import Fact, Model, RowKey, optional_text, time_text
from domain.views.phases import ROUND_EVENTS, phases_after

_POOL_EVENTS: Final = (Contributed, Awarded, PoolReset, RoundMirrored, RoundResettled, AwardVerified, AwardRefused)
_OF_A_ROUND: Final = (*(one for one in ROUND_EVENTS if one is not RoundOpened), *_POOL_EVENTS)


@dataclass(frozen=True, slots=True)
class VoidNote:
    """Who let the round fall, and why; `stage` is None for a cancelled one."""

    at: str
    stage: str | None
    reason: str
    policy: str | None
    approver: str | None
    evidence: str | None


@dataclass(frozen=True, slots=True)
class ScanNote:
    """A scanned card that was put right; what was read, and the card, are None until all cards are opened."""

    at: str
    to: str
    number: int
    read: str | None
    card: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round. `cards` are None until they are public; `pool_positions` are its pool's events, for the auditor."""

    round: str
    game_number: str
    terms: TableTerms
    phase: Phase
    paused_from: Phase | None
    pause_reason: str | None
    commitment: str | None
    software_version: str
    build: str
    opened_at: str
    closed_at: str | None
    ended_at: str | None
    deadline: str | None
    closes_at: str | None
    seats: int | None
    up_card: str | None
    shared_cards: tuple[str, ...]
    cards: OpenedCards | None
    dealer_hand: str | None
    qualifies: bool | None
    awards: tuple[AwardRecord, ...]
    void: VoidNote | None
    pool_positions: tuple[int, ...]
    position: int
    scanned: int = 0
    misread: tuple[ScanNote, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundRef:
    """The id of a round."""

    round: str


RoundsRow = RoundRow | RoundRef
_Rows = Mapping[RowKey, RoundsRow | None]


def round_key(round_id: str) -> RowKey:
    """Where a round lies."""
    return RowKey("round", round_id)


def game_key(game_number: str) -> RowKey:
    """Where a game number leads to its round."""
    return RowKey("game", game_number)


def table_group(table: str) -> str:
    """The group of a table's rounds."""
    return f"table/{table}"


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    event = fact.event
    if isinstance(event, RoundOpened):
        return round_key(event.round), game_key(event.game_number)
    return (round_key(event.round),) if isinstance(event, _OF_A_ROUND) else ()


def _fold(rows: _Rows, fact: Fact) -> _Rows:
    event = fact.event
    if isinstance(event, RoundOpened):
        return {
            round_key(event.round): _opened(fact, event),
            game_key(event.game_number): RoundRef(event.round),
            RowKey(table_group(event.terms.table), fact.place): RoundRef(event.round),
        }
    if not isinstance(event, _OF_A_ROUND):
        return {}
    ((key, row),) = rows.items()
    if not isinstance(row, RoundRow):
        raise LookupError("a round's first event opens it")
    if isinstance(event, _POOL_EVENTS):
        return {key: replace(row, pool_positions=(*row.pool_positions, fact.position), position=fact.position)}
    phase, paused_from = phases_after(event, row.phase, row.paused_from)
    return {key: replace(_noted(row, fact, event), phase=phase, paused_from=paused_from, position=fact.position)}


def _opened(fact: Fact, event: RoundOpened) -> RoundRow:
    return RoundRow(
        round=event.round,
        game_number=event.game_number,
        terms=event.terms,
        phase=Phase.BETTING_OPEN,
        paused_from=None,
        pause_reason=None,
        commitment=event.commitment,
        software_version=event.software_version,
        build=event.build,
        opened_at=fact.at,
        closed_at=None,
        ended_at=None,
        deadline=None,
        closes_at=optional_text(event.closes_at),
        seats=None,
        up_card=None,
        shared_cards=(),
        cards=None,
        dealer_hand=None,
        qualifies=None,
        awards=(),
        void=None,
        pool_positions=(),
        position=fact.position,
    )


def _noted(row: RoundRow, fact: Fact, event: RoundEvent) -> RoundRow:
    """What the event adds beside the phase."""
    match event:
        case BettingClosed():
            return replace(row, closed_at=fact.at, seats=event.seats)
        case Dealt():
            deadline = time_text(event.deadline)
            return replace(row, up_card=event.up_card, shared_cards=event.shared_cards, deadline=deadline)
        case ShowdownHeld() | CardsCorrected():
            return _shown(row, event)
        case AwardDecided():
            return replace(row, awards=_awards_after(row.awards, event))
        case RoundPaused():
            return replace(row, pause_reason=event.reason)
        case RoundResumed():
            until = optional_text(event.deadline)
            return replace(row, pause_reason=None, closes_at=optional_text(event.closes_at), deadline=until)
        case RoundSettled():
            return replace(row, ended_at=fact.at)
        case RoundCancelled():
            void = VoidNote(fact.at, None, event.reason, None, None, None)
            return replace(row, ended_at=fact.at, cards=event.cards or row.cards, void=void, pause_reason=None)
        case RoundVoided():
            void = VoidNote(fact.at, event.stage.value, event.reason, event.policy, event.approver, event.evidence)
            ended = row.ended_at or fact.at
            return replace(row, ended_at=ended, cards=event.cards or row.cards, void=void, pause_reason=None)
        case WagersVoided():
            return replace(row, awards=parted(row.awards, (), event.awards).left)
        case CardScanned() | ScanCorrected() | ScansOpened():
            return _scanned(row, fact, event)
        case RoundOpened() | RoundUndoing() | ReviewsResolved():
            return row
        case _:
            assert_never(event)


def _shown(row: RoundRow, event: ShowdownHeld | CardsCorrected) -> RoundRow:
    return replace(
        row, cards=event.cards, dealer_hand=event.dealer_hand, qualifies=event.qualifies, awards=event.awards
    )


def _scanned(row: RoundRow, fact: Fact, event: CardScanned | ScanCorrected | ScansOpened) -> RoundRow:
    match event:
        case CardScanned():
            return replace(row, scanned=row.scanned + 1)
        case ScanCorrected():
            note = ScanNote(fact.at, event.to, event.number, None, None, event.reason)
            return replace(row, misread=(*row.misread, note))
        case ScansOpened():
            pairs = zip(row.misread, event.misread, strict=True)
            return replace(row, misread=tuple(replace(note, read=one.read, card=one.card) for note, one in pairs))
        case _:
            assert_never(event)


def _awards_after(awards: tuple[AwardRecord, ...], event: AwardDecided) -> tuple[AwardRecord, ...]:
    """A verified prize is pending no more, a refused one is gone; shared ones part what the pool paid anew."""
    if event.verified:
        return tuple(replace(one, pending=False) if one.award == event.award else one for one in awards)
    return parted(awards, (), {event.award}).left


ROUNDS: Final[Model[RoundsRow]] = Model(
    name="rounds",
    kinds={"round": RoundRow, "game": RoundRef, "table": RoundRef},
    reads=frozenset({*ROUND_EVENTS, *_POOL_EVENTS}),
    keys=_keys,
    fold=_fold,
)
