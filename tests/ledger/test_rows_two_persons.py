"""What needs two persons where `four_eyes` is `strict`: proposed, approved by another, done in one append."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.approvals import OPEN_FOR, Proposable, ProposalApproved
from domain.errors import AlreadyVoided, Forbidden, Invalid, NotFound, WrongPhase
from domain.rounds.events import RoundVoided
from domain.wallets.events import Adjusted, VoidPolicy
from services import commands as c
from services.batch import Result
from tests.domain.showdowns import EURO
from tests.matrix.approvals import ANY
from tests.support.cards import FLUSH, hand
from tests.support.casino import Casino, Play
from tests.support.memory_log import Fault, MemoryLog

WIN = {"ann": Play(1, hand(FLUSH, 1))}
ADJUST = c.AdjustBalance("ann", -500, "miscount")


def approve(approval: str, may: tuple[str, ...] = ANY) -> c.DecideApproval:
    return c.DecideApproval(approval, True, None, may)


def reject(approval: str, reason: str | None = "not agreed") -> c.DecideApproval:
    return c.DecideApproval(approval, False, reason, ANY)


def void(round_id: str, *, dry_run: bool = False, approver: str | None = None) -> c.Void:
    return c.Void(round_id, "malfunction", VoidPolicy.CLAW_BACK, approver, None, dry_run)


@pytest.fixture
async def strict(casino: Casino) -> Casino:
    """Ann with 100.00; `pit` proposes, `boss` approves."""
    casino.is_strict = True
    await casino.player("ann", deposit=10_000)
    await casino.table("t", EURO)
    return casino


async def proposed(casino: Casino, command: c.TwoPersonCommand = ADJUST, **more: Any) -> str:
    before = casino.books.standing()
    body = await casino.submit(command, **more)
    assert casino.last is not None
    assert (casino.last.status, body["status"]) == (202, "OPEN")
    assert casino.books.standing() == before, "a proposal moves nothing"
    return str(body["approval"])


async def test_R23_a_proposal_moves_nothing_and_another_persons_approval_does_it_in_one_append(strict: Casino) -> None:
    approval = await proposed(strict)
    log = strict.log
    assert isinstance(log, MemoryLog)
    appends = log.appends
    body = await strict.submit(approve(approval), actor="boss")
    assert log.appends == appends + 1
    assert (body["amount"], body["balance"]["available"]) == (-500, 9_500)
    agreed, adjusted = strict.last_news
    assert isinstance(agreed.event, ProposalApproved)
    assert isinstance(adjusted.event, Adjusted)
    assert (agreed.meta.actor, agreed.event.by) == ("boss", "boss")
    assert (adjusted.meta.actor, adjusted.event.approver, adjusted.event.reason) == ("pit", "boss", "miscount")
    assert agreed.meta.causation == adjusted.meta.causation


async def test_R23_who_proposed_does_not_approve_and_nothing_moves(strict: Casino) -> None:
    approval = await proposed(strict)
    with pytest.raises(Forbidden, match="another person"):
        await strict.submit(approve(approval))
    await strict.submit(approve(approval), actor="boss")


async def test_R23_who_may_not_make_the_call_does_not_approve_it_or_reject_it(strict: Casino) -> None:
    approval = await proposed(strict)
    others = tuple(one for one in ANY if one != Proposable.ADJUST)
    for command in (approve(approval, others), replace(reject(approval), may=others)):
        with pytest.raises(Forbidden, match="may make the call"):
            await strict.submit(command, actor="boss")


async def test_R23_a_name_alone_is_not_an_approval_and_naming_oneself_is_FORBIDDEN(strict: Casino) -> None:
    approval = await proposed(strict, replace(ADJUST, approver="deputy"))
    assert strict.body["asked"] == "deputy"
    await strict.submit(approve(approval), actor="boss")
    (adjusted,) = [one.event for one in strict.last_news if isinstance(one.event, Adjusted)]
    assert adjusted.approver == "boss", "who approved, not who was asked"
    with pytest.raises(Forbidden) as refused:
        await strict.submit(replace(ADJUST, approver="pit"))
    assert refused.value.field == "approver"


async def test_R23_with_names_an_approver_is_required(casino: Casino) -> None:
    await casino.player("ann", deposit=10_000)
    with pytest.raises(Invalid) as refused:
        await casino.submit(ADJUST)
    assert refused.value.field == "approver"


async def test_a_proposal_that_could_not_be_done_is_refused_at_once(strict: Casino) -> None:
    for command, refusal in (
        (c.AdjustBalance("nobody", 1, "miscount"), NotFound),
        (c.Void("no-round", "malfunction", VoidPolicy.CLAW_BACK, None, None, False), NotFound),
        (replace(void(await strict.played("t", WIN)), policy=None), Invalid),
    ):
        with pytest.raises(refusal):
            await strict.submit(command)


async def test_C19_a_settled_round_is_voided_by_two_persons_and_before_that_by_one(strict: Casino) -> None:
    early = await strict.bets_closed("t", WIN)
    body = await strict.submit(void(early, approver="deputy"))
    assert body["phase"] == "VOIDED"
    (event,) = [one.event for one in strict.last_news if isinstance(one.event, RoundVoided)]
    assert event.approver is None, "nobody has approved it"
    late = await strict.played("t", WIN)
    approval = await proposed(strict, void(late))
    body = await strict.submit(approve(approval), actor="boss")
    assert (body["phase"], body["players"][0]["balance"]["available"]) == ("VOIDED", 10_000)
    (event,) = [one.event for one in strict.last_news if isinstance(one.event, RoundVoided)]
    assert (event.approver, event.reason, event.policy) == ("boss", "malfunction", "CLAW_BACK")


async def test_a_dry_run_needs_nobody_and_shows_what_the_approval_will_do(strict: Casino) -> None:
    round_id = await strict.played("t", WIN)
    shown = await strict.submit(void(round_id, dry_run=True))
    assert strict.last_news == []
    done = await strict.submit(approve(await proposed(strict, void(round_id))), actor="boss")
    assert {**shown, "dry_run": False, "position": 0} == {**done, "position": 0}


async def test_an_approval_is_decided_on_the_house_as_it_has_become_and_stays_open_when_that_refuses(
    strict: Casino,
) -> None:
    round_id = await strict.played("t", WIN)
    first, second = [await proposed(strict, void(round_id)) for _ in range(2)]
    await strict.submit(approve(second), actor="boss")
    with pytest.raises(AlreadyVoided):
        await strict.submit(approve(first), actor="boss")
    body = await strict.submit(reject(first), actor="boss")
    assert (body["status"], body["decided_by"], body["decided_because"]) == ("REJECTED", "boss", "not agreed")


async def test_a_rejected_or_withdrawn_proposal_is_decided_once_and_says_why(strict: Casino) -> None:
    theirs, own = await proposed(strict), await proposed(strict)
    with pytest.raises(Invalid) as refused:
        await strict.submit(reject(own, None))
    assert refused.value.field == "reason"
    assert (await strict.submit(reject(own)))["status"] == "WITHDRAWN"
    assert (await strict.submit(reject(theirs), actor="boss"))["status"] == "REJECTED"
    for approval in (theirs, own):
        for command in (approve(approval), reject(approval)):
            with pytest.raises(WrongPhase):
                await strict.submit(command, actor="boss")


async def test_a_proposal_may_be_approved_for_24_hours_and_not_at_their_end(strict: Casino) -> None:
    in_time, late = await proposed(strict), await proposed(strict)
    strict.clock.forward(OPEN_FOR.total_seconds() - 1)
    await strict.submit(approve(in_time), actor="boss")
    strict.clock.forward(1)
    for command in (approve(late), reject(late)):
        with pytest.raises(WrongPhase, match="EXPIRED"):
            await strict.submit(command, actor="boss")


async def test_R13_the_proposers_key_replays_the_proposal_and_the_approvers_the_final_answer(strict: Casino) -> None:
    asked = strict.order(ADJUST)
    approval = (await strict.send(asked))["approval"]
    first = strict.last
    agreed = strict.order(approve(approval), actor="boss")
    await strict.send(agreed)
    final = strict.last
    await strict.throw_away()
    for order, answer in ((asked, first), (agreed, final)):
        assert answer is not None
        await strict.send(order)
        assert strict.last == answer._replace(replayed=True)
        assert strict.last_news == []


async def test_R13_two_approvals_at_once_do_it_once(strict: Casino) -> None:
    approval = await proposed(strict)
    found = await strict.send_all([strict.order(approve(approval), actor=one) for one in ("boss", "deputy")])
    assert [type(one) for one in found] == [Result, WrongPhase]
    assert strict.books.balance("av/ann") == 9_500_000_000


@pytest.mark.parametrize("fault", [Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT, Fault.LOST_AFTER_COMMIT])
async def test_F03_an_approval_whose_commit_is_lost_happens_once_or_not_at_all(strict: Casino, fault: Fault) -> None:
    approval = await proposed(strict)
    log = strict.log
    assert isinstance(log, MemoryLog)
    log.fail(fault)
    await strict.submit(approve(approval), actor="boss")
    kinds = [type(one.event) for one in log.events]
    assert (kinds.count(ProposalApproved), kinds.count(Adjusted)) == (1, 1)
    assert strict.books.balance("av/ann") == 9_500_000_000
