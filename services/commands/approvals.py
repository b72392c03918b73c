"""Commands about what needs two persons."""

from __future__ import annotations

from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class DecideApproval:
    """Let what is proposed happen, or not. `may` are the calls that the decider's roles may make (Proposable)."""

    approval: str
    approves: bool
    reason: str | None
    may: tuple[str, ...]
