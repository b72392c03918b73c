"""Work in slices whose commit got no answer, or that stopped half way: what its caller is told is what is so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain.errors import Unavailable
from domain.rounds.events import RoundSettled
from domain.seats.events import SeatSettled
from domain.settlement import Decision
from services.batch import Result
from services.commands import Settle
from tests.domain.showdowns import LIVE
from tests.support.cards import FLUSH, hand
from tests.support.casino import Casino
from tests.support.interleaved import slices_of
from tests.support.memory_log import Fault, MemoryLog

PLAYERS = ("ann", "bob", "cas", "dee", "eve")


@pytest.fixture(autouse=True)
def slices_are_small() -> Iterator[None]:
    with slices_of(2):
        yield


async def dealt(casino: Casino, *, decided: bool) -> str:
    await casino.table("t", LIVE)
    for player in PLAYERS:
        await casino.player(player, deposit=10_000)
    round_id = await casino.round("t")
    for player in PLAYERS:
        await casino.wager(round_id, player, ante=1_000)
    await casino.close(round_id)
    await casino.deal(round_id, hand(FLUSH))
    for player in PLAYERS if decided else ():
        await casino.decide(round_id, player, Decision.CALL)
    casino.clock.forward(60)
    return round_id


def memory(casino: Casino) -> MemoryLog:
    assert isinstance(casino.log, MemoryLog)
    return casino.log


def positions(casino: Casino, kind: type[RoundSettled | SeatSettled]) -> list[int]:
    return [one.position for one in memory(casino).events if isinstance(one.event, kind)]


@pytest.mark.parametrize("fault", [Fault.LOST_BEFORE_COMMIT, Fault.LOST_AFTER_COMMIT])
async def test_work_whose_first_commit_got_no_answer_is_no_replay_of_itself(casino: Casino, fault: Fault) -> None:
    order = casino.order(Settle(await dealt(casino, decided=True), None))
    memory(casino).fail(fault)
    first = await casino.house.submit(order)
    await casino.audit()
    assert (len(positions(casino, SeatSettled)), first.replayed) == (len(PLAYERS), False)
    assert positions(casino, RoundSettled) == [first.position]
    assert await casino.house.submit(order) == first._replace(replayed=True)


async def test_a_settlement_that_stops_while_the_absent_are_decided_for_does_not_say_that_nothing_happened(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = casino.order(Settle(await dealt(casino, decided=False), None))
    monkeypatch.setattr("services.house.WEARY_SECONDS", 0.0)  # told at once, not tried again
    log, real = memory(casino), memory(casino).take

    def the_second_slice_fails(*taken: object) -> None:
        real(*taken)  # type: ignore[arg-type]  # whatever a turn hands over
        monkeypatch.setattr(log, "take", real)
        log.fail(Fault.NO_APPEND)

    monkeypatch.setattr(log, "take", the_second_slice_fails)
    with pytest.raises(Unavailable, match="may have been decided for"):
        await casino.house.submit(order)
    assert isinstance(await casino.house.submit(order), Result)
    await casino.audit()
    assert len(positions(casino, SeatSettled)) == len(PLAYERS)
