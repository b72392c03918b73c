"""The answer of a bulk call, put together from the bytes of its items' answers and problems."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import orjson

from api.errors import internal_error, log_bug, problem
from api.route_table import Answer
from api.schemas.bulk import KEY_CHARS_MAX, KEY_PATTERN
from domain.errors import Refusal
from services.batch import Result

Outcome = Result | Exception
"""What became of an item."""

_KEY: Final = re.compile(KEY_PATTERN)


def bulk_answer(keys: Sequence[object], found: Sequence[Outcome], request_id: str) -> Answer:
    """200 with one result per item, in order; replayed when all of it was answered before."""
    results: list[bytes] = []
    position = succeeded = replayed = 0
    for key, one in zip(keys, found, strict=True):
        if not isinstance(one, Result):
            results.append(_problem(key, one, request_id))
            continue
        succeeded += 1
        replayed += one.replayed
        position = max(position, one.position)
        again = b"true" if one.replayed else b"false"
        results.append(b'{"status":%d,"key":%b,"replayed":%b,%b' % (one.status, orjson.dumps(key), again, one.body[1:]))
    body = b'{"position":%d,"succeeded":%d,"refused":%d,"results":[%b]}' % (
        position, succeeded, len(results) - succeeded, b",".join(results),
    )  # fmt: skip
    return Answer(200, body, replayed=replayed == len(results))


def _problem(key: object, fault: Exception, request_id: str) -> bytes:
    """The item's problem document, with its key where that is one."""
    if not isinstance(fault, Refusal):
        log_bug(fault, request_id, "bulk")
        fault = internal_error()
    is_key = isinstance(key, str) and len(key) <= KEY_CHARS_MAX and _KEY.fullmatch(key)
    return b'{"key":%b,%b' % (orjson.dumps(key if is_key else None), problem(fault, request_id)[1:])
