"""Signatures that anyone can check: JWS in compact form, Ed25519 (RFC 7515, RFC 9864).

The key is 32 random bytes, kept as those of sealed cards are: `key` or `id:key,id:key`, the first one signs. Its public
half names itself by its thumbprint (RFC 7638), which stands as `kid` in each signature.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from hmac import digest
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from joserfc import errors, jws
from joserfc.jwk import OKPKey

_ALGORITHM: Final = "Ed25519"

PublicKey = Mapping[str, str]
"""A public JWK: kty, crv, x, kid."""


class SignatureBroken(Exception):
    """What was signed is not what stands there, or the key is not one of those trusted; in one line."""


class Signer:
    """Signs with one key."""

    def __init__(self, secret: bytes) -> None:
        public = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
        self._secret = secret
        self._key = OKPKey.import_key({"kty": "OKP", "crv": "Ed25519", "x": _text(public), "d": _text(secret)})
        self.key_id = self._key.thumbprint()

    @property
    def public(self) -> dict[str, str]:
        """The public JWK."""
        parts = self._key.as_dict(private=False)
        return {name: str(parts[name]) for name in ("kty", "crv", "x")} | {"kid": self.key_id}

    def sign(self, payload: Mapping[str, object], kind: str) -> str:
        """The signed payload; `kind` is the `typ` of its header."""
        header = {"alg": _ALGORITHM, "kid": self.key_id, "typ": kind}
        return jws.serialize_compact(header, plain_json(payload), self._key, algorithms=[_ALGORITHM])

    def secret_for(self, what: str) -> bytes:
        """32 bytes that only who holds the key can tell, always the same for `what`."""
        return digest(self._secret, b"studbook derived secret v1\0" + what.encode(), sha256)


class Verifier:
    """Reads what one of some trusted keys has signed."""

    def __init__(self, keys: Iterable[PublicKey]) -> None:
        self._keys = {thumbprint(one): OKPKey.import_key(dict(one)) for one in keys}

    @property
    def key_ids(self) -> tuple[str, ...]:
        """The thumbprints of the trusted keys."""
        return tuple(self._keys)

    def read(self, token: str, kind: str) -> dict[str, Any]:
        """What was signed. SignatureBroken names what does not hold."""
        try:
            found = jws.extract_compact(token.encode("ascii"))
            header = found.headers()
            key = self._keys.get(str(header.get("kid")))
            if key is None:
                raise SignatureBroken(f"it is signed with another key ({str(header.get('kid'))[:43]})")
            if header.get("alg") != _ALGORITHM or header.get("typ") != kind:
                raise SignatureBroken(f"it is not a {kind} signed by {_ALGORITHM}")
            if not jws.validate_compact(found, key, algorithms=[_ALGORITHM]):
                raise SignatureBroken("its signature does not hold")
            payload = json.loads(found.payload)
        except (errors.JoseError, ValueError, TypeError):
            raise SignatureBroken("it is no signature that can be read") from None
        if not isinstance(payload, dict):
            raise SignatureBroken("it holds no JSON object")
        return payload


def thumbprint(key: PublicKey) -> str:
    """The name of a public key (RFC 7638). ValueError for what is no Ed25519 public key."""
    if key.get("kty") != "OKP" or key.get("crv") != "Ed25519" or "d" in key:
        raise ValueError("it is no public Ed25519 key")
    try:
        return OKPKey.import_key(dict(key)).thumbprint()
    except (errors.JoseError, ValueError, TypeError, KeyError):
        raise ValueError("it is no public Ed25519 key") from None


def plain_json(payload: Mapping[str, object]) -> bytes:
    """Compact JSON with sorted names: the same object always gives the same bytes."""
    return json.dumps(payload, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
