"""An operator whose calls about webhooks wait in the database keeps nobody else's keys waiting."""

from __future__ import annotations

import threading
import time
from typing import Any

import httpx2

from adapters.database.connections import connect
from adapters.database.settings import Role
from adapters.embedded import Cluster
from tests.http.keys import key_of
from tests.service import Service

HELD = "SELECT pg_advisory_lock(hashtextextended(%s, 14))"
"""What a request about an operator's webhooks waits for where another one counts them."""


def test_calls_about_webhooks_that_wait_shut_no_other_operator_out(service: Service) -> None:
    operator, answers, statuses = service.name("house"), list[int](), list[int]()
    headers = {"Authorization": f"Bearer {key_of(service, operator).key}"}
    stop = threading.Event()

    def make(nth: int) -> None:
        body: dict[str, Any] = {"webhook": f"h{nth}", "url": "https://casino.example/", "active": False}
        told = {**headers, "Idempotency-Key": f"key-{nth}"}
        while not stop.is_set():
            answers.append(httpx2.post(f"{service.url}/v1/webhooks", json=body, headers=told, timeout=120).status_code)

    # given calls of one operator that wait, more than there are connections for such calls
    with Cluster.start(service.data_dir) as cluster, connect(cluster.settings().conninfo(Role.REQUEST)) as conn:
        conn.execute(HELD, [operator])
        threads = [threading.Thread(target=make, args=(nth,)) for nth in range(12)]
        for one in threads:
            one.start()
        # when others call, now and then behind a look-up of their key, which is remembered for a second
        until = time.monotonic() + 6
        while time.monotonic() < until:
            time.sleep(0.2)
            statuses.append(service.get("/v1/tables").status_code)
        stop.set()
    for one in threads:
        one.join(150)
    assert set(statuses) == {200}
    assert 503 in answers, "nobody waited"
