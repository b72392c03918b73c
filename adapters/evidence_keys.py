"""The keys that sign evidence packs: from the environment, or a file of mode 600 beside the embedded database, as those
of tokens are; the first one signs. They are never in the database. Without any no packs are made.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from adapters.signing import Signer
from adapters.vault_keys import key_file_text, keys_from_text

EVIDENCE_KEY_VARIABLE: Final = "STUDBOOK_EVIDENCE_KEY"
EVIDENCE_KEY_FILE: Final = "evidence.key"


def evidence_signers(embedded_dir: Path | None, environ: Mapping[str, str] = os.environ) -> tuple[Signer, ...]:
    """The keys, the one in use first; none with a database of one's own and no such variable. Invalid for no key."""
    text, where = environ.get(EVIDENCE_KEY_VARIABLE), EVIDENCE_KEY_VARIABLE
    if not text:
        if embedded_dir is None:
            return ()
        path = embedded_dir / EVIDENCE_KEY_FILE
        where = f"evidence key file {path}"
        text = key_file_text(path, "evidence key file", "evidence_key_file")
    return tuple(Signer(key) for key in keys_from_text(text, where).values())
