"""`studbook replay` over a real log: every round is found whole, and what was forged in it is named (F21, R26)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from psycopg import Connection

from adapters.codec import CODEC
from adapters.embedded import Cluster
from adapters.event_store import LogReader, PostgresLog
from adapters.event_store.rows import recorded
from api.cli import main
from api.main import replaying
from api.main.place import Place
from api.main.replaying import Ask, replay_range
from api.main.round_reader import RoundReader
from domain.chain import RawEvent
from domain.seats.events import SeatSettled, WagerKind
from domain.wallets.events import StakesSettled
from services.calendar import gaming_day
from services.replay.selecting import Where
from services.replay.story import RoundStory
from tests.adapters.projecting import catch_up
from tests.postgres import Database as Made
from tests.postgres import new_database
from tests.store.commands import environment, studbook
from tests.store.support import audit_of
from tests.store.test_tampered_log import chain_anew, rows_of, set_state
from tests.support.evening import evening_on
from tests.support.replayed import stories_of

Rounds = dict[str, str]
UTC_ZONE = ZoneInfo("UTC")


@pytest.fixture(scope="module")
def played(cluster: Cluster, template: str) -> Iterator[tuple[Made, Rounds]]:
    """The evening on a real store."""
    with new_database(cluster, template) as made:
        rounds = asyncio.run(_played(made))
        catch_up(made)
        yield made, rounds


async def _played(made: Made) -> Rounds:
    log = PostgresLog(made.conninfo("writer"))
    try:
        return await evening_on(log)
    finally:
        await log.aclose()


@pytest.fixture
def copied(played: tuple[Made, Rounds]) -> Iterator[Made]:
    """A copy to tamper with."""
    with new_database(played[0].cluster, played[0].name) as made:
        yield made


def point_at(database: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of a command on this database, as it was before when the test is over: a command sets some of it
    itself.
    """
    for name, value in {**environment(database), "STUDBOOK_DATABASE_URL": database.settings.url}.items():
        monkeypatch.setenv(name, value)


Told = Callable[..., tuple[int, Any]]
"""Exit code and JSON of `studbook replay` with some arguments."""


