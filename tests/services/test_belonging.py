"""What a modified program could write with every sum and every hash in order is found by what an event belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from domain.jackpots.events import Awarded
from domain.jackpots.upkeep import AwardVerified
from domain.rounds.events import CardsCorrected, RoundOpened, ShowdownHeld
from domain.seats.events import PrizeDecided, SeatSettled, WagerPlaced
from domain.transactions import TransactionRecorded
from domain.wallets.events import Deposited, FundsHeld, PrizePaid, StakesSettled
from services.laws import Breach, Laws
from services.ports import Recorded
from tests.support.evening import evening


def breaches(log: Sequence[Recorded]) -> list[Breach]:
    laws = Laws()
    for one in log:
        laws.take(one)
    return laws.finish()


def log() -> list[Any]:
    return list(evening().events)


def last(kind: type[Any], **wanted: Any) -> Any:
    return [
        one
        for one in log()
        if isinstance(one.event, kind) and all(getattr(one.event, name) == value for name, value in wanted.items())
    ][-1]


def written(*events: tuple[Any, dict[str, Any]], command: str = "forged") -> list[Recorded]:
    """The log, and behind it copies of some of its events, changed, as one entry of one command."""
    made = log()
    for like, changed in events:
        stream = like.stream
        if "round" in changed and "/seat/" in stream:
            stream = f"op/seat/{changed['round']}.{like.event.player}"
        meta = replace(like.meta, causation=command)
        event = replace(like.event, **changed)
        position = made[-1].position + 1
        made.append(replace(like, position=position, stream=stream, event=event, meta=meta, entry=0, recorded_at=end()))
    return made


def end() -> Any:
    return log()[-1].recorded_at


def balance() -> tuple[int, int]:
    moves: list[Any] = [one.event for one in log() if getattr(one.event, "player", "") == "ann"]
    held = [one for one in moves if hasattr(one, "available_after_minor")][-1]
    return held.available_after_minor, held.held_after_minor


def test_a_log_that_nobody_touched_has_all_that_its_events_belong_to() -> None:
    assert breaches(log()) == []


def test_F21_money_that_a_round_pays_which_was_never_opened_is_found() -> None:
    available, held = balance()
    seat, stakes = last(SeatSettled, player="ann"), last(StakesSettled, player="ann")
    results = tuple(replace(one, stake_minor=0, payout_minor=700) for one in seat.event.results[:1])
    paid = {"staked_minor": 0, "payout_minor": 700, "available_after_minor": available + 700, "held_after_minor": held}
    made = written((seat, {"round": "ghost", "results": results}), (stakes, {"round": "ghost", **paid}))
    first, second = breaches(made)
    assert (first.position, second.position) == (len(made) - 1, len(made))
    assert {first.law, second.law} == {"round ghost was never opened"}


def test_F21_a_prize_that_is_paid_beside_no_event_of_its_round_is_found() -> None:
    award, paid = last(Awarded, player="u-ann", pending=False), last(PrizePaid, player="u-ann")
    moves = [one.event for one in log() if isinstance(one.event, (FundsHeld, StakesSettled, PrizePaid))]
    own: Any = [one for one in moves if one.player == "u-ann"][-1]
    more = own.available_after_minor + award.event.prize_minor
    after = {
        "amount_minor": award.event.prize_minor, "available_after_minor": more,
        "held_after_minor": own.held_after_minor, "round": award.event.round,
    }  # fmt: skip
    made = written((award, {}), (paid, after))
    assert [one.position for one in breaches(made) if "moves beside no event" in one.law] == [len(log()) + 1]


def test_F21_a_round_that_is_opened_again_is_found() -> None:
    (found,) = breaches(written((last(RoundOpened), {})))
    assert (found.position, "is opened again" in found.law) == (len(log()) + 1, True)


def deposit(minor: int, **more: Any) -> tuple[Any, dict[str, Any]]:
    available, held = balance()
    after = {"available_after_minor": available + minor, "held_after_minor": held}
    return last(Deposited, player="ann"), {"amount_minor": minor, **after, **more}


def stands_for(minor: int, **more: Any) -> tuple[Any, dict[str, Any]]:
    like = last(TransactionRecorded, player="ann")
    stream = f"op/transaction/{more.get('transaction_id', like.event.transaction_id)}"
    return replace(like, stream=stream), {"amount_minor": minor, **more}


def test_F21_a_deposit_without_its_transaction_and_a_transaction_without_its_deposit_are_found() -> None:
    for made in (written(deposit(500)), written(stands_for(500, transaction_id="new"))):
        (found,) = breaches(made)
        assert (found.position, "do not say the same" in found.law) == (len(made), True)


def test_F21_a_transaction_of_another_amount_than_its_deposit_is_found() -> None:
    made = written(deposit(500, transaction_id="new"), stands_for(400, transaction_id="new"))
    assert {one.position for one in breaches(made)} == {len(made)}


def test_F21_a_deposit_that_counts_twice_under_one_transaction_id_is_found() -> None:
    (found,) = breaches(made := written(deposit(500), stands_for(500)))
    assert (found.position, "stands for two movements" in found.law) == (len(made), True)


def test_a_deposit_with_its_transaction_is_no_fault() -> None:
    assert breaches(written(deposit(500, transaction_id="new"), stands_for(500, transaction_id="new"))) == []


def test_F21_a_prize_that_is_paid_twice_is_found() -> None:
    paid, told = last(PrizePaid, player="u-ann", round=evening().rounds["verified"]), last(AwardVerified)
    decided = last(PrizeDecided, verified=True)
    moves = [one.event for one in log() if isinstance(one.event, (FundsHeld, StakesSettled, PrizePaid))]
    own = [one for one in moves if one.player == "u-ann"][-1]
    more = own.available_after_minor + paid.event.amount_minor
    after = {"available_after_minor": more, "held_after_minor": own.held_after_minor}
    made = written((told, {}), (paid, after), (decided, {}))
    assert [one.law for one in breaches(made) if "more than was awarded" in one.law], breaches(made)


def test_F21_an_event_that_another_operator_recorded_is_found_where_it_stands() -> None:
    made = log()
    one = made[40]
    made[40] = replace(one, meta=replace(one.meta, operator="rival"))
    (found,) = breaches(made)
    assert (found.position, found.law) == (41, f"an event of rival stands in the stream {one.stream}")


@pytest.mark.parametrize("away", [-timedelta(days=9), -timedelta(microseconds=1)])
def test_F21_an_event_that_was_recorded_before_the_one_ahead_of_it_is_found(away: timedelta) -> None:
    made = log()
    made[60] = replace(made[60], recorded_at=made[59].recorded_at + away)
    assert 61 in {one.position for one in breaches(made)}


def test_wagers_that_are_put_on_game_in_no_round_are_found() -> None:
    available, held = balance()
    wager, hold = last(WagerPlaced, player="ann"), last(FundsHeld, player="ann")
    after = {"amount_minor": 5, "available_after_minor": available - 5, "held_after_minor": held + 5}
    made = written((wager, {"round": "ghost"}), (hold, {"round": "ghost", **after}))
    assert {one.law for one in breaches(made)} == {"round ghost was never opened"}


def test_F21_a_showdown_that_has_found_more_on_the_meter_than_there_was_is_found() -> None:
    made = log()
    nth = next(nth for nth, one in enumerate(made) if isinstance(one.event, ShowdownHeld) and one.event.found)
    event: Any = made[nth].event
    for changed in (
        {"meter_micro": event.found.meter_micro * 2}, {"reserve_micro": 1}, {"overflow_micro": 1},
        {"terms": replace(event.found.terms, reset_minor=1)}, {"terms": replace(event.found.terms, jackpot="other")},
    ):  # fmt: skip
        made[nth] = replace(made[nth], event=replace(event, found=replace(event.found, **changed)))
        assert nth + 1 in {one.position for one in breaches(made)}, changed


@pytest.mark.parametrize("kind", [AwardVerified, CardsCorrected])
def test_F21_an_approval_of_ones_own_is_found(kind: type[Any]) -> None:
    made = log()
    one = last(kind)
    made[one.position - 1] = replace(one, event=replace(one.event, approver=one.meta.actor))
    (found,) = breaches(made)
    assert (found.position, "has approved what" in found.law) == (one.position, True)
