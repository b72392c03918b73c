"""A round told step by step: who saw which card when, balances that run, a sentence for every event (R26, C1)."""

from __future__ import annotations

from collections import defaultdict

import pytest

from domain.rounds.events import Dealt, ShowdownHeld
from domain.rounds.scans import CardScanned
from services import commands as c
from services.queries.events import cloud_event
from services.replay.replay import replay
from services.replay.steps import Step, steps_of
from services.replay.story import RoundStory, neighbours, story_of
from services.replay.telling import Money
from tests.domain.showdowns import LIVE
from tests.support.cards import ACE_KING, PAIR, cards, hand
from tests.support.casino import Casino, Play
from tests.support.evening import evening
from tests.support.open_casino import casino
from tests.support.replayed import stories_of

__all__ = ["casino"]
EUR = Money("EUR", 2)


def story(name: str) -> RoundStory:
    return next(one for one in stories_of(evening().events) if one.round == evening().rounds[name])


def steps(of_round: RoundStory) -> list[Step]:
    return list(steps_of(of_round, EUR))


@pytest.mark.parametrize("name", evening().rounds)
def test_every_event_of_a_round_is_one_step_with_a_sentence(name: str) -> None:
    found = steps(story(name))
    assert [one.position for one in found] == list(story(name).positions)
    assert [one.event for one in found if not one.text] == []


@pytest.mark.parametrize("name", evening().rounds)
def test_the_lines_of_a_round_run_on_and_sum_to_zero(name: str) -> None:
    moved: defaultdict[str, int] = defaultdict(int)
    stated: dict[str, int] = {}
    for step in steps(story(name)):
        for line in step.lines:
            moved[line.account] += int(line.amount_micro)
            assert int(line.round_micro) == moved[line.account]
            if line.balance_micro is not None:
                before = int(line.balance_micro) - int(line.amount_micro)
                if line.account.startswith("held/"):  # nobody else moves what is on game here
                    assert stated.get(line.account, 0) == before
                stated[line.account] = int(line.balance_micro)
    assert sum(moved.values()) == 0
    assert {one for one in moved if one.startswith("held/") and moved[one]} == set()


def test_a_deal_tells_each_player_the_own_cards_and_everybody_the_up_card() -> None:
    dealt = next(one for one in steps(story("awards")) if one.event == "round.dealt.v1")
    shown = {(one.to, one.hand): one.cards for one in dealt.cards}
    assert shown["ALL", "dealer"] == (None, None, None, None, "2h")
    assert shown["bob", "seat 2"] == cards("Ad Qd 9d 7d 5d")
    assert {to for to, _ in shown} == {"ALL", "ann", "bob", "cyd"}


def test_F32_a_deal_before_the_showdown_shows_nobodys_cards() -> None:
    whole = story("awards")
    end = next(nth for nth, (_, one) in enumerate(whole.events) if isinstance(one.event, ShowdownHeld))
    found = replay(RoundStory(whole.operator, whole.round, whole.opened, whole.events[:end]), 2, 0)
    dealt = next(one for one in found.steps if one.event == "round.dealt.v1")
    assert {one.cards for one in dealt.cards if one.hand != "dealer"} == {(None,) * 5}
    assert (found.deck, found.phase, found.settlements, found.equal) == (None, "DECIDING", (), True)


async def scanned(casino: Casino) -> str:
    """A hand for all scanned card by card, one of them misread."""
    await casino.table("t", LIVE)
    await casino.player("ann", deposit=10_000)
    round_id = await casino.bets_closed("t", {"ann": Play()})
    for number, (own, of_dealer) in enumerate(zip(cards(hand(PAIR)), cards(ACE_KING), strict=True), 1):
        read = "9d" if number == 1 else own
        await casino.submit(c.ScanCard(round_id, "player", number, read, False))
        if number == 1:
            await casino.submit(c.CorrectScan(round_id, "player", 1, own, "glare"))
        await casino.submit(c.ScanCard(round_id, "dealer", number, of_dealer, False))
    return round_id


async def test_single_scans_tell_what_was_read_once_it_is_public_and_nothing_before(casino: Casino) -> None:
    round_id = await scanned(casino)
    (before,) = stories_of(await casino.everything())
    hidden = [one.cards[0].cards for one in steps(before) if one.event == "round.card_scanned.v1"]
    assert hidden == [(None,)] * 10
    await casino.fold(round_id, "ann")
    await casino.settle(round_id)
    (after,) = stories_of(await casino.everything())
    told = [one for one in steps(after) if one.cards and one.cards[0].to == "STUDIO"]
    assert [one.cards[0].cards for one in told[:3]] == [("9d",), ("9d", "Ac"), ("As",)]
    assert "glare" in told[1].text
    assert replay(after, 2, 0).equal
    assert len(after.all_of(CardScanned)) == 10


def test_what_belongs_to_a_round_is_found_beside_its_own_events() -> None:
    """As a reader finds it that can ask for streams and positions only."""
    events = evening().events
    at = {one.position: one for one in events}
    for whole in stories_of(events):
        own = (f"op/round/{whole.round}", f"op/seat/{whole.round}.")
        known = [one for one in events if one.stream.startswith(own)]
        looked_at = {one.position for one in known}
        while wanted := neighbours(whole.round, known, looked_at):
            looked_at.update(wanted)
            known += [at[position] for position in wanted if position in at]
        named = [(name, one) for name, one in whole.events if one in known]
        found = story_of("op", whole.round, named, whole.terms_at_close)
        assert found.positions == whole.positions
        assert len(looked_at) < 4 * len(whole.positions) + 40


def test_a_story_tells_no_sealed_card_as_events() -> None:
    for named in story("shuffled").events:
        assert "sealed" not in str(cloud_event(named))


def test_a_story_names_its_players_and_its_last_deal() -> None:
    found = story("awards")
    assert found.players == ("ann", "bob", "cyd")
    dealt = found.last_of(Dealt)
    assert dealt is not None
    assert dealt.up_card == "2h"


@pytest.mark.parametrize(
    ("micro", "text"),
    [(0, "0.00"), (1_234_560_000, "12.3456"), (-5_000_000, "-0.05"), (100_000_000, "1.00"), (1, "0.00000001")],
)
def test_micro_units_are_written_with_every_digit_that_counts(micro: int, text: str) -> None:
    assert EUR.exact(micro) == text


def test_amounts_of_currencies_without_decimals_have_none() -> None:
    assert (Money("JPY", 0).text(-1_250), Money("JPY", 0).exact(5_000_000), Money("KWD", 3).text(5)) == (
        "-1250", "5", "0.005",
    )  # fmt: skip
