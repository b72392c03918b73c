"""Cursors without a database."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import Invalid
from domain.views.model import RowKey
from services.jackpot_terms import rate_text
from services.queries.pages import LIMIT_MAX, Turn, cursor_key, cursor_of

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=80)
questions = st.lists(st.one_of(texts, st.integers(), st.none()), max_size=4)


@given(texts, texts, questions)
def test_a_cursor_leads_back_to_its_place(grp: str, key: str, question: list[str | int | None]) -> None:
    assert cursor_key(cursor_of(RowKey(grp, key), question), question) == RowKey(grp, key)


@given(texts, questions, questions)
def test_bug_025_a_cursor_of_another_question_is_invalid(
    key: str, first: list[str | int | None], other: list[str | int | None]
) -> None:
    if first == other:
        return
    with pytest.raises(Invalid, match="other parameters") as refused:
        cursor_key(cursor_of(RowKey("g", key), first), other)
    assert refused.value.field == "cursor"


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_any_other_text_is_invalid_and_nothing_worse(text: str) -> None:
    with pytest.raises(Invalid):
        cursor_key(text, ["q"])


@pytest.mark.parametrize("limit", [0, -1, LIMIT_MAX + 1])
def test_a_page_has_1_to_1000_items(limit: int) -> None:
    with pytest.raises(Invalid) as refused:
        Turn(limit)
    assert refused.value.field == "limit"


@pytest.mark.parametrize(
    ("ppm", "text"),
    [(0, "0.00"), (400_000, "0.40"), (5_000, "0.005"), (1, "0.000001"), (1_000_000, "1.00"), (125_000, "0.125")],
)
def test_a_rate_is_a_decimal_string(ppm: int, text: str) -> None:
    assert rate_text(ppm) == text
