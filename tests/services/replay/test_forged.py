"""What somebody changed in the events of a round is named by a replay: seat, kind, expected, recorded, position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from domain.jackpots import events as j
from domain.jackpots.upkeep import AwardRefused, AwardVerified
from domain.rounds import events as r
from domain.seats import events as s
from domain.settlement import Decision
from domain.wallets import events as w
from services.ports import Recorded
from services.replay.checking import check
from services.replay.sheet import Difference
from services.replay.story import RoundStory
from tests.support.evening import evening
from tests.support.replayed import stories_of

Change = Callable[[Any], Any]


class Forgery(NamedTuple):
    """In which round which event was changed to what, and how the replay must name it."""

    round: str
    event: type[Any]
    change: Change
    kind: str
    expected: object
    recorded: object
    player: str | None = None


def of(**fields: Any) -> Change:
    """Some fields have other values."""
    return lambda event: replace(event, **fields)


def more(field: str, amount: int = 100) -> Change:
    """A field is so much more."""
    return lambda event: replace(event, **{field: getattr(event, field) + amount})


def paid(kind: s.WagerKind, payout_minor: int) -> Change:
    """The first result of a kind pays something else."""

    def change(event: Any) -> Any:
        nth = next(nth for nth, one in enumerate(event.results) if one.kind is kind)
        results = list(event.results)
        results[nth] = replace(results[nth], payout_minor=payout_minor)
        return replace(event, results=tuple(results))

    return change


def moved(field: str, amount: int) -> Change:
    """The pool's move is another one."""
    return lambda event: replace(event, move=replace(event.move, **{field: getattr(event.move, field) + amount}))


def dealer(cards: str) -> Change:
    """Other cards of the dealer."""
    return lambda event: replace(event, cards=replace(event.cards, dealer=tuple(cards.split())))


ROYAL_METER = 100_000 + 60  # three progressive wagers of 0.50 at 40 %
FORGERIES = [
    Forgery("awards", s.SeatSettled, paid(s.WagerKind.ANTE, 9_000), "ANTE", 2_000, 9_000, "bob"),
    Forgery("awards", s.SeatSettled, paid(s.WagerKind.CALL, 0), "CALL", 14_000, 0, "bob"),
    Forgery("side", s.SeatSettled, paid(s.WagerKind.SIDE, 1), "SIDE", 4_000, 1, "ann"),
    Forgery("awards", s.SeatSettled, of(prize_minor=7), "PROGRESSIVE", 1_500, 7, "bob"),
    Forgery("awards", s.SeatSettled, of(player_hand="ROYAL_FLUSH"), "HAND", "FLUSH", "ROYAL_FLUSH", "bob"),
    Forgery("awards", s.SeatSettled, of(outcome="PUSH"), "OUTCOME", "WIN", "PUSH", "bob"),
    Forgery("awards", s.SeatSettled, more("net_minor"), "TOTAL", 14_450, 14_550, "bob"),
    Forgery("awards", w.StakesSettled, of(payout_minor=99), "WALLET", 16_000, 99, "bob"),
    Forgery("awards", w.PrizePaid, of(amount_minor=99), "WALLET", 1_500, 99, "bob"),
    Forgery("awards", w.FundsHeld, of(amount_minor=1), "WALLET", 3_050, 1, "bob"),
    Forgery("awards", w.FundsReleased, of(amount_minor=1), "WALLET", 2_000, 1, "cyd"),
    Forgery("awards", s.WagerPlaced, of(hold_minor=1_050), "HOLD", 3_050, 1_050, "bob"),
    Forgery("side", s.ActionUndone, of(release_minor=1), "HOLD", 1_500, 1, "bob"),
    Forgery(
        "awards", s.SeatDecided, lambda e: replace(e, call=replace(e.call, stake_minor=5)), "CALL", 2_000, 5, "bob"
    ),
    Forgery("absent", s.SeatDecided, of(decision=Decision.FOLD), "DECISION", "CALL", "FOLD", "ann"),
    Forgery("awards", j.Awarded, of(prize_minor=5), "PROGRESSIVE", ROYAL_METER, 5, "ann"),
    Forgery("awards", j.Awarded, of(pool_micro=5), "POOL", ROYAL_METER * 10**6, 5, "ann"),
    Forgery("awards", j.Awarded, of(pending=True), "PROGRESSIVE", False, True, "ann"),
    Forgery("awards", j.PoolReset, of(reset_micro=1), "POOL", 100_000 * 10**6, 1),
    Forgery("awards", j.PoolReset, moved("meter_after_micro", 5), "POOL", 100_000 * 10**6, 100_000 * 10**6 + 5),
    Forgery("awards", j.Contributed, more("increment_micro", 5), "CONTRIBUTION", 60 * 10**6, 60 * 10**6 + 5),
    Forgery("awards", r.BettingClosed, lambda e: replace(e, shares=e.shares[1:]), "CONTRIBUTION", 50, None),
    Forgery("awards", r.ShowdownHeld, of(qualifies=False), "HAND", True, False),
    Forgery("awards", r.ShowdownHeld, of(order=("ann", "bob", "cyd")), "POOL", "cyd bob ann", "ann bob cyd"),
    Forgery("awards", r.ShowdownHeld, dealer("As Ks 4c 3d 2s"), "CARDS", "2h", "2s"),
    Forgery("shuffled", r.ShowdownHeld, dealer("2h Ks 4c 3d As"), "CARDS", "As Ks 4c 3d 2h", "2h Ks 4c 3d As"),
    Forgery("shuffled", r.RoundOpened, of(commitment="0" * 64), "CARDS", True, False),
    Forgery("voided", s.SeatVoided, more("owed_minor"), "VOID", 1_100_900, 1_101_000, "u-ann"),
    Forgery("voided", s.SeatVoided, of(results=()), "VOID", True, False, "u-ann"),
    Forgery("voided", w.OutcomeReversed, more("amount_minor"), "WALLET", -1_100_900, -1_100_800, "u-ann"),
    Forgery("voided", j.RoundMirrored, of(contribution_micro=0), "CONTRIBUTION", 90 * 10**6, 0),
    Forgery("voided", j.RoundMirrored, moved("meter_micro", 7), "POOL", None, None),
    Forgery("before", s.SeatVoided, of(refund_minor=5), "VOID", 3_050, 5, "ann"),
    Forgery("before", w.FundsReleased, of(amount_minor=5), "WALLET", 3_050, 5, "ann"),
    Forgery("part", s.SeatVoided, of(loss_minor=1), "VOID", 0, 1, "u-ann"),
    Forgery("resettled", s.SeatResettled, paid(s.WagerKind.ANTE, 5), "ANTE", 0, 5, "ann"),
    Forgery("resettled", s.SeatResettled, of(before=()), "VOID", True, False, "ann"),
    Forgery("resettled", j.RoundResettled, of(awards_back_micro=5), "POOL", 0, 5),
    Forgery("resettled", s.ReviewResolved, of(taken_minor=1), "VOID", 17_500, 1, "ann"),
    Forgery("resettled", w.HeldMoneyDecided, of(review_minor=1), "WALLET", 17_500, 1, "ann"),
    Forgery("verified", AwardVerified, of(prize_minor=1), "PROGRESSIVE", 5_000, 1, "u-ann"),
    Forgery("refused", AwardRefused, moved("meter_micro", 3), "POOL", 0, 3, "u-ann"),
    Forgery("waiting", s.SeatSettled, of(pending_minor=1), "PROGRESSIVE", 5_000, 1, "u-ann"),
]


