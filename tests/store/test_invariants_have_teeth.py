"""The invariants that are held against every fault run (I1 to I10) find what breaks them, one planted breach each."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from psycopg import Connection

from services.chain import Anchor
from tests.faults.calls import Calls, Command, Reply
from tests.faults.evidence import Evidence, gather
from tests.faults.invariants import judge
from tests.faults.load import Load
from tests.faults.stage import Stage
from tests.postgres import Database, new_database, remove_if_unused, shared_folder


@dataclass(frozen=True, slots=True)
class Story:
    """What a short run of the real load left: the database, the answers, the head noted outside."""

    database: Database
    calls: Calls
    anchor: Anchor
    ended: datetime


@pytest.fixture(scope="module")
def story() -> Iterator[Story]:
    """A second of load on the real service, which has stopped."""
    folder = shared_folder() / f"own-teeth-{uuid.uuid4().hex[:10]}"
    folder.mkdir(mode=0o755)
    with Stage.start(folder, doors=1) as stage:
        with Load(stage, seed=7) as load:
            load.run_for(1)
            ended = datetime.now(UTC)
            load.run_until(500)
        stage.wait_models(60)
        stage.doors[0].stop()
        yield Story(Database("studbook", stage.cluster), load.calls, stage.anchor(), ended)
    remove_if_unused(folder / "data")
    remove_if_unused(folder)


@pytest.fixture
def copied(story: Story) -> Iterator[Story]:
    """A copy that a test may spoil."""
    with new_database(story.database.cluster, story.database.name) as made:
        yield replace(story, database=made, calls=_copy(story.calls))


def _copy(calls: Calls) -> Calls:
    return Calls(dict(calls.acknowledged), dict(calls.refused), calls.statuses.copy(), deepcopy(calls.wrong))


def found(story: Story, *, with_models: bool = False) -> dict[str, list[str]]:
    """The invariants that break."""
    evidence = gather(story.database.connect, [story.anchor], with_models=with_models)
    return broken(evidence, story)


def broken(evidence: Evidence, story: Story) -> dict[str, list[str]]:
    return {code: told for code, told in judge(evidence, story.calls, after=story.ended).items() if told}


def change(conn: Connection, name: str, edit: Callable[[dict[str, Any]], object], which: str = "min") -> None:
    """Edit the first (or last) stored event of that name."""
    row = conn.execute(
        f"SELECT notification_id, state FROM stored_events WHERE topic LIKE %s ORDER BY notification_id "
        f"{'ASC' if which == 'min' else 'DESC'} LIMIT 1".encode(),
        [f"{name}.%"],
    ).fetchone()
    assert row is not None, f"the story has no {name}"
    document = orjson.loads(row[1])
    edit(document)
    conn.execute("UPDATE stored_events SET state = %s WHERE notification_id = %s", [orjson.dumps(document), row[0]])


def test_a_sound_run_breaks_none_of_the_ten(copied: Story) -> None:
    evidence = gather(copied.database.connect, [copied.anchor])
    judged = judge(evidence, copied.calls, after=copied.ended)
    assert list(judged) == [f"I{nth}" for nth in range(1, 11)]
    assert not any(judged.values()), judged


def test_I1_a_payout_that_no_wallet_got_breaks_the_sum(copied: Story) -> None:
    def edit(document: dict[str, Any]) -> None:
        document["data"]["results"][0]["payout_minor"] += 1

    with copied.database.tamper() as conn:
        change(conn, "seat.settled", edit)
    assert "sum to" in found(copied)["I1"][0]


def test_I2_an_acknowledged_command_that_is_gone_is_named_by_its_key(copied: Story) -> None:
    with copied.database.tamper() as conn:
        conn.execute("DELETE FROM idempotency WHERE key = 'first-player-3'")
    assert "first-player-3" in found(copied)["I2"][0]


def test_I2_an_answer_other_than_the_one_kept_is_found(copied: Story) -> None:
    with copied.database.tamper() as conn:
        conn.execute("UPDATE idempotency SET status = 200 WHERE key = 'first-player-3'")
    assert "first-player-3" in found(copied)["I2"][0]


def test_I3_a_second_effect_of_one_key_is_found(copied: Story) -> None:
    with copied.database.tamper() as conn:
        conn.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state, notification_id, operator_seq,"
            " hash) SELECT originator_id, 1 + (SELECT max(originator_version) FROM stored_events e WHERE"
            " e.originator_id = s.originator_id), topic, state, %s, %s, hash FROM stored_events s WHERE topic LIKE"
            " 'wallet.deposited.%%' ORDER BY notification_id LIMIT 1",
            [copied.anchor.position + 1, copied.anchor.position + 1],
        )
        change(conn, "wallet.deposited", lambda one: one["meta"].update(causation="another"), "max")
    told = found(copied)["I3"]
    assert any("2 effects" in one for one in told)
    assert any("moved money 2 times" in one for one in told)


def test_I3_a_refused_command_with_an_effect_is_found(copied: Story) -> None:
    command, _ = next((one, reply) for one, reply in copied.calls.acknowledged.items() if "deposits" in one.path)
    del copied.calls.acknowledged[command]
    copied.calls.refused[command] = Reply(409, b"{}", False, None, 0.1)
    assert "was refused and had an effect" in found(copied)["I3"][0]


def test_I4_a_withdrawal_below_zero_is_found(copied: Story) -> None:
    with copied.database.tamper() as conn:
        change(conn, "wallet.withdrawn", lambda one: one["data"].update(amount_minor=10**12))
    told = found(copied)["I4"]
    assert any("by Withdrawn" in one for one in told)
    assert any("without its significant event" in one for one in told)


def test_I5_a_pool_that_holds_more_than_went_in_is_found(copied: Story) -> None:
    def edit(document: dict[str, Any]) -> None:
        document["data"]["increment_micro"] += 1

    with copied.database.tamper() as conn:
        change(conn, "jackpot.contributed", edit)
    assert "are explained" in found(copied)["I5"][0]


def test_I6_a_row_that_the_log_does_not_tell_is_found(copied: Story) -> None:
    with copied.database.tamper() as conn:
        conn.execute("DELETE FROM view_rows WHERE ctid = (SELECT ctid FROM view_rows WHERE model = 'balances' LIMIT 1)")
    assert found(copied, with_models=True)["I6"][0].startswith("balances")


def test_I6_is_not_said_to_hold_where_a_stopped_model_kept_it_from_being_looked_at(copied: Story) -> None:
    with copied.database.tamper() as conn:
        conn.execute("UPDATE view_progress SET stopped_reason = 'position 1: broken' WHERE model = 'balances'")
    judged = judge(gather(copied.database.connect), copied.calls, after=copied.ended)
    assert "I6" not in judged
    assert "balances" in judged["I7"][0]


def test_I7_a_missing_version_and_a_model_that_is_behind_are_found(copied: Story) -> None:
    with copied.database.tamper() as conn:
        conn.execute("UPDATE view_progress SET position = position - 1 WHERE model = 'balances'")
        conn.execute(
            "UPDATE stored_events SET originator_version = originator_version + 1 WHERE notification_id = %s",
            [copied.anchor.position],
        )
    told = found(copied, with_models=True)["I7"]
    assert any("version" in one for one in told)
    assert any("balances stands at" in one for one in told)


def test_I8_a_tail_that_was_cut_off_is_found_by_the_head_noted_outside(copied: Story) -> None:
    with copied.database.tamper() as conn:
        conn.execute("DELETE FROM stored_events WHERE notification_id > %s", [copied.anchor.position - 2])
    assert "an anchor holds" in found(copied)["I8"][0]


def test_I9_an_auto_round_that_did_not_end_in_time_is_found(copied: Story) -> None:
    evidence = gather(copied.database.connect, with_models=False)
    timers = {one.event.round for one in evidence.events if _opens_auto(one.event) and one.recorded_at < copied.ended}
    assert timers, "timers opened no round"
    open_for_ever = [one for one in evidence.events if getattr(one.event, "round", "") not in timers or _opens(one)]
    late = replace(evidence, events=open_for_ever, at=evidence.at + timedelta(minutes=3))
    assert "has not ended 60 s after" in broken(late, copied)["I9"][0]


def test_I9_money_on_game_in_a_round_that_has_ended_is_found(copied: Story) -> None:
    def edit(document: dict[str, Any]) -> None:
        document["data"]["staked_minor"] -= 1

    with copied.database.tamper() as conn:
        change(conn, "wallet.stakes_settled", edit)
    assert "holds 1 in round" in found(copied)["I9"][0]


def _opens(one: Any) -> bool:
    return type(one.event).__name__ == "RoundOpened"


def _opens_auto(event: Any) -> bool:
    return type(event).__name__ == "RoundOpened" and event.terms.pace == "AUTO"


def test_I10_a_500_and_an_answer_that_is_not_durable_are_found(copied: Story) -> None:
    sent = Command("/v1/players", b"{}", "beyond")
    copied.calls.note(sent, Reply(500, b"oops", False, None, 0.1))
    copied.calls.note(Command("/v1/tables", b"{}", "bare"), Reply(503, b"{}", False, None, 0.1))
    copied.calls.note(sent, Reply(201, b'{"player":"x","position":99999999}', False, None, 0.1))
    told = found(copied)["I10"]
    assert any(one.startswith("500 to /v1/players") for one in told)
    assert any(one.startswith("503 to /v1/tables") for one in told), "a 503 must say when to come again"
    assert any("was told position 99999999" in one for one in told)


def test_I10_another_answer_to_the_same_key_is_found(copied: Story) -> None:
    command, reply = next(iter(copied.calls.acknowledged.items()))
    copied.calls.note(command, replace(reply, content=b"{}"))
    assert "was answered" in found(copied)["I10"][0]
