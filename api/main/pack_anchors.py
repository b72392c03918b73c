"""The anchors around a round, with the public keys that they are signed with."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping

from adapters.anchors.around import around
from adapters.anchors.folder import Folder
from adapters.signing import PublicKey
from services.evidence.pack import PackAnchor, PackAnchors


def anchors_around(folder: Folder, first: int, last: int) -> PackAnchors | None:
    """The last anchor before position `first` and the first at `last` or past it; None where there is neither.
    OSError, FolderFault, ValueError where the folder cannot be read, or a key of it is not published there.
    """
    try:
        before, after = around(folder.anchors, first, last)
    except FileNotFoundError:
        return None
    if before is None and after is None:
        return None
    keys = {one["kid"]: one for one in folder.public_keys()}
    return PackAnchors(_with_key(before, keys), _with_key(after, keys))


def _with_key(signed: str | None, keys: Mapping[str, PublicKey]) -> PackAnchor | None:
    if signed is None:
        return None
    header = signed.split(".", 1)[0]
    kid = json.loads(urlsafe_b64decode(header + "=" * (-len(header) % 4))).get("kid")
    if kid not in keys:
        raise ValueError(f"the public key {kid} of an anchor is not in anchor.jwks")
    return PackAnchor(signed, keys[kid])
