"""What the API needs to answer with an evidence pack."""

from __future__ import annotations

from adapters.database.settings import Role
from adapters.event_store.hashes import ChainHashes
from adapters.evidence_keys import evidence_signers
from api.main.environment import Environment, software_version
from api.reads.common import Evidence


def evidence_of(env: Environment) -> Evidence:
    """Who signs, what software this is, and hashes of the log's places, which tell of no event but their own."""
    hashes = ChainHashes(env.settings.conninfo(Role.PROJECTOR, "studbook evidence"))
    return Evidence(evidence_signers(env.embedded_dir), software_version(), hashes)
