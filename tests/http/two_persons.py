"""Operators whose `four_eyes` is `strict`, and the persons who hold their keys."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import httpx2

from adapters.database.connections import connect
from adapters.database.settings import Role
from adapters.embedded import Cluster
from adapters.keys import KeyRow, add_key, ensure_operator
from api.auth import ROLES, make_key
from tests.http.contract import Contract
from tests.service import Service

Persons = dict[str, Service]
HOLDERS = {
    "pit": ("pit", ROLES),
    "pit again": ("pit", ROLES),
    "boss": ("boss", ROLES),
    "dealer": ("dealer", frozenset({"dealer"})),
    "auditor": ("auditor", frozenset({"auditor"})),
}
"""Whose key it is, and its roles; `pit` has two keys."""


@contextmanager
def persons(service: Service, contract: Contract) -> Iterator[Persons]:
    """The service as each of them calls it, at an operator of their own. Every answer is held to the contract."""
    operator, made = f"careful-{uuid.uuid4().hex[:8]}", Persons()
    with Cluster.start(service.data_dir) as cluster, connect(cluster.settings().conninfo(Role.WRITER)) as conn:
        ensure_operator(conn, operator, "strict")
        for name, (subject, roles) in HOLDERS.items():
            key = make_key()
            assert add_key(conn, KeyRow(key.key_id, operator, subject, roles, key.hash))
            client = httpx2.Client(base_url=service.url, headers={"Authorization": f"Bearer {key.key}"}, timeout=120)
            client.event_hooks = {"request": [], "response": [lambda answer: check(contract, answer)]}
            made[name] = replace(service, key=key.key, client=client)
    try:
        yield made
    finally:
        for one in made.values():
            one.client.close()


def check(contract: Contract, answer: httpx2.Response) -> None:
    """Fail unless the document describes the answer."""
    asked = answer.request
    contract.check(asked.method, asked.url.path, answer.status_code, answer.headers, answer.read())
