"""Reading what is signed by a key that stands beside the signature."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from adapters.anchors.folder import Folder
from adapters.signing import PublicKey, SignatureBroken, Verifier, thumbprint
from domain.errors import Invalid
from services.sealing import SIGNED_AS, Read


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


def keys_of_folder(folder: Folder, own: Mapping[str, Any]) -> list[PublicKey]:
    """The public keys of the installation: those in use, and those published before."""
    published = folder.public_keys() if folder.public.exists() else []
    return [*published, *(one.public for one in own.values())]
