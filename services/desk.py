"""The desk: what one command may look at, and where its events are laid down.

Handlers are pure but for the desk's tools: they read states, call deciders, and post entries. Nothing leaves
the desk before the house takes it over; a refusal throws the whole desk away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Final, cast
from zoneinfo import ZoneInfo

from domain import carrying, chat, ids, messages, players, tables
from domain.approvals import Approval
from domain.changing import replace
from domain.errors import NotFound
from domain.flows import postings
from domain.frozen import dataclass
from domain.gaming import Gaming
from domain.jackpots.decider import Pool
from domain.reconciliations import Reconciliation
from domain.rounds.decider import Round
from domain.seats.decider import Seat
from domain.streams import Event, State, evolve
from domain.transactions import Transaction
from domain.wallets.decider import Wallet
from services.answers import Balance
from services.opening import Seals
from services.ports import Meta, Pending, Shoe, Text, Vault
from services.round_seats import next_seats, seats_of
from services.states import Done, Missing, States, Versioned

Facts = tuple[str, Sequence[Event]]
"""A stream and the events that it gets."""


UTC_ZONE: Final = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class Tools:
    """What handlers need beside states: cards, sealing, ISO 4217 exponents, what software this is, and the zone in
    which the operators' weeks begin.
    """

    shoe: Shoe
    vault: Vault
    exponent: Callable[[str], int]
    software_version: str
    build: str
    zone: ZoneInfo = UTC_ZONE


class StillPaying(Exception):
    """The command has to wait until a slice or more of this round's seats is decided for, paid or undone (`PayOn`)."""

    def __init__(self, round_id: str) -> None:
        super().__init__(round_id)
        self.round = round_id


class UnbalancedEntry(Exception):
    """A fault of ours: the lines of an entry do not sum to zero. Nothing is written."""


