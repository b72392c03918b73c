"""The service's own keys for tokens and signed requests: from the environment, or a file of mode 600 beside the
embedded database. The text has the form of the card key's: `key` or `id:key,id:key`, the first one in use.

With a database of the operator's own they are a choice: without STUDBOOK_TOKEN_KEY no tokens are given and no keys
are made whose requests must be signed.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping
from hmac import digest
from pathlib import Path
from typing import Final

from adapters.vault_keys import key_file_text, keys_from_text
from domain.errors import Unavailable

TOKEN_KEY_VARIABLE: Final = "STUDBOOK_TOKEN_KEY"
TOKEN_KEY_FILE: Final = "token.key"


def token_keys(embedded_dir: Path | None, environ: Mapping[str, str] = os.environ) -> dict[str, bytes]:
    """The keys by their ids, the one in use first; none where there are none. Invalid for what is no key."""
    text = environ.get(TOKEN_KEY_VARIABLE)
    if text:  # an empty one is what a file of settings holds that leaves it out
        return keys_from_text(text, TOKEN_KEY_VARIABLE)
    if embedded_dir is None:
        return {}
    path = embedded_dir / TOKEN_KEY_FILE
    return keys_from_text(key_file_text(path, "token key file", "token_key_file"), f"token key file {path}")


class DerivedSecrets:
    """See services.keys.SigningSecrets: HMAC-SHA256 of the key's id, so that the database holds no secret at all."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._keys = keys

    @property
    def current(self) -> str | None:
        """See the port."""
        return next(iter(self._keys), None)

    def secret(self, service_key: str, key_id: str) -> str:
        """See the port. Unavailable when the service's key was taken away."""
        key = self._keys.get(service_key)
        if key is None:
            raise Unavailable(f"the service's key {service_key}, which signed requests of this key need, is not here")
        return "whsec_" + b64encode(digest(key, b"studbook request signing v1\0" + key_id.encode(), "sha256")).decode()
