"""Short tokens in place of keys: JWTs of ten minutes (HS256, the claims of RFC 9068), signed and read by this service.

A token stands for a key and for some of its roles. It says who asks; what that key may do, and whether it still may,
is looked up with each request as for the key itself, so a token ends with its key. The one algorithm, the type, issuer
and audience are fixed here, whatever a token says of itself.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any, Final

from joserfc import errors, jwt
from joserfc.jwk import OctKey
from joserfc.jws import CompactSignature

from api.errors import Unauthenticated

TOKEN_SECONDS: Final = 600
ISSUER: Final = "studbook"
AUDIENCE: Final = "studbook-api"
KIND: Final = "at+jwt"
_ALGORITHM: Final = "HS256"
_LEEWAY_SECONDS: Final = 5
_KNOWN_MOST: Final = 4_096


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says: the key behind it, its roles, and when it ends (seconds since 1970)."""

    key_id: str
    roles: frozenset[str]
    ends: int


class Tokens:
    """Gives tokens and reads them. With no keys it gives none, and none opens anything."""

    def __init__(self, keys: Mapping[str, bytes], clock: Callable[[], float] = time.time) -> None:
        self._keys = {name: OctKey.import_key(key) for name, key in keys.items()}
        self._current = next(iter(keys), None)
        self._clock = clock
        self._known: OrderedDict[str, Claims] = OrderedDict()

    @property
    def is_on(self) -> bool:
        """Whether there is a key to sign with."""
        return self._current is not None

    def give(self, subject: str, key_id: str, roles: frozenset[str]) -> str:
        """A token for a key, of ten minutes."""
        assert self._current is not None
        now = int(self._clock())
        claims = {
            "iss": ISSUER, "aud": AUDIENCE, "sub": subject, "client_id": key_id, "scope": " ".join(sorted(roles)),
            "iat": now, "exp": now + TOKEN_SECONDS, "jti": token_urlsafe(12),
        }  # fmt: skip
        header = {"alg": _ALGORITHM, "kid": self._current, "typ": KIND}
        return jwt.encode(header, claims, self._keys[self._current], algorithms=[_ALGORITHM])

    def read(self, token: str) -> Claims:
        """What the token says. Unauthenticated names the check that failed."""
        found = self._known.get(token)
        if found is None:
            found = self._known[token] = self._read(token)
            if len(self._known) > _KNOWN_MOST:
                self._known.popitem(last=False)
        if found.ends <= self._clock():
            self._known.pop(token, None)
            raise failed("exp", "the token has expired; ask for a new one")
        return found

    def _read(self, token: str) -> Claims:
        try:
            found = jwt.decode(token, self._key_of, algorithms=[_ALGORITHM])
            if found.header.get("typ") != KIND:
                raise failed("typ", f"the token is not of the type {KIND}")
            self._registry().validate(found.claims)
            claims = found.claims
            return Claims(str(claims["client_id"]), frozenset(str(claims["scope"]).split()), int(claims["exp"]))
        except errors.BadSignatureError:
            raise failed("signature", "the token's signature does not hold") from None
        except errors.ExpiredTokenError:
            raise failed("exp", "the token has expired; ask for a new one") from None
        except errors.ClaimError as fault:
            raise failed(str(fault.claim), f"the token's claim {fault.claim} is missing or not as it must be") from None
        except (errors.UnsupportedAlgorithmError, errors.MissingAlgorithmError):
            raise failed("alg", f"the token's algorithm must be {_ALGORITHM}") from None
        except (errors.JoseError, ValueError, TypeError, KeyError):
            raise failed("form", "this is no token that can be read") from None

    def _key_of(self, token: Any) -> OctKey:
        name = token.headers().get("kid") if isinstance(token, CompactSignature) else None
        key = self._keys.get(name) if isinstance(name, str) else None
        if key is None:
            raise failed("kid", "the token is signed with a key that is not in use")
        return key

    def _registry(self) -> jwt.JWTClaimsRegistry:
        return jwt.JWTClaimsRegistry(
            now=int(self._clock()),
            leeway=_LEEWAY_SECONDS,
            iss={"essential": True, "value": ISSUER},
            aud={"essential": True, "value": AUDIENCE},
            exp={"essential": True},
            iat={"essential": True},
            client_id={"essential": True},
            scope={"essential": True},
        )


def failed(check: str, detail: str) -> Unauthenticated:
    """A token that failed a check, which the problem names."""
    return Unauthenticated(detail, more={"check": f"token.{check}"})
