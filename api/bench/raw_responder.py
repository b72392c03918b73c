"""The least that answers HTTP: what the client reaches against it is the client's own limit.

python -m api.bench.raw_responder      prints its port
"""

from __future__ import annotations

import asyncio
from typing import Final, cast

from uvicorn.loops.auto import auto_loop_factory

ANSWER: Final = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"ok":true}'


class Responder(asyncio.Protocol):
    """Answers whatever comes, each piece once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client."""
        self._write = cast("asyncio.Transport", transport).write

    def data_received(self, data: bytes) -> None:
        """A request; our client's are always whole."""
        del data
        self._write(ANSWER)


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Responder, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main() -> None:
    """Serve until ended, on the loop that uvicorn would choose."""
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        runner.run(_serve())


if __name__ == "__main__":
    main()
