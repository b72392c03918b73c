"""A service of a test's own, that it may stop, start again and ask impolitely."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tests.postgres import shared_folder
from tests.service import KEY, Service, start_service, stop_service


@contextmanager
def data_folder() -> Iterator[Path]:
    """A data folder that is removed at the end."""
    folder = shared_folder() / f"service-{uuid.uuid4().hex[:10]}"
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Service]:
    """A service on the folder; stopped at the end if it still runs, and then with exit code 0."""
    process, url = start_service(folder, *options)
    try:
        with httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}, timeout=30) as client:
            yield Service(url, KEY, folder, process, client)
    finally:
        if process.poll() is None:
            assert stop_service(process) == 0
