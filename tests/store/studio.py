"""A studio that scans single cards: one misread and put right, others refused between them, each sent twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.store.in_process import Client

Scan = dict[str, Any]
"""The body of one scan."""


def scans_of(hands: Mapping[str, Sequence[str]], dealer: Sequence[str]) -> list[Scan]:
    """The bodies in the order of the deal."""
    every = [(to, nth, hand[nth]) for nth in range(5) for to, hand in [*hands.items(), ("dealer", dealer)]]
    return [{"to": to, "number": nth + 1, "card": card} for to, nth, card in every]


def correction_of(scan: Scan) -> Scan:
    """The body that puts a scan right."""
    return {**scan, "reason": "misread"}


async def scan_cards(client: Client, round_id: str, deal: Sequence[Scan], misread: str) -> list[bytes]:
    """Scan them all; what was answered."""
    path = f"/v1/rounds/{round_id}/cards"
    first, *others = deal
    said = await _twice(client, path, {**first, "card": misread})
    said += await _twice(client, f"{path}/corrections", correction_of(first))
    for body in others:
        again = await client.post(path, {**body, "card": first["card"]})
        assert again.json()["code"] == "DUPLICATE_CARD"
        skipped = await client.post(path, {**body, "number": 5 if body["number"] < 5 else 1})
        assert skipped.json()["code"] == "CARD_OUT_OF_PLACE"
        said += [skipped.content, *await _twice(client, path, body)]
    return said


async def _twice(client: Client, path: str, body: Scan) -> list[bytes]:
    """The same again is the same answer; another card under the same key is refused."""
    key = f"k-{path}-{body['to']}-{body['number']}"
    answer = await client.post(path, body, key)
    assert answer.status_code == 200, answer.text
    again = await client.post(path, body, key)
    assert (again.content, again.headers["Idempotency-Replayed"]) == (answer.content, "true")
    other = await client.post(path, {**body, "card": "2s" if body["card"] != "2s" else "3s"}, key)
    assert other.json()["code"] == "IDEMPOTENCY_MISMATCH"
    return [answer.content, other.content]
