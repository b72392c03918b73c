"""Where the vaults' keys come from: the environment, or a file of mode 600 beside the embedded database. Cards have a
key and the secrets of webhooks another, so that the deliverer, which talks to the world, can open no card (ADR 16).

Both hold the same text: `key` or `id:key,id:key`, each key 32 random bytes in base64url; the first one seals,
all of them open. With a database of the operator's own (a DSN) the variable is required: a key that appeared
by itself on one machine would lock the others out.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from adapters.vault import KEY_BYTES, Vault, from_base64url, key_id, to_base64url
from domain.errors import Invalid

CARD_KEY_VARIABLE: Final = "STUDBOOK_CARD_KEY"
CARD_KEY_FILE: Final = "card.key"
WEBHOOK_KEY_VARIABLE: Final = "STUDBOOK_WEBHOOK_KEY"
WEBHOOK_KEY_FILE: Final = "webhook.key"
_MAX_FILE_BYTES: Final = 65_536
_LEAST_DISTINCT_BYTES: Final = 8
_HOW: Final = "make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"


def vault_from_environment(embedded_dir: Path | None, environ: Mapping[str, str] = os.environ) -> Vault:
    """The vault of this process.

    The keys of STUDBOOK_CARD_KEY when it is set; else, with the embedded database whose folder is
    `embedded_dir`, those of its file `card.key`, made at the first start; else (a DSN) Invalid.
    """
    text = environ.get(CARD_KEY_VARIABLE)
    if text is not None:
        return vault_from_text(text, CARD_KEY_VARIABLE)
    if embedded_dir is None:
        detail = f"{CARD_KEY_VARIABLE} is not set; with a database of your own it is required; {_HOW}"
        raise Invalid(detail, field=CARD_KEY_VARIABLE)
    return load_or_create_key_file(embedded_dir / CARD_KEY_FILE)


def webhook_vault(embedded_dir: Path | None, environ: Mapping[str, str] = os.environ) -> Vault | None:
    """The vault of webhooks' secrets: as `vault_from_environment`, of STUDBOOK_WEBHOOK_KEY or `webhook.key`. None with
    a database of the operator's own and no such variable: then no webhooks are kept. Invalid for the key of cards.
    """
    text = environ.get(WEBHOOK_KEY_VARIABLE)
    if text:
        keys = keys_from_text(text, WEBHOOK_KEY_VARIABLE)
        cards = environ.get(CARD_KEY_VARIABLE)
        if cards and keys.keys() & keys_from_text(cards, CARD_KEY_VARIABLE).keys():
            raise Invalid(f"{WEBHOOK_KEY_VARIABLE} holds the key of cards; {_HOW}", field=WEBHOOK_KEY_VARIABLE)
        return Vault(keys, next(iter(keys)), WEBHOOK_KEY_VARIABLE)
    if embedded_dir is None:
        return None
    path = embedded_dir / WEBHOOK_KEY_FILE
    keys = keys_from_text(key_file_text(path, "webhook key file", "webhook_key_file"), f"webhook key file {path}")
    return Vault(keys, next(iter(keys)), WEBHOOK_KEY_VARIABLE)


def vault_from_text(text: str, where: str) -> Vault:
    """The vault of `key` or `id:key,id:key`, the first one current. Invalid names `where` and shows no key."""
    keys = keys_from_text(text, where)
    return Vault(keys, next(iter(keys)))


def keys_from_text(text: str, where: str) -> dict[str, bytes]:
    """Keys by their ids, the current one first. Invalid names `where` and shows no key."""
    keys: dict[str, bytes] = {}
    for place, entry in enumerate(text.strip().split(","), start=1):
        name, colon, encoded = entry.strip().rpartition(":")
        key = from_base64url(encoded.removesuffix("="))
        if key is None or len(key) != KEY_BYTES:
            raise Invalid(f"entry {place} of {where} is not {KEY_BYTES} bytes in base64url; {_HOW}", field=where)
        if len(set(key)) < _LEAST_DISTINCT_BYTES:
            raise Invalid(f"entry {place} of {where} is not random; {_HOW}", field=where)
        if colon and name != key_id(key):
            raise Invalid(f"entry {place} of {where} is named {name!r}, but its key is {key_id(key)}", field=where)
        if key_id(key) in keys:
            raise Invalid(f"{where} holds key {key_id(key)} twice", field=where)
        keys[key_id(key)] = key
    return keys


def new_key_text() -> str:
    """A fresh key as `id:key`, from the operating system's entropy."""
    key = secrets.token_bytes(KEY_BYTES)
    return f"{key_id(key)}:{to_base64url(key)}"


def load_or_create_key_file(path: Path) -> Vault:
    """The vault of a key file, which is made, complete and with mode 600, when there is none.

    Two processes that start at once end with the same key. Invalid when the file may be read by others, is a
    link, belongs to somebody else, or cannot be read or written.
    """
    return vault_from_text(key_file_text(path), f"card key file {path}")


def key_file_text(path: Path, what: str = "card key file", field: str = "card_key_file") -> str:
    """What a key file holds; made as `load_or_create_key_file` says. `what` and `field` name it in an Invalid."""
    try:
        if not os.path.lexists(path):
            _create(path)
        return _read(path, what, field)
    except OSError as error:
        raise Invalid(f"{what} {path}: {error.strerror}", field=field) from error
    except UnicodeDecodeError:
        raise Invalid(f"{what} {path} is not text", field=field) from None


def _create(path: Path) -> None:
    """Write a file of another name to the end, then link it: the key file is whole or is not there."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(new_key_text() + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            return  # another process was first: its key is the one
    finally:
        draft.unlink()
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(path: Path, what: str, field: str) -> str:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise Invalid(f"{what} {path} is no file", field=field)
        if about.st_mode & 0o077:
            mode = stat.S_IMODE(about.st_mode)
            detail = f"{what} {path} has mode {mode:o}: others may read it; set 600 or replace the key"
            raise Invalid(detail, field=field)
        if about.st_uid not in (0, os.geteuid()):
            raise Invalid(f"{what} {path} belongs to user {about.st_uid}", field=field)
        return file.read(_MAX_FILE_BYTES).decode("ascii")
