"""Secrets are taken out of everything that is logged: by the name of a field, by their form, and by their value.

The values are those that this process was configured with; `learn` adds to them (an embedded database's passwords are
made while it starts). Only the standard library is imported: the command line uses it for its one-line faults.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Mapping
from types import TracebackType
from typing import Final
from urllib.parse import quote, unquote, urlsplit

HIDDEN: Final = "[redacted]"

_SECRET_WORDS: Final = frozenset({
    "authorization", "cookie", "credential", "credentials", "conninfo", "dsn", "key", "passphrase", "passwd",
    "password", "pwd", "secret", "secrets", "signature", "token",
})  # fmt: skip

_NOT_SECRET: Final = frozenset({"key_id", "idempotency_key", "key_ids"})
"""Names with the word `key` that name a thing without opening anything."""

_WORD: Final = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*")
_NAMED: Final = r"[\w-]*(?:password|passwd|secret|token|_key|dsn)"
_FORMS: Final = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s,;\"']+"), rf"\1 {HIDDEN}"),
    (re.compile(r"\bsb_[A-Za-z0-9_-]{12,}"), f"sb_{HIDDEN}"),
    (re.compile(r"\bwhsec_[A-Za-z0-9+/=_-]+"), f"whsec_{HIDDEN}"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*"), HIDDEN),
    (re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]*://)[^\s/]+@"), rf"\1{HIDDEN}@"),
    (re.compile(rf"(?i)\b({_NAMED})\s*=\s*(?:'(?:[^'\\]|\\.)*'|\"[^\"]*\"|[^\s'\",;)]+)"), rf"\1={HIDDEN}"),
    (re.compile(rf"(?i)([\"'])({_NAMED}|authorization)\1\s*:\s*([\"'])[^\"']*\3"), rf"\1\2\1: \3{HIDDEN}\3"),
)
"""What secrets look like: keys, webhook secrets, web tokens, the user in an address, and `password=...`."""

_LEAST: Final = 4
"""Characters of a value that is looked for; a shorter one would blot out plain words."""

_known: set[str] = set()
_values: re.Pattern[str] | None = None


def is_secret_name(name: str) -> bool:
    """Whether a field, header or variable of that name holds a secret, such as `writer_password` or `X-Api-Key`."""
    if name.lower() in _NOT_SECRET:
        return False
    return any(word.lower() in _SECRET_WORDS for word in _WORD.findall(name))


def learn(environ: Mapping[str, str] | None = None) -> None:
    """Take the secrets out of the environment to look for: once at the start, again when `serve` has added some."""
    given = os.environ if environ is None else environ
    for name, value in given.items():
        if is_secret_name(name):
            _add(value)
            for part in re.split("[,:]", value):  # STUDBOOK_CARD_KEY: `new:...,old:...`
                _add(part, least=16)
        elif "://" in value and "@" in value:
            _add_address(value)
    _compile()


def _add_address(value: str) -> None:
    try:
        password = urlsplit(value).password
    except ValueError:
        return
    if password:
        _add(password)
        _add(unquote(password))


def _add(value: str, least: int = _LEAST) -> None:
    if len(value) >= least:
        _known.update((value, quote(value, safe=""), repr(value)[1:-1]))


def _compile() -> None:
    global _values  # noqa: PLW0603  # one per process, as the environment is
    longest_first = sorted(_known, key=len, reverse=True)
    _values = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None


def clean(text: str) -> str:
    """`text` without secrets."""
    if _values is not None:
        text = _values.sub(HIDDEN, text)
    for form, instead in _FORMS:
        text = form.sub(instead, text)
    return text


def cleaned(value: object, name: str = "") -> object:
    """A logged value of that name without secrets; what is no number, text, list or mapping becomes its clean text."""
    if name and is_secret_name(name):
        return HIDDEN
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return clean(value)
        case bytes():
            return clean(value.decode("utf-8", "replace"))
        case Mapping():
            return {clean(str(key)): cleaned(one, str(key)) for key, one in value.items()}
        case list() | tuple() | set() | frozenset():
            return [cleaned(one) for one in value]
        case _:
            return clean(str(value))


def tell(kind: type[BaseException], fault: BaseException, at: TracebackType | None) -> None:
    """What Python says of an exception that nobody caught, without secrets: a command's `sys.excepthook`."""
    sys.stderr.write(clean("".join(traceback.format_exception(kind, fault, at))))
