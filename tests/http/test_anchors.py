"""The running service anchors its log: also after what does it was killed, and `/metrics` tells how far it is."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable

from adapters.anchors.folder import Folder
from adapters.anchors.reading import reached, read_anchors
from adapters.signing import Verifier
from tests.service import Service


def wait(holds: Callable[[], bool], seconds: float = 100) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def children(service: Service) -> list[int]:
    """The processes of this service that anchor."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(service.process.pid)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if line.endswith("api.cli anchor")]


def played(service: Service) -> int:
    """So many deposits that an anchor is due; the position of the last."""
    player = service.name("player")
    assert service.post("/v1/players", {"player": player, "currency": "EUR"}).status_code == 201
    for nth in range(35):
        answer = service.post(
            f"/v1/players/{player}/deposits", {"amount": 1, "currency": "EUR", "transaction_id": f"{player}-{nth}"}
        )
        assert answer.status_code == 201
    return int(answer.json()["position"])


def wait_for_anchor(folder: Folder, position: int) -> None:
    def is_there() -> bool:
        last = reached(folder.anchors) if folder.anchors.exists() else None
        return last is not None and last.position >= position

    wait(is_there)


def kill_and_wait(service: Service) -> None:
    (pid,) = children(service)
    os.kill(pid, signal.SIGKILL)
    wait(lambda: children(service) not in ([], [pid]))


def figure(service: Service, name: str) -> float:
    found = re.search(rf"^{name} (\S+)$", service.get("/metrics").text, re.MULTILINE)
    assert found is not None
    return float(found[1])


def test_F01_what_anchors_is_started_again_when_it_is_killed_and_goes_on_in_the_same_line(service: Service) -> None:
    folder = Folder(service.data_dir / "anchors")
    for _ in range(2):
        wait_for_anchor(folder, played(service))
        kill_and_wait(service)
    found = read_anchors(folder.anchors, Verifier(folder.public_keys()))
    assert found.fault is None
    assert found.count >= 2
    wait(lambda: figure(service, "studbook_unanchored_events") == 0)
    assert figure(service, "studbook_anchor_age_seconds") == 0
    told = json.loads(service.studbook("verify", "--json").stdout)
    assert (told["anchors_hold"], told["anchors"] >= 2) == (True, True)
