"""The sentences of a casino, spoken over HTTP."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

from domain.errors import Refusal
from services.commands import Command
from tests.faults.calls import Caller, Reply
from tests.faults.calls import Command as Sent
from tests.faults.stage import BOSS, OPERATOR
from tests.matrix.wire import in_bulk, wire
from tests.support.casino import Casino


class NotDone(Refusal):
    """An answer that is no success: status and code."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{status} {code}")


class Remote(Casino):
    """A casino whose commands go over HTTP. It keeps no books of its own."""

    actor = "engineer"

    def __init__(self, caller: Caller, operator: str = OPERATOR) -> None:
        super().__init__(is_checked=False)
        self.operator = operator
        self.caller = caller
        self.key = ""

    async def submit(
        self, command: Command, *, key: str | None = None, actor: str = "", status: int = 200
    ) -> dict[str, Any]:
        """The answer, NotDone for any other."""
        method, path, body = wire(command)
        self.key = key or uuid.uuid4().hex
        content = json.dumps(body).encode()
        who = actor if actor in {"", BOSS} else ""
        reply = self.caller.settle(Sent(path, content, self.key, self.operator, method, who))
        if not reply.is_done:
            raise NotDone(reply.status, reply.body.get("code", ""))
        answer: dict[str, Any] = reply.body
        return answer

    async def submit_in_bulk(self, command: Command, *, atomic: bool, status: int = 200) -> dict[str, Any]:
        """The item's answer, NotDone for any other. What is acknowledged is the single call, with the item's bytes."""
        self.key = uuid.uuid4().hex
        method, path, body = in_bulk(command, self.key, atomic=atomic)
        sent = Sent(path, json.dumps(body).encode(), f"bulk-{self.key}", method=method)
        reply = self.caller.settle(sent)
        if not reply.is_done:
            raise NotDone(reply.status, reply.body.get("code", ""))
        (item,) = reply.body["results"]
        method, path, body = wire(command)
        alone = Sent(path, json.dumps(body).encode(), self.key, method=method)
        with self.caller.calls.lock:
            del self.caller.calls.acknowledged[sent]
            if item["status"] < 400:
                content = b"{" + re.split(rb'"replayed":(?:true|false),', reply.content)[1].removesuffix(b"]}")
                told = Reply(item["status"], content, False, None, reply.seconds)
                self.caller.calls.acknowledged[alone] = told
        if item["status"] >= 400:
            raise NotDone(item["status"], item["code"])
        found: dict[str, Any] = item
        return found
