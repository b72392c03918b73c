"""How the demo's players decide: raise with a pair or better, or with ace and king; fold all else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NO_PAIR: Final = "HIGH_CARD"


def decision_for(hand: str, cards: Sequence[str]) -> str:
    """`call` or `fold` for an evaluated hand (its category's name) and its five cards."""
    ranks = {card[0] for card in cards}
    return "call" if hand != NO_PAIR or {"A", "K"} <= ranks else "fold"
