"""Reconciliations: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class BreakBody(TypedDict):
    """A break as the run has it; `owner` looks after it, who prepares the day where none is named."""

    id: str
    kind: str
    about: str
    position: NotRequired[int | None]
    expected: NotRequired[str]
    found: NotRequired[str]
    reason: str
    owner: NotRequired[str | None]


class PoolTotalsBody(TypedDict):
    """Control totals of a pool's day, in micro-units."""

    jackpot: str
    currency: str
    opening_micro: str
    seed_micro: str
    resets_micro: str
    contributions_micro: str
    corrections_micro: str
    transfers_micro: str
    shortfall_micro: str
    awards_micro: str
    meter_micro: str
    reserve_micro: str
    overflow_micro: str
    pay_micro: str
    con_micro: str
    fund_micro: str


class PrepareBody(TypedDict):
    """What a run found of a day that has ended."""

    day: str
    log_position: int
    chain_head: str
    state_hash: str
    pools: list[PoolTotalsBody]
    breaks: list[BreakBody]


class ResolveBreakBody(TypedDict):
    """CORRECTED names the event or transaction that put it right as `reference`; ACCEPTED has its `note` alone."""

    resolution: Literal["CORRECTED", "ACCEPTED"]
    reference: NotRequired[str | None]
    note: str


class SignOffBody(TypedDict):
    """Sealed for good; `approver` is required with `four_eyes` `named`."""

    reason: str
    approver: NotRequired[str | None]
