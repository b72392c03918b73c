"""A real `studbook serve` for the tests of one worker: its own process, database, projector, and key.

    async def test_something(service: Service) -> None:
        answer = service.post("/v1/players", {"player": "alice", "currency": "EUR"})

The service is shared by all tests of a worker, so a test names its objects by `service.name("table")`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.postgres import shared_folder

KEY = "sb-test-key-of-the-suite-0123456789"
START_SECONDS = 150.0
_NAMES = count(1)


@dataclass
class Service:
    """A running service and a client with its key."""

    url: str
    key: str
    data_dir: Path
    process: subprocess.Popen[str]
    client: httpx2.Client = field(repr=False)

    @staticmethod
    def name(kind: str) -> str:
        """An id that no other test uses."""
        return f"{kind}-{next(_NAMES)}-{uuid.uuid4().hex[:6]}"

    def post(self, path: str, body: Any = None, *, key: str | None = None, **options: Any) -> httpx2.Response:
        """POST a command under a key of its own, or the one given."""
        headers = {"Idempotency-Key": key or uuid.uuid4().hex, **options.pop("headers", {})}
        return self.client.post(path, json={} if body is None else body, headers=headers, **options)

    def send(self, method: str, path: str, body: Any) -> httpx2.Response:
        """A command of any method under a key of its own."""
        return self.client.request(method, path, json=body, headers={"Idempotency-Key": uuid.uuid4().hex})

    def get(self, path: str, **options: Any) -> httpx2.Response:
        """GET."""
        return self.client.get(path, **options)

    def environment(self) -> dict[str, str]:
        """What tells a command line about this service's database."""
        return {**os.environ, "STUDBOOK_DATA_DIR": str(self.data_dir)}

    def studbook(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `studbook` beside the service."""
        command = [sys.executable, "-m", "api.cli", *arguments]
        return subprocess.run(command, env=self.environment(), capture_output=True, text=True, timeout=300, check=False)


def start_service(data_dir: Path, *options: str, **environ: str) -> tuple[subprocess.Popen[str], str]:
    """Start `studbook serve` on a free port; the process and its address once it answers."""
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--json", "--data-dir", str(data_dir), *options]
    own = {"STUDBOOK_BOOTSTRAP_KEY": KEY, "STUDBOOK_FAILED_LOGINS": "off", "STUDBOOK_WEBHOOK_PRIVATE": "127.0.0.0/8"}
    env = {**os.environ, **own, **environ}
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, f"serve ended with {process.wait(START_SECONDS)} before it answered"
    return process, json.loads(line)["url"]


def stop_service(process: subprocess.Popen[str]) -> int:
    """End it as an operator would; its exit code."""
    with process:
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(150)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait(150)


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The service of this worker."""
    data_dir = shared_folder() / f"service-{uuid.uuid4().hex[:10]}"
    process, url = start_service(data_dir)
    headers = {"Authorization": f"Bearer {KEY}"}
    with httpx2.Client(base_url=url, headers=headers, timeout=120) as client:
        yield Service(url, KEY, data_dir, process, client)
    assert stop_service(process) == 0, "the service did not stop as it should"
    shutil.rmtree(data_dir, ignore_errors=True)
