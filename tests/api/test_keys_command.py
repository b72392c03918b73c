"""`studbook keys` and `studbook access`: an operator, its keys, who did what, and bad use in one line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from api.auth import key_id_of
from tests.api.test_cli import run
from tests.postgres import Database


@pytest.fixture
def beside(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A database of one's own, told by the environment, with a key for tokens and signatures."""
    settings = database.settings
    monkeypatch.setenv("STUDBOOK_DATABASE_URL", settings.url)
    for role, password in settings.passwords.items():
        monkeypatch.setenv(role.password_variable, password)
    monkeypatch.delenv("STUDBOOK_EMBEDDED_DIR", raising=False)
    monkeypatch.setenv("STUDBOOK_TOKEN_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    return database


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def test_an_operator_and_the_life_of_its_key(beside: Database, capsys: pytest.CaptureFixture[str]) -> None:
    made = told(capsys, "keys", "operator", "add", "north", "--four-eyes", "named", "--by", "ops-lee")
    assert made == {"operator": "north", "four_eyes": "named", "added": True}
    assert told(capsys, "keys", "operator", "add", "north")["added"] is False
    with beside.connect("writer") as conn:
        assert conn.execute("SELECT four_eyes FROM operators").fetchall() == [("named",)]
    first = told(
        capsys, "keys", "add", "till", "--operator", "north", "--role", "dealer", "--label", "till 7", "--signed"
    )
    assert key_id_of(first["key"]) == first["key_id"]
    assert first["signing_secret"].startswith("whsec_")
    second = told(capsys, "keys", "rotate", first["key_id"])
    assert (second["subject"], second["replaces"], second["signed"]) == ("till", first["key_id"], True)
    assert told(capsys, "keys", "revoke", first["key_id"])["subject"] == "till"
    listed = told(capsys, "keys", "list", "--operator", "north")["keys"]
    assert [(one["key_id"], one["revoked_at"] is None) for one in listed] == [
        (first["key_id"], False), (second["key_id"], True),
    ]  # fmt: skip
    assert first["key"] not in json.dumps(listed)
    lines = told(capsys, "access", "--operator", "north")["lines"]
    assert [(one["kind"], one["subject"]) for one in lines] == [
        ("KEY_REVOKED", "command-line"), ("KEY_ROTATED", "command-line"), ("KEY_ADDED", "command-line"),
        ("OPERATOR_ADDED", "ops-lee"),
    ]  # fmt: skip
    assert told(capsys, "access")["lines"] == []


def test_four_eyes_of_an_operator_is_changed_and_the_access_log_says_by_whom(
    beside: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, "keys", "operator", "add", "north", "--four-eyes", "named")
    made = told(capsys, "keys", "operator", "set", "north", "--four-eyes", "strict", "--by", "ops-lee")
    assert made == {"operator": "north", "four_eyes": "strict", "was": "named", "changed": True}
    again = told(capsys, "keys", "operator", "set", "north", "--four-eyes", "strict")
    assert (again["was"], again["changed"]) == ("strict", False)
    with beside.connect("writer") as conn:
        assert conn.execute("SELECT four_eyes FROM operators").fetchall() == [("strict",)]
    (line, _) = told(capsys, "access", "--operator", "north")["lines"]
    assert (line["kind"], line["subject"], line["detail"]) == (
        "OPERATOR_CHANGED", "ops-lee", "four_eyes strict, it was named",
    )  # fmt: skip
    code, out, err = run(capsys, "keys", "operator", "set", "nobody", "--four-eyes", "named")
    assert (code, out) == (2, "")
    assert "no such operator" in err
    assert len(err.splitlines()) == 1


def test_the_last_admin_is_revoked_only_when_it_is_said(beside: Database, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "keys", "operator", "add", "north")
    boss = told(capsys, "keys", "add", "boss", "--operator", "north", "--role", "admin")
    code, out, err = run(capsys, "keys", "revoke", boss["key_id"])
    assert (code, out) == (2, "")
    assert "last key with the role admin" in err
    assert told(capsys, "keys", "revoke", boss["key_id"], "--even-last-admin")["key_id"] == boss["key_id"]


def test_without_a_key_for_signatures_no_signed_key_is_made(
    beside: Database, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDBOOK_TOKEN_KEY", "")
    told(capsys, "keys", "operator", "add", "north")
    code, _, err = run(capsys, "keys", "add", "till", "--operator", "north", "--role", "dealer", "--signed")
    assert code == 2
    assert "STUDBOOK_TOKEN_KEY" in err
    assert told(capsys, "keys", "list", "--operator", "north")["keys"] == []


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("add", "till", "--operator", "nobody", "--role", "dealer"), "no such operator"),
        (("list", "--operator", "nobody"), "no such operator"),
        (("rotate", "0123456789abcdef"), "no such key"),
        (("revoke", "0123456789abcdef"), "no such key"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(
    beside: Database, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    code, out, err = run(capsys, "keys", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert named in err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("add", "till", "--operator", "north"), "--role"),
        (("add", "till", "--operator", "north", "--role", "boss"), "boss"),
        (("add", "two words", "--operator", "north", "--role", "dealer"), "subject"),
        (("add", "till", "--operator", "a/b", "--role", "dealer"), "operator"),
        (("add", "till", "--operator", "north", "--role", "dealer", "--label", "x" * 101), "--label"),
        (("operator", "add", "north", "--four-eyes", "loose"), "loose"),
        (("revoke",), "key_id"),
        (("open",), "open"),
    ],
)
def test_bad_use_is_one_line_before_any_database_is_asked(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    code, out, err = run(capsys, "keys", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert named in err


@pytest.mark.parametrize("command", ["add", "list", "rotate", "revoke", "operator add"])
def test_the_help_of_each_has_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, _ = run(capsys, "keys", *command.split(), "--help")
    assert code == 0
    assert f"studbook keys {command}" in out.partition("Example")[2]
