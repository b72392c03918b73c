"""Which terms a pool and a table may have, and what fills in for terms left open."""

from __future__ import annotations

import pytest

from domain.errors import AlreadyExists, CurrencyMismatch, Invalid, Refusal
from domain.jackpots.events import PoolTerms
from domain.money import AMOUNT_MINOR_MAX, MICRO, POOL_MINOR_LIMIT
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.tables import Table
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.casino import Casino
from tests.support.entries import posted, table

POOL_REFUSED = [
    (EURO, {"seed_minor": 11, "ceiling_minor": 10, "reset_minor": 0}, "seed"),
    (EURO, {"seed_minor": -1}, "seed"),
    (EURO, {"reset_minor": 100_001, "ceiling_minor": 100_000}, "reset"),
    (EURO, {"reset_minor": -1}, "reset"),
    (EURO, {"ceiling_minor": 0, "seed_minor": 0, "reset_minor": 0}, "ceiling"),
    (EURO, {"ceiling_minor": POOL_MINOR_LIMIT + 1}, "ceiling"),
    (EURO, {"increment_ppm": MICRO, "reserve_ppm": 1}, "reserve_rate"),
    (EURO, {"handpay_threshold_minor": -1}, "handpay_threshold"),
    (EURO, {"currency": "USD"}, "currency"),
]

LARGEST_ANTE = AMOUNT_MINOR_MAX // (2 + 2 * 101 + 1001)
"""A royal flush brings back 2 antes, 101 calls of 2 antes, and with a side wager as large 1,001 of those."""

TABLE_REFUSED = [
    (LIVE, {"ante_min_minor": 101, "ante_max_minor": 100}, "ante_min"),
    (LIVE, {"ante_max_minor": LARGEST_ANTE + 1}, "ante_max"),
    (LIVE, {"side_min_minor": 11, "side_max_minor": 10}, "side_min"),
    (EURO, {"call_reserve": "NONE"}, "call_reserve"),
    (LIVE, {"jackpot": "gold"}, "jackpot"),
    (EURO, {"currency": "USD"}, "currency"),
    (DOLLAR, {"jackpot": "gold"}, "jackpot"),
    (LAND, {"jackpot": "silver"}, "jackpot"),
]


@pytest.mark.parametrize(("ruleset", "terms", "field"), POOL_REFUSED)
async def test_C20_a_pool_has_terms_that_it_can_live_by(
    casino: Casino, ruleset: str, terms: dict[str, object], field: str
) -> None:
    with pytest.raises(Invalid) as refused:
        await casino.jackpot("gold", ruleset, **terms)
    assert refused.value.field == field


@pytest.mark.parametrize(
    "terms",
    [
        {"seed_minor": 0, "reset_minor": 0, "ceiling_minor": 1},
        {"seed_minor": POOL_MINOR_LIMIT, "reset_minor": POOL_MINOR_LIMIT, "ceiling_minor": POOL_MINOR_LIMIT},
        {"increment_ppm": MICRO - 1, "reserve_ppm": 1, "handpay_threshold_minor": 0},
        {"increment_ppm": 0, "reserve_ppm": 0},
    ],
)
async def test_terms_at_their_limits_are_taken(casino: Casino, terms: dict[str, object]) -> None:
    await casino.jackpot("gold", EURO, **terms)


async def test_a_pool_belongs_to_a_game_that_has_one_and_opens_once(casino: Casino) -> None:
    terms = PoolTerms("gold", LIVE, "EUR", 0, 0, 0, 0, 1, PrizeFunding.HOUSE, MultiWinnerPolicy.SEQUENTIAL, None)
    with pytest.raises(Invalid) as refused:
        await casino.submit(c.OpenJackpot(terms, handpay_stated=True))
    assert refused.value.field == "ruleset"
    await casino.jackpot("gold", EURO)
    with pytest.raises(AlreadyExists) as exists:
        await casino.jackpot("gold", EURO)
    assert exists.value.field == "jackpot"


async def test_S4_08_C24_the_land_pool_states_its_threshold(casino: Casino) -> None:
    for ruleset, currency, is_needed in ((EURO, "EUR", False), (LAND, "USD", True)):
        terms = PoolTerms(
            ruleset, ruleset, currency, 0, 0, 0, 0, 1, PrizeFunding.HOUSE, MultiWinnerPolicy.SEQUENTIAL, None
        )
        if is_needed:
            with pytest.raises(Invalid) as refused:
                await casino.submit(c.OpenJackpot(terms, handpay_stated=False))
            assert refused.value.field == "handpay_threshold"
        await casino.submit(c.OpenJackpot(terms, handpay_stated=is_needed))


@pytest.mark.parametrize(("ruleset", "terms", "field"), TABLE_REFUSED)
async def test_S0_24_C33_a_table_has_terms_that_its_game_and_pool_allow(
    casino: Casino, ruleset: str, terms: dict[str, object], field: str
) -> None:
    await casino.jackpot("gold", EURO)
    await casino.jackpot("silver", DOLLAR)
    with pytest.raises(Refusal) as refused:
        await casino.table("t", ruleset, **terms)
    assert refused.value.field == field
    mixes_money = ruleset == DOLLAR or field == "currency"
    assert refused.type is (CurrencyMismatch if mixes_money else Invalid)


@pytest.mark.parametrize(
    "terms",
    [
        {"ante_min_minor": 100, "ante_max_minor": 100, "side_min_minor": 10, "side_max_minor": 10},
        {"ante_max_minor": LARGEST_ANTE},
        {"call_reserve": "NONE"},
    ],
)
async def test_table_terms_at_their_limits_are_taken(casino: Casino, terms: dict[str, object]) -> None:
    await casino.table("t", LIVE, **terms)


async def test_what_is_left_open_is_the_games(casino: Casino) -> None:
    answer = await casino.table("t", EURO)
    assert (answer["below_min_policy"], answer["timeout_policy"]) == ("REJECT_AT_CLOSE", "BET_IF_PAIR_OR_BETTER")
    state = casino.books.state("table", "t")
    assert isinstance(state, Table)
    assert (state.terms.side_min_minor, state.terms.side_max_minor, state.terms.decision_seconds) == (1, 100_000, 0)
    chosen = await casino.table("u", EURO, below_min_policy="RAISE_TO_MIN", timeout_policy="FOLD", decision_seconds=7)
    assert (chosen["below_min_policy"], chosen["timeout_policy"], chosen["decision_seconds"]) == (
        "RAISE_TO_MIN", "FOLD", 7,
    )  # fmt: skip


async def test_S3_19_a_pool_opens_at_its_seed_and_says_so(casino: Casino) -> None:
    answer = await casino.jackpot("gold", EURO, seed_minor=300, reset_minor=200)
    assert (answer["seed"], answer["reset"], answer["meter"]) == (300, 200, 300)
    assert posted(casino) == [
        table("""
            FUND/gold/SEED    -300
            m/gold            +300
        """)
    ]
