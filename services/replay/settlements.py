"""The settlements of one round as a replay finds them: what was recorded, beside what the second settlement says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from domain.frozen import dataclass
from domain.rounds.events import OpenedCards
from domain.seats.events import WagerKind
from services.replay.again import Again
from services.replay.seat_book import SeatBook
from services.replay.sheet import Difference


class Cause(StrEnum):
    """What brought a settlement."""

    SHOWDOWN = "SHOWDOWN"
    RESETTLEMENT = "RESETTLEMENT"


@dataclass(frozen=True, slots=True)
class RecordedSeat:
    """What the log says that a seat got: `payout_minor` by kind of wager, the stake included where it is returned."""

    position: int
    player: str
    seat: int | None
    decision: str | None
    decided_by: str | None
    hand: str
    outcome: str
    stakes: Mapping[WagerKind, int]
    payout: Mapping[WagerKind, int]
    prize_minor: int
    pending_minor: int


@dataclass(slots=True)
class Settlement:
    """One settlement of the round. `again` is None where the second one refuses, `refused` says why."""

    position: int
    cause: Cause
    cards: OpenedCards
    again: Again | None
    refused: str | None
    seats: dict[str, RecordedSeat] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mirrored:
    """A seat whose wagers a void made of no effect."""

    position: int
    player: str
    seat: int | None
    stage: str
    wagers: tuple[str, ...]
    refund_minor: int
    owed_minor: int
    taken_minor: int
    loss_minor: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """A round settled again. `compared` counts what was held against the record, `found` what differs; the first
    thousand differences are named. `standing` is what stands at the seats at the end, by player.
    """

    settlements: tuple[Settlement, ...]
    mirrored: tuple[Mirrored, ...]
    standing: Mapping[str, SeatBook]
    compared: int
    found: int
    differences: tuple[Difference, ...]

    @property
    def equal(self) -> bool:
        """Whether everything is as recorded, to the cent."""
        return not self.found
