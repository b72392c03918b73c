"""What players are told when a round does not go its usual way: that it is looked into, and how it ended (S0-46)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from domain.rounds.events import (
    CardsCorrected,
    ReviewsResolved,
    RoundCancelled,
    RoundPaused,
    RoundResumed,
    RoundVoided,
    WagersVoided,
)
from domain.seats.events import Stage
from domain.wallets.events import VoidPolicy


class Notice(StrEnum):
    """What is told; clients show their own words for it, or those of TEXTS."""

    UNDER_INVESTIGATION = "UNDER_INVESTIGATION"
    RESUMED = "RESUMED"
    CANCELLED = "CANCELLED"
    VOIDED = "VOIDED"
    WAGERS_VOIDED = "WAGERS_VOIDED"
    HELD_FOR_REVIEW = "HELD_FOR_REVIEW"
    REVIEW_RESOLVED = "REVIEW_RESOLVED"
    RESETTLED = "RESETTLED"


TEXTS: Final = {
    Notice.UNDER_INVESTIGATION: "The round is paused while an error is investigated.",
    Notice.RESUMED: "The investigation is over; the round goes on.",
    Notice.CANCELLED: "The round was cancelled; every stake was returned.",
    Notice.VOIDED: "The round was voided; its bets are of no effect.",
    Notice.WAGERS_VOIDED: "Some wagers of the round were voided; the round stands for the others.",
    Notice.HELD_FOR_REVIEW: "Wagers were voided; what was paid on them is held while it is reviewed.",
    Notice.REVIEW_RESOLVED: "The review of the round is over.",
    Notice.RESETTLED: "The round was settled again on corrected cards.",
}
"""Each notice in English."""

NOTICED: Final = (
    RoundPaused, RoundResumed, RoundCancelled, RoundVoided, WagersVoided, ReviewsResolved, CardsCorrected,
)  # fmt: skip
"""The events of a round that its players are told of."""


def notice_of(event: object) -> Notice | None:
    """What players are told of this event, None where it is none of theirs."""
    match event:
        case RoundPaused():
            return Notice.UNDER_INVESTIGATION
        case RoundResumed():
            return Notice.RESUMED
        case RoundCancelled():
            return Notice.CANCELLED
        case RoundVoided() | WagersVoided() if _is_held(event):
            return Notice.HELD_FOR_REVIEW
        case RoundVoided():
            return Notice.VOIDED
        case WagersVoided():
            return Notice.WAGERS_VOIDED
        case ReviewsResolved():
            return Notice.REVIEW_RESOLVED
        case CardsCorrected():
            return Notice.RESETTLED
        case _:
            return None


def _is_held(event: RoundVoided | WagersVoided) -> bool:
    """Before a settlement nothing was paid: whatever policy staff has named, every stake comes back at once."""
    return event.stage is Stage.AFTER_SETTLEMENT and event.policy == VoidPolicy.HOLD_FOR_REVIEW.value
