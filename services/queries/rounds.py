"""Reads about rounds: what everybody may see, and how support finds one (S0-28, S0-36, S0-40, F32, R20)."""

from __future__ import annotations

from datetime import datetime, timedelta

from domain.errors import NotFound
from domain.frozen import dataclass
from domain.rounds.events import AwardRecord
from domain.variants import ruleset
from domain.views.histories import HISTORIES, PlayedRound, seat_group
from domain.views.model import time_text
from domain.views.open_rounds import OPEN_ROUNDS, OpenRound
from domain.views.rounds import ROUNDS, RoundRef, RoundRow, game_key, round_key, table_group
from services.ports_reads import Snapshot
from services.queries.pages import Page, Turn, group_scope, scan_page
from services.queries.reads import Reads
from services.queries.seats import HIDDEN, SeatAnswer, seat_answer
from services.queries.shown import Limits, limits, shown_phase


@dataclass(frozen=True, slots=True)
class CardsAnswer:
    """Cards, None where they are not public yet. `deck` and `salt` open the commitment after the end."""

    dealer: tuple[str | None, ...]
    player: tuple[str, ...]
    deck: tuple[str, ...] | None
    salt: str | None


@dataclass(frozen=True, slots=True)
class AwardAnswer:
    """A progressive prize of the round."""

    award: str
    player: str
    seat: int | None
    category: str
    amount: int
    pending: bool


@dataclass(frozen=True, slots=True)
class VoidAnswer:
    """Why the round fell; `stage` is None for a cancelled one."""

    at: str
    stage: str | None
    reason: str
    policy: str | None
    approver: str | None
    evidence: str | None


@dataclass(frozen=True, slots=True)
class MisreadAnswer:
    """A scanned card that was put right before the deal was over; both cards None until they are public."""

    at: str
    to: str
    number: int
    read: str | None
    card: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class RoundAnswer:
    """A round; `seats` is one page of its players, `next` the cursor of the next. `scanned` counts single cards of a
    live feed, `misread` lists those that were put right.
    """

    round: str
    game_number: str
    table: str
    ruleset: str
    ruleset_hash: str
    currency: str
    exponent: int
    phase: str
    pause_reason: str | None
    ante_min: int
    ante_max: int
    limits: Limits
    jackpot: str | None
    commitment: str | None
    opened_at: str
    closes_at: str | None
    deadline: str | None
    ended_at: str | None
    cards: CardsAnswer
    scanned: int
    misread: tuple[MisreadAnswer, ...]
    dealer_hand: str | None
    qualifies: bool | None
    awards: tuple[AwardAnswer, ...]
    void: VoidAnswer | None
    seats: tuple[SeatAnswer, ...]
    next: str | None
    position: int


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round in a list."""

    round: str
    game_number: str
    table: str
    ruleset: str
    phase: str
    opened_at: str
    ended_at: str | None


@dataclass(frozen=True, slots=True)
class OpenRoundAnswer:
    """An incomplete round, for support (R20)."""

    round: str
    game_number: str
    table: str
    phase: str
    opened_at: str
    deadline: str | None
    last_command_at: str
    abandoned_at: str


async def round_view(
    reads: Reads, operator: str, round_id: str, turn: Turn, min_position: int | None = None
) -> RoundAnswer:
    """A round as everybody may see it, with one page of its seats. Raises NotFound, Invalid, Unavailable."""
    async with reads.views.reading(operator, {ROUNDS.name, HISTORIES.name}, min_position) as snapshot:
        row = await _round(snapshot, round_id)
        scope = group_scope(HISTORIES.name, PlayedRound, seat_group(round_id))
        parts, after = await scan_page(snapshot, scope, turn, ("round", round_id))
        seats = tuple(seat_answer(part.play, row) for _, part in parts if part.play.was_played)
        return _answer(reads, row, seats, after, snapshot.position)


async def rounds_by_game_number(
    reads: Reads, operator: str, game_number: str, min_position: int | None = None
) -> Page[RoundLine]:
    """The round of a game number, for support (S0-40): one item or none."""
    async with reads.views.reading(operator, {ROUNDS.name}, min_position) as snapshot:
        ref = await snapshot.get(ROUNDS.name, game_key(game_number), RoundRef)
        rows = [] if ref is None else [await _round(snapshot, ref.round)]
        return Page(tuple(_round_line(reads, row) for row in rows), None, snapshot.position)


async def rounds_by_table(
    reads: Reads, operator: str, table: str, turn: Turn, min_position: int | None = None
) -> Page[RoundLine]:
    """A table's rounds, newest first. A table that is not there has none."""
    async with reads.views.reading(operator, {ROUNDS.name}, min_position) as snapshot:
        scope = group_scope(ROUNDS.name, RoundRef, table_group(table), newest_first=True)
        refs, after = await scan_page(snapshot, scope, turn, ("rounds", table))
        keys = [round_key(ref.round) for _, ref in refs]
        rows = await snapshot.get_many(ROUNDS.name, keys, RoundRow)
        items = tuple(_round_line(reads, rows[key]) for key in keys if key in rows)
        return Page(items, after, snapshot.position)


