"""A service of a test's own, beside the shared one and on its database, that it may stop and start again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tests.service import KEY, Service, start_service, stop_service


@contextmanager
def running(folder: Path, *options: str, **environ: str) -> Iterator[Service]:
    """A service on the folder; stopped at the end if it still runs, and then with exit code 0."""
    process, url = start_service(folder, *options, **environ)
    try:
        with httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}, timeout=120) as client:
            yield Service(url, KEY, folder, process, client)
    finally:
        if process.poll() is None:
            assert stop_service(process) == 0
        with process:
            pass  # closes its pipe where the test itself has stopped it
