"""The cards of a round as the house deals, shows and settles them: shoe and studio, up-card, order, absent players."""

from __future__ import annotations

import pytest

from domain.cards import DECK
from domain.dealing import Deck
from domain.errors import Invalid, Unavailable
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.settlement import Decision
from services import commands as c
from tests.domain.showdowns import EURO, LAND, LIVE
from tests.support.cards import ACE_KING, FLUSH, FOURS, HIGH, PAIR, ROYAL, cards, deck, feed, hand
from tests.support.casino import Casino, Play
from tests.support.entries import posted, table
from tests.support.fixtures import SALT, GlassVault


async def test_S0_11_the_bonus_of_a_folded_hand_is_paid(casino: Casino) -> None:
    await casino.player("alice", deposit=10_000)
    await casino.table("t", LIVE)
    round_id = await casino.round("t")
    await casino.wager(round_id, "alice", ante=1_000, five_plus_one=100)
    await casino.close(round_id)
    await casino.deal(round_id, hand(FLUSH), FOURS)
    await casino.fold(round_id, "alice")
    await casino.settle(round_id)
    assert posted(casino) == [
        table("""
            held/alice                  -1_100
            av/alice                    +1_600
            REV/live-5plus1-v1/ANTE     +1_000
            REV/live-5plus1-v1/SIDE     -1_500
        """)
    ]


async def shoe_table(casino: Casino, ruleset: str, seats: int, dealer: str = ACE_KING) -> str:
    """A round of a table with a shoe in which seat 1 has a flush; betting closed."""
    await casino.player("ann", "EUR" if ruleset == EURO else "USD", deposit=10_000)
    await casino.table("t", ruleset, card_source="SHOE")
    casino.shoe.decks.append(deck(seats, {1: hand(FLUSH)}, dealer))
    return await casino.bets_closed("t", {"ann": Play()})


async def test_S2_09_a_shoe_shows_the_dealers_last_card_and_no_other(casino: Casino) -> None:
    round_id = await shoe_table(casino, EURO, 4)
    dealt = await casino.submit(c.Deal(round_id, None, None, None))
    assert (dealt["dealer"], dealt["player"]) == ([None, None, None, None, "2h"], None)
    await casino.call(round_id, "ann")
    settled = await casino.settle(round_id)
    assert (settled["dealer"], settled["dealer_hand"], settled["qualifies"]) == (ACE_KING.split(), "HIGH_CARD", True)


async def test_S0_05_a_shared_hand_is_public_with_the_dealers_first_card(casino: Casino) -> None:
    await casino.player("ann", deposit=10_000)
    await casino.table("t", LIVE, card_source="SHOE")
    casino.shoe.decks.append(deck(1, {1: hand(FLUSH)}, ACE_KING))
    round_id = await casino.bets_closed("t", {"ann": Play()})
    dealt = await casino.submit(c.Deal(round_id, None, None, None))
    assert (dealt["dealer"], dealt["player"]) == (["As", None, None, None, None], hand(FLUSH).split())


