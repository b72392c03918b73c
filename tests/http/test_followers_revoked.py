"""What a key had open when it was revoked hears nothing of what happens afterwards."""

from __future__ import annotations

import re
import threading
import time
from typing import Any

import httpx2

from tests.http.floor import deposit, done, head, register
from tests.http.keys import calling_with, new_key
from tests.service import Service
from tests.support.streams import heard


def waits(service: Service) -> bool:
    """Whether a read waits."""
    found = re.search(r'studbook_streams\{kind="waiting"\} ([0-9.]+)', service.get("/metrics").text)
    return found is not None and float(found[1]) > 0


def test_a_waiting_read_and_a_stream_hear_nothing_that_happens_after_revoke_has_answered(service: Service) -> None:
    made = new_key(service, "auditor")
    player, after = register(service, "EUR"), head(service)
    answers: list[httpx2.Response] = []
    subject = f"wallet/{player}"

    def wait() -> None:
        query: dict[str, Any] = {"after": after, "wait": 25, "subject": subject}
        with calling_with(service, made["key"]) as mine:
            answers.append(mine.get("/v1/events", params=query))

    # given a stream and a read that wait for the next event
    with heard(service.url, "/v1/events/stream", made["key"], after=str(after), subject=subject) as stream:
        stream.frame()
        waiting = threading.Thread(target=wait)
        waiting.start()
        until = time.monotonic() + 75
        while not waits(service):
            assert time.monotonic() < until, "the read never waited"
            time.sleep(0.05)
        # when their key is revoked, and then something happens
        done(service.post(f"/v1/keys/{made['key_id']}/revoke"))
        deposit(service, player, 7)
        # then both have ended without it
        waiting.join(75)
        assert answers[0].status_code == 200
        assert answers[0].json()["events"] == []
        assert all(one.data is None for one in stream.rest())
