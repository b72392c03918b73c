"""One row, one test: prizes above the threshold wait, and are verified or refused by two persons (S4-08, C24)."""

from __future__ import annotations

import pytest

from domain.errors import AlreadyVoided, Forbidden, NotFound, Refusal, WrongPhase
from domain.money import MICRO
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.rounds.events import AwardDecided
from domain.seats.events import PrizeDecided
from services import commands as c
from tests.domain.showdowns import EURO, LAND
from tests.ledger.prizes import folding, opened
from tests.support.cards import FLUSH, HIGH, ROYAL, hand
from tests.support.casino import Casino, Play
from tests.support.entries import events_of, posted, table

ROYAL_PLAY = {"ann": Play(cards=hand(ROYAL), call=False)}
FLUSH_PLAY = {"ann": Play(cards=hand(FLUSH), call=False)}


async def waiting(casino: Casino, plays: dict[str, Play], **terms: object) -> str:
    """The round of these plays at a pool where every prize waits."""
    await opened(casino, LAND, handpay_threshold_minor=0, reserve_ppm=100_000, **terms)
    return await casino.played("t", plays)


async def test_a_pending_prize_lies_in_pay_and_its_pool_restarts_at_once(casino: Casino) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    assert posted(casino)[:2] == [
        table(f"""
            m/gold                      -100_040
            pay/gold/ann/{round_id}:1   +100_040
        """),
        table("""
            m/gold             +100_000
            res/gold                -10
            FUND/gold/RESET     -99_990
        """),
    ]
    assert casino.books.balance("av/ann") == (10_000 - 1_000 - 100) * MICRO


async def test_a_round_is_settled_while_its_prize_waits_and_the_next_one_opens(casino: Casino) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    assert casino.books.state("round", round_id).phase == "SETTLED"  # type: ignore[union-attr]  # a round's
    await casino.played("t", {"bob": Play(2)})


async def test_verified(casino: Casino) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    answer = await casino.verify("gold", f"{round_id}:1")
    assert posted(casino) == [
        table(f"""
            pay/gold/ann/{round_id}:1   -100_040
            av/ann                      +100_040
        """)
    ]
    assert (answer["status"], answer["amount"], answer["player"]) == ("VERIFIED", 100_040, "ann")
    assert answer["balance"]["available"] == 108_940
    assert events_of(casino, PrizeDecided) == [PrizeDecided(round_id, "ann", f"{round_id}:1", 100_040, verified=True)]
    assert events_of(casino, AwardDecided) == [AwardDecided(round_id, f"{round_id}:1", verified=True)]


async def test_refused_mirrors_the_award_and_its_reset(casino: Casino) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    answer = await casino.refuse("gold", f"{round_id}:1")
    assert posted(casino) == [
        table(f"""
            pay/gold/ann/{round_id}:1   -100_040
            m/gold                           +40
            res/gold                         +10
            FUND/gold/RESET              +99_990
        """)
    ]
    assert (answer["status"], answer["balance"]["available"]) == ("REFUSED", 8_900)
    assert (casino.books.balance("m/gold"), casino.books.balance("res/gold")) == (100_040 * MICRO, 10 * MICRO)


async def test_refused_a_fixed_prize_of_the_house(casino: Casino) -> None:
    round_id = await waiting(casino, FLUSH_PLAY)
    await casino.refuse("gold", f"{round_id}:1")
    assert posted(casino) == [
        table(f"""
            pay/gold/ann/{round_id}:1   -5_000
            FUND/gold/FIXED_PRIZE       +5_000
        """)
    ]


async def test_refused_a_fixed_prize_that_the_pool_paid_in_part(casino: Casino) -> None:
    round_id = await waiting(casino, FLUSH_PLAY, fixed_prize_funding=PrizeFunding.POOL, seed_minor=3_000)
    await casino.refuse("gold", f"{round_id}:1")
    assert posted(casino) == [
        table(f"""
            pay/gold/ann/{round_id}:1   -5_000
            m/gold                      +3_040
            FUND/gold/FIXED_PRIZE       +1_960
        """)
    ]


async def test_verified_a_fixed_prize(casino: Casino) -> None:
    round_id = await waiting(casino, FLUSH_PLAY)
    await casino.verify("gold", f"{round_id}:1")
    assert posted(casino) == [
        table(f"""
            pay/gold/ann/{round_id}:1   -5_000
            av/ann                      +5_000
        """)
    ]


