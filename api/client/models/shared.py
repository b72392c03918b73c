"""Shared: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ..answer import Answer
from .proposals import (
    ProposedAdjustment,
    ProposedCorrection,
    ProposedPrize,
    ProposedResettlement,
    ProposedSignOff,
    ProposedTransfer,
    ProposedVoid,
)


class Balance(Answer):
    """A player's money after the command."""

    available: int
    held: int
    currency: str
    exponent: int


class AdjustmentAnswer(Answer):
    """A correction."""

    adjustment: str
    player: str
    amount: int
    balance: Balance
    position: int


class CloudEvent(Answer):
    """An event as CloudEvents 1.0 has it. `id` is its position in the log, `sequence` the same with leading zeros,
    so that sequences are ordered as texts; `data` has the event's own fields with `meta`. `traceparent` is
    there where the request that caused the event had one.
    """

    specversion: Literal["1.0"] | str
    id: str
    source: str
    type: str
    subject: str
    time: datetime
    datacontenttype: Literal["application/json"] | str
    sequence: str
    data: dict[str, Any]
    traceparent: str | None = None


class WagerLine(Answer):
    """One accepted wager."""

    wager: str
    kind: str
    stake: int


class DoneApprovalAnswer(Answer):
    """A proposal. `asked` is whom the proposer named as approver; `status` OPEN, APPROVED, REJECTED, WITHDRAWN (by
    the proposer) or EXPIRED; who decided, when and why, once somebody has.
    """

    approval: str
    status: str
    call: str
    proposed: (
        ProposedVoid
        | ProposedResettlement
        | ProposedCorrection
        | ProposedTransfer
        | ProposedPrize
        | ProposedAdjustment
        | ProposedSignOff
    )
    proposer: str
    asked: str | None
    at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    decided_because: str | None
    position: int


class VoidedJackpot(Answer):
    """What a void did to a pool, in micro-units as decimal strings."""

    jackpot: str
    meter_change_micro: str
    reserve_change_micro: str
    overflow_change_micro: str
    shortfall_micro: str
    meter_after_micro: str


class VoidedPlayer(Answer):
    """What a void did to one player: stakes that came back, what was owed and taken, what the house bears."""

    player: str
    refund: int
    owed: int
    taken: int
    loss: int
    balance: Balance


class DoneVoidAnswer(Answer):
    """A void, or with `dry_run` what it would do; the first 1,000 players."""

    round: str
    phase: str
    stage: str
    policy: str | None
    dry_run: bool
    players: list[VoidedPlayer]
    players_count: int
    jackpots: list[VoidedJackpot]
    position: int


class ExportAnswer(Answer):
    """An export. `asked` is what was asked for. `status`: `WAITING`, `RUNNING`, `DONE` or `FAILED`, with
    `failure`. `events_read` of `events` of the log are read. Once it is done: `file` is where the file is, with
    name, size in bytes and SHA-256, and `totals` has the rows of each table and the sum of each column by
    currency, in its own unit. It is forgotten after `expires_at`.
    """

    export: str
    kind: str
    format: str
    asked: dict[str, Any]
    subject: str
    status: str
    asked_at: str
    finished_at: str | None
    expires_at: str
    events_read: int
    events: int
    failure: str | None
    file: str | None
    file_name: str | None
    bytes: int | None
    sha256: str | None
    totals: dict[str, Any] | None
    position: int


class WagerAnswer(Answer):
    """A wager. `payout` is None until it is settled; `reason` says why it was rejected."""

    wager: str
    kind: str
    stake: int
    status: str
    payout: int | None
    reason: str | None


class JackpotTerms(Answer):
    """Parameters that may change; amounts in minor units, rates as decimal strings."""

    reset: int
    increment_rate: str
    reserve_rate: str
    ceiling: int
    fixed_prize_funding: str
    multi_winner_policy: str
    handpay_threshold: int | None


class Limits(Answer):
    """Least and most that the spots of a table take, in minor units; None: no such limit."""

    ante_min: int
    ante_max: int
    side_min: int
    side_max: int
    total_max: int | None


class PoolBalances(Answer):
    """A pool's three accounts in micro-units, and what it shows in whole minor units."""

    jackpot: str
    meter: int
    meter_micro: int
    reserve_micro: int
    overflow_micro: int


class PrizeAnswer(Answer):
    """A pending prize that was paid (VERIFIED) or not (REFUSED)."""

    jackpot: str
    award: str
    status: str
    round: str
    player: str
    amount: int
    balance: Balance
    position: int


class ResettledPlayer(Answer):
    """One player's new result, what the old one gave more (`owed`), and what of it could be taken."""

    player: str
    outcome: str
    returned: int
    net: int
    owed: int
    taken: int
    loss: int
    balance: Balance


class ResettleAnswer(Answer):
    """A round settled again; the first 1,000 players."""

    round: str
    dealer_hand: str
    qualifies: bool
    policy: str
    players: list[ResettledPlayer]
    players_count: int
    position: int


class SecretAnswer(Answer):
    """A secret that signs, without the secret; `expires_at` null: until it is rotated."""

    number: int
    created_at: str
    expires_at: str | None


class UpkeepAnswer(Answer):
    """What a correction or transfer leaves; of a transfer both pools, the giving one first."""

    jackpots: list[PoolBalances]
    position: int


class WebhookAnswer(Answer):
    """A webhook. Every event of its `types` up to `position` is delivered; `pending` are the operator's events
    past it. `failures` counts tries in a row since `failing_since`; the next is made at `next_at`. One that is
    disabled says since when and why, and is called again after PATCH with `"active": true`.
    """

    webhook: str
    url: str
    types: list[str]
    active: bool
    created_at: str
    position: int
    pending: int
    failures: int
    failing_since: str | None
    next_at: str | None
    disabled_at: str | None
    disabled_reason: str | None
    secrets: list[SecretAnswer]
