"""Checking a document without database and network: seals and proofs, and what comes to be checked beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Final

from adapters.anchors.folder import Folder, FolderFault, read_jwks
from adapters.signing import PublicKey, SignatureBroken, Verifier, thumbprint
from domain.errors import Invalid
from services.sealing import PROOF, SEAL, SIGNED_AS, Checked, Read, check_proof, check_seal

BYTES_MOST: Final = 64 * 1024 * 1024

Check = Callable[[Mapping[str, Any], Read], Checked]

CHECKS: Final[Mapping[str, Check]] = {SEAL: check_seal, PROOF: check_proof}
"""By the type of a document: what holds, or an Invalid that names what does not."""


def read_signed(trusted: Collection[PublicKey] | None, kind: str = SIGNED_AS) -> Read:
    """Reads a signature by the public key that stands beside it. `trusted`: the keys it must be one of; None: any, and
    who reads compares its name with the one that was published."""
    names = None if trusted is None else {thumbprint(one) for one in trusted}

    def read(token: str, key: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            name = thumbprint(key)
        except ValueError as fault:
            raise Invalid(str(fault), field="key") from None
        if key.get("kid") != name:
            raise Invalid("its name is not the key's thumbprint", field="key")
        if names is not None and name not in names:
            raise Invalid(f"{name} is not one of the keys that are trusted here", field="key")
        try:
            return Verifier([key]).read(token, kind)
        except SignatureBroken as fault:
            raise Invalid(str(fault), field="signature") from None

    return read


def check_file(path: Path, keys: Path | None) -> tuple[str, Checked]:
    """What the file is, and what holds of it. Invalid, in one line, for what does not, or is nothing to check here."""
    document = read_document(path)
    check = CHECKS.get(str(document.get("type")))
    if check is None:
        raise Invalid(f"it is none of {', '.join(CHECKS)}", field="type")
    try:
        trusted = None if keys is None else read_jwks(keys)
    except FolderFault as fault:
        raise Invalid(str(fault), field="keys") from None
    return str(document["type"]), check(document, read_signed(trusted))


def read_document(path: Path) -> dict[str, Any]:
    """The JSON object of a file. Invalid."""
    try:
        if path.stat().st_size > BYTES_MOST:
            raise Invalid(f"{path} is larger than {BYTES_MOST} bytes", field="file")
        found = json.loads(path.read_bytes())
    except OSError as fault:
        raise Invalid(f"{path}: {fault.strerror}", field="file") from None
    except (ValueError, RecursionError):
        raise Invalid(f"{path} is no JSON", field="file") from None
    if not isinstance(found, dict):
        raise Invalid(f"{path} holds no JSON object", field="file")
    return found


def keys_of_folder(folder: Folder, own: Mapping[str, Any]) -> list[PublicKey]:
    """The public keys of the installation: those in use, and those published before."""
    published = folder.public_keys() if folder.public.exists() else []
    return [*published, *(one.public for one in own.values())]
