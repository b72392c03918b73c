"""A bundle loaded into an empty store is the same log, byte for byte, and goes on; a broken one loads nothing."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from adapters.bundle import Manifest, write_bundle
from adapters.event_store import PostgresLog
from adapters.keys import ensure_operator
from api.main.moving import import_bundle
from domain.errors import Invalid
from services import commands as c
from services.chain import Fault
from tests.domain.showdowns import EURO, LIVE
from tests.postgres import Database, new_database
from tests.store.commands import environment, studbook
from tests.store.support import Ask, assert_sound, events_of, shop_of
from tests.support.casino import Casino, Play

OLD = Ask(c.DepositFunds("ann", 900, "EUR", "bank é 1"), "key-1")
MADE_AT = datetime(2026, 11, 30, tzinfo=UTC)
TABLES = ("stored_events", "idempotency", "operators", "view_skips")


async def _told(database: Database) -> None:
    log = PostgresLog(database.conninfo("writer"))
    async with Casino(log) as casino:
        for player in ("ann", "bob"):
            await casino.player(player, "EUR", deposit=100_000)
        await casino.jackpot("j", EURO)
        await casino.table("live", LIVE)
        await casino.table("euro", EURO, jackpot="j")
        await casino.played("euro", {"ann": Play(1, "Ac Qc 9c 7c 5c"), "bob": Play(2, call=False)})
        await casino.void(await casino.played("live", {"ann": Play()}))
        await casino.bets_closed("euro", {"bob": Play(3)})
    await log.aclose()
    async with shop_of(database.conninfo("writer")) as shop:
        (outcome,) = await shop.ask_all([OLD])
        assert outcome.code == "OK"


@pytest.fixture(scope="module")
def story(cluster: object, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, Path]]:
    """A database, and its bundle."""
    with new_database(cluster, template) as made:  # type: ignore[arg-type]  # the fixture's type is of another module
        asyncio.run(_told(made))
        with made.connect("writer") as conn, made.tamper() as root:
            ensure_operator(conn, "op", "named")
            root.execute(
                "INSERT INTO view_skips (model, position, decided_by, reason, fault) VALUES"
                " ('balances', 5, 'who', 'wegen ★', 'x')"
            )
        path = tmp_path_factory.mktemp("bundle") / "log.bundle.gz"
        with made.connect("backup") as conn:
            write_bundle(conn, path, software="1", made_at=MADE_AT)
        yield made, path


@pytest.fixture
def fresh(story: tuple[Database, Path], template: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """An empty store, to which this process has the passwords."""
    with new_database(story[0].cluster, template) as made:
        for name, value in {**environment(made), "STUDBOOK_DATABASE_URL": made.settings.url}.items():
            monkeypatch.setenv(name, value)  # the URL too, which the command sets for its children
        yield made


def loaded(database: Database, path: Path) -> tuple[Manifest, Fault | None]:
    return import_bundle(database.settings.url, None, path, lambda *_: None)


def rows(database: Database, table: str) -> list[tuple[object, ...]]:
    with psycopg.connect(database.superuser) as conn:
        return conn.execute(f"SELECT * FROM studbook.{table} ORDER BY 1, 2, 3".encode()).fetchall()


async def test_bug_036_positions_continue_after_a_bundle_is_loaded(
    story: tuple[Database, Path], fresh: Database
) -> None:
    source, path = story
    # when the bundle is loaded
    manifest, fault = loaded(fresh, path)
    # then every row is the same, and the chain holds
    assert fault is None
    for table in TABLES:
        assert rows(fresh, table) == rows(source, table), table
    last = rows(source, "stored_events")
    assert manifest.events == manifest.position == len(last)
    assert_sound(fresh)
    # and a request that is sent again gets its first answer, the next one the next positions
    async with shop_of(source.conninfo("writer")) as old, shop_of(fresh.conninfo("writer")) as new:
        (first,), (again,) = await old.ask_all([OLD]), await new.ask_all([OLD])
        assert (again.body, again.replayed, again.position) == (first.body, True, first.position)
        (after,) = await new.ask_all([Ask(c.DepositFunds("ann", 100, "EUR", "bank-2"), "key-2")])
    assert after.code == "OK"
    assert [one.position for one in events_of(fresh, manifest.position)] == [
        manifest.position + 1,
        manifest.position + 2,
    ]
    assert_sound(fresh)


def test_a_store_that_is_not_empty_takes_no_bundle(story: tuple[Database, Path], fresh: Database) -> None:
    loaded(fresh, story[1])
    with pytest.raises(Invalid, match="not empty"):
        loaded(fresh, story[1])


def test_a_bundle_made_from_the_same_log_has_the_same_bytes_whatever_the_session(
    story: tuple[Database, Path], tmp_path: Path
) -> None:
    with story[0].connect("backup") as conn:
        conn.execute("SET timezone = 'Pacific/Chatham'")
        write_bundle(conn, tmp_path / "again.gz", software="1", made_at=MADE_AT)
    assert (tmp_path / "again.gz").read_bytes() == story[1].read_bytes()
    assert list(tmp_path.iterdir()) == [tmp_path / "again.gz"]


def event_at(lines: list[bytes], position: int) -> int:
    return next(nth for nth, line in enumerate(lines) if line.startswith(b'{"event":%d,' % position))


def change(lines: list[bytes]) -> None:
    nth = event_at(lines, 9)
    made = json.loads(lines[nth])
    made["state"] = made["state"][:-8] + "AAAA" + made["state"][-4:]
    lines[nth] = json.dumps(made).encode() + b"\n"


def leave_out(lines: list[bytes]) -> None:
    del lines[event_at(lines, 9)]


@pytest.mark.parametrize("spoil", [change, leave_out])
def test_F21_a_bundle_whose_chain_does_not_hold_is_refused_at_its_first_bad_position(
    story: tuple[Database, Path], fresh: Database, tmp_path: Path, spoil: Callable[[list[bytes]], None]
) -> None:
    lines = gzip.decompress(story[1].read_bytes()).splitlines(keepends=True)
    spoil(lines)
    (tmp_path / "spoiled").write_bytes(b"".join(lines))
    _, fault = loaded(fresh, tmp_path / "spoiled")
    assert fault is not None
    assert fault.position == 9
    assert rows(fresh, "stored_events") == rows(fresh, "idempotency") == []


def record_changed(packed: bytes) -> bytes:
    return gzip.compress(gzip.decompress(packed).replace(b'"status":201', b'"status":202', 1))


def manifest_gone(packed: bytes) -> bytes:
    return gzip.compress(b"".join(gzip.decompress(packed).splitlines(keepends=True)[:-1]))


def more_behind(packed: bytes) -> bytes:
    return gzip.compress(gzip.decompress(packed) + b'{"operator":"x","four_eyes":"named","created_at":"x"}\n')


def unknown_line(packed: bytes) -> bytes:
    return gzip.compress(gzip.decompress(packed).replace(b'{"record":', b'{"rekord":', 1))


def other_form(packed: bytes) -> bytes:
    return gzip.compress(gzip.decompress(packed).replace(b"studbook-bundle/1", b"studbook-bundle/9", 1))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (record_changed, "changed or damaged"),
        (manifest_gone, "cut off"),
        (more_behind, "goes on behind its end"),
        (unknown_line, "no line of a bundle"),
        (other_form, "another form"),
        (lambda packed: packed[:-200], "cut off"),
        (lambda packed: packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:], "damaged"),
        (lambda _: b"", "cut off"),
        (lambda _: b"[]\n", "no line of a bundle"),
    ],
)
def test_a_bundle_that_was_changed_or_cut_on_the_way_loads_nothing(
    story: tuple[Database, Path], fresh: Database, tmp_path: Path, spoil: Callable[[bytes], bytes], says: str
) -> None:
    (tmp_path / "b").write_bytes(spoil(story[1].read_bytes()))
    with pytest.raises(Invalid) as refused:
        loaded(fresh, tmp_path / "b")
    assert says in refused.value.detail
    assert rows(fresh, "stored_events") == rows(fresh, "idempotency") == rows(fresh, "view_skips") == []


def test_the_command_tells_what_it_loaded_and_bad_input_in_one_line(
    story: tuple[Database, Path], fresh: Database, tmp_path: Path
) -> None:
    missing = studbook(fresh, "import", str(tmp_path / "none"))
    assert (missing.returncode, missing.stdout, len(missing.stderr.splitlines())) == (2, "", 1)
    done = studbook(fresh, "import", str(story[1]), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    head = rows(story[0], "stored_events")
    assert (told["ok"], told["events"]) == (True, len(head))
