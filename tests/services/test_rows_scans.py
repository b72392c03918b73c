"""Cards of a live table scanned one by one, misscans put right before the deal is over (S2-09, C1, C2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from domain.errors import CardOutOfPlace, DuplicateCard, Invalid, NotFound, Refusal, WrongPhase
from domain.rounds.events import Dealt, Phase, RoundEvent, ShowdownHeld
from domain.rounds.scans import MisreadCard, ScanCorrected, ScansOpened
from domain.rounds.state import Round
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.cards import ACE_KING, HIGH, PAIR, cards, hand
from tests.support.casino import CURRENCY, Casino, Play
from tests.support.counter import Body

Card = tuple[str, int, str]
"""Where a card goes, which one of the five it is, and the card."""


def order_of(hands: dict[str, str], dealer: Sequence[str | None]) -> list[Card]:
    """From the dealer's left to the right, one card at a time, the dealer last; None where nothing is scanned."""
    found: list[Card] = []
    for nth in range(5):
        found += [(to, nth + 1, cards(text)[nth]) for to, text in hands.items()]
        down = dealer[nth]
        found += [] if down is None else [("dealer", nth + 1, down)]
    return found


TWO = {"2": hand(PAIR, 1), "3": hand(HIGH, 2)}
FULL = order_of(TWO, cards(ACE_KING))
SHARED = order_of({"player": hand(PAIR)}, cards(ACE_KING))


async def scan(casino: Casino, round_id: str, one: Card, *, hold: bool = False) -> Body:
    return await casino.submit(c.ScanCard(round_id, *one, hold))


async def scan_all(casino: Casino, round_id: str, deal: Iterable[Card]) -> list[Body]:
    return [await scan(casino, round_id, one) for one in deal]


async def closed(casino: Casino, ruleset: str = EURO, **terms: object) -> str:
    """Betting closed; ann sits on seat 2, bob on seat 3."""
    await casino.table("t", ruleset, **terms)
    for player in ("ann", "bob"):
        await casino.player(player, CURRENCY[ruleset], deposit=100_000)
    return await casino.bets_closed("t", {"ann": Play(seat=2), "bob": Play(seat=3)})


def state(casino: Casino, round_id: str) -> Round:
    found = casino.books.state("round", round_id)
    assert isinstance(found, Round)
    return found


async def events(casino: Casino, *kinds: type[RoundEvent]) -> list[RoundEvent]:
    return [one.event for one in await casino.everything() if isinstance(one.event, kinds)]


@pytest.mark.parametrize("ruleset", [EURO, DOLLAR, LAND])
async def test_S2_09_single_cards_are_taken_in_the_order_of_the_deal_and_the_last_one_deals(
    casino: Casino, ruleset: str
) -> None:
    round_id = await closed(casino, ruleset)
    answers = await scan_all(casino, round_id, FULL)
    assert [one["laid"] for one in answers] == list(range(1, 16))
    assert answers[0]["next"] == [{"to": "3", "number": 1}]
    assert answers[1]["next"] == [{"to": "dealer", "number": 1}, {"to": "2", "number": 2}]
    assert {one["phase"] for one in answers[:-1]} == {"BETTING_CLOSED"}
    assert {one["deadline"] for one in answers[:-1]} == {None}
    assert (answers[-1]["phase"], answers[-1]["next"]) == ("DECIDING", [])
    assert answers[-1]["deadline"] is not None
    (dealt,) = await events(casino, Dealt)
    assert isinstance(dealt, Dealt)
    assert (dealt.up_card, dealt.shared_cards, dealt.seats) == ("2h", (), (2, 3))
    await casino.call(round_id, "ann")
    await casino.settle(round_id)
    assert casino.seat(round_id, "ann").results[0].payout_minor == 2_000


async def test_S0_05_S2_09_single_cards_of_a_hand_for_all_and_the_dealers_first_are_public_with_the_last(
    casino: Casino,
) -> None:
    await casino.table("t", LIVE)
    await casino.player("ann", deposit=100_000)
    round_id = await casino.bets_closed("t", {"ann": Play()})
    await scan_all(casino, round_id, SHARED)
    (dealt,) = await events(casino, Dealt)
    assert isinstance(dealt, Dealt)
    assert (dealt.up_card, dealt.shared_cards) == ("As", cards(hand(PAIR)))


