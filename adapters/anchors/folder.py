"""The folder of anchors, of mode 700:

anchors.jws   one signed anchor in each line, only ever added to
anchor.key    the key that signs, of mode 600, where STUDBOOK_ANCHOR_KEY gives none
anchor.jwks   its public half, for whoever checks
sent.json     how far the anchors were sent, where they are sent somewhere too
differs.txt   there while the log does not hold what was anchored: what differs
lock          held by the one process that writes
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from adapters.signing import PublicKey, Signer, thumbprint
from adapters.vault_keys import key_file_text, keys_from_text
from domain.frozen import dataclass

ANCHOR_KEY: Final = "STUDBOOK_ANCHOR_KEY"
_PRIVATE: Final = 0o700


class FolderFault(Exception):
    """The folder cannot be used; in one line that names it."""


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the anchors are."""

    path: Path

    @property
    def anchors(self) -> Path:
        """The file of anchors."""
        return self.path / "anchors.jws"

    @property
    def key(self) -> Path:
        """The key that signs."""
        return self.path / "anchor.key"

    @property
    def public(self) -> Path:
        """The public keys."""
        return self.path / "anchor.jwks"

    @property
    def sent(self) -> Path:
        """How far they were sent."""
        return self.path / "sent.json"

    @property
    def differs(self) -> Path:
        """What differs between the log and its last anchor; not there while they agree."""
        return self.path / "differs.txt"

    @property
    def lock(self) -> Path:
        """Held by who writes."""
        return self.path / "lock"

    def make(self) -> None:
        """Make it, for its owner alone, when it is not there. FolderFault."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self.path.mkdir(mode=_PRIVATE)
            except FileExistsError:
                if not self.path.is_dir():
                    raise FolderFault(f"anchor folder {self.path} is no folder") from None
            else:
                self.path.chmod(_PRIVATE)
            about = self.path.stat()
            if about.st_mode & 0o022:
                raise FolderFault(f"anchor folder {self.path}: others may write there; set mode 700 or choose another")
        except OSError as fault:
            raise FolderFault(
                f"anchor folder {self.path}: {fault.strerror}; choose another with --anchor-dir"
            ) from None

    def signers(self, environ: Mapping[str, str]) -> list[Signer]:
        """The keys of STUDBOOK_ANCHOR_KEY, else of the key file, which is made when it is not there; the first signs.
        Raises domain.errors.Invalid in one line that shows no key.
        """
        text = environ.get(ANCHOR_KEY)
        if text:
            return signers_of(text, ANCHOR_KEY)
        return signers_of(key_file_text(self.key, "anchor key file", "anchor_key_file"), f"anchor key file {self.key}")

    def publish(self, signers: list[Signer]) -> None:
        """Write the public keys where anyone who may enter can read them. OSError."""
        keys = {one.key_id: one.public for one in signers}
        known = {key["kid"]: key for key in self.public_keys()} if self.public.exists() else {}
        if keys.keys() <= known.keys():
            return
        draft = self.public.with_name(f".{self.public.name}.{os.getpid()}")
        draft.write_text(json.dumps({"keys": list((known | keys).values())}, indent=1) + "\n", encoding="ascii")
        draft.rename(self.public)

    def trusted(self, environ: Mapping[str, str]) -> list[PublicKey]:
        """The public halves of the keys at hand, else the published ones; none where there are none. Invalid."""
        if environ.get(ANCHOR_KEY) or self.key.exists():
            return [one.public for one in self.signers(environ)]
        return self.public_keys() if self.public.exists() else []

    def public_keys(self) -> list[PublicKey]:
        """What `publish` wrote. FolderFault."""
        return read_jwks(self.public)


def signers_of(text: str, where: str) -> list[Signer]:
    """The signers of `key` or `id:key,id:key`. Invalid names `where`."""
    return [Signer(key) for key in keys_from_text(text, where).values()]


def read_jwks(path: Path) -> list[PublicKey]:
    """The public keys of a file: a JWK set, or one JWK. FolderFault in one line."""
    try:
        found = json.loads(path.read_bytes())
        keys = found.get("keys", [found])
        for key in keys:
            thumbprint(key)
    except OSError as fault:
        raise FolderFault(f"public key file {path}: {fault.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise FolderFault(f"public key file {path} holds no Ed25519 public key (JWK or JWK set)") from None
    return list(keys)
