"""Laws over histories: whatever the casino is asked, in whatever order, money is conserved and no trace is lost.

The casino holds every law of the ledger after every command (tests/support/books.py); what stands here is what can
only be said of whole histories.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.jackpots.upkeep import Corrected, TermsChanged, TransferredOut
from domain.money import MICRO
from domain.rounds.events import ShowdownHeld
from domain.rounds.scans import ScansOpened
from domain.wallets.events import Move, VoidPolicy
from services.laws import Laws
from services.ports import Recorded
from tests.ledger.untouched import (
    Accounts,
    standing,
    untouched,
    with_meters_whole,
    with_players_whole,
    with_pools_whole,
)
from tests.support.machine import Machine, Step, Terms
from tests.support.strategies import any_step, any_terms
from tests.support.views import lines_of, rows_of

steps = st.lists(any_step, min_size=20, max_size=50)
orders = st.lists(st.integers(0, 30), min_size=1, max_size=12)


def histories(count: int) -> settings:
    """So many histories, however long they take."""
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@histories(500)
@given(any_terms, steps, orders)
def test_every_law_holds_after_every_command_and_voiding_all_leaves_the_accounts_as_if_nothing_had_been_played(
    under: Terms, history: list[Step], order: list[int]
) -> None:
    asyncio.run(all_voided(under, history, order))


async def all_voided(
    under: Terms, history: Sequence[Step], order: Sequence[int], given_one: Machine | None = None
) -> None:
    async with given_one or Machine(under) as machine:
        await machine.furnish()
        await machine.run(history)
        await lines_add_up(machine)
        await machine.void_all(order)
        await lines_add_up(machine)
        log = await machine.everything()
        shown_as_scanned(log)
        laws = Laws()
        for one in log:
            laws.take(one)
        assert laws.finish() == [], "the audit of the service says the same"
        found, expected = standing(machine.books.balances()), untouched(under, log)
        happened = {type(one.event) for one in log}
        if TermsChanged in happened:
            found, expected = with_meters_whole(found), with_meters_whole(expected)
        if happened & {Corrected, TransferredOut}:
            found, expected = with_pools_whole(found), with_pools_whole(expected)
        assert found == expected
        machine.compare()
        again = await machine.replay()
        assert again.states == machine.books.states
        assert again.standing() == machine.books.standing()


def shown_as_scanned(log: Sequence[Recorded]) -> None:
    """Where cards were scanned one by one, every hand at the showdown is what lies there in the end (S2-09)."""
    laid: dict[str, dict[tuple[str, int], str]] = {}
    for one in log:
        match one.event:
            case ScansOpened(round_id, opened):
                laid[round_id] = {(card.to, card.number): card.card for card in opened}
            case ShowdownHeld(round_id, shown) if round_id in laid:
                hands = {"player": shown.shared, "dealer": shown.dealer}
                hands |= {str(seat.seat): seat.cards for seat in shown.seats}
                for (to, number), card in laid[round_id].items():
                    assert to not in hands or hands[to][number - 1] == card, (round_id, to, number)
            case _:
                pass


async def lines_add_up(machine: Machine) -> None:
    """Each player's lines, their balances, and what the pools show, against the accounts."""
    rows, books = await rows_of(machine, "histories"), machine.books
    log = await machine.everything()
    entry_of = {one.position: (one.meta.causation, one.entry) for one in log}
    for player in ("e1", "e2", "e3", "u1", "u2", "u3"):
        lines = lines_of(rows, player)
        moves = [one for one in log if isinstance(one.event, Move) and one.event.player == player]
        after = {entry_of[one.position]: one.event.available_after_minor for one in moves}
        assert [balance for _, balance in lines] == [after[entry_of[line.position]] for line, _ in lines], player
        total = sum(line.amount_minor for line, _ in lines)
        assert total * MICRO == books.balance(f"av/{player}") + books.balance(f"held/{player}"), player
    for key, row in (await rows_of(machine, "jackpots")).items():
        if key.grp == "pool":
            held = (row.meter_micro, row.reserve_micro, row.overflow_micro)
            assert held == tuple(books.balance(f"{account}/{key.key}") for account in ("m", "res", "ovf"))


@histories(150)
@given(any_terms, steps, orders, st.sampled_from(VoidPolicy))
def test_voids_commute(under: Terms, history: list[Step], picks: list[int], policy: VoidPolicy) -> None:
    asyncio.run(voided_both_ways(under, history, picks, policy))


async def voided_both_ways(under: Terms, history: Sequence[Step], picks: Sequence[int], policy: VoidPolicy) -> None:
    async with Machine(under) as machine:
        await machine.furnish()
        await machine.run(history)
    chosen = [machine.rounds[pick % len(machine.rounds)] for pick in picks if machine.rounds]
    ends = []
    for order in (chosen, chosen[::-1], sorted(chosen)):
        async with await machine.fork() as voided:
            for round_id in order:
                await voided.attempt(voided.voiding(round_id, policy))
            ends.append(settled_up(voided, policy))
    assert ends[0] == ends[1] == ends[2]


def settled_up(machine: Machine, policy: VoidPolicy) -> Accounts:
    """The standing accounts; unless all is clawed back, players and what the house lost on them count as one."""
    accounts = standing(machine.books.balances())
    return accounts if policy is VoidPolicy.CLAW_BACK else with_players_whole(accounts)
