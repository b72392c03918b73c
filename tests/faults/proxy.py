"""A TCP proxy that cuts connections on command: before a message is passed on, after it, or before its answer."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from enum import StrEnum
from types import TracebackType
from typing import Final, Self

CHUNK: Final = 65_536


class Cut(StrEnum):
    """Where a connection breaks."""

    BEFORE_SEND = "before send"
    """The message never arrives."""
    AFTER_SEND = "after send"
    """It arrives, and both sides lose the connection at once."""
    BEFORE_REPLY = "before reply"
    """It arrives and is answered; the answer is lost with the connection."""


class Proxy:
    """Passes bytes on between clients of `port` and a server that `connect` reaches."""

    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        self._connect = connect
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = int(self._listener.getsockname()[1])
        self.cuts = 0
        self._armed: tuple[Cut, bytes] | None = None
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._listener.close()
        with self._lock:
            left = list(self._open)
        _break(*left)

    def arm(self, cut: Cut, needle: bytes = b"") -> None:
        """The next message to the server that holds `needle` breaks its connection."""
        with self._lock:
            self._armed = cut, needle

    def _take(self, data: bytes) -> Cut | None:
        with self._lock:
            if self._armed is None or self._armed[1] not in data:
                return None
            cut, self._armed = self._armed[0], None
            self.cuts += 1
            return cut

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            server = self._connect()
        except OSError:
            client.close()
            return
        with self._lock:
            self._open |= {client, server}
        drop_reply = threading.Event()
        back = threading.Thread(target=self._answers, args=(server, client, drop_reply), daemon=True)
        back.start()
        with contextlib.suppress(OSError):
            while data := client.recv(CHUNK):
                match self._take(data):
                    case None:
                        server.sendall(data)
                    case Cut.BEFORE_SEND:
                        break
                    case Cut.AFTER_SEND:
                        server.sendall(data)
                        break
                    case Cut.BEFORE_REPLY:
                        drop_reply.set()
                        server.sendall(data)
        _break(client, server)
        back.join()
        with self._lock:
            self._open -= {client, server}
        client.close()
        server.close()

    @staticmethod
    def _answers(server: socket.socket, client: socket.socket, drop: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(CHUNK):
                if drop.is_set():
                    break
                client.sendall(data)
        _break(client, server)


def _break(*ends: socket.socket) -> None:
    """Both directions of each end at once."""
    for end in ends:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
