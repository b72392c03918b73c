"""A player's statement: every movement with its id and the balance after it; stakes and wins by game (R5, R25)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from domain.frozen import dataclass
from domain.seats.events import PrizeDecided, SeatResettled, SeatSettled, SeatVoided, Stage
from domain.views.model import time_text
from domain.wallets.events import MOVES
from services.ports import Told
from services.reports.account_flows import SUMMARY, Flow, flow_of, summary
from services.reports.acts import Acts
from services.reports.columns import count, minor, summed, text
from services.reports.games import GAME, game_of
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Parameter, Part, Unit

ACCOUNT: Final = "account"
LINES: Final = "lines"
GAMES: Final = "games"


@dataclass(frozen=True, slots=True)
class _PlayerStatement:
    scope: Scope
    player: str
    acts: Acts = field(default_factory=Acts)

    def parts(self, told: Told) -> Iterator[Part]:
        """What an event is to this player."""
        event = told.one.event
        self.acts.take(event)
        if getattr(event, "player", None) != self.player:
            return
        flow, is_before = flow_of(event, self.acts), self.scope.when(told) is When.BEFORE
        if flow is not None and isinstance(event, MOVES) and self.scope.takes(event.currency):
            for column, amount in summary(flow, before=is_before):
                yield Part(ACCOUNT, (event.currency, self.player), column, amount)
            if not is_before:
                yield from self._line(told, flow, event.currency)
        elif not is_before and told.opened is not None and self.scope.takes(told.opened.terms.currency):
            for column, amount in _played(told):
                yield Part(GAMES, game_of(told), column, amount)

    def _line(self, told: Told, flow: Flow, currency: str) -> Iterator[Part]:
        event, row = told.one.event, (currency, str(told.one.position))
        yield Part(LINES, row, "at", time_text(self.scope.at(told)))
        yield Part(LINES, row, "what", flow.column.removesuffix("_minor").replace("_", " "))
        yield Part(LINES, row, "reference", flow.reference)
        yield Part(LINES, row, "by", told.one.meta.actor)
        yield Part(LINES, row, "amount_minor", flow.available_minor)
        if isinstance(event, MOVES):
            yield Part(LINES, row, "balance_minor", event.available_after_minor)
            yield Part(LINES, row, "held_minor", event.held_after_minor)


def _played(told: Told) -> Iterator[tuple[str, int]]:
    """What a seat's event is to stakes and wins: a void takes back what it voids, a refund is no win."""
    match told.one.event:
        case SeatSettled() as event:
            yield "hands", 1
            yield "wagered_minor", event.staked_minor
            yield "won_minor", event.returned_minor
        case PrizeDecided(verified=True) as event:
            yield "won_minor", event.amount_minor
        case SeatVoided(stage=Stage.AFTER_SETTLEMENT) as event:
            yield "voided_hands", 1
            yield "wagered_minor", -sum(one.stake_minor for one in event.results)
            yield "won_minor", -sum(one.payout_minor for one in event.results) - event.prize_minor
        case SeatVoided() as event:
            yield "voided_hands", 1
        case SeatResettled() as event:
            yield "won_minor", -event.owed_minor
        case _:
            pass


PLAYER_STATEMENT: Final = Kind(
    name="player-statement",
    title="Statement of a player",
    about="One player's account: every movement with its id and the balance after it, and stakes and wins by game.",
    tables=(
        Layout(ACCOUNT, "Account", ("currency", "player"), SUMMARY),
        Layout(
            LINES,
            "Movements",
            ("currency", "position"),
            (
                text("at", "At"),
                text("what", "What"),
                text("reference", "Reference"),
                text("by", "By"),
                minor("amount_minor", "Amount"),
                minor("balance_minor", "Balance"),
                minor("held_minor", "On game"),
            ),
            in_order=True,
        ),
        Layout(
            GAMES,
            "Games",
            GAME,
            (
                count("hands", "Hands"),
                minor("wagered_minor", "Wagered"),
                minor("won_minor", "Won"),
                summed(Unit.MINOR, "net_minor", "Net", ("won_minor",), ("wagered_minor",)),
                count("voided_hands", "Voided"),
            ),
        ),
    ),
    make=lambda scope: _PlayerStatement(scope, scope.parameter("player")),
    parameters=(Parameter("player", "whose statement"),),
)
