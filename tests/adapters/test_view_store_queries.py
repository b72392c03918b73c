"""What the queries answer, over a real store."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta

import pytest

from domain.carrying import carried
from domain.errors import Invalid, NotFound, Unavailable
from domain.wallets.events import VoidPolicy
from services import queries
from services.queries import Reads, Turn
from tests.adapters.viewing import StillClock, opened, reads_of, told
from tests.domain.views.endings import CARDS, settle, void
from tests.domain.views.plots import PLAYERS, a_round, a_settled_round, one_of_everything, round_id, up_to_the_deal
from tests.domain.views.story import ANTE, DECK, POOL, SIDE, START, Story
from tests.postgres import Database

STAKED = 3 * ANTE + SIDE


async def test_S0_27_a_balance_is_available_money_and_funds_on_game(database: Database) -> None:
    last = told(database, a_round())
    async with reads_of(database) as reads:
        answer = await queries.balance(reads, "demo", "ann")
    assert asdict(answer) == {
        "player": "ann",
        "available": 1_000_000 - STAKED,
        "held": STAKED,
        "currency": "EUR",
        "exponent": 2,
        "position": last,
    }


async def test_bug_029_a_later_void_does_not_change_what_the_balance_was(database: Database) -> None:
    story = a_settled_round()
    settled_at, settled_last = story.told[-1].at, len(story.told)
    before = story.wallets["ann"].available_minor
    void(story, round_id(1), VoidPolicy.CLAW_BACK)
    told(database, story)
    async with reads_of(database) as reads:
        for moment in (settled_last, settled_at, settled_at + timedelta(microseconds=1)):
            assert (await queries.balance_as_of(reads, "demo", "ann", moment)).available == before
        assert (await queries.balance_as_of(reads, "demo", "ann", story.told[-1].at)).available == 1_000_000


async def test_a_balance_as_of_every_position_is_the_one_of_that_moment(database: Database) -> None:
    story = a_settled_round()
    told(database, story)
    known = None
    async with reads_of(database) as reads:
        for position, one in enumerate(story.told, 1):
            if one.stream == "demo/wallet/ann":
                known = getattr(one.event, "available_after_minor", 0)
            if known is None:
                with pytest.raises(NotFound):
                    await queries.balance_as_of(reads, "demo", "ann", position)
            else:
                assert (await queries.balance_as_of(reads, "demo", "ann", position)).available == known


async def test_a_closing_entry_changes_no_balance_and_is_no_line(database: Database) -> None:
    story = a_settled_round()
    before = story.wallets["ann"].available_minor
    last = told(database, story)
    closing = carried(story.wallets["ann"])
    assert closing is not None
    story.say("demo/wallet/ann", closing)
    assert told(database, story) == last + 1
    async with reads_of(database) as reads:
        now = await queries.balance(reads, "demo", "ann", last + 1)
        then = await queries.balance_as_of(reads, "demo", "ann", last + 1)
        lines = (await queries.account_history(reads, "demo", "ann", Turn())).items
    assert (now.available, now.position, then.available, then.position) == (before, last + 1, before, last + 1)
    assert [one.kind for one in lines] == ["ROUND", "DEPOSIT"]


async def test_a_balance_as_of_a_time_before_the_wallet_is_not_found(database: Database) -> None:
    told(database, Story().open_house())
    async with reads_of(database) as reads:
        with pytest.raises(NotFound):
            await queries.balance_as_of(reads, "demo", "ann", START - timedelta(seconds=1))


async def test_S0_42_account_lines_are_newest_first_with_date_game_bet_and_payout(database: Database) -> None:
    story = a_settled_round()
    void(story, round_id(1), VoidPolicy.CLAW_BACK)
    told(database, story)
    async with reads_of(database) as reads:
        page = await queries.account_history(reads, "demo", "ann", Turn())
    shown = [(one.kind, one.bet, one.payout, one.balance_after, one.voided) for one in page.items]
    won = 6 * ANTE + 250
    assert shown == [
        ("VOID", 0, 0, 1_000_000, False),
        ("ROUND", STAKED, won, 1_000_000 - STAKED + won, True),
        ("DEPOSIT", 0, 0, 1_000_000, False),
    ]
    assert page.items[1].game == page.items[0].game is not None
    assert page.next is None


async def test_bug_025_pages_show_each_line_once_while_others_arrive(database: Database) -> None:
    story = Story().open_house(("ann", "bob"), 1_000)
    for amount in range(1, 60):
        story.deposit("ann", amount)
    told(database, story)
    expected = [1_000, *range(1, 60)][::-1]
    seen: list[int] = []
    async with reads_of(database) as reads:
        cursor = None
        while True:
            page = await queries.account_history(reads, "demo", "ann", Turn(7, cursor))
            seen += [one.amount for one in page.items]
            if page.next is None:
                break
            cursor = page.next
            for _ in range(3):
                story.deposit("ann", 5_000)
            told(database, story)
        assert seen == expected
        with pytest.raises(Invalid, match="other parameters"):
            await queries.account_history(reads, "demo", "bob", Turn(7, cursor))


async def test_S0_42_a_game_is_told_with_every_wager_and_the_cards(database: Database) -> None:
    told(database, a_settled_round())
    async with reads_of(database) as reads:
        (game,) = (await queries.game_history(reads, "demo", "ann", Turn())).items
    assert [(one.kind, one.stake, one.payout) for one in game.wagers] == [
        ("ANTE", ANTE, 2 * ANTE),
        ("PROGRESSIVE", SIDE, 0),
        ("CALL", 2 * ANTE, 4 * ANTE),
    ]
    assert game.payout == {"ante": 2 * ANTE, "call": 4 * ANTE, "progressive": 250}
    assert (game.decision, game.decided_by, game.outcome) == ("CALL", "PLAYER", "WIN")
    assert (game.net, game.phase, game.cards) == (6 * ANTE + 250 - STAKED, "SETTLED", DECK[:5])
    assert (game.dealer, game.dealer_hand, game.qualifies) == (CARDS.dealer, "PAIR", True)


async def test_rounds_that_were_taken_back_whole_are_no_games(database: Database) -> None:
    told(database, one_of_everything())
    async with reads_of(database) as reads:
        assert (await queries.game_history(reads, "demo", "cid", Turn())).items == ()
        (game,) = (await queries.game_history(reads, "demo", "dee", Turn())).items
        assert (game.phase, game.payout, game.net) == ("BETTING_OPEN", None, None)


async def test_a_player_who_is_not_there_is_not_found(database: Database) -> None:
    told(database, Story().open_house())
    async with reads_of(database) as reads:
        for read in (queries.account_history, queries.game_history):
            with pytest.raises(NotFound, match="no such player"):
                await read(reads, "demo", "eve", Turn())


async def test_S3_10_a_pool_shows_meter_and_pending_money_apart(database: Database) -> None:
    story = Story().open_house()
    story.open_round("T1", round_id(1))
    story.bet(round_id(1), "ann", 1)
    told(database, story)
    async with reads_of(database) as reads:
        pool = await queries.jackpot(reads, "demo", "J1")
        assert (pool.meter, pool.meter_micro) == (POOL.seed_minor, POOL.seed_minor * 1_000_000)
        assert pool.pending_micro == SIDE * POOL.increment_ppm
        assert (pool.increment_rate, pool.reserve_rate) == ("0.40", "0.10")
        story.close(round_id(1))
        told(database, story)
        after = await queries.jackpot(reads, "demo", "J1")
        assert (after.meter_micro - pool.meter_micro, after.pending_micro) == (SIDE * POOL.increment_ppm, 0)
        with pytest.raises(NotFound):
            await queries.jackpot(reads, "demo", "J2")


async def test_F32_a_round_shows_one_card_of_the_dealer_before_the_showdown(database: Database) -> None:
    story = a_round()
    told(database, story)
    async with reads_of(database) as reads:
        shown = await queries.round_view(reads, "demo", round_id(1), Turn())
        assert (shown.phase, shown.cards.dealer) == ("DECIDING", (None, None, None, None, "As"))
        assert [one.cards for one in shown.seats] == [(None,) * 5] * 2
        assert shown.cards.deck is None
        settle(story, round_id(1))
        told(database, story)
        shown = await queries.round_view(reads, "demo", round_id(1), Turn())
        assert (shown.phase, shown.cards.dealer, shown.cards.deck) == ("SETTLED", CARDS.dealer, DECK)
        assert [one.cards for one in shown.seats] == [DECK[:5], ()]


@pytest.mark.parametrize("behind", ["rounds", "histories"])
async def test_a_round_with_its_seats_holds_up_to_where_both_of_its_models_are(database: Database, behind: str) -> None:
    last = told(database, a_settled_round())
    with database.connect("projector") as conn:
        conn.execute("UPDATE view_progress SET position = %s WHERE model = %s", [last - 1, behind])
    async with opened(database, wait_seconds=0.2) as store:
        reads = Reads(store, StillClock(), {"EUR": 2})
        assert (await queries.round_view(reads, "demo", round_id(1), Turn())).position == last - 1
        with pytest.raises(Unavailable, match=f"{last} is asked for"):
            await queries.round_view(reads, "demo", round_id(1), Turn(), last)


async def test_a_voided_round_shows_no_win(database: Database) -> None:
    story = a_settled_round()
    void(story, round_id(1), VoidPolicy.CLAW_BACK)
    told(database, story)
    async with reads_of(database) as reads:
        shown = await queries.round_view(reads, "demo", round_id(1), Turn())
    ann = shown.seats[0]
    assert (shown.phase, ann.voided, ann.net) == ("VOIDED", True, 0)
    assert ann.payout == {"ante": 0, "call": 0, "progressive": 0}
    assert shown.void is not None
    assert (shown.void.approver, shown.void.policy) == ("boss", "CLAW_BACK")


async def test_a_rounds_seats_come_in_pages(database: Database) -> None:
    story = Story().open_house(PLAYERS)
    up_to_the_deal(story, 1, "T0", PLAYERS)
    told(database, story)
    async with reads_of(database) as reads:
        first = await queries.round_view(reads, "demo", round_id(1), Turn(3))
        second = await queries.round_view(reads, "demo", round_id(1), Turn(3, first.next))
    assert [one.player for one in first.seats + second.seats] == list(PLAYERS)
    assert second.next is None
    assert first.seats[0].cards == DECK[:5]
