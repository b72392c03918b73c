"""A void of many seats that two persons agreed on: the slices go on under the approval's key, and end once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.approvals import ProposalApproved
from domain.errors import Unavailable, WrongPhase
from domain.rounds.events import RoundUndoing, RoundVoided
from domain.seats.events import SeatVoided
from domain.wallets.events import VoidPolicy
from services.batch import Result
from services.commands import DecideApproval, PayOn, Settle, Void
from services.house import SYSTEM
from tests.matrix.approvals import ANY
from tests.services.crowd import PLAYERS, SEATS, count, folded, memory
from tests.support.casino import Casino
from tests.support.memory_log import Fault


async def proposed(crowd: Casino) -> tuple[str, str]:
    """A settled round of 1,200 seats that is to be voided, and the approval that this waits for."""
    crowd.is_strict = True
    round_id = await folded(crowd)
    await crowd.submit(Settle(round_id, None))
    asked = await crowd.submit(Void(round_id, "malfunction", VoidPolicy.CLAW_BACK, None, None, False))
    assert count(crowd, SeatVoided) == 0
    return round_id, str(asked["approval"])


async def test_an_approved_void_of_1200_seats_takes_three_appends_and_both_keys_are_replayed(crowd: Casino) -> None:
    _, approval = await proposed(crowd)
    order, before = crowd.order(DecideApproval(approval, True, None, ANY), actor="boss"), memory(crowd).appends
    body = await crowd.send(order)
    first = crowd.last
    assert first is not None
    assert memory(crowd).appends - before == 3 + 1, "three slices, and the answer that is kept"
    assert (body["phase"], body["players_count"], len(body["players"])) == ("VOIDED", SEATS, 1_000)
    assert {crowd.books.balance(f"av/{one}") for one in PLAYERS} == {10_000_000_000}
    found = {type(one.event): one for one in memory(crowd).events}
    begun, ended = found[RoundUndoing], found[RoundVoided]
    assert (begun.meta.actor, begun.event.approver) == ("pit", "boss")  # type: ignore[union-attr]  # as its class says
    assert (ended.meta.actor, ended.event.approver) == (SYSTEM, "boss")  # type: ignore[union-attr]  # as before
    assert found[ProposalApproved].meta.causation == begun.meta.causation
    await crowd.throw_away()
    await crowd.send(order)
    assert crowd.last == Result(first.status, first.body, first.position, replayed=True)
    with pytest.raises(WrongPhase):
        await crowd.submit(DecideApproval(approval, True, None, ANY), actor="boss")


@pytest.mark.parametrize("fault", [Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT, Fault.LOST_AFTER_COMMIT])
async def test_an_approved_void_that_is_cut_short_is_carried_on_and_its_key_tells_the_end(
    crowd: Casino, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_id, approval = await proposed(crowd)
    order = crowd.order(DecideApproval(approval, True, None, ANY), actor="boss")
    monkeypatch.setattr("services.house.WEARY_SECONDS", 0.0)  # told at once, not tried again
    real = crowd.house._pay_to_the_end

    async def falling_over(late: object, unfinished: str) -> Result:
        memory(crowd).fail(fault)
        return await real(order, unfinished)

    monkeypatch.setattr(crowd.house, "_pay_to_the_end", falling_over)
    with pytest.raises(Unavailable):
        await crowd.house.submit(order)
    await crowd.throw_away()
    await crowd.audit()
    while not any(isinstance(one.event, RoundVoided) for one in memory(crowd).events):
        await crowd.house.submit(replace(crowd.order(PayOn(round_id)), keys=()))
    await crowd.audit()
    body = await crowd.send(order)
    assert (body["phase"], body["players_count"], count(crowd, SeatVoided)) == ("VOIDED", SEATS, SEATS)
