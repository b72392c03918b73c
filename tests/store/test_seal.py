"""A gaming day is sealed: which rounds, proofs that show one alone, and a day that is not what was sealed."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from adapters.anchors.folder import Folder
from adapters.day_reading import DayReader
from adapters.embedded import Cluster
from adapters.event_store import PostgresLog, UnreadableEvent
from adapters.keys import ensure_operator
from adapters.signing import Signer
from api.main.proving import check_file, read_signed
from api.main.sealing import DayDiffers, DaySealer
from domain.errors import Invalid, NotFound
from services.calendar import day_bounds
from services.sealing import PROOF, check_proof
from tests.domain.showdowns import LIVE
from tests.house.tree import ROOT
from tests.postgres import Database, new_database
from tests.store.commands import studbook
from tests.store.support import events_of
from tests.support.casino import Casino, Play
from tests.support.changed_proofs import CHANGES, Change, Proof, altered

SCHEMAS = ROOT / "docs" / "schemas"
NEW_YORK = ZoneInfo("America/New_York")
LATER = datetime(2027, 1, 1, tzinfo=UTC)
SIGNER = Signer(secrets.token_bytes(32))
ROUNDS: dict[str, str] = {}
"""When a round was played (in New York) to its id; filled by the story."""


async def _told(database: Database) -> None:
    log = PostgresLog(database.conninfo("writer"))
    async with Casino(log) as casino:
        casino.clock.time = datetime(2026, 3, 7, 12, tzinfo=NEW_YORK).astimezone(UTC)
        await casino.player("ann", "EUR", deposit=1_000_000)
        await casino.player("bob", "EUR", deposit=1_000_000)
        await casino.table("live", LIVE)
        for text in (
            "2026-03-07T23:59:59.999999", "2026-03-08T00:00:00", "2026-03-08T03:00:00", "2026-03-08T23:59:59",
            "2026-03-09T00:00:00", "2026-11-01T00:00:00", "2026-11-01T12:00:00", "2026-11-01T23:59:59",
        ):  # fmt: skip
            casino.clock.time = datetime.fromisoformat(text).replace(tzinfo=NEW_YORK).astimezone(UTC)
            ROUNDS[text] = await casino.played("live", {"ann": Play(), "bob": Play(call=False)})
        begun = await casino.round("live")
        casino.clock.time = datetime(2026, 11, 2, 0, 10, tzinfo=NEW_YORK).astimezone(UTC)
        await casino.void(ROUNDS["2026-11-01T12:00:00"])
        await casino.void(begun)
        ROUNDS["begun"] = begun
    await log.aclose()


@pytest.fixture(scope="module")
def story(cluster: Cluster, template: str) -> Iterator[Database]:
    with new_database(cluster, template) as made:
        asyncio.run(_told(made))
        with made.connect("writer") as conn:
            ensure_operator(conn, "op", "named")
        yield made


@contextmanager
def sealing(database: Database, path: Path, zone: ZoneInfo = NEW_YORK) -> Iterator[DaySealer]:
    with database.connect("projector") as conn:
        yield DaySealer(DayReader(conn), Folder(path), [SIGNER], "op", zone)


def sealed(database: Database, path: Path, day: str, zone: ZoneInfo = NEW_YORK) -> Proof:
    with sealing(database, path, zone) as sealer:
        return dict(sealer.seal(date.fromisoformat(day), LATER, lambda _: None).seal)


def proved(database: Database, path: Path, round_id: str) -> Proof:
    with sealing(database, path) as sealer:
        return sealer.prove(round_id, lambda _: None)


@pytest.mark.parametrize(
    ("day", "hours", "rounds"), [("2026-03-07", 24, 1), ("2026-03-08", 23, 3), ("2026-03-09", 24, 1),
                                 ("2026-11-01", 25, 3), ("2026-11-02", 24, 1), ("2026-11-03", 24, 0)],
)  # fmt: skip
def test_F09_each_round_is_in_the_one_day_in_which_it_ended(
    story: Database, tmp_path: Path, day: str, hours: int, rounds: int
) -> None:
    starts, ends = (one.astimezone(UTC) for one in day_bounds(date.fromisoformat(day), NEW_YORK))
    assert (ends - starts).total_seconds() == hours * 3600
    seal = sealed(story, tmp_path, day)
    assert (seal["rounds"], seal["zone"]) == (rounds, "America/New_York")


def test_another_zone_has_other_days(story: Database, tmp_path: Path) -> None:
    days = ("2026-03-07", "2026-03-08", "2026-03-09")
    assert [sealed(story, tmp_path, day, ZoneInfo("UTC"))["rounds"] for day in days] == [0, 3, 2]


def test_a_day_stays_as_it_was_sealed_when_the_installation_gets_another_zone(story: Database, tmp_path: Path) -> None:
    seal = sealed(story, tmp_path, "2026-03-08")
    assert sealed(story, tmp_path, "2026-03-08", ZoneInfo("Asia/Tokyo")) == seal
    with sealing(story, tmp_path, ZoneInfo("Asia/Tokyo")) as sealer:
        made = sealer.prove(ROUNDS["2026-03-08T03:00:00"], lambda _: None)
        assert check_proof(made, read_signed([SIGNER.public])).day == "2026-03-08"
        with pytest.raises(Invalid, match="not in the day 2026-03-08"):
            sealer.prove(ROUNDS["2026-03-07T23:59:59.999999"], lambda _: None)


def test_a_proof_holds_for_each_round_and_shows_no_other(story: Database, tmp_path: Path) -> None:
    sealed(story, tmp_path, "2026-03-08")
    mine = [ROUNDS[at] for at in ("2026-03-08T00:00:00", "2026-03-08T03:00:00", "2026-03-08T23:59:59")]
    proofs = [proved(story, tmp_path, one) for one in mine]
    for round_id, proof in zip(mine, proofs, strict=True):
        found = check_proof(proof, read_signed([SIGNER.public]))
        assert (found.round, found.day, found.rounds) == (round_id, "2026-03-08", 3)
        own = {one.position for one in events_of(story) if round_id in one.stream}
        assert {one["position"] for one in proof["inclusion"]["events"]} == own
        text = json.dumps(proof)
        assert not [other for other in mine if other != round_id and other in text]
        others = [one["inclusion"] for one in proofs if one is not proof]
        assert not [one["salt"] for one in others if one["salt"] in text]
        assert not [event["hash"] for one in others for event in one["events"] if event["hash"] in text]


def test_a_round_that_was_voided_on_a_later_day_stays_in_the_day_in_which_it_ended(
    story: Database, tmp_path: Path
) -> None:
    sealed(story, tmp_path, "2026-11-01")
    proof = proved(story, tmp_path, ROUNDS["2026-11-01T12:00:00"])
    shown = proof["inclusion"]["events"][-1]["position"]
    later = [one for one in events_of(story, shown) if ROUNDS["2026-11-01T12:00:00"] in one.stream]
    assert later
    assert min(one.position for one in later) > proof["seal"]["position"]


def test_seals_and_proofs_have_the_form_that_is_published(story: Database, tmp_path: Path) -> None:
    forms = [json.loads((SCHEMAS / name).read_text("utf-8")) for name in ("seal.json", "proof.json")]
    registry = Registry().with_resource("seal.json", Resource.from_contents(forms[0]))
    seal, proof = (Draft202012Validator(form, registry=registry) for form in forms)
    seal.validate(sealed(story, tmp_path, "2026-03-08"))
    made = proved(story, tmp_path, ROUNDS["2026-03-08T03:00:00"])
    proof.validate(made)
    made["inclusion"]["cards"] = []
    assert not proof.is_valid(made)


@pytest.mark.parametrize(("change", "field"), CHANGES)
def test_F21_a_proof_that_was_changed_is_refused_and_says_where(
    story: Database, tmp_path: Path, change: Change, field: str
) -> None:
    sealed(story, tmp_path, "2026-03-08")
    proof = proved(story, tmp_path, ROUNDS["2026-03-08T03:00:00"])
    with pytest.raises(Invalid) as refused:
        check_proof(altered(proof, change), read_signed([SIGNER.public]))
    assert refused.value.field == field


def test_a_day_is_sealed_once_and_only_when_it_is_over(story: Database, tmp_path: Path) -> None:
    seal = sealed(story, tmp_path, "2026-03-08")
    with sealing(story, tmp_path) as sealer:
        again = sealer.seal(date(2026, 3, 8), LATER, lambda _: None)
        assert (again.is_new, again.seal) == (False, seal)
        for day, says in (
            (date(2026, 12, 31), r"is not over: it ends at 2027-01-01T05:00:00.* \(midnight in America/New_York\)"),
            (date(2027, 1, 1), "has not begun: it ends at 2027-01-02"), (date.max, "is no day that can be sealed"),
        ):  # fmt: skip
            with pytest.raises(Invalid, match=f"^{day} {says}") as refused:
                sealer.seal(day, LATER, lambda _: None)
            assert refused.value.field == "day"
        with pytest.raises(Invalid, match="is not sealed"):
            sealer.prove(ROUNDS["2026-11-01T12:00:00"], lambda _: None)
        with pytest.raises(NotFound):
            sealer.prove("none", lambda _: None)


def test_F21_a_day_that_is_not_what_was_sealed_is_told(story: Database, tmp_path: Path, cluster: Cluster) -> None:
    sealed(story, tmp_path, "2026-03-08")
    for change in (
        "UPDATE stored_events SET hash = sha256(hash) WHERE originator_id = 'op/round/{}' AND originator_version = 2",
        "DELETE FROM stored_events WHERE originator_id = 'op/seat/{}.ann'",
    ):
        with new_database(cluster, story.name) as copied:
            with copied.tamper() as conn:
                conn.execute(change.format(ROUNDS["2026-03-08T03:00:00"]).encode())
            with pytest.raises(DayDiffers, match="root"):
                sealed(copied, tmp_path, "2026-03-08")


def test_the_commands_seal_a_day_prove_a_round_and_check_both_without_a_database(
    story: Database, tmp_path: Path
) -> None:
    folder = {"STUDBOOK_ANCHOR_DIR": str(tmp_path / "anchors"), "STUDBOOK_ZONE": "America/New_York"}
    done = studbook(story, "seal", "--operator", "op", "--day", "2026-03-08", "--json", **folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rounds"] == 3
    proof = studbook(story, "seal", "--operator", "op", "--proof", ROUNDS["2026-03-08T03:00:00"], **folder)
    assert json.loads(proof.stdout)["type"] == PROOF
    (tmp_path / "proof.json").write_text(proof.stdout)
    kind, found = check_file(tmp_path / "proof.json", tmp_path / "anchors" / "anchor.jwks")
    assert (kind, found.round) == (PROOF, ROUNDS["2026-03-08T03:00:00"])
    cut = json.loads(proof.stdout)
    cut["inclusion"]["events"].pop()
    (tmp_path / "cut.json").write_text(json.dumps(cut))
    bad = studbook(story, "verify", str(tmp_path / "cut.json"), "--json")
    assert (bad.returncode, json.loads(bad.stdout)["field"]) == (1, "inclusion.path")
    early = studbook(story, "seal", "--operator", "op", "--day", "2020-01-01", **folder)
    assert (early.returncode, early.stdout.splitlines()[-1][:37]) == (0, "the log begins after this day: its se")
    refused = studbook(story, "seal", "--operator", "nobody", "--day", "2026-03-08", **folder)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


def test_F21_a_log_that_does_not_say_when_is_told_in_one_line(story: Database, tmp_path: Path) -> None:
    cut = "DELETE FROM stored_events WHERE notification_id < (SELECT max(notification_id) FROM stored_events)"
    with new_database(story.cluster, story.name) as copied:
        for change in ("UPDATE stored_events SET state = '{}'", "UPDATE stored_events SET state = 'x'", cut):
            with copied.tamper() as conn:
                conn.execute(change.encode())
            with pytest.raises(UnreadableEvent, match="is missing" if change == cut else "does not say when"):
                sealed(copied, tmp_path, "2026-03-08")


def test_F21_a_seal_that_names_no_zone_is_no_seal(story: Database, tmp_path: Path) -> None:
    seal = sealed(story, tmp_path, "2026-03-08")
    with sealing(story, tmp_path) as sealer:
        for zone in ("America", "../../etc/passwd", "Nowhere/At_All", ""):
            sealer.path(date(2026, 3, 8)).write_text(json.dumps({**seal, "zone": zone}))
            with pytest.raises(Invalid):
                sealer.seal(date(2026, 3, 8), LATER, lambda _: None)
