from __future__ import annotations

import logging

import pytest

from adapters.projector.quiet import LINES_PER_MINUTE, QuietLog


def test_F11_at_most_ten_lines_a_minute_are_logged_and_the_rest_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    log = QuietLog(logging.getLogger("studbook.quiet"), clock=lambda: now[0])
    with caplog.at_level(logging.WARNING):
        for _ in range(600):
            log.warning("it fails at %s", "p")
            now[0] += 0.1
        assert len(caplog.records) == LINES_PER_MINUTE
        log.warning("it fails at %s", "p")
    assert caplog.records[-1].getMessage() == "it fails at p (590 lines left out)"
