"""Phases of a round, and the refusal of what is out of phase."""

from __future__ import annotations

from typing import Final

from domain.errors import WrongPhase
from domain.rounds.events import Phase
from domain.rounds.state import Round

BETTING: Final = frozenset({Phase.BETTING_OPEN, Phase.CLOSING_SOON})
"""Phases in which wagers come and go (S0-28)."""

ENDED: Final = frozenset({Phase.SETTLED, Phase.CANCELLED, Phase.VOIDED})
"""Phases after which the table may open its next round."""

PAUSABLE: Final = BETTING | {Phase.BETTING_CLOSED, Phase.DECIDING}


def check_phase(state: Round, *phases: Phase) -> None:
    """Refuse with WrongPhase unless the round stands in one of `phases`."""
    if state.phase not in phases:
        raise WrongPhase(f"the round is in phase {state.phase.value}", field="round")


def check_scanning(state: Round) -> None:
    """Refuse with WrongPhase unless single cards are scanned now: after the close, before the deal is over (S2-09)."""
    if state.dealt is not None:
        detail = "the deal is over: a wrong card is mended by a void, after the settlement by a resettlement"
        raise WrongPhase(detail, field="round")
    check_phase(state, Phase.BETTING_CLOSED)
