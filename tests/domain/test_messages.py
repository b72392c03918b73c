"""Texts of chat messages: what people can read, their seals, and how long they are kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from domain.errors import Invalid
from domain.messages import TEXT_CHARS_MAX, Author, MessagePosted, Post, checked_text, decide, evolve, is_kept, seal_of

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "good luck!",
        "Zażółć",
        "مرحبا",
        "שלום",
        "你好",
        "\u1112\u1161\u11ab \u115f\u1161",
        "👍",
        FAMILY,
        "e\u0301",
        "x" * TEXT_CHARS_MAX,
        " nice hand ",
    ],
)
def test_S0_39_people_write_in_any_language(text: str) -> None:
    assert checked_text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\u00a0\u3000",
        "\u200b\u200d",
        "\u3164",
        "\u115f\u1160 \uffa0",
        "\u2800\u2800",
        "\u0301",
        "x" * (TEXT_CHARS_MAX + 1),
        "a\nb",
        "a\tb",
        "a\x00b",
        "a\x1b[31mb",
        "a\x7f",
        "a\x85b",
        "a\u2028b",
        "a\u2029b",
        "a\ud800",
        "\udfffa",
        "a\u202eb",
        "a\u2066b",
    ],
)
def test_S0_39_a_text_that_nobody_can_read_or_that_plays_tricks_is_refused(text: str) -> None:
    with pytest.raises(Invalid) as found:
        checked_text(text)
    assert found.value.field == "text"
    with pytest.raises(Invalid):
        decide(Post("m", "t", Author.PLAYER, "ann", text, "salt"), None)


def test_S0_39_the_event_holds_a_seal_and_nothing_of_the_text() -> None:
    (event,) = decide(Post("m", "t", Author.PLAYER, "ann", "good luck", "0" * 32), None)
    assert event == MessagePosted("m", "t", Author.PLAYER, "ann", seal_of("good luck", "0" * 32))
    assert "luck" not in repr(event)
    assert seal_of("good luck", "1" * 32) != event.seal
    assert seal_of("good luck.", "0" * 32) != event.seal
    assert evolve(None, event).withdrawn is False


def test_C30_a_text_is_kept_until_the_moment_it_is_90_days_old() -> None:
    assert is_kept(AT, AT)
    assert is_kept(AT, AT + timedelta(days=90, microseconds=-1))
    assert not is_kept(AT, AT + timedelta(days=90))