@pytest.fixture
def told(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """The command on the database of the test, in this process."""
    database = request.getfixturevalue("copied" if "copied" in request.fixturenames else "played")
    made: Made = database if isinstance(database, Made) else database[0]
    point_at(made, monkeypatch)

    def run(*arguments: str) -> tuple[int, Any]:
        with pytest.raises(SystemExit) as left:
            main(["replay", *arguments, "--json", "--database-url", made.settings.url])
        assert isinstance(left.value.code, int)
        out = capsys.readouterr().out if left.value.code != 2 else ""
        return left.value.code, json.loads(out) if out else None

    return run


def everywhere(_operator: str, _opened: object) -> bool:
    return True


def comparable(story: RoundStory) -> tuple[str, tuple[int, ...], object]:
    return story.round, story.positions, story.terms_at_close


@pytest.mark.parametrize("stretch", [3, 60, 100_000])
def test_rounds_are_found_whole_however_the_log_is_cut(played: tuple[Made, Rounds], stretch: int) -> None:
    database, _ = played
    with database.connect("projector") as conn:
        events = list(LogReader(conn).events())
        reader, found = RoundReader(conn), []
        for after in range(0, len(events), stretch):
            found += reader.stories(after, min(after + stretch, len(events)), everywhere)
    assert list(map(comparable, found)) == list(map(comparable, stories_of(events)))
    assert reader.unread == []


def ranged(database: Made, monkeypatch: pytest.MonkeyPatch, ask: Ask, processes: int = 1) -> replaying.Ranged:
    point_at(database, monkeypatch)
    return replay_range(Place(database.settings.url, None), ask, processes, lambda *_: None)


def test_two_processes_count_what_one_counts(played: tuple[Made, Rounds], monkeypatch: pytest.MonkeyPatch) -> None:
    database, rounds = played
    ask = Ask(Where(), UTC_ZONE, "dollar-jackpot-v1", is_listed=True)
    alone = ranged(database, monkeypatch, ask)
    monkeypatch.setattr(replaying, "ALONE", 0)
    monkeypatch.setattr(replaying, "STRETCH", 100)
    both = ranged(database, monkeypatch, ask, processes=2)
    assert (alone.processes, both.processes) == (1, 2)
    assert both.tally == alone.tally
    assert both.otherwise == alone.otherwise
    assert (alone.tally.rounds, alone.tally.equal) == (len(rounds), True)
    assert {one.round for one in alone.tally.listed} == set(rounds.values())


def forged(database: Made, kind: type[Any], changed: dict[str, Any], *, player: str = "ann") -> RawEvent:
    """The player's last event of a class, re-encoded with other values."""
    found = [row for row in rows_of(database) if isinstance(_of(row).event, kind)]
    row = [one for one in found if getattr(_of(one).event, "player", "") == player][-1]
    one = _of(row)
    event = replace(one.event, **changed)
    _, state = CODEC.encode(event, one.meta, one.entry, one.recorded_at)
    with database.tamper() as conn:
        set_state(conn, row, state)
    return row


def _of(row: RawEvent) -> Any:
    return recorded(row.position, row.stream, row.version, row.name, row.state)


def last_result(database: Made, kind: type[Any]) -> Any:
    events = [one.event for one in map(_of, rows_of(database))]
    return [one for one in events if isinstance(one, kind) and one.player == "ann"][-1]


def paid_more(event: SeatSettled, minor: int) -> dict[str, Any]:
    """The same result with more paid on the ante."""
    results = tuple(
        replace(one, payout_minor=one.payout_minor + minor) if one.kind is WagerKind.ANTE else one
        for one in event.results
    )
    return {"results": results, "returned_minor": event.returned_minor + minor, "net_minor": event.net_minor + minor}


@pytest.mark.parametrize("is_rechained", [False, True], ids=["as it is", "with the chain made anew"])
def test_F21_a_forged_payout_is_found_by_replay_by_the_ledger_and_by_the_chain(
    copied: Made, told: Told, is_rechained: bool
) -> None:
    row = forged(copied, SeatSettled, paid_more(last_result(copied, SeatSettled), 7_000))
    if is_rechained:
        with copied.tamper() as conn:
            chain_anew(copied, conn)
    first = audit_of(copied).findings[0]
    assert first.check == ("ledger" if is_rechained else "chain")
    assert first.position in {
        row.position,
        row.position + is_rechained,
    }  # the ledger's is that of the entry's last event
    code, report = told("--all")
    assert (code, report["ok"]) == (1, False)
    (round_,) = report["differing"]
    ante = next(one for one in round_["differences"] if one["kind"] == "ANTE")
    assert (ante["position"], ante["player"], ante["seat"]) == (row.position, "ann", 1)
    assert (ante["expected"], ante["recorded"]) == (2_000, 9_000)


def test_F21_a_forgery_that_keeps_every_sum_and_every_hash_is_found_by_replay_alone(copied: Made, told: Told) -> None:
    before = len(audit_of(copied).findings)
    row = forged(copied, SeatSettled, paid_more(last_result(copied, SeatSettled), 7_000))
    money = last_result(copied, StakesSettled)
    changed = {"payout_minor": money.payout_minor + 7_000, "available_after_minor": money.available_after_minor + 7_000}
    forged(copied, StakesSettled, changed)
    with copied.tamper() as conn:
        chain_anew(copied, conn)
    assert (before, audit_of(copied).findings) == (0, ())
    _, report = told("--all")
    (round_,) = report["differing"]
    assert [(one["kind"], one["position"]) for one in round_["differences"]] == [("ANTE", row.position)]


def test_an_event_that_cannot_be_read_is_named_and_the_other_rounds_are_replayed(
    copied: Made, played: tuple[Made, Rounds], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = next(one for one in rows_of(copied) if isinstance(_of(one).event, SeatSettled))
    with copied.tamper() as conn:
        set_state(conn, row, b'{"round":"x"')
    tally = ranged(copied, monkeypatch, Ask(Where(), UTC_ZONE)).tally
    assert [one.position for one in tally.unread] == [row.position]
    assert (tally.rounds, tally.found, tally.equal) == (len(played[1]) - 1, 0, False)


def test_a_round_is_replayed_by_its_id_and_by_its_game_number(played: tuple[Made, Rounds]) -> None:
    database, rounds = played
    done = studbook(database, "replay", rounds["awards"], "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["replay"], found["equal"], found["phase"]) == (0, True, True, "SETTLED")
    again = studbook(database, "replay", found["game_number"], COLUMNS="160")
    assert again.returncode == 0
    for text in ("REPLAY", "bob bets 10.00 on ANTE and 0.50 on PROGRESSIVE", "equal to the cent", "A♦"):
        assert text in again.stdout


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("no-such-round",), "round"), (("--all", "--operator", "nobody"), "operator"), ((), "ROUND"),
        (("--all", "--hand", "SEVEN_ACES"), "hand"), (("--all", "--from", "yesterday"), "from"),
        (("--as", "none-v1"), "ruleset"), (("x", "--all"), "ROUND"), (("--list", "--operator", "a/b"), "operator"),
        (("--all", "--from", "2026-12-01", "--to", "2026-11-01"), "to"),
    ],
)  # fmt: skip
def test_what_is_asked_wrongly_is_told_in_one_line_that_names_the_field(
    told: Told, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], word: str
) -> None:
    code, shown = told(*arguments)
    error = capsys.readouterr().err
    assert (code, shown, len(error.splitlines())) == (2, None, 1)
    assert word in error


