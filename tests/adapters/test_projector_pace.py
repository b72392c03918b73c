"""How far apart the projector's batches begin: at once while there is little to do, or more than a batch."""

from __future__ import annotations

import pytest

from adapters.projector.loop import BUSY, LOADED, LOADED_PACE_SECONDS, PACE_SECONDS, pace


@pytest.mark.parametrize(
    ("count", "seconds"),
    [
        (1, 0.0),
        (BUSY - 1, 0.0),
        (BUSY, PACE_SECONDS),
        (LOADED - 1, PACE_SECONDS),
        (LOADED, LOADED_PACE_SECONDS),
        (1_999, LOADED_PACE_SECONDS),
        (2_000, 0.0),
    ],
)
def test_who_waits_for_a_few_events_never_waits_for_the_pace_and_a_backlog_does_not_either(
    count: int, seconds: float
) -> None:
    assert pace(count, 2_000) == seconds


def test_a_pace_that_was_taken_up_is_kept_at_the_same_load() -> None:
    per_second = LOADED / PACE_SECONDS
    assert pace(round(per_second * LOADED_PACE_SECONDS)) == LOADED_PACE_SECONDS
    assert pace(round(per_second / 2 * LOADED_PACE_SECONDS)) == LOADED_PACE_SECONDS
    assert pace(round(per_second / 2 * LOADED_PACE_SECONDS) - 1) == PACE_SECONDS
