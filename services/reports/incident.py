"""The incident report of one round that was voided, cancelled or resettled (R21, R23): what happened in which order, by
whom and why, what each player had and has, and what its pool gave and got.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from domain.flows import postings
from domain.frozen import dataclass
from domain.jackpots.events import Awarded, Contributed, PoolReset, RoundMirrored, RoundResettled
from domain.money import MICRO
from domain.seats.events import PrizeDecided, SeatResettled, SeatSettled, SeatVoided, Stage
from domain.views.model import time_text
from domain.wallets.events import MOVES
from services.ports import Told
from services.reports.acts import ACT_EVENTS, Acts
from services.reports.columns import minor, summed, text
from services.reports.pool_moves import TERM_NAMES, TERMS, move_of, terms_of
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Parameter, Part, Unit
from services.reports.voids import AMOUNTS, TEXTS, act_amounts, act_texts
from services.reports.wagers import Happened, Wagers

ROUND: Final = "round"
ACTS: Final = "acts"
PLAYERS: Final = "players"
POOLS: Final = "pools"
STEPS: Final = "steps"


@dataclass(frozen=True, slots=True)
class _Incident:
    scope: Scope
    round: str
    acts: Acts = field(default_factory=Acts)
    wagers: Wagers = field(default_factory=Wagers)

    def parts(self, told: Told) -> Iterator[Part]:
        """What an event of the round is to the report."""
        event = told.one.event
        if told.opened is None or told.opened.round != self.round:
            return
        self.acts.take(event)
        spots = list(self.wagers.take(event))
        if self.scope.when(told) is When.AFTER or not self.scope.takes(told.opened.terms.currency):
            return
        yield from self._step(told)
        yield from self._player(told)
        yield from self._pool(told)
        row = (told.opened.terms.currency, self.round, self.acts.name(self.round))
        stakes = sum(one.stake_minor for one in spots if one.happened is not Happened.SETTLED)
        if isinstance(event, ACT_EVENTS):
            yield from (Part(ACTS, row, *one) for one in act_texts(told))
        yield from (Part(ACTS, row, *one) for one in act_amounts(told))
        if stakes:
            yield Part(ACTS, row, "stakes_minor", stakes)

    def _step(self, told: Told) -> Iterator[Part]:
        one, opened = told.one, told.round_opened
        if one.stream.split("/", 2)[1] not in {"round", "seat", "jackpot"}:
            return
        row = (str(one.position),)
        yield Part(STEPS, row, "at", time_text(one.recorded_at))
        yield Part(STEPS, row, "event", told.name)
        yield Part(STEPS, row, "by", one.meta.actor)
        yield Part(STEPS, row, "of", str(getattr(one.event, "player", "") or getattr(one.event, "jackpot", "") or ""))
        for name in ("reason", "approver", "evidence"):
            yield Part(STEPS, row, name, str(getattr(one.event, name, None) or ""))
        if one.event is opened:
            terms, key = opened.terms, (opened.terms.currency, opened.round)
            facts = (terms.table, opened.game_number, terms.ruleset, terms.ruleset_hash, opened.software_version)
            for column, value in zip(("table", "game_number", "ruleset", "hash", "software"), facts, strict=True):
                yield Part(ROUND, key, column, value)

    def _player(self, told: Told) -> Iterator[Part]:
        event = told.one.event
        row = (told.round_opened.terms.currency, str(getattr(event, "player", "")))
        match event:
            case SeatSettled():
                yield Part(PLAYERS, row, "staked_minor", event.staked_minor)
                yield Part(PLAYERS, row, "paid_minor", event.returned_minor)
            case PrizeDecided(verified=True):
                yield Part(PLAYERS, row, "paid_minor", event.amount_minor)
            case SeatVoided(stage=Stage.AFTER_SETTLEMENT) | SeatResettled():
                yield Part(PLAYERS, row, "taken_minor", event.taken_minor)
                yield Part(PLAYERS, row, "loss_minor", event.loss_minor)
            case SeatVoided():
                yield Part(PLAYERS, row, "refund_minor", event.refund_minor)
            case _ if isinstance(event, MOVES):
                own = f"/{event.player}"
                moved = sum(one.amount_micro for one in postings(event) if one.account.endswith(own))
                yield Part(PLAYERS, row, "net_minor", moved // MICRO)
                yield Part(PLAYERS, row, "available_after", str(event.available_after_minor))
            case _:
                pass

    def _pool(self, told: Told) -> Iterator[Part]:
        event, moved = told.one.event, move_of(told.one.event)
        if moved is not None and isinstance(event, Contributed | Awarded | PoolReset | RoundMirrored | RoundResettled):
            for name, amount in terms_of(event):
                yield Part(POOLS, (moved[1], moved[0]), name, amount)


INCIDENT: Final = Kind(
    name="incident",
    title="Incident report of a round",
    about="One round that was voided, cancelled or resettled: who, why, evidence, steps, players, amounts, pool.",
    tables=(
        Layout(
            ROUND,
            "Round",
            ("currency", "round"),
            (
                text("game_number", "Game"),
                text("table", "Table"),
                text("ruleset", "Rule set"),
                text("hash", "Hash"),
                text("software", "Software"),
            ),
        ),
        Layout(ACTS, "What was done", ("currency", "round", "act"), (*TEXTS, *AMOUNTS), in_order=True),
        Layout(
            PLAYERS,
            "Players",
            ("currency", "player"),
            (
                minor("staked_minor", "Staked"),
                minor("paid_minor", "Paid"),
                minor("refund_minor", "Stakes given back"),
                minor("taken_minor", "Taken back"),
                minor("loss_minor", "Borne by the house"),
                minor("net_minor", "Net of the round"),
                text("available_after", "Balance after, minor units"),
            ),
        ),
        Layout(
            POOLS,
            "Pool",
            ("currency", "jackpot"),
            (*TERMS, summed(Unit.MICRO, "net_micro", "Net of the round", TERM_NAMES)),
        ),
        Layout(
            STEPS,
            "Step by step",
            ("position",),
            tuple(
                text(name, title)
                for name, title in (
                    ("at", "At"),
                    ("event", "Event"),
                    ("of", "Of"),
                    ("by", "By"),
                    ("reason", "Reason"),
                    ("approver", "Approver"),
                    ("evidence", "Evidence"),
                )
            ),
            in_order=True,
        ),
    ),
    make=lambda scope: _Incident(scope, scope.parameter("round")),
    parameters=(Parameter("round", "which round"),),
)
