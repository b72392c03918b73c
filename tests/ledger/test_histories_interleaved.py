"""Histories in which anybody asks for anything between the slices of a round: no law notices, no key forgets."""

from __future__ import annotations

import asyncio

from hypothesis import given

from tests.ledger.test_histories import all_voided, histories, orders
from tests.support.interleaved import Interleaved, between, large_rounds, slices_of
from tests.support.machine import Step, Terms
from tests.support.strategies import any_terms


@histories(80)
@given(any_terms, large_rounds, between, orders)
def test_every_law_holds_and_every_key_keeps_its_answer_whatever_comes_between_slices(
    under: Terms, history: list[Step], meanwhile: list[Step], order: list[int]
) -> None:
    with slices_of(1):
        asyncio.run(all_voided(under, history, order, Interleaved(under, meanwhile)))
