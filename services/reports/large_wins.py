"""Large wins: hands and prizes from a threshold on; game, cycle, player, hit and payoff, and who confirmed (R17)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from domain.frozen import dataclass
from domain.seats.events import PrizeDecided, SeatResettled, SeatSettled, SeatVoided, Stage
from domain.views.model import time_text
from services.ports import Told
from services.reports.columns import micro, minor, summed, text
from services.reports.prizes import Change, Prizes
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Parameter, Part, Unit

WINS: Final = "wins"
PRIZES: Final = "prizes"
THRESHOLD_MINOR: Final = 500_000


@dataclass(frozen=True, slots=True)
class _LargeWins:
    scope: Scope
    threshold_minor: int
    prizes: Prizes = field(default_factory=Prizes)
    large: set[tuple[str, str]] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)

    def parts(self, told: Told) -> Iterator[Part]:
        """Of a large hand or prize what an event within the time makes of it."""
        event, is_within = told.one.event, self.scope.when(told) is When.WITHIN
        for change in self.prizes.take(event):
            is_large = change.prize.prize_minor >= self.threshold_minor
            if is_within and is_large and self.scope.takes(change.prize.currency):
                yield from self._prize(told, change)
        if not is_within or told.opened is None or not self.scope.takes(told.opened.terms.currency):
            return
        match event:
            case SeatSettled() | SeatResettled():
                yield from self._hand(told, event)
            case PrizeDecided(verified=True) if (event.round, event.player) in self.large:
                yield Part(WINS, self._row(told, event.player), "returned_minor", event.amount_minor)
            case SeatVoided(stage=Stage.AFTER_SETTLEMENT) if (event.round, event.player) in self.large:
                row = self._row(told, event.player)
                yield Part(WINS, row, "status", "VOIDED")
                yield Part(WINS, row, "taken_back_minor", event.taken_minor)
            case _:
                pass

    def _hand(self, told: Told, event: SeatSettled | SeatResettled) -> Iterator[Part]:
        key, row = (event.round, event.player), self._row(told, event.player)
        if key in self.large and isinstance(event, SeatResettled):
            yield Part(WINS, row, "status", "RESETTLED")
            yield Part(WINS, row, "returned_minor", -event.owed_minor)
            return
        if event.returned_minor < self.threshold_minor:
            return
        self.large.add(key)
        terms, opened = told.round_opened.terms, told.round_opened
        texts = {
            "at": time_text(self.scope.at(told)),
            "game_number": opened.game_number,
            "table": terms.table,
            "ruleset": terms.ruleset,
            "hash": terms.ruleset_hash,
            "hand": event.player_hand,
            "outcome": event.outcome,
            "status": "SETTLED" if isinstance(event, SeatSettled) else "RESETTLED",
        }
        yield from (Part(WINS, row, *one) for one in texts.items())
        yield Part(WINS, row, "staked_minor", event.returned_minor - event.net_minor)
        yield Part(WINS, row, "returned_minor", event.returned_minor)

    def _row(self, told: Told, player: str) -> tuple[str, ...]:
        return (told.round_opened.terms.currency, told.round_opened.round, player)

    def _prize(self, told: Told, change: Change) -> Iterator[Part]:
        prize, by = change.prize, told.one.meta.actor
        row = (prize.currency, prize.award)
        if prize.award not in self.listed:
            self.listed.add(prize.award)
            terms = None if told.opened is None else told.opened.terms
            texts = {
                "at": time_text(self.scope.at(told)),
                "jackpot": prize.jackpot,
                "player": prize.player,
                "ruleset": "" if terms is None else terms.ruleset,
                "hash": "" if terms is None else terms.ruleset_hash,
                "round": prize.round,
                "hand": prize.category,
            }
            yield from (Part(PRIZES, row, *one) for one in texts.items())
            yield Part(PRIZES, row, "hit_micro", prize.hit_micro)
            yield Part(PRIZES, row, "payoff_minor", prize.prize_minor)
        yield Part(PRIZES, row, "status", change.status)
        approver = getattr(told.one.event, "approver", None)
        yield Part(PRIZES, row, "by", by if approver is None else f"{by}, {approver}")


_GAME: Final = (text("ruleset", "Rule set"), text("hash", "Hash", working=True))

LARGE_WINS: Final = Kind(
    name="large-wins",
    title="Large wins",
    about="Hands and prizes from a threshold on: game, cycle, player, hit, payoff, status and who confirmed.",
    tables=(
        Layout(
            WINS,
            "Hands",
            ("currency", "round", "player"),
            (
                text("at", "At"),
                text("game_number", "Game"),
                text("table", "Table"),
                *_GAME,
                text("hand", "Hand"),
                text("outcome", "Outcome"),
                minor("staked_minor", "Staked"),
                minor("returned_minor", "Returned"),
                summed(Unit.MINOR, "net_minor", "Net", ("returned_minor",), ("staked_minor",)),
                minor("taken_back_minor", "Taken back"),
                text("status", "Status"),
            ),
            in_order=True,
        ),
        Layout(
            PRIZES,
            "Prizes",
            ("currency", "award"),
            (
                text("at", "At"),
                text("jackpot", "Jackpot"),
                text("player", "Player"),
                *_GAME,
                text("round", "Round"),
                text("hand", "Hand"),
                micro("hit_micro", "Meter at the hit"),
                minor("payoff_minor", "Payoff"),
                text("status", "Status"),
                text("by", "By"),
            ),
            in_order=True,
        ),
    ),
    make=lambda scope: _LargeWins(scope, scope.whole("threshold")),
    parameters=(Parameter("threshold", "from this many minor units on", str(THRESHOLD_MINOR)),),
)
