"""Who undid or changed what, and why: voids, incidents, significant events, large wins (R17, R21, R23)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from domain.jackpots.events import Awarded
from domain.money import MICRO, Rate
from domain.rounds.decider import Round
from domain.rounds.events import RoundOpened, RoundVoided
from domain.seats.events import SeatResettled, SeatSettled, SeatVoided
from domain.wallets.events import BalanceWentNegative
from services import commands as c
from services.reports.daily_revenue import DAILY_REVENUE
from services.reports.game_performance import GAME_PERFORMANCE
from services.reports.incident import INCIDENT
from services.reports.jackpot_history import JACKPOT_HISTORY
from services.reports.jackpot_liability import JACKPOT_LIABILITY
from services.reports.large_wins import LARGE_WINS
from services.reports.printing import as_json, as_text
from services.reports.rtp_control import RTP_CONTROL
from services.reports.significant_events import SIGNIFICANT_EVENTS
from services.reports.voids import VOIDS
from tests.domain.showdowns import EURO
from tests.services.reports.conftest import Evening
from tests.support.cards import FLUSH, HIGH, ROYAL, STRAIGHT_FLUSH, hand
from tests.support.casino import Casino, Play
from tests.support.fixtures import EXPONENTS
from tests.support.interleaved import slices_of
from tests.support.reported import cells_of, printed_of, summed


def test_R21_R23_every_void_and_resettlement_is_told_with_who_why_and_what_it_cost(an_evening: Evening) -> None:
    printed = printed_of(VOIDS, an_evening.events)
    acts = printed.table("acts").objects()
    assert Counter(str(one["act"]).split()[1] for one in acts) == {
        "VOID": 4, "CANCEL": 1, "VOID_WAGERS": 1, "RESETTLE": 2,
    }  # fmt: skip
    assert all(one["by"] == "pit" and one["reason"] and one["at"] for one in acts)
    assert all(one["approver"] == "boss" for one in acts if one["stage"] == "AFTER_SETTLEMENT")
    events = [one.event for one in an_evening.events]
    undone = [one for one in events if isinstance(one, SeatVoided | SeatResettled)]
    assert summed(printed, "acts", "seats") == summed(printed, "totals", "seats") == len(undone)
    taken = sum(one.taken_minor for one in undone if one.owed_minor > 0)
    assert summed(printed, "acts", "taken_minor") == taken > 0
    assert summed(printed, "acts", "loss_minor") == sum(one.loss_minor for one in undone if one.owed_minor > 0) > 0


async def test_a_round_that_is_undone_in_slices_is_one_act(casino: Casino) -> None:
    await casino.table("t", "live-5plus1-v1")
    with slices_of(2):
        for nth in range(5):
            await casino.player(f"p{nth}", deposit=10_000)
        round_id = await casino.round("t")
        for nth in range(5):
            await casino.wager(round_id, f"p{nth}", ante=1_000)
        await casino.close(round_id)
        await casino.void(round_id, None, approver=None)
    (act,) = printed_of(VOIDS, await casino.everything()).table("acts").objects()
    assert (act["act"], act["seats"], act["refund_minor"], act["stakes_minor"]) == ("1 VOID", 5, 15_000, 5_000)


def test_R21_the_incident_report_of_a_void_has_rounds_players_amounts_pools_and_every_step(
    an_evening: Evening,
) -> None:
    voided = next(one.event for one in an_evening.events if isinstance(one.event, RoundVoided))
    printed = printed_of(INCIDENT, an_evening.events, asked={"round": voided.round})
    (act,) = printed.table("acts").objects()
    assert (act["act"], act["policy"], act["approver"]) == ("1 VOID", "CLAW_BACK", "boss")
    players = cells_of(printed, "players")
    assert {player for _, player in players} == {"ann", "bob"}
    assert all(row["net_minor"] == 0 for row in players.values())
    ann = {name: int(cell or 0) for name, cell in players["EUR", "ann"].items() if name.endswith("_minor")}
    assert ann["paid_minor"] == ann["taken_minor"] + ann["staked_minor"]
    assert summed(printed, "pools", "net_micro") == 0
    steps = [str(one["event"]) for one in printed.table("steps").objects()]
    assert steps[0] == "round.opened.v1"
    assert {"round.showdown.v1", "jackpot.awarded.v1", "round.voided.v1", "jackpot.round_mirrored.v1"} <= {*steps}


def test_R23_significant_events_say_who_why_before_and_after(an_evening: Evening) -> None:
    told = printed_of(SIGNIFICANT_EVENTS, an_evening.events, asked={"threshold": "100000"}).table("events").objects()
    by_what: dict[str, list[dict[str, object]]] = {}
    for one in told:
        by_what.setdefault(str(one["what"]), []).append(dict(one))
    for what in ("round voided", "wagers voided", "round cancelled", "round resettled", "reviews resolved"):
        assert by_what[what], what
    (adjusted, _) = by_what["balance adjusted"]
    assert int(str(adjusted["after_micro"])) - int(str(adjusted["before_micro"])) == -1_000 * MICRO
    assert (adjusted["by"], adjusted["approver"], adjusted["reason"]) == ("pit", "boss", "miscount")
    (changed,) = by_what["parameters changed"]
    assert (changed["before"], changed["after"]) == ("ceiling_minor 9000000000", "ceiling_minor 9000000")
    (corrected,) = by_what["meter corrected"]
    assert int(str(corrected["after_micro"])) - int(str(corrected["before_micro"])) == 1_234_567
    negative = [one.event for one in an_evening.events if isinstance(one.event, BalanceWentNegative)]
    assert [one["after_micro"] for one in by_what["balance below zero"]] == [
        one.available_minor * MICRO for one in negative
    ]
    assert by_what["large win"]
    assert by_what["prize verified"][0]["after"] == "PAID"


def test_R17_large_wins_are_those_from_the_threshold_on_with_hit_payoff_and_who_confirmed(an_evening: Evening) -> None:
    events = [one.event for one in an_evening.events]
    largest = max(one.returned_minor for one in events if isinstance(one, SeatSettled))
    for threshold in (1, largest, largest + 1, 20_000):
        printed = printed_of(LARGE_WINS, an_evening.events, asked={"threshold": str(threshold)})
        hands = [one for one in events if isinstance(one, SeatSettled) and one.returned_minor >= threshold]
        assert {(one.round, one.player) for one in hands} <= {(r, p) for _, r, p in cells_of(printed, "wins")}
        prizes = [one for one in events if isinstance(one, Awarded) and one.prize_minor >= threshold]
        found = cells_of(printed, "prizes")
        assert {one.award for one in prizes} <= {award for _, award in found}
        for one in prizes:
            row = found[one.currency, one.award]
            assert (row["hit_micro"], row["payoff_minor"]) == (one.meter_before_micro, one.prize_minor)
    statuses = {row["status"]: row["by"] for row in found.values()}
    assert {"VOIDED", "RESETTLED"} <= statuses.keys()


async def test_bug_069_every_report_shows_the_figure_that_was_on_the_meter_before_the_reset(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=100_000)
    await casino.played("t", {"ann": Play(1, "Ah Kh Qh Jh Th")})
    hit, before = 100_020, 100_020 * MICRO
    log = await casino.everything()
    assert summed(printed_of(JACKPOT_LIABILITY, log), "awards", "prize_minor") == hit
    assert summed(printed_of(JACKPOT_LIABILITY, log), "awards", "hit_micro") == before
    assert summed(printed_of(LARGE_WINS, log, asked={"threshold": "1"}), "prizes", "payoff_minor") == hit
    assert summed(printed_of(LARGE_WINS, log, asked={"threshold": "1"}), "prizes", "hit_micro") == before
    assert summed(printed_of(GAME_PERFORMANCE, log), "wagers", "jackpot_minor") == hit
    assert summed(printed_of(GAME_PERFORMANCE, log), "hits", "jackpot_minor") == hit
    assert summed(printed_of(DAILY_REVENUE, log), "days", "jackpot_minor") == hit
    course = printed_of(JACKPOT_HISTORY, log).table("course").objects()
    assert [one["prize_minor"] for one in course if one["prize_minor"]] == [hit]
    printed = printed_of(JACKPOT_LIABILITY, log)
    assert f"{hit}," in str(as_json(printed, log[-1].recorded_at))
    assert "1000.20" in as_text(printed, log[-1].recorded_at, {"EUR": 2})


async def test_bug_060_a_bonus_that_was_voided_stays_told_when_the_main_game_is_settled(casino: Casino) -> None:
    await casino.table("t", "live-5plus1-v1")
    await casino.player("ann", deposit=100_000)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=100)
    await casino.close(round_id)
    side = next(one.wager for one in casino.seat(round_id, "ann").wagers if one.kind.value == "SIDE")
    await casino.void(round_id, None, approver=None, wagers=(side,))
    await casino.deal(round_id, hand(FLUSH, 1))
    await casino.call(round_id, "ann")
    await casino.settle(round_id)
    printed = printed_of(GAME_PERFORMANCE, await casino.everything())
    assert summed(printed, "wagers", "voided_minor", kind="SIDE") == 100
    assert summed(printed, "wagers", "handle_minor", kind="SIDE") == 0
    assert summed(printed, "wagers", "handle_minor", kind="ANTE") == 1_000


async def test_bug_029_yesterdays_figures_stay_and_a_void_counts_from_when_it_was_made(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=100_000)
    round_id = await casino.played("t", {"ann": Play(1, hand(HIGH, 1))})
    casino.clock.forward(86_400)
    midnight = casino.clock.now()
    await casino.void(round_id)
    log = await casino.everything()
    first, then = (printed_of(GAME_PERFORMANCE, log, **one) for one in ({"end": midnight}, {"begin": midnight}))
    assert summed(first, "wagers", "handle_minor") == -summed(then, "wagers", "handle_minor") == 3_050
    assert (summed(first, "wagers", "voided_minor"), summed(then, "wagers", "voided_minor")) == (0, 3_050)
    assert summed(then, "wagers", "handle_minor") == -3_050
    for table in ("wagers", "games", "tables"):
        assert {one["hold_ppm"] for one in then.table(table).objects()} == {None}, "no hold on stakes below zero"
    shown = as_text(then, casino.clock.now(), EXPONENTS)
    assert shown.count("  -  Hold, RTP: nothing was staked, or more was voided than staked") == 1
    assert "  -  Hold" not in as_text(first, casino.clock.now(), EXPONENTS)
    control = printed_of(RTP_CONTROL, log, begin=midnight)
    (main,) = [one for one in control.table("control").objects() if one["wager"] == "MAIN"]
    assert (main["rtp_ppm"], main["theory_ppm"], main["band_ppm"]) == (None, None, None)
    assert main["verdict"] == "MORE VOIDED THAN STAKED"


async def test_R29_other_rates_of_a_pool_are_another_game(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=100_000)
    await casino.played("t", {"ann": Play(1, hand(STRAIGHT_FLUSH, 1))})
    await casino.change("j", increment=Rate(250_000), reserve=Rate(1))
    await casino.played("t", {"ann": Play(1, hand(ROYAL, 1))})  # played at the old rates; its reset uses the new ones
    await casino.played("t", {"ann": Play(1, hand(HIGH, 1))})
    rows = cells_of(printed_of(GAME_PERFORMANCE, await casino.everything()), "wagers")
    found = {key[-1]: row["wagers"] for key, row in rows.items() if key[-2] == "PROGRESSIVE"}
    assert found == {"40%": 2, "25% + 0.0001%": 1}


def test_R23_R24_a_round_that_other_software_opened_says_so(an_evening: Evening) -> None:
    opened = [nth for nth, one in enumerate(an_evening.events) if isinstance(one.event, RoundOpened)]
    events = list(an_evening.events)
    for nth in opened[3:]:
        events[nth] = replace(events[nth], event=replace(events[nth].event, build="b" * 64))
    told = printed_of(SIGNIFICANT_EVENTS, events).table("events").objects()
    (changed,) = [one for one in told if one["what"] == "software changed"]
    assert (changed["before"], changed["after"]) == ("0.0.0, build test", "0.0.0, build bbbbbbbbbbbb")
    assert changed["position"] == str(events[opened[3]].position)


async def test_R23_R30_a_players_own_limit_is_told_with_the_one_before(casino: Casino) -> None:
    await casino.player("ann")
    for limit in (5_000, 2_000):
        await casino.submit(c.SetLimit("ann", limit))
        casino.clock.forward(8 * 86_400)
    told = printed_of(SIGNIFICANT_EVENTS, await casino.everything()).table("events").objects()
    first, second = [one for one in told if one["what"] == "own limit changed"]
    assert first["before"] == ""
    assert second["before"] == first["after"] != second["after"]
    assert "highest ante 2000" in str(second["after"])


async def test_R16_what_the_house_lends_a_pool_for_a_void_is_a_term_of_its_own_of_meter_and_reserve(
    casino: Casino,
) -> None:
    """The royal took all but the reset of 10; the first round gave 20 to the meter and 5 to a reserve that is spent."""
    await casino.jackpot("gold", EURO, seed_minor=0, reset_minor=10, reserve_ppm=100_000)
    await casino.table("t", EURO, jackpot="gold")
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    first = await casino.played("t", {"ann": Play(call=False)})
    await casino.played("t", {"bob": Play(2, hand(ROYAL, 2), call=False)})
    await casino.void(first)
    log = await casino.everything()
    pool = cells_of(printed_of(JACKPOT_LIABILITY, log), "pools")["EUR", "gold"]
    assert (pool["shortfall_micro"], pool["closing_micro"]) == (15 * MICRO, 0)
    assert summed(printed_of(VOIDS, log), "acts", "shortfall_micro") == 15 * MICRO
    assert summed(printed_of(JACKPOT_HISTORY, log), "days", "closing_micro") == 0


@pytest.mark.parametrize("round_id", ["none", ""])
def test_an_incident_of_a_round_that_nobody_knows_is_no_activity(round_id: str, an_evening: Evening) -> None:
    assert printed_of(INCIDENT, an_evening.events, asked={"round": round_id}).empty
    assert [one for one in an_evening.books.of_kind("round") if isinstance(one, Round)]