@pytest.mark.parametrize("ruleset", [LIVE, EURO])
async def test_S2_09_single_cards_of_a_studio_that_scans_of_the_dealer_the_up_card_alone(
    casino: Casino, ruleset: str
) -> None:
    round_id = await closed(casino, ruleset)
    five = cards(ACE_KING)
    up = 0 if ruleset == LIVE else 4
    hands = {"player": hand(PAIR)} if ruleset == LIVE else TWO
    shown = [card if nth == up else None for nth, card in enumerate(five)]
    answers = await scan_all(casino, round_id, order_of(hands, shown))
    assert answers[-1]["phase"] == "DECIDING"
    down = tuple(card for nth, card in enumerate(five) if nth != up)
    await casino.fold(round_id, "ann")
    await casino.submit(c.Settle(round_id, down))
    assert state(casino, round_id).phase is Phase.SETTLED


@pytest.mark.parametrize(
    ("after", "card"),
    [
        (0, ("3", 1, "Ac")),  # the first seat comes first
        (0, ("dealer", 1, "As")),
        (0, ("2", 2, "Ac")),
        (1, ("2", 1, "Kc")),  # it lies already
        (1, ("4", 1, "Kc")),  # nobody bet there
        (3, ("3", 2, "Kd")),
        (4, ("dealer", 2, "Kd")),
    ],
)
async def test_S2_09_a_single_card_out_of_place_is_refused_and_the_next_place_named(
    casino: Casino, after: int, card: Card
) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, FULL[:after])
    before = await casino.everything()
    with pytest.raises(CardOutOfPlace) as found:
        await scan(casino, round_id, card)
    assert found.value.field == "number"
    to, number, _ = FULL[after]
    assert f"card {number}" in found.value.detail
    assert (f"seat {to}" if to != "dealer" else "dealer") in found.value.detail
    assert await casino.everything() == before
    await scan(casino, round_id, FULL[after])


async def test_S0_03_a_single_card_that_lies_already_is_a_duplicate_wherever_it_lies(casino: Casino) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, FULL[:3])
    for known in [card for _, _, card in FULL[:3]]:
        with pytest.raises(DuplicateCard) as found:
            await scan(casino, round_id, ("2", 2, known))
        assert found.value.field == "card"
    await scan_all(casino, round_id, FULL[3:])


async def test_S2_09_a_misscan_of_a_single_card_is_put_right_and_both_cards_stay_on_record(casino: Casino) -> None:
    round_id = await closed(casino)
    misread = [("2", 1, "7h"), *FULL[1:4]]
    await scan_all(casino, round_id, misread)
    await casino.submit(c.CorrectScan(round_id, "2", 1, FULL[0][2], "the scanner took it for another"))
    await scan_all(casino, round_id, FULL[4:])
    (corrected,) = [one for one in await casino.everything() if isinstance(one.event, ScanCorrected)]
    assert corrected.meta.actor == "pit"
    assert not hasattr(corrected.event, "card")  # sealed until all are opened
    assert await events(casino, ScansOpened) == []
    await casino.call(round_id, "ann")
    await casino.settle(round_id)
    (opened, shown) = await events(casino, ScansOpened, ShowdownHeld)
    assert isinstance(opened, ScansOpened)
    assert isinstance(shown, ShowdownHeld)
    assert opened.misread == (MisreadCard("2", 1, "7h", FULL[0][2], "the scanner took it for another"),)
    assert [(one.to, one.number, one.card) for one in opened.cards] == FULL
    assert shown.cards.seats[0].cards == cards(TWO["2"])


async def test_S2_09_a_card_misread_as_another_is_put_right_when_that_one_falls(casino: Casino) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, [("2", 1, FULL[1][2])])  # read as the next seat's card
    with pytest.raises(DuplicateCard):
        await scan(casino, round_id, FULL[1])
    await casino.submit(c.CorrectScan(round_id, "2", 1, FULL[0][2], "misread"))
    await scan_all(casino, round_id, FULL[1:])
    assert state(casino, round_id).phase is Phase.DECIDING


