"""Chat at tables through the house: who may write, what moderators do, what is kept (S0-39, S3-22, S2-02, C30)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from domain.errors import ChatClosed, Forbidden, IdempotencyMismatch, Invalid, NotFound, WrongPhase
from domain.messages import Author, MessagePosted, seal_of
from domain.rules import ChatPolicy
from services import commands as c
from services.retention import Retention
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.cards import HIGH, hand
from tests.support.casino import Casino
from tests.support.counter import OPERATOR, Body
from tests.support.memory_log import Fault, MemoryLog

SALT = "5a" * 16


async def furnish(casino: Casino, ruleset: str = LIVE, chat: str | None = None) -> None:
    """Ann and Bob at table t."""
    await casino.table("t", ruleset, chat=chat)
    for seat, player in enumerate(("ann", "bob"), start=1):
        await casino.player(player, "USD" if ruleset in {DOLLAR, LAND} else "EUR", deposit=10_000)
        await casino.submit(c.JoinTable("t", player, None if ruleset == LIVE else seat, "phone", None))


async def say(casino: Casino, player: str = "ann", text: str = "hello", table: str = "t", **more: str) -> Body:
    return await casino.submit(c.PostMessage(table, player, text, SALT, **more), status=201)


async def announce(casino: Casino, text: str = "welcome") -> Body:
    return await casino.submit(c.Announce("t", text, SALT), status=201)


async def set_chat(casino: Casino, mode: ChatPolicy) -> Body:
    return await casino.submit(c.SetChat("t", mode, "quiet hours"))


async def moderate(casino: Casino, player: str, *, may_write: bool) -> Body:
    return await casino.submit(c.SetVoice(player, may_write, "abuse"))


def kept(casino: Casino) -> list[str]:
    """The texts that the store holds, oldest first."""
    assert isinstance(casino.log, MemoryLog)
    return [one.text for one in casino.log.texts.values()]


async def test_S0_39_a_player_at_the_table_writes_and_the_log_holds_the_seal_alone(casino: Casino) -> None:
    await furnish(casino)
    answer = await say(casino, text="good luck all")
    assert (answer["table"], answer["by"], answer["player"]) == ("t", "PLAYER", "ann")
    assert "text" not in answer
    assert [one.event for one in casino.last_news] == [
        MessagePosted(answer["message"], "t", Author.PLAYER, "ann", seal_of("good luck all", SALT))
    ]
    assert isinstance(casino.log, MemoryLog)
    text = casino.log.texts[OPERATOR, answer["message"]]
    assert (text.text, text.salt, text.posted_at) == ("good luck all", SALT, casino.clock.now())
    assert "good luck" not in repr((casino.log.events, casino.log.records, text, casino.last_order))


async def test_S0_39_only_who_has_joined_writes(casino: Casino) -> None:
    await furnish(casino)
    await casino.player("eve")
    with pytest.raises(Forbidden):
        await say(casino, "eve")
    with pytest.raises(NotFound) as found:
        await say(casino, "nobody")
    assert found.value.field == "player"
    with pytest.raises(NotFound) as found:
        await say(casino, table="no")
    assert found.value.field == "table"
    await say(casino, session="phone")
    with pytest.raises(Forbidden) as refused:
        await say(casino, session="tablet")
    assert refused.value.field == "session"
    await casino.submit(c.LeaveTable("t", "ann"))
    with pytest.raises(Forbidden):
        await say(casino)
    assert kept(casino) == ["hello"]


async def test_S0_39_a_retry_writes_once_and_a_refusal_keeps_nothing(casino: Casino) -> None:
    await furnish(casino)
    first = await casino.submit(c.PostMessage("t", "ann", "hello", SALT), key="k", status=201)
    assert await casino.submit(c.PostMessage("t", "ann", "hello", SALT), key="k", status=201) == first
    with pytest.raises(IdempotencyMismatch):
        await casino.submit(c.PostMessage("t", "bob", "hello", SALT), key="k", status=201)
    with pytest.raises(Invalid):
        await say(casino, text="two\nlines")
    assert kept(casino) == ["hello"]


async def test_S0_39_a_text_is_there_exactly_when_its_event_is(casino: Casino) -> None:
    await furnish(casino)
    assert isinstance(casino.log, MemoryLog)
    casino.log.fail(Fault.LOST_BEFORE_COMMIT, Fault.LOST_BEFORE_COMMIT)
    order = casino.order(c.PostMessage("t", "ann", "hello", SALT), key="k", status=201)
    results = await casino.send_all([order])
    assert isinstance(results[0], Exception)
    assert kept(casino) == []
    casino.log.fail(Fault.LOST_AFTER_COMMIT)
    await casino.send(order)
    assert kept(casino) == ["hello"]


@pytest.mark.parametrize(
    ("ruleset", "mode"), [(LIVE, "ON"), (EURO, "SYSTEM_ONLY"), (DOLLAR, "ON"), (LAND, "OFF")], ids=str
)
async def test_C30_a_table_has_the_chat_of_its_page_unless_told_otherwise(
    casino: Casino, ruleset: str, mode: str
) -> None:
    await furnish(casino, ruleset)
    assert (await set_chat(casino, ChatPolicy(mode)))["chat"] == mode
    assert casino.last_news == []
    for other in set(ChatPolicy) - {ChatPolicy(mode)}:
        opened = await casino.table(f"t-{other}", ruleset, chat=other.value)
        assert opened["chat"] == other.value


@pytest.mark.parametrize(
    ("mode", "player", "house"),
    [(ChatPolicy.ON, True, True), (ChatPolicy.SYSTEM_ONLY, False, True), (ChatPolicy.OFF, False, False)],
)
async def test_C30_on_off_or_the_house_alone(casino: Casino, mode: ChatPolicy, player: bool, house: bool) -> None:
    await furnish(casino, chat=mode.value)
    for who, allowed in ((say, player), (announce, house)):
        if allowed:
            await who(casino)
            continue
        with pytest.raises(ChatClosed) as found:
            await who(casino)
        assert (found.value.code, found.value.field) == ("CHAT_CLOSED", "table")
    await casino.throw_away()
    await set_chat(casino, ChatPolicy.ON)
    await say(casino)
    await set_chat(casino, ChatPolicy.OFF)
    with pytest.raises(ChatClosed):
        await say(casino)


async def test_S2_02_where_hands_may_not_be_talked_about_nobody_writes_while_cards_are_out(casino: Casino) -> None:
    await furnish(casino, EURO, "ON")
    await say(casino)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=500)
    await casino.close(round_id)
    await say(casino)
    await casino.deal(round_id, {1: hand(HIGH)})
    with pytest.raises(ChatClosed):
        await say(casino)
    await announce(casino)
    await casino.fold(round_id, "ann")
    with pytest.raises(ChatClosed):
        await say(casino, "bob")
    await casino.settle(round_id)
    await say(casino)


async def test_S2_02_a_deal_of_single_cards_that_has_begun_is_a_hand_under_way(casino: Casino) -> None:
    await furnish(casino, EURO, "ON")
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=500)
    await casino.close(round_id)
    await casino.submit(c.ScanCard(round_id, "1", 1, "As", hold=False))
    with pytest.raises(ChatClosed):
        await say(casino)
    await announce(casino)
    await casino.void(round_id)
    await say(casino)


async def test_S0_39_where_talk_is_free_players_write_during_a_hand(casino: Casino) -> None:
    await furnish(casino)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=500)
    await casino.close(round_id)
    await casino.deal(round_id, hand(HIGH))
    await say(casino)


async def test_S3_22_an_abuser_is_removed_from_the_chat_of_every_table_and_plays_on(casino: Casino) -> None:
    await furnish(casino)
    await casino.table("u", LIVE)
    await casino.submit(c.JoinTable("u", "ann", None, "phone", None))
    assert (await moderate(casino, "ann", may_write=False))["may_write"] is False
    for table in ("t", "u"):
        with pytest.raises(Forbidden) as found:
            await say(casino, table=table)
        assert found.value.field == "player"
    await say(casino, "bob")
    await casino.wager(await casino.round("t"), "ann", ante=500)
    with pytest.raises(WrongPhase):
        await moderate(casino, "ann", may_write=False)
    await casino.throw_away()
    await moderate(casino, "ann", may_write=True)
    await say(casino)
    with pytest.raises(WrongPhase):
        await moderate(casino, "ann", may_write=True)
    with pytest.raises(NotFound):
        await moderate(casino, "nobody", may_write=False)


async def test_S3_22_who_is_removed_from_the_site_writes_no_more(casino: Casino) -> None:
    await furnish(casino)
    await casino.disable(c.Scope.PLAYER, "ann")
    with pytest.raises(Forbidden):
        await say(casino)


async def test_S3_22_a_message_is_withdrawn_once_and_its_text_kept_for_the_log(casino: Casino) -> None:
    await furnish(casino)
    await casino.table("u", LIVE)
    message = (await say(casino, text="you fool"))["message"]
    with pytest.raises(NotFound) as found:
        await casino.submit(c.WithdrawMessage("u", message, "abuse"))
    assert found.value.field == "message"
    with pytest.raises(NotFound):
        await casino.submit(c.WithdrawMessage("t", "no", "abuse"))
    await casino.submit(c.WithdrawMessage("t", message, "abuse"))
    with pytest.raises(WrongPhase):
        await casino.submit(c.WithdrawMessage("t", message, "abuse"))
    assert kept(casino) == ["you fool"]


async def test_C30_texts_are_kept_90_days_and_not_one_moment_longer(casino: Casino) -> None:
    await furnish(casino)
    await say(casino, text="the older")
    casino.clock.forward(1)
    await say(casino, text="the younger")
    assert isinstance(casino.log, MemoryLog)
    retention = Retention(casino.log, casino.clock)
    casino.clock.forward(timedelta(days=90).total_seconds() - 2)
    assert await retention.look() == 0
    casino.clock.forward(1)  # one is 90 days old, the other a second less
    assert await retention.look() == 1
    assert kept(casino) == ["the younger"]
    casino.clock.forward(1)
    assert [await retention.look(), await retention.look()] == [1, 0]
    assert kept(casino) == []