async def open_rounds(
    reads: Reads, operator: str, turn: Turn, min_position: int | None = None
) -> Page[OpenRoundAnswer]:
    """Incomplete rounds, oldest id first (R20)."""
    async with reads.views.reading(operator, {OPEN_ROUNDS.name}, min_position) as snapshot:
        scope = group_scope(OPEN_ROUNDS.name, OpenRound, "round")
        rows, after = await scan_page(snapshot, scope, turn, ("open-rounds",))
        return Page(tuple(_open_round(row) for _, row in rows), after, snapshot.position)


async def _round(snapshot: Snapshot, round_id: str) -> RoundRow:
    row = await snapshot.get(ROUNDS.name, round_key(round_id), RoundRow)
    if row is None:
        raise NotFound("no such round", field="round")
    return row


def _answer(
    reads: Reads, row: RoundRow, seats: tuple[SeatAnswer, ...], after: str | None, position: int
) -> RoundAnswer:
    terms = row.terms
    return RoundAnswer(
        round=row.round,
        game_number=row.game_number,
        table=terms.table,
        ruleset=terms.ruleset,
        ruleset_hash=terms.ruleset_hash,
        currency=terms.currency,
        exponent=reads.exponent(terms.currency),
        phase=shown_phase(reads, terms, row.phase, row.closes_at),
        pause_reason=row.pause_reason,
        ante_min=terms.ante_min_minor,
        ante_max=terms.ante_max_minor,
        limits=limits(terms),
        jackpot=terms.jackpot,
        commitment=row.commitment,
        opened_at=row.opened_at,
        closes_at=row.closes_at,
        deadline=row.deadline,
        ended_at=row.ended_at,
        cards=_cards(row),
        scanned=row.scanned,
        misread=tuple(MisreadAnswer(one.at, one.to, one.number, one.read, one.card, one.reason) for one in row.misread),
        dealer_hand=row.dealer_hand,
        qualifies=row.qualifies,
        awards=tuple(_award(one) for one in row.awards),
        void=_void(row),
        seats=seats,
        next=after,
        position=position,
    )


def _award(one: AwardRecord) -> AwardAnswer:
    return AwardAnswer(one.award, one.player, one.seat, one.category, one.prize_minor, one.pending)


def _void(row: RoundRow) -> VoidAnswer | None:
    note = row.void
    if note is None:
        return None
    return VoidAnswer(note.at, note.stage, note.reason, note.policy, note.approver, note.evidence)


def _cards(row: RoundRow) -> CardsAnswer:
    """The up-card from the deal on, everything once it is opened (F32)."""
    if row.cards is not None:
        opened = row.cards
        deck = opened.deck or None
        return CardsAnswer(opened.dealer, opened.shared or row.shared_cards, deck, opened.salt or None)
    if row.up_card is None:
        return CardsAnswer((), (), None, None)
    dealer: list[str | None] = list(HIDDEN)
    dealer[ruleset(row.terms.ruleset).dealer_upcard_index] = row.up_card
    return CardsAnswer(tuple(dealer), row.shared_cards, None, None)


def _round_line(reads: Reads, row: RoundRow) -> RoundLine:
    phase = shown_phase(reads, row.terms, row.phase, row.closes_at)
    terms = row.terms
    return RoundLine(row.round, row.game_number, terms.table, terms.ruleset, phase, row.opened_at, row.ended_at)


def _open_round(row: OpenRound) -> OpenRoundAnswer:
    last = datetime.fromisoformat(row.last_command_at)
    return OpenRoundAnswer(
        round=row.round,
        game_number=row.game_number,
        table=row.table,
        phase=row.phase.value,
        opened_at=row.opened_at,
        deadline=row.deadline,
        last_command_at=row.last_command_at,
        abandoned_at=time_text(last + timedelta(seconds=row.abandon_seconds)),
    )
