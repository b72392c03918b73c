"""A round step by step: when, who, what became visible, what lay on the spots, what moved (R26, G 4.14)."""

from __future__ import annotations

from collections.abc import Iterator

from domain.frozen import dataclass
from domain.ids import stream_kind
from domain.seats import events as s
from domain.views.model import time_text
from services.ports import Recorded
from services.ports_reads import NamedEvent
from services.replay.cards_shown import ShownCards, Table
from services.replay.lines import Ledger, LedgerLine, MeterMove, meter_move
from services.replay.story import RoundStory
from services.replay.telling import Money, tell


@dataclass(frozen=True, slots=True)
class StepWager:
    """A wager that a step is about, in minor units; `payout` is None where nothing was paid or lost yet."""

    wager: str
    kind: str
    stake: int
    payout: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """One event of the round. `at` is when it was recorded, `effective_at` when it counts; `actor` is who caused it,
    `decided_by` (PLAYER, SYSTEM, STAFF) is set where something was decided. `text` says it in words.
    """

    position: int
    at: str
    effective_at: str
    actor: str
    decided_by: str | None
    event: str
    command: str
    entry: int
    player: str | None
    seat: int | None
    text: str
    cards: tuple[ShownCards, ...]
    wagers: tuple[StepWager, ...]
    lines: tuple[LedgerLine, ...]
    meter: MeterMove | None


def steps_of(story: RoundStory, money: Money) -> Iterator[Step]:
    """The steps of a story, in order."""
    table, ledger, seats = Table(story), Ledger(), _Seats()
    for named in story.events:
        yield _step(named, table, ledger, seats, money)


class _Seats:
    """Who sits where, and what wagers there are, as the steps go by."""

    def __init__(self) -> None:
        self._at: dict[str, int | None] = {}
        self._wagers: dict[str, s.Wager] = {}

    def take(self, event: object) -> None:
        """Note the players' seats and their wagers."""
        match event:
            case s.WagerPlaced():
                self._at[event.player] = event.seat
                self._wagers.update((one.wager, one) for one in event.wagers)
            case s.SeatDecided(call=s.Wager() as call):
                self._wagers[call.wager] = call

    def of(self, player: str | None) -> int | None:
        """The seat of a player."""
        return None if player is None else self._at.get(player)

    def by_number(self) -> dict[int, str]:
        """Players by their seats."""
        return {seat: player for player, seat in self._at.items() if seat is not None}

    def wagers(self, event: object) -> tuple[StepWager, ...]:
        """The wagers that an event names."""
        match event:
            case s.WagerPlaced():
                return tuple(_laid(one) for one in event.wagers)
            case s.SeatDecided(call=s.Wager() as call):
                return (_laid(call),)
            case s.SeatSettled() | s.SeatResettled():
                return tuple(_paid(one) for one in event.results)
            case s.ActionUndone() | s.SeatPassed() | s.WagersRejected() | s.SeatVoided():
                paid = {one.wager: _paid(one) for one in getattr(event, "results", ())}
                known = [self._wagers[name] for name in event.wagers if name in self._wagers]
                return tuple(paid.get(one.wager) or _laid(one) for one in known)
            case _:
                return ()


def _step(named: NamedEvent, table: Table, ledger: Ledger, seats: _Seats, money: Money) -> Step:
    name, one = named
    event = one.event
    seats.take(event)
    table.sit(seats.by_number())
    player = _player(one)
    seat = getattr(event, "seat", None)
    return Step(
        position=one.position,
        at=time_text(one.recorded_at),
        effective_at=time_text(one.meta.effective_at),
        actor=one.meta.actor,
        decided_by=_decided_by(event),
        event=name,
        command=one.meta.causation,
        entry=one.entry,
        player=player,
        seat=seats.of(player) if seat is None else seat,
        text=tell(event, money),
        cards=table.shown(event),
        wagers=seats.wagers(event),
        lines=ledger.take(one),
        meter=meter_move(event),
    )


def _player(one: Recorded) -> str | None:
    found = getattr(one.event, "player", None)
    return found if isinstance(found, str) and stream_kind(one.stream) in {"seat", "wallet", "jackpot"} else None


def _decided_by(event: object) -> str | None:
    found = getattr(event, "decided_by", None)
    return None if found is None else str(found.value)


def _laid(one: s.Wager) -> StepWager:
    return StepWager(one.wager, one.kind.value, one.stake_minor, None)


def _paid(one: s.WagerResult) -> StepWager:
    return StepWager(one.wager, one.kind.value, one.stake_minor, one.payout_minor)