class Desk:
    """One command's view of the house: states as the newest events make them, and its own events on top."""

    def __init__(self, states: States, meta: Meta, now: datetime, tools: Tools, *, is_strict: bool = False) -> None:
        self._states = states
        self._own: dict[str, Versioned] = {}
        self._due: dict[str, None] = {}
        self._entry = 0
        self.meta = meta
        self.is_strict = is_strict
        """Whether the operator lets nothing that needs two persons happen by a name alone (`four_eyes`)."""
        self.now = now
        self.tools = tools
        self.pending: list[Pending] = []
        self.unfinished: str | None = None
        """A round that this command has only begun to settle or to undo: `PayOn` goes on with it."""
        self.texts: list[Text] = []

    @property
    def own(self) -> dict[str, Versioned]:
        """The states that this command changed."""
        return self._own

    @property
    def seals(self) -> Seals:
        """This operator's sealed cards."""
        return Seals(self.tools.vault, self.meta.operator)

    @property
    def command_id(self) -> str:
        """The command's id; it names what the command creates."""
        return self.meta.causation

    def post(self, *facts: Facts) -> None:
        """Lay down one entry: its lines sum to zero per currency, or UnbalancedEntry."""
        sums: defaultdict[str, int] = defaultdict(int)
        for stream, events in facts:
            for event in events:
                for _, currency, amount_micro in postings(event):
                    sums[currency] += amount_micro
                self._add(stream, event, self._entry)
        if any(sums.values()):
            raise UnbalancedEntry(f"entry {self._entry} of command {self.command_id}: {dict(sums)}")
        self._entry += 1

    def carry(self) -> None:
        """Give the streams that have grown enough their closing entries, within the last entry: after all else, since
        handlers number a pool's events before they post them.
        """
        due, self._due = self._due, {}
        for stream in due:
            event = carrying.carried(self._state(stream))
            if event is not None:
                self._add(stream, event, self._entry - 1)

    def trial(self) -> Desk:
        """Another desk on the same states, for what shall only be tried: nothing that is laid down there stays."""
        return Desk(self._states, self.meta, self.now, self.tools)

    def act_for(self, actor: str, key_id: str, correlation: str) -> None:
        """From here on the events are those of somebody else, whose proposal this command lets happen."""
        self.meta = replace(self.meta, actor=actor, key_id=key_id, correlation=correlation)

    def keep(self, text: Text) -> None:
        """Store a chat message's text with the events of this command, outside the log."""
        self.texts.append(text)

    def _add(self, stream: str, event: Event, entry: int) -> None:
        state, version, _ = self._own.get(stream) or self._states.get(stream)
        version += 1
        self._own[stream] = Versioned(evolve(stream, state, event), version, self.now)
        self.pending.append(Pending(stream, version, event, entry, self.meta, self.now))
        if carrying.is_due(stream, version):
            self._due[stream] = None

    def _get(self, stream: str) -> Versioned:
        own = self._own.get(stream)
        return own if own is not None else self._states.get(stream)

    def _state(self, stream: str) -> State | None:
        own = self._own.get(stream)
        return (own if own is not None else self._states.get(stream)).state

    # streams of this operator by their ids

    def wallet_at(self, player: str) -> str:
        """The stream of a wallet."""
        return ids.wallet_stream(self.meta.operator, player)

    def transaction_at(self, transaction_id: str) -> str:
        """The stream of a cashier's transaction."""
        return ids.transaction_stream(self.meta.operator, transaction_id)

    def gaming_at(self) -> str:
        """The stream of what is set for all games."""
        return ids.gaming_stream(self.meta.operator)

    def player_at(self, player: str) -> str:
        """The stream of a player."""
        return ids.player_stream(self.meta.operator, player)

    def table_at(self, table: str) -> str:
        """The stream of a table."""
        return ids.table_stream(self.meta.operator, table)

    def pool_at(self, jackpot: str) -> str:
        """The stream of a pool."""
        return ids.jackpot_stream(self.meta.operator, jackpot)

    def round_at(self, round_id: str) -> str:
        """The stream of a round."""
        return ids.round_stream(self.meta.operator, round_id)

    def seat_at(self, round_id: str, player: str) -> str:
        """The stream of a seat."""
        return ids.seat_stream(self.meta.operator, round_id, player)

    def chat_at(self, table: str) -> str:
        """The stream of a table's chat."""
        return ids.chat_stream(self.meta.operator, table)

    def message_at(self, message: str) -> str:
        """The stream of a chat message."""
        return ids.message_stream(self.meta.operator, message)

    def approval_at(self, approval: str) -> str:
        """The stream of what needs a second person."""
        return ids.approval_stream(self.meta.operator, approval)

    # states

    def find_player(self, player: str) -> players.Player | None:
        """A player, or None."""
        return cast("players.Player | None", self._state(self.player_at(player)))

    def find_transaction(self, transaction_id: str) -> Transaction | None:
        """A cashier's transaction by the operator's id, or None."""
        return cast("Transaction | None", self._state(self.transaction_at(transaction_id)))

    def find_gaming(self) -> Gaming | None:
        """What the operator set for all games, None when nothing ever was."""
        return cast("Gaming | None", self._state(self.gaming_at()))

    @property
    def one_device(self) -> bool:
        """Whether the operator's players have one device overall (C29)."""
        known = self.find_gaming()
        return known is not None and known.one_device

    def find_table(self, table: str) -> tables.Table | None:
        """A table, or None."""
        return cast("tables.Table | None", self._state(self.table_at(table)))

    def find_pool(self, jackpot: str) -> Pool | None:
        """A pool, or None."""
        return cast("Pool | None", self._state(self.pool_at(jackpot)))

    def find_wallet(self, player: str) -> Wallet | None:
        """A wallet, or None."""
        return cast("Wallet | None", self._state(self.wallet_at(player)))

    def find_round(self, round_id: str) -> Round | None:
        """A round, or None."""
        return cast("Round | None", self._state(self.round_at(round_id)))

    def find_seat(self, round_id: str, player: str) -> Seat | None:
        """A seat, or None."""
        return cast("Seat | None", self._state(self.seat_at(round_id, player)))

    def find_chat(self, table: str) -> chat.Chat | None:
        """What is set for a table's chat, None when nothing ever was."""
        return cast("chat.Chat | None", self._state(self.chat_at(table)))

    def find_message(self, message: str) -> messages.Message | None:
        """A chat message, or None."""
        return cast("messages.Message | None", self._state(self.message_at(message)))

    def find_approval(self, approval: str) -> Approval | None:
        """What needs a second person, or None."""
        return cast("Approval | None", self._state(self.approval_at(approval)))

    def find_reconciliation(self, day: str) -> Reconciliation | None:
        """A gaming day's reconciliation, or None."""
        return cast("Reconciliation | None", self._state(ids.reconciliation_stream(self.meta.operator, day)))

    def wallet(self, player: str) -> Wallet:
        """The wallet of a player, or NotFound."""
        found = self.find_wallet(player)
        if found is None:
            raise NotFound("no such player", field="player")
        return found

    def round(self, round_id: str) -> Round:
        """A round, or NotFound."""
        found = self.find_round(round_id)
        if found is None:
            raise NotFound("no such round", field="round")
        return found

    def seats(self, round_id: str) -> list[Seat]:
        """All seats of a round that ever held a wager, by player id."""
        return seats_of(self._states, self._own, ids.seat_prefix(self.meta.operator, round_id))

    def next_seats(self, round_id: str, most: int, is_done: Done) -> list[Seat]:
        """The first of them that are not done with, at most `most`, as they were before this command."""
        return next_seats(self._states, ids.seat_prefix(self.meta.operator, round_id), most, is_done)

    def seats_and_wallets(self, round_id: str) -> list[Seat]:
        """The same, for work that will look at every player's wallet: those not in memory are loaded all at once."""
        found = self.seats(round_id)
        self.need_wallets(one.player for one in found)
        return found

    def need_wallets(self, players: Iterable[str]) -> None:
        """Have the wallets of all these players loaded, at once where they are not in memory."""
        wallets = {self.wallet_at(one) for one in players}
        missing = [one for one in wallets if one not in self._own and not self._states.knows(one)]
        if missing:
            raise Missing(streams=missing)

    def last_touched(self, round_id: str) -> datetime:
        """When the last event of the round or one of its seats was recorded."""
        seats = self._states.all_under(ids.seat_prefix(self.meta.operator, round_id))
        found = (self._get(self.round_at(round_id)), *(self._own.get(name, one) for name, one in seats))
        times = [one.at for one in found if one.at is not None]
        return max(times, default=self.now)

    def balance(self, player: str) -> Balance:
        """A player's money as this command leaves it."""
        wallet = self.wallet(player)
        exponent = self.tools.exponent(wallet.currency)
        return Balance(wallet.available_minor, wallet.held_minor, wallet.currency, exponent)
