"""The log read once, event by event, for a log that grows: what is not right so far, and on with more when more came.

Nothing is kept of rounds that ended some time ago (`forget`), so that a long run stays within memory.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from domain.chain import GENESIS, RawEvent, link
from domain.flows import postings
from domain.jackpots.events import PoolOpened
from domain.money import MICRO
from domain.wallets.events import Adjusted, BalanceWentNegative, HeldMoneyDecided, Move, OutcomeReversed, VoidPolicy
from services.pool_book import PoolBook, PoolMove
from services.ports import Recorded

Account = tuple[str, str, str]
"""Operator, currency, account."""


@dataclass(slots=True)
class MoneyWalk:
    """I1, I4 and I5. Amounts in micro-units."""

    accounts: defaultdict[Account, int] = field(default_factory=lambda: defaultdict(int))
    below: list[str] = field(default_factory=list)
    """What breaks I4 so far."""
    pools: list[str] = field(default_factory=list)
    """What breaks I5 so far."""
    _told: dict[Account, int] = field(default_factory=dict)
    _owing: dict[Account, Recorded] = field(default_factory=dict)
    _books: dict[tuple[str, str], PoolBook] = field(default_factory=dict)

    def take(self, one: Recorded) -> None:
        """The next event."""
        if self._owing:
            self._say_owing(one.meta.causation)
        operator, event = one.meta.operator, one.event
        before: dict[Account, int] = {}
        for line in postings(event):
            account = operator, line.currency, line.account
            before.setdefault(account, self.accounts[account])
            self.accounts[account] += line.amount_micro
        for account, was in before.items():
            self._check_floor(one, account, was)
        if isinstance(event, BalanceWentNegative):
            self._owing.pop((operator, event.currency, f"av/{event.player}"), None)
        if isinstance(event, Move):
            self._told[operator, event.currency, f"av/{event.player}"] = event.available_after_minor * MICRO
            self._told[operator, event.currency, f"held/{event.player}"] = event.held_after_minor * MICRO
        if isinstance(event, PoolMove):
            self._check_pool(one, event)

    def sums(self) -> list[str]:
        """What breaks I1 now: currencies whose accounts do not sum to zero, balances that are not what was told."""
        total: defaultdict[tuple[str, str], int] = defaultdict(int)
        for (operator, currency, _), micro in self.accounts.items():
            total[operator, currency] += micro
        return [
            f"{operator}, {currency}: all accounts sum to {micro}"
            for (operator, currency), micro in total.items()
            if micro
        ] + [
            f"{account[2]} is {self.accounts[account]}, its last event says {told}"
            for account, told in self._told.items()
            if self.accounts[account] != told
        ]

    def finish(self) -> None:
        """After the last event."""
        self._say_owing("")

    def forget(self, rounds: set[str]) -> None:
        """Nothing more will happen to these rounds, and nothing is left of them."""
        for book in self._books.values():
            for name in rounds & book.rounds.keys():
                del book.rounds[name]

    def _say_owing(self, causation: str) -> None:
        for account, since in list(self._owing.items()):
            if since.meta.causation != causation:
                self.below.append(
                    f"{account[2]} fell below zero at position {since.position} without its significant event"
                )
                del self._owing[account]

    def _check_floor(self, one: Recorded, account: Account, before: int) -> None:
        now, kind = self.accounts[account], account[2].split("/", 1)[0]
        if kind in {"held", "review"} and now < 0:
            self.below.append(f"{account[2]} is {now} after position {one.position}")
        if kind == "av" and now < min(0, before):
            self._owing[account] = one
            if not _may_owe(one.event):
                fell = f"{account[2]} fell to {now} by {type(one.event).__name__} at position {one.position}"
                self.below.append(fell)

    def _check_pool(self, one: Recorded, event: PoolMove) -> None:
        operator = one.meta.operator
        name = event.terms.jackpot if isinstance(event, PoolOpened) else event.jackpot
        if isinstance(event, PoolOpened):
            self._books[operator, name] = PoolBook(event.terms)
        book = self._books[operator, name]
        if (fault := book.explain(event)) is not None:
            self.pools.append(f"pool {name} at position {one.position}: {fault}")
        held = [self.accounts[operator, book.terms.currency, f"{kind}/{name}"] for kind in ("m", "res", "ovf")]
        if sum(held) != book.explained_micro:
            self.pools.append(
                f"pool {name} at position {one.position} holds {sum(held)}, {book.explained_micro} are explained"
            )
        if min(held) < 0:
            self.pools.append(f"pool {name} at position {one.position}: an account is below zero: {held}")


def _may_owe(event: object) -> bool:
    if isinstance(event, Adjusted):
        return bool(event.approver)
    return isinstance(event, OutcomeReversed | HeldMoneyDecided) and event.policy is VoidPolicy.CLAW_BACK


@dataclass(slots=True)
class ChainWalk:
    """I7 (the log) and I8: versions and sequences from 1 on, positions without a gap, each hash from the one before."""

    position: int = 0
    hash: bytes = GENESIS
    gaps: list[str] = field(default_factory=list)
    """What breaks I7 so far."""
    forks: list[str] = field(default_factory=list)
    """What breaks I8 so far."""
    _versions: defaultdict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    _sequences: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def take(self, row: RawEvent) -> None:
        """The next row."""
        versions = self._versions[_round_of(row.stream)]
        version = versions[row.stream] = versions.get(row.stream, 0) + 1
        self._sequences[row.operator] += 1
        if row.position != self.position + 1:
            self.gaps.append(f"position {row.position} follows {self.position}")
        if (row.version, row.sequence) != (version, self._sequences[row.operator]):
            self.gaps.append(f"{row.stream}: version {row.version} where {version} was to come, at {row.position}")
        hashed = link(
            self.hash, stream=row.stream, version=row.version, name=row.name, position=row.position,
            sequence=row.sequence, state=row.state,
        )  # fmt: skip
        if hashed != row.hash:
            self.forks.append(f"position {row.position}: the hash does not follow")
        self.position, self.hash = row.position, row.hash

    def forget(self, rounds: set[str]) -> None:
        """Nothing more will happen to these rounds and their seats."""
        for name in rounds:
            self._versions.pop(name, None)


def _round_of(stream: str) -> str:
    """The round that a stream of a round or seat belongs to, "" for any other."""
    _, kind, name = stream.split("/", 2)
    return name.split(".", 1)[0] if kind in {"round", "seat"} else ""
