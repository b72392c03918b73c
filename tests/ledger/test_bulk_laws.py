"""Laws of bulk: however many orders are handed in at once, what happens is what the single calls would have done.

Each law draws orders of which some are refused, some repeat a key or a transaction, and some reuse a key for another
request; the house that takes them one after the other is the measure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import Refusal
from domain.settlement import Decision
from services import commands as c
from services.atomic import PartRefused
from services.batch import Bundle, Order, Result
from tests.domain.showdowns import EURO, LIVE
from tests.support.cards import ACE_KING, HIGH, cards, hand
from tests.support.casino import Casino

PLAYERS = ("ann", "bob", "cy", "nobody")


@dataclass(frozen=True, slots=True)
class Asked:
    """One order: what it is, of whom, how much, and under which of a few keys; none for one of its own."""

    kind: str
    who: str
    amount: int
    key: str | None


asked = st.builds(
    Asked,
    st.sampled_from(["wager", "wager", "seat", "decide", "deposit", "withdraw"]),
    st.sampled_from(PLAYERS),
    st.sampled_from([100, 100, 250, 900, 1_500, 99]),
    st.sampled_from([None, None, None, "k1", "k2"]),
)
many = st.lists(asked, min_size=1, max_size=14)
slices = st.lists(st.integers(1, 5), min_size=14, max_size=14)


class Rounds(Casino):
    """A casino with one round that takes wagers without seats, one with seats, and one that waits for decisions."""

    async def furnish(self) -> None:
        for player in PLAYERS[:3]:
            await self.player(player, deposit=4_000)
        await self.table("live", LIVE)
        await self.table("euro", EURO)
        await self.table("dealt", LIVE)
        self.open = {table: await self.round(table) for table in ("live", "euro", "dealt")}
        for player in PLAYERS[:2]:
            await self.wager(self.open["dealt"], player, ante=200)
        await self.close(self.open["dealt"])
        await self.submit(c.Deal(self.open["dealt"], cards(hand(HIGH)), None, cards(ACE_KING)))

    def orders_of(self, wanted: Sequence[Asked]) -> list[Order]:
        """The same orders, with the same ids, in every casino of the same past."""
        return [self.order(self._command(one), key=one.key, status=201) for one in wanted]

    def _command(self, one: Asked) -> c.Command:
        match one.kind:
            case "wager":
                return c.PlaceWager(self.open["live"], one.who, None, one.amount, 0, 0)
            case "seat":
                return c.PlaceWager(self.open["euro"], one.who, one.amount % 3 + 1, one.amount, 0, 0)
            case "decide":
                decision = Decision.CALL if one.amount > 200 else Decision.FOLD
                return c.Decide(self.open["dealt"], one.who, decision)
            case "deposit":
                return c.DepositFunds(one.who, one.amount, "EUR", f"in-{one.amount}")
            case _:
                return c.WithdrawFunds(one.who, one.amount, "EUR", f"out-{one.who}")

    async def trace(self) -> list[object]:
        """What the log holds, and the records of keys."""
        log = [(one.stream, one.version, one.event, one.entry, one.meta) for one in await self.everything()]
        return [log, self.log.records]  # type: ignore[attr-defined]  # the log in memory


def told(found: Result | BaseException) -> object:
    """What a caller gets."""
    return found if isinstance(found, Result) else (type(found), str(found), getattr(found, "field", None))


async def one_by_one(casino: Rounds, orders: Sequence[Order]) -> list[object]:
    answers: list[object] = []
    for order in orders:
        try:
            await casino.send(order)
            answers.append(casino.last)
        except Refusal as refusal:
            answers.append(told(refusal))
    return answers


@settings(max_examples=100, deadline=None)
@given(many, slices)
def test_orders_in_any_slices_do_and_answer_what_they_do_and_answer_one_by_one(
    wanted: list[Asked], sizes: list[int]
) -> None:
    async def play() -> None:
        async with Rounds() as single, Rounds() as bulk:
            for casino in (single, bulk):
                await casino.furnish()
            expected = await one_by_one(single, single.orders_of(wanted))
            orders, found = bulk.orders_of(wanted), []
            rest = list(orders)
            for size in sizes:
                found += [told(one) for one in await bulk.send_many(rest[:size])]
                rest = rest[size:]
            assert found == expected
            assert await bulk.trace() == await single.trace()
            bulk.compare()

    asyncio.run(play())


@settings(max_examples=120, deadline=None)
@given(many, many, many, st.sampled_from([2, 3, 500]))
def test_a_bundle_does_what_its_orders_would_do_one_by_one_or_nothing_at_all(
    before: list[Asked], wanted: list[Asked], behind: list[Asked], every: int
) -> None:
    """It shares its turn with orders before and behind it, which never notice; closing entries come within it too."""

    async def play() -> None:
        async with Rounds() as single, Rounds() as bulk:
            for casino in (single, bulk):
                await casino.furnish()
            first, middle, last = (bulk.orders_of(part) for part in (before, wanted, behind))
            shared = asyncio.gather(bulk.house.submit_all(first), together(bulk, middle), bulk.house.submit_all(last))
            found_first, found, found_last = await shared
            await bulk.audit()
            bulk.compare()
            first, middle, last = (single.orders_of(part) for part in (before, wanted, behind))
            assert [told(one) for one in found_first] == await one_by_one(single, first)
            if isinstance(found, PartRefused):
                await refused_alike(first, middle, found)
            else:
                assert list(found) == await one_by_one(single, middle)
            assert [told(one) for one in found_last] == await one_by_one(single, last)
            assert await bulk.trace() == await single.trace()

    with patch("domain.carrying.CARRY_EVERY", every):
        asyncio.run(play())


async def together(casino: Rounds, orders: Sequence[Order]) -> tuple[Result, ...] | PartRefused:
    try:
        return await casino.house.submit_together(Bundle(tuple(orders)))
    except PartRefused as refused:
        return refused


async def refused_alike(first: Sequence[Order], middle: Sequence[Order], found: PartRefused) -> None:
    """The order that refused the bundle is the first that the single calls would have refused, and for the same."""
    async with Rounds() as other:
        await other.furnish()
        await one_by_one(other, first)
        answers = await one_by_one(other, middle[: found.nth + 1])
    assert all(isinstance(one, Result) for one in answers[:-1])
    assert answers[-1] == told(found.fault)
