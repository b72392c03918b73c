"""From an admitted call to an order for the house, and from its result to the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from api import metrics
from api.route_table import Answer, Call
from domain.changing import replace
from domain.errors import Refusal
from services.batch import TRANSACTION, Order
from services.commands import (
    Announce,
    Command,
    CorrectScan,
    Deal,
    DepositFunds,
    PostMessage,
    RollBackTransaction,
    ScanCard,
    WithdrawFunds,
)
from services.house import House
from services.ports import Clock, Ids, Key, Meta

HEADER_KEY = "key"
"""Scope of the Idempotency-Key header."""

_HIDDEN: Final = (Deal, ScanCard, CorrectScan, PostMessage, Announce)
"""Commands whose bodies hold cards that are not public, or texts that will go."""


_CASHIER: Final = (DepositFunds, WithdrawFunds)
"""Commands that the operator's own transaction id serves once."""


@dataclass(frozen=True, slots=True)
class Orders:
    """Where command routes hand their commands in."""

    house: House
    clock: Clock
    ids: Ids
    blind: Callable[[bytes], bytes]
    """What stands in for the fingerprint of a request whose body holds cards that are not public (F32), or a text that
    must go one day (C30): fingerprints are kept for ever, and a short text can be guessed from a plain one.
    """
    is_strict: Callable[[str], Awaitable[bool]]
    """Whether an operator's calls that need two persons are only proposed. Raises Unavailable."""

    async def carry_out(self, call: Call[Any], command: Command, status: int = 200) -> Answer:
        """Submit `command` for the caller; the durable answer, or a Refusal."""
        return await self._submitted(self.order(call, command, status))

    async def carry_out_or_propose(self, call: Call[Any], command: Command, status: int) -> Answer:
        """The same for what needs two persons: it is only proposed where the operator is strict."""
        order = self.order(call, command, status)
        return await self._submitted(replace(order, is_strict=await self.is_strict(order.meta.operator)))

    async def _submitted(self, order: Order) -> Answer:
        name = type(order.command).__name__
        began = perf_counter()
        try:
            result = await self.house.submit(order)
        except Refusal as refusal:
            metrics.command(name, refusal.code, perf_counter() - began)
            raise
        metrics.command(name, "replayed" if result.replayed else "done", perf_counter() - began)
        return Answer(result.status, result.body, replayed=result.replayed)

    def order(self, call: Call[Any], command: Command, status: int) -> Order:
        """`command` as the caller's order, under the call's keys."""
        return Order(command, self._meta(call), status, self._keys(call, command))

    def _meta(self, call: Call[Any]) -> Meta:
        command_id = self.ids.new()
        return Meta(
            operator=call.principal.operator,
            actor=call.principal.subject,
            key_id=call.principal.key_id,
            request_id=call.request_id,
            idempotency_key=call.key,
            correlation=call.path.get("round", command_id),
            causation=command_id,
            effective_at=self.clock.now(),
            traceparent=call.traceparent,
        )

    def _keys(self, call: Call[Any], command: Command) -> tuple[tuple[Key, bytes], ...]:
        """The header's key, and for the cashier's moves the operator's own transaction id."""
        operator = call.principal.operator
        keys: list[tuple[Key, bytes]] = []
        if call.key is not None:
            fingerprint = self.blind(call.fingerprint) if isinstance(command, _HIDDEN) else call.fingerprint
            keys.append(((operator, HEADER_KEY, call.key), fingerprint))
        if isinstance(command, RollBackTransaction):
            # an id holds no slash: this cannot be a transaction's own record
            keys.append(((operator, TRANSACTION, f"{command.transaction_id}/rollback"), b"rollback"))
        if isinstance(command, _CASHIER):
            same = f"{type(command).__name__}\0{command.player}\0{command.amount_minor}"
            keys.append(((operator, TRANSACTION, command.transaction_id), hashlib.sha256(same.encode()).digest()))
        return tuple(keys)
