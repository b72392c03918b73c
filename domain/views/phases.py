"""How events move a round's phase, as the views show it."""

from __future__ import annotations

from typing import Final

from domain.rounds.events import (
    AwardDecided,
    BettingClosed,
    CardsCorrected,
    Dealt,
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

ROUND_EVENTS: Final = (
    RoundOpened,
    BettingClosed,
    CardsCorrected,
    Dealt,
    ShowdownHeld,
    RoundSettled,
    RoundUndoing,
    AwardDecided,
    RoundPaused,
    RoundResumed,
    RoundCancelled,
    RoundVoided,
    WagersVoided,
    ReviewsResolved,
    CardsCorrected,
    CardScanned,
    ScanCorrected,
    ScansOpened,
)

_WITHOUT_A_STEP: Final = (
    AwardDecided, WagersVoided, ReviewsResolved, CardsCorrected, CardScanned, ScanCorrected, ScansOpened,
)  # fmt: skip

_PHASES: Final[dict[type[RoundEvent], Phase]] = {
    RoundOpened: Phase.BETTING_OPEN,
    BettingClosed: Phase.BETTING_CLOSED,
    Dealt: Phase.DECIDING,
    ShowdownHeld: Phase.PAYING,
    RoundSettled: Phase.SETTLED,
    RoundUndoing: Phase.PAYING,
    RoundPaused: Phase.PAUSED,
    RoundCancelled: Phase.CANCELLED,
    RoundVoided: Phase.VOIDED,
}


def phases_after(event: RoundEvent, phase: Phase, paused_from: Phase | None) -> tuple[Phase, Phase | None]:
    """The phase after `event`, and the one that a pause came from."""
    if isinstance(event, RoundResumed):
        return paused_from or phase, None
    if isinstance(event, _WITHOUT_A_STEP):
        return phase, paused_from
    return _PHASES[type(event)], phase if isinstance(event, RoundPaused) else None
