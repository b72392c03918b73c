"""Steps that move rows of the read models: what they leave is what the log says."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import Connection

from adapters.database.connections import connect
from adapters.database.locks import PROJECTOR_LOCK
from adapters.database.steps import STEPS
from adapters.projector import compare_models, dump_hash
from domain.views import MODELS
from tests.adapters.projecting import catch_up
from tests.adapters.view_log import append
from tests.domain.views.plots import one_of_everything, random_story
from tests.postgres import Database

(ONE_PLAY,) = (step for step in STEPS if step.name == "parts in rounds stored once")
AS_BEFORE = (
    "INSERT INTO view_rows SELECT 'rounds', generation, operator, grp, key,"
    " convert_to(convert_from(body, 'UTF8')::json ->> 'play', 'UTF8')"
    " FROM view_rows WHERE model = 'histories' AND grp LIKE 'seat/%'",
    "UPDATE view_rows SET grp = 'round/' || key, key = substr(grp, 6) WHERE model = 'histories' AND grp LIKE 'seat/%'",
)
"""What the program before the step had stored of the same log."""


def hashes(database: Database) -> dict[str, str]:
    with database.connect("projector") as conn:
        return {name: dump_hash(conn, name) for name in MODELS}


def differing(database: Database) -> set[str]:
    """Models whose rows are not what the log says."""
    with database.connect("projector") as conn:
        return {one.model for one in compare_models(conn, limit=10_000)}


def folded_before(database: Database) -> dict[str, str]:
    """Two operators' log in the rows of the older program; the hashes of today's."""
    with database.connect("writer") as conn:
        append(conn, one_of_everything().told)
        append(conn, random_story(7, operator="other").told)
    catch_up(database)
    wanted = hashes(database)
    with database.tamper() as conn:
        for statement in AS_BEFORE:
            assert conn.execute(statement.encode()).rowcount > 0
    return wanted


def moved(conn: Connection) -> None:
    """The step on the owner's connection, wholly or not at all."""
    with conn.transaction():
        ONE_PLAY.run(conn)


def test_parts_in_rounds_move_to_their_one_place_and_nothing_is_folded_anew(database: Database) -> None:
    wanted = folded_before(database)
    assert differing(database) == {"rounds", "histories"}
    with connect(database.conninfo("owner")) as conn:
        moved(conn)
        assert conn.execute("SELECT count(*) FROM studbook.view_rows").fetchone() == (0,)  # none for the owner again
    assert hashes(database) == wanted
    assert differing(database) == set()


def test_rows_do_not_move_under_a_projector_that_would_go_on_at_the_old_places(database: Database) -> None:
    wanted = folded_before(database)
    with database.connect("projector") as projector, connect(database.conninfo("owner")) as conn:
        projector.execute("SELECT pg_advisory_lock(%s)", [PROJECTOR_LOCK])
        with pytest.raises(psycopg.errors.RaiseException, match="end it first"):
            moved(conn)
        assert differing(database) == {"rounds", "histories"}
        projector.execute("SELECT pg_advisory_unlock(%s)", [PROJECTOR_LOCK])
        moved(conn)
    assert hashes(database) == wanted
