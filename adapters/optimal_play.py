"""Who calls and who folds, and what comes of it: the counts behind a certificate of return."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from adapters.enumeration import OTHERS, Enumeration, Faced, Ints
from domain.returns import OUTCOMES, Counts, returned
from domain.second_settlement import GAMES, HANDS

KINDS: Final = len(HANDS)


def counts_of(ruleset: str, progress: Callable[[int, int], None], made: Enumeration | None = None) -> Counts:
    """All deals counted under optimal play of a rule set; about twenty seconds of one core.

    The player knows the own five cards and the dealer's up-card, no more, and calls where a call returns more on
    average than a fold (S0-05, S2-09, S3-11, S4-02: which of the dealer's cards it is changes no count).
    """
    tables = made or Enumeration()
    tally = Tally(ruleset, tables.categories, tables.weights)
    for one in tables.all_faced(progress):
        tally.take(one)
    return tally.counts()


class Tally:
    """Counts added up over the up-cards."""

    def __init__(self, ruleset: str, categories: Ints, weights: Ints) -> None:
        self._categories, self._weights = categories.astype(np.int64), weights
        game = GAMES[ruleset]
        self._net = {
            outcome: np.array([sum(returned(game, hand, outcome)[:2]) - 3 for hand in range(KINDS)])[categories]
            for outcome in OUTCOMES[1:]
        }
        self._main = np.zeros((KINDS, len(OUTCOMES)), np.int64)
        self._called = np.zeros(KINDS, np.int64)
        self._six = np.zeros(KINDS, np.int64)

    def take(self, faced: Faced) -> None:
        """One up-card against every kind of hand."""
        lost = OTHERS - faced.unqualified - faced.beaten - faced.tied
        deals = {
            "DEALER_NOT_QUALIFIED": faced.unqualified, "WIN": faced.beaten, "PUSH": faced.tied, "LOSE": lost,
        }  # fmt: skip
        gain = sum(self._net[outcome] * count for outcome, count in deals.items())
        called = self._calls(gain, faced)
        self._main[:, 0] += self._add(faced.possible & ~called, np.full(len(lost), OTHERS))
        for column, outcome in enumerate(OUTCOMES[1:], 1):
            self._main[:, column] += self._add(called, deals[outcome])
        self._called += self._add(called, np.ones(len(lost), np.int64))
        six = np.bincount(faced.best_of_six[faced.possible], self._weights[faced.possible], KINDS)
        self._six += six.astype(np.int64)

    def counts(self) -> Counts:
        """All that was taken."""
        own = np.bincount(self._categories, self._weights, KINDS).astype(np.int64)
        return Counts(
            tuple(tuple(row) for row in self._main.tolist()),
            tuple(self._called.tolist()), tuple(own.tolist()), tuple(self._six.tolist()),
        )  # fmt: skip

    @staticmethod
    def _calls(gain: Ints, faced: Faced) -> Ints:
        """Where the deals of one hand and up-card together gain more than as many folds, which lose one ante each."""
        found: Ints = faced.possible & (gain > -OTHERS)
        return found

    def _add(self, chosen: Ints, count: Ints) -> Ints:
        """The count times the hands of its kind, by hand: whole numbers below 2^53, which a float holds exactly."""
        weighted = (self._weights * count)[chosen]
        return np.bincount(self._categories[chosen], weighted, KINDS).astype(np.int64)
