"""The sentences of a casino, spoken over HTTP."""

from __future__ import annotations

import json
import uuid
from typing import Any

from domain.errors import Refusal
from services.commands import Command
from tests.faults.calls import Caller
from tests.faults.calls import Command as Sent
from tests.matrix.wire import wire
from tests.support.casino import Casino


class NotDone(Refusal):
    """An answer that is no success: status and code."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{status} {code}")


class Remote(Casino):
    """A casino whose commands go over HTTP. It keeps no books of its own."""

    actor = "engineer"

    def __init__(self, caller: Caller) -> None:
        super().__init__(is_checked=False)
        self.caller = caller
        self.key = ""

    async def submit(
        self, command: Command, *, key: str | None = None, actor: str = "", status: int = 200
    ) -> dict[str, Any]:
        """The answer, NotDone for any other."""
        method, path, body = wire(command)
        self.key = key or uuid.uuid4().hex
        content = json.dumps(body).encode()
        reply = self.caller.settle(Sent(path, content, self.key, method=method))
        if not reply.is_done:
            raise NotDone(reply.status, reply.body.get("code", ""))
        answer: dict[str, Any] = reply.body
        return answer
