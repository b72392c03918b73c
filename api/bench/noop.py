"""The empty endpoint: one async route of a bare FastAPI app, under the flags of the service's own server.

python -m api.bench.noop      prints its port
"""

from __future__ import annotations

import socket

import uvicorn
from fastapi import FastAPI

from api.main.serving import server_config

app = FastAPI()


@app.get("/", response_model=None)
async def nothing() -> dict[str, bool]:
    """A constant."""
    return {"ok": True}


def main() -> None:
    """Serve until ended."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(2048)
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(server_config(app, workers=1)).run(sockets=[listener])


if __name__ == "__main__":
    main()
