"""The Authorization header: a key or a token."""

from __future__ import annotations

import re
from typing import Final

from api.errors import Unauthenticated

ANY_KEY: Final = re.compile(r"[!-~]{16,256}", re.ASCII)
"""A key of ours, or one that an administrator chose."""

TOKEN_START: Final = "eyJ"
"""How every token begins, and no key: `{"` in base64url."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+", re.ASCII)
_TOKEN_CHARS_MAX: Final = 2_048


def bearer(header: bytes | None) -> str:
    """The key of an Authorization header; Unauthenticated says what is wrong with it, without repeating it."""
    if header is None:
        raise Unauthenticated("send the header Authorization: Bearer <key>")
    scheme, _, key = header.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthenticated("the scheme of Authorization must be Bearer")
    key = key.strip(" ")
    if key.startswith(TOKEN_START):
        if len(key) > _TOKEN_CHARS_MAX or not _TOKEN.fullmatch(key):
            raise Unauthenticated("the token in Authorization is cut off, or holds characters that no token has")
    elif not ANY_KEY.fullmatch(key):
        raise Unauthenticated("the key in Authorization is empty, cut off, or holds characters that no key has")
    return key


def is_token(text: str) -> bool:
    """Whether this would be read as a token, not as a key."""
    return text.startswith(TOKEN_START)
