"""A seal and a proof in which any value was changed, by its type alone too, holds no more (F21)."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator
from typing import Any

from adapters.signing import Signer
from api.main.signed import read_signed
from domain.errors import Invalid
from services.sealing import PROOF, SEAL, SIGNED_AS, DayRound, check_proof, check_seal, inclusion_of, root_of
from tests.support.packs import Document, Path, changed, leaves

SIGNER = Signer(hashlib.sha256(b"a key of the tests").digest())


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _proof() -> Document:
    """The proof of the second of five rounds."""
    rounds = [DayRound(f"r{nth}", tuple((nth * 10 + at, _hash(f"{nth}.{at}")) for at in (1, 2))) for nth in range(5)]
    said = {
        "type": SEAL, "operator": "op", "day": "2026-11-29", "zone": "Europe/Berlin",
        "starts_at": "2026-11-29T00:00:00+01:00", "ends_at": "2026-11-30T00:00:00+01:00", "rounds": 5,
        "root": root_of("op", rounds, _hash), "position": 42, "hash": _hash("head").hex(),
        "sealed_at": "2026-11-30T01:00:00.000000Z",
    }  # fmt: skip
    seal = {**said, "key": SIGNER.public, "signature": SIGNER.sign(said, SIGNED_AS)}
    return {"type": PROOF, "seal": seal, "inclusion": inclusion_of("op", rounds, 1, _hash)}


def _of_other_types(document: Document, at: Path) -> Iterator[Document]:
    """The value as another reader might take it for the same."""
    place: Any = document
    for name in at:
        place = place[name]
    for other in (float(place), str(place), place + 0.25, True) if type(place) is int else (place.upper(), f"{place} "):
        if other != place or type(other) is not type(place):
            made = copy.deepcopy(document)
            into: Any = made
            for name in at[:-1]:
                into = into[name]
            into[at[-1]] = other
            yield made


def _added(document: Document) -> Iterator[Document]:
    for at in ((), ("seal",), ("seal", "key"), ("inclusion",), ("inclusion", "events", 0)):
        made = copy.deepcopy(document)
        into: Any = made
        for name in at:
            into = into[name]
        into["note"] = "and this is true too"
        yield made


def _holds(document: Document) -> bool:
    try:
        check_proof(document, read_signed([SIGNER.public]))
    except Invalid:
        return False
    return True


def test_F21_a_change_of_any_value_of_a_proof_is_found() -> None:
    document = _proof()
    assert _holds(document)
    places = list(leaves(document))
    assert len(places) > 20
    assert [at for at in places if _holds(changed(document, at))] == []
    assert [at for at in places for made in _of_other_types(document, at) if _holds(made)] == []
    assert [made for made in _added(document) if _holds(made)] == []


def test_F21_a_seal_is_what_was_signed_in_value_and_type() -> None:
    seal = _proof()["seal"]
    read = read_signed([SIGNER.public])
    assert check_seal(seal, read).rounds == 5
    for at in leaves(seal):
        for made in (changed(seal, at), *_of_other_types(seal, at)):
            try:
                check_seal(made, read)
            except Invalid:
                continue
            raise AssertionError(at)
