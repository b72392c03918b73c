"""Times and dates as answers write them, whatever zone the database gave them in."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from api.encoding import encoded
from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    at: datetime
    day: date


def test_a_time_has_six_decimals_and_a_z_in_any_zone_and_on_the_full_second() -> None:
    there = datetime(2026, 11, 30, 12, tzinfo=timezone(timedelta(hours=2)))
    wanted = b'{"at":"2026-11-30T10:00:00.000000Z","day":"2026-11-30"}'
    assert encoded(Row(there, date(2026, 11, 30))) == wanted
    assert encoded(Row(there.astimezone(UTC), date(2026, 11, 30))) == wanted


def test_what_has_no_form_in_an_answer_is_an_error_and_no_text() -> None:
    with pytest.raises(TypeError):
        encoded({"one": object()})
