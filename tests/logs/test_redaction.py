"""Secrets are known by the name of their field, by their form, and by their value."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from api.auth import make_key
from api.logs import redaction
from api.logs.redaction import HIDDEN, clean, cleaned, is_secret_name, learn


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(redaction, "_known", set())
    monkeypatch.setattr(redaction, "_values", None)
    return None


@pytest.mark.parametrize(
    "name",
    ["authorization", "Authorization", "X-Api-Key", "writer_password", "STUDBOOK_CARD_KEY", "apiKey", "dsn", "conninfo",
     "STUDBOOK_WEBHOOK_KEY",
     "webhook-signature", "access_token", "client_secret", "Cookie", "PGPASSWORD".lower()[2:], "key"],
)  # fmt: skip
def test_a_field_of_such_a_name_is_never_shown(name: str) -> None:
    assert is_secret_name(name)
    assert cleaned({name: "plain"}) == {name: HIDDEN}
    assert cleaned({"deep": [{name: ["plain"]}]}) == {"deep": [{name: HIDDEN}]}


@pytest.mark.parametrize(
    "name", ["key_id", "idempotency_key", "monkey", "operator", "keyboard", "event", "tokens_left"]
)
def test_a_field_that_opens_nothing_is_shown(name: str) -> None:
    assert cleaned({name: "plain"}) == {name: "plain"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("key sb_live_0123456789abcdef_0123456789abcdef was", f"key sb_{HIDDEN} was"),
        ("signed with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw.", f"signed with whsec_{HIDDEN}."),
        ("Authorization: Bearer abc.def", f"Authorization: Bearer {HIDDEN}"),
        ("Basic dXNlcjpwYXNz, and more", f"Basic {HIDDEN}, and more"),
        ("at postgresql://ann:s3cret@db.example/studbook", f"at postgresql://{HIDDEN}@db.example/studbook"),
        ("https://ann@hooks.example/in?x=1", f"https://{HIDDEN}@hooks.example/in?x=1"),
        ("https://a:p@ss@hooks.example/", f"https://{HIDDEN}@hooks.example/"),
        ("host=db password=s3cret dbname=x", f"host=db password={HIDDEN} dbname=x"),
        (r"password='it\'s' dbname=x", f"password={HIDDEN} dbname=x"),
        ("STUDBOOK_CARD_KEY=abc", f"STUDBOOK_CARD_KEY={HIDDEN}"),
        ('{"client_secret": "s3cret", "a": 1}', f'{{"client_secret": "{HIDDEN}", "a": 1}}'),
        ("token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2ln!", f"token {HIDDEN}!"),
    ],
)
def test_a_secret_is_known_by_its_form(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "no password for the login studbook_writer: set STUDBOOK_WRITER_PASSWORD",
        "see https://example.com/docs#a and mail ann@example.com",
        "the key is unknown or revoked",
        "turn given up: another writer has held the log for too long",
    ],
)
def test_plain_words_stay(text: str) -> None:
    assert clean(text) == text


def test_what_the_process_was_configured_with_is_hidden_wherever_it_turns_up() -> None:
    learn({
        "STUDBOOK_WRITER_PASSWORD": "p@ss/w'rd",
        "STUDBOOK_CARD_KEY": "2027:abcdefghijklmnopqrstuvw,2026:zyxwvutsrqponmlkjihgfedc",
        "STUDBOOK_METRICS_TOKEN": "figures-4711",
        "SOME_PROXY": "http://ann:hunter%402@proxy.example",
        "PATH": "/usr/bin",
    })  # fmt: skip
    for planted in (
        "p@ss/w'rd", "p%40ss%2Fw%27rd", repr("x p@ss/w'rd y"), "abcdefghijklmnopqrstuvw", "zyxwvutsrqponmlkjihgfedc",
        "figures-4711", "hunter@2", "hunter%402",
    ):  # fmt: skip
        shown = clean(f"before {planted} after")
        assert HIDDEN in shown
        assert planted not in shown
    assert clean("/usr/bin") == "/usr/bin"


def test_every_kind_of_value_comes_out_clean() -> None:
    learn({"A_SECRET": "opensesame"})
    fault = RuntimeError("it was opensesame")
    assert cleaned([1, 1.5, None, True, b"opensesame", ("opensesame",), fault]) == [
        1, 1.5, None, True, HIDDEN, [HIDDEN], f"it was {HIDDEN}",
    ]  # fmt: skip


def test_a_key_of_ours_is_known_by_its_form() -> None:
    key = make_key().key
    assert clean(f"it sent {key}") == f"it sent sb_{HIDDEN}"
