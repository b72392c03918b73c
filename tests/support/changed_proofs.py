"""A proof of a sealed day, changed in one way after another, each with the field that a check of it must name (F21)."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable
from typing import Any

from adapters.signing import Signer

Proof = dict[str, Any]
Change = Callable[[Proof], object]


def altered(proof: Proof, change: Change) -> Proof:
    """A changed copy."""
    changed = copy.deepcopy(proof)
    change(changed)
    return changed


def other_hash(proof: Proof) -> None:
    proof["inclusion"]["events"][0]["hash"] = "00" * 32


def other_round(proof: Proof) -> None:
    proof["inclusion"]["round"] = "another"


def other_place(proof: Proof) -> None:
    proof["inclusion"]["index"] = 0


def shorter_path(proof: Proof) -> None:
    proof["inclusion"]["path"].pop()


def fewer_rounds(proof: Proof) -> None:
    proof["inclusion"]["rounds"] = proof["seal"]["rounds"] = 2


def own_root(proof: Proof) -> None:
    proof["seal"]["root"] = "00" * 32


def own_day(proof: Proof) -> None:
    proof["seal"]["day"] = "2026-03-09"


def strange_field(proof: Proof) -> None:
    proof["seal"]["note"] = "x"


def stranger(proof: Proof) -> None:
    key = Signer(secrets.token_bytes(32))
    said = {name: value for name, value in proof["seal"].items() if name not in ("key", "signature")}
    proof["seal"].update(key=key.public, signature=key.sign(said, "studbook-seal"))


def no_events(proof: Proof) -> None:
    proof["inclusion"]["events"] = []


def bad_salt(proof: Proof) -> None:
    proof["inclusion"]["salt"] = "zz"


CHANGES: list[tuple[Change, str]] = [
    (other_hash, "inclusion.path"), (other_round, "inclusion.path"), (other_place, "inclusion.path"),
    (shorter_path, "inclusion.path"), (fewer_rounds, "rounds"), (own_root, "root"), (own_day, "day"),
    (strange_field, "note"), (stranger, "key"), (no_events, "inclusion.events"), (bad_salt, "inclusion.salt"),
    (lambda proof: proof["seal"].pop("signature"), "signature"), (lambda proof: proof.pop("seal"), "seal"),
]  # fmt: skip
