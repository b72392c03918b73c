"""The kinds of streams: which events each holds, and how its state follows from them.

A new aggregate is one line in `Event`, one in `State` and one in `evolve`.
"""

from __future__ import annotations

from typing import cast, get_args

from domain import chat, gaming, messages, players, tables, transactions
from domain.chat import Chat, ChatEvent
from domain.gaming import Gaming, GamingEvent
from domain.ids import stream_kind
from domain.jackpots import decider as jackpots
from domain.jackpots.events import PoolEvent
from domain.jackpots.upkeep import UpkeepEvent
from domain.messages import Message, MessageEvent
from domain.players import Player, PlayerEvent
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
)
"""Everything that can ever have happened."""

State = (
    wallets.Wallet | Player | Table | rounds.Round | seats.Seat | jackpots.Pool | Transaction | Gaming | Chat | Message
)
"""What a stream's events add up to."""

EVENT_TYPES: tuple[type[Event], ...] = get_args(Event)


def evolve(stream: str, state: State | None, event: Event) -> State:
    """The state of `stream` after `event`. Raises ValueError where the event does not belong to the stream."""
    match stream_kind(stream):
        case "wallet":
            return wallets.evolve(cast("wallets.Wallet | None", state), cast(WalletEvent, event))
        case "seat":
            return seats.evolve(cast("seats.Seat | None", state), cast(SeatEvent, event))
        case "round":
            return rounds.evolve(cast("rounds.Round | None", state), cast(RoundEvent, event))
        case "jackpot":
            return jackpots.evolve(cast("jackpots.Pool | None", state), cast(PoolEvent | UpkeepEvent, event))
        case "table":
            return tables.evolve(cast("Table | None", state), cast(TableEvent, event))
        case "player":
            return players.evolve(cast("Player | None", state), cast(PlayerEvent, event))
        case "transaction":
            return transactions.evolve(cast("Transaction | None", state), cast(TransactionEvent, event))
        case "gaming":
            return gaming.evolve(cast("Gaming | None", state), cast(GamingEvent, event))
        case "chat":
            return chat.evolve(cast("Chat | None", state), cast(ChatEvent, event))
        case "message":
            return messages.evolve(cast("Message | None", state), cast(MessageEvent, event))
        case kind:
            raise ValueError(f"no such kind of stream: {kind}")
