"""Histories in which every round of more than one seat is decided for, paid and undone in slices: no law notices."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from unittest.mock import patch

import pytest
from hypothesis import given

from tests.ledger.test_histories import all_voided, histories, orders, steps
from tests.support.machine import Step, Terms
from tests.support.strategies import any_terms

SLICED = ("carrying_on", "settling", "undoing")


@pytest.fixture(scope="module", autouse=True)
def slices_of_one_seat() -> Iterator[None]:
    with ExitStack() as stack:
        for module in SLICED:
            stack.enter_context(patch(f"services.handlers.{module}.SEATS_PER_APPEND", 1))
        yield


@histories(60)
@given(any_terms, steps, orders)
def test_every_law_holds_and_voiding_all_in_slices_leaves_the_accounts_as_if_nothing_had_been_played(
    under: Terms, history: list[Step], order: list[int]
) -> None:
    asyncio.run(all_voided(under, history, order))
