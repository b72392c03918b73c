"""Voids, cancellations and resettlements: what was undone, by whom and why, and what it cost (R4, R21, R23, R28)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from domain.frozen import dataclass
from domain.jackpots.events import RoundMirrored, RoundResettled
from domain.rounds.events import CardsCorrected, RoundCancelled, RoundUndoing, RoundVoided, WagersVoided
from domain.seats.events import ReviewResolved, SeatResettled, SeatVoided
from domain.views.model import time_text
from services.ports import Told
from services.reports.acts import ACT_EVENTS, Acts
from services.reports.columns import count, micro, minor, text
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Part
from services.reports.wagers import Happened, Wagers

ACTS: Final = "acts"
TOTALS: Final = "totals"


@dataclass(frozen=True, slots=True)
class _Voids:
    scope: Scope
    acts: Acts = field(default_factory=Acts)
    wagers: Wagers = field(default_factory=Wagers)

    def parts(self, told: Told) -> Iterator[Part]:
        """What an event is to the act that it belongs to."""
        event = told.one.event
        self.acts.take(event)
        spots = list(self.wagers.take(event))
        if told.opened is None or self.scope.when(told) is not When.WITHIN:
            return
        terms = told.opened.terms
        if not self.scope.takes(terms.currency):
            return
        round_id = told.opened.round
        row = (terms.currency, round_id, self.acts.name(round_id))
        total = (terms.currency, terms.ruleset, self.acts.of(round_id).value)
        if isinstance(event, ACT_EVENTS):
            for column, value in act_texts(told):
                yield Part(ACTS, row, column, value)
        for column, amount in act_amounts(told):
            yield Part(ACTS, row, column, amount)
            yield Part(TOTALS, total, column, amount)
        stakes = sum(one.stake_minor for one in spots if one.happened is not Happened.SETTLED)
        if stakes:
            yield Part(ACTS, row, "stakes_minor", stakes)
            yield Part(TOTALS, total, "stakes_minor", stakes)


def act_texts(told: Told) -> Iterator[tuple[str, str]]:
    """Who did it and why, and of which game."""
    event, opened = told.one.event, told.round_opened
    yield "at", time_text(told.one.recorded_at)
    yield "game_number", opened.game_number
    yield "table", opened.terms.table
    yield "by", told.one.meta.actor
    match event:
        case RoundVoided() | WagersVoided() | RoundUndoing():
            yield "stage", event.stage.value
            texts = (event.reason, event.policy, event.approver, event.evidence)
        case CardsCorrected():
            texts = (event.reason, event.policy, event.approver, None)
        case RoundCancelled():
            texts = (event.reason, None, None, None)
        case _:
            return
    for name, value in zip(("reason", "policy", "approver", "evidence"), texts, strict=True):
        yield name, value or ""


def act_amounts(told: Told) -> Iterator[tuple[str, int]]:
    """What an event of a seat or a pool adds to its act. `owed` below zero is what players got back."""
    match told.one.event:
        case SeatVoided() as event:
            yield "seats", 1
            yield "refund_minor", event.refund_minor
            yield "prizes_minor", event.prize_minor
            yield from _owed(event)
        case SeatResettled() as event:
            yield "seats", 1
            yield from _owed(event)
        case ReviewResolved() as event:
            yield "resolved_minor", event.owed_minor
        case RoundMirrored() as event:
            yield "contribution_micro", -event.contribution_micro
            yield "pool_micro", sum((event.move.meter_micro, event.move.reserve_micro, event.move.overflow_micro))
            yield "shortfall_micro", event.shortfall_meter_micro + event.shortfall_reserve_micro
        case RoundResettled() as event:
            yield "pool_micro", sum((event.move.meter_micro, event.move.reserve_micro, event.move.overflow_micro))
            yield "shortfall_micro", event.shortfall_meter_micro + event.shortfall_reserve_micro
        case _:
            pass


def _owed(event: SeatVoided | SeatResettled) -> Iterator[tuple[str, int]]:
    yield "owed_minor", max(event.owed_minor, 0)
    yield "taken_minor", event.taken_minor if event.owed_minor > 0 else 0
    yield "loss_minor", event.loss_minor if event.owed_minor > 0 else 0
    if isinstance(event, SeatResettled):
        yield "refund_minor", max(-event.owed_minor, 0)


AMOUNTS: Final = (
    count("seats", "Seats"),
    minor("stakes_minor", "Stakes"),
    minor("refund_minor", "Given back"),
    minor("prizes_minor", "Prizes taken back"),
    minor("owed_minor", "Owed"),
    minor("taken_minor", "Taken"),
    minor("loss_minor", "Borne by the house"),
    minor("resolved_minor", "Reviews resolved"),
    micro("contribution_micro", "Contributions"),
    micro("pool_micro", "Pool, net"),
    micro("shortfall_micro", "Shortfall"),
)

TEXTS: Final = (
    text("at", "At"),
    text("game_number", "Game"),
    text("table", "Table"),
    text("stage", "Stage"),
    text("reason", "Reason"),
    text("policy", "Policy"),
    text("by", "By"),
    text("approver", "Approver"),
    text("evidence", "Evidence"),
)

VOIDS: Final = Kind(
    name="voids",
    title="Voids and resettlements",
    about="Every void, cancellation, resettlement: who, why, evidence, and what players, house and pools got or lost.",
    tables=(
        Layout(ACTS, "Acts", ("currency", "round", "act"), (*TEXTS, *AMOUNTS), in_order=True),
        Layout(TOTALS, "Totals", ("currency", "ruleset", "act"), AMOUNTS),
    ),
    make=_Voids,
)
