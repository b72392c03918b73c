"""The kinds of streams: which events each holds, and how its state follows from them.

A new aggregate is one line in `Event`, one in `State` and one in `evolve`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args

from domain import approvals, chat, gaming, messages, players, reconciliations, tables, transactions
from domain.approvals import Approval, ApprovalEvent
from domain.chat import Chat, ChatEvent
from domain.gaming import Gaming, GamingEvent
from domain.ids import stream_kind
from domain.jackpots import decider as jackpots
from domain.jackpots.events import PoolEvent
from domain.jackpots.upkeep import UpkeepEvent
from domain.messages import Message, MessageEvent
from domain.players import Player, PlayerEvent
from domain.reconciliations import Reconciliation, ReconciliationEvent
from domain.rounds import decider as rounds
from domain.rounds.events import RoundEvent
from domain.seats import decider as seats
from domain.seats.events import SeatEvent
from domain.tables import Table, TableEvent
from domain.transactions import Transaction, TransactionEvent
from domain.wallets import decider as wallets
from domain.wallets.events import WalletEvent

Event = (
    WalletEvent
    | PlayerEvent
    | TableEvent
    | RoundEvent
    | SeatEvent
    | PoolEvent
    | UpkeepEvent
    | TransactionEvent
    | GamingEvent
    | ChatEvent
    | MessageEvent
    | ApprovalEvent
    | ReconciliationEvent
)
"""Everything that can ever have happened."""

State = (
    wallets.Wallet
    | Player
    | Table
    | rounds.Round
    | seats.Seat
    | jackpots.Pool
    | Transaction
    | Gaming
    | Chat
    | Message
    | Approval
    | Reconciliation
)
"""What a stream's events add up to."""

EVENT_TYPES: tuple[type[Event], ...] = get_args(Event)


def evolve(stream: str, state: State | None, event: Event) -> State:
    """The state of `stream` after `event`. Raises ValueError where the event does not belong to the stream."""
    kind = stream_kind(stream)
    evolved = EVOLVE.get(kind)
    if evolved is None:
        raise ValueError(f"no such kind of stream: {kind}")
    return evolved(state, event)


EVOLVE: Final[dict[str, Callable[[Any, Any], State]]] = {
    "wallet": wallets.evolve,
    "seat": seats.evolve,
    "round": rounds.evolve,
    "jackpot": jackpots.evolve,
    "table": tables.evolve,
    "player": players.evolve,
    "transaction": transactions.evolve,
    "gaming": gaming.evolve,
    "chat": chat.evolve,
    "message": messages.evolve,
    "approval": approvals.evolve,
    "reconciliation": reconciliations.evolve,
}
"""Each kind of stream, and how its state follows from its events."""
