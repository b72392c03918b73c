"""F17: bodies that are no good, 80 and more at every POST, and bodies and heads beyond their limits.

Each is refused with a small problem document and changes nothing; the serving process does not grow by it.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, Final

from tests.api.bad_bodies import DUPLICATES, NO_OBJECT
from tests.faults.calls import Calls
from tests.faults.f18_fuzzed import furnished
from tests.faults.fault import Fault, Trial
from tests.faults.ground import judged_stage
from tests.faults.stage import OPERATOR, Stage, api_key
from tests.http.bodies import RAW, fields, sample, value_of, with_raw
from tests.http.contract import Contract, Operation

BODIES: Final = 80
"""At each POST, at least."""
WARM: Final = 1_000
"""Requests until the process has all that it ever needs; from there its memory is measured."""
GROWTH_MB: Final = 50.0
ANSWER_BYTES: Final = 2_048
REFUSED: Final = frozenset({400, 413, 422, 431})
KIB: Final = 1_024


def corpus(contract: Contract, call: Operation, *, everything: bool) -> Iterator[tuple[str, bytes]]:
    """Names and bodies that the call must refuse. In the small amount one field of it is tried, else every one."""
    schema = contract.body_schema(call)
    good = sample(contract, schema)
    for name, body in NO_OBJECT.items():
        if body.strip() or call.body_required:
            yield name, body
    for name, (body, _) in DUPLICATES.items():
        yield name, body
    whole = json.dumps(good).encode()
    yield "too large", b" " * (call.body_limit + 1 - len(whole)) + whole
    yield "far too large", b" " * (call.body_limit + 256 * KIB)
    for name in ("unknown", "__proto__", "", "x" * 300):
        yield f"field {name[:9]!r}", json.dumps({**good, name: 1}).encode()
    paths = list(fields(contract, schema)) or [("extra",)]
    for path in paths if everything else paths[:1]:
        for name, raw in RAW.items():
            text = with_raw(good, path, raw)
            if not contract.is_valid(schema, _value(text)):
                yield f"{'.'.join(path)} is {name}", text.encode()


def _value(body: str) -> Any:
    try:
        return value_of(body)
    except (ValueError, RecursionError):
        return None


class Sender:
    """A connection that is opened again where the service has closed it."""

    def __init__(self, stage: Stage) -> None:
        self._port = stage.doors[0].port
        self._conn: HTTPConnection | None = None
        self.sent = 0

    def send(self, call: Operation, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and body of the answer; 0 where none came, which it may not where the body was cut off unread."""
        self.sent += 1
        headers = {"Authorization": f"Bearer {api_key(OPERATOR)}", "Idempotency-Key": f"bad-{self.sent}"}
        if self._conn is None:
            self._conn = HTTPConnection("127.0.0.1", self._port, timeout=300)
        try:
            self._conn.request(call.method, path, body, headers)
            answer = self._conn.getresponse()
            content = answer.read()
        except (OSError, HTTPException):
            self.close()
            return 0, b""
        if answer.will_close:
            self.close()
        return answer.status, content

    def close(self) -> None:
        """Close the connection."""
        if self._conn is not None:
            self._conn.close()
            self._conn = None


def memory_mb(pid: int) -> float:
    """Of the serving process, as the system tells it."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / KIB
    raise RuntimeError(f"process {pid} tells no memory")


def long_heads(trial: Trial, stage: Stage) -> None:
    """A head above 16 KiB is 431, whole or without an end."""
    for name, end in (("whole", b"\r\n\r\n"), ("without an end", b"")):
        with socket.create_connection(("127.0.0.1", stage.doors[0].port), timeout=300) as sock:
            sock.sendall(b"POST /v1/players HTTP/1.1\r\nHost: here\r\nX-Long: " + b"a" * 40 * KIB + end)
            answer = HTTPResponse(sock, method="POST")
            answer.begin()
            content = answer.read()
        trial.expect((answer.status, len(content) <= ANSWER_BYTES) == (431, True), f"a head {name}: {answer.status}")


def run(trial: Trial) -> None:
    with Stage.start(trial.folder, doors=1) as stage:
        calls = Calls()
        ids = {"player": "player", "table": "table", "jackpot": "pool", "transaction_id": "paid-in"}
        ids["round"] = furnished(stage, calls)
        contract = Contract.of(f"http://127.0.0.1:{stage.doors[0].port}")
        posts = contract.operations("POST", "PATCH")
        head, pid, sender, before = stage.anchor().position, stage.doors[0].pid, Sender(stage), 0.0
        for nth, call in enumerate(posts):
            found = list(corpus(contract, call, everything=trial.amount > BODIES))
            trial.expect(len(found) >= BODIES, f"{call}: only {len(found)} bodies")
            for name, body in found:
                status, content = sender.send(call, call.url(ids), body)
                large = status == 0 and len(body) > call.body_limit
                trial.expect(large or status in REFUSED, f"{call}, {name}: {status} {content[:200]!r}")
                trial.expect(len(content) <= ANSWER_BYTES, f"{call}, {name}: an answer of {len(content)} bytes")
                if sender.sent == WARM:
                    before = memory_mb(pid)
            trial.progress(trial.amount * nth // len(posts), str(call))
        growth = memory_mb(pid) - before
        sender.close()
        long_heads(trial, stage)
        trial.figure("bodies", sender.sent)
        trial.figure("grown MB", growth)
        trial.expect(growth <= GROWTH_MB, f"the process has grown by {growth:.0f} MB")
        trial.expect(stage.anchor().position == head, "a refused body has moved the log")
        trial.progress(trial.amount)
        judged_stage(trial, stage, calls)


FAULT: Final = Fault("F17", "bodies that are no good", BODIES, 10 * BODIES, "bodies", run)
