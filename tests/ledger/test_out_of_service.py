"""What is out of service takes no new play; what is under way is finished (R14, R22; docs/ledger.md, Pools)."""

from __future__ import annotations

import pytest

from domain.errors import Forbidden, Invalid, NotFound, Refusal, WrongPhase
from domain.money import MICRO
from services import commands as c
from tests.domain.showdowns import EURO, LAND, LIVE
from tests.ledger.prizes import opened
from tests.support.cards import FLUSH, ROYAL, hand
from tests.support.casino import Casino, Play
from tests.support.entries import posted, table

SCOPES = {c.Scope.ALL: "", c.Scope.RULESET: EURO, c.Scope.TABLE: "t", c.Scope.PLAYER: "ann", c.Scope.JACKPOT: "gold"}


async def disabled_while_betting(casino: Casino) -> str:
    """Ann bets ante and progressive, then the pool goes out of service."""
    await opened(casino, EURO, reserve_ppm=100_000)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=1_000, progressive=50)
    await casino.disable(c.Scope.JACKPOT, "gold")
    return round_id


async def test_progressive_wagers_of_open_rounds_are_released_at_the_close(casino: Casino) -> None:
    round_id = await disabled_while_betting(casino)
    answer = await casino.close(round_id)
    assert posted(casino) == [
        table("""
            held/ann   -50
            av/ann     +50
        """)
    ]
    (rejected,) = answer["rejected"]
    assert (rejected["player"], rejected["reason"], rejected["released"]) == ("ann", "JACKPOT_DISABLED", 50)
    await casino.deal(round_id, {1: hand(ROYAL)})
    await casino.call(round_id, "ann")
    await casino.settle(round_id)
    assert casino.books.balance("m/gold") == 100_000 * MICRO


async def test_no_progressive_wager_is_taken_and_an_ante_is(casino: Casino) -> None:
    await opened(casino, EURO)
    await casino.disable(c.Scope.JACKPOT, "gold")
    round_id = await casino.round("t")
    with pytest.raises(WrongPhase) as refused:
        await casino.wager(round_id, "ann", seat=1, ante=1_000, progressive=50)
    assert refused.value.field == "side.progressive"
    await casino.wager(round_id, "ann", seat=1, ante=1_000)


async def test_a_pool_that_is_back_before_the_close_gets_its_share(casino: Casino) -> None:
    round_id = await disabled_while_betting(casino)
    await casino.enable(c.Scope.JACKPOT, "gold")
    await casino.close(round_id)
    assert casino.books.balance("CON/gold") == -25 * MICRO


async def test_a_round_that_is_closed_already_pays_as_if_the_pool_were_enabled(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.decided("t", {"ann": Play(cards=hand(ROYAL), call=False)})
    await casino.disable(c.Scope.JACKPOT, "gold")
    await casino.settle(round_id)
    assert posted(casino)[0] == table("""
        m/gold   -100_020
        av/ann   +100_020
    """)


async def test_pending_awards_voids_corrections_transfers_and_terms_go_on(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=0)
    await casino.jackpot("silver", LAND, handpay_threshold_minor=None)
    rounds = [
        await casino.played("t", {"ann": Play(cards=hand(kind), call=False)}) for kind in (ROYAL, FLUSH, FLUSH, ROYAL)
    ]
    await casino.disable(c.Scope.JACKPOT, "gold")
    await casino.verify("gold", f"{rounds[0]}:1")
    await casino.refuse("gold", f"{rounds[1]}:1")
    await casino.void(rounds[2])
    await casino.resettle(rounds[3], {1: hand(FLUSH)})
    await casino.correct("gold", MICRO)
    await casino.transfer("gold", "silver", MICRO)
    await casino.change("gold", reset_minor=5)
    assert casino.books.balance(f"pay/gold/ann/{rounds[3]}:1r1") == 5_000 * MICRO


@pytest.mark.parametrize("scope", [c.Scope.ALL, c.Scope.RULESET, c.Scope.TABLE])
async def test_R22_no_round_opens_and_the_one_under_way_is_finished(casino: Casino, scope: c.Scope) -> None:
    await opened(casino, EURO)
    round_id = await casino.round("t")
    await casino.disable(scope, SCOPES[scope])
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    await casino.close(round_id)
    await casino.deal(round_id, {1: hand(FLUSH)})
    await casino.call(round_id, "ann")
    assert (await casino.settle(round_id))["phase"] == "SETTLED"
    with pytest.raises(WrongPhase) as refused:
        await casino.round("t")
    assert refused.value.field == "table"
    await casino.enable(scope, SCOPES[scope])
    await casino.round("t")


async def test_R22_another_rule_set_and_another_table_go_on(casino: Casino) -> None:
    await opened(casino, EURO)
    await casino.table("other", EURO)
    await casino.table("live", LIVE)
    await casino.disable(c.Scope.RULESET, EURO)
    await casino.round("live")
    await casino.enable(c.Scope.RULESET, EURO)
    await casino.disable(c.Scope.TABLE, "t")
    await casino.round("other")


async def test_R22_a_disabled_player_neither_bets_nor_pays_in_but_plays_on_and_is_paid_out(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    await casino.disable(c.Scope.PLAYER, "ann")
    for attempt in (casino.wager(round_id, "ann", seat=1, ante=100), casino.deposit("ann", 5)):
        with pytest.raises(Forbidden) as refused:
            await attempt
        assert refused.value.field == "player"
    await casino.wager(round_id, "bob", seat=2, ante=1_000)
    await casino.close(round_id)
    await casino.deal(round_id, {1: hand(FLUSH, 1), 2: hand(FLUSH, 2)})
    await casino.call(round_id, "ann")
    await casino.fold(round_id, "bob")
    await casino.settle(round_id)
    assert casino.books.balance("av/ann") == (10_000 + 13_000) * MICRO
    await casino.withdraw("ann", 23_000)
    await casino.enable(c.Scope.PLAYER, "ann")
    await casino.deposit("ann", 5)


@pytest.mark.parametrize("scope", SCOPES)
async def test_what_is_so_already_is_refused(casino: Casino, scope: c.Scope) -> None:
    await opened(casino, EURO)
    with pytest.raises(WrongPhase):
        await casino.enable(scope, SCOPES[scope])
    answer = await casino.disable(scope, SCOPES[scope])
    assert (answer["scope"], answer["id"]) == (scope.value, SCOPES[scope])
    with pytest.raises(WrongPhase) as refused:
        await casino.disable(scope, SCOPES[scope])
    assert refused.value.field == "id"
    await casino.enable(scope, SCOPES[scope])


@pytest.mark.parametrize(
    ("scope", "name", "refusal"),
    [
        (c.Scope.ALL, "t", Invalid),
        (c.Scope.TABLE, "", Invalid),
        (c.Scope.TABLE, "nothing", NotFound),
        (c.Scope.PLAYER, "nobody", NotFound),
        (c.Scope.JACKPOT, "nothing", NotFound),
        (c.Scope.RULESET, "poker", Refusal),
    ],
)
async def test_what_is_not_there_is_not_switched(
    casino: Casino, scope: c.Scope, name: str, refusal: type[Refusal]
) -> None:
    await opened(casino, EURO)
    with pytest.raises(refusal):
        await casino.disable(scope, name)
