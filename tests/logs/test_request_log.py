"""STUDBOOK_REQUEST_LOG: a line for each request, by route template; nothing stands in the way where it is off."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from api.logs.requests import REQUEST_LOG, RequestLog
from api.main.observing import observed
from domain.errors import Invalid
from tests.api.bad_bodies import GOOD
from tests.api.front import Front, ask


async def requested(front: Front, method: str, path: str) -> dict[str, object]:
    """The line of one request."""
    headers = [("authorization", f"Bearer {front.key}"), ("idempotency-key", "k"), ("x-request-id", "req-1")]
    with capture_logs() as logs:
        await ask(RequestLog(front.app), method, path, headers, GOOD)
    (line,) = [one for one in logs if one["event"] == "request"]
    return dict(line)


@pytest.mark.parametrize(
    ("method", "path", "route", "status"),
    [
        ("POST", "/v1/rounds/r1/wagers", "/v1/rounds/{round}/wagers", 201),
        ("GET", "/v1/tables", "/v1/tables", 200),
        ("GET", "/v1/nothing/ann", "-", 404),
        ("POST", "/v1/rounds/a b/wagers", "/v1/rounds/{round}/wagers", 422),
    ],
)
async def test_a_request_is_logged_by_its_template_not_its_path(
    method: str, path: str, route: str, status: int
) -> None:
    line = await requested(Front(), method, path)
    assert (line["method"], line["route"], line["status"]) == (method, route, status)
    assert isinstance(line["ms"], float)
    assert "ann" not in str(line)


def test_it_is_off_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Front().app
    monkeypatch.delenv(REQUEST_LOG, raising=False)
    assert observed(app, None) is app
    monkeypatch.setenv(REQUEST_LOG, "1")
    assert isinstance(observed(app, None), RequestLog)
    monkeypatch.setenv(REQUEST_LOG, "perhaps")
    with pytest.raises(Invalid, match=REQUEST_LOG):
        observed(app, None)
