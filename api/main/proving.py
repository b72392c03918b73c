"""Checking a document without database and network: seals and proofs, and what comes to be checked beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from adapters.anchors.folder import FolderFault, read_jwks
from api.main.pack_check import check_document as check_pack
from api.main.signed import read_signed
from domain.errors import Invalid
from services.evidence.checking import PackChecked
from services.evidence.pack import PACK
from services.sealing import PROOF, SEAL, Checked, Read, check_proof, check_seal

BYTES_MOST: Final = 64 * 1024 * 1024

Check = Callable[[Mapping[str, Any], Read], Checked]

CHECKS: Final[Mapping[str, Check]] = {SEAL: check_seal, PROOF: check_proof}
"""By the type of a document: what holds, or an Invalid that names what does not."""


def check_file(path: Path, keys: Path | None) -> tuple[str, Checked | PackChecked]:
    """What the file is, and what holds of it. Invalid, in one line, for what does not, or is nothing to check here."""
    document = read_document(path)
    check = CHECKS.get(str(document.get("type")))
    if check is None and document.get("type") != PACK:
        raise Invalid(f"it is none of {', '.join([*CHECKS, PACK])}", field="type")
    try:
        trusted = None if keys is None else read_jwks(keys)
    except FolderFault as fault:
        raise Invalid(str(fault), field="keys") from None
    if check is None:
        return PACK, check_pack(document, trusted)
    return str(document["type"]), check(document, read_signed(trusted))


def read_document(path: Path) -> dict[str, Any]:
    """The JSON object of a file. Invalid."""
    try:
        if path.stat().st_size > BYTES_MOST:
            raise Invalid(f"{path} is larger than {BYTES_MOST} bytes", field="file")
        found = json.loads(path.read_bytes(), object_pairs_hook=_once)
    except OSError as fault:
        raise Invalid(f"{path}: {fault.strerror}", field="file") from None
    except (ValueError, RecursionError):
        raise Invalid(f"{path} is no JSON, or has a name twice in one object", field="file") from None
    if not isinstance(found, dict):
        raise Invalid(f"{path} holds no JSON object", field="file")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A name that stands twice would be read by one as this and by another as that."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found
