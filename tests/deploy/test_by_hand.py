"""The commands of compose.yaml, run one after the other with the environment that each container would have."""

from __future__ import annotations

from pathlib import Path

import httpx2
import psycopg
import pytest

from adapters.database.settings import Role, database_settings
from tests.deploy.files import DEPLOY
from tests.deploy.installation import Installation, bare, psql


def test_services_started_as_compose_starts_them_take_a_wager_and_stop(installed: Installation) -> None:
    player = installed.play()
    headers = {"Authorization": f"Bearer {installed.key}"}
    answer = httpx2.get(f"{installed.url}/v1/players/{player}/balance?min_position=1", headers=headers, timeout=120)
    assert (answer.status_code, answer.json()["player"]) == (200, player)


@pytest.mark.parametrize("role", list(Role))
def test_every_login_needs_its_password_over_tcp(installed: Installation, role: Role) -> None:
    settings = database_settings(installed.environ["STUDBOOK_DATABASE_URL"], {role.password_variable: "wrong"})
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(settings.conninfo(role))
    right = database_settings(installed.environ["STUDBOOK_DATABASE_URL"], installed.environ)
    with psycopg.connect(right.conninfo(role)) as conn:
        assert conn.execute("SELECT current_user").fetchone() == (role.login,)


def test_the_logins_are_made_again_without_their_passwords_and_a_new_one_is_refused_without_its_own(
    installed: Installation, tmp_path: Path
) -> None:
    roles = DEPLOY / "database" / "roles.sql"
    for_one_more = tmp_path / "roles.sql"
    text = roles.read_text("utf-8")
    for_one_more.write_text(
        text.replace("('backup',", "('spare',").replace("studbook_backup'", "studbook_spare'"), "utf-8"
    )
    known = {role.password_variable: installed.environ.pop(role.password_variable) for role in Role}
    try:
        again = psql(installed, "--file", str(roles))
        refused = psql(installed, "--file", str(for_one_more))
    finally:
        installed.environ.update(known)
    assert (again.returncode, again.stderr) == (0, "")
    assert refused.returncode != 0
    assert "give the new login studbook_spare a password: set STUDBOOK_SPARE_PASSWORD" in refused.stderr
    listed = psql(installed, "--tuples-only", "--command", "SELECT count(*) FROM pg_roles WHERE rolname ~ 'spare'")
    assert listed.stdout.strip() == "0"


def test_each_part_refuses_to_start_before_its_turn_and_says_what_is_missing() -> None:
    with bare() as made:
        # given no schema, serve says what to run
        early = made.run("serve")
        assert (early.returncode, early.stdout) == (2, "")
        assert "studbook migrate" in early.stderr.splitlines()[-1]
        # migrate is done once; again it has nothing to do
        first, second = made.run("migrate"), made.run("migrate")
        assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
        assert second.stdout == "the schema is up to date\n"
        # and a card key that is none is named, not shown
        made.environ["STUDBOOK_CARD_KEY"] = "short"
        wrong = made.run("serve")
        assert wrong.returncode == 2
        assert "STUDBOOK_CARD_KEY" in wrong.stderr.splitlines()[-1]
        assert made.environ["STUDBOOK_WRITER_PASSWORD"] not in wrong.stderr
