"""One row, one test: what staff does to a pool's money: corrections and transfers (docs/ledger.md, Postings; R8)."""

from __future__ import annotations

import pytest

from domain.errors import CurrencyMismatch, Forbidden, Invalid, NotFound
from domain.jackpots.upkeep import PoolAccount
from domain.money import MICRO, POOL_MINOR_LIMIT
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LAND
from tests.support.casino import Casino, Play
from tests.support.entries import posted, table

METER, RESERVE, OVERFLOW = PoolAccount
HALF = MICRO // 2


async def opened(casino: Casino, **terms: object) -> None:
    """A pool of 1,000.00 in dollars, with 10 in reserve from one round."""
    await casino.jackpot("gold", DOLLAR, reserve_ppm=100_000, **terms)
    await casino.table("t", DOLLAR, jackpot="gold")
    await casino.player("ann", "USD", deposit=10_000)
    await casino.played("t", {"ann": Play(call=False)})


async def test_correction_of_the_meter_up(casino: Casino) -> None:
    await opened(casino)
    answer = await casino.correct("gold", 3 * HALF)
    assert posted(casino) == [
        table("""
            m/gold   +1.5
            ADJ      -1.5
        """)
    ]
    (pool,) = answer["jackpots"]
    assert (pool["meter"], pool["meter_micro"]) == (100_041, 100_041 * MICRO + HALF)


async def test_correction_of_the_meter_down(casino: Casino) -> None:
    await opened(casino)
    await casino.correct("gold", -100_040 * MICRO)
    assert posted(casino) == [
        table("""
            m/gold   -100_040
            ADJ      +100_040
        """)
    ]


async def test_correction_of_the_reserve(casino: Casino) -> None:
    await opened(casino)
    await casino.correct("gold", -10 * MICRO, RESERVE)
    assert posted(casino) == [
        table("""
            res/gold   -10
            ADJ        +10
        """)
    ]


async def test_correction_splits_meter_and_overflow_anew_at_the_ceiling(casino: Casino) -> None:
    await opened(casino, ceiling_minor=100_100)
    await casino.correct("gold", 100 * MICRO)
    assert posted(casino) == [
        table("""
            m/gold     +60
            ovf/gold   +40
            ADJ       -100
        """)
    ]
    await casino.correct("gold", -50 * MICRO)
    assert posted(casino) == [
        table("""
            m/gold     -10
            ovf/gold   -40
            ADJ        +50
        """)
    ]


async def test_correction_of_the_overflow_flows_into_a_meter_with_room(casino: Casino) -> None:
    await opened(casino)
    await casino.correct("gold", 7 * MICRO, OVERFLOW)
    assert posted(casino) == [
        table("""
            m/gold   +7
            ADJ      -7
        """)
    ]


@pytest.mark.parametrize(
    ("account", "micro"),
    [
        (METER, -100_040 * MICRO - 1),
        (RESERVE, -10 * MICRO - 1),
        (OVERFLOW, -1),
        (METER, 0),
        (RESERVE, POOL_MINOR_LIMIT * MICRO),
        (METER, POOL_MINOR_LIMIT * MICRO * 2),
    ],
)
async def test_a_correction_below_zero_of_nothing_or_beyond_what_a_pool_holds_is_invalid(
    casino: Casino, account: PoolAccount, micro: int
) -> None:
    await opened(casino)
    with pytest.raises(Invalid):
        await casino.correct("gold", micro, account)


async def other_pool(casino: Casino, name: str = "silver", **terms: object) -> None:
    await casino.jackpot(name, LAND, handpay_threshold_minor=None, **terms)


@pytest.mark.parametrize(("account", "micro"), [(METER, 100_040 * MICRO), (METER, HALF), (RESERVE, 10 * MICRO)])
async def test_transfer_leaves_any_account_and_arrives_on_the_meter(
    casino: Casino, account: PoolAccount, micro: int
) -> None:
    await opened(casino)
    await other_pool(casino)
    answer = await casino.transfer("gold", "silver", micro, account)
    amount = micro / MICRO
    assert posted(casino) == [
        table(f"""
            {account.value}/gold   -{amount}
            m/silver               +{amount}
        """)
    ]
    assert [one["jackpot"] for one in answer["jackpots"]] == ["gold", "silver"]


async def test_transfer_of_overflow(casino: Casino) -> None:
    await opened(casino, ceiling_minor=100_010)
    await other_pool(casino)
    await casino.transfer("gold", "silver", 30 * MICRO, OVERFLOW)
    assert posted(casino) == [
        table("""
            ovf/gold   -30
            m/silver   +30
        """)
    ]


async def test_transfer_into_a_full_meter_waits_in_the_overflow(casino: Casino) -> None:
    await opened(casino)
    await other_pool(casino, ceiling_minor=100_001)
    await casino.transfer("gold", "silver", 5 * MICRO)
    assert posted(casino) == [
        table("""
            m/gold      -5
            m/silver    +1
            ovf/silver  +4
        """)
    ]


async def test_transfer_out_of_a_full_meter_lets_overflow_in(casino: Casino) -> None:
    await opened(casino, ceiling_minor=100_010)
    await other_pool(casino)
    await casino.transfer("gold", "silver", 5 * MICRO)
    assert posted(casino) == [
        table("""
            ovf/gold    -5
            m/silver    +5
        """)
    ]


async def test_transfer_to_the_same_pool_is_invalid(casino: Casino) -> None:
    await opened(casino)
    with pytest.raises(Invalid) as refused:
        await casino.transfer("gold", "gold", MICRO)
    assert refused.value.field == "to"


async def test_transfer_to_another_currency_is_refused(casino: Casino) -> None:
    await opened(casino)
    await casino.jackpot("euro", EURO)
    with pytest.raises(CurrencyMismatch) as refused:
        await casino.transfer("gold", "euro", MICRO)
    assert refused.value.field == "to"


@pytest.mark.parametrize("micro", [0, -1, 100_040 * MICRO + 1])
async def test_transfer_of_nothing_or_more_than_there_is_is_invalid(casino: Casino, micro: int) -> None:
    await opened(casino)
    await other_pool(casino)
    with pytest.raises(Invalid) as refused:
        await casino.transfer("gold", "silver", micro)
    assert refused.value.field == "amount_micro"


async def test_pools_that_do_not_exist_are_not_found(casino: Casino) -> None:
    await opened(casino)
    for order, field in ((("copper", "gold"), "jackpot"), (("gold", "copper"), "to")):
        with pytest.raises(NotFound) as refused:
            await casino.transfer(*order, MICRO)
        assert refused.value.field == field
    with pytest.raises(NotFound):
        await casino.correct("copper", MICRO)


async def test_corrections_and_transfers_take_two_persons(casino: Casino) -> None:
    await opened(casino)
    await other_pool(casino)
    for order in (
        c.CorrectJackpot("gold", METER, 1, "miscount", "pit"),
        c.TransferJackpot("gold", "silver", METER, 1, "given up", "pit"),
    ):
        with pytest.raises(Forbidden) as refused:
            await casino.submit(order)
        assert refused.value.field == "approver"
