"""What undid or changed a round: a void, a cancellation, a void of some wagers, a resettlement.

In the log the round's event comes first; those of its seats, wallets and pool follow it, at once or in slices.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Final

from domain.frozen import dataclass
from domain.rounds.events import (
    CardsCorrected,
    Phase,
    RoundCancelled,
    RoundUndoing,
    RoundVoided,
    WagersVoided,
)
from domain.streams import Event


class Act(StrEnum):
    """What was done."""

    CANCEL = "CANCEL"
    VOID = "VOID"
    VOID_WAGERS = "VOID_WAGERS"
    RESETTLE = "RESETTLE"


ActEvent = RoundVoided | RoundCancelled | RoundUndoing | WagersVoided | CardsCorrected
ACT_EVENTS: Final = (RoundVoided, RoundCancelled, RoundUndoing, WagersVoided, CardsCorrected)


def act_of(event: ActEvent) -> Act:
    """Which it is."""
    match event:
        case WagersVoided():
            return Act.VOID_WAGERS
        case CardsCorrected():
            return Act.RESETTLE
        case RoundUndoing():
            return Act.CANCEL if event.ends_as is Phase.CANCELLED else Act.VOID
        case RoundCancelled():
            return Act.CANCEL
        case RoundVoided():
            return Act.VOID


@dataclass(frozen=True, slots=True)
class Acts:
    """The last act of each round, and how often there was one of its kind; give it every event."""

    last: dict[str, tuple[Act, int]] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        """The end of a round that was undone in slices is no act of its own."""
        if not isinstance(event, ACT_EVENTS):
            return
        act, before = act_of(event), self.last.get(event.round)
        if before is None or before[0] is not act or act in (Act.VOID_WAGERS, Act.RESETTLE):
            self.last[event.round] = (act, 1 if before is None else before[1] + 1)

    def of(self, round_id: str) -> Act:
        """What the events of the round's seats now belong to. Outside of any (which no log has) a void."""
        return self.last.get(round_id, (Act.VOID, 0))[0]

    def name(self, round_id: str) -> str:
        """The same with its number among the acts of the round, such as `2 VOID`, which sorts as they came."""
        act, number = self.last.get(round_id, (Act.VOID, 0))
        return f"{number} {act.value}"