async def test_S0_03_a_deck_that_was_not_the_promised_one_is_not_dealt(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_id = await shoe_table(casino, EURO, 4)
    monkeypatch.setattr(GlassVault, "open_deck", lambda *_: Deck(tuple(DECK), SALT))
    with pytest.raises(Unavailable):
        await casino.submit(c.Deal(round_id, None, None, None))


async def test_S0_22_a_round_whose_deck_was_not_the_promised_one_is_voided_and_its_deck_is_not_shown(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_id = await shoe_table(casino, EURO, 4)
    monkeypatch.setattr(GlassVault, "open_deck", lambda *_: Deck(tuple(DECK), SALT))
    await casino.void(round_id)
    found = casino.books.state("round", round_id)
    assert (found.phase, found.cards) == (Phase.VOIDED, None)
    assert casino.books.balance("av/ann") == 10_000 * 10**6


async def test_S0_03_a_shoe_promises_its_deck_when_the_round_opens_and_a_studio_promises_nothing(
    casino: Casino,
) -> None:
    await casino.table("shoe", EURO, card_source="SHOE")
    await casino.table("studio", EURO)
    stacked = deck(4, {1: hand(FLUSH)}, ACE_KING)
    casino.shoe.decks.append(stacked)
    await casino.round("shoe")
    assert casino.body["commitment"] == Deck(stacked, SALT).commitment
    await casino.round("studio")
    assert casino.body["commitment"] is None


async def test_a_shoe_is_told_no_cards(casino: Casino) -> None:
    round_id = await shoe_table(casino, EURO, 4)
    five = cards(ACE_KING)
    for wrong, field in (
        (c.Deal(round_id, five, None, None), "seats"),
        (c.Deal(round_id, None, ((1, five),), None), "seats"),
        (c.Deal(round_id, None, None, five), "dealer"),
    ):
        with pytest.raises(Invalid) as refused:
            await casino.submit(wrong)
        assert refused.value.field == field
    await casino.submit(c.Deal(round_id, None, None, None))
    await casino.call(round_id, "ann")
    with pytest.raises(Invalid) as refused:
        await casino.submit(c.Settle(round_id, five))
    assert refused.value.field == "dealer"


async def studio_table(casino: Casino) -> str:
    """A euro table with a studio; ann sits on seat 1, bob on 3; betting closed."""
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    await casino.table("t", EURO)
    return await casino.bets_closed("t", {"ann": Play(1), "bob": Play(3)})


async def test_S2_09_a_studio_sends_the_cards_of_the_seats_that_bet(casino: Casino) -> None:
    round_id = await studio_table(casino)
    hands = {seat: hand(HIGH, seat) for seat in (1, 2, 3)}
    dealer = cards(ACE_KING)
    one, two, three = feed(hands)
    for wrong in (None, (one,), (one, two), (one, two, three), (one, three, three), (one, (3, one[1]))):
        with pytest.raises(Invalid) as refused:
            await casino.submit(c.Deal(round_id, None, wrong, dealer))
        assert refused.value.field == "seats", wrong
    with pytest.raises(Invalid) as refused:
        await casino.submit(c.Deal(round_id, one[1], (one, three), dealer))
    assert refused.value.field == "seats"
    await casino.submit(c.Deal(round_id, None, (three, one), dealer))
    await casino.fold(round_id, "ann")
    await casino.fold(round_id, "bob")
    await casino.settle(round_id)
    state = casino.books.state("round", round_id)
    assert isinstance(state, Round)
    assert state.cards is not None
    assert [(seat.seat, seat.cards) for seat in state.cards.seats] == [one, three]


async def test_a_studio_may_send_the_up_card_first_and_the_dealers_other_four_at_the_end(casino: Casino) -> None:
    round_id = await studio_table(casino)
    one, three = feed({seat: hand(HIGH, seat) for seat in (1, 3)})
    dealt = await casino.submit(c.Deal(round_id, None, (one, three), ("2h",)))
    assert dealt["dealer"] == [None, None, None, None, "2h"]
    four = cards("As Ks 4c 3d")
    for wrong in (None, four[:3], ("As", "Ks", "4c", "2h"), ("2h", *four), (*four[:3], one[1][0])):
        with pytest.raises(Invalid) as refused:
            await casino.submit(c.Settle(round_id, wrong))
        assert refused.value.field == "dealer", wrong
    settled = await casino.submit(c.Settle(round_id, four))
    assert settled["dealer"] == [*four, "2h"]


async def test_S2_09_of_a_studios_five_the_last_is_shown(casino: Casino) -> None:
    round_id = await studio_table(casino)
    dealt = await casino.deal(round_id, {1: hand(HIGH, 1), 3: hand(HIGH, 3)})
    assert dealt["dealer"] == [None, None, None, None, "2h"]


async def test_a_studio_that_has_sent_all_five_sends_none_at_the_end(casino: Casino) -> None:
    round_id = await studio_table(casino)
    await casino.deal(round_id, {1: hand(HIGH, 1), 3: hand(HIGH, 3)})
    with pytest.raises(Invalid) as refused:
        await casino.submit(c.Settle(round_id, cards(ACE_KING)))
    assert refused.value.field == "dealer"


@pytest.mark.parametrize(("policy", "decision"), [("FOLD", Decision.FOLD), ("BET_IF_PAIR_OR_BETTER", Decision.CALL)])
async def test_C14_the_tables_own_policy_decides_for_an_absent_player(
    casino: Casino, policy: str, decision: Decision
) -> None:
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    await casino.table("t", EURO, timeout_policy=policy)
    round_id = await casino.bets_closed("t", {"ann": Play(1), "bob": Play(2)})
    await casino.deal(round_id, {1: hand(PAIR, 1), 2: hand(HIGH, 2)})
    await casino.settle(round_id)
    seats = {one.player: one for one in casino.books.of_kind("seat")}
    assert (seats["ann"].decision, seats["bob"].decision) == (decision, Decision.FOLD)


async def test_S4_09_seats_are_paid_by_their_number_whoever_sits_there(casino: Casino) -> None:
    await casino.jackpot("gold", LAND)
    await casino.table("t", LAND, jackpot="gold")
    for player in ("ann", "bob"):
        await casino.player(player, "USD", deposit=10_000)
    plays = {"ann": Play(2, hand(ROYAL, 2), call=False), "bob": Play(1, hand(ROYAL, 1), call=False)}
    await casino.played("t", plays)
    first = posted(casino)[0]
    assert first == table("""
        m/gold    -100_080
        av/bob    +100_080
    """)
