"""Histories in which every round of more than one seat is decided for, paid and undone in slices: no law notices."""

from __future__ import annotations

import asyncio

from hypothesis import given

from tests.ledger.test_histories import all_voided, histories, orders, steps
from tests.support.interleaved import slices_of
from tests.support.machine import Step, Terms
from tests.support.strategies import any_terms


@histories(60)
@given(any_terms, steps, orders)
def test_every_law_holds_and_voiding_all_in_slices_leaves_the_accounts_as_if_nothing_had_been_played(
    under: Terms, history: list[Step], order: list[int]
) -> None:
    with slices_of(1):
        asyncio.run(all_voided(under, history, order))
