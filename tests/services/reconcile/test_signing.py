"""A day is prepared, its breaks are resolved by events, a second person seals it, and later runs hold it to that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from api.schemas.reconciling import PrepareBody
from domain.errors import Forbidden, Invalid, WrongPhase
from domain.reconciliations import FoundBreak, ReconciliationSealed, Resolution
from services import commands as c
from services.ports import Recorded
from services.reconcile.asked import Question, StoredModel, StoredPool
from services.reconcile.printing import as_json, as_text, sheet
from services.reconcile.run import Run, reconcile
from services.reconcile.standing import standing
from services.reconcile.totals import state_hash, totals_of
from services.reports.notes import Memory
from tests.domain.showdowns import EURO
from tests.support.cards import FLUSH, hand
from tests.support.casino import Casino, Play
from tests.support.reported import told_of

DAY, NEXT = date(2026, 1, 2), date(2026, 1, 3)
HEAD = "ab" * 32


async def a_day(casino: Casino) -> None:
    """Two players contribute; then it is the next day."""
    for player in ("ann", "bob"):
        await casino.player(player, deposit=500_000)
    await casino.jackpot("j", EURO, reserve_ppm=100_000)
    await casino.table("t", EURO, jackpot="j")
    await casino.played("t", {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2)})
    casino.clock.forward(86_400)


def run_of(log: Sequence[Recorded], model: StoredModel | None = None, now: datetime | None = None) -> Run:
    question = Question("op", ZoneInfo("UTC"), DAY, DAY, None, now or datetime(2026, 1, 5, tzinfo=UTC))
    return reconcile(question, told_of(log), model)


def shown(run: Run) -> dict[str, Any]:
    return as_json(run, standing(run.question, run.book, run.asked_breaks), {}, None)


def altered(run: Run) -> StoredModel:
    """The read model as it should be, but for a reserve that somebody changed."""
    held = run.asked_days[0].ledger
    return StoredModel(run.position, {"j": StoredPool(held["m"], held["res"] + 7, held["ovf"], run.position)})


async def prepare(casino: Casino, run: Run) -> None:
    """What the run found, by `clerk`, as the body of the call has it."""
    body = PrepareBody.model_validate_json(
        json.dumps(sheet(run, standing(run.question, run.book, run.asked_breaks), {}))
    )
    totals = tuple(totals_of(one) for one in run.asked_days)
    breaks = tuple(
        FoundBreak(one.id, one.kind, one.about, one.position, one.expected, one.found, one.reason, one.owner or "")
        for one in body.breaks
    )
    order = c.PrepareDay(body.day, body.log_position, body.chain_head, body.state_hash, totals, breaks)
    await casino.submit(order, actor="clerk", status=201)


async def sign_off(casino: Casino, approver: str = "boss") -> None:
    await casino.submit(c.SignOff(DAY.isoformat(), "seen and agreed", approver))


async def test_R17_a_day_with_an_open_break_is_not_sealed_and_a_break_ends_by_an_event_alone(casino: Casino) -> None:
    await a_day(casino)
    whole = run_of(casino.log.events)
    model = altered(whole)
    await prepare(casino, run_of(casino.log.events, model))
    with pytest.raises(WrongPhase) as refusal:
        await sign_off(casino)
    (broken,) = shown(run_of(casino.log.events, model))["breaks"]
    assert broken["id"] in refusal.value.detail
    assert (broken["status"], broken["owner"], broken["age_days"]) == ("OPEN", "clerk", 3)
    # the model is rebuilt: no run finds it any more, and still it is open until somebody says what was done
    await prepare(casino, run_of(casino.log.events))
    assert [one["is_found"] for one in shown(run_of(casino.log.events))["breaks"]] == [False]
    with pytest.raises(WrongPhase):
        await sign_off(casino)
    done = c.ResolveBreak(DAY.isoformat(), broken["id"], Resolution.CORRECTED, None, "rebuilt")
    with pytest.raises(Invalid) as unnamed:
        await casino.submit(done)
    assert unnamed.value.field == "reference"
    await casino.submit(replace(done, reference="99"))
    await sign_off(casino)
    assert shown(run_of(casino.log.events))["ok"] is True
    assert "CORRECTED" in as_text(
        run_of(casino.log.events), standing(whole.question, run_of(casino.log.events).book, ()), None, {"EUR": 2}
    )


async def test_a_break_that_was_accepted_is_open_anew_when_its_figures_are_others(casino: Casino) -> None:
    await a_day(casino)
    model = altered(run_of(casino.log.events))
    found = run_of(casino.log.events, model)
    await prepare(casino, found)
    (broken,) = found.asked_breaks
    await casino.submit(c.ResolveBreak(DAY.isoformat(), broken.id, Resolution.ACCEPTED, None, "known"))
    assert shown(run_of(casino.log.events, model))["ok"] is True
    worse = replace(model.pools["j"], reserve_micro=model.pools["j"].reserve_micro + 1)
    again = run_of(casino.log.events, replace(model, pools={"j": worse}))
    assert [one["status"] for one in shown(again)["breaks"]] == ["OPEN"]
    await prepare(casino, again)
    with pytest.raises(WrongPhase):
        await sign_off(casino)


async def test_R17_who_prepared_a_day_does_not_sign_it_off_and_a_day_that_goes_on_is_not_prepared(
    casino: Casino,
) -> None:
    await a_day(casino)
    run = run_of(casino.log.events)
    await prepare(casino, run)
    with pytest.raises(Forbidden) as refusal:
        await sign_off(casino, "clerk")
    assert refusal.value.field == "approver"
    totals = tuple(totals_of(one) for one in run.asked_days)
    today = c.PrepareDay(NEXT.isoformat(), 9, HEAD, state_hash(NEXT.isoformat(), 9, totals), totals, ())
    with pytest.raises(WrongPhase) as early:
        await casino.submit(today, status=201)
    assert early.value.field == "day"
    forged = replace(today, day=DAY.isoformat())
    with pytest.raises(Invalid) as wrong:
        await casino.submit(forged, status=201)
    assert wrong.value.field == "state_hash"


async def test_R18_later_runs_hold_a_sealed_day_to_what_was_signed(casino: Casino) -> None:
    await a_day(casino)
    await prepare(casino, run_of(casino.log.events))
    await sign_off(casino)
    sealed = casino.log.events[-1].event
    assert isinstance(sealed, ReconciliationSealed)
    assert (sealed.prepared_by, sealed.approver) == ("clerk", "boss")
    memory = Memory(10**15)
    notes = [memory.note(one) for one in told_of(casino.log.events)][-2:]
    assert [note and (note.what, note.approver) for note in notes] == [
        ("gaming day 2026-01-02 prepared", ""),
        ("gaming day 2026-01-02 sealed", "boss"),
    ]
    await casino.played("t", {"ann": Play(1)})
    assert run_of(casino.log.events).breaks == ()
    # the pool's last event of the sealed day is changed
    log = list(casino.log.events)
    mine = [nth for nth, one in enumerate(log) if one.stream == "op/jackpot/j" and one.recorded_at.date() == DAY]
    last: Any = log[mine[-1]].event
    moved = replace(last.move, meter_after_micro=last.move.meter_after_micro + 5)
    log[mine[-1]] = replace(log[mine[-1]], event=replace(last, move=moved))
    found = {one.about: one for one in run_of(log).breaks if one.kind == "SEALED"}
    meter = found["j meter_micro"]
    assert int(meter.found) - int(meter.expected) == 5


async def test_an_event_that_takes_effect_in_a_sealed_day_is_shown_as_late_and_changes_no_figure(
    casino: Casino,
) -> None:
    await a_day(casino)
    await prepare(casino, run_of(casino.log.events))
    await sign_off(casino)
    await casino.deposit("ann", 100)
    log = list(casino.log.events)
    before = log[-1].recorded_at - timedelta(days=1)
    log[-1] = replace(log[-1], meta=replace(log[-1].meta, effective_at=before))
    run = run_of(log)
    assert [(one.position, one.day) for one in run.book.late] == [(log[-1].position, DAY)]
    assert shown(run)["ok"] is True
    assert shown(run)["days"][0]["status"] == "SEALED"