def head(conn: Connection) -> Any:
    return LogReader(conn).head()


def test_rounds_are_chosen_by_their_opening_and_their_hands(
    played: tuple[Made, Rounds], monkeypatch: pytest.MonkeyPatch
) -> None:
    database, rounds = played
    with database.connect("projector") as conn:
        before = head(conn)

    def chosen(**conditions: Any) -> set[str]:
        tally = ranged(database, monkeypatch, Ask(Where(**conditions), UTC_ZONE, is_listed=True)).tally
        return {next(name for name, round_id in rounds.items() if round_id == one.round) for one in tally.listed}

    assert chosen(ruleset="live-5plus1-v1") == {"side", "cancelled"}
    assert chosen(hand="ROYAL_FLUSH") == {"awards"}
    assert chosen(hand="STRAIGHT_FLUSH", table="euro") == set()
    assert chosen(jackpot_hit=True, table="dollar") == {"voided", "part"}
    assert chosen(dealer_hand="PAIR", table="euro") == set()
    assert chosen(version="0.0.0", table="shoe") == {"shuffled"}
    assert chosen(version="1.0.0") == set()
    later = datetime(2026, 1, 2, 3, 30, tzinfo=UTC)
    assert chosen(end=later) == {"awards", "side", "absent"}
    assert chosen(begin=later) == rounds.keys() - {"awards", "side", "absent"}
    assert chosen(begin=later, end=later) == set()
    with database.connect("projector") as conn:
        assert head(conn) == before


def test_gaming_days_are_those_of_the_zone(played: tuple[Made, Rounds], monkeypatch: pytest.MonkeyPatch) -> None:
    database, _ = played
    ask = Ask(Where(ruleset="euro-progressive-v1"), UTC_ZONE, "land-progressive-v1")
    otherwise = ranged(database, monkeypatch, ask).otherwise
    with database.connect("projector") as conn:
        opened = [story.opened.opened_at for story in stories_of(list(LogReader(conn).events()))]
    assert {key.day for key in otherwise.days} <= {gaming_day(at, UTC_ZONE) for at in opened}