async def test_S2_09_two_single_cards_scanned_in_each_others_place_are_exchanged_by_way_of_a_third(
    casino: Casino,
) -> None:
    round_id = await closed(casino)
    (seat, number, first), (other, _, second) = FULL[:2]
    await scan_all(casino, round_id, [(seat, number, second), (other, number, first)])
    with pytest.raises(DuplicateCard):
        await casino.submit(c.CorrectScan(round_id, seat, number, first, "exchanged"))
    for to, card in ((seat, "7h"), (other, second), (seat, first)):
        await casino.submit(c.CorrectScan(round_id, to, number, card, "exchanged"))
    await scan_all(casino, round_id, FULL[2:])
    await casino.call(round_id, "ann")
    await casino.settle(round_id)
    (opened,) = await events(casino, ScansOpened)
    assert isinstance(opened, ScansOpened)
    assert [(one.to, one.number, one.card) for one in opened.cards] == FULL


async def test_S2_09_the_last_single_card_may_be_held_and_put_right_before_the_deal_is_confirmed(
    casino: Casino,
) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, FULL[:-1])
    with pytest.raises(WrongPhase, match="dealer card 5"):
        await casino.submit(c.Deal(round_id, None, None, None))
    held = await scan(casino, round_id, ("dealer", 5, "3h"), hold=True)
    assert (held["phase"], held["next"], held["deadline"]) == ("BETTING_CLOSED", [], None)
    with pytest.raises(CardOutOfPlace, match="confirm"):
        await scan(casino, round_id, ("dealer", 5, "2h"))
    await casino.submit(c.CorrectScan(round_id, "dealer", 5, "2h", "misread"))
    with pytest.raises(Invalid):
        await casino.deal(round_id, {2: TWO["2"], 3: TWO["3"]})
    dealt = await casino.submit(c.Deal(round_id, None, None, None))
    assert (dealt["phase"], dealt["dealer"]) == ("DECIDING", [None, None, None, None, "2h"])


@pytest.mark.parametrize("end", ["deal", "settle", "void"])
async def test_S2_09_after_the_deal_a_single_card_is_neither_scanned_nor_put_right(casino: Casino, end: str) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, FULL)
    if end == "settle":
        await casino.settle(round_id)
    if end == "void":
        await casino.void(round_id)
    with pytest.raises(WrongPhase, match=r"void.*resettlement") as found:
        await casino.submit(c.CorrectScan(round_id, "2", 1, "7h", "misread"))
    assert found.value.field == "round"
    with pytest.raises(WrongPhase):
        await scan(casino, round_id, ("2", 1, "7h"))


@pytest.mark.parametrize(
    ("correction", "refusal", "field"),
    [
        (("2", 2, "7h", "misread"), NotFound, "number"),
        (("2", 1, FULL[0][2], "misread"), Invalid, "card"),
        (("2", 1, FULL[1][2], "misread"), DuplicateCard, "card"),
        (("2", 1, "7h", f"it read {FULL[0][2]}"), Invalid, "reason"),
        (("2", 1, "7h", "it is the 7h"), Invalid, "reason"),
        (("2", 1, "7h", f"it stuck to the next one,{FULL[1][2]}"), Invalid, "reason"),
        (("player", 1, "7h", "misread"), Invalid, "to"),
        (("5", 1, "7h", "misread"), Invalid, "to"),
    ],
)
async def test_S2_09_a_correction_of_a_single_card_that_is_none_is_refused(
    casino: Casino, correction: tuple[str, int, str, str], refusal: type[Refusal], field: str
) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, FULL[:3])
    with pytest.raises(refusal) as found:
        await casino.submit(c.CorrectScan(round_id, *correction))
    assert found.value.field == field


async def test_S2_09_a_shoe_takes_no_single_card(casino: Casino) -> None:
    round_id = await closed(casino, card_source="SHOE")
    with pytest.raises(Invalid) as found:
        await scan(casino, round_id, FULL[0])
    assert found.value.field == "card"
