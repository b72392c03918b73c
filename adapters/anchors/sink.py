"""Sending the signed anchors elsewhere, over HTTPS: a thread of its own, whom nobody waits for.

Each anchor is a POST of its line (`application/jose`), in order, again until it is taken with 2xx; after a restart the
last may come a second time. The receiver needs no secret: what it gets is signed, numbered, and names the one before.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from typing import Final

import httpx2

from adapters.anchors.folder import Folder
from adapters.anchors.reading import lines, payload_of

SINK_SECONDS: Final = 10.0
_PAUSE_FIRST, _PAUSE_MOST = 1.0, 60.0
log = logging.getLogger("studbook.anchors")


class Sink:
    """Sends what is in the folder; `news` wakes it."""

    def __init__(self, folder: Folder, url: str) -> None:
        self._folder = folder
        self._url = url
        self.news = threading.Event()
        self._offset, self._number = self._known()

    def run(self, stop: threading.Event) -> None:
        """Send until `stop` is set."""
        pause = _PAUSE_FIRST
        with httpx2.Client(timeout=SINK_SECONDS, follow_redirects=False, trust_env=False) as client:
            while not stop.is_set():
                self.news.wait(_PAUSE_FIRST)
                self.news.clear()
                try:
                    self._send_all(client, stop)
                    pause = _PAUSE_FIRST
                except (httpx2.HTTPError, OSError, ValueError) as fault:
                    text = " ".join(str(fault).split())[:200]
                    log.warning("anchors: not sent, tried again in %.0f s: %s %s", pause, type(fault).__name__, text)
                    stop.wait(pause)
                    pause = min(pause * 2, _PAUSE_MOST)

    def _send_all(self, client: httpx2.Client, stop: threading.Event) -> None:
        if not self._folder.anchors.exists():
            return
        for line in lines(self._folder.anchors, self._offset):
            if stop.is_set():
                return
            number = payload_of(line).number
            if number > self._number:
                answer = client.post(self._url, content=line, headers={"Content-Type": "application/jose"})
                answer.raise_for_status()
                if not answer.is_success:
                    raise ValueError(f"answered {answer.status_code}")
                self._number = number
            self._offset += len(line) + 1
            self._keep()

    def _known(self) -> tuple[int, int]:
        """Where to go on; from the beginning when it was sent elsewhere before."""
        try:
            found = json.loads(self._folder.sent.read_bytes())
            if found["url"] == self._url and self._folder.anchors.stat().st_size >= int(found["offset"]):
                return int(found["offset"]), int(found["number"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return 0, 0

    def _keep(self) -> None:
        draft = self._folder.sent.with_name(f".sent.{os.getpid()}")
        draft.write_text(json.dumps({"url": self._url, "offset": self._offset, "number": self._number}))
        draft.rename(self._folder.sent)
