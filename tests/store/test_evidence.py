"""`studbook evidence` and `studbook verify FILE` over a real log: packs, the proof of a sealed day, a PHH view."""

from __future__ import annotations

import asyncio
import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest

from adapters.anchors.file import AnchorFile
from adapters.anchors.folder import Folder
from adapters.anchors.following import Follower
from adapters.anchors.leaves import leaves_path
from adapters.embedded import Cluster
from adapters.event_store import PostgresLog
from adapters.keys import ensure_operator
from adapters.vault import to_base64url
from api.cli import main
from api.fields import EXPONENTS
from api.main.evidence_reads import FolderOutside
from api.main.pack_check import check_document
from api.reads.common import Evidence
from api.reads.evidence import made_pack
from services.queries import Reads, Turn
from services.queries.evidence import evidence_page
from tests.adapters.viewing import StillClock, opened
from tests.postgres import Database, new_database
from tests.store.commands import environment
from tests.support.evening import evening_on
from tests.support.packs import SIGNER

KEY = to_base64url(hashlib.sha256(b"evidence").digest())


class Run(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


Told = Callable[..., Run]


@pytest.fixture(scope="module")
def played(cluster: Cluster, template: str) -> Iterator[tuple[Database, dict[str, str]]]:
    """The evening on a real store."""
    with new_database(cluster, template) as made:
        rounds = asyncio.run(_played(made))
        with made.connect("writer") as conn:
            ensure_operator(conn, "op", "named")
        yield made, rounds


async def _played(made: Database) -> dict[str, str]:
    log = PostgresLog(made.conninfo("writer"))
    try:
        return await evening_on(log)
    finally:
        await log.aclose()


@pytest.fixture
def told(
    played: tuple[Database, dict[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> Told:
    """A command on the database, in this process."""
    for name, value in {**environment(played[0]), "STUDBOOK_DATABASE_URL": played[0].settings.url}.items():
        monkeypatch.setenv(name, value)  # a command sets some of it itself
    monkeypatch.setenv("STUDBOOK_EVIDENCE_KEY", KEY)
    monkeypatch.setenv("STUDBOOK_ANCHOR_DIR", str(tmp_path / "anchors"))

    def run(*arguments: str, database: bool = True) -> Run:
        where = ["--database-url", played[0].settings.url] if database else []
        with pytest.raises(SystemExit) as left:
            main([*arguments, *where])
        assert isinstance(left.value.code, int)
        out = capfdbinary.readouterr()
        return Run(left.value.code, out.out.decode(), out.err.decode())

    return run


def checks(found: Run) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(found.out)["checks"]
    return made


def test_R26_a_pack_is_written_and_checked_without_a_database(
    played: tuple[Database, dict[str, str]], told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, keys = str(tmp_path / "pack.json"), str(tmp_path / "keys.jwks")
    assert told("evidence", played[1]["shuffled"], "--output", file).code == 0
    assert told("evidence", "--public-keys", "--output", keys).code == 0
    monkeypatch.setenv("STUDBOOK_DATABASE_URL", "postgresql://nowhere.invalid/nothing")
    shown = told("verify", file, "--anchor-keys", keys, database=False)
    assert (shown.code, shown.out.count("     ok  "), shown.out.count("   none  ")) == (0, 9, 2)
    assert "compare that name" in shown.out
    found = told("verify", file, "--json", database=False)
    assert checks(found)["day"] is None
    assert json.loads(found.out)["ok"] is True


def test_the_proof_of_a_sealed_day_is_in_the_pack(
    played: tuple[Database, dict[str, str]], told: Told, tmp_path: Path
) -> None:
    file = tmp_path / "pack.json"
    day = json.loads(told("evidence", played[1]["side"]).out)["opened_at"][:10]
    assert told("seal", "--operator", "op", "--day", day).code == 0
    assert told("evidence", played[1]["side"], "--output", str(file)).code == 0
    assert checks(told("verify", str(file), "--json", database=False))["day"] is True
    document = json.loads(file.read_text())
    other = json.loads(told("evidence", played[1]["awards"]).out)
    assert document["day_proof"]["inclusion"]["round"] == played[1]["side"]
    assert other["round"] not in file.read_text()
    file.write_text(json.dumps({**document, "day_proof": other["day_proof"]}))
    refused = told("verify", str(file), "--json", database=False)
    assert (refused.code, checks(refused)["signature"], checks(refused)["day"]) == (1, False, False)


@pytest.mark.parametrize("limit", [1, 50])
def test_F19_a_request_has_the_proof_of_its_sealed_day_and_anchors_without_any_other_login(
    played: tuple[Database, dict[str, str]], told: Told, tmp_path: Path, limit: int
) -> None:
    made, rounds = played
    folder = Folder(tmp_path / "anchors")
    assert asyncio.run(requested(made, rounds["side"], folder, limit))["day_proof"] is None
    day = json.loads(told("evidence", rounds["side"]).out)["opened_at"][:10]
    assert told("seal", "--operator", "op", "--day", day).code == 0
    noted(made, folder)
    document = asyncio.run(requested(made, rounds["side"], folder, limit))
    found = check_document(document, [SIGNER.public, *folder.public_keys()])
    assert [one for one in found.checks if one.reason is not None] == []
    assert [one.name for one in found.checks if not one.done] == ["meter"]
    assert found.anchored > 0
    assert document["day_proof"] == json.loads(told("evidence", rounds["side"]).out)["day_proof"]
    leaves_path(folder.path / "seals" / "op" / f"{day}.json").unlink()
    assert asyncio.run(requested(made, rounds["side"], folder, limit))["day_proof"] is None
    assert told("seal", "--operator", "op", "--day", day).code == 0, "which writes the leaves again"
    again = asyncio.run(requested(made, rounds["side"], folder, limit))
    assert again["day_proof"] == document["day_proof"]


async def requested(made: Database, round_id: str, folder: Folder, limit: int) -> dict[str, Any]:
    """The pack as a request makes it: on the login of requests alone."""
    async with opened(made) as views:
        reads = Reads(views, StillClock(), EXPONENTS)
        evidence = Evidence((SIGNER,), "0.1.0", FolderOutside(folder, ZoneInfo("UTC")))
        found = await evidence_page(reads, "op", round_id, Turn(limit))
        return await made_pack(reads, evidence, "auditor", found)


def noted(made: Database, folder: Folder) -> None:
    """Anchor the log as `studbook anchor` does."""
    file = AnchorFile.open(folder)
    assert file is not None
    with made.connect("projector") as conn:
        follower = Follower("", folder, folder.signers({})[0], lambda: "2026-11-30T12:00:00Z")
        assert follower.step(conn, file, is_last=True) == 0
    file.close()


def test_a_forged_pack_exits_1_and_a_file_that_is_none_2(
    played: tuple[Database, dict[str, str]], told: Told, tmp_path: Path
) -> None:
    file = tmp_path / "pack.json"
    document = json.loads(told("evidence", played[1]["awards"]).out)
    document["postings"][0]["amount_micro"] = "-1"
    file.write_text(json.dumps(document))
    shown = told("verify", str(file), database=False)
    assert (shown.code, shown.out.count(" FAILED  ")) == (1, 3)
    file.write_text(json.dumps({**document, "phase": 7}))
    assert told("verify", str(file), "--json", database=False).out.startswith('{"ok": false, "field": "phase"')
    file.write_text('{"type": "studbook-pack/1", "type": "studbook-pack/1"}')
    refused = told("verify", str(file), database=False)
    assert (refused.code, len(refused.err.splitlines())) == (2, 1)


def test_a_phh_shaped_view_says_that_it_is_none(played: tuple[Database, dict[str, str]], told: Told) -> None:
    found = told("evidence", played[1]["side"], "--format", "phh")
    view = tomllib.loads(found.out)
    assert (view["variant"], view["players"], view["_ruleset"]) == ("CSP", ["ann", "bob"], "live-5plus1-v1")
    assert "not standard PHH" in view["_notice"]
    assert view["actions"][0] == "d dh p1 4h4s9d8d7c"
    assert view["actions"][2:4] == ["p1 cbr 3000", "p2 f"]
    assert (view["antes"], view["_side_stakes"]) == ([1_500, 1_000], [500, 500])


def test_a_round_of_many_seats_has_several_files_and_each_holds(
    played: tuple[Database, dict[str, str]], told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.main.evidence.SEATS_MOST", 1)
    assert told("evidence", played[1]["side"], "--output", str(tmp_path / "pack.json")).code == 0
    files = sorted(tmp_path.glob("pack*.json"))
    assert [file.name for file in files] == ["pack-2.json", "pack.json"]
    found = [json.loads(file.read_text())["part"] for file in files]
    assert [(one["players"], one["first"], one["next"]) for one in found] == [
        (["bob"], False, None), (["ann"], True, "2"),
    ]  # fmt: skip
    assert [told("verify", str(file), database=False).code for file in files] == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["no-such-round"], "no-such-round"), ([], "ROUND"), (["x", "--format", "pdf"], "format")],
)
def test_what_cannot_be_answered_is_one_line(told: Told, arguments: list[str], said: str) -> None:
    found = told("evidence", *arguments)
    assert (found.code, len(found.err.splitlines()), said in found.err) == (2, 1, True)


def test_without_a_key_no_pack_is_made(
    played: tuple[Database, dict[str, str]], told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STUDBOOK_EVIDENCE_KEY")
    found = told("evidence", played[1]["side"])
    assert (found.code, "STUDBOOK_EVIDENCE_KEY" in found.err) == (2, True)
