"""The catalogue of events is that of the code."""

from __future__ import annotations

from tests.house.events_page import PAGE, page


def test_the_page_of_events_is_written_from_the_code() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: python -m tests.house.events_page"
