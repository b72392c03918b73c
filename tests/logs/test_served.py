"""What running services say, requests in every odd form included, holds none of the secrets they know or are sent."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.postgres import shared_folder
from tests.service import KEY

WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
def folder() -> Iterator[Path]:
    chosen = shared_folder() / f"service-{uuid.uuid4().hex[:10]}"
    yield chosen
    shutil.rmtree(chosen, ignore_errors=True)


def secrets_of(folder: Path) -> list[str]:
    """What this service keeps to itself: passwords of its database, the keys of cards, tokens, webhooks."""
    passwords = json.loads((folder / "passwords.json").read_text("utf-8"))
    files = [(folder / name).read_text("ascii").strip() for name in ("card.key", "token.key", "webhook.key")]
    return [*passwords.values(), *files]


def test_a_service_with_its_projector_that_is_asked_oddly_and_loses_its_database_tells_no_secret(
    folder: Path, tmp_path: Path
) -> None:
    errors = tmp_path / "stderr"
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--json", "--data-dir", str(folder)]
    environ = {
        **os.environ,
        "STUDBOOK_BOOTSTRAP_KEY": KEY, "STUDBOOK_REQUEST_LOG": "1", "STUDBOOK_LOG_LEVEL": "debug",
    }  # fmt: skip
    with (
        errors.open("w") as file,
        subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=file, text=True) as process,
    ):
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        with httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}, timeout=120) as client:
            client.get("/v1/tables")
            client.get(f"/v1/tables?key={KEY}&secret={WHSEC}")
            client.get(f"/v1/players/{KEY}/balance")
            client.post("/v1/players", headers={"Idempotency-Key": WHSEC}, json={"password": KEY})
            client.get("/v1/tables", headers={"X-Request-Id": KEY[:40], "X-Api-Key": WHSEC})
            client.get("/v1/tables", headers={"Authorization": f"Basic {KEY}"})
            postmaster = int((folder / "cluster" / "postmaster.pid").read_text().split("\n")[0])
            os.kill(postmaster, signal.SIGQUIT)
            client.post("/v1/players", headers={"Idempotency-Key": "k"}, json={"player": "a", "currency": "EUR"})
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) == 0
    said = errors.read_text("utf-8")
    lines = [json.loads(line) for line in said.splitlines()]
    assert {"/v1/tables", "/v1/players", "/v1/players/{player}/balance"} <= {one.get("route") for one in lines}
    assert {"api", "project"} <= {one["process"] for one in lines}
    assert [one for one in lines if one["level"] == "warning"] != []
    for secret in (KEY, WHSEC, *secrets_of(folder)):
        assert secret not in said
