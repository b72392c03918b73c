"""The parameters of a pool at a place of its stream, as its own events state them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from domain.jackpots.events import PoolCarried, PoolOpened, PoolReset, RoundResettled
from domain.jackpots.parameters import PoolTerms
from domain.jackpots.upkeep import TermsChanged
from services.ports import Recorded

STATES_TERMS: Final = (PoolOpened, PoolReset, RoundResettled, TermsChanged, PoolCarried)
"""The events of a pool that state the parameters in force after them."""


def terms_in(newest_first: Iterable[Recorded]) -> PoolTerms | None:
    """The parameters that the newest of these events states, None where none does."""
    for one in newest_first:
        if isinstance(one.event, STATES_TERMS):
            return one.event.terms
    return None
