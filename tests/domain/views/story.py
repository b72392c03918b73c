"""Stories of a small casino: events in the order of a log, with amounts that add up. One operator, one pool,
one table with a hand for each seat (`T1`) and one with a hand for all (`T0`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from domain.approvals import AdjustmentProposed, Asking, ProposalRejected
from domain.ids import (
    approval_stream,
    jackpot_stream,
    player_stream,
    round_stream,
    seat_stream,
    table_stream,
    wallet_stream,
)
from domain.jackpots import decider as pools
from domain.jackpots.commands import Accrue, OpenPool
from domain.jackpots.events import PoolTerms
from domain.players import PlayerRegistered
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.rounds import events as rounds
from domain.seats import events as seats
from domain.seats.events import WagerKind
from domain.streams import Event
from domain.tables import CallReserve, CardSource, Pace, RoundStarted, TableOpened, TableTerms
from domain.wallets import decider as wallets
from domain.wallets.events import HoldReason, ReleaseReason

OPERATOR = "demo"
START = datetime(2026, 11, 29, 23, 59, 30, tzinfo=UTC)
ANTE, SIDE = 1_000, 50
DECK = tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")
SEALED = "sealed:do-not-show"


def table_terms(table: str, ruleset: str, jackpot: str | None) -> TableTerms:
    return TableTerms(
        table,
        ruleset,
        "0" * 64,
        "EUR",
        100,
        10_000,
        SIDE,
        SIDE,
        None,
        jackpot,
        CardSource.SHOE,
        Pace.MANUAL,
        CallReserve.FULL,
        "REJECT_AT_CLOSE",
        "FOLD",
        15,
        5,
        0,
        5,
        3_600,
    )


POOL = PoolTerms(
    "J1",
    "euro-progressive-v1",
    "EUR",
    1_000_000,
    1_000_000,
    400_000,
    100_000,
    9 * 10**9,
    PrizeFunding.HOUSE,
    MultiWinnerPolicy.SEQUENTIAL,
    None,
)
TERMS = {
    "T1": table_terms("T1", "euro-progressive-v1", "J1"),
    "T0": table_terms("T0", "live-5plus1-v1", None),
}


@dataclass(frozen=True)
class Told:
    """An event of a story; the command's number stands for its id."""

    stream: str
    event: Event
    entry: int
    command: int
    at: datetime


