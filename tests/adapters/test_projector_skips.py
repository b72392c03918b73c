"""An event that a read model can never take is passed over only when an operator has recorded that (F11)."""

from __future__ import annotations

import json
from functools import partial
from threading import Event

import psycopg
import pytest

from adapters.projector import Projector, SkipRefused, compare_models, dump_hash, rebuild, skip, skips
from domain.views import MODELS
from domain.wallets.events import Deposited
from tests.adapters.projecting import all_at, catch_up, positions, running, until
from tests.adapters.view_log import append
from tests.domain.views.story import Story
from tests.postgres import Database
from tests.store.commands import studbook

READERS = sorted(name for name, model in MODELS.items() if Deposited in model.reads)


@pytest.fixture
def poison(database: Database) -> int:
    """The position of a deposit whose bytes are broken; one more event follows it."""
    story = Story().open_house()
    with database.connect("writer") as conn:
        at = append(conn, story.told)
        with database.tamper() as admin:
            admin.execute("UPDATE stored_events SET state = '{' WHERE notification_id = %s", [at])
        known = len(story.told)
        story.deposit("ann", 5)
        append(conn, story.told[known:])
    catch_up(database)
    return at


def pass_over(database: Database, model: str, at: int) -> str:
    with database.connect("projector") as conn:
        return skip(conn, model, at, decided_by="lee", reason="ticket 77")


def test_F11_a_recorded_skip_lets_one_model_go_on_and_no_other(database: Database, poison: int) -> None:
    first, *others = READERS
    fault = pass_over(database, first, poison)
    assert fault.startswith(f"position {poison}: ")
    catch_up(database)
    found = positions(database)
    assert found[first] > poison
    assert {found[name] for name in others} == {poison - 1}
    with database.connect("projector") as conn:
        (record,) = skips(conn)
    assert (record.model, record.position, record.decided_by) == (first, poison, "lee")
    assert (record.reason, record.fault) == ("ticket 77", fault)


def test_F11_I6_a_rebuild_passes_over_the_same_events(database: Database, poison: int) -> None:
    for name in READERS:
        pass_over(database, name, poison)
    catch_up(database)
    with database.connect("projector") as conn:
        before = {name: dump_hash(conn, name) for name in MODELS}
        assert compare_models(conn) == []
        rebuild(conn)
        assert {name: dump_hash(conn, name) for name in MODELS} == before


def test_F11_a_running_projector_goes_on_at_once_whatever_its_pause(database: Database, poison: int) -> None:
    now = [0.0]  # time stands still, so that no pause ever ends
    with running(Projector(database.conninfo("projector"), Event(), clock=lambda: now[0])):
        for name in READERS:
            pass_over(database, name, poison)
        until(partial(all_at, database, poison + 1), seconds=10)


def test_F11_only_the_event_that_stops_a_model_can_be_skipped(database: Database, poison: int) -> None:
    going = next(name for name in MODELS if name not in READERS)
    for model, position, fault in ((READERS[0], poison + 1, "is stopped before"), (going, poison, "is not stopped")):
        with pytest.raises(SkipRefused, match=fault):
            pass_over(database, model, position)
    with pytest.raises(KeyError):
        pass_over(database, "balanzes", poison)
    pass_over(database, READERS[0], poison)
    catch_up(database)
    with pytest.raises(SkipRefused, match="is not stopped"):
        pass_over(database, READERS[0], poison)


def test_F11_a_stored_row_that_cannot_be_read_is_rebuilt_and_no_event_is_passed_over(database: Database) -> None:
    story = Story().open_house()
    with database.connect("writer") as conn:
        at = append(conn, story.told)
        catch_up(database)
        with database.tamper() as admin:
            admin.execute("UPDATE view_rows SET body = '{}' WHERE model = 'balances'")
        known = len(story.told)
        story.deposit("ann", 5)
        append(conn, story.told[known:])
    catch_up(database)
    assert positions(database)["balances"] == at
    with pytest.raises(SkipRefused, match="studbook rebuild balances"):
        pass_over(database, "balances", at + 1)
    with database.connect("projector") as conn:
        rebuild(conn, ["balances"])
        assert skips(conn) == []
        assert compare_models(conn) == []


def test_F11_an_event_that_this_program_can_take_is_not_passed_over(database: Database) -> None:
    story = Story().open_house()
    with database.connect("writer") as conn:
        at = append(conn, story.told)
    with database.tamper() as admin:
        (whole,) = admin.execute("SELECT state FROM stored_events WHERE notification_id = %s", [at]).fetchall()
        admin.execute("UPDATE stored_events SET state = '{' WHERE notification_id = %s", [at])
        catch_up(database)
        admin.execute("UPDATE stored_events SET state = %s WHERE notification_id = %s", [whole[0], at])
    with pytest.raises(SkipRefused, match="can take position"):
        pass_over(database, READERS[0], at)
    catch_up(database)
    assert all_at(database, at)


@pytest.mark.parametrize("change", ["DELETE FROM view_skips", "UPDATE view_skips SET reason = 'none'"])
@pytest.mark.parametrize("role", ["projector", "owner"])
def test_F11_the_record_of_a_skip_is_never_taken_back(database: Database, poison: int, change: str, role: str) -> None:
    pass_over(database, READERS[0], poison)
    with database.connect(role) as conn, pytest.raises(psycopg.Error):
        conn.execute(change)


def test_F11_the_command_line_records_and_lists_skips(database: Database, poison: int) -> None:
    assert studbook(database, "skip").stdout == "no event was ever skipped\n"
    words = ("skip", READERS[0], str(poison), "--by", "lee", "--reason", "ticket 77", "--json")
    done = json.loads(studbook(database, *words).stdout)["skipped"]
    assert (done["model"], done["position"], done["by"], done["reason"]) == (READERS[0], poison, "lee", "ticket 77")
    again = studbook(database, *words)
    catch_up(database)
    (line,) = json.loads(studbook(database, "skip", "--json").stdout)["skips"]
    assert {**done, "at": line["at"]} == line
    assert again.returncode == 2
    assert len(again.stderr.splitlines()) == 1


def test_F11_verify_names_what_is_passed_over_so_that_nobody_takes_such_reads_for_whole(
    database: Database, poison: int
) -> None:
    pass_over(database, READERS[0], poison)
    told = json.loads(studbook(database, "verify", "--json").stdout)
    assert told["skips"] == [{"model": READERS[0], "position": poison, "by": "lee"}]
    line = next(one for one in studbook(database, "verify").stdout.splitlines() if one.startswith("skipped"))
    assert line == f"skipped  position {poison} by {READERS[0]}, whose reads lack it; lee: ticket 77"


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("balances",), "--by takes"),
        (("balances", "--by", "lee"), "--reason takes"),
        (("balances", "--by", "lee", "--reason", " "), "--reason takes"),
        (("balances", "--by", "lee", "--reason", "x"), "name the position"),
        (("balanzes", "7", "--by", "lee", "--reason", "x"), "no read model of that name"),
        (("balances", "7", "--by", "lee", "--reason", "x"), "balances is not stopped"),
        (("balances", "0", "--by", "lee", "--reason", "x"), "position"),
    ],
)
def test_a_wrong_skip_is_one_line_that_names_the_fault(database: Database, words: tuple[str, ...], fault: str) -> None:
    catch_up(database)
    done = studbook(database, "skip", *words)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert fault in line
