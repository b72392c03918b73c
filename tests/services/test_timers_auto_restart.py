"""F29: whatever the phase in which a process ends, the next one does what the first would have done, and no more."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

import pytest

from domain.rounds.events import Dealt, Phase, RoundSettled, ShowdownHeld
from domain.seats.events import SeatDecided
from domain.settlement import DecidedBy, Decision
from services import commands as c
from services.ports import Recorded
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.cards import ACE_KING, HIGH, PAIR, deck, hand
from tests.support.casino import CURRENCY, PRICE, Casino
from tests.support.hall import Hall

SEATS = {LIVE: 1, EURO: 4, DOLLAR: 5, LAND: 7}
BETTING, DECISION, PAUSE = 10, 20, 5
STEPS: Sequence[tuple[str, Phase]] = [
    ("open", Phase.BETTING_OPEN),
    ("paused", Phase.PAUSED),
    ("resumed", Phase.BETTING_OPEN),
    ("closed", Phase.BETTING_CLOSED),
    ("dealt", Phase.DECIDING),
    ("held", Phase.PAUSED),
    ("on", Phase.DECIDING),
    ("settled", Phase.SETTLED),
    ("next", Phase.BETTING_OPEN),
]
"""What is done, and where the table's round stands after it."""


async def set_up(casino: Casino, ruleset: str) -> Hall:
    """An AUTO table from a stacked shoe: a pair on seat 1, a high card on seat 2, nobody ever decides."""
    live = ruleset == LIVE
    hands = {1: hand(PAIR)} if live else {1: hand(PAIR, 1), 2: hand(HIGH, 2)}
    casino.shoe.decks = [deck(SEATS[ruleset], hands, ACE_KING)]
    if not live:
        await casino.jackpot("j", ruleset)
    await casino.table(
        "t", ruleset, pace="AUTO", card_source="SHOE", jackpot=None if live else "j",
        betting_seconds=BETTING, decision_seconds=DECISION, pause_seconds=PAUSE,
    )  # fmt: skip
    for player in ("ann", "bob"):
        await casino.player(player, CURRENCY[ruleset], deposit=1_000_000)
    return Hall(casino)


async def _open(hall: Hall, ruleset: str) -> None:
    await hall.look()
    for seat, player in enumerate(("ann", "bob"), 1):
        number, price = (None, 0) if ruleset == LIVE else (seat, PRICE[ruleset])
        await hall.casino.wager(hall.round_of("t").round, player, seat=number, ante=1_000, progressive=price)


async def _pause(hall: Hall, _: str) -> None:
    await hall.look(4)
    await hall.casino.submit(c.Pause(hall.round_of("t").round, "camera"))


async def _resume(hall: Hall, _: str) -> None:
    await hall.look(30)
    await hall.casino.submit(c.Resume(hall.round_of("t").round, "seen"))


async def _close(hall: Hall, _: str) -> None:
    assert await hall.look(BETTING - 5) == 0
    await hall.casino.close(hall.round_of("t").round)


async def _decision_time(hall: Hall, _: str) -> None:
    assert await hall.look(DECISION - 5) == 0
    assert await hall.look(1) == 1


DO: dict[str, Callable[[Hall, str], Awaitable[object]]] = {
    "open": _open,
    "paused": _pause,
    "resumed": _resume,
    "closed": _close,
    "dealt": lambda hall, _: hall.look(),
    "held": _pause,
    "on": _resume,
    "settled": _decision_time,
    "next": lambda hall, _: hall.look(PAUSE),
}


async def evening(ruleset: str, restarts: Sequence[str]) -> Sequence[Recorded]:
    """A round and the opening of the next; the process is another one after each of these steps."""
    async with Casino() as casino:
        hall = await set_up(casino, ruleset)
        for step, phase in STEPS:
            await DO[step](hall, ruleset)
            assert hall.phase("t") is phase, step
            if step in restarts:
                hall = await hall.restarted()
                assert await hall.look() == (1 if step == "closed" else 0)
            elif step == "closed":
                assert await hall.look() == 1
        return await casino.everything()


@pytest.mark.parametrize("ruleset", [LIVE, EURO, DOLLAR, LAND])
async def test_F29_restarts_in_every_phase_change_nothing_that_happens(ruleset: str) -> None:
    plain = without_ids(await evening(ruleset, ()))
    for step, _ in STEPS:
        assert without_ids(await evening(ruleset, [step])) == plain


def without_ids(events: Sequence[Recorded]) -> list[str]:
    """All that happened and when. Ids of commands are left out, also where the vault of these tests turns them round:
    a look that was refused takes one too.
    """
    return [re.sub(r"id-\d{4}|\d{4}-di", "id", repr((one.stream, one.event, one.recorded_at))) for one in events]


@pytest.mark.parametrize(
    ("ruleset", "ann"),
    [(LIVE, Decision.FOLD), (EURO, Decision.CALL), (DOLLAR, Decision.FOLD), (LAND, Decision.FOLD)],
)
async def test_F29_R19_the_platform_decides_for_the_absent_by_the_rules_of_each_game(
    ruleset: str, ann: Decision
) -> None:
    events = [one.event for one in await evening(ruleset, [step for step, _ in STEPS])]
    decided = {one.player: one for one in events if isinstance(one, SeatDecided)}
    assert {one.decided_by for one in decided.values()} == {DecidedBy.SYSTEM}
    assert (decided["ann"].decision, decided["bob"].decision) == (ann, Decision.FOLD)
    assert len([one for one in events if isinstance(one, Dealt | ShowdownHeld | RoundSettled)]) == 3
    (shown,) = [one for one in events if isinstance(one, ShowdownHeld)]
    dealt_to = [shown.cards.shared] if ruleset == LIVE else [one.cards for one in shown.cards.seats]
    assert " ".join(dealt_to[0]) == hand(PAIR, 1)
