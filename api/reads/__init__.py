"""Reads: thin FastAPI routes over `services.queries`. An unknown query parameter is refused, never ignored."""

from __future__ import annotations

from fastapi import APIRouter

from api.reads import (
    accounts,
    approvals,
    books,
    chat,
    evidence,
    exports,
    floor,
    following,
    keys,
    reconciliations,
    replays,
    reports,
    webhooks,
)
from api.reads.common import Readers, no_parameter_twice

__all__ = ["Readers", "no_parameter_twice", "read_routers"]


def read_routers(readers: Readers) -> tuple[APIRouter, ...]:
    """Every read of the API."""
    made = (
        accounts, floor, replays, evidence, chat, following, books, reports, exports, reconciliations, approvals,
        webhooks, keys,
    )  # fmt: skip
    return tuple(one.router(readers) for one in made)