async def test_refused_one_of_two_shared_prizes_gives_the_pool_what_the_second_cost(casino: Casino) -> None:
    """100,080 on the meter: G(1) = 100,080, G(2) = the same, so of the second the house pays all."""
    plays = folding(ann=ROYAL, bob=ROYAL)
    round_id = await waiting(casino, plays, multi_winner_policy=MultiWinnerPolicy.FULL_TO_EACH)
    await casino.refuse("gold", f"{round_id}:1")
    assert posted(casino) == [
        table(f"""
            pay/gold/ann/{round_id}:1   -100_080
            FUND/gold/TOP_UP            +100_080
        """)
    ]
    await casino.refuse("gold", f"{round_id}:2")
    assert posted(casino) == [
        table(f"""
            pay/gold/bob/{round_id}:2   -100_080
            m/gold                           +80
            res/gold                         +20
            FUND/gold/RESET              +99_980
        """)
    ]


async def test_refused_shared_equally_the_pool_gets_the_last_part_back(casino: Casino) -> None:
    plays = folding(ann=ROYAL, bob=ROYAL, cas=ROYAL)
    round_id = await waiting(casino, plays, multi_winner_policy=MultiWinnerPolicy.EQUAL_SPLIT)
    await casino.refuse("gold", f"{round_id}:2")
    assert posted(casino) == [
        table(f"""
            pay/gold/bob/{round_id}:2   -33_373
            m/gold                      +33_373
        """)
    ]
    await casino.verify("gold", f"{round_id}:1")
    await casino.void(round_id)
    assert casino.books.balance("m/gold") == 100_000 * MICRO
    assert casino.books.balance("av/ann") == 10_000 * MICRO


async def test_a_prize_is_decided_once(casino: Casino) -> None:
    plays = folding(ann=ROYAL, bob=FLUSH)
    round_id = await waiting(casino, plays)
    await casino.verify("gold", f"{round_id}:1")
    await casino.refuse("gold", f"{round_id}:2")
    for decide in (casino.verify, casino.refuse):
        with pytest.raises(WrongPhase):
            await decide("gold", f"{round_id}:1")
        with pytest.raises(AlreadyVoided):
            await decide("gold", f"{round_id}:2")


async def test_verify_or_refuse_of_a_voided_award_is_refused(casino: Casino) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    await casino.void(round_id)
    for decide in (casino.verify, casino.refuse):
        with pytest.raises(AlreadyVoided) as refused:
            await decide("gold", f"{round_id}:1")
        assert refused.value.field == "award"


async def test_verify_or_refuse_of_an_award_whose_wager_alone_is_void_is_refused(casino: Casino) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    progressive = casino.seat(round_id, "ann").wagers[1].wager
    await casino.void(round_id, wagers=(progressive,))
    for decide in (casino.verify, casino.refuse):
        with pytest.raises(AlreadyVoided):
            await decide("gold", f"{round_id}:1")


async def test_verify_or_refuse_of_an_award_that_a_resettlement_took_away_is_refused(casino: Casino) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    await casino.resettle(round_id, {1: hand(HIGH)})
    for decide in (casino.verify, casino.refuse):
        with pytest.raises(AlreadyVoided):
            await decide("gold", f"{round_id}:1")


@pytest.mark.parametrize("award", ["nothing", "nothing:1", ":1", "{}:2", "{}:1:1"])
async def test_an_award_that_nobody_made_is_not_found(casino: Casino, award: str) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    with pytest.raises(NotFound) as refused:
        await casino.verify("gold", award.format(round_id))
    assert refused.value.field == "award"


async def test_an_award_of_another_pool_is_not_found(casino: Casino) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    await casino.jackpot("silver", EURO)
    with pytest.raises(NotFound):
        await casino.verify("silver", f"{round_id}:1")
    with pytest.raises(NotFound) as refused:
        await casino.verify("copper", f"{round_id}:1")
    assert refused.value.field == "jackpot"


@pytest.mark.parametrize("kind", [c.VerifyPrize, c.RefusePrize])
async def test_a_prize_takes_two_persons(casino: Casino, kind: type[c.VerifyPrize | c.RefusePrize]) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    with pytest.raises(Forbidden) as refused:
        await casino.submit(kind("gold", f"{round_id}:1", "seen", "pit"))
    assert refused.value.field == "approver"


async def test_a_void_after_a_prize_was_verified_takes_it_back_of_the_player(casino: Casino) -> None:
    round_id = await waiting(casino, ROYAL_PLAY)
    await casino.verify("gold", f"{round_id}:1")
    answer = await casino.void(round_id)
    assert answer["players"][0]["owed"] == 100_040 - 1_100
    assert casino.books.balance("av/ann") == 10_000 * MICRO
    with pytest.raises(Refusal):
        await casino.verify("gold", f"{round_id}:1")


async def test_a_threshold_is_passed_not_met(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=5_000)
    await casino.played("t", FLUSH_PLAY)
    assert casino.books.balance("av/ann") == (10_000 - 1_100 + 5_000) * MICRO
