"""Actual return against the certified theory: exact expectation and variance, band and alarm (R4, R29)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from domain.cards import DECK
from domain.hands import Category, rank_five
from domain.rounds.events import RoundOpened
from domain.seats.events import SeatSettled, WagerKind, WagerResult
from domain.settlement import Decision, Stakes, settle_seat
from domain.variants import ruleset
from services.certificates import theory
from services.ports import Meta, Recorded, Told
from services.reports.game_performance import GAME_PERFORMANCE
from services.reports.rtp_control import RTP_CONTROL
from services.reports.run import run
from services.reports.tables import Cell, Printed
from tests.domain.showdowns import EURO, LIVE
from tests.services.reports.conftest import Evening
from tests.support.cards import FLUSH, HIGH, hand
from tests.support.casino import Casino, Play
from tests.support.reported import printed_of, scope_of, summed

Rows = dict[tuple[str, str], dict[str, Cell]]


def rows_of(printed: Printed) -> Rows:
    return {(str(one["ruleset"]), str(one["wager"])): one for one in printed.table("control").objects()}


def exact(row: dict[str, Cell]) -> tuple[Fraction, Fraction]:
    """Expectation and variance of what is paid, in minor units."""
    whole = {name: int(row[name] or 0) for name in ("expected", "expected_over", "variance", "variance_over")}
    return (
        Fraction(whole["expected"], whole["expected_over"]),
        Fraction(whole["variance"], whole["variance_over"]),
    )


def test_R29_stakes_and_payouts_are_those_of_the_game_performance(an_evening: Evening) -> None:
    control, games = (printed_of(kind, an_evening.events) for kind in (RTP_CONTROL, GAME_PERFORMANCE))
    for (rules, wager), row in rows_of(control).items():
        keys = {"ruleset": rules, "kind": "ANTE" if wager == "MAIN" else wager}
        assert row["staked_minor"] == summed(games, "wagers", "handle_minor", **keys)
        paid = summed(games, "wagers", "payouts_minor", **keys) + summed(games, "wagers", "jackpot_minor", **keys)
        if wager == "MAIN":
            call = {"ruleset": rules, "kind": "CALL"}
            paid -= summed(games, "wagers", "ggr_minor", **call)
        assert row["paid_minor"] == paid, wager
        voided = 0 if wager == "MAIN" else summed(games, "wagers", "voided_minor", **keys)
        cancelled = 0 if wager == "MAIN" else summed(games, "wagers", "cancelled_minor", **keys)
        assert row["voided_minor"] == voided + cancelled


async def test_R29_expectation_and_variance_are_exact_and_hands_of_a_round_count_as_one(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    for player in ("ann", "bob"):
        await casino.player(player, deposit=100_000)
    both = {"ann": Play(1, hand(FLUSH, 1), ante=500), "bob": Play(2, hand(HIGH, 2), ante=700, call=False)}
    await casino.played("t", both)
    await casino.played("t", {"ann": Play(1, hand(HIGH, 1), ante=300)})
    known = theory(EURO)
    antes, squares = 500 + 700 + 300, (500 + 700) ** 2 + 300**2
    rows = rows_of(printed_of(RTP_CONTROL, await casino.everything()))
    for wager in ("ANTE", "MAIN"):
        assert exact(rows[EURO, wager]) == (known[wager].rtp * antes, known[wager].variance * squares)
    assert exact(rows[EURO, "CALL"]) == (known["CALL"].rtp * 1_600, known["CALL"].variance * (1_000**2 + 600**2))
    main = rows[EURO, "MAIN"]
    paid = 500 * 2 + 1_000 * 7 - 1_000 + 0 - 600  # a flush that plays; a fold; a call that is lost
    assert (main["hands"], main["staked_minor"], main["paid_minor"]) == (3, antes, paid)
    expected, variance = exact(main)
    assert abs(int(main["deviation_milli"] or 0) / 1_000 - (paid - float(expected)) / sqrt(variance)) < 0.001
    half = 2.575829 * sqrt(variance) / antes
    assert abs(int(main["band_ppm"] or 0) / 1e6 - half) < 1e-6
    (decisions,) = printed_of(RTP_CONTROL, await casino.everything()).table("decisions").objects()
    assert (decisions["hands"], decisions["calls"]) == (3, 2)
    assert 520_000 < int(decisions["certified_ppm"] or 0) < 530_000


async def test_R29_a_progressive_wager_is_held_against_the_meter_that_its_showdown_found(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=100_000)
    rounds = [await casino.played("t", {"ann": Play(1, hand(FLUSH, 1))}) for _ in range(3)]
    log = await casino.everything()
    row = rows_of(printed_of(RTP_CONTROL, log))[EURO, "PROGRESSIVE"]
    at = [theory(EURO, 100_000 + 20 * nth)["PROGRESSIVE"] for nth in (1, 2, 3)]
    assert exact(row) == (sum(one.rtp * 50 for one in at), sum(one.variance * 50**2 for one in at))
    assert (row["staked_minor"], row["paid_minor"]) == (150, 3 * 1_500)
    await casino.void(rounds[1])
    row = rows_of(printed_of(RTP_CONTROL, await casino.everything()))[EURO, "PROGRESSIVE"]
    left = (at[0], at[2])
    assert exact(row) == (sum(one.rtp * 50 for one in left), sum(one.variance * 50**2 for one in left))
    assert (row["staked_minor"], row["paid_minor"], row["voided_minor"]) == (100, 2 * 1_500, 50)


def test_R29_an_alarm_is_raised_outside_the_band_and_not_over_few_hands(an_evening: Evening) -> None:
    few = rows_of(printed_of(RTP_CONTROL, an_evening.events))
    assert {row["verdict"] for row in few.values()} == {"FEW HANDS"}
    rows = rows_of(printed_of(RTP_CONTROL, an_evening.events, asked={"threshold": "0"}))
    assert rows["land-progressive-v1", "PROGRESSIVE"]["verdict"] == "ABOVE"
    assert rows["land-progressive-v1", "MAIN"]["verdict"] == "ABOVE"
    assert rows[LIVE, "SIDE"]["verdict"] == "WITHIN"


def test_R29_another_hash_of_a_rule_set_is_another_line_and_has_no_theory(an_evening: Evening) -> None:
    opened = next(one.event for one in an_evening.events if isinstance(one.event, RoundOpened))
    other = replace(opened, terms=replace(opened.terms, ruleset_hash="0" * 64))
    hands = [*dealt(opened, 3, Random(1)), *dealt(other, 5, Random(1))]
    found = run(RTP_CONTROL, scope_of("op", asked={"threshold": "0"}), hands).table("control").objects()
    main = {str(one["ruleset_hash"])[:4]: one for one in found if one["wager"] == "MAIN"}
    assert main["0000"]["verdict"] == "NO THEORY"
    assert (main["0000"]["hands"], main[opened.terms.ruleset_hash[:4]]["hands"]) == (5, 3)


@pytest.mark.parametrize(("share", "verdict"), [(0, "WITHIN"), (300, "ABOVE")])
def test_R29_fair_deals_stay_within_the_band_and_a_call_that_pays_too_much_leaves_it(
    share: int, verdict: str, an_evening: Evening
) -> None:
    """`share` of a thousand hands that lost are paid as a straight."""
    opened = next(one.event for one in an_evening.events if isinstance(one.event, RoundOpened))
    hands = dealt(opened, 1_500, Random(7), share)
    found = run(RTP_CONTROL, scope_of("op", asked={"threshold": "1000"}), hands).table("control").objects()
    assert {str(one["wager"]): one["verdict"] for one in found}["MAIN"] == verdict


def dealt(opened: RoundOpened, count: int, dice: Random, forged: int = 0) -> Sequence[Told]:
    """Fair deals to one seat that calls with a pair or with ace and king."""
    rules, found = ruleset(EURO), []
    for nth in range(count):
        cards = dice.sample(DECK, 10)
        own, ranks = cards[:5], {card[0] for card in cards[:5]}
        calls = rank_five(own).category is not Category.HIGH_CARD or {"A", "K"} <= ranks
        shown = settle_seat(rules, own, cards[5:], Stakes(100), Decision.CALL if calls else Decision.FOLD)
        results = [WagerResult("a", WagerKind.ANTE, 100, shown.ante_payout_minor)]
        if calls:
            is_forged = shown.call_payout_minor == 0 and dice.randrange(1_000) < forged
            results.append(WagerResult("c", WagerKind.CALL, 200, 1_000 if is_forged else shown.call_payout_minor))
        event = SeatSettled(
            f"r{nth}", "ann", EURO, "EUR", "", "", tuple(results), 0, 0, 0, 0, 0
        )  # fmt: skip
        of_round = replace(opened, round=f"r{nth}")
        found.append(told(nth + 1, event, of_round))
    return found


def told(position: int, event: SeatSettled, opened: RoundOpened) -> Told:
    meta = Meta("op", "pit", "k", "r", None, "x", f"c{position}", opened.opened_at)
    return Told(
        Recorded(position, f"op/seat/{event.round}.ann", 1, event, 0, meta, opened.opened_at), "seat.settled.v1", opened
    )