def story(name: str) -> RoundStory:
    """A round of the evening."""
    return next(one for one in stories_of(evening().events) if one.round == evening().rounds[name])


def changed(of_round: RoundStory, position: int, event: Any) -> RoundStory:
    """The round with another event at a position, or without it."""
    events = [
        (name, one if one.position != position else replace(one, event=event))
        for name, one in of_round.events
        if event is not None or one.position != position
    ]
    return RoundStory(of_round.operator, of_round.round, of_round.opened, tuple(events), of_round.terms_at_close)


def place(of_round: RoundStory, forgery: Forgery) -> Recorded:
    """The first event of the class and player."""
    return next(
        one
        for one in of_round.recorded
        if isinstance(one.event, forgery.event)
        and (forgery.player is None or getattr(one.event, "player", None) == forgery.player)
    )


@pytest.mark.parametrize("name", evening().rounds)
def test_a_round_that_nobody_touched_is_equal_to_the_cent(name: str) -> None:
    verdict = check(story(name))
    assert (verdict.differences, verdict.equal) == ((), True)
    assert verdict.compared > 10


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda one: f"{one.round}-{one.event.__name__}-{one.kind}")
def test_what_was_forged_is_named_with_its_seat_kind_amounts_and_position(forgery: Forgery) -> None:
    of_round = story(forgery.round)
    one = place(of_round, forgery)
    if forgery.event is r.RoundOpened:
        of_round = replace(of_round, opened=forgery.change(one.event))
    verdict = check(changed(of_round, one.position, forgery.change(one.event)))
    found = [which for which in verdict.differences if is_named(which, forgery)]
    assert found, verdict.differences
    assert forgery.player in {None, *(which.player for which in found)}
    if forgery.event not in {r.RoundOpened, s.SeatDecided}:  # told where it shows
        assert one.position in {which.position for which in found}


def is_named(which: Difference, forgery: Forgery) -> bool:
    if forgery.expected is None and forgery.recorded is None:
        return which.kind == forgery.kind
    return (which.kind, which.expected, which.recorded) == (forgery.kind, forgery.expected, forgery.recorded)


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("awards", s.SeatSettled), ("awards", w.StakesSettled), ("awards", j.Awarded), ("awards", j.PoolReset),
        ("awards", j.Contributed), ("awards", w.PrizePaid), ("awards", w.FundsHeld), ("voided", j.RoundMirrored),
        ("voided", w.OutcomeReversed), ("before", w.FundsReleased), ("resettled", w.HeldMoneyDecided),
    ],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)  # fmt: skip
def test_an_event_that_is_missing_is_missed(name: str, event: type[Any]) -> None:
    of_round = story(name)
    one = next(one for one in of_round.recorded if isinstance(one.event, event))
    assert not check(changed(of_round, one.position, None)).equal