@dataclass
class Story:
    """Tell what happens; `told` is the log. Each method is one command, and so one append."""

    operator: str = OPERATOR
    told: list[Told] = field(default_factory=list)
    wallets: dict[str, wallets.Wallet] = field(default_factory=dict)
    pool: pools.Pool | None = None
    wagers: dict[tuple[str, str], list[seats.Wager]] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    prizes: dict[tuple[str, str], int] = field(default_factory=dict)
    shares: dict[str, tuple[rounds.Share, ...]] = field(default_factory=dict)
    folded: set[tuple[str, str]] = field(default_factory=set)
    command: int = 0
    entry: int = 0

    def begin(self) -> None:
        self.command += 1
        self.entry = 0

    def say(self, stream: str, event: Event) -> None:
        at = START + timedelta(milliseconds=250 * self.command)
        self.told.append(Told(stream, event, self.entry, self.command, at))

    def wallet(self, player: str, command: wallets.WalletCommand) -> None:
        for event in wallets.decide(command, self.wallets.get(player)):
            self.wallets[player] = wallets.evolve(self.wallets.get(player), event)
            self.say(wallet_stream(self.operator, player), event)

    def pooled(self, event: Event) -> None:
        self.pool = pools.evolve(self.pool, event)  # type: ignore[arg-type]  # a pool's event
        self.say(jackpot_stream(self.operator, "J1"), event)

    def seat(self, round_id: str, player: str, event: seats.SeatEvent) -> None:
        self.say(seat_stream(self.operator, round_id, player), event)

    def open_house(self, players: tuple[str, ...] = ("ann", "bob"), deposit: int = 1_000_000) -> Story:
        self.begin()
        for event in pools.decide(OpenPool(POOL), None):
            self.pooled(event)
        for table, terms in TERMS.items():
            self.begin()
            self.say(table_stream(self.operator, table), TableOpened(terms))
        for player in players:
            self.begin()
            self.say(player_stream(self.operator, player), PlayerRegistered(player, "EUR"))
            self.wallet(player, wallets.OpenWallet(player, "EUR"))
            self.deposit(player, deposit)
        return self

    def deposit(self, player: str, amount: int) -> None:
        self.begin()
        self.wallet(player, wallets.Deposit(amount, "EUR", f"d-{self.command}"))

    def withdraw(self, player: str, amount: int) -> None:
        self.begin()
        self.wallet(player, wallets.Withdraw(amount, "EUR", f"w-{self.command}"))

    def propose(self, player: str, amount: int, *, is_rejected: bool = False) -> str:
        """Somebody wants a balance corrected, and somebody else perhaps does not."""
        self.begin()
        name = f"01993c5e-0000-7000-9000-{self.command:012d}"
        asking = Asking("pit", "k", None, START, START + timedelta(hours=24))
        events: list[Event] = [AdjustmentProposed(name, asking, player, amount, "miscount")]
        events += [ProposalRejected(name, "boss", START, "not agreed")] if is_rejected else []
        for event in events:
            self.say(approval_stream(self.operator, name), event)
        return name

    def open_round(self, table: str, round_id: str) -> None:
        self.begin()
        number = f"20261129-2359{self.command:05d}-{table}"
        self.tables[round_id] = table
        self.say(table_stream(self.operator, table), RoundStarted(table, round_id, number, "s", 1))
        opened = rounds.RoundOpened(round_id, number, TERMS[table], "c" * 64, SEALED, "1.0", "b", START, None)
        self.say(round_stream(self.operator, round_id), opened)

    def bet(self, round_id: str, player: str, seat: int | None, *, side: bool = True) -> str:
        self.begin()
        kind = WagerKind.PROGRESSIVE if self.tables[round_id] == "T1" else WagerKind.SIDE
        action = f"a{self.command}"
        placed = [seats.Wager(f"{action}:ante", WagerKind.ANTE, ANTE)]
        placed += [seats.Wager(f"{action}:side", kind, SIDE)] if side else []
        self.wagers.setdefault((round_id, player), []).extend(placed)
        hold = 3 * ANTE + (SIDE if side else 0)
        self.seat(
            round_id,
            player,
            seats.WagerPlaced(round_id, player, seat, action, tuple(placed), hold, None, doubled=False),
        )
        self.wallet(player, wallets.Hold(round_id, hold, HoldReason.WAGER))
        return action

    def undo(self, round_id: str, player: str, action: str) -> None:
        self.begin()
        standing = self.wagers[round_id, player]
        gone = [one for one in standing if one.wager.startswith(f"{action}:")]
        self.wagers[round_id, player] = [one for one in standing if one not in gone]
        back = sum(3 * one.stake_minor if one.kind is WagerKind.ANTE else one.stake_minor for one in gone)
        ids = tuple(one.wager for one in gone)
        self.seat(round_id, player, seats.ActionUndone(round_id, player, action, ids, back))
        self.wallet(player, wallets.Release(round_id, back, ReleaseReason.UNDO))

    def close(self, round_id: str) -> None:
        self.begin()
        progressive = [
            (player, one)
            for (of_round, player), placed in self.wagers.items()
            for one in placed
            if of_round == round_id and one.kind is WagerKind.PROGRESSIVE
        ]
        shares = tuple(
            rounds.Share(
                one.wager,
                player,
                one.stake_minor,
                one.stake_minor * POOL.increment_ppm,
                one.stake_minor * POOL.reserve_ppm,
            )
            for player, one in progressive
        )
        self.shares[round_id] = shares
        closed = rounds.BettingClosed(
            round_id, seats.DecidedBy.STAFF, len(self.players(round_id)), "J1" if shares else None, shares
        )
        self.say(round_stream(self.operator, round_id), closed)
        for event in pools.decide(Accrue(round_id, shares), self.pool):
            self.pooled(event)

    def deal(self, round_id: str) -> None:
        self.begin()
        shared = DECK[:5] if self.tables[round_id] == "T0" else ()
        deadline = START + timedelta(hours=1)
        dealt = rounds.Dealt(round_id, "As", shared, (1, 2), SEALED, deadline)
        self.say(round_stream(self.operator, round_id), dealt)

    def decide(self, round_id: str, player: str, *, call: bool) -> None:
        self.begin()
        ante = sum(one.stake_minor for one in self.wagers[round_id, player] if one.kind is WagerKind.ANTE)
        wager = seats.Wager(f"a{self.command}:call", WagerKind.CALL, 2 * ante) if call else None
        if wager is not None:
            self.wagers[round_id, player].append(wager)
        back = 0 if call else 2 * ante
        choice = seats.Decision.CALL if call else seats.Decision.FOLD
        event = seats.SeatDecided(round_id, player, choice, seats.DecidedBy.PLAYER, wager, 0, back)
        self.seat(round_id, player, event)
        if not call:
            self.folded.add((round_id, player))
            self.wallet(player, wallets.Release(round_id, back, ReleaseReason.FOLD))

    def players(self, round_id: str) -> list[str]:
        return [player for (of_round, player), placed in self.wagers.items() if of_round == round_id and placed]

    def ruleset(self, round_id: str) -> str:
        return TERMS[self.tables[round_id]].ruleset
